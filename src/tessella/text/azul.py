"""Azul as text."""

from tessella.core.game import Choose, Seat
from tessella.games.azul.events import (
    BonusScored,
    DraftingEnded,
    Event,
    FactoryFilled,
    FloorScored,
    GameEnded,
    LidPoured,
    MarkerTaken,
    RoundStarted,
    StartDecided,
    TilePlaced,
    TilesFell,
    TilesLaid,
    TilesTaken,
)
from tessella.games.azul.pieces import COLOURS, EMPTY, FLOOR_COSTS, SIZE, Colour, Tiles, wall_column
from tessella.games.azul.preview import Preview
from tessella.games.azul.state import Board
from tessella.games.azul.view import View
from tessella.text.style import Entry, Style, side_by_side

# The table


def draw(view: View, style: Style) -> list[str]:
    """Return the table as lines: factories and centre, then every board."""
    boards = [_board(view, seat, style) for seat in _from_own_seat(view)]
    return [_heading(view, style), "", *_offer(view, style), "", *side_by_side(boards, style.width)]


def _from_own_seat(view: View) -> list[Seat]:
    seats, first = view.config.seats, view.seat or 0
    return [(first + step) % seats for step in range(seats)]


def _heading(view: View, style: Style) -> str:
    heading = style.texts("azul.round", n=view.round)
    counts = style.texts("azul.heaps", bag=sum(view.bag), lid=sum(view.lid))
    return f"{style.strong(heading)}   {style.faint(counts)}"


def _offer(view: View, style: Style) -> list[str]:
    factories = [
        [f"{style.strong(str(number))} {_heap(tiles, style)}"] for number, tiles in enumerate(view.factories, 1)
    ]
    centre = f"{style.strong('c')} {_heap(view.centre, style)}"
    return [*[line for line in side_by_side(factories, style.width, gap=2) if line], centre]


def _heap(tiles: Tiles, style: Style) -> str:
    return "".join(map(style.tile, tiles)) or style.faint("–")


def _board(view: View, seat: Seat, style: Style) -> list[str]:
    board = view.boards[seat]
    grey = view.config.wall == "grey"
    columns = "".join(f" {column} " for column in range(1, SIZE + 1))
    return [
        _owner(view, seat, style),
        *([style.faint(" " * 20 + columns)] if grey else []),
        *[
            f"{style.strong(str(row + 1))} {_line(board, row, style)} │{_wall(board, row, style, grey)}"
            for row in range(SIZE)
        ],
        f"{style.strong('-')} {_floor(board, style)}",
        style.faint("  " + "".join(f"−{cost} " for cost in FLOOR_COSTS)),
    ]


def _floor(board: Board, style: Style) -> str:
    return "".join(map(style.tile, board.floor)) + style.empty() * (len(FLOOR_COSTS) - len(board.floor))


def _owner(view: View, seat: Seat, style: Style) -> str:
    turn = isinstance(view.turn, Choose) and seat in view.turn.seats
    score = style.texts("points", n=view.boards[seat].score)
    return f"{'▶' if turn else ' '} {style.strong(style.name(seat))}  {score}"


def _line(board: Board, row: int, style: Style) -> str:
    tiles = board.lines[row]
    outside = "   " * (SIZE - row - 1)
    return outside + style.empty() * (row + 1 - len(tiles)) + "".join(map(style.tile, tiles))


def _wall(board: Board, row: int, style: Style, grey: bool) -> str:  # noqa: FBT001
    ghosts = {wall_column(row, colour): colour for colour in COLOURS}
    spaces = enumerate(board.wall[row])
    return "".join(
        style.tile(space) if space != EMPTY else style.empty() if grey else style.ghost(ghosts[column])
        for column, space in spaces
    )


# What happened


def narrate(event: Event, style: Style) -> str:  # noqa: C901, PLR0911  one case per event
    """Return an event as a sentence, with its arithmetic if it scores."""
    texts = style.texts
    match event:
        case RoundStarted(round=number, start=seat):
            return "\n" + style.strong(texts("azul.round_started", n=number, who=style.name(seat)))
        case LidPoured(tiles=tiles):
            return texts("azul.lid_poured", n=tiles)
        case TilesTaken(seat=seat, source=source, colour=colour, count=count):
            return texts(
                "azul.taken",
                who=style.name(seat),
                n=count,
                tiles=_tiles(colour, count, style),
                source=_source(source, style),
            )
        case MarkerTaken():
            return texts("azul.marker_taken")
        case TilesLaid(line=line, spaces=spaces):
            return texts("azul.laid", n=len(spaces), line=line + 1)
        case TilesFell(spaces=spaces, lid=lid, rule=rule):
            return texts("azul.line_dropped" if rule == "AZ32" else "azul.fell", n=len(spaces) + lid)
        case DraftingEnded(round=number):
            return "\n" + style.strong(texts("azul.tiling", n=number))
        case TilePlaced() | FloorScored() | BonusScored():
            return _narrate_score(event, style)
        case GameEnded(rule=rule):
            return "\n" + style.strong(texts("over")) + " " + texts(f"azul.ended.{rule}")
        case StartDecided() | FactoryFilled():  # the next round says who starts, if there is one
            return ""


def _narrate_score(event: TilePlaced | FloorScored | BonusScored, style: Style) -> str:
    texts, who = style.texts, style.name(event.seat)
    rule = style.faint(event.rule)
    match event:
        case TilePlaced(row=row, column=column, colour=colour, points=points):
            tile = texts(f"azul.colour.{colour}")
            where = texts("azul.placed", who=who, tile=tile, row=row + 1, column=column + 1)
            return f"  {where} {_runs(event, style)} = {style.points(points)}  {rule}"
        case FloorScored(costs=costs, points=points):
            sum_ = " ".join(f"−{cost}" for cost in costs)
            clamp = "" if -points == sum(costs) else " " + texts("azul.clamp")
            return f"  {texts('azul.floor_scored', who=who)} {sum_} = {style.points(-sum(costs))}{clamp}  {rule}"
        case BonusScored(kind=kind, count=count, each=each, points=points):
            what = texts(f"azul.bonus.{kind}", n=count)
            return f"  {who}: {what}, {count} × {each} = {style.points(points)}  {rule}"


def _runs(event: TilePlaced, style: Style) -> str:
    if event.across == event.down == 1:
        return style.texts("azul.alone")
    parts = [style.texts("azul.across", n=event.across)] if event.across > 1 else []
    parts += [style.texts("azul.down", n=event.down)] if event.down > 1 else []
    return " + ".join(parts)


def _tiles(colour: Colour, count: int, style: Style) -> str:
    return f"{count} {style.texts(f'azul.colour.{colour}')}"


def _source(source: int | None, style: Style) -> str:
    return style.texts("azul.centre") if source is None else style.texts("azul.factory", n=source + 1)


def round_of(view: View) -> int:
    """Return the current round."""
    return view.round


# What would happen


def explain(preview: Preview, style: Style) -> str:
    """Return where the tiles land, what the floor costs, and what the round would score."""
    texts = style.texts
    parts: list[str] = []
    if preview.spaces and preview.line is not None:
        parts.append(texts("azul.will_lay", n=len(preview.spaces), line=preview.line + 1))
    if preview.marker:
        parts.append(texts("azul.will_mark"))
    fallen = len(preview.floor) - preview.marker + preview.lid
    if fallen > 0:
        parts.append(texts("azul.will_fall", n=fallen))
    if preview.floor_cost:
        parts.append(texts("azul.will_cost", n=preview.floor_cost))
    parts.append(texts("azul.will_score", gain=style.points(preview.points), score=preview.score))
    return " ".join(parts)


def points(event: Event) -> list[Entry]:
    """Return the ledger entries of an event."""
    match event:
        case TilePlaced(seat=seat, points=scored):
            return [(seat, "azul.ledger.tiles", scored)]
        case FloorScored(seat=seat, points=scored):
            return [(seat, "azul.ledger.floor", scored)]
        case BonusScored(seat=seat, kind=kind, points=scored):
            return [(seat, f"azul.ledger.{kind}", scored)]
        case _:
            return []
