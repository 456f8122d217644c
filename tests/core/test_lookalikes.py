"""States that a viewer cannot distinguish from the true one: they live on through moves that only another may read."""

from random import Random

from tessella.core import record
from tessella.core.game import Choose
from tessella.core.lookalikes import Lookalikes
from tessella.games import duel
from tessella.games.duel.state import Draw, Move, Return


def first(moves: list[Move], rng: Random) -> Move:
    """Draw plates wherever that is possible, so that some are put back."""
    return next((move for move in moves if isinstance(move, Draw)), rng.choice(moves))


def test_plates_put_back_unseen_leave_the_others_a_lookalike():
    rng, act = Random(0), None
    state = duel.setup(record.read_options(duel, ["seats=2"]))
    lookalikes = Lookalikes(duel, [0, 1, None], rng)
    while not isinstance(act, Return):
        turn = duel.turn(state)
        moves = list(duel.legal_moves(state, turn.seats[0])) if isinstance(turn, Choose) else []
        act = first(moves, rng) if moves else duel.deal(state, rng)
        after, _ = duel.apply(state, act)
        twins = [(viewer, twin) for viewer, _, twin in lookalikes.follow(state, act, after)]
        state = after
    assert {viewer for viewer, twin in twins if twin != act} == {1 - act.seat, None}
