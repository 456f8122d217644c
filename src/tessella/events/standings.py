"""The standings: points first, then tie-breaks, each of which can be explained in a sentence.

- `buchholz`: the points of all your opponents; a bye or a filling bot counts as an opponent with your own points.
- `berger` (Sonneborn–Berger): the points of the opponents you beat, and half those of the ones you tied with.
- `direct`: the points from the games among those who are level on everything before.
- `comparison` (duplicate only): your scores minus the mean score of all who had the same seat and the same deals.
- `margin`: your scores minus the mean score at your table.

In a knock-out the round in which you were eliminated comes before the points. Whoever is level on all of them shares
the place.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Literal, TypeAlias

from msgspec import Struct

from tessella.events.knockout import going_on
from tessella.events.values import Entrant, Id, Plan, RoundPlayed, bye_points, points_of, winners

TieBreak: TypeAlias = Literal["buchholz", "berger", "direct", "comparison", "margin"]

TIE_BREAKS: Mapping[str, tuple[TieBreak, ...]] = {
    "swiss": ("buchholz", "berger", "margin"),
    "round-robin": ("direct", "berger", "margin"),
    "knockout": ("margin",),
}


class Line(Struct, frozen=True):
    """One entrant in the standings; the tie-breaks are in the order of `tie_breaks_of`."""

    id: Id
    place: int
    halves: int
    played: int
    """Games that are over, and byes."""
    breaks: tuple[Fraction, ...]
    out: int = 0
    """The round in which a knock-out ended for the entrant; 0 if it has not."""


class Meeting(Struct, frozen=True):
    """One opponent: the half points won against them (2, 1 or 0); `other` is empty for a bye or a filling bot."""

    other: Id
    halves: int


def tie_breaks_of(plan: Plan) -> tuple[TieBreak, ...]:
    """Return the tie-breaks of an event, in the order in which they decide.

    >>> tie_breaks_of(Plan("swiss", duplicate=True))
    ('comparison', 'buchholz', 'berger')
    """
    usual = TIE_BREAKS[plan.format]
    if not plan.duplicate:
        return usual
    return ("comparison", *(each for each in usual if each != "margin"))


def standings(plan: Plan, entrants: Sequence[Entrant], rounds: Sequence[RoundPlayed]) -> list[Line]:
    """Return the standings after all games that are over."""
    tally = Tally(plan, rounds)
    out = _eliminated(plan, rounds) if plan.format == "knockout" else {}
    ids = [each.id for each in entrants]
    keys: dict[Id, tuple[Fraction, ...]] = {
        each: (Fraction(out.get(each, len(rounds) + 1)), Fraction(tally.halves[each])) for each in ids
    }
    breaks: dict[Id, list[Fraction]] = {each: [] for each in ids}
    for name in tie_breaks_of(plan):
        level = _level(keys)
        for each in ids:
            breaks[each].append(tally.value(name, each, level[keys[each]]))
        keys = {each: (*keys[each], breaks[each][-1]) for each in ids}
    order = sorted(ids, key=lambda each: keys[each], reverse=True)
    lines: list[Line] = []
    for number, each in enumerate(order):
        place = lines[-1].place if number and keys[each] == keys[order[number - 1]] else number + 1
        lines.append(Line(each, place, tally.halves[each], tally.played[each], tuple(breaks[each]), out.get(each, 0)))
    return lines


def _level(keys: Mapping[Id, tuple[Fraction, ...]]) -> Mapping[tuple[Fraction, ...], set[Id]]:
    """Return who is level so far, by key."""
    found: dict[tuple[Fraction, ...], set[Id]] = defaultdict(set)
    for each, key in keys.items():
        found[key].add(each)
    return found


def _eliminated(plan: Plan, rounds: Sequence[RoundPlayed]) -> dict[Id, int]:
    """Return the round in which each entrant was eliminated; the winner of the final is not among them."""
    out: dict[Id, int] = {}
    for number, played in enumerate(rounds, start=1):
        is_final = len(played.round.tables) == 1 and not played.round.byes
        for players, outcome in zip(played.round.tables, played.outcomes, strict=True):
            if outcome is not None:
                stay = winners(players, outcome, 1 if is_final else going_on(plan.seats))
                out |= {each: number for each in players if each and each not in stay}
    return out


class Tally:
    """Points and tie-breaks of all entrants."""

    def __init__(self, plan: Plan, rounds: Sequence[RoundPlayed]) -> None:
        self.plan = plan
        self.halves: dict[Id, int] = defaultdict(int)
        self.played: dict[Id, int] = defaultdict(int)
        self.meetings: dict[Id, list[Meeting]] = defaultdict(list)
        self.margin: dict[Id, Fraction] = defaultdict(Fraction)
        self.comparison: dict[Id, Fraction] = defaultdict(Fraction)
        for played in rounds:
            self._count_round(played)

    def _count_round(self, played: RoundPlayed) -> None:
        for players, outcome in zip(played.round.tables, played.outcomes, strict=True):
            if outcome is None:
                continue
            ranks = outcome.places or (1,) * len(players)
            for seat, (each, halves) in enumerate(zip(players, points_of(outcome, len(players)), strict=True)):
                self._score(each, halves)
                others = [other for other in range(len(players)) if other != seat]
                self.meetings[each] += [
                    Meeting(players[other], 2 * (ranks[seat] < ranks[other]) + (ranks[seat] == ranks[other]))
                    for other in others
                ]
                if outcome.scores:
                    mean = Fraction(sum(outcome.scores), len(outcome.scores))
                    self.margin[each] += outcome.scores[seat] - mean
        for each in played.round.byes:
            self._score(each, bye_points(self.plan.seats))
            self.meetings[each] += [Meeting("", 1)] * (self.plan.seats - 1)
        if self.plan.duplicate and played.is_over:
            self._compare(played)

    def _score(self, each: Id, halves: int) -> None:
        self.halves[each] += halves
        self.played[each] += 1

    def _compare(self, played: RoundPlayed) -> None:
        """Compare everybody with all who had the same seat; games without scores are left out."""
        pairs = zip(played.round.tables, played.outcomes, strict=True)
        scored = [(players, outcome.scores) for players, outcome in pairs if outcome and outcome.scores]
        for seat in range(self.plan.seats):
            if scored:
                mean = Fraction(sum(scores[seat] for _, scores in scored), len(scored))
                for players, scores in scored:
                    self.comparison[players[seat]] += scores[seat] - mean

    def value(self, name: TieBreak, each: Id, level: set[Id]) -> Fraction:
        """Return a tie-break of an entrant; `level` are those who are level on everything before."""
        values: Mapping[TieBreak, Callable[[], Fraction]] = {
            "buchholz": lambda: Fraction(sum(self._points(each, met) for met in self.meetings[each]), 2),
            "berger": lambda: Fraction(sum(met.halves * self._points(each, met) for met in self.meetings[each]), 4),
            "direct": lambda: Fraction(sum(met.halves for met in self.meetings[each] if met.other in level), 2),
            "comparison": lambda: self.comparison[each],
            "margin": lambda: self.margin[each],
        }
        return values[name]()

    def _points(self, each: Id, met: Meeting) -> int:
        return self.halves[met.other or each]
