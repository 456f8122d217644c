"""Azul Duel in sentences: events, previews of moves, and how points were scored."""

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
from tessella.text.style import Entry, Style, signed

# What happened


def narrate(event: Witnessed, style: Style) -> str:
    """Return an event as a sentence, with its arithmetic if it scores."""
    match event:
        case StackShuffled() | PlatesOpened() | RoundStarted() | TowerPoured() | FactoryFilled() | ChipRevealed():
            return _narrate_preparing(event, style)
        case TokenPlaced() | PlateDrawn() | PlatesSeen() | PlatePlaced() | PlateReturned():
            return _narrate_plate(event, style)
        case SunTaken() | TilesStacked() | MoonsTaken() | StartTileTaken() | ChipTaken() | TilesLaid() | TilesBroke():
            return _narrate_tiles(event, style)
        case Passed() | AcquiringEnded() | StartDecided() | GameEnded():
            return _narrate_course(event, style)
        case ChipsPaid() | TilePlaced() | SpecialPlaced() | BrokenScored() | FaceScored() | ScoreRaised():
            return f"  {_narrate_score(event, style)}  {style.faint(event.rule)}"


def _narrate_preparing(
    event: StackShuffled | PlatesOpened | RoundStarted | TowerPoured | FactoryFilled | ChipRevealed, style: Style
) -> str:
    texts = style.texts
    match event:
        case StackShuffled(start=seat):
            return texts("duel.shuffled", who=style.name(seat), other=style.name(1 - seat))
        case PlatesOpened(plates=plates):
            return texts("duel.opened", n=len(plates), plates=_plates(plates, style)) if plates else ""
        case RoundStarted(round=number, start=seat):
            return "\n" + style.strong(texts("duel.round_started", n=number, who=style.name(seat)))
        case TowerPoured(tiles=tiles, rule=rule):
            return texts(f"duel.poured.{rule}", n=tiles)
        case ChipRevealed(factory=factory, chip=chip):
            return texts("duel.revealed", factory=factory, chip=_chip_name(chip, style))
        case FactoryFilled():
            return ""


def _narrate_plate(event: TokenPlaced | PlateDrawn | PlatesSeen | PlatePlaced | PlateReturned, style: Style) -> str:
    texts, who = style.texts, style.name(event.seat)
    match event:
        case TokenPlaced(left=left):
            return texts("duel.token", who=who, n=left)
        case PlateDrawn(kind=kind, points=points, rule=rule):
            sum_ = style.loss(signed(points)) if points else texts("duel.clamp")
            return f"  {texts(f'duel.draws.{_kind(kind)}', who=who)} {sum_}  {style.faint(rule)}"
        case PlatesSeen(plates=plates):
            return texts("duel.looks", who=who, n=len(plates), plates=_plates(plates, style))
        case PlatePlaced(plate=plate, slot=slot):
            return texts("duel.lays", who=who, plate=plate_text(plate, style), slot=slot + 1)
        case PlateReturned(plate=plate):
            return texts("duel.returns", who=who, plate=plate_text(plate, style))


def _narrate_tiles(  # noqa: PLR0911  one case per event
    event: SunTaken | TilesStacked | MoonsTaken | StartTileTaken | ChipTaken | TilesLaid | TilesBroke, style: Style
) -> str:
    texts, who = style.texts, style.name(event.seat)
    match event:
        case SunTaken(factory=factory, colour=colour, count=count, rest=rest):
            taken = texts("duel.sun_taken", who=who, n=count, colour=_colour(colour, style), factory=factory)
            lies = rest and (factory == LARGE or len(set(rest)) == 1)
            return f"{taken} {texts('duel.rest', tiles=_tiles(rest, style))}" if lies else taken
        case TilesStacked(factory=factory, tiles=tiles):
            return texts("duel.stacked", factory=factory, tiles=_tiles(tiles, style))
        case MoonsTaken(colour=colour, counts=counts):
            return texts("duel.moons_taken", who=who, n=sum(counts), colour=_colour(colour, style))
        case StartTileTaken():
            return texts("duel.start_tile")
        case ChipTaken(factory=factory, chip=chip):
            return texts("duel.chip_taken", who=who, chip=_chip_name(chip, style), factory=factory)
        case TilesLaid(line=line, spaces=spaces):
            return texts("duel.laid", n=len(spaces), line=line + 1)
        case TilesBroke():
            return _narrate_broken(event, style)


def _narrate_broken(event: TilesBroke, style: Style) -> str:
    """DU27, DU32: return why tiles break: too many for the line, or the line can never be placed."""
    texts, number = style.texts, len(event.spaces)
    parts = [texts("duel.broke", n=number)] if number else []
    parts += [texts("duel.spilt", n=event.tower)] if event.tower else []
    if event.rule == "DU27":
        return " ".join(parts)
    stuck = texts("duel.stuck", who=style.name(event.seat), colour=_colour(event.colour, style))
    return f"  {' '.join([stuck, *parts])}  {style.faint(event.rule)}"


def _narrate_course(event: Passed | AcquiringEnded | StartDecided | GameEnded, style: Style) -> str:
    texts = style.texts
    match event:
        case Passed(seat=seat):
            return texts("duel.passes", who=style.name(seat))
        case AcquiringEnded(round=number):
            return "\n" + style.strong(texts("duel.tiling", n=number))
        case StartDecided():  # the next round says it
            return ""
        case GameEnded(scores=scores, places=places):
            winner = style.name(places.index(1))
            key = "duel.tied" if len(set(scores)) == 1 else "duel.won"
            return "\n" + style.strong(texts("over")) + " " + texts(key, who=winner)


def _narrate_score(
    event: ChipsPaid | TilePlaced | SpecialPlaced | BrokenScored | FaceScored | ScoreRaised, style: Style
) -> str:
    texts, who = style.texts, style.name(event.seat)
    match event:
        case ChipsPaid(row=row, chips=chips, missing=missing):
            return texts("duel.paid", who=who, line=row + 1, chips=chips_text(chips, style), n=missing)
        case TilePlaced(row=row, column=column, colour=colour, points=points):
            where = texts("duel.placed", who=who, tile=_colour(colour, style), row=row + 1, column=column + 1)
            return f"{where} {_runs(event, style)} = {style.points(points)}"
        case SpecialPlaced(row=row, column=column, points=points):
            return f"{texts('duel.special', who=who, row=row + 1, column=column + 1)} = {style.points(points)}"
        case BrokenScored():
            return _narrate_costs(event, style)
        case FaceScored(face=face, count=count, each=each, points=points):
            price = signed(each) if each < 0 else each
            return f"{who}: {texts(f'duel.counted.{face}', n=count)}, {count} × {price} = {style.points(points)}"
        case ScoreRaised(points=points):
            return f"{texts('duel.raised', who=who)} {style.points(points)}"


def _narrate_costs(event: BrokenScored, style: Style) -> str:
    """DU35: return the cost of broken tiles and of the start tile."""
    texts, total = style.texts, event.cost + event.start_tile_cost
    parts = [texts("duel.broken_cost", n=len(event.tiles), cost=event.cost)] if event.tiles else []
    parts += [texts("duel.start_tile_cost", cost=event.start_tile_cost)] if event.start_tile_cost else []
    clamp = "" if -event.points == total else " " + texts("duel.clamp")
    return f"{style.name(event.seat)}: {', '.join(parts)} = {style.points(-total)}{clamp}"


def _runs(event: TilePlaced, style: Style) -> str:
    if event.across == event.down == 1:
        return style.texts("duel.alone")
    parts = [style.texts("duel.across", n=event.across)] if event.across > 1 else []
    parts += [style.texts("duel.down", n=event.down)] if event.down > 1 else []
    return " + ".join(parts)


def _colour(colour: Colour, style: Style) -> str:
    return style.texts(f"duel.colour.{colour}")


def _chip_name(chip: Chip, style: Style) -> str:
    return "/".join(_colour(colour, style) for colour in CHIP_COLOURS[chip])


def _tiles(tiles: Tiles, style: Style) -> str:
    return "".join(map(style.chip, tiles))


def _plates(plates: Sequence[Plate | Kind], style: Style) -> str:
    return " ".join(plate_text(plate, style) for plate in plates)


def _kind(plate: Plate | Kind) -> str:
    return "special" if kind_of(plate) == "*" else "joker"


def round_of(view: View) -> int:
    """Return the current round."""
    return view.round


# What would happen


def explain(preview: Preview, style: Style) -> str:
    """Return where the tiles land, what breaks, and what the round would score."""
    texts = style.texts
    parts: list[str] = []
    if preview.line is not None:
        parts.append(texts("duel.will_lay", n=len(preview.spaces), line=preview.line + 1))
    if preview.start_tile:
        parts.append(texts("duel.will_start"))
    if preview.broken:
        parts.append(texts("duel.will_break", n=len(preview.broken), cost=preview.broken_cost))
    if preview.tower:
        parts.append(texts("duel.spilt", n=preview.tower))
    parts += [texts("duel.will_stick", colour=_colour(line.colour, style)) for line in preview.breaking]
    parts.append(texts("duel.will_score", gain=style.points(preview.points), score=preview.score))
    return " ".join(parts)


def points(event: Event) -> list[Entry]:  # noqa: PLR0911  one case per event
    """Return the ledger entries of an event. The starting points count with the first plate."""
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


def plate_text(plate: Plate, style: Style) -> str:
    """Return the spaces of a plate in reading order."""
    return "".join(map(style.chip, plate))


def chip_text(chip: Chip, style: Style) -> str:
    """Return the letter of a chip and, if it has two colours, the second one: B is written Br.

    >>> from tessella.text.i18n import Translations
    >>> style = Style(Translations("en"), [], colour=False)
    >>> chip_text("b", style), chip_text("T", style)
    ('b', 'Ty')
    """
    return "".join(map(style.chip, chip + CHIP_COLOURS[chip][1:]))


def chips_text(chips: Chips, style: Style) -> str:
    """Return the chips of a payment."""
    return " ".join(chip_text(chip, style) for chip in chips)
