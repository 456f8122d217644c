"""The face of Azul Duel as text.

Capital letters are tiles that lie there, small ones the spaces that wait for them; of a moon stack only the top can be
taken, so what lies below it is small too. A chip is written as in a payment, the other colour that it shows after it.
"""

from collections.abc import Sequence

from tessella.core.game import Choose, Seat
from tessella.games.duel.events import (
    AcquiringEnded,
    BrokenScored,
    ChipRevealed,
    ChipsPaid,
    ChipTaken,
    Event,
    FaceScored,
    FactoryFilled,
    GameEnded,
    MoonsTaken,
    Passed,
    PlateDrawn,
    PlatePlaced,
    PlateReturned,
    PlatesOpened,
    PlatesSeen,
    RoundStarted,
    ScoreRaised,
    SpecialPlaced,
    StackShuffled,
    StartDecided,
    StartTileTaken,
    SunTaken,
    TilePlaced,
    TilesBroke,
    TilesLaid,
    TilesStacked,
    TokenPlaced,
    TowerPoured,
    Witnessed,
)
from tessella.games.duel.pieces import (
    BROKEN_COSTS,
    BROKEN_SPACES,
    CHIP_COLOURS,
    CHIPS_A_ROUND,
    EMPTY,
    FACE_DOWN,
    FACTORY_TILES,
    LARGE,
    PLATE_ROUNDS,
    PLATES_A_ROUND,
    SIZE,
    START_SCORE,
    START_TILE_COST,
    Chip,
    Chips,
    Colour,
    Kind,
    Plate,
    Tiles,
    kind_of,
)
from tessella.games.duel.preview import Preview
from tessella.games.duel.scoring import FACES
from tessella.games.duel.state import CHIP_TILE, Board, Factory
from tessella.games.duel.view import View
from tessella.terminal.pen import Entry, Pen, side_by_side, visible

START_TILE = "1"
NAME_WIDTH = 10

# The table


def draw(view: View, pen: Pen) -> list[str]:
    """What is on offer in the middle, and both boards."""
    boards = [_board(view, seat, pen) for seat in _from_own_seat(view)]
    return [
        *_heading(view, pen),
        "",
        *_plates_and_faces(view, pen),
        *_stack(view, pen),
        *_drawn(view, pen),
        "",
        *([] if view.phase in ("tile", "over") else [*_factories(view, pen), ""]),
        *side_by_side(boards, pen.width),
    ]


def _from_own_seat(view: View) -> list[Seat]:
    return [1, 0] if view.seat == 1 else [0, 1]


def _heading(view: View, pen: Pen) -> list[str]:
    """The round, what is in the heaps, and what is to be done now."""
    counts = pen.words("duel.heaps", bag=sum(view.bag), tower=sum(view.tower))
    heading = f"{pen.strong(pen.words('duel.round', n=view.round))}   {pen.faint(counts)}"
    if not isinstance(view.turn, Choose):
        return [heading]
    who = pen.words("duel.and").join(map(pen.name, view.turn.seats))
    todo = pen.words(f"duel.todo.{view.phase}", who=who, factory=view.stacking)
    return [heading, todo]


# Plates and scoring faces


def _plates_and_faces(view: View, pen: Pen) -> list[str]:
    faces = _faces(view, pen)
    if not view.open:
        return faces
    return _beside(_row_of_plates([_plate(plate, pen) for plate in view.open]), faces)


def _beside(left: Sequence[str], right: Sequence[str]) -> list[str]:
    width = max(map(visible, left))
    return [f"{one}{' ' * (width - visible(one))}   {other}" for one, other in zip(left, right, strict=True)]


def _row_of_plates(plates: Sequence[Sequence[str]]) -> list[str]:
    return [" ".join(parts) for parts in zip(*plates, strict=True)]


def _plate(plate: Plate, pen: Pen) -> list[str]:
    upper, lower = ("".join(map(pen.ghost, half)) for half in (plate[:2], plate[2:]))
    return _framed(upper, lower, pen)


def _back(kind: Kind, pen: Pen) -> list[str]:
    shade = pen.faint("▒▒")
    return _framed(shade * 3, f"{shade}{pen.strong(kind)} {shade}", pen)


def _framed(upper: str, lower: str, pen: Pen) -> list[str]:
    side = pen.faint("│")
    return [pen.faint("┌──────┐"), f"{side}{upper}{side}", f"{side}{lower}{side}", pen.faint("└──────┘")]


def _faces(view: View, pen: Pen) -> list[str]:
    """The scoring faces in play, and what each would bring both players now."""
    names = [pen.words(f"duel.face.{face}") for face in view.config.faces]
    prices = ["/".join(_signed(each) for _, each, _ in FACES[face]) for face in view.config.faces]
    scores = [[_plain(points) for points in _face_points(view, seat)] for seat in _from_own_seat(view)]
    heads = [pen.words("duel.faces"), "", *[pen.name(seat)[:NAME_WIDTH] for seat in _from_own_seat(view)]]
    first, *rest = [
        f"{head:<{NAME_WIDTH}}" + "".join(f"{cell:>{len(name) + 2}}" for cell, name in zip(cells, names, strict=True))
        for head, cells in zip(heads, [names, prices, *scores], strict=True)
    ]
    return [pen.strong(first), pen.faint(rest[0]), *rest[1:]]


def _face_points(view: View, seat: Seat) -> list[int]:
    board, config = view.boards[seat], view.config
    return [sum(each * count(board, config) for _, each, count in FACES[face]) for face in config.faces]


def _stack(view: View, pen: Pen) -> list[str]:
    """DU60: the backs from the top; plates that the reader knows by their spaces."""
    if not view.stack:
        return []
    words = [pen.strong(pen.words("duel.stack", n=len(view.stack)))]
    words += [back.face if len(back.face) == 1 else _spaces(back.face, pen) for back in view.stack]
    lines = _filled(words, pen.width)
    if view.lost:
        seen = [pen.words("duel.lost"), *[_spaces(plate, pen) for plate in view.lost]]
        lines += _filled(seen, pen.width)
    return lines


def _filled(words: Sequence[str], width: int) -> list[str]:
    """The words in as few lines as fit."""
    lines = [words[0]]
    for word in words[1:]:
        if visible(lines[-1]) + 1 + visible(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append("  " + word)
    return lines


def _spaces(plate: Plate, pen: Pen) -> str:
    return "".join(map(pen.chip, plate))


def _drawn(view: View, pen: Pen) -> list[str]:
    """The drawn plates: faces for who has looked at them, backs for all others."""
    if not view.hand:
        return []
    blocks = [_plate(back.face, pen) if len(back.face) > 1 else _back(back.face, pen) for back in view.hand]
    heading = pen.strong(pen.words("duel.drawn", who=pen.name(view.current), n=len(view.hand)))
    return [heading, *[line for line in side_by_side(blocks, pen.width, gap=1) if line]]


# Factories


def _factories(view: View, pen: Pen) -> list[str]:
    """Suns, moons and chips below each other; every factory a column."""
    heads = [pen.strong(str(number)) for number in range(len(FACTORY_TILES))]
    suns = [_heap(factory.sun, pen) for factory in view.factories]
    moons = [_large_moon(view, pen), *[_small_moon(factory, pen) for factory in view.factories[1:]]]
    chips = ["", *[_chip_on(factory, pen) for factory in view.factories[1:]]]
    labels = [pen.words(f"duel.{label}") for label in ("factory", "sun", "moon", "chip")]
    width = max(map(len, labels))
    return [
        pen.faint(f"{label:<{width}}") + "".join(_columns(cells))
        for label, cells in zip(labels, [[f" {head}" for head in heads], suns, moons, chips], strict=True)
    ]


def _columns(cells: Sequence[str]) -> list[str]:
    widths = [3 * tiles for tiles in FACTORY_TILES]
    padded = ["  " + cell + " " * (width - visible(cell)) for cell, width in zip(cells, widths, strict=True)]
    return [*padded[:-1], padded[-1].rstrip()]


def _heap(tiles: Tiles, pen: Pen) -> str:
    return "".join(map(pen.tile, tiles)) or pen.faint(" –")


def _large_moon(view: View, pen: Pen) -> str:
    """DU25: tiles side by side, and the start tile until somebody takes it."""
    on_factory = view.holder is None and view.phase not in ("prepare", "over")
    return _heap(view.factories[LARGE].moon + START_TILE * on_factory, pen)


def _small_moon(factory: Factory, pen: Pen) -> str:
    """DU24: only the top of the stack can be taken; it comes last."""
    return "".join(map(pen.ghost, factory.moon[:-1])) + _heap(factory.moon[-1:], pen)


def _chip_on(factory: Factory, pen: Pen) -> str:
    if factory.chip == FACE_DOWN:
        return pen.faint(" ▒")
    return f" {_chip(factory.chip, pen)}" if factory.chip else pen.faint(" –")


def _chip(chip: Chip, pen: Pen) -> str:
    """The letter of the chip and, if it is of two colours, the other one: B is written Br.

    >>> from tessella.terminal.words import Words
    >>> _chip("b", Pen(Words("en"), [], colour=False)), _chip("T", Pen(Words("en"), [], colour=False))
    ('b', 'Ty')
    """
    return "".join(map(pen.chip, chip + CHIP_COLOURS[chip][1:]))


def _chips(chips: Chips, pen: Pen) -> str:
    return " ".join(_chip(chip, pen) for chip in chips)


# Boards


def _board(view: View, seat: Seat, pen: Pen) -> list[str]:
    board = view.boards[seat]
    return [
        _owner(view, seat, pen),
        pen.faint(" " * 15 + " ".join(f" {column}  {column + 1} " for column in range(1, SIZE, 2))),
        *_dome(view, board, pen),
        f"{_label('broken', pen)}{_broken(board, pen)}  {_start_tile(view, seat, pen)}",
        f"{_label('todo', pen)}{_still_to_do(view, seat, pen)}",
        f"{_label('chips', pen)}{_chips(board.chips, pen) or pen.faint('–')}",
    ]


def _label(key: str, pen: Pen) -> str:
    width = max(len(pen.words(f"duel.{each}")) for each in ("broken", "todo", "chips"))
    return f"  {pen.faint(pen.words(f'duel.{key}').ljust(width))} "


def _owner(view: View, seat: Seat, pen: Pen) -> str:
    turn = isinstance(view.turn, Choose) and seat in view.turn.seats
    score = pen.words("points", n=view.boards[seat].score)
    return f"{'▶' if turn else ' '} {pen.strong(pen.name(seat)[:20])}  {score}"


def _dome(view: View, board: Board, pen: Pen) -> list[str]:
    """Pattern lines beside the rows of the dome, a seam around every slot."""
    rows = [_row(view, board, row, pen) for row in range(SIZE)]
    above, between, below = _seam("┌", "┬", "┐", pen), _seam("├", "┼", "┤", pen), _seam("└", "┴", "┘", pen)
    return [above, *rows[:2], between, *rows[2:4], between, *rows[4:], below]


def _seam(left: str, middle: str, right: str, pen: Pen) -> str:
    return pen.faint(" " * 14 + left + middle.join(["──────"] * 3) + right)


def _row(view: View, board: Board, row: int, pen: Pen) -> str:
    mark = "▸" if view.phase == "tile" and board.row == row else " "
    seam = pen.faint("│")
    slots = seam.join(_half_slot(board, row, slot, pen) for slot in range(row // 2 * 3, row // 2 * 3 + 3))
    number = str(row + 1)
    return f"{pen.strong(number)}{mark}{_line(board, row, pen)}{seam}{slots}{seam}{pen.faint(number)}"


def _line(board: Board, row: int, pen: Pen) -> str:
    tiles = board.lines[row]
    spaces = pen.faint(" ·") * (row + 1 - len(tiles))
    laid = "".join(" " + CHIP_TILE if tile == CHIP_TILE else pen.brick(tile) for tile in reversed(tiles))
    return "  " * (SIZE - row - 1) + spaces + laid


def _half_slot(board: Board, row: int, slot: int, pen: Pen) -> str:
    """One row of a slot: its spaces, or the number of the slot while no plate lies there."""
    plate, column = board.dome[slot], slot % 3 * 2
    if not plate:
        return pen.faint(f"  {slot + 1}   ") if row % 2 == 0 else " " * 6
    spaces, tiles = plate[row % 2 * 2 :][:2], board.tiles[row][column : column + 2]
    return "".join(
        pen.ghost(space) if tile == EMPTY else pen.tile(tile) for space, tile in zip(spaces, tiles, strict=True)
    )


def _broken(board: Board, pen: Pen) -> str:
    """The broken tiles; each empty space says what all would cost if it were taken too."""
    costs = [f"{_signed(-BROKEN_COSTS[number + 1]):<3}" for number in range(len(board.broken), BROKEN_SPACES)]
    return "".join(map(pen.tile, board.broken)) + pen.faint("".join(costs))


def _start_tile(view: View, seat: Seat, pen: Pen) -> str:
    return f"{pen.tile(START_TILE)} {_signed(-START_TILE_COST)}" if view.holder == seat else ""


def _still_to_do(view: View, seat: Seat, pen: Pen) -> str:
    """DU21, DU26: tokens and chips that this player has still to place and to take this round."""
    tokens = _pips(view.tokens[seat], PLATES_A_ROUND) if view.round <= PLATE_ROUNDS else pen.faint("–")
    chips = _pips(view.chips_due[seat], CHIPS_A_ROUND)
    return f"{pen.words('duel.plates')} {tokens}  {pen.words('duel.chips')} {chips}"


def _pips(left: int, full: int) -> str:
    left = min(max(left, 0), full)
    return "●" * left + "○" * (full - left)


def _signed(points: int) -> str:
    return _plain(points) if points < 0 else f"+{points}"


def _plain(points: int) -> str:
    return f"−{-points}" if points < 0 else str(points)


# What happened


def tell(event: Witnessed, pen: Pen) -> str:
    """One sentence an event, with its arithmetic where it scores."""
    match event:
        case StackShuffled() | PlatesOpened() | RoundStarted() | TowerPoured() | FactoryFilled() | ChipRevealed():
            return _tell_preparing(event, pen)
        case TokenPlaced() | PlateDrawn() | PlatesSeen() | PlatePlaced() | PlateReturned():
            return _tell_plate(event, pen)
        case SunTaken() | TilesStacked() | MoonsTaken() | StartTileTaken() | ChipTaken() | TilesLaid() | TilesBroke():
            return _tell_tiles(event, pen)
        case Passed() | AcquiringEnded() | StartDecided() | GameEnded():
            return _tell_course(event, pen)
        case ChipsPaid() | TilePlaced() | SpecialPlaced() | BrokenScored() | FaceScored() | ScoreRaised():
            return f"  {_tell_score(event, pen)}  {pen.faint(event.rule)}"


def _tell_preparing(
    event: StackShuffled | PlatesOpened | RoundStarted | TowerPoured | FactoryFilled | ChipRevealed, pen: Pen
) -> str:
    words = pen.words
    match event:
        case StackShuffled(start=seat):
            return words("duel.shuffled", who=pen.name(seat), other=pen.name(1 - seat))
        case PlatesOpened(plates=plates):
            return words("duel.opened", n=len(plates), plates=_plates(plates, pen)) if plates else ""
        case RoundStarted(round=number, start=seat):
            return "\n" + pen.strong(words("duel.round_started", n=number, who=pen.name(seat)))
        case TowerPoured(tiles=tiles, rule=rule):
            return words(f"duel.poured.{rule}", n=tiles)
        case ChipRevealed(factory=factory, chip=chip):
            return words("duel.revealed", factory=factory, chip=_chip_name(chip, pen))
        case FactoryFilled():
            return ""


def _tell_plate(event: TokenPlaced | PlateDrawn | PlatesSeen | PlatePlaced | PlateReturned, pen: Pen) -> str:
    words, who = pen.words, pen.name(event.seat)
    match event:
        case TokenPlaced(left=left):
            return words("duel.token", who=who, n=left)
        case PlateDrawn(kind=kind, points=points, rule=rule):
            sum_ = pen.loss(_signed(points)) if points else words("duel.clamp")
            return f"  {words(f'duel.draws.{_kind(kind)}', who=who)} {sum_}  {pen.faint(rule)}"
        case PlatesSeen(plates=plates):
            return words("duel.looks", who=who, n=len(plates), plates=_plates(plates, pen))
        case PlatePlaced(plate=plate, slot=slot):
            return words("duel.lays", who=who, plate=_spaces(plate, pen), slot=slot + 1)
        case PlateReturned(plate=plate):
            return words("duel.returns", who=who, plate=_spaces(plate, pen))


def _tell_tiles(  # noqa: PLR0911  one case an event
    event: SunTaken | TilesStacked | MoonsTaken | StartTileTaken | ChipTaken | TilesLaid | TilesBroke, pen: Pen
) -> str:
    words, who = pen.words, pen.name(event.seat)
    match event:
        case SunTaken(factory=factory, colour=colour, count=count, rest=rest):
            taken = words("duel.sun_taken", who=who, n=count, colour=_colour(colour, pen), factory=factory)
            lies = rest and (factory == LARGE or len(set(rest)) == 1)
            return f"{taken} {words('duel.rest', tiles=_tiles(rest, pen))}" if lies else taken
        case TilesStacked(factory=factory, tiles=tiles):
            return words("duel.stacked", factory=factory, tiles=_tiles(tiles, pen))
        case MoonsTaken(colour=colour, counts=counts):
            return words("duel.moons_taken", who=who, n=sum(counts), colour=_colour(colour, pen))
        case StartTileTaken():
            return words("duel.start_tile")
        case ChipTaken(factory=factory, chip=chip):
            return words("duel.chip_taken", who=who, chip=_chip_name(chip, pen), factory=factory)
        case TilesLaid(line=line, spaces=spaces):
            return words("duel.laid", n=len(spaces), line=line + 1)
        case TilesBroke():
            return _tell_broken(event, pen)


def _tell_broken(event: TilesBroke, pen: Pen) -> str:
    """DU27, DU32: tiles break because there are too many, or because their line can never be placed."""
    words, number = pen.words, len(event.spaces)
    parts = [words("duel.broke", n=number)] if number else []
    parts += [words("duel.spilt", n=event.tower)] if event.tower else []
    if event.rule == "DU27":
        return " ".join(parts)
    stuck = words("duel.stuck", who=pen.name(event.seat), colour=_colour(event.colour, pen))
    return f"  {' '.join([stuck, *parts])}  {pen.faint(event.rule)}"


def _tell_course(event: Passed | AcquiringEnded | StartDecided | GameEnded, pen: Pen) -> str:
    words = pen.words
    match event:
        case Passed(seat=seat):
            return words("duel.passes", who=pen.name(seat))
        case AcquiringEnded(round=number):
            return "\n" + pen.strong(words("duel.tiling", n=number))
        case StartDecided(seat=seat):
            return "  " + words("duel.start_decided", who=pen.name(seat))
        case GameEnded(scores=scores, places=places):
            winner = pen.name(places.index(1))
            key = "duel.tied" if len(set(scores)) == 1 else "duel.won"
            return "\n" + pen.strong(words("over")) + " " + words(key, who=winner)


def _tell_score(
    event: ChipsPaid | TilePlaced | SpecialPlaced | BrokenScored | FaceScored | ScoreRaised, pen: Pen
) -> str:
    words, who = pen.words, pen.name(event.seat)
    match event:
        case ChipsPaid(row=row, chips=chips, missing=missing):
            return words("duel.paid", who=who, line=row + 1, chips=_chips(chips, pen), n=missing)
        case TilePlaced(row=row, column=column, colour=colour, points=points):
            where = words("duel.placed", who=who, tile=_colour(colour, pen), row=row + 1, column=column + 1)
            return f"{where} {_runs(event, pen)} = {pen.points(points)}"
        case SpecialPlaced(row=row, column=column, points=points):
            return f"{words('duel.special', who=who, row=row + 1, column=column + 1)} = {pen.points(points)}"
        case BrokenScored():
            return _tell_costs(event, pen)
        case FaceScored(face=face, count=count, each=each, points=points):
            price = _signed(each) if each < 0 else each
            return f"{who}: {words(f'duel.counted.{face}', n=count)}, {count} × {price} = {pen.points(points)}"
        case ScoreRaised(points=points):
            return f"{words('duel.raised', who=who)} {pen.points(points)}"


def _tell_costs(event: BrokenScored, pen: Pen) -> str:
    """DU35: what broke, and the start tile."""
    words, total = pen.words, event.cost + event.start_tile_cost
    parts = [words("duel.broken_cost", n=len(event.tiles), cost=event.cost)] if event.tiles else []
    parts += [words("duel.start_tile_cost", cost=event.start_tile_cost)] if event.start_tile_cost else []
    clamp = "" if -event.points == total else " " + words("duel.clamp")
    return f"{pen.name(event.seat)}: {', '.join(parts)} = {pen.points(-total)}{clamp}"


def _runs(event: TilePlaced, pen: Pen) -> str:
    if event.across == event.down == 1:
        return pen.words("duel.alone")
    parts = [pen.words("duel.across", n=event.across)] if event.across > 1 else []
    parts += [pen.words("duel.down", n=event.down)] if event.down > 1 else []
    return " + ".join(parts)


def _colour(colour: Colour, pen: Pen) -> str:
    return pen.words(f"duel.colour.{colour}")


def _chip_name(chip: Chip, pen: Pen) -> str:
    return "/".join(_colour(colour, pen) for colour in CHIP_COLOURS[chip])


def _tiles(tiles: Tiles, pen: Pen) -> str:
    return "".join(map(pen.chip, tiles))


def _plates(plates: Sequence[Plate | Kind], pen: Pen) -> str:
    return " ".join(_spaces(plate, pen) for plate in plates)


def _kind(plate: Plate | Kind) -> str:
    return "special" if kind_of(plate) == "*" else "joker"


def round_of(view: View) -> int:
    """The round that is played."""
    return view.round


# What would happen


def explain(preview: Preview, pen: Pen) -> str:
    """Where the tiles land, what breaks, what the round would bring."""
    words = pen.words
    parts: list[str] = []
    if preview.line is not None:
        parts.append(words("duel.will_lay", n=len(preview.spaces), line=preview.line + 1))
    if preview.start_tile:
        parts.append(words("duel.will_start"))
    if preview.broken:
        parts.append(words("duel.will_break", n=len(preview.broken), cost=preview.broken_cost))
    if preview.tower:
        parts.append(words("duel.spilt", n=preview.tower))
    parts += [words("duel.will_stick", colour=_colour(line.colour, pen)) for line in preview.breaking]
    parts.append(words("duel.will_score", gain=pen.points(preview.points), score=preview.score))
    return " ".join(parts)


def points(event: Event) -> list[Entry]:  # noqa: PLR0911  one case an event
    """What scored, for the ledger. The points that one starts with come with the first plate."""
    match event:
        case PlatePlaced(seat=seat, rule="DU12"):
            return [(seat, "duel.ledger.start", START_SCORE)]
        case PlateDrawn(seat=seat, points=scored):
            return [(seat, "duel.ledger.plates", scored)]
        case TilePlaced(seat=seat, points=scored):
            return [(seat, "duel.ledger.tiles", scored)]
        case SpecialPlaced(seat=seat, points=scored):
            return [(seat, "duel.ledger.specials", scored)]
        case BrokenScored(seat=seat, points=scored):
            return [(seat, "duel.ledger.broken", scored)]
        case FaceScored(seat=seat, face=face, points=scored):
            return [(seat, f"duel.face.{face}", scored)]
        case ScoreRaised(seat=seat, points=scored):
            return [(seat, "duel.ledger.raised", scored)]
        case _:
            return []
