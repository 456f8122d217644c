"""The events of Azul; none of them is secret.

Events say what happened, never how long to show it. Each scoring event carries its rule and its arithmetic, so every
point can be explained. Factories, rows, columns and spaces count from 0.
"""

from typing import Literal, TypeAlias

from tessella.core.game import Public, Seat
from tessella.games.azul.pieces import Colour, Tiles

FallRule: TypeAlias = Literal["AZ13", "AZ16", "AZ32"]
"""Why tiles fall: the line is full, the player chose the floor, or no column accepts the line."""

EndRule: TypeAlias = Literal["AZ50", "AZ42", "AZ44"]
"""Why the game ends: a complete row, no tile left, or round 50."""


class GameEvent(Public, frozen=True, tag=True):
    """Base of all events."""


class RoundStarted(GameEvent, frozen=True):
    """A round begins; the marker lies in the centre."""

    round: int
    start: Seat


class LidPoured(GameEvent, frozen=True):
    """The bag ran out: the tiles of the lid went into it before this factory was full."""

    tiles: int
    factory: int
    rule: str = "AZ40"


class FactoryFilled(GameEvent, frozen=True):
    """A factory got its tiles, possibly fewer than four or none."""

    factory: int
    tiles: Tiles


class TilesTaken(GameEvent, frozen=True):
    """A seat took all tiles of a colour; the rest of a factory moved to the centre. Source None is the centre."""

    seat: Seat
    source: int | None
    colour: Colour
    count: int
    rest: Tiles
    rule: str = "AZ10"


class MarkerTaken(GameEvent, frozen=True):
    """The first seat to take from the centre also took the marker. Space None: the floor line was full."""

    seat: Seat
    space: int | None
    rule: str = "AZ11"


class TilesLaid(GameEvent, frozen=True):
    """Tiles went into a pattern line, into these spaces counted from the right."""

    seat: Seat
    line: int
    colour: Colour
    spaces: tuple[int, ...]
    rule: str = "AZ13"


class TilesFell(GameEvent, frozen=True):
    """Tiles fell to these spaces of the floor line; the rest went into the lid."""

    seat: Seat
    colour: Colour
    spaces: tuple[int, ...]
    lid: int
    rule: FallRule


class DraftingEnded(GameEvent, frozen=True):
    """No tile is left in the factories and the centre."""

    round: int
    rule: str = "AZ18"


class TilePlaced(GameEvent, frozen=True):
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


class FloorScored(GameEvent, frozen=True):
    """The floor line cost points: `costs` per space; `points` is what the score actually lost, as a negative number."""

    seat: Seat
    tiles: Tiles
    costs: tuple[int, ...]
    points: int
    rule: str = "AZ23"


class StartDecided(GameEvent, frozen=True):
    """The seat that starts the next round: the holder of the marker, or the same seat as before if no seat took it."""

    seat: Seat
    rule: Literal["AZ24", "AZ43"]


class BonusScored(GameEvent, frozen=True):
    """At the end: points for complete rows, columns and colours."""

    seat: Seat
    kind: Literal["row", "column", "colour"]
    count: int
    each: int
    points: int
    rule: str = "AZ51"


class GameEnded(GameEvent, frozen=True):
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
