"""The coach's analyser for Blockers!, which uses only what one seat may know: its own racks, never those of others.

A position is evaluated by games imagined from it, each with different tiles on the hidden racks. A draw is evaluated
for its owner: the position with that tile, compared with the position before it. The evaluation of the owner's move
before is just that, since every imagined game draws another tile; only draws after no move of the owner are sampled.
"""

from collections.abc import Sequence
from math import hypot, sqrt
from statistics import fmean
from typing import Literal, cast

from tessella.bots.blockers.levels import search
from tessella.bots.blockers.weights import learned
from tessella.bots.interface import Budget
from tessella.coach.analysis import DealEvaluation, Evaluation, Expectation, standard_error
from tessella.coach.report import Probabilities
from tessella.core.game import Chance, Move, Rng, Seat
from tessella.fast.blockers import from_state
from tessella.fast.blockers.ismcts import InformationSetTree
from tessella.games import blockers
from tessella.games.blockers import Deal, DrawStart, State
from tessella.games.blockers.state import plays

GAMES = 500
"""Default number of imagined games per evaluation."""
GAMES_PER_SECOND = 10_000
"""Approximate speed, to turn a budget of seconds into games."""
SAMPLES = 6
"""How many other draws are sampled."""
LIGHT_GAMES, LIGHT_SAMPLES = 4, 2
"""With a budget of at most this many games per evaluation, fewer draws are sampled."""
SAMPLE_DIVISOR, BEST_DIVISOR = 2, 2
"""A sampled draw and the search for the best move get this fraction of the games."""


class Analyser:
    """Analyses Blockers! for two to five players."""

    method: Literal["search"] = "search"

    def __init__(self, seats: int, budget: Budget) -> None:
        self.seats = seats
        self.nodes = budget.nodes or (max(100, int(GAMES_PER_SECOND * budget.seconds)) if budget.seconds else GAMES)

    def round_of(self, state: State) -> int:
        """Return the lap: every seat plays once per lap."""
        return plays(state) // self.seats + 1

    def best(self, state: State, seat: Seat, rng: Rng) -> Move:
        """Return the move that the search prefers."""
        return search(blockers)(blockers.view(state, seat), Budget(nodes=max(1, self.nodes // BEST_DIVISOR)), rng)

    def evaluate(self, state: State, move: Move, rng: Rng) -> Evaluation:
        """Return the evaluation after a move, using only what the mover may know."""
        imagined = from_state(blockers.imagine(blockers.view(state, move.seat), rng))
        number = imagined.from_move(cast("blockers.Move", move))
        searcher = InformationSetTree(imagined, learned(self.seats), rng.randrange(2**32), self.nodes + 1)
        return _evaluation(searcher.evaluate(move.seat, number, self.nodes), self.nodes)

    def same(self, state: State, move: Move, other: Move) -> bool:  # noqa: ARG002
        """Return whether the moves are equal: no two different ones are equivalent."""
        return move == other

    def line(self, state: State, move: Move, rng: Rng) -> tuple[str, ...]:  # noqa: ARG002
        """Return only the move: the answers depend on hidden tiles."""
        return (blockers.write_move(state, cast("blockers.Move", move)),)

    def deal(self, state: State, deal: Deal, expected: Expectation | None, rng: Rng) -> DealEvaluation:
        """Evaluate a draw for its owner; the draw of the start player counts as neutral."""
        if isinstance(deal, DrawStart):
            even = (1 / self.seats,) * self.seats
            return DealEvaluation(Evaluation(even, (0.0,) * self.seats), even, (0.0,) * self.seats, 0, 0.0)
        after = self._drawn(state, deal, self.nodes, rng)
        if expected is None or expected.seat != deal.owner:
            before, noise, samples = self._sampled(state, deal.owner, rng)
        else:
            before, noise, samples = expected.evaluation.probabilities, expected.evaluation.noise, 0
        luck = tuple(now - usual for now, usual in zip(after.probabilities, before, strict=True))
        return DealEvaluation(after, before, luck, samples, hypot(noise, after.noise))

    def _sampled(self, state: State, owner: Seat, rng: Rng) -> tuple[Probabilities, float, int]:
        """Return the mean over draws that might come, its standard error, and how many were sampled."""
        samples = SAMPLES if self.nodes > LIGHT_GAMES else LIGHT_SAMPLES
        games = max(1, self.nodes // SAMPLE_DIVISOR)
        others = [self._drawn(state, blockers.deal(state, rng), games, rng).probabilities for _ in range(samples)]
        return tuple(map(fmean, zip(*others, strict=True))), standard_error([each[owner] for each in others]), samples

    def _drawn(self, state: State, deal: Deal, games: int, rng: Rng) -> Evaluation:
        """Return the evaluation after a draw, using only what its owner may know; draws of others are imagined."""
        assert not isinstance(deal, DrawStart)
        state, _ = blockers.apply(state, deal)
        while isinstance(blockers.turn(state), Chance):
            state, _ = blockers.apply(state, blockers.deal(state, rng))
        searcher = InformationSetTree(from_state(state), learned(self.seats), rng.randrange(2**32), games + 1)
        return _evaluation(searcher.evaluate(deal.owner, -1, games), games)


def _evaluation(won: Sequence[tuple[float, float]], games: int) -> Evaluation:
    probabilities = tuple(probability for probability, _ in won)
    noise = max(_standard_error(probability, games) for probability in probabilities)
    return Evaluation(probabilities, tuple(lead for _, lead in won), noise)


def _standard_error(share: float, games: int) -> float:
    """Return the standard error of a share of games, by the rule of succession: two wins in two games are not certain.

    >>> round(_standard_error(0.5, 1_000), 3), round(_standard_error(1.0, 2), 2)
    (0.016, 0.31)
    """
    likely = (share * games + 1) / (games + 2)
    return sqrt(likely * (1 - likely) / games)
