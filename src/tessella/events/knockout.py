"""Knock-out: whoever loses is out.

Two at a table: the usual bracket, drawn by lot; if the field is no power of two, the first round has byes. More at a
table: the better half of each table goes on (of five, two), until one table is left: the final.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from math import ceil, log2

from tessella.events.history import History
from tessella.events.seating import seat_players
from tessella.events.values import FILLER, Id, Plan, Round, RoundPlayed, lot, winners


def knockout_rounds(seats: int, entrants: int) -> int:
    """Return the number of rounds.

    >>> knockout_rounds(2, 8), knockout_rounds(2, 9), knockout_rounds(4, 16), knockout_rounds(4, 4)
    (3, 4, 3, 1)
    """
    if seats == 2:
        return max(1, ceil(log2(max(2, entrants))))
    rounds = 1
    while entrants > seats:
        tables = entrants // seats
        entrants += tables * (going_on(seats) - seats)
        rounds += 1
    return rounds


def going_on(seats: int) -> int:
    """Return how many players of a table go on to the next round."""
    return max(1, seats // 2)


def knockout_round(
    plan: Plan, started: Sequence[Id], present: Collection[Id], rounds: Sequence[RoundPlayed], seed: str
) -> Round:
    """Return the next round: `started` began the event, in the order of their lots, `present` still take part."""
    history = History(rounds, plan.seats)
    if plan.seats > 2:
        return _tables(plan, _left(plan, started, rounds, present), history, f"{seed} {len(rounds)}")
    slots = bracket(started, rounds, present)
    pairs = list(zip(slots[::2], slots[1::2], strict=True))
    tables = tuple(seat_players(pair, history, seed) for pair in pairs if all(pair))
    return Round(tables, tuple(one or other for one, other in pairs if bool(one) != bool(other)))


def bracket(started: Sequence[Id], rounds: Sequence[RoundPlayed], present: Collection[Id]) -> list[Id]:
    """Return who is where in the bracket after these rounds; an empty id where there is no player."""
    size = 2 ** max(1, ceil(log2(max(2, len(started)))))
    slots = [started[number - 1] if number <= len(started) else FILLER for number in _order(size)]
    for played in rounds:
        survivors = {*played.round.byes}
        for players, outcome in zip(played.round.tables, played.outcomes, strict=True):
            survivors.update(winners(players, outcome) if outcome is not None else ())
        slots = [
            next((each for each in pair if each in survivors), FILLER)
            for pair in zip(slots[::2], slots[1::2], strict=True)
        ]
    return [each if each in present else FILLER for each in slots]


def _order(size: int) -> list[int]:
    """Return the numbers of a bracket from top to bottom, so that the first two can meet in the final only.

    >>> _order(8)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    order = [1]
    while len(order) < size:
        order = [each for number in order for each in (number, 2 * len(order) + 1 - number)]
    return order


def _left(plan: Plan, started: Sequence[Id], rounds: Sequence[RoundPlayed], present: Collection[Id]) -> list[Id]:
    """Return who is still in, in the order of the lots."""
    left = set(started)
    for played in rounds:
        left = {*played.round.byes}
        for players, outcome in zip(played.round.tables, played.outcomes, strict=True):
            left.update(winners(players, outcome, going_on(plan.seats)) if outcome is not None else ())
    return [each for each in started if each in left and each in present]


def _tables(plan: Plan, left: Sequence[Id], history: History, seed: str) -> Round:
    order = sorted(left, key=lambda each: lot(seed, each))
    if len(order) <= plan.seats:  # the final
        final = [*order, *[FILLER] * (plan.seats - len(order))]
        return Round(
            (seat_players(final, history, seed),) if len(order) > 1 else (), tuple(order if len(order) == 1 else ())
        )
    spare = len(order) % plan.seats
    spared: Counter[Id] = history.spared
    byes = sorted(order, key=lambda each: spared[each])[:spare]
    field = [each for each in order if each not in byes]
    tables = [field[start : start + plan.seats] for start in range(0, len(field), plan.seats)]
    return Round(tuple(seat_players(table, history, seed) for table in tables), tuple(byes))
