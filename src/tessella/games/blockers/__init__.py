"""Blockers!, for two to five players, with its own scoring or that of Uptown.

Plays by the rules of *Blockers!* / *Uptown* (Kory Heath); not affiliated with its publisher.
"""

from collections.abc import Mapping
from typing import Final

from tessella.games.blockers.notation import (
    read_deal,
    read_move,
    read_state,
    write_deal,
    write_move,
    write_state,
)
from tessella.games.blockers.pieces import PLAYS
from tessella.games.blockers.preview import Preview, preview
from tessella.games.blockers.rules import apply, deal, legal_moves, setup, turn
from tessella.games.blockers.state import (
    Board,
    Config,
    Deal,
    DrawStart,
    DrawTiles,
    Move,
    Place,
    PutAside,
    State,
    Stock,
    colours_of_game,
    every_tile,
)
from tessella.games.blockers.view import View, imagine, owner, view, witness

__all__ = [
    "EDITION",
    "NAME",
    "Board",
    "Config",
    "Deal",
    "DrawStart",
    "DrawTiles",
    "Move",
    "Place",
    "Preview",
    "PutAside",
    "State",
    "Stock",
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

NAME: Final = "blockers"
EDITION: Final = 1


def inventory(state: State) -> Mapping[str, int]:
    """BL02: return the number of different tiles of each colour, wherever they lie: always 28."""
    found = "".join(set(every_tile(state)))
    return {colour: found.count(colour) for colour in colours_of_game(state.config)}


def longest(config: Config) -> int:
    """BL16: the draw of a start player; per colour a draw of five, then 24 plays, each but the last with a draw."""
    return 1 + len(colours_of_game(config)) * 2 * PLAYS
