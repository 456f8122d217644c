"""The table of each game in sentences for a screen reader: no columns, no frames, no meaning by position alone."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tessella.core.game import Choose, Seat, View
from tessella.games import GAMES, azul, blockers, duel
from tessella.games.azul.pieces import EMPTY as NO_TILE
from tessella.games.azul.pieces import MARKER
from tessella.games.azul.scoring import floor_costs
from tessella.games.blockers.pieces import EMPTY as NO_PIECE
from tessella.games.blockers.pieces import SIZE as CELLS_A_ROW
from tessella.games.blockers.pieces import SYMBOLS, WILD, name_cell
from tessella.games.blockers.state import Board as Cells
from tessella.games.duel.pieces import BROKEN_COSTS, CHIP_COLOURS, FACE_DOWN, LARGE, START_TILE_COST
from tessella.games.duel.state import CHIP_TILE
from tessella.text import blockers as blockers_face
from tessella.text.board import BoardText
from tessella.text.style import Style


def describe(game: str, view: View, style: Style) -> list[str]:
    """Return the whole table, from the seat of the view."""
    described = DESCRIPTIONS.get(game) or BoardText(GAMES[game]).describe
    return described(view, style)


def _from_own_seat(view: View) -> list[Seat]:
    seats, first = view.config.seats, view.seat or 0
    return [(first + step) % seats for step in range(seats)]


def _owner(view: View, seat: Seat, score: int, style: Style) -> str:
    moves = isinstance(view.turn, Choose) and seat in view.turn.seats
    key = "aloud.owner_to_move" if moves else "aloud.owner"
    return style.texts(key, who=style.name(seat), score=style.texts("points", n=score))


def _sentence(key: str, things: Iterable[str], style: Style, **blanks: object) -> str:
    """Return a sentence that lists things, or says that there are none."""
    return style.texts(key, what=", ".join(things) or style.texts("aloud.nothing"), **blanks)


def _counted(tiles: str, colours: str, style: Style) -> list[str]:
    """Return the number of tiles per colour, in order of first appearance."""
    return [f"{tiles.count(tile)} {style.texts(colours + tile)}" for tile in dict.fromkeys(tiles)]


# Azul


def _azul(view: azul.View, style: Style) -> list[str]:
    texts = style.texts
    sources = [
        _sentence("aloud.factory", _counted(tiles, "azul.colour.", style), style, n=number)
        for number, tiles in enumerate(view.factories, 1)
    ]
    marker = [texts("aloud.marker")] if MARKER in view.centre else []
    centre = [*marker, *_counted(view.centre.replace(MARKER, ""), "azul.colour.", style)]
    heaps = texts("azul.heaps", bag=sum(view.bag), lid=sum(view.lid))
    boards = (line for seat in _from_own_seat(view) for line in _azul_board(view, seat, style))
    return [
        f"{texts('azul.round', n=view.round)}, {heaps}.",
        *sources,
        _sentence("aloud.centre", centre, style),
        *boards,
    ]


def _azul_board(view: azul.View, seat: Seat, style: Style) -> list[str]:
    board, texts = view.boards[seat], style.texts
    lines = (_line(number, tiles, "azul.colour.", style) for number, tiles in enumerate(board.lines, 1))
    rows = (
        _sentence("aloud.wall", _row(tiles, "azul.colour.", style), style, n=number)
        for number, tiles in enumerate(board.wall, 1)
        if tiles.strip(NO_TILE)
    )
    fallen = [texts("aloud.marker")] if MARKER in board.floor else []
    fallen += _counted(board.floor.replace(MARKER, ""), "azul.colour.", style)
    floor = _sentence("aloud.floor", fallen, style, n=sum(floor_costs(board.floor)))
    return [_owner(view, seat, board.score, style), *lines, *rows, floor]


def _line(number: int, tiles: str, colours: str, style: Style) -> str:
    if not tiles:
        return style.texts("aloud.empty_line", n=number)
    colour = style.texts(colours + tiles.replace(CHIP_TILE, "")[0])
    return style.texts("aloud.line", n=number, laid=len(tiles), colour=colour)


def _row(tiles: Sequence[str], colours: str, style: Style) -> list[str]:
    """Return the tiles of a wall row, each with its column."""
    return [
        style.texts("aloud.in_column", what=style.texts(colours + tile), n=column)
        for column, tile in enumerate(tiles, 1)
        if tile != NO_TILE
    ]


# Azul Duel


def _duel(view: duel.View, style: Style) -> list[str]:
    texts = style.texts
    todo = []
    if isinstance(view.turn, Choose):
        who = texts("duel.and").join(map(style.name, view.turn.seats))
        todo = [texts(f"duel.todo.{view.phase}", who=who, factory=view.stacking)]
    heaps = texts("duel.heaps", bag=sum(view.bag), tower=sum(view.tower))
    plates = _sentence("aloud.open_plates", [_plate(plate, style) for plate in view.open], style)
    stack = _sentence("aloud.stack", [_plate(back.face, style) for back in view.stack], style, n=len(view.stack))
    hand = [_sentence("aloud.drawn", [_plate(back.face, style) for back in view.hand], style)] if view.hand else []
    sources = [line for number in range(len(view.factories)) for line in _duel_factory(view, number, style)]
    boards = [line for seat in _from_own_seat(view) for line in _duel_board(view, seat, style)]
    faces = _sentence("aloud.faces", [texts(f"duel.face.{face}") for face in view.config.faces], style)
    return [f"{texts('duel.round', n=view.round)}, {heaps}.", *todo, faces, *sources, plates, *hand, stack, *boards]


def _plate(plate: str, style: Style) -> str:
    """Return the four spaces in reading order, or what is known of a back."""
    return " ".join(_space(space, style) for space in plate)


def _space(space: str, style: Style) -> str:
    return style.texts(f"aloud.space.{space}") if space in "*?" else style.texts(f"duel.colour.{space}")


def _duel_factory(view: duel.View, number: int, style: Style) -> list[str]:
    texts, factory = style.texts, view.factories[number]
    waits = number == LARGE and view.holder is None and view.phase not in ("prepare", "over")
    moon = [*([texts("aloud.start_tile")] if waits else []), *(texts(f"duel.colour.{tile}") for tile in factory.moon)]
    chip = texts("aloud.hidden") if factory.chip == FACE_DOWN else _chip(factory.chip, style)
    lines = [_sentence("aloud.sun", _counted(factory.sun, "duel.colour.", style), style, n=number)]
    lines += [_sentence("aloud.moon", moon, style, n=number)] if moon else []
    return lines + ([_sentence("aloud.chip", [chip], style, n=number)] if chip else [])


def _chip(chip: str, style: Style) -> str:
    return "/".join(style.texts(f"duel.colour.{colour}") for colour in CHIP_COLOURS[chip]) if chip else ""


def _duel_board(view: duel.View, seat: Seat, style: Style) -> list[str]:
    board = view.boards[seat]
    lines = (_line(number, tiles, "duel.colour.", style) for number, tiles in enumerate(board.lines, 1))
    slots = (
        _sentence("aloud.slot", _slot(board.tiles, slot, plate, style), style, n=slot + 1)
        for slot, plate in enumerate(board.dome)
        if plate
    )
    start = [style.texts("aloud.start_tile_held", n=START_TILE_COST)] if view.holder == seat else []
    broken = _counted(board.broken, "duel.colour.", style)
    due = style.texts("aloud.due", plates=view.tokens[seat], chips=view.chips_due[seat])
    return [
        _owner(view, seat, board.score, style),
        *lines,
        *slots,
        _sentence("aloud.broken", broken, style, n=BROKEN_COSTS[len(board.broken)]),
        *start,
        _sentence("aloud.chips", [_chip(chip, style) for chip in board.chips], style),
        *([] if view.phase in ("tile", "over") else [due]),
    ]


def _slot(tiles: Sequence[str], slot: int, plate: str, style: Style) -> list[str]:
    """Return the spaces of a plate in reading order, and which are filled."""
    row, column = slot // 3 * 2, slot % 3 * 2
    laid = tiles[row][column : column + 2] + tiles[row + 1][column : column + 2]
    return [
        _space(space, style) if tile == NO_TILE else style.texts("aloud.filled", what=_space(tile, style))
        for space, tile in zip(plate, laid, strict=True)
    ]


# Blockers!


def _blockers(view: blockers.View, style: Style) -> list[str]:
    texts, board = style.texts, view.board
    heading = texts("blockers.round", n=blockers_face.round_of(view), total=blockers_face.rounds(view))
    taken = [cell for cell, colour in enumerate(board.colours) if colour != NO_PIECE]
    rows = [
        _sentence("aloud.cells", [_on_cell(board, cell, style) for cell in row], style)
        for row in ([cell for cell in taken if cell // CELLS_A_ROW == number] for number in range(CELLS_A_ROW))
        if row
    ]
    empty = [] if rows else [texts("aloud.empty_board")]
    players = [line for seat in _from_own_seat(view) for line in _blockers_player(view, seat, style)]
    return [f"{heading}: {texts(f'blockers.aim.{view.config.scoring}')}.", *rows, *empty, *players]


def _on_cell(board: Cells, cell: int, style: Style) -> str:
    return f"{name_cell(cell)} {_piece(board.colours[cell], board.faces[cell], style)}"


def _piece(colour: str, face: str, style: Style) -> str:
    """Return a tile; a symbol by its name and the letter to type for it."""
    named = f"{style.texts(f'aloud.symbol.{face}')} {face}" if face in SYMBOLS + WILD else face
    return f"{style.texts(f'blockers.colour.{colour}')} {named}"


def _blockers_player(view: blockers.View, seat: Seat, style: Style) -> list[str]:
    texts, tally = style.texts, view.tallies[seat]
    hands = [hand for hand in view.hands if hand.owner == seat]
    lines = [_owner(view, seat, tally.score, style)]
    for hand in hands:
        stock = texts("blockers.to_come", held=hand.held, supply=hand.supply)
        lines.append(f"{texts(f'blockers.colour.{hand.colour}')}: {stock}.")
    heap = view.captured[seat]
    captured = [_piece(heap[place], heap[place + 1], style) for place in range(0, len(heap), 2)]
    lines += [_sentence("aloud.captured", captured, style)] if captured else []
    racks = [_piece(hand.colour, face, style) for hand in hands if hand.rack is not None for face in hand.rack]
    return lines + ([_sentence("aloud.rack", racks, style)] if racks and seat == view.seat else [])


DESCRIPTIONS: Mapping[str, Callable[[Any, Style], list[str]]] = {"azul": _azul, "blockers": _blockers, "duel": _duel}
