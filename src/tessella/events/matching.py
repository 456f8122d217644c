"""Maximum-weight matching in a general graph: the best way to pair all players of a round at once.

Edmonds' blossom algorithm with dual variables, in the O(n³) form of Galil, "Efficient algorithms for finding maximum
matching in graphs" (ACM Computing Surveys 18, 1986); the same method as `networkx.max_weight_matching`. Weights are
whole numbers of any size, so that priorities can be put one above the other without rounding.
"""

from collections import deque
from collections.abc import Sequence


def max_weight_matching(weights: Sequence[Sequence[int]]) -> list[int]:
    """Return the partner of each vertex, or -1; `weights` is symmetric, and 0 where there is no edge.

    >>> max_weight_matching([[0, 5, 9, 0], [5, 0, 0, 9], [9, 0, 0, 5], [0, 9, 5, 0]])
    [2, 3, 0, 1]
    """
    return _Matching(weights).solve()


class _Matching:
    """The search; vertices are numbered from 1, blossoms from n + 1. An edge is its two ends (u, v)."""

    def __init__(self, weights: Sequence[Sequence[int]]) -> None:
        n = self.n = len(weights)
        self.top = n
        size = 2 * n + 1
        self.weight = [[0] * size for _ in range(size)]
        self.end = [[(u, v) for v in range(size)] for u in range(size)]
        """The ends of the best edge between two vertices or blossoms."""
        for u in range(n):
            for v in range(n):
                self.weight[u + 1][v + 1] = 2 * weights[u][v]  # even, so that dual variables stay whole
        self.label = [0] * size
        self.mate = [0] * size
        self.slack = [0] * size
        self.root = list(range(size))
        self.parent = [0] * size
        self.side = [-1] * size
        """0: outer, 1: inner, -1: not reached."""
        self.visited = [0] * size
        self.time = 0
        self.inside: list[list[int]] = [[] for _ in range(size)]
        self.entry = [[0] * (n + 1) for _ in range(size)]
        """The part of a blossom that contains a vertex."""
        self.queue: deque[int] = deque()

    def solve(self) -> list[int]:
        """Return the partner of each vertex."""
        n = self.n
        most = max((max(row[1 : n + 1]) for row in self.weight[1 : n + 1]), default=0)
        for u in range(1, n + 1):
            self.label[u] = most // 2
            self.entry[u][u] = u
        while self._augment():
            pass
        return [self.mate[u] - 1 for u in range(1, n + 1)]

    def _gap(self, u: int, v: int) -> int:
        a, b = self.end[u][v]
        return self.label[a] + self.label[b] - self.weight[a][b]

    def _update_slack(self, u: int, x: int) -> None:
        if not self.slack[x] or self._gap(u, x) < self._gap(self.slack[x], x):
            self.slack[x] = u

    def _set_slack(self, x: int) -> None:
        self.slack[x] = 0
        for u in range(1, self.n + 1):
            if self._weight(u, x) > 0 and self.root[u] != x and self.side[self.root[u]] == 0:
                self._update_slack(u, x)

    def _weight(self, u: int, v: int) -> int:
        a, b = self.end[u][v]
        return self.weight[a][b]

    def _push(self, x: int) -> None:
        if x <= self.n:
            self.queue.append(x)
        else:
            for part in self.inside[x]:
                self._push(part)

    def _set_root(self, x: int, root: int) -> None:
        self.root[x] = root
        if x > self.n:
            for part in self.inside[x]:
                self._set_root(part, root)

    def _position(self, blossom: int, part: int) -> int:
        """Return the even distance of a part from the base, turning the cycle around if necessary."""
        parts = self.inside[blossom]
        where = parts.index(part)
        if where % 2:
            parts[1:] = parts[:0:-1]
            return len(parts) - where
        return where

    def _match(self, u: int, v: int) -> None:
        a, b = self.end[u][v]
        self.mate[u] = b
        if u <= self.n:
            return
        part = self.entry[u][a]
        where = self._position(u, part)
        for i in range(where):
            self._match(self.inside[u][i], self.inside[u][i ^ 1])
        self._match(part, v)
        self.inside[u] = self.inside[u][where:] + self.inside[u][:where]

    def _flip(self, u: int, v: int) -> None:
        while True:
            next_v = self.root[self.mate[u]] if self.mate[u] else 0
            self._match(u, v)
            if not next_v:
                return
            self._match(next_v, self.root[self.parent[next_v]])
            u, v = self.root[self.parent[next_v]], next_v

    def _common_ancestor(self, u: int, v: int) -> int:
        self.time += 1
        while u or v:
            if u:
                if self.visited[u] == self.time:
                    return u
                self.visited[u] = self.time
                u = self.root[self.mate[u]] if self.mate[u] else 0
                if u:
                    u = self.root[self.parent[u]]
            u, v = v, u
        return 0

    def _add_blossom(self, u: int, base: int, v: int) -> None:  # noqa: C901  one step of the algorithm
        """Shrink the odd cycle through `u`, `base` and `v` to one vertex."""
        n = self.n
        b = n + 1
        while b <= self.top and self.root[b]:
            b += 1
        self.top = max(self.top, b)
        self.label[b], self.side[b] = 0, 0
        self.mate[b] = self.mate[base]
        parts = [base]
        for start, turn in ((u, True), (v, False)):
            x = start
            while x != base:
                parts.append(x)
                y = self.root[self.mate[x]]
                parts.append(y)
                self._push(y)
                x = self.root[self.parent[y]]
            if turn:
                parts[1:] = parts[:0:-1]
        self.inside[b] = parts
        self._set_root(b, b)
        for x in range(1, self.top + 1):
            self.end[b][x], self.end[x][b] = (0, 0), (0, 0)
        for x in range(1, n + 1):
            self.entry[b][x] = 0
        for part in parts:
            for x in range(1, self.top + 1):
                better = self._weight(b, x) == 0 or self._gap(part, x) < self._gap(b, x)
                if self._weight(part, x) > 0 and better:
                    self.end[b][x], self.end[x][b] = self.end[part][x], self.end[x][part]
            for x in range(1, n + 1):
                if self.entry[part][x]:
                    self.entry[b][x] = part
        self._set_slack(b)

    def _expand(self, b: int) -> None:
        for part in self.inside[b]:
            self._set_root(part, part)
        first = self.entry[b][self.end[b][self.parent[b]][0]]
        where = self._position(b, first)
        parts = self.inside[b]
        for i in range(0, where, 2):
            x, y = parts[i], parts[i + 1]
            self.parent[x] = self.end[y][x][0]
            self.side[x], self.side[y] = 1, 0
            self.slack[x] = 0
            self._set_slack(y)
            self._push(y)
        self.side[first], self.parent[first] = 1, self.parent[b]
        for part in parts[where + 1 :]:
            self.side[part] = -1
            self._set_slack(part)
        self.root[b] = 0

    def _found(self, u: int, v: int) -> bool:
        """Use a tight edge; return whether it made the matching larger."""
        a, b = self.end[u][v]
        u, v = self.root[a], self.root[b]
        if self.side[v] == -1:
            self.parent[v], self.side[v] = a, 1
            other = self.root[self.mate[v]]
            self.slack[v] = self.slack[other] = 0
            self.side[other] = 0
            self._push(other)
        elif self.side[v] == 0:
            base = self._common_ancestor(u, v)
            if not base:
                self._flip(u, v)
                self._flip(v, u)
                return True
            self._add_blossom(u, base, v)
        return False

    def _augment(self) -> bool:  # noqa: C901  one phase of the algorithm
        """Run one phase; return whether the matching became larger."""
        for x in range(1, self.top + 1):
            self.side[x], self.slack[x] = -1, 0
        self.queue.clear()
        for x in range(1, self.top + 1):
            if self.root[x] == x and not self.mate[x]:
                self.parent[x], self.side[x] = 0, 0
                self._push(x)
        if not self.queue:
            return False
        while True:
            if self._grow():
                return True
            if not self._change_duals():
                return False
            for x in range(1, self.top + 1):
                u = self.slack[x]
                if self.root[x] == x and u and self.root[u] != x and self._gap(u, x) == 0 and self._found(u, x):
                    return True
            for b in range(self.n + 1, self.top + 1):
                if self.root[b] == b and self.side[b] == 1 and self.label[b] == 0:
                    self._expand(b)

    def _grow(self) -> bool:
        while self.queue:
            u = self.queue.popleft()
            if self.side[self.root[u]] == 1:
                continue
            for v in range(1, self.n + 1):
                if self.weight[u][v] > 0 and self.root[u] != self.root[v]:
                    if self._gap(u, v) == 0:
                        if self._found(u, v):
                            return True
                    else:
                        self._update_slack(u, self.root[v])
        return False

    def _change_duals(self) -> bool:
        """Lower and raise the dual variables as far as possible; return False if no larger matching is heavier."""
        n, steps = self.n, list[int]()
        for b in range(n + 1, self.top + 1):
            if self.root[b] == b and self.side[b] == 1:
                steps.append(self.label[b] // 2)
        for x in range(1, self.top + 1):
            if self.root[x] == x and self.slack[x] and self.side[x] != 1:
                gap = self._gap(self.slack[x], x)
                steps.append(gap if self.side[x] == -1 else gap // 2)
        outer = [u for u in range(1, n + 1) if self.side[self.root[u]] == 0]
        step = min([*steps, min(self.label[u] for u in outer)])
        for u in range(1, n + 1):
            if self.side[self.root[u]] == 0:
                self.label[u] -= step
            elif self.side[self.root[u]] == 1:
                self.label[u] += step
        for b in range(n + 1, self.top + 1):
            if self.root[b] == b and self.side[b] != -1:
                self.label[b] += 2 * step if self.side[b] == 0 else -2 * step
        return not any(self.label[u] == 0 for u in outer)
