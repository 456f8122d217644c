"""The coach's judgement of Azul Duel, which goes by what looks good at once: a hint, not a proof.

The lead is in points: the score, what lines and chips promise, and what the next move seems to bring. How much a point
says about who wins was measured, round by round, in 633 games between players who go by the same looks.
"""

from math import exp
from statistics import fmean
from typing import Literal, cast

from tessella.bots import greedy
from tessella.bots.budget import Budget
from tessella.bots.duel_worth import promise, worth
from tessella.coach.judge import Dealt, Judged, error, shares_of
from tessella.core.game import Choose, Move, Over, Rng, Seat
from tessella.games import duel
from tessella.games.duel import Deal, State

SLOPES = (0.13, 0.13, 0.13, 0.11, 0.12, 0.16)
"""How much a point of lead says about who wins, before the first round and in each."""
NOISE = 0.05
"""What looks good is often wrong: so much of the win at least."""
SAMPLES = 16
"""How many other deals are tried."""


class Judge:
    """Azul Duel."""

    method: Literal["first sight"] = "first sight"
    nodes = 1

    def __init__(self, seats: int, budget: Budget) -> None:
        """Nothing to be chosen: it looks once."""

    def round_of(self, state: State) -> int:
        """The round; what is laid out before the first belongs to it."""
        return max(1, state.round)

    def best(self, state: State, seat: Seat, rng: Rng) -> Move:
        """What looks best."""
        return greedy.choose(duel, duel.view(state, seat), rng)

    def weigh(self, state: State, move: Move, rng: Rng) -> Judged:
        """How the table stands with what the move seems to bring, or how it ended."""
        after, _ = duel.apply(state, cast("duel.Move", move))
        turn = duel.turn(after)
        if isinstance(turn, Over):
            lead = float(turn.scores[0] - turn.scores[1])
            return Judged(shares_of(turn.places), (lead, -lead))
        imagined = duel.imagine(duel.view(state, move.seat), rng)
        gain = worth(imagined, cast("duel.Move", move))
        return _judged(state, _lead(state) + (gain if move.seat == 0 else -gain))

    def same(self, state: State, move: Move, other: Move) -> bool:  # noqa: ARG002
        """Moves are written so that no two come to the same."""
        return move == other

    def line(self, state: State, move: Move, rng: Rng) -> tuple[str, ...]:  # noqa: ARG002
        """Only the move: nothing further is read."""
        return (duel.write_move(state, cast("duel.Move", move)),)

    def deal(self, state: State, deal: Deal, rng: Rng) -> Dealt:
        """How good the next move looks after the deal, compared with others that might have come."""
        after = _dealt(state, deal, rng)
        others = [_dealt(state, duel.deal(state, rng), rng).shares for _ in range(SAMPLES)]
        before = tuple(map(fmean, zip(*others, strict=True)))
        luck = tuple(now - usual for now, usual in zip(after.shares, before, strict=True))
        return Dealt(after, before, luck, SAMPLES, NOISE + error([shares[0] for shares in others]))


def _dealt(state: State, deal: Deal, rng: Rng) -> Judged:
    after, _ = duel.apply(state, deal)
    turn, lead = duel.turn(after), _lead(after)
    if isinstance(turn, Choose):
        for seat in turn.seats:
            imagined = duel.imagine(duel.view(after, seat), rng)
            gain = max(worth(imagined, move) for move in duel.legal_moves(imagined, seat))
            lead += gain if seat == 0 else -gain
    return _judged(after, lead)


def _lead(state: State) -> float:
    """How far seat 0 is ahead, by scores and promises."""
    ours, theirs = (board.score + promise(state, board) for board in state.boards)
    return ours - theirs


def _judged(state: State, lead: float) -> Judged:
    share = 1 / (1 + exp(-SLOPES[state.round] * lead))
    return Judged((share, 1 - share), (lead, -lead), NOISE)
