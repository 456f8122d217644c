"""Our states as the plain data that the oracles speak: the one place that knows both sides."""

from typing import Any

from tessella.games import azul, blockers, duel
from tessella.games.azul.pieces import heap as azul_heap
from tessella.games.blockers.pieces import EMPTY, EVERY_CELL, name_cell
from tessella.games.blockers.state import colours_of_game
from tessella.games.duel.pieces import heap as duel_heap
from tests.oracles.oracle import Table


def azul_table(state: azul.State) -> Table:
    """Return everything that lies on a table of Azul."""
    return {
        "seats": state.config.seats,
        "wall": state.config.wall,
        **{name: getattr(state, name) for name in ("round", "start", "current")},
        "bag": azul_heap(state.bag),
        "lid": azul_heap(state.lid),
        "factories": state.factories,
        "centre": state.centre,
        "boards": tuple(map(_fields, state.boards)),
    }


def blockers_table(state: blockers.State) -> Table:
    """Return everything that lies on a table of Blockers!."""
    colours = colours_of_game(state.config)
    tiles = [colour + face for colour, face in zip(state.board.colours, state.board.faces, strict=True)]
    return {
        "seats": state.config.seats,
        "scoring": state.config.scoring,
        "start": state.start,
        "board": {name_cell(cell): tiles[cell] for cell in EVERY_CELL if tiles[cell] != EMPTY * 2},
        "racks": {colour: frozenset(stock.rack) for colour, stock in zip(colours, state.stocks, strict=True)},
        "supplies": {colour: frozenset(stock.supply) for colour, stock in zip(colours, state.stocks, strict=True)},
        "aside": {colour: stock.aside for colour, stock in zip(colours, state.stocks, strict=True)},
        "captured": state.captured,
    }


def duel_table(state: duel.State) -> Table:
    """Return everything that lies on a table of Azul Duel."""
    return {
        **duel_options(state.config),
        **{name: getattr(state, name) for name in ("phase", "round", "start", "current", "holder", "stacking")},
        "bag": duel_heap(state.bag),
        "tower": duel_heap(state.tower),
        "chips": state.chips,
        "open": state.open,
        "stack": tuple((back.face, back.known) for back in state.stack),
        "hand": tuple((back.face, back.known) for back in state.hand),
        "factories": tuple((factory.sun, factory.moon, factory.chip) for factory in state.factories),
        "boards": tuple(map(_fields, state.boards)),
    }


def duel_options(config: duel.Config) -> dict[str, Any]:
    """Return the options of Azul Duel."""
    return {name: getattr(config, name) for name in ("faces", "special_counts_as_colour", "free_draws")}


def _fields(board: azul.Board | duel.Board) -> dict[str, Any]:
    return {name: getattr(board, name) for name in board.__struct_fields__}
