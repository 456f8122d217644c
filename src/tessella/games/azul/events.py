"""What can happen at a table of Azul. Nothing of it is secret.

Events say what happened, never for how long. Each scoring event carries its rule and its arithmetic, so that every
point can be explained. Factories, rows, columns and spaces count from 0.
"""

from typing import Literal, TypeAlias

from tessella.core.game import Public, Seat
from tessella.games.azul.pieces import Colour, Tiles

FallRule: TypeAlias = Literal["AZ13", "AZ16", "AZ32"]
"""Why tiles fall: they found no room in the line, the player chose the floor, or no column took the line."""

EndRule: TypeAlias = Literal["AZ50", "AZ42", "AZ44"]
"""Why the game ends: a complete row, no tile left, or round 50."""


class Happening(Public, frozen=True, tag=True):
    """Anything that happens at the table."""


class RoundStarted(Happening, frozen=True):
    """A round begins; the marker lies in the centre."""

    round: int
    start: Seat


class LidPoured(Happening, frozen=True):
    """The bag was empty: the tiles of the lid went into it before this factory was full."""

    tiles: int
    factory: int
    rule: str = "AZ40"


class FactoryFilled(Happening, frozen=True):
    """A factory got its tiles, maybe fewer than four or none."""

    factory: int
    tiles: Tiles


class TilesTaken(Happening, frozen=True):
    """A seat took all tiles of a colour; the rest of a factory moved to the centre. Source None is the centre."""

    seat: Seat
    source: int | None
    colour: Colour
    count: int
    rest: Tiles
    rule: str = "AZ10"


class MarkerTaken(Happening, frozen=True):
    """The first to take from the centre took the marker too. Space None: the floor line was full."""

    seat: Seat
    space: int | None
    rule: str = "AZ11"


class TilesLaid(Happening, frozen=True):
    """Tiles went into a pattern line, into these spaces counted from the right."""

    seat: Seat
    line: int
    colour: Colour
    spaces: tuple[int, ...]
    rule: str = "AZ13"


class TilesFell(Happening, frozen=True):
    """Tiles fell to these spaces of the floor line; what found no space went into the lid."""

    seat: Seat
    colour: Colour
    spaces: tuple[int, ...]
    lid: int
    rule: FallRule


class DraftingEnded(Happening, frozen=True):
    """No tile is left in the factories and the centre."""

    round: int
    rule: str = "AZ18"


class TilePlaced(Happening, frozen=True):
    """A tile went to the wall and scored its runs; the other tiles of its line went into the lid.

    `across` and `down` are the lengths of the runs through the tile; a run of 1 gives nothing, unless both are 1.
    """

    seat: Seat
    row: int
    column: int
    colour: Colour
    across: int
    down: int
    points: int
    lid: int
    rule: str = "AZ22"


class FloorScored(Happening, frozen=True):
    """The floor line cost points: `costs` per space; `points` is what the score really lost, as a negative number."""

    seat: Seat
    tiles: Tiles
    costs: tuple[int, ...]
    points: int
    rule: str = "AZ23"


class StartDecided(Happening, frozen=True):
    """Who starts the next round: the holder of the marker, or the same seat as before if nobody took it."""

    seat: Seat
    rule: Literal["AZ24", "AZ43"]


class BonusScored(Happening, frozen=True):
    """At the end: points for complete rows, columns and colours."""

    seat: Seat
    kind: Literal["row", "column", "colour"]
    count: int
    each: int
    points: int
    rule: str = "AZ51"


class GameEnded(Happening, frozen=True):
    """The game is over, for the reason that the rule gives."""

    scores: tuple[int, ...]
    places: tuple[int, ...]
    rule: EndRule


Event: TypeAlias = (
    RoundStarted
    | LidPoured
    | FactoryFilled
    | TilesTaken
    | MarkerTaken
    | TilesLaid
    | TilesFell
    | DraftingEnded
    | TilePlaced
    | FloorScored
    | StartDecided
    | BonusScored
    | GameEnded
)
