"""The face of Azul as text."""

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
from tessella.terminal.pen import Entry, Pen, side_by_side

# The table


def draw(view: View, pen: Pen) -> list[str]:
    """The offer in the middle, and everybody's board."""
    boards = [_board(view, seat, pen) for seat in _from_own_seat(view)]
    return [_heading(view, pen), "", *_offer(view, pen), "", *side_by_side(boards, pen.width)]


def _from_own_seat(view: View) -> list[Seat]:
    seats, first = view.config.seats, view.seat or 0
    return [(first + step) % seats for step in range(seats)]


def _heading(view: View, pen: Pen) -> str:
    heading = pen.words("azul.round", n=view.round)
    counts = pen.words("azul.heaps", bag=sum(view.bag), lid=sum(view.lid))
    return f"{pen.strong(heading)}   {pen.faint(counts)}"


def _offer(view: View, pen: Pen) -> list[str]:
    factories = [[f"{pen.strong(str(number))} {_heap(tiles, pen)}"] for number, tiles in enumerate(view.factories, 1)]
    centre = f"{pen.strong('c')} {_heap(view.centre, pen)}"
    return [*[line for line in side_by_side(factories, pen.width, gap=2) if line], centre]


def _heap(tiles: Tiles, pen: Pen) -> str:
    return "".join(map(pen.tile, tiles)) or pen.faint("–")


def _board(view: View, seat: Seat, pen: Pen) -> list[str]:
    board = view.boards[seat]
    grey = view.config.wall == "grey"
    columns = "".join(f" {column} " for column in range(1, SIZE + 1))
    return [
        _owner(view, seat, pen),
        *([pen.faint(" " * 20 + columns)] if grey else []),
        *[
            f"{pen.strong(str(row + 1))} {_line(board, row, pen)} │{_wall(board, row, pen, grey)}"
            for row in range(SIZE)
        ],
        f"{pen.strong('-')} {''.join(map(pen.tile, board.floor))}{pen.empty() * (len(FLOOR_COSTS) - len(board.floor))}",
        pen.faint("  " + "".join(f"−{cost} " for cost in FLOOR_COSTS)),
    ]


def _owner(view: View, seat: Seat, pen: Pen) -> str:
    turn = isinstance(view.turn, Choose) and seat in view.turn.seats
    score = pen.words("points", n=view.boards[seat].score)
    return f"{'▶' if turn else ' '} {pen.strong(pen.name(seat))}  {score}"


def _line(board: Board, row: int, pen: Pen) -> str:
    tiles = board.lines[row]
    outside = "   " * (SIZE - row - 1)
    return outside + pen.empty() * (row + 1 - len(tiles)) + "".join(map(pen.tile, tiles))


def _wall(board: Board, row: int, pen: Pen, grey: bool) -> str:  # noqa: FBT001
    ghosts = {wall_column(row, colour): colour for colour in COLOURS}
    spaces = enumerate(board.wall[row])
    return "".join(
        pen.tile(space) if space != EMPTY else pen.empty() if grey else pen.ghost(ghosts[column])
        for column, space in spaces
    )


# What happened


def tell(event: Event, pen: Pen) -> str:  # noqa: C901, PLR0911  one case an event
    """One sentence an event, with its arithmetic where it scores."""
    words = pen.words
    match event:
        case RoundStarted(round=number, start=seat):
            return "\n" + pen.strong(words("azul.round_started", n=number, who=pen.name(seat)))
        case LidPoured(tiles=tiles):
            return words("azul.lid_poured", n=tiles)
        case TilesTaken(seat=seat, source=source, colour=colour, count=count):
            return words(
                "azul.taken", who=pen.name(seat), n=count, tiles=_tiles(colour, count, pen), source=_source(source, pen)
            )
        case MarkerTaken():
            return words("azul.marker_taken")
        case TilesLaid(line=line, spaces=spaces):
            return words("azul.laid", n=len(spaces), line=line + 1)
        case TilesFell(spaces=spaces, lid=lid, rule=rule):
            return words("azul.line_dropped" if rule == "AZ32" else "azul.fell", n=len(spaces) + lid)
        case DraftingEnded(round=number):
            return "\n" + pen.strong(words("azul.tiling", n=number))
        case TilePlaced() | FloorScored() | BonusScored():
            return _tell_score(event, pen)
        case GameEnded(rule=rule):
            return "\n" + pen.strong(words("over")) + " " + words(f"azul.ended.{rule}")
        case StartDecided() | FactoryFilled():  # the next round says who starts, if there is one
            return ""


def _tell_score(event: TilePlaced | FloorScored | BonusScored, pen: Pen) -> str:
    words, who = pen.words, pen.name(event.seat)
    rule = pen.faint(event.rule)
    match event:
        case TilePlaced(row=row, column=column, colour=colour, points=points):
            tile = words(f"azul.colour.{colour}")
            where = words("azul.placed", who=who, tile=tile, row=row + 1, column=column + 1)
            return f"  {where} {_runs(event, pen)} = {pen.points(points)}  {rule}"
        case FloorScored(costs=costs, points=points):
            sum_ = " ".join(f"−{cost}" for cost in costs)
            clamp = "" if -points == sum(costs) else " " + words("azul.clamp")
            return f"  {words('azul.floor_scored', who=who)} {sum_} = {pen.points(-sum(costs))}{clamp}  {rule}"
        case BonusScored(kind=kind, count=count, each=each, points=points):
            what = words(f"azul.bonus.{kind}", n=count)
            return f"  {who}: {what}, {count} × {each} = {pen.points(points)}  {rule}"


def _runs(event: TilePlaced, pen: Pen) -> str:
    if event.across == event.down == 1:
        return pen.words("azul.alone")
    parts = [pen.words("azul.across", n=event.across)] if event.across > 1 else []
    parts += [pen.words("azul.down", n=event.down)] if event.down > 1 else []
    return " + ".join(parts)


def _tiles(colour: Colour, count: int, pen: Pen) -> str:
    return f"{count} {pen.words(f'azul.colour.{colour}')}"


def _source(source: int | None, pen: Pen) -> str:
    return pen.words("azul.centre") if source is None else pen.words("azul.factory", n=source + 1)


def round_of(view: View) -> int:
    """The round that is played."""
    return view.round


# What would happen


def explain(preview: Preview, pen: Pen) -> str:
    """Where the tiles land, what the floor costs, what the round would bring."""
    words = pen.words
    parts: list[str] = []
    if preview.spaces and preview.line is not None:
        parts.append(words("azul.will_lay", n=len(preview.spaces), line=preview.line + 1))
    if preview.marker:
        parts.append(words("azul.will_mark"))
    fallen = len(preview.floor) - preview.marker + preview.lid
    if fallen > 0:
        parts.append(words("azul.will_fall", n=fallen))
    if preview.floor_cost:
        parts.append(words("azul.will_cost", n=preview.floor_cost))
    parts.append(words("azul.will_score", gain=pen.points(preview.points), score=preview.score))
    return " ".join(parts)


def points(event: Event) -> list[Entry]:
    """What scored, for the ledger."""
    match event:
        case TilePlaced(seat=seat, points=scored):
            return [(seat, "azul.ledger.tiles", scored)]
        case FloorScored(seat=seat, points=scored):
            return [(seat, "azul.ledger.floor", scored)]
        case BonusScored(seat=seat, kind=kind, points=scored):
            return [(seat, f"azul.ledger.{kind}", scored)]
        case _:
            return []
