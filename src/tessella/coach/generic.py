"""The coach's analyser for any game, which uses only what one seat may know.

A move is evaluated by imagined games that everybody plays quickly to the end. That finds blunders; it does not know
plans, so its probabilities are closer to even than those of the analysers that were made for one game.
"""

from collections.abc import Callable
from math import hypot
from typing import Literal

from tessella.bots.interface import Budget
from tessella.bots.rollouts import AnyState, choose, play_on
from tessella.coach.analysis import AnyDeal, DealEvaluation, Evaluation, Expectation, mean, win_shares
from tessella.core.game import AnyGame, Chance, Choose, Move, Over, Rng, Seat, View

GAMES = 120
"""Imagined games per evaluation by default."""
GAMES_PER_SECOND = 600
"""Approximate speed of a small game, to turn a budget of seconds into games."""
LEAST_GAMES = 8
SAMPLES = 6
"""How many other deals are evaluated, each with this fraction of the games."""
LINE_MOVES = 3
"""Longest line, in moves."""


class Analyser:
    """Analyses any game."""

    method: Literal["search"] = "search"

    def __init__(self, game: AnyGame, budget: Budget) -> None:
        self._game = game
        games = budget.nodes or (int(GAMES_PER_SECOND * budget.seconds) if budget.seconds else GAMES)
        self.nodes = max(LEAST_GAMES, games)

    def round_of(self, state: AnyState) -> int:
        """Return the round that the state names; 1 if it names none."""
        number = getattr(state, "round", 1)
        return max(1, number) if isinstance(number, int) else 1

    def best(self, state: AnyState, seat: Seat, rng: Rng) -> Move:
        """Return the move that does best in imagined games."""
        return choose(self._game, self._game.view(state, seat), Budget(nodes=2 * self.nodes), rng)

    def evaluate(self, state: AnyState, move: Move, rng: Rng) -> Evaluation:
        """Return the evaluation after a move, or the result if the game is over."""
        after, _ = self._game.apply(state, move)
        if isinstance(turn := self._game.turn(after), Over):
            return _result(turn)
        view: View = self._game.view(state, move.seat)
        return self._mean(lambda: self._game.apply(self._game.imagine(view, rng), move)[0], self.nodes, rng)

    def same(self, state: AnyState, move: Move, other: Move) -> bool:  # noqa: ARG002
        """Return whether the moves are equal: what is equivalent, only the game knows."""
        return move == other

    def line(self, state: AnyState, move: Move, rng: Rng) -> tuple[str, ...]:
        """Return how the search would play on, up to the next deal."""
        line: list[str] = []
        while True:
            line.append(self._game.write_move(state, move))
            state, _ = self._game.apply(state, move)
            turn = self._game.turn(state)
            if not isinstance(turn, Choose) or len(line) == LINE_MOVES:
                return tuple(line)
            move = self.best(state, turn.seats[0], rng)

    def deal(self, state: AnyState, deal: AnyDeal, expected: Expectation | None, rng: Rng) -> DealEvaluation:  # noqa: ARG002
        """Evaluate the actual deal and others that might have come, all in the same way."""
        after = self._dealt(state, deal, self.nodes, rng)
        games = max(LEAST_GAMES, self.nodes // SAMPLES)
        before = mean([self._dealt(state, self._game.deal(state, rng), games, rng) for _ in range(SAMPLES)])
        luck = tuple(now - usual for now, usual in zip(after.probabilities, before.probabilities, strict=True))
        return DealEvaluation(after, before.probabilities, luck, SAMPLES, hypot(after.noise, before.noise))

    def _dealt(self, state: AnyState, deal: AnyDeal, games: int, rng: Rng) -> Evaluation:
        """Return the evaluation after a deal and those that follow it directly, with what the next to move knows."""
        state, _ = self._game.apply(state, deal)
        while isinstance(turn := self._game.turn(state), Chance):
            state, _ = self._game.apply(state, self._game.deal(state, rng))
        if isinstance(turn, Over):
            return _result(turn)
        view: View = self._game.view(state, turn.seats[0])
        return self._mean(lambda: self._game.imagine(view, rng), games, rng)

    def _mean(self, imagined: Callable[[], AnyState], games: int, rng: Rng) -> Evaluation:
        return mean([_result(play_on(self._game, imagined(), rng)) for _ in range(games)])


def _result(over: Over) -> Evaluation:
    leads = tuple(float(score - _best_other(over.scores, seat)) for seat, score in enumerate(over.scores))
    return Evaluation(win_shares(over.places), leads)


def _best_other(scores: tuple[int, ...], seat: Seat) -> int:
    return max((score for other, score in enumerate(scores) if other != seat), default=0)
