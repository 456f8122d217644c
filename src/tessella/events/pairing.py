"""The pairings of the next round.

- **Round robin** for two: Berger tables (the circle method, as in the FIDE Handbook, C.05 annex 1). Everybody meets
  everybody once, and starts as often as not.
- **Swiss** for two: all pairs at once by maximum-weight matching (`matching`), with these priorities, each above all
  that follow: no pair meets twice, and no player has two byes; the number of games that a player starts stays within
  one of half their games (the limit of the FIDE Dutch system, C.04.3); equal points; seats as even as possible; within
  a score group the upper half meets the lower half.
- **For three to five** there is no such algorithm: the field is cut into tables, and players are swapped between tables
  as long as that makes the whole better: fewest repeated meetings first, and in a Swiss then equal points.
- **Knock-out**: a bracket drawn by lot; with more than two at a table the better half goes on.

Lots come from the seed of the event, so every worker computes the same round.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import ceil, log2, prod
from random import Random

from tessella.events.history import History
from tessella.events.knockout import knockout_round, knockout_rounds
from tessella.events.matching import max_weight_matching
from tessella.events.seating import seat_players
from tessella.events.values import FILLER, Entrant, Id, Plan, Round, RoundPlayed, lot

RESTARTS = 6
"""How often the tables of more than two are cut from another order; the best result counts."""


def rounds_of(plan: Plan, entrants: int) -> int:
    """Return how many rounds an event with this many entrants has.

    >>> rounds_of(Plan("round-robin"), 5), rounds_of(Plan("knockout"), 5), rounds_of(Plan("swiss", rounds=4), 64)
    (5, 3, 4)
    """
    if plan.format == "knockout":
        return knockout_rounds(plan.seats, entrants)
    if plan.format == "round-robin" and plan.seats == 2:
        return entrants - 1 + entrants % 2
    return plan.rounds or max(1, ceil(log2(max(2, entrants))))


def next_round(plan: Plan, entrants: Sequence[Entrant], rounds: Sequence[RoundPlayed], seed: str) -> Round:
    """Return the round after these; all their games are over."""
    number = len(rounds) + 1
    drawn = sorted(entrants, key=lambda each: lot(seed, each.id))
    ids = [each.id for each in drawn if each.plays(number)]
    started = [each.id for each in drawn if each.first == 1]
    history = History(rounds, plan.seats)
    if plan.format == "knockout":
        return knockout_round(plan, started, ids, rounds, seed)
    if plan.format == "round-robin" and plan.seats == 2:
        return _berger(started, set(ids), number, plan)
    if plan.seats == 2:
        return _swiss_pairs(plan, ids, history, seed)
    return _groups(plan, ids, history, f"{seed} {number}")


# Round robin


def _berger(players: Sequence[Id], present: set[Id], number: int, plan: Plan) -> Round:
    """Return a round of the Berger table; a player whose opponent is gone has a bye."""
    field = [*players, *([FILLER] if len(players) % 2 else [])]
    last = len(field)
    tables: list[tuple[Id, Id]] = []
    byes: list[Id] = []
    for one, other in combinations(range(1, last + 1), 2):
        if _berger_round(one, other, last) != number:
            continue
        order = (one, other) if _starts(one, other, last) else (other, one)
        pair = tuple(field[each - 1] if field[each - 1] in present else FILLER for each in order)
        if all(pair) or (any(pair) and plan.fill == "bot"):
            tables.append((pair[0], pair[1]))
        else:
            byes += [each for each in pair if each]
    return Round(tuple(tables), tuple(byes))


def _berger_round(one: int, other: int, last: int) -> int:
    """Return the round in which two numbers meet, `one` being the smaller."""
    return (one + (one if other == last else other) - 2) % (last - 1) + 1


def _starts(one: int, other: int, last: int) -> bool:
    """Return whether the smaller number starts."""
    return one <= last // 2 if other == last else (one + other) % 2 == 1


# Swiss for two


def _swiss_pairs(plan: Plan, ids: Sequence[Id], history: History, seed: str) -> Round:
    order = sorted(ids, key=lambda each: -history.halves[each])  # stable: lots decide between equal points
    field = [*order, *([FILLER] if len(order) % 2 else [])]
    if not field:
        return Round(())
    partners = max_weight_matching(_weights(field, history))
    pairs = [(field[i], field[j]) for i, j in enumerate(partners) if i < j]
    byes = tuple(one or other for one, other in pairs if not (one and other)) if plan.fill == "bye" else ()
    tables = [pair for pair in pairs if not byes or all(pair)]
    return Round(tuple(seat_players(pair, history, seed) for pair in tables), byes)


def _weights(field: Sequence[Id], history: History) -> list[list[int]]:
    """Return the weight of every pair: a large number minus its cost, so that everybody is paired."""
    size = len(field)
    costs = {(i, j): _cost(field, i, j, history) for i, j in combinations(range(size), 2)}
    radix = [size * (max(level) + 1) for level in zip(*costs.values(), strict=True)]
    weights = [[0] * size for _ in range(size)]
    ceiling = (size + 1) * prod(radix)
    for (i, j), cost in costs.items():
        total = 0
        for value, base in zip(cost, radix, strict=True):
            total = total * base + value
        weights[i][j] = weights[j][i] = ceiling - total
    return weights


def _cost(field: Sequence[Id], i: int, j: int, history: History) -> tuple[int, int, int, int, int]:
    """Return what speaks against a pair, the most important first."""
    one, other = field[i], field[j]
    if not other:  # a bye: at most once, and for those with the fewest points
        return (history.spared[one] ** 2, 0, history.halves[one] ** 2, 0, len(field) - i)
    gap = abs(history.halves[one] - history.halves[other])
    group = sum(history.halves[each] == history.halves[one] for each in field if each)
    fold = 0 if gap else abs((j - i) - group // 2)
    met = history.met[frozenset((one, other))]
    far, uneven = (_uneven(one, other, history, limit) for limit in (2, 1))
    return (met**2, far, gap**2, uneven, fold)


def _uneven(one: Id, other: Id, history: History, limit: int) -> int:
    """Return by how much a pair would push the difference of first and second seats beyond a limit."""
    a, b = history.lead(one), history.lead(other)
    return min(_excess(a + 1, limit) + _excess(b - 1, limit), _excess(a - 1, limit) + _excess(b + 1, limit))


def _excess(lead: int, limit: int) -> int:
    return max(0, abs(lead) - limit) ** 2


# Tables of three to five


def _groups(plan: Plan, ids: Sequence[Id], history: History, seed: str) -> Round:
    field, byes = _fit(plan, ids, history)
    by_points = plan.format == "swiss"
    cost = _group_cost(history, by_points=by_points)
    best: list[list[Id]] = []
    for restart in range(RESTARTS):
        order = sorted(field, key=lambda each: (-history.halves[each] if by_points else 0, lot(seed, restart, each)))
        order = [each for each in order if each] + [each for each in order if not each]
        groups = [order[start : start + plan.seats] for start in range(0, len(order), plan.seats)]
        _improve(groups, cost, Random(f"{seed} {restart}"))  # noqa: S311  lots, not secrets
        if not best or sum(map(cost, groups)) < sum(map(cost, best)):
            best = groups
    return Round(tuple(seat_players(group, history, seed) for group in best), tuple(byes))


def _fit(plan: Plan, ids: Sequence[Id], history: History) -> tuple[list[Id], list[Id]]:
    """Return the field, filled up with bots or without those who have a bye, and the byes."""
    left = len(ids) % plan.seats
    if not left:
        return list(ids), []
    if plan.fill == "bot" or len(ids) < plan.seats:
        return [*ids, *[FILLER] * (plan.seats - left)], []
    byes = sorted(ids, key=lambda each: (history.spared[each], history.halves[each]))[:left]
    return [each for each in ids if each not in byes], byes


def _group_cost(history: History, *, by_points: bool) -> Callable[[Sequence[Id]], int]:
    """Return a function that says what speaks against a table."""
    heavy = 1 + (2 * (history.seats - 1) * 64) ** 2

    def cost(group: Sequence[Id]) -> int:
        total = 0
        for one, other in combinations(group, 2):
            if one and other:
                total += heavy * history.met[frozenset((one, other))] ** 2
                total += (history.halves[one] - history.halves[other]) ** 2 if by_points else 0
        spared = sum(history.spared[each] ** 2 for each in group if each) if FILLER in group else 0
        return total + heavy * spared

    return cost


def _improve(groups: list[list[Id]], cost: Callable[[Sequence[Id]], int], rng: Random) -> None:
    """Swap players between tables while any swap makes the whole better."""
    places = [(table, seat) for table, group in enumerate(groups) for seat in range(len(group))]
    rng.shuffle(places)
    costs = [cost(group) for group in groups]
    better = True
    while better:
        better = False
        for (a, i), (b, j) in combinations(places, 2):
            if a == b:
                continue
            groups[a][i], groups[b][j] = groups[b][j], groups[a][i]
            new_a, new_b = cost(groups[a]), cost(groups[b])
            if new_a + new_b < costs[a] + costs[b]:
                costs[a], costs[b], better = new_a, new_b, True
            else:
                groups[a][i], groups[b][j] = groups[b][j], groups[a][i]
