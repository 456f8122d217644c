"""The events of Blockers!; only the faces of drawn tiles are secret.

Events say what happened, never how long to show it. Each scoring event carries its rule and its arithmetic, so every
point can be explained. Cells count from 0, row by row.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from tessella.core.game import Public, Seat
from tessella.games.blockers.pieces import Cell, Colour, Face, Faces

ScoreRule: TypeAlias = Literal["BL21", "BL23", "BL33"]
"""How a seat is scored: by groups and captures, by groups alone, or with two colours."""

EndRule: TypeAlias = Literal["BL20", "BL32"]
"""Why the game ends, or a rack is shown: the last round is complete or, with two players, a colour is finished."""


class Tally(Public, frozen=True):
    """The score of a seat if the game ended now: one per group, plus its captures of the colour it captured most."""

    groups: tuple[int, ...]
    """The sizes of the groups of its colours, the largest first."""
    captured: tuple[int, ...]
    """How many tiles it captured of each colour of the game."""
    counted: Colour | None
    """The colour whose captured tiles count; None if no captures do."""
    score: int
    """The lowest wins."""


class GameEvent(Public, frozen=True, tag=True):
    """Base of all public events."""


class StartDrawn(GameEvent, frozen=True):
    """Chance decided who starts."""

    seat: Seat
    rule: str = "BL03"


class TilesDrawn(GameEvent, frozen=True):
    """A seat drew tiles of a colour; `supply` is what is left. `tiles` is None for viewers who may not see them."""

    seat: Seat
    colour: Colour
    count: int
    supply: int
    tiles: Faces | None
    rule: Literal["BL03", "BL16"]


class Secret(Struct, frozen=True):
    """A draw as its owner sees it. Not public: `witness` returns what each seat may know about it."""

    drawn: TilesDrawn


class LastRoundStarted(GameEvent, frozen=True):
    """All supplies are empty: every seat plays once more."""

    rule: str = "BL20"


class TileCaptured(GameEvent, frozen=True):
    """A tile was captured and lies open before its captor; its group shrank from `group` tiles to `rest`."""

    seat: Seat
    cell: Cell
    colour: Colour
    face: Face
    group: int
    rest: int
    rule: str = "BL14"


class TilePlaced(GameEvent, frozen=True):
    """A tile was placed. It joined groups of these sizes, or none, and is now in a group of `group` tiles."""

    seat: Seat
    cell: Cell
    colour: Colour
    face: Face
    joined: tuple[int, ...]
    group: int
    rule: str = "BL10"


class TilePutAside(GameEvent, frozen=True):
    """A seat could place no tile and put this one aside, face up."""

    seat: Seat
    colour: Colour
    face: Face
    rule: str = "BL17"


class RackShown(GameEvent, frozen=True):
    """The unplayed tiles of a colour are shown: with two players when the colour is finished, otherwise at the end."""

    seat: Seat
    colour: Colour
    rack: Faces
    rule: EndRule


class SeatScored(GameEvent, frozen=True):
    """The final score of a seat: its groups, and its captures of the colour that counts."""

    seat: Seat
    tally: Tally
    rule: ScoreRule


class GameEnded(GameEvent, frozen=True):
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
