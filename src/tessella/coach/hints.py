"""A hint for the player to move: the move that the coach would make, and what it would do.

The search sees what the seat may see, and nothing else.
"""

from random import Random

import msgspec

from tessella.bots import Budget, bot, names
from tessella.core import wire
from tessella.core.game import Public, Seat
from tessella.table.table import Refused, Table

LEVELS = ("7", "4", "search", "greedy")
"""The level that chooses the move: the first of them that the game has."""
BUDGET = Budget(seconds=0.5)


class HintView(Public, frozen=True):
    """A good move, and its preview; it is for the table at this number."""

    number: int
    move: str
    preview: msgspec.Raw


def hint(table: Table, seat: Seat | None) -> HintView:
    """Return a good move for a seat; raise `Refused` in a rated game or a match, or if the seat is not to move."""
    if table.terms.rated or table.terms.dice:
        raise Refused("hint", "there are no hints in a rated game or in a match")
    if seat is None or seat not in table.movers:
        raise Refused("turn", "it is not your turn")
    game = table.game
    level = next(level for level in LEVELS if level in names(game))
    rng = Random(f"{table.id} {table.number}")  # noqa: S311  the same question has the same answer
    move = bot(game, level)(game.view(table.state, seat), BUDGET, rng)
    return HintView(table.number, game.write_move(table.state, move), wire.embed(game.preview(table.state, move)))
