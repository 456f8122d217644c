"""Thinking ahead in Azul Duel: thousands of ways in which the round may go on, as far as a seat can know.

Monte Carlo tree search. Each descent imagines anew what the seat cannot see, walks down the moves that were tried
before, tries one more, and lets quick players finish the round; then the boards are weighed. Chance decides on the way
as it does at the table, so chips and plates come differently in every descent (open loop). What follows the round is
not read: its value is learned or estimated.

The same file runs as it is and, with the types of duel_search.pxd, compiled. Compiled code checks no bounds.
"""

from array import array
from time import thread_time_ns

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from math import exp, sqrt

    from tessella.fast.duel_value import DuelValue

from tessella.fast.phases import DEALING, DRAFTING, TILING

WIDE = 6
"""How many moves of each kind are considered at first; more come with the square root of the visits."""
EXPLORE = 0.3
SPREAD = 1.0
"""How many points less of worth make a move look a third as likely."""
CHUNK = 4
"""Descents between two looks at the clock."""
SPELL = 64
"""Descents between two looks at whether all is decided."""
NO_MOVE = -1


class Search:
    """What one seat thinks about one position. The same seed and number of descents give the same move."""

    def __init__(self, table, seat, seed=0, capacity=100_000, net=None):
        """Look at a table as a seat that may move; what this seat cannot see makes no difference."""
        self.seat = seat
        self.root = DuelValue()
        self.root._assign(table)
        self.root._survey(0)
        self.root._survey(1)
        self.table = DuelValue()
        if net is not None:
            self.table.learn(net)
        self.table.eldest = seat
        self.table.random = seed
        self.capacity = capacity
        self.size = 1
        self.visits = array("i", bytes(4 * capacity))
        self.total = array("d", bytes(8 * capacity))
        self.child = array("i", bytes(4 * capacity))
        self.sibling = array("i", bytes(4 * capacity))
        self.move_to = array("H", bytes(2 * capacity))
        self.place_of = [0] * 1354
        self.found = [0] * 960
        self.share = [0.0] * 960
        self.path = [0] * 256
        self.movers = [0] * 256
        self.forced = NO_MOVE
        self.chances = self.leads = 0.0
        self._restart()
        if self.table.phase not in (DRAFTING, TILING) or self.table._mover() != seat:
            raise ValueError(f"seat {seat} is not to move")
        self.first = self.table._best_move()
        self.choices = self.table._weigh()

    # The clock

    def choose(self, descents, until):
        """The best move found in so many descents, or until the thread has used so many nanoseconds of CPU time.

        Who is so far ahead that no other move can be tried as often any more is chosen at once.
        """
        longest = 0
        began = now = thread_time_ns()
        done = 0
        while done < descents and now + longest < until and self.choices > 1:
            before = now
            chunk = CHUNK if descents - done > CHUNK else descents - done
            with cython.nogil:
                self._descend_often(chunk)
            done += chunk
            now = thread_time_ns()
            longest = max(longest, now - before)
            if done % SPELL == 0:
                left = 1.1 * done * (until - now) / (now - began)
                if self._lead() > min(left, descents - done):
                    break
        return self._most_visited()

    # What a move is worth

    def weigh(self, move, descents):
        """The mean chance of the seat to win, and its mean lead, in so many descents that begin with a legal move.

        A search weighs once and does no more.
        """
        self.forced = move
        with cython.nogil:
            self._descend_often(descents)
        chance = self.chances / descents
        lead = self.leads / descents
        return (1.0 - chance, -lead) if self.seat else (chance, lead)

    # What was found

    def _most_visited(self):
        """The move that was tried most; before anything was tried, the one that looks best."""
        best = self.first
        most = 0
        node = self.child[0]
        while node:
            if self.visits[node] > most:
                most = self.visits[node]
                best = self.move_to[node]
            node = self.sibling[node]
        return best

    def _lead(self):
        """How much oftener the move that was tried most was tried than any other."""
        most = 0
        second = 0
        node = self.child[0]
        while node:
            if self.visits[node] > most:
                second = most
                most = self.visits[node]
            elif self.visits[node] > second:
                second = self.visits[node]
            node = self.sibling[node]
        return most - second

    def made(self):
        """How many moves were made in all descents."""
        return self.table.made

    def tried(self):
        """How often each move was tried, and what it won on average."""
        found = []
        node = self.child[0]
        while node:
            found.append((self.move_to[node], self.visits[node], self.total[node] / max(1, self.visits[node])))
            node = self.sibling[node]
        return found

    # One descent

    def _descend_often(self, descents):
        for _ in range(descents):
            self._descend()

    def _restart(self):
        self.table._become(self.root)
        self.table._imagine(1 << self.seat)

    def _descend(self):
        """Walk down the tree, try one more move, let quick players finish the round, and remember who stood better."""
        self._restart()
        node = 0
        depth = 0
        going = True
        while going and not self.table._is_done():
            if self.table.phase == DEALING:
                self.table._let_chance()
            else:
                self.movers[depth] = self.table._mover()
                place = self._select(node)
                node = self.found[place]
                going = node > 0 and self.visits[node] > 0
                if node == 0:
                    node = self._add(self.path[depth], self.table.moves[place])
                self.table._play(self.table.moves[place])
                depth += 1
                self.path[depth] = node
        self.table._finish()
        self._learn(depth, self.table._win())
        self._tally()

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

    def _learn(self, depth, won):
        """`won` is what the first seat won."""
        self.visits[0] += 1
        for place in range(1, depth + 1):
            node = self.path[place]
            if node:
                self.visits[node] += 1
                self.total[node] += 1.0 - won if self.movers[place - 1] else won

    def _tally(self):
        """Add up how the first seat stands at the end of the round."""
        self.chances += self.table.chance
        self.leads += self.table.lead

    # Which move to try

    def _select(self, node):
        """PUCT among the moves that are possible in this world; an untried one counts as the average of the others."""
        listed = self._consider(node)
        for place in range(listed):
            self.place_of[self.table.moves[place]] = place + 1
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
            self.place_of[self.table.moves[place]] = 0
        return self._best_bound(listed, seen, won)

    def _consider(self, node):
        """Put the best moves of each kind first, the more the oftener one was here; give how many."""
        if node == 0 and self.forced != NO_MOVE:
            self.table.moves[0] = self.forced
            return 1
        listed = self.table._weigh()
        plates = self.table.plates_at
        wide = WIDE
        while (wide - WIDE + 1) * (wide - WIDE + 1) <= self.visits[node]:
            wide += 1
        self._part(0, plates, wide)
        self._part(plates, listed, plates + wide)
        taken = wide if wide < plates else plates
        place = plates
        while place < listed and place < plates + wide:
            self.table.moves[taken] = self.table.moves[place]
            self.table.worths[taken] = self.table.worths[place]
            taken += 1
            place += 1
        return taken

    def _part(self, start, stop, middle):
        """Order some moves so that none before the middle is worth less than any after it (quickselect)."""
        while middle < stop and stop - start > 1:
            pivot = self.table.worths[(start + stop) // 2]
            low = start
            high = stop - 1
            while low <= high:
                while self.table.worths[low] > pivot:
                    low += 1
                while self.table.worths[high] < pivot:
                    high -= 1
                if low <= high:
                    self._swap(low, high)
                    low += 1
                    high -= 1
            if middle <= high:
                stop = high + 1
            elif middle >= low:
                start = low
            else:
                return

    def _swap(self, one, other):
        move = self.table.moves[one]
        worth = self.table.worths[one]
        self.table.moves[one] = self.table.moves[other]
        self.table.worths[one] = self.table.worths[other]
        self.table.moves[other] = move
        self.table.worths[other] = worth

    def _best_bound(self, listed, seen, won):
        shares = 0.0
        top = self.table.worths[0]
        for place in range(1, listed):
            top = max(top, self.table.worths[place])
        for place in range(listed):
            self.share[place] = exp((self.table.worths[place] - top) / SPREAD)
            shares += self.share[place]
        untried = won / seen if seen else 0.0
        scale = EXPLORE * sqrt(seen + 1.0) / shares
        best = 0
        most = -1.0
        for place in range(listed):
            node = self.found[place]
            tries = self.visits[node] if node else 0
            value = self.total[node] / tries if tries else untried
            bound = value + scale * self.share[place] / (1 + tries)
            if bound > most and (node or self.size < self.capacity):
                most = bound
                best = place
        return best
