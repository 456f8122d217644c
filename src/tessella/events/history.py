"""What happened in the rounds so far: who met whom, who had which seat, who had a bye, and the points."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from tessella.events.values import Id, RoundPlayed, bye_points, points_of


class History:
    """Counts over the rounds so far."""

    def __init__(self, rounds: Sequence[RoundPlayed], seats: int) -> None:
        self.seats = seats
        self.met: Counter[frozenset[Id]] = Counter()
        self.sat: Counter[tuple[Id, int]] = Counter()
        """How often each entrant had each seat."""
        self.last_seat: dict[Id, int] = {}
        self.spared: Counter[Id] = Counter()
        """How often each entrant had a bye or a table filled up with bots."""
        self.halves: Counter[Id] = Counter()
        for played in rounds:
            self._add(played)

    def _add(self, played: RoundPlayed) -> None:
        for players, outcome in zip(played.round.tables, played.outcomes, strict=True):
            self._sit(players)
            if outcome is not None:
                self._count(zip(players, points_of(outcome, self.seats), strict=True))
        for each in played.round.byes:
            self.spared[each] += 1
            self.halves[each] += bye_points(self.seats)

    def _sit(self, players: Sequence[Id]) -> None:
        present = [each for each in players if each]
        self.met.update(frozenset(pair) for pair in combinations(present, 2))
        for seat, each in enumerate(players):
            if each:
                self.sat[each, seat] += 1
                self.last_seat[each] = seat
        if len(present) < len(players):
            self.spared.update(present)

    def _count(self, points: Iterable[tuple[Id, int]]) -> None:
        for each, halves in points:
            if each:
                self.halves[each] += halves

    def lead(self, each: Id) -> int:
        """Return how often more an entrant has had the first of two seats than the second."""
        return self.sat[each, 0] - self.sat[each, 1]
