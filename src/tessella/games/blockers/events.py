"""What can happen at a table of Blockers!. Only the faces of drawn tiles are secret.

Events say what happened, never for how long. Each scoring event carries its rule and its arithmetic, so that every
point can be explained. Cells count from 0, row by row.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from tessella.core.game import Public, Seat
from tessella.games.blockers.pieces import Cell, Colour, Face, Faces

ScoreRule: TypeAlias = Literal["BL21", "BL23", "BL33"]
"""How a seat is scored: by groups and captures, by groups alone, or with two colours."""

EndRule: TypeAlias = Literal["BL20", "BL32"]
"""Why the game ends, or a rack is shown: the last round is complete; of two players, a colour is finished."""


class Tally(Public, frozen=True):
    """What a seat would score now: one for each group, and what it captured of the colour that it captured most."""

    groups: tuple[int, ...]
    """The sizes of the groups of its colours, the largest first."""
    captured: tuple[int, ...]
    """How many tiles it captured of each colour of the game."""
    counted: Colour | None
    """The colour whose captured tiles count; None if no captures do."""
    score: int
    """The lowest wins."""


class Happening(Public, frozen=True, tag=True):
    """Anything that happens at the table."""


class StartDrawn(Happening, frozen=True):
    """Chance decided who starts."""

    seat: Seat
    rule: str = "BL03"


class TilesDrawn(Happening, frozen=True):
    """A seat drew tiles of a colour, and so many are left in the supply. `tiles` is None for who may not see them."""

    seat: Seat
    colour: Colour
    count: int
    supply: int
    tiles: Faces | None
    rule: Literal["BL03", "BL16"]


class Secret(Struct, frozen=True):
    """A draw as its owner sees it. It is not public: `witness` says what each seat may know of it."""

    drawn: TilesDrawn


class LastRoundStarted(Happening, frozen=True):
    """Everybody has drawn the last tile: everybody plays once more."""

    rule: str = "BL20"


class TileCaptured(Happening, frozen=True):
    """A tile left the board and lies open before its captor; its group has shrunk from `group` tiles to `rest`."""

    seat: Seat
    cell: Cell
    colour: Colour
    face: Face
    group: int
    rest: int
    rule: str = "BL14"


class TilePlaced(Happening, frozen=True):
    """A tile was placed. It joined groups of these sizes, or none, and is now in a group of `group` tiles."""

    seat: Seat
    cell: Cell
    colour: Colour
    face: Face
    joined: tuple[int, ...]
    group: int
    rule: str = "BL10"


class TilePutAside(Happening, frozen=True):
    """A seat could place no tile at all and put this one aside, open."""

    seat: Seat
    colour: Colour
    face: Face
    rule: str = "BL17"


class RackShown(Happening, frozen=True):
    """The tiles that are never played are shown: of two players when a colour is finished, otherwise at the end."""

    seat: Seat
    colour: Colour
    rack: Faces
    rule: EndRule


class SeatScored(Happening, frozen=True):
    """The final score of a seat: its groups, and its captures of the colour that counts."""

    seat: Seat
    tally: Tally
    rule: ScoreRule


class GameEnded(Happening, frozen=True):
    """The game is over, for the reason that the rule gives."""

    scores: tuple[int, ...]
    places: tuple[int, ...]
    rule: EndRule


PublicEvent: TypeAlias = (
    StartDrawn
    | TilesDrawn
    | LastRoundStarted
    | TileCaptured
    | TilePlaced
    | TilePutAside
    | RackShown
    | SeatScored
    | GameEnded
)

Event: TypeAlias = Secret | PublicEvent
