"""Azul, for two to four players, on the coloured or the grey wall.

Plays by the rules of *Azul* (Michael Kiesling, Plan B Games); not affiliated with its publisher.
"""

from collections.abc import Mapping
from typing import Final

from tessella.games.azul.notation import (
    read_deal,
    read_move,
    read_state,
    tiles_out_of_bag,
    write_deal,
    write_move,
    write_state,
)
from tessella.games.azul.pieces import COLOURS, LAST_ROUND, SIZE, TILES_PER_FACTORY, add, factories_for
from tessella.games.azul.preview import Preview, preview
from tessella.games.azul.rules import apply, deal, legal_moves, setup, turn
from tessella.games.azul.state import Board, Config, Deal, Move, Place, State, Take
from tessella.games.azul.view import View, imagine, owner, view, witness

__all__ = [
    "EDITION",
    "NAME",
    "Board",
    "Config",
    "Deal",
    "Move",
    "Place",
    "Preview",
    "State",
    "Take",
    "View",
    "apply",
    "deal",
    "imagine",
    "inventory",
    "legal_moves",
    "longest",
    "owner",
    "preview",
    "read_deal",
    "read_move",
    "read_state",
    "setup",
    "turn",
    "view",
    "witness",
    "write_deal",
    "write_move",
    "write_state",
]

NAME: Final = "azul"
EDITION: Final = 1


def inventory(state: State) -> Mapping[str, int]:
    """Return the number of tiles of each colour, wherever they lie: always twenty."""
    return dict(zip(COLOURS, add(state.bag, tiles_out_of_bag(state)), strict=True))


def longest(config: Config) -> int:
    """AZ44: fifty rounds of one deal, at most one take per tile, and one choice per line and seat."""
    tiles = TILES_PER_FACTORY * factories_for(config.seats)
    return LAST_ROUND * (1 + tiles + SIZE * config.seats)
