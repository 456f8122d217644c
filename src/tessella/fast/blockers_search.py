"""Thinking ahead in Blockers! without seeing the racks of others: thousands of games imagined from what a seat knows.

Information-set Monte Carlo tree search. Each descent deals the hidden tiles anew, walks down the seat's own moves that
were tried before, tries one more, and plays on. The others play as quick players do: what they hold is another in every
game, so that a tree of their moves would learn nothing before the seat's own next move was ever tried.

The same file runs as it is and, with the types of blockers_search.pxd, compiled. Compiled code checks no bounds.
"""

from array import array
from time import thread_time_ns

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from math import exp, sqrt

    from tessella.fast.blockers_quick import GRAIN, MOVES, WILD, BlockersQuick
    from tessella.fast.blockers_words import HOUSE_LOWER, HOUSE_UPPER, STAYING
    from tessella.fast.phases import DEALING, OVER
    from tessella.fast.uncompiled import bits_set

ROOT_MOVES = 16
"""How many first moves are considered."""
EXPLORE = 1.0
SPREAD = 0.4
"""How many points less of worth make a move look a third as likely."""
KEPT = 0.75
"""How often a tile is not believed to be on a rack, if it would have been so good to play that nobody keeps it."""
LINES, NANOSECONDS = 10, 500
"""How many lines of play may be read instead of one descent, and how long one takes, more or less."""
LOOK = 64
"""Lines of play between two looks at the clock."""
CHUNK = 8
"""Descents between two looks at the clock."""


class Search:
    """What one seat thinks about one position. The same seed and number of descents give the same move."""

    def __init__(self, table, weights, seed=0, capacity=100_000):
        """Look at a table as the seat to move; what lies on the racks of others makes no difference."""
        self.quick = BlockersQuick(table, weights, seed)
        self.root = self.quick.root
        self.table = self.quick.table
        self.seat = self.root.current
        self.capacity = capacity
        self.size = 1
        self.visits = array("i", bytes(4 * capacity))
        self.total = array("d", bytes(8 * capacity))
        self.child = array("i", bytes(4 * capacity))
        self.sibling = array("i", bytes(4 * capacity))
        self.move_to = array("H", bytes(2 * capacity))
        self._clear()
        if self.root._list() == 0:
            raise ValueError("nobody is to move")
        self._find_eager()
        self._rank_root()

    def _clear(self):
        self.eager = [0] * 5
        self.root_moves = [0] * 16
        self.root_worths = [0] * 16
        self.place_of = [0] * 4592
        self.found = [0] * 260
        self.path = [0] * 128
        self.won = [0.0] * 10
        self.settled = [0.0] * 30
        self.asked = [0] * 984

    # The clock

    def choose(self, descents, until):
        """The best move found in so many descents, or until the thread has used so many nanoseconds of CPU time."""
        move = self._read(LINES * descents, until)
        if move >= 0:
            return move
        longest = 0
        now = thread_time_ns()
        while descents > 0 and now + longest < until and self.listed > 1:
            before = now
            chunk = CHUNK if descents > CHUNK else descents
            with cython.nogil:
                self._descend_often(chunk)
            descents -= chunk
            now = thread_time_ns()
            longest = max(longest, now - before)
        return self._most_visited()

    # The last lap

    def _read(self, lines, until):
        """The move that starts the best line of the last lap; -1 before that lap, or if half the time is too short."""
        now = thread_time_ns()
        if self._lines() > min(lines, (until - now) // (2 * NANOSECONDS)):
            return -1
        self.tables = [self.root.copy() for _ in range(self.root.plays_left + 1)]
        self.lines_left = lines
        self.read_until = now + (until - now) // 2
        move = self._settle(0)
        return move if self.lines_left > 0 else -1

    def _lines(self):
        """How many lines of play there are, more or less, if nothing is hidden any more, all supplies being empty."""
        lines = 1.0
        for colour in range(self.root.colours):
            if self.root.supply[colour]:
                return 1e99
        self.quick._restart()
        for _ in range(self.root.plays_left):
            lines *= self.table._list()
            self.table.current = (self.table.current + 1) % self.table.seats
        return lines

    def _settle(self, depth):
        """Read every line of play; leave what each seat wins by the best one, and give the move that starts it.

        Every colour is played once more, so that it makes no difference which tile goes to a cell.
        """
        table = self.tables[depth]
        after = self.tables[depth + 1]
        for place in range(164):
            self.asked[164 * depth + place] = 0
        best = -1
        for place in range(table._list()):
            cell = 164 * depth + 82 * (table.listed[place] // 2296) + table.listed[place] % 82
            if not self.asked[cell] and self.lines_left > 0:
                self.asked[cell] = 1
                after._assign(table)
                after._apply(table.listed[place])
                self._follow(after, depth)
                if best < 0 or self.quick.rewards[table.current] > self.settled[5 * depth + table.current]:
                    best = table.listed[place]
                    for seat in range(table.seats):
                        self.settled[5 * depth + seat] = self.quick.rewards[seat]
        for seat in range(table.seats):
            self.quick.rewards[seat] = self.settled[5 * depth + seat]
        return best

    def _follow(self, after, depth):
        if after.phase != OVER:
            self._settle(depth + 1)
            return
        self._tell(after)
        self.lines_left -= 1
        if self.lines_left % LOOK == 0 and thread_time_ns() > self.read_until:
            self.lines_left = 0

    def _tell(self, table):
        for seat in range(table.seats):
            self.quick.keys[seat] = table._score(seat) + table.catches[seat] / 64.0
        self.quick._share_out()

    # What was found

    def _most_visited(self):
        """The move that was tried most; before anything was tried, the one of greatest worth."""
        best = self.root_moves[0]
        most = 0
        node = self.child[0]
        while node:
            if self.visits[node] > most:
                most = self.visits[node]
                best = self.move_to[node]
            node = self.sibling[node]
        return best

    def tried(self):
        """How often each move was tried, and what it won on average."""
        found = []
        node = self.child[0]
        while node:
            found.append((self.move_to[node], self.visits[node], self.total[node] / max(1, self.visits[node])))
            node = self.sibling[node]
        return found

    def ranked(self):
        """The moves that are considered, and what each is worth at first sight, best first."""
        return [(self.root_moves[place], 1.0 * self.root_worths[place] / GRAIN) for place in range(self.listed)]

    # One descent

    def _descend_often(self, descents):
        for _ in range(descents):
            self._descend()

    def _descend(self):
        """Deal, walk down the tree, try one more move, let quick players go on, and remember what the seat won."""
        self.quick._restart()
        self._imagine()
        node = 0
        depth = 0
        going = True
        while going and self.table.phase != OVER:
            if self.table.phase == DEALING:
                self.table._deal()
            elif self.table.current != self.seat and (depth > 0 or self.listed == 0):
                self.quick._play(self.quick._pick())
            else:
                listed = self._recall_root() if depth == 0 else self.quick._consider(MOVES)
                place = self._select(node, listed)
                node = self.found[place]
                going = node > 0 and self.visits[node] > 0
                if node == 0:
                    node = self._add(self.path[depth], self.quick.moves[place])
                self.quick._play(self.quick.moves[place])
                depth += 1
                self.path[depth] = node
        self.quick._finish()
        self._learn(depth)

    def _imagine(self):
        """BL40: deal anew what the seat cannot see. Who kept a tile had no great use for it: such are likelier held."""
        for colour in range(self.table.colours):
            shown = self.table.seats == 2 and self.table.unplayed[colour] == STAYING
            if colour % self.table.seats != self.seat and not shown:
                unseen = self.table.rack[colour] | self.table.supply[colour]
                held = bits_set(self.table.rack[colour])
                rack = self.table._drawn(unseen, 1)
                while bits_set(rack) < held:
                    face = self.table._drawn(unseen & ~rack, 1)
                    if not face & self.eager[colour] or self.quick._chance() > KEPT:
                        rack |= face
                self.table.rack[colour] = rack
                self.table.supply[colour] = unseen ^ rack

    def _find_eager(self):
        """The tiles with which a colour could join groups on an empty cell: who held one would have played it."""
        upper = lower = 0
        for colour in range(self.root.colours):
            upper |= self.root.upper[colour]
            lower |= self.root.lower[colour]
        for colour in range(self.root.colours):
            for face in range(WILD):
                cells = self.quick.join_upper[colour] & ~upper & HOUSE_UPPER[face]
                if cells | self.quick.join_lower[colour] & ~lower & HOUSE_LOWER[face]:
                    self.eager[colour] |= 1 << face

    def _add(self, parent, move):
        """A new node, or 0 when all are taken."""
        if self.size == self.capacity:
            return 0
        node = self.size
        self.size += 1
        self.move_to[node] = move
        self.sibling[node] = self.child[parent]
        self.child[parent] = node
        return node

    def _select(self, node, listed):
        """PUCT among the moves that are possible in this world; an untried one counts as the average of the others."""
        for place in range(listed):
            self.place_of[self.quick.moves[place]] = place + 1
            self.found[place] = 0
        seen = 0
        won = 0.0
        other = self.child[node]
        while other:
            place = self.place_of[self.move_to[other]]
            if place:
                self.found[place - 1] = other
                seen += self.visits[other]
                won += self.total[other]
            other = self.sibling[other]
        for place in range(listed):
            self.place_of[self.quick.moves[place]] = 0
        return self._best_bound(listed, seen, won)

    def _best_bound(self, listed, seen, won):
        shares = 0.0
        for place in range(listed):
            shares += exp((self.quick.worths[place] - self.quick.worths[0]) / (SPREAD * GRAIN))
        untried = won / seen if seen else 0.0
        scale = EXPLORE * sqrt(seen + 1.0) / shares
        best = 0
        most = -1.0
        for place in range(listed):
            node = self.found[place]
            tries = self.visits[node] if node else 0
            value = self.total[node] / tries if tries else untried
            bound = value + scale * exp((self.quick.worths[place] - self.quick.worths[0]) / (SPREAD * GRAIN)) / (
                1 + tries
            )
            if bound > most and (node or self.size < self.capacity):
                most = bound
                best = place
        return best

    def _learn(self, depth):
        self.visits[0] += 1
        for place in range(1, depth + 1):
            node = self.path[place]
            if node:
                self.visits[node] += 1
                self.total[node] += self.quick.rewards[self.seat]

    # What a position is worth

    def weigh(self, seat, move, descents):
        """What each seat has of the win, and its lead in points, on average after a move; -1 is no move.

        It is what a seat may think that knows its own racks: of the mover's it then knows nothing, unless it moves.
        """
        self.seat = seat
        self.listed = 1 if move >= 0 else 0
        self.root_moves[0] = move
        for place in range(10):
            self.won[place] = 0.0
        with cython.nogil:
            for _ in range(descents):
                self._descend()
                self._count_win()
        return [(self.won[one] / descents, self.won[5 + one] / descents) for one in range(self.root.seats)]

    def _count_win(self):
        for seat in range(self.table.seats):
            best = 1e9
            winners = 1
            for other in range(self.table.seats):
                if other != seat and self.quick.keys[other] < best:
                    best = self.quick.keys[other]
                winners += other != seat and self.quick.keys[other] == self.quick.keys[seat]
            if self.quick.keys[seat] <= best:
                self.won[seat] += 1.0 / winners
            self.won[5 + seat] += best - self.quick.keys[seat]

    # The first move

    def _recall_root(self):
        if self.listed == 0:
            return self.quick._consider(MOVES)
        for place in range(self.listed):
            self.quick.moves[place] = self.root_moves[place]
            self.quick.worths[place] = self.root_worths[place]
        return self.listed

    def _rank_root(self):
        """The best moves at the root, by all that a quick look can tell."""
        self.quick._restart()
        self.listed = self.quick._consider(ROOT_MOVES)
        for place in range(self.listed):
            self.root_moves[place] = self.quick.moves[place]
            self.root_worths[place] = self.quick.worths[place]
