"""Azul Duel, for two players.

Plays by the rules of *Azul Duel* (Michael Kiesling, Plan B Games); not affiliated with its publisher.
"""

from typing import Final

from tessella.games.duel.chance import deal
from tessella.games.duel.notation import read_deal, read_move, write_deal, write_move
from tessella.games.duel.pieces import FACTORY_TILES, PLATE_ROUNDS, PLATES, PLATES_PER_ROUND, ROUNDS, SEATS, SIZE
from tessella.games.duel.positions import read_state, write_state
from tessella.games.duel.preview import Preview, preview
from tessella.games.duel.rules import apply, legal_moves, setup, turn
from tessella.games.duel.state import (
    Back,
    Board,
    Config,
    Deal,
    Draw,
    Factory,
    Fill,
    Look,
    Move,
    Open,
    Pay,
    Place,
    PlacePlate,
    Return,
    Reveal,
    Shuffle,
    Stack,
    State,
    Stop,
    Take,
    TakeChip,
    inventory,
)
from tessella.games.duel.view import View, imagine, owner, view, witness

__all__ = [
    "EDITION",
    "NAME",
    "Back",
    "Board",
    "Config",
    "Deal",
    "Draw",
    "Factory",
    "Fill",
    "Look",
    "Move",
    "Open",
    "Pay",
    "Place",
    "PlacePlate",
    "Preview",
    "Return",
    "Reveal",
    "Shuffle",
    "Stack",
    "State",
    "Stop",
    "Take",
    "TakeChip",
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

NAME: Final = "duel"
EDITION: Final = 1


def longest(config: Config) -> int:
    """Return a bound: per round a take per tile, two acts per chip, the tiling, and a draw and return per plate."""
    takes = sum(FACTORY_TILES) + len(FACTORY_TILES)
    chips = 2 * len(FACTORY_TILES)
    plates = SEATS * PLATES_PER_ROUND * (2 * len(PLATES) + 3)
    tiling = 2 * SIZE * config.seats
    return ROUNDS * (2 + takes + chips + tiling) + PLATE_ROUNDS * plates + 2 * SEATS
