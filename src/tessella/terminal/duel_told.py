"""What happens in Azul Duel, in sentences: each event, what a move would do, and where points come from."""

from collections.abc import Sequence

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
    CHIP_COLOURS,
    LARGE,
    START_SCORE,
    Chip,
    Chips,
    Colour,
    Kind,
    Plate,
    Tiles,
    kind_of,
)
from tessella.games.duel.preview import Preview
from tessella.games.duel.view import View
from tessella.terminal.pen import Entry, Pen, signed

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
            sum_ = pen.loss(signed(points)) if points else words("duel.clamp")
            return f"  {words(f'duel.draws.{_kind(kind)}', who=who)} {sum_}  {pen.faint(rule)}"
        case PlatesSeen(plates=plates):
            return words("duel.looks", who=who, n=len(plates), plates=_plates(plates, pen))
        case PlatePlaced(plate=plate, slot=slot):
            return words("duel.lays", who=who, plate=plate_text(plate, pen), slot=slot + 1)
        case PlateReturned(plate=plate):
            return words("duel.returns", who=who, plate=plate_text(plate, pen))


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
        case StartDecided():  # the next round says it
            return ""
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
            return words("duel.paid", who=who, line=row + 1, chips=chips_text(chips, pen), n=missing)
        case TilePlaced(row=row, column=column, colour=colour, points=points):
            where = words("duel.placed", who=who, tile=_colour(colour, pen), row=row + 1, column=column + 1)
            return f"{where} {_runs(event, pen)} = {pen.points(points)}"
        case SpecialPlaced(row=row, column=column, points=points):
            return f"{words('duel.special', who=who, row=row + 1, column=column + 1)} = {pen.points(points)}"
        case BrokenScored():
            return _tell_costs(event, pen)
        case FaceScored(face=face, count=count, each=each, points=points):
            price = signed(each) if each < 0 else each
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
    return " ".join(plate_text(plate, pen) for plate in plates)


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


# Small things


def plate_text(plate: Plate, pen: Pen) -> str:
    """A plate by its spaces, in reading order."""
    return "".join(map(pen.chip, plate))


def chip_text(chip: Chip, pen: Pen) -> str:
    """The letter of the chip and, if it is of two colours, the other one: B is written Br.

    >>> from tessella.terminal.words import Words
    >>> chip_text("b", Pen(Words("en"), [], colour=False)), chip_text("T", Pen(Words("en"), [], colour=False))
    ('b', 'Ty')
    """
    return "".join(map(pen.chip, chip + CHIP_COLOURS[chip][1:]))


def chips_text(chips: Chips, pen: Pen) -> str:
    """Chips, as they are paid with."""
    return " ".join(chip_text(chip, pen) for chip in chips)
