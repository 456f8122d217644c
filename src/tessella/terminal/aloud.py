"""The table of each game in sentences, for who listens to it: no columns, no frames, nothing told by place alone."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tessella.core.game import Choose, Seat, View
from tessella.games import azul, blockers, duel
from tessella.games.azul.pieces import EMPTY as NO_TILE
from tessella.games.azul.pieces import MARKER
from tessella.games.azul.scoring import floor_costs
from tessella.games.blockers.pieces import EMPTY as NO_PIECE
from tessella.games.blockers.pieces import SIZE as CELLS_A_ROW
from tessella.games.blockers.pieces import SYMBOLS, WILD, name_cell
from tessella.games.blockers.state import Board as Cells
from tessella.games.duel.pieces import BROKEN_COSTS, CHIP_COLOURS, FACE_DOWN, LARGE, START_TILE_COST
from tessella.games.duel.state import CHIP_TILE
from tessella.terminal import blockers as blockers_face
from tessella.terminal import plain
from tessella.terminal.pen import Pen


def read(game: str, view: View, pen: Pen) -> list[str]:
    """The whole table, from the seat of the view."""
    return READERS.get(game, plain.draw)(view, pen)


def _from_own_seat(view: View) -> list[Seat]:
    seats, first = view.config.seats, view.seat or 0
    return [(first + step) % seats for step in range(seats)]


def _owner(view: View, seat: Seat, score: int, pen: Pen) -> str:
    moves = isinstance(view.turn, Choose) and seat in view.turn.seats
    key = "aloud.owner_to_move" if moves else "aloud.owner"
    return pen.words(key, who=pen.name(seat), score=pen.words("points", n=score))


def _sentence(key: str, things: Iterable[str], pen: Pen, **blanks: object) -> str:
    """What lies somewhere; or that nothing does."""
    return pen.words(key, what=", ".join(things) or pen.words("aloud.nothing"), **blanks)


def _counted(tiles: str, colours: str, pen: Pen) -> list[str]:
    """Tiles by colour, in the order in which they first lie there."""
    return [f"{tiles.count(tile)} {pen.words(colours + tile)}" for tile in dict.fromkeys(tiles)]


# Azul


def _azul(view: azul.View, pen: Pen) -> list[str]:
    words = pen.words
    sources = [
        _sentence("aloud.factory", _counted(tiles, "azul.colour.", pen), pen, n=number)
        for number, tiles in enumerate(view.factories, 1)
    ]
    marker = [words("aloud.marker")] if MARKER in view.centre else []
    centre = [*marker, *_counted(view.centre.replace(MARKER, ""), "azul.colour.", pen)]
    heaps = words("azul.heaps", bag=sum(view.bag), lid=sum(view.lid))
    boards = (line for seat in _from_own_seat(view) for line in _azul_board(view, seat, pen))
    return [f"{words('azul.round', n=view.round)}, {heaps}.", *sources, _sentence("aloud.centre", centre, pen), *boards]


def _azul_board(view: azul.View, seat: Seat, pen: Pen) -> list[str]:
    board, words = view.boards[seat], pen.words
    lines = (_line(number, tiles, "azul.colour.", pen) for number, tiles in enumerate(board.lines, 1))
    rows = (
        _sentence("aloud.wall", _row(tiles, "azul.colour.", pen), pen, n=number)
        for number, tiles in enumerate(board.wall, 1)
        if tiles.strip(NO_TILE)
    )
    fallen = [words("aloud.marker")] if MARKER in board.floor else []
    fallen += _counted(board.floor.replace(MARKER, ""), "azul.colour.", pen)
    floor = _sentence("aloud.floor", fallen, pen, n=sum(floor_costs(board.floor)))
    return [_owner(view, seat, board.score, pen), *lines, *rows, floor]


def _line(number: int, tiles: str, colours: str, pen: Pen) -> str:
    if not tiles:
        return pen.words("aloud.empty_line", n=number)
    colour = pen.words(colours + tiles.replace(CHIP_TILE, "")[0])
    return pen.words("aloud.line", n=number, laid=len(tiles), colour=colour)


def _row(tiles: Sequence[str], colours: str, pen: Pen) -> list[str]:
    """The tiles of a row of the wall, each with its column."""
    return [
        pen.words("aloud.in_column", what=pen.words(colours + tile), n=column)
        for column, tile in enumerate(tiles, 1)
        if tile != NO_TILE
    ]


# Azul Duel


def _duel(view: duel.View, pen: Pen) -> list[str]:
    words = pen.words
    todo = []
    if isinstance(view.turn, Choose):
        who = words("duel.and").join(map(pen.name, view.turn.seats))
        todo = [words(f"duel.todo.{view.phase}", who=who, factory=view.stacking)]
    heaps = words("duel.heaps", bag=sum(view.bag), tower=sum(view.tower))
    plates = _sentence("aloud.open_plates", [_plate(plate, pen) for plate in view.open], pen)
    stack = _sentence("aloud.stack", [_plate(back.face, pen) for back in view.stack], pen, n=len(view.stack))
    hand = [_sentence("aloud.drawn", [_plate(back.face, pen) for back in view.hand], pen)] if view.hand else []
    sources = [line for number in range(len(view.factories)) for line in _duel_factory(view, number, pen)]
    boards = [line for seat in _from_own_seat(view) for line in _duel_board(view, seat, pen)]
    faces = _sentence("aloud.faces", [words(f"duel.face.{face}") for face in view.config.faces], pen)
    return [f"{words('duel.round', n=view.round)}, {heaps}.", *todo, faces, *sources, plates, *hand, stack, *boards]


def _plate(plate: str, pen: Pen) -> str:
    """The four spaces in reading order, or what is known of the back."""
    return " ".join(_space(space, pen) for space in plate)


def _space(space: str, pen: Pen) -> str:
    return pen.words(f"aloud.space.{space}") if space in "*?" else pen.words(f"duel.colour.{space}")


def _duel_factory(view: duel.View, number: int, pen: Pen) -> list[str]:
    words, factory = pen.words, view.factories[number]
    waits = number == LARGE and view.holder is None and view.phase not in ("prepare", "over")
    moon = [*([words("aloud.start_tile")] if waits else []), *(words(f"duel.colour.{tile}") for tile in factory.moon)]
    chip = words("aloud.hidden") if factory.chip == FACE_DOWN else _chip(factory.chip, pen)
    lines = [_sentence("aloud.sun", _counted(factory.sun, "duel.colour.", pen), pen, n=number)]
    lines += [_sentence("aloud.moon", moon, pen, n=number)] if moon else []
    return lines + ([_sentence("aloud.chip", [chip], pen, n=number)] if chip else [])


def _chip(chip: str, pen: Pen) -> str:
    return "/".join(pen.words(f"duel.colour.{colour}") for colour in CHIP_COLOURS[chip]) if chip else ""


def _duel_board(view: duel.View, seat: Seat, pen: Pen) -> list[str]:
    board = view.boards[seat]
    lines = (_line(number, tiles, "duel.colour.", pen) for number, tiles in enumerate(board.lines, 1))
    slots = (
        _sentence("aloud.slot", _slot(board.tiles, slot, plate, pen), pen, n=slot + 1)
        for slot, plate in enumerate(board.dome)
        if plate
    )
    start = [pen.words("aloud.start_tile_held", n=START_TILE_COST)] if view.holder == seat else []
    broken = _counted(board.broken, "duel.colour.", pen)
    return [
        _owner(view, seat, board.score, pen),
        *lines,
        *slots,
        _sentence("aloud.broken", broken, pen, n=BROKEN_COSTS[len(board.broken)]),
        *start,
        _sentence("aloud.chips", [_chip(chip, pen) for chip in board.chips], pen),
        pen.words("aloud.due", plates=view.tokens[seat], chips=view.chips_due[seat]),
    ]


def _slot(tiles: Sequence[str], slot: int, plate: str, pen: Pen) -> list[str]:
    """The spaces of a plate in reading order; which of them are filled."""
    row, column = slot // 3 * 2, slot % 3 * 2
    laid = tiles[row][column : column + 2] + tiles[row + 1][column : column + 2]
    return [
        _space(space, pen) if tile == NO_TILE else pen.words("aloud.filled", what=_space(tile, pen))
        for space, tile in zip(plate, laid, strict=True)
    ]


# Blockers!


def _blockers(view: blockers.View, pen: Pen) -> list[str]:
    words, board = pen.words, view.board
    heading = words("blockers.round", n=blockers_face.round_of(view), total=blockers_face.rounds(view))
    taken = [cell for cell, colour in enumerate(board.colours) if colour != NO_PIECE]
    rows = [
        _sentence("aloud.cells", [_on_cell(board, cell, pen) for cell in row], pen)
        for row in ([cell for cell in taken if cell // CELLS_A_ROW == number] for number in range(CELLS_A_ROW))
        if row
    ]
    empty = [] if rows else [words("aloud.empty_board")]
    players = [line for seat in _from_own_seat(view) for line in _blockers_player(view, seat, pen)]
    return [f"{heading}: {words(f'blockers.aim.{view.config.scoring}')}.", *rows, *empty, *players]


def _on_cell(board: Cells, cell: int, pen: Pen) -> str:
    return f"{name_cell(cell)} {_piece(board.colours[cell], board.faces[cell], pen)}"


def _piece(colour: str, face: str, pen: Pen) -> str:
    """A tile; a symbol by its name, with the letter that stands for it when a move is typed."""
    named = f"{pen.words(f'aloud.symbol.{face}')} {face}" if face in SYMBOLS + WILD else face
    return f"{pen.words(f'blockers.colour.{colour}')} {named}"


def _blockers_player(view: blockers.View, seat: Seat, pen: Pen) -> list[str]:
    words, tally = pen.words, view.tallies[seat]
    hands = [hand for hand in view.hands if hand.owner == seat]
    lines = [_owner(view, seat, tally.score, pen)]
    for hand in hands:
        stock = words("blockers.to_come", held=hand.held, supply=hand.supply)
        lines.append(f"{words(f'blockers.colour.{hand.colour}')}: {stock}.")
    heap = view.captured[seat]
    captured = [_piece(heap[place], heap[place + 1], pen) for place in range(0, len(heap), 2)]
    lines += [_sentence("aloud.captured", captured, pen)] if captured else []
    racks = [_piece(hand.colour, face, pen) for hand in hands if hand.rack is not None for face in hand.rack]
    return lines + ([_sentence("aloud.rack", racks, pen)] if racks and seat == view.seat else [])


READERS: Mapping[str, Callable[[Any, Pen], list[str]]] = {"azul": _azul, "blockers": _blockers, "duel": _duel}
