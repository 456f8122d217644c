"""Thinking ahead in Blockers! without seeing the racks of others: thousands of games imagined from what a seat knows.

Information-set Monte Carlo tree search. Each descent deals the hidden tiles anew, walks down the moves that were tried
before, tries one more, and finishes the game with quick players. Every seat wants the best for itself (max-n).

Quick players sort the cells into classes, all cells of a class at once in the words of `tessella.fast.blockers`: would
a tile join groups there, touch one or stand alone; is the cell empty, and if not, does the capture cost a point?

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

    from tessella.fast.blockers_table import beside, count_groups
    from tessella.fast.blockers_words import (
        ASIDE,
        BOTH_ROWS,
        CELL_LOWER,
        CELL_UPPER,
        FACE_COUNT,
        HOUSE_LOWER,
        HOUSE_UPPER,
        LOWER_ROWS,
        STAYING,
        UNKNOWN,
        UPPER_ROWS,
    )
    from tessella.fast.phases import DEALING, OVER
    from tessella.fast.uncompiled import bits_set, lowest

UPPER_ALL = sum([0x1FF << 10 * row for row in range(6)])
LOWER_ALL = sum([0x1FF << 10 * row for row in range(5)])
"""All rows that a word shows."""
WILD = 27
TAME = 2**27 - 1
"""All faces but the wild."""

CLASSES = 12
JOIN_BLOCK, JOIN, JOIN_CATCH, TOUCH_BLOCK, TOUCH, TOUCH_CATCH = 0, 1, 2, 3, 4, 5
JOIN_COSTLY, NEAR, NEAR_CATCH, ALONE, TOUCH_COSTLY, WORST = 6, 7, 8, 9, 10, 11
CLASS_WORTH = [1.2, 1.0, 0.9, 0.2, 0.0, -0.1, -0.2, -0.6, -0.7, -1.0, -1.1, -1.9]
"""What a tile on a cell of each class is worth in points, best first; BLOCK: another would have joined groups there."""

ROOT_MOVES = 16
MOVES = 8
"""How many moves are considered: at the root, and deeper."""
EXPLORE = 1.0
SPREAD = 0.4
"""How many points less of worth make a move look a third as likely."""
KEPT = 0.75
"""How often a tile is not believed to be on a rack, if it would have been so good to play that nobody keeps it."""
MARGIN = 0.5
"""How much of a reward is for being near the win or far ahead; the rest is for the win."""
WHIM = 4
TROUBLE, HOPE, ROOM, CAPTURE, WILD_LATER = 0.3, 0.5, 0.1, 0.1, 3.0
"""As in `tessella.bots.blockers_worth`."""
PLAYS = 24
LINES, NANOSECONDS = 10, 500
"""How many lines of play may be read instead of one descent, and how long one takes, more or less."""
LOOK = 64
"""Lines of play between two looks at the clock."""
CHUNK = 8
"""Descents between two looks at the clock."""


class Search:
    """What one seat thinks about one position. The same seed and number of descents give the same move."""

    def __init__(self, table, seed=0, capacity=100_000):
        """Look at a table as the seat to move; what lies on the racks of others makes no difference."""
        self.root = table.copy()
        self.table = table.copy()
        self.table.random = seed
        self.seat = self.root.current
        self.capacity = capacity
        self.size = 1
        self.visits = array("i", bytes(4 * capacity))
        self.total = array("d", bytes(8 * capacity))
        self.child = array("i", bytes(4 * capacity))
        self.sibling = array("i", bytes(4 * capacity))
        self.move_to = array("H", bytes(2 * capacity))
        self._clear()
        self._survey_all()
        self._find_eager()
        self._rank_root()
        if self.listed == 0:
            raise ValueError("nobody is to move")

    def _clear(self):
        self.groups = [0] * 5
        self.touch_upper = [0] * 5
        self.touch_lower = [0] * 5
        self.join_upper = [0] * 5
        self.join_lower = [0] * 5
        self.first_groups = [0] * 5
        self.first_touch_upper = [0] * 5
        self.first_touch_lower = [0] * 5
        self.first_join_upper = [0] * 5
        self.first_join_lower = [0] * 5
        self.class_upper = [0] * 24
        self.class_lower = [0] * 24
        self.open_upper = [0] * 2
        self.open_lower = [0] * 2
        self.eager = [0] * 5
        self.moves = [0] * 260
        self.worths = [0.0] * 260
        self.root_moves = [0] * 16
        self.root_worths = [0.0] * 16
        self.place_of = [0] * 4592
        self.found = [0] * 260
        self.path = [0] * 128
        self.movers = [0] * 128
        self.rewards = [0.0] * 5
        self.keys = [0.0] * 5
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
        self._restart()
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
                if best < 0 or self.rewards[table.current] > self.settled[5 * depth + table.current]:
                    best = table.listed[place]
                    for seat in range(table.seats):
                        self.settled[5 * depth + seat] = self.rewards[seat]
        for seat in range(table.seats):
            self.rewards[seat] = self.settled[5 * depth + seat]
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
            self.keys[seat] = table._score(seat) + table.catches[seat] / 64.0
        self._share_out()

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
        return [(self.root_moves[place], self.root_worths[place]) for place in range(self.listed)]

    # One descent

    def _descend_often(self, descents):
        for _ in range(descents):
            self._descend()

    def _descend(self):
        """Deal, walk down the tree, try one more move, let quick players finish, and remember who won."""
        self._restart()
        self._imagine()
        node = 0
        depth = 0
        going = True
        while going and self.table.phase != OVER:
            if self.table.phase == DEALING:
                self.table._deal()
            else:
                listed = self._recall_root() if depth == 0 else self._consider()
                place = self._select(node, listed)
                self.movers[depth] = self.table.current
                node = self.found[place]
                going = node > 0 and self.visits[node] > 0
                if node == 0:
                    node = self._add(self.path[depth], self.moves[place])
                self._play(self.moves[place])
                depth += 1
                self.path[depth] = node
        self._finish()
        self._learn(depth)

    def _restart(self):
        self.table._assign(self.root)
        for colour in range(5):
            self.groups[colour] = self.first_groups[colour]
            self.touch_upper[colour] = self.first_touch_upper[colour]
            self.touch_lower[colour] = self.first_touch_lower[colour]
            self.join_upper[colour] = self.first_join_upper[colour]
            self.join_lower[colour] = self.first_join_lower[colour]

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
                    if not face & self.eager[colour] or self._chance() > KEPT:
                        rack |= face
                self.table.rack[colour] = rack
                self.table.supply[colour] = unseen ^ rack

    def _chance(self):
        return (self.table._next() >> 11) * (1.0 / 9007199254740992.0)

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
            self.place_of[self.moves[place]] = place + 1
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
            self.place_of[self.moves[place]] = 0
        return self._best_bound(listed, seen, won)

    def _best_bound(self, listed, seen, won):
        shares = 0.0
        for place in range(listed):
            shares += exp((self.worths[place] - self.worths[0]) / SPREAD)
        untried = won / seen if seen else 0.0
        scale = EXPLORE * sqrt(seen + 1.0) / shares
        best = 0
        most = -1.0
        for place in range(listed):
            node = self.found[place]
            tries = self.visits[node] if node else 0
            value = self.total[node] / tries if tries else untried
            bound = value + scale * exp((self.worths[place] - self.worths[0]) / SPREAD) / (1 + tries)
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
                self.total[node] += self.rewards[self.movers[place - 1]]

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
                if other != seat and self.keys[other] < best:
                    best = self.keys[other]
                winners += other != seat and self.keys[other] == self.keys[seat]
            if self.keys[seat] <= best:
                self.won[seat] += 1.0 / winners
            self.won[5 + seat] += best - self.keys[seat]

    # Moves worth a thought

    def _recall_root(self):
        if self.listed == 0:
            return self._consider()
        for place in range(self.listed):
            self.moves[place] = self.root_moves[place]
            self.worths[place] = self.root_worths[place]
        return self.listed

    def _rank_root(self):
        """The best moves at the root, by all that a quick look can tell."""
        listed = self.root._list()
        for place in range(listed):
            self.moves[place] = self.root.listed[place]
            self.worths[place] = self._worth(self.root.listed[place])
        self.listed = self._put_first(listed, ROOT_MOVES)
        for place in range(self.listed):
            self.root_moves[place] = self.moves[place]
            self.root_worths[place] = self.worths[place]

    def _worth(self, move):
        """What the move leaves, as greedy sees it: few groups of one's own, many of the others, room to grow."""
        colour = self.seat + self.table.seats * (move // 2296)
        later = 1.0 * self.root.plays_left / (PLAYS * self.root.colours)
        worth = -WILD_LATER * later if move % 2296 // 82 == WILD else 0.0
        if move % 82 == ASIDE:
            return worth
        self._restart()
        worth -= self._capture_cost(move % 82)
        self._play(move)
        upper = lower = 0
        for other in range(self.table.colours):
            upper |= self.table.upper[other]
            lower |= self.table.lower[other]
        for other in range(self.table.colours):
            share = -1.0 if other % self.table.seats == self.seat else TROUBLE
            worth += share * self._groups_to_come(other, ~upper, ~lower, later)
        return worth + ROOM * self._room(colour, ~upper, ~lower)

    def _capture_cost(self, cell):
        """BL21, BL23, BL33: a captured tile costs a point if no colour was captured more often."""
        tile = self.table.board[cell]
        if tile == 0:
            return 0.0
        return CAPTURE + (self.table.caught_of[5 * self.seat + (tile - 1) // FACE_COUNT] == self._most_caught())

    def _most_caught(self):
        """How many captured tiles count against the seat to move: one more of such a colour would cost a point."""
        if self.table.uptown:
            return UNKNOWN
        most = 0
        for colour in range(self.table.colours):
            if self.table.caught_of[5 * self.table.current + colour] > most:
                most = self.table.caught_of[5 * self.table.current + colour]
        return most

    def _groups_to_come(self, colour, free_upper, free_lower, later):
        """The groups of a colour; those that can still be joined count for less, the more so the earlier it is."""
        upper = self.touch_upper[colour] & free_upper
        lower = self.touch_lower[colour] & free_lower
        upper |= (lower & BOTH_ROWS) << 40
        lower |= upper >> 40 & BOTH_ROWS
        joined = count_groups(self.table.upper[colour] | upper, self.table.lower[colour] | lower)
        return self.groups[colour] - HOPE * later * (self.groups[colour] - joined)

    def _room(self, colour, free_upper, free_lower):
        """How many tiles still to come would find a cell beside the own groups; a second cell is half as good."""
        room = 0.0
        faces = self.table.rack[colour] | self.table.supply[colour]
        while faces:
            face = lowest(faces)
            faces &= faces - 1
            cells = bits_set(self.touch_upper[colour] & free_upper & HOUSE_UPPER[face])
            cells += bits_set(self.touch_lower[colour] & free_lower & HOUSE_LOWER[face])
            room += 1.0 - 1.0 / (1 << (cells if cells < 30 else 30))
        return room

    def _consider(self):
        """The best moves of the best classes, for a seat in the tree; give their number."""
        hands = self._classify()
        later = WILD_LATER * self.table.plays_left / (PLAYS * self.table.colours)
        listed = 0
        kind = 0
        while kind < CLASSES and listed < MOVES:
            listed = self._list_class(hands, kind, TAME, CLASS_WORTH[kind], listed)
            kind += 1
        other = 0
        while other < CLASSES and (listed < MOVES or CLASS_WORTH[other] - later > CLASS_WORTH[kind - 1]):
            listed = self._list_class(hands, other, 1 << WILD, CLASS_WORTH[other] - later, listed)
            other += 1
        return self._put_first(listed, MOVES) if listed else self._consider_asides()

    def _list_class(self, hands, kind, among, worth, listed):
        """Every move of a class with these tiles; what opens room is worth a little more."""
        for hand in range(hands):
            faces = self.table.rack[self.table.current + self.table.seats * hand] & among
            listed = self._list_hand(hand, CLASSES * hand + kind, faces, worth, listed)
        return listed

    def _list_hand(self, hand, at, faces, worth, listed):
        while faces:
            face = lowest(faces)
            faces &= faces - 1
            first = 2296 * hand + 82 * face
            cells = self.class_upper[at] & HOUSE_UPPER[face]
            while cells:
                self.moves[listed] = first + CELL_UPPER[lowest(cells)]
                self.worths[listed] = worth + ROOM * bits_set(beside(cells & (0 - cells)) & self.open_upper[hand])
                listed += 1
                cells &= cells - 1
            cells = self.class_lower[at] & HOUSE_LOWER[face]
            while cells:
                self.moves[listed] = first + CELL_LOWER[lowest(cells)]
                self.worths[listed] = worth + ROOM * bits_set(beside(cells & (0 - cells)) & self.open_lower[hand])
                listed += 1
                cells &= cells - 1
        return listed

    def _put_first(self, listed, wanted):
        """Put so many of the listed moves first, the best before all; give how many there are."""
        wanted = listed if listed < wanted else wanted
        for rank in range(wanted):
            best = rank
            for place in range(rank + 1, listed):
                if self.worths[place] > self.worths[best]:
                    best = place
            move = self.moves[best]
            worth = self.worths[best]
            self.moves[best] = self.moves[rank]
            self.worths[best] = self.worths[rank]
            self.moves[rank] = move
            self.worths[rank] = worth
        return wanted

    def _consider_asides(self):
        listed = self.table._list()
        listed = listed if listed < MOVES else MOVES
        for place in range(listed):
            self.moves[place] = self.table.listed[place]
            self.worths[place] = 0.0
        return listed

    # Quick players

    def _finish(self):
        """Play on to the end, and say what each seat has won."""
        while self.table.phase != OVER:
            if self.table.phase == DEALING:
                self.table._deal()
            else:
                self._play(self._pick())
        self._reward()

    def _pick(self):
        """A move of the best class that the rack reaches; the wild only where it gains what it is worth later."""
        hands = self._classify()
        later = WILD_LATER * self.table.plays_left / (PLAYS * self.table.colours)
        kind = 0
        while kind < CLASSES and not self._reaches(hands, kind, TAME):
            kind += 1
        enough = later + (CLASS_WORTH[kind] if kind < CLASSES else -100.0)
        other = 0
        while other < CLASSES and CLASS_WORTH[other] > enough:
            if self._reaches(hands, other, 1 << WILD):
                return self._pick_from(hands, other, 1 << WILD)
            other += 1
        if kind == CLASSES:
            return self.table.listed[self.table._below(self.table._list())]
        return self._pick_from(hands, kind, TAME)

    def _reaches(self, hands, kind, among):
        """Whether some of these tiles, if they are on the rack, may be laid on a cell of the class."""
        for hand in range(hands):
            upper = self.class_upper[CLASSES * hand + kind]
            lower = self.class_lower[CLASSES * hand + kind]
            faces = self.table.rack[self.table.current + self.table.seats * hand] & among if upper | lower else 0
            while faces:
                face = lowest(faces)
                faces &= faces - 1
                if upper & HOUSE_UPPER[face] | lower & HOUSE_LOWER[face]:
                    return True
        return False

    def _pick_from(self, hands, kind, among):
        """The move of a class that opens most room, more or less."""
        best = -1
        most = -1
        for hand in range(hands):
            faces = self.table.rack[self.table.current + self.table.seats * hand] & among
            while faces:
                face = lowest(faces)
                faces &= faces - 1
                first = 2296 * hand + 82 * face
                cells = self.class_upper[CLASSES * hand + kind] & HOUSE_UPPER[face]
                while cells:
                    room = self._opens(beside(cells & (0 - cells)) & self.open_upper[hand])
                    if room > most:
                        most = room
                        best = first + CELL_UPPER[lowest(cells)]
                    cells &= cells - 1
                cells = self.class_lower[CLASSES * hand + kind] & HOUSE_LOWER[face]
                while cells:
                    room = self._opens(beside(cells & (0 - cells)) & self.open_lower[hand])
                    if room > most:
                        most = room
                        best = first + CELL_LOWER[lowest(cells)]
                    cells &= cells - 1
        return best

    def _opens(self, cells):
        """How much room a move opens, with a whim, so that no two games are the same."""
        return WHIM * bits_set(cells) + self.table._below(WHIM)

    def _play(self, move):
        """Make a move, and look again at the groups that it changes."""
        colour = self.table.current + self.table.seats * (move // 2296)
        cell = move % 82
        there = self.table.board[cell] if cell != ASIDE else 0
        self.table._apply(move)
        if cell != ASIDE:
            self._survey(colour)
        if there:
            self._survey((there - 1) // FACE_COUNT)

    # Classes of cells

    def _classify(self):
        """Sort the cells for each colour of the seat to move; give the number of colours."""
        colour = self.table.current
        hand = 0
        while colour < self.table.colours:
            for kind in range(CLASSES):
                self.class_upper[CLASSES * hand + kind] = 0
                self.class_lower[CLASSES * hand + kind] = 0
            if self.table.unplayed[colour] > STAYING:
                self._classify_for(colour, CLASSES * hand)
            hand += 1
            colour += self.table.seats
        return hand

    def _classify_for(self, colour, at):
        upper = lower = catch_upper = catch_lower = costly_upper = costly_lower = block_upper = block_lower = 0
        most = self._most_caught()
        for other in range(self.table.colours):
            upper |= self.table.upper[other]
            lower |= self.table.lower[other]
            if other != colour and self.table.caught_of[5 * self.table.current + other] == most:
                costly_upper |= self.table.upper[other] & ~self.table.upper_stuck[other]
                costly_lower |= self.table.lower[other] & ~self.table.lower_stuck[other]
            elif other != colour:
                catch_upper |= self.table.upper[other] & ~self.table.upper_stuck[other]
                catch_lower |= self.table.lower[other] & ~self.table.lower_stuck[other]
            if other % self.table.seats != self.table.current:
                block_upper |= self.join_upper[other]
                block_lower |= self.join_lower[other]
        touch_upper = self.touch_upper[colour]
        touch_lower = self.touch_lower[colour]
        # the neighbours of free neighbours: a second tile would join what is laid there
        around_upper = touch_upper & ~upper
        around_lower = touch_lower & ~lower
        around_upper |= (around_lower & BOTH_ROWS) << 40
        around_lower |= around_upper >> 40 & BOTH_ROWS
        self.open_upper[at // CLASSES] = UPPER_ALL & ~(upper | around_upper)
        self.open_lower[at // CLASSES] = LOWER_ALL & ~(lower | around_lower)
        self._fill(
            self.class_upper, at, UPPER_ROWS & ~upper, catch_upper & UPPER_ROWS, costly_upper & UPPER_ROWS,
            block_upper, touch_upper, self.join_upper[colour], beside(around_upper),
        )  # fmt: skip
        self._fill(
            self.class_lower, at, LOWER_ROWS & ~lower, catch_lower & LOWER_ROWS, costly_lower & LOWER_ROWS,
            block_lower, touch_lower, self.join_lower[colour], beside(around_lower),
        )  # fmt: skip

    def _fill(self, classes, at, free, catch, costly, block, touch, join, near):
        """Every cell in one class."""
        single = touch & ~join
        near &= ~touch
        classes[at + JOIN_BLOCK] = join & free & block
        classes[at + JOIN] = join & free & ~block
        classes[at + JOIN_CATCH] = join & catch
        classes[at + TOUCH_BLOCK] = single & free & block
        classes[at + TOUCH] = single & free & ~block
        classes[at + TOUCH_CATCH] = single & catch
        classes[at + JOIN_COSTLY] = join & costly
        classes[at + NEAR] = near & free
        classes[at + NEAR_CATCH] = near & catch
        classes[at + ALONE] = free & ~(touch | near)
        classes[at + TOUCH_COSTLY] = single & costly | catch & ~(touch | near)
        classes[at + WORST] = costly & ~touch

    # Groups

    def _survey_all(self):
        for colour in range(self.table.colours):
            self._survey(colour)
            self.first_groups[colour] = self.groups[colour]
            self.first_touch_upper[colour] = self.touch_upper[colour]
            self.first_touch_lower[colour] = self.touch_lower[colour]
            self.first_join_upper[colour] = self.join_upper[colour]
            self.first_join_lower[colour] = self.join_lower[colour]

    def _survey(self, colour):
        """Count the groups of a colour, and find the cells that touch one, and those that would join several."""
        upper = self.table.upper[colour]
        lower = self.table.lower[colour]
        touch_upper = touch_lower = join_upper = join_lower = 0
        left_upper = upper
        left_lower = lower
        groups = 0
        while left_upper | left_lower:
            grown_upper = left_upper & (0 - left_upper)
            grown_lower = 0 if left_upper else left_lower & (0 - left_lower)
            group_upper = group_lower = near_upper = near_lower = 0
            while grown_upper != group_upper or grown_lower != group_lower:
                group_upper = grown_upper | (grown_lower & BOTH_ROWS) << 40
                group_lower = grown_lower | group_upper >> 40 & BOTH_ROWS
                near_upper = beside(group_upper)
                near_lower = beside(group_lower)
                grown_upper = group_upper | near_upper & upper
                grown_lower = group_lower | near_lower & lower
            join_upper |= touch_upper & near_upper
            join_lower |= touch_lower & near_lower
            touch_upper |= near_upper
            touch_lower |= near_lower
            left_upper &= ~group_upper
            left_lower &= ~group_lower
            groups += 1
        self.groups[colour] = groups
        self.touch_upper[colour] = touch_upper & ~upper & UPPER_ROWS
        self.touch_lower[colour] = touch_lower & ~lower & LOWER_ROWS
        self.join_upper[colour] = join_upper & ~upper & UPPER_ROWS
        self.join_lower[colour] = join_lower & ~lower & LOWER_ROWS

    def _find_eager(self):
        """The tiles with which a colour could join groups on an empty cell: who held one would have played it."""
        upper = lower = 0
        for colour in range(self.root.colours):
            upper |= self.root.upper[colour]
            lower |= self.root.lower[colour]
        for colour in range(self.root.colours):
            for face in range(WILD):
                cells = self.join_upper[colour] & ~upper & HOUSE_UPPER[face]
                if cells | self.join_lower[colour] & ~lower & HOUSE_LOWER[face]:
                    self.eager[colour] |= 1 << face

    # What was won

    def _reward(self):
        for seat in range(self.table.seats):
            self.keys[seat] = self._standing(seat)
        self._share_out()

    def _share_out(self):
        """The part of the win, and a little for being near it."""
        least = 1e9
        winners = 0
        for seat in range(self.table.seats):
            if self.keys[seat] < least:
                least = self.keys[seat]
                winners = 0
            winners += self.keys[seat] == least
        for seat in range(self.table.seats):
            self.rewards[seat] = MARGIN * self._nearness(seat)
            if self.keys[seat] == least:
                self.rewards[seat] += (1.0 - MARGIN) / winners

    def _standing(self, seat):
        """BL21, BL22: points, then captured tiles; the fewest win."""
        points = 0
        most = 0
        colour = seat
        while colour < self.table.colours:
            points += self.groups[colour]
            colour += self.table.seats
        for colour in range(5):
            if self.table.caught_of[5 * seat + colour] > most:
                most = self.table.caught_of[5 * seat + colour]
        points += 0 if self.table.uptown else most
        return points + self.table.catches[seat] / 64.0

    def _nearness(self, seat):
        """How far the best of the others is behind, from 0 to 1."""
        best = 1e9
        for other in range(self.table.seats):
            if other != seat and self.keys[other] < best:
                best = self.keys[other]
        lead = 0.5 + (best - self.keys[seat]) / 12.0
        return 0.0 if lead < 0 else 1.0 if lead > 1 else lead
