"""Find the best of many moves by evaluations that grow: moves that are clearly worse drop out early.

The evaluations are noisy, so a move drops out only if it is behind by more than the margin and what noise can explain.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

LEADERS = 2
"""At least this many moves are evaluated at full size."""


class Outcome(Struct, frozen=True):
    """What a move leads to: the mover's win probability, and lead in points."""

    probability: float
    lead: float


Evaluate: TypeAlias = Callable[[int, int], Outcome]
"""Evaluate a move with a number of imagined games."""


class Heat(Struct, frozen=True):
    """A round of the race: the size of the evaluations, and how far behind a move goes on beyond the margin.

    A lead of the best move below `least` margins ends the race.
    """

    size: int
    noise: float
    least: float = 1.0


class Finish(Struct, frozen=True):
    """The outcome of every move, and how many games were imagined for all of them."""

    outcomes: Mapping[int, Outcome]
    games: int


def race(moves: Iterable[int], evaluate: Evaluate, heats: Sequence[Heat], margin: float) -> Finish | None:
    """Return the outcome of every move; None once it is certain that no move is ahead of all others by the margin.

    A move that dropped out stays as far behind the best one as it was then: a larger evaluation moves both.
    """
    behind: dict[int, Outcome] = {}
    running, best, games = list(moves), Outcome(0.0, 0.0), 0
    for heat in heats:
        outcomes = {move: evaluate(move, heat.size) for move in running}
        games += heat.size * len(running)
        running.sort(key=lambda move: -outcomes[move].probability)
        best = outcomes[running[0]]
        behind |= {move: _minus(best, outcomes[move]) for move in running}
        if behind[running[1]].probability < heat.least * margin:
            return None
        running = running[: max(LEADERS, sum(behind[move].probability < margin + heat.noise for move in running))]
    return Finish({move: _minus(best, gap) for move, gap in behind.items()}, games)


def _minus(one: Outcome, other: Outcome) -> Outcome:
    return Outcome(one.probability - other.probability, one.lead - other.lead)
