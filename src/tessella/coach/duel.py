"""The coach's analyser for Azul Duel, which uses only what one seat may know: the plates in the stack are imagined.

A move is evaluated by tree search: many rollouts to the end of the round, with different chips and plates, and a net
for the boards there. A position has the value of its best move. Two searches of the same move differ by more than
their rollouts explain, because each follows its own early finds; that is the noise.
"""

from math import hypot
from typing import Literal, cast

from tessella.bots.duel.net import learned
from tessella.bots.interface import Budget
from tessella.coach.analysis import DealEvaluation, Evaluation, Expectation, mean, sample, win_shares
from tessella.core.game import Chance, Choose, Move, Over, Rng, Seat
from tessella.fast.duel import Duel, from_state
from tessella.fast.duel.mcts import OpenLoopTree
from tessella.games import duel
from tessella.games.duel import Deal, State

ROLLOUTS = 600
"""Default number of rollouts per evaluation. With fewer than some hundred the opponent's answers are not found, and
every move looks better than it is."""
ROLLOUTS_PER_SECOND = 20_000
"""Approximate speed, to turn a budget of seconds into rollouts."""
NOISE = 0.013
"""Standard deviation of an evaluation, measured over positions of three games; more rollouts do not reduce it."""
MIN_ROLLOUTS = 8
MIN_SAMPLES, SAMPLES = 5, 16
"""How many other deals are sampled: the most, and the fewest if they turn out alike."""
PRECISION = 0.01
"""No more deals are sampled once the standard error of their mean is this small."""
LIGHT_SAMPLES = 4
"""The most with the smallest budget."""
REPEATS, SAMPLE_DIVISOR = 2, 2
"""How often the actual deal is evaluated; an evaluation of a deal gets this fraction of the rollouts."""
BEST_DIVISOR = 2
"""The search for the best move gets this fraction of the rollouts with which moves are evaluated."""
MAX_LINE_MOVES = 4
"""Longest principal variation, in moves."""
SEEDS = 2**32
NEVER = 2**62


class Analyser:
    """Analyses Azul Duel."""

    method: Literal["search"] = "search"

    def __init__(self, seats: int, budget: Budget) -> None:  # noqa: ARG002  there are always two
        rollouts = budget.nodes or (int(ROLLOUTS_PER_SECOND * budget.seconds) if budget.seconds else ROLLOUTS)
        self.nodes = max(MIN_ROLLOUTS, rollouts)
        self._samples = SAMPLES if self.nodes > MIN_ROLLOUTS else LIGHT_SAMPLES

    def round_of(self, state: State) -> int:
        """Return the round; the setup belongs to the first."""
        return max(1, state.round + (state.phase == "prepare"))

    def best(self, state: State, seat: Seat, rng: Rng) -> Move:
        """Return the move that the search prefers."""
        table = _imagined(state, seat, rng)
        return table.to_move(_best(table, seat, max(MIN_ROLLOUTS, self.nodes // BEST_DIVISOR), rng))

    def evaluate(self, state: State, move: Move, rng: Rng) -> Evaluation:
        """Return the evaluation after a move, using only what the mover may know, or the result if the game is over."""
        after, _ = duel.apply(state, cast("duel.Move", move))
        turn = duel.turn(after)
        if isinstance(turn, Over):
            lead = float(turn.scores[0] - turn.scores[1])
            return Evaluation(win_shares(turn.places), (lead, -lead))
        table = _imagined(state, move.seat, rng)
        number = table.from_move(cast("duel.Move", move))
        return _evaluate(table, move.seat, number, self.nodes, rng)

    def same(self, state: State, move: Move, other: Move) -> bool:  # noqa: ARG002
        """Return whether the moves are equal: no two different ones are equivalent."""
        return move == other

    def line(self, state: State, move: Move, rng: Rng) -> tuple[str, ...]:
        """Return how strong bots would play on, up to the next deal."""
        line: list[str] = []
        while True:
            line.append(duel.write_move(state, cast("duel.Move", move)))
            state, _ = duel.apply(state, cast("duel.Move", move))
            turn = duel.turn(state)
            if not isinstance(turn, Choose) or len(line) == MAX_LINE_MOVES:
                return tuple(line)
            table = _imagined(state, turn.seats[0], rng)
            move = table.to_move(_best(table, turn.seats[0], self.nodes // SAMPLE_DIVISOR, rng))

    def deal(self, state: State, deal: Deal, expected: Expectation | None, rng: Rng) -> DealEvaluation:  # noqa: ARG002
        """Evaluate the actual deal and others that might have come, all in the same way."""
        after = mean([self._dealt(state, deal, rng) for _ in range(REPEATS)])
        least = min(MIN_SAMPLES, self._samples)
        others = sample(lambda: self._dealt(state, duel.deal(state, rng), rng), least, self._samples, PRECISION)
        before = mean(others)
        luck = tuple(now - usual for now, usual in zip(after.probabilities, before.probabilities, strict=True))
        return DealEvaluation(after, before.probabilities, luck, len(others), hypot(after.noise, before.noise))

    def _dealt(self, state: State, deal: Deal, rng: Rng) -> Evaluation:
        """Return the evaluation of the best move after a deal, and after deals that follow it directly."""
        state, _ = duel.apply(state, deal)
        while isinstance(turn := duel.turn(state), Chance):
            state, _ = duel.apply(state, duel.deal(state, rng))
        assert isinstance(turn, Choose)
        seat = turn.seats[0]
        table = _imagined(state, seat, rng)
        rollouts = self.nodes // SAMPLE_DIVISOR
        return _evaluate(table, seat, _best(table, seat, max(1, rollouts // BEST_DIVISOR), rng), rollouts, rng)


def _imagined(state: State, seat: Seat, rng: Rng) -> Duel:
    return from_state(duel.imagine(duel.view(state, seat), rng))


def _best(table: Duel, seat: Seat, tries: int, rng: Rng) -> int:
    return OpenLoopTree(table, seat, rng.randrange(SEEDS), tries + 1, learned()).choose(tries, NEVER)


def _evaluate(table: Duel, seat: Seat, move: int, tries: int, rng: Rng) -> Evaluation:
    share, lead = OpenLoopTree(table, seat, rng.randrange(SEEDS), tries + 1, learned()).evaluate(move, tries)
    probabilities, leads = (share, 1 - share), (lead, -lead)
    if seat == 0:
        return Evaluation(probabilities, leads, NOISE)
    return Evaluation(probabilities[::-1], leads[::-1], NOISE)
