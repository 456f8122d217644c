"""The search tree of the games with hidden information or chance: nodes, selection by PUCT, budget and clock.

Each descent plays in another world (hidden tiles are redealt, chance decides anew), so the same node may offer other
moves each time: the children of a node are a list, and a descent selects among those that are possible in its world.

The same file runs as plain Python and, with the types of tree.pxd, compiled. Compiled code does not check bounds.
"""

from array import array

from tessella.fast.clock import thread_time_ns

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from math import sqrt


class Tree:
    """The nodes of a search, and one walk down them at a time.

    Per node: the move that leads to it, its `visits`, the `total` of the mover's results, its first `child` and next
    `sibling`; 0 is the root, and none. Of the current walk: the `path` of nodes, who moved (`movers`), and after it the
    `results` of the seats.
    """

    def _allocate(self, capacity, exploration, clock_descents):
        """Allocate nodes; the exploration constant of PUCT; how many descents are made between two clock checks."""
        self.capacity = capacity
        self.exploration = exploration
        self.clock_descents = clock_descents
        self.size = 1
        self.depth = 0
        self.going = False
        self.visits = array("i", bytes(4 * capacity))
        self.total = array("d", bytes(8 * capacity))
        self.child = array("i", bytes(4 * capacity))
        self.sibling = array("i", bytes(4 * capacity))
        self.move_to = array("H", bytes(2 * capacity))
        self.place_of = [0] * 4592
        self.found = [0] * 960
        self.priors = [0.0] * 960
        self.path = [0] * 256
        self.movers = [0] * 256
        self.results = [0.0] * 5

    # Budget and clock

    def _search(self, descents, deadline):
        """Descend within a number of descents and a deadline on the thread's CPU clock, in ns, or until decided."""
        longest = 0
        done = 0
        began = now = thread_time_ns()
        while done < descents and now + longest < deadline:
            before = now
            chunk = self.clock_descents if descents - done > self.clock_descents else descents - done
            with cython.nogil:
                self._descend_often(chunk)
            done += chunk
            now = thread_time_ns()
            longest = max(longest, now - before)
            if self._is_decided(done, descents, now - began, deadline - now):
                return

    def _is_decided(self, done, descents, used, left):  # noqa: ARG002
        """Whether more descents cannot change the choice; `used` and `left` are nanoseconds. A game may override it."""
        return False

    def _descend_often(self, descents):
        for _ in range(descents):
            self._descend()

    def _descend(self):
        """Walk down the tree, add a move, play on, and back up the results; implemented by each game."""

    # Results

    def _most_visited(self, best):
        """Return the most visited move; before any descent, the one given."""
        most = 0
        node = self.child[0]
        while node:
            if self.visits[node] > most:
                most = self.visits[node]
                best = self.move_to[node]
            node = self.sibling[node]
        return best

    def _visit_lead(self):
        """Return how many visits the most visited move has more than the second."""
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

    def tried(self):
        """Return each tried move with its visits and its mean result."""
        found = []
        node = self.child[0]
        while node:
            found.append((self.move_to[node], self.visits[node], self.total[node] / max(1, self.visits[node])))
            node = self.sibling[node]
        return found

    # One walk

    def _start_walk(self):
        self.depth = 0
        self.going = True

    def _next_move(self, moves, listed, mover):
        """Return the selected one of the listed moves, whose `priors` are set, and step to its node.

        A move without a node gets one. The walk is over (`going`) at a node that was not visited before.
        """
        place = self._select(self.path[self.depth], moves, listed)
        node = self.found[place]
        self.going = node > 0 and self.visits[node] > 0
        if node == 0:
            node = self._add(self.path[self.depth], moves[place])
        self.movers[self.depth] = mover
        self.depth += 1
        self.path[self.depth] = node
        return moves[place]

    def _add(self, parent, move):
        """Return a new node, or 0 if the tree is full."""
        if self.size == self.capacity:
            return 0
        node = self.size
        self.size += 1
        self.move_to[node] = move
        self.sibling[node] = self.child[parent]
        self.child[parent] = node
        return node

    def _select(self, node, moves, listed):
        """Return the best move by PUCT among those possible in this world; an untried one counts as the mean."""
        for place in range(listed):
            self.place_of[moves[place]] = place + 1
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
            self.place_of[moves[place]] = 0
        return self._best_bound(listed, seen, won)

    def _best_bound(self, listed, seen, won):
        prior_sum = 0.0
        for place in range(listed):
            prior_sum += self.priors[place]
        untried = won / seen if seen else 0.0
        scale = self.exploration * sqrt(seen + 1.0) / prior_sum
        best = 0
        most = -1.0
        for place in range(listed):
            node = self.found[place]
            tries = self.visits[node] if node else 0
            value = self.total[node] / tries if tries else untried
            bound = value + scale * self.priors[place] / (1 + tries)
            if bound > most and (node or self.size < self.capacity):
                most = bound
                best = place
        return best

    def _backpropagate(self):
        """Back up the `results` of the seats along the path: each node counts that of its mover."""
        self.visits[0] += 1
        for place in range(1, self.depth + 1):
            node = self.path[place]
            if node:
                self.visits[node] += 1
                self.total[node] += self.results[self.movers[place - 1]]
