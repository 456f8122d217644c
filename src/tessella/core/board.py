"""A table described by its game: zones with spaces and pieces, and where to point for each move.

A client that has no board of its own for a game draws this description. It is made from a view, never from a state, so
it reveals to a seat no more than the seat may know. Texts are keys of the game's own catalogue.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias, cast

from tessella.core.game import AnyGame, Move, Public, Seat, View

Colour: TypeAlias = Literal["blue", "yellow", "red", "black", "white", "turquoise", "green", "violet"]
Shape: TypeAlias = Literal["tile", "disc", "card", "domino"]
"""A domino shows two numbers: its text is two digits, as in `35`."""


class Words(Public, frozen=True):
    """A text of the game's catalogue and its blanks; the blank `seat` is shown as the name of that player."""

    key: str
    blanks: Mapping[str, str | int] = {}


class Piece(Public, frozen=True):
    """Something that lies on the table. `name` is for people who cannot see it; without one, the text is."""

    text: str = ""
    colour: Colour = "white"
    shape: Shape = "tile"
    is_hidden: bool = False
    """It lies face down; it has no text then."""
    name: Words | None = None


class Space(Public, frozen=True):
    """A place for a piece. `id` is unique on the board: moves point at it. `hint` is printed on it while it is free."""

    id: str
    piece: Piece | None = None
    name: Words | None = None
    hint: str = ""


class Grid(Public, frozen=True, tag="grid"):
    """Spaces in rows and columns, in reading order; None where the board has no space.

    `seat` is the owner of a zone; None if it belongs to everybody.
    """

    id: str
    name: Words
    columns: int
    spaces: tuple[Space | None, ...]
    seat: Seat | None = None


class Track(Public, frozen=True, tag="track"):
    """Spaces in a line that may wrap: a row of tiles, a hand, a path."""

    id: str
    name: Words
    spaces: tuple[Space, ...]
    seat: Seat | None = None


class Stack(Public, frozen=True, tag="stack"):
    """Pieces on top of each other: how many, and the top one. Moves point at its `id`."""

    id: str
    name: Words
    count: int
    top: Piece | None = None
    seat: Seat | None = None


Zone: TypeAlias = Grid | Track | Stack


class Board(Public, frozen=True):
    """A whole table: its zones, each seat's score, small facts such as the round, and what the viewer has to do."""

    zones: tuple[Zone, ...]
    scores: tuple[int, ...]
    facts: tuple[Words, ...] = ()
    todo: Words | None = None


class Choice(Public, frozen=True):
    """A legal move for people: the ids of the spaces and stacks to point at, and the move in words.

    A move that lies nowhere on the board has no steps; clients offer it as a button.
    """

    words: Words
    steps: tuple[str, ...] = ()


class Described(Protocol):
    """What a game adds to `Game` to be drawn by every client."""

    def describe(self, view: Any, /) -> Board:  # noqa: ANN401  a view of the game
        """Return the table as the seat of the view sees it."""
        ...

    def compose(self, view: Any, move: Any, /) -> Choice:  # noqa: ANN401  a view and a move of the game
        """Return how the seat of the view makes a legal move."""
        ...


def _described(game: AnyGame) -> Described | None:
    """Return the game if it describes itself.

    Every view asks: a check of the protocol by `isinstance` would be a third of the time of a move.
    """
    return cast("Described", game) if hasattr(game, "describe") and hasattr(game, "compose") else None


def board_of(game: AnyGame, view: View) -> Board | None:
    """Return the description of a table; None if the game does not describe itself."""
    described = _described(game)
    return described.describe(view) if described else None


def choices_of(game: AnyGame, view: View, moves: Sequence[Move]) -> tuple[Choice, ...]:
    """Return how each move is made; nothing if the game does not describe itself."""
    described = _described(game)
    return tuple([described.compose(view, move) for move in moves]) if described else ()


class _Lowest:
    """A source of numbers that is always the same."""

    def randrange(self, stop: int, /) -> int:  # noqa: ARG002
        return 0


def choice_for(game: AnyGame, view: View, text: str) -> Choice | None:
    """Return how a move in notation is made, from what its seat may know; None if the game does not describe itself."""
    described = _described(game)
    if described is None or view.seat is None:
        return None
    return described.compose(view, game.read_move(game.imagine(view, _Lowest()), view.seat, text))
