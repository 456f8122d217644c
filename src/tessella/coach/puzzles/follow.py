"""Play on after a move: as a line to show, or to the end of a round to see what came of it."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from tessella.coach.puzzles.prover import AnyState
from tessella.core import record
from tessella.core.game import AnyGame, Chance, Choose, Move, Rng, Seat

Choice: TypeAlias = Callable[[AnyState, Seat], Move]


class Followed(Struct, frozen=True):
    """The acts that were played, what they did, and the position after them."""

    acts: Sequence[str]
    events: Sequence[Any]
    state: AnyState


def follow(
    game: AnyGame, state: AnyState, move: Move, choose: Choice, rng: Rng, most: int, is_end: Callable[[AnyState], bool]
) -> Followed:
    """Play a move and go on, up to `most` moves in all; deals that no move follows are left out."""
    acts, events, moves = list[str](), list[Any](), 0
    after, length = state, 0
    act: Any = move
    while True:
        acts.append(record.write_act(game, state, act))
        state, happened = game.apply(state, act)
        events += happened
        if record.mover(act) is not None:
            moves, length, after = moves + 1, len(acts), state
        turn = game.turn(state)
        if moves == most or is_end(state) or not isinstance(turn, Chance | Choose):
            return Followed(acts[:length], events, after if moves == most else state)
        act = game.deal(state, rng) if isinstance(turn, Chance) else choose(state, turn.seats[0])


def by_bot(game: AnyGame, bot: Any, budget: Any, rng: Rng) -> Choice:  # noqa: ANN401  a bot takes a view of its own game
    """Return a choice by a bot, which sees what its seat may see."""

    def choose(state: AnyState, seat: Seat) -> Move:
        chosen: Move = bot(game.view(state, seat), budget, rng)
        return chosen

    return choose
