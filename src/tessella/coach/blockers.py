"""The coach's analyser for Blockers!, which uses only what one seat may know: its own racks, never those of others.

A position is evaluated by games imagined from it, each with different tiles on the hidden racks. A draw is evaluated
for its owner: the position with that tile, compared with the mean over tiles still in the supply.
"""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean
from typing import Literal, cast

from tessella.bots.blockers.levels import search
from tessella.bots.blockers.weights import learned
from tessella.bots.interface import Budget
from tessella.coach.analysis import DealEvaluation, Evaluation, standard_error
from tessella.core.game import Chance, Move, Rng, Seat
from tessella.fast.blockers import from_state
from tessella.fast.blockers.ismcts import InformationSetTree
from tessella.games import blockers
from tessella.games.blockers import Deal, DrawStart, State
from tessella.games.blockers.state import plays

GAMES = 1_000
"""Default number of imagined games per evaluation."""
GAMES_PER_SECOND = 10_000
"""Approximate speed, to turn a budget of seconds into games."""
SAMPLES = 6
"""How many other draws are sampled."""
LIGHT_GAMES, LIGHT_SAMPLES = 4, 2
"""With a budget of at most this many games per evaluation, fewer draws are sampled."""
SAMPLE_DIVISOR = 4
"""A sampled draw gets this fraction of the games."""


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
        return search(blockers)(blockers.view(state, seat), Budget(nodes=self.nodes), rng)

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

    def deal(self, state: State, deal: Deal, rng: Rng) -> DealEvaluation:
        """Evaluate a draw for its owner; the draw of the start player counts as neutral."""
        if isinstance(deal, DrawStart):
            even = (1 / self.seats,) * self.seats
            return DealEvaluation(Evaluation(even, (0.0,) * self.seats), even, (0.0,) * self.seats, 0, 0.0)
        samples = SAMPLES if self.nodes > LIGHT_GAMES else LIGHT_SAMPLES
        after = self._drawn(state, deal, self.nodes, rng)
        others = [
            self._drawn(state, blockers.deal(state, rng), max(1, self.nodes // SAMPLE_DIVISOR), rng)
            for _ in range(samples)
        ]
        before = tuple(map(fmean, zip(*(other.probabilities for other in others), strict=True)))
        luck = tuple(now - usual for now, usual in zip(after.probabilities, before, strict=True))
        noise = standard_error([other.probabilities[deal.owner] for other in others])
        return DealEvaluation(after, before, luck, samples, sqrt(noise**2 + after.noise**2))

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
    noise = max(sqrt(probability * (1 - probability) / games) for probability in probabilities)
    return Evaluation(probabilities, tuple(lead for _, lead in won), noise)
