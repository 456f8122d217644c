"""The events of Azul Duel.

Events say what happened, never how long to show it. Each scoring event carries its rule and its arithmetic, so every
point can be explained. Factories, lines, rows, columns, slots and spaces count from 0; factory 0 is the large one.

Two things are secret: which plates a player looks at, and which one goes back under the stack. Their events,
`PlatesLookedAt` and `PlatePutBack`, are not public; `view.witness` turns them into what each seat saw.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from tessella.core.game import Public, Seat
from tessella.games.duel.pieces import Chip, Chips, Colour, Face, Kind, Plate, Tiles

OpenRule: TypeAlias = Literal["DU10", "DU12", "DU40"]
"""When plates are opened: before the game, after each first plate, and before each later round."""

PlaceRule: TypeAlias = Literal["DU12", "DU20"]
"""Why a plate is placed: as a player's first, or for a token."""

BreakRule: TypeAlias = Literal["DU27", "DU32"]
"""Why tiles break: they did not go into a line, or their line can never be placed."""


class GameEvent(Public, frozen=True, tag=True):
    """Base of all public events."""


# Preparing


class StackShuffled(GameEvent, frozen=True):
    """The plates were shuffled and a start player was drawn; kinds from the top of the stack."""

    start: Seat
    kinds: str
    rule: str = "DU10"


class PlatesOpened(GameEvent, frozen=True):
    """Plates from the top of the stack now lie open."""

    plates: tuple[Plate, ...]
    rule: OpenRule


class RoundStarted(GameEvent, frozen=True):
    """A round begins: the players have their tokens, the start tile lies on the large factory."""

    round: int
    start: Seat


class TowerPoured(GameEvent, frozen=True):
    """The tiles of the tower went into the bag before this factory was full.

    DU40: the bag was empty; DU11: it held a single colour.
    """

    tiles: int
    factory: int
    rule: Literal["DU11", "DU40"]


class FactoryFilled(GameEvent, frozen=True):
    """A factory got its tiles, possibly too few or none; a small one also got a chip, face down."""

    factory: int
    tiles: Tiles
    rule: str = "DU10"


class ChipRevealed(GameEvent, frozen=True):
    """A small factory is empty, so its chip was turned over."""

    factory: int
    chip: Chip
    rule: str = "DU26"


# Phase 1: acquire


class TokenPlaced(GameEvent, frozen=True):
    """A seat placed a dome token to get a plate; `left` are still to be placed."""

    seat: Seat
    left: int
    rule: str = "DU20"


class PlateDrawn(GameEvent, frozen=True):
    """A seat drew a plate from the stack, unseen; `points` is what the score actually lost, as a negative number."""

    seat: Seat
    kind: Kind
    points: int
    rule: Literal["DU20", "DU22"]


class PlatesLookedAt(Struct, frozen=True):
    """A seat looked at the plates that it drew. Secret: see `PlatesSeen`."""

    seat: Seat
    plates: tuple[Plate, ...]


class PlatesSeen(GameEvent, frozen=True):
    """A seat looked at the plates it drew: it saw the faces, others saw the backs."""

    seat: Seat
    plates: tuple[Plate | Kind, ...]
    rule: str = "DU20"


class PlatePlaced(GameEvent, frozen=True):
    """A seat took an open plate, or kept one that it drew, and laid it in a slot."""

    seat: Seat
    plate: Plate
    slot: int
    drawn: bool
    rule: PlaceRule


class PlatePutBack(Struct, frozen=True):
    """A seat put a plate under the stack. Secret: see `PlateReturned`."""

    seat: Seat
    plate: Plate


class PlateReturned(GameEvent, frozen=True):
    """A seat put a plate under the stack: it knows which, others saw the back."""

    seat: Seat
    plate: Plate | Kind
    rule: str = "DU20"


class SunTaken(GameEvent, frozen=True):
    """A seat took all tiles of a colour from the sun of a factory; `rest` goes to its moon."""

    seat: Seat
    factory: int
    colour: Colour
    count: int
    rest: Tiles
    rule: str = "DU23"


class TilesStacked(GameEvent, frozen=True):
    """The leftover of a small factory was stacked on its chip, the bottom tile first."""

    seat: Seat
    factory: int
    tiles: Tiles
    rule: str = "DU23"


class MoonsTaken(GameEvent, frozen=True):
    """A seat took tiles of a colour from the moons: `counts` says how many from each factory."""

    seat: Seat
    colour: Colour
    counts: tuple[int, ...]
    rule: str = "DU24"


class StartTileTaken(GameEvent, frozen=True):
    """A seat took the start tile from the large factory."""

    seat: Seat
    rule: str = "DU25"


class ChipTaken(GameEvent, frozen=True):
    """A seat took a revealed chip."""

    seat: Seat
    factory: int
    chip: Chip
    rule: str = "DU26"


class TilesLaid(GameEvent, frozen=True):
    """Tiles went into a pattern line, into these spaces counted from the right."""

    seat: Seat
    line: int
    colour: Colour
    spaces: tuple[int, ...]
    rule: str = "DU27"


class TilesBroke(GameEvent, frozen=True):
    """Tiles went to these broken spaces; the rest went into the tower at no cost (DU28)."""

    seat: Seat
    colour: Colour
    spaces: tuple[int, ...]
    tower: int
    rule: BreakRule


class Passed(GameEvent, frozen=True):
    """A seat had no action and was skipped."""

    seat: Seat
    rule: str = "DU29"


class AcquiringEnded(GameEvent, frozen=True):
    """Phase 1 is over: the factories are empty and all tokens are placed."""

    round: int
    rule: str = "DU29"


# Phase 2: tile the dome


class ChipsPaid(GameEvent, frozen=True):
    """A seat completed a line with chips, which stand for this many tiles."""

    seat: Seat
    row: int
    chips: Chips
    missing: int
    rule: str = "DU31"


class TilePlaced(GameEvent, frozen=True):
    """A tile went to the dome and scored its runs; the other tiles of its line went into the tower.

    `across` and `down` are the lengths of the runs through the tile; a run of 1 gives nothing, unless both are 1.
    """

    seat: Seat
    row: int
    column: int
    colour: Colour
    across: int
    down: int
    points: int
    tower: int
    rule: str = "DU33"


class SpecialPlaced(GameEvent, frozen=True):
    """The coloured spaces of a special plate are filled: its special tile was placed and scored its row."""

    seat: Seat
    row: int
    column: int
    points: int
    rule: str = "DU34"


class BrokenScored(GameEvent, frozen=True):
    """Broken tiles and the start tile cost points; `points` is what the score actually lost, as a negative number."""

    seat: Seat
    tiles: Tiles
    cost: int
    start_tile_cost: int
    points: int
    rule: str = "DU35"


# The next round, and the end


class StartDecided(GameEvent, frozen=True):
    """The seat that starts the next round: the holder of the start tile or, if no seat took it, the same as before."""

    seat: Seat
    rule: str = "DU41"


class FaceScored(GameEvent, frozen=True):
    """At the end: points for a face of a scoring tile."""

    seat: Seat
    face: Face
    count: int
    each: int
    points: int
    rule: str


class ScoreRaised(GameEvent, frozen=True):
    """At the end: a score below 0 became 0."""

    seat: Seat
    points: int
    rule: str = "DU57"


class GameEnded(GameEvent, frozen=True):
    """Five rounds are over; on equal points the start tile decides."""

    scores: tuple[int, ...]
    places: tuple[int, ...]
    rule: str = "DU58"


Witnessed: TypeAlias = (
    StackShuffled
    | PlatesOpened
    | RoundStarted
    | TowerPoured
    | FactoryFilled
    | ChipRevealed
    | TokenPlaced
    | PlateDrawn
    | PlatesSeen
    | PlatePlaced
    | PlateReturned
    | SunTaken
    | TilesStacked
    | MoonsTaken
    | StartTileTaken
    | ChipTaken
    | TilesLaid
    | TilesBroke
    | Passed
    | AcquiringEnded
    | ChipsPaid
    | TilePlaced
    | SpecialPlaced
    | BrokenScored
    | StartDecided
    | FaceScored
    | ScoreRaised
    | GameEnded
)
"""What a seat witnesses."""

Event: TypeAlias = Witnessed | PlatesLookedAt | PlatePutBack
"""What the rules emit, before `witness`."""
