"""Positions and moves that render as text at a prompt and as a picture in a notebook."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, overload

from msgspec import Struct

from tessella.core.game import AnyGame, Choose, Move, Over, Seat
from tessella.core.record import write_act
from tessella.svg import PAINTERS, Contents, Picture
from tessella.svg.board import picture
from tessella.text.i18n import Translations, preferred_language
from tessella.text.narration import standings
from tessella.text.renderers import renderer_for
from tessella.text.style import Style, signed, terminal_width, wants_colour

MAX_LISTED_MOVES = 12
"""How many moves are listed at a prompt; a notebook lists all of them in a scrolling box."""


def prompt_style(names: Sequence[str]) -> Style:
    """Return the text style for this prompt."""
    return Style(Translations(preferred_language()), names, colour=wants_colour(), width=terminal_width())


def plain_style(names: Sequence[str]) -> Style:
    """Return the text style for pictures, without colour codes."""
    return Style(Translations(preferred_language()), names, colour=False)


class Position(Struct, frozen=True):
    """A position as a seat sees it, or a spectator (None).

    >>> from tessella.research import position
    >>> position("blockers", "seats=2 scoring=blockers").seat is None
    True
    """

    game: AnyGame
    state: Any
    seat: Seat | None = None
    names: tuple[str, ...] = ()
    before: Any = None
    """The previous state, to mark what is new; None: mark nothing."""

    @property
    def view(self) -> Any:  # noqa: ANN401
        """The seat's view."""
        return self.game.view(self.state, self.seat)

    def __str__(self) -> str:
        """Return the notation of the position, which `position` reads."""
        return self.game.write_state(self.state)

    def __repr__(self) -> str:
        """Return the table as text."""
        style = prompt_style(self.names)
        return "\n".join([*renderer_for(self.game.NAME).draw(self.view, style), *self._result(style)]).rstrip()

    def _result(self, style: Style) -> list[str]:
        turn = self.game.turn(self.state)
        return standings(turn, style) if isinstance(turn, Over) else []

    def _repr_html_(self) -> str:
        return self.html()

    def html(self) -> str:
        """Return a picture or, for a game without a painter that describes no board, text."""
        if self.game.NAME in PAINTERS:
            return self.svg()
        return picture(self.game, self.view, plain_style(self.names)) or f"<pre>{escape(repr(self))}</pre>"

    def svg(self) -> str:
        """Return the table as SVG, for a paper or a page."""
        return self.picture().svg()

    def picture(self) -> Picture:
        """Return the picture of the table; what is new since `before` is marked."""
        layout, contents = PAINTERS[self.game.NAME].layout_of(self.view.config), self.contents(self.state)
        fresh = contents.fresh(self.contents(self.before)) if self.before is not None else []
        return Picture(layout, contents, self._title(), [place for place in fresh if not layout.places[place].quiet])

    def contents(self, state: Any) -> Contents:  # noqa: ANN401
        """Return the contents of the table in a state, as the seat sees it."""
        return PAINTERS[self.game.NAME].contents_of(self.game.view(state, self.seat), plain_style(self.names))

    def _title(self) -> str:
        style, turn = plain_style(self.names), self.game.turn(self.state)
        if isinstance(turn, Over):
            return " ".join([self.game.NAME.title(), *standings(turn, style)])
        movers = ", ".join(map(style.name, turn.seats)) if isinstance(turn, Choose) else ""
        return f"{self.game.NAME.title()}: {movers}"


class Choice(Struct, frozen=True):
    """A legal move in a position, and what it would do."""

    position: Position
    move: Move

    def __str__(self) -> str:
        """Return the notation of the move."""
        return write_act(self.position.game, self.position.state, self.move)

    @property
    def points(self) -> int:
        """What the mover would gain if the round, or the game, were scored right after the move."""
        points: int = self._preview.points
        return points

    @property
    def story(self) -> str:
        """What the move would do, in a sentence or two."""
        return renderer_for(self.position.game.NAME).explain(self._preview, plain_style(self.position.names))

    @property
    def _preview(self) -> Any:  # noqa: ANN401
        return self.position.game.preview(self.position.state, self.move)

    def __repr__(self) -> str:
        return f"{self}  {self.story}"

    def _repr_html_(self) -> str:
        """Return the table after the move, with its changes in dashed rings."""
        said = f'<p style="margin:6px 0"><code>{escape(str(self))}</code> {escape(self.story)}</p>'
        game, before = self.position.game, self.position.state
        if game.NAME not in PAINTERS:
            return said
        after, _ = game.apply(before, self.move)
        shown = Position(game, after, self.move.seat, self.position.names, before).picture()
        return said + Picture(shown.layout, shown.contents, self.story, shown.marked, ahead=True).svg()


class Choices(Sequence[Choice]):
    """All legal moves in a position, in the order of the rules."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        self._choices = tuple(choices)

    @overload
    def __getitem__(self, index: int) -> Choice: ...
    @overload
    def __getitem__(self, index: slice) -> "Choices": ...
    def __getitem__(self, index: int | slice) -> "Choice | Choices":
        """Return one move, or a slice of them."""
        return Choices(self._choices[index]) if isinstance(index, slice) else self._choices[index]

    def __len__(self) -> int:
        return len(self._choices)

    def __iter__(self) -> Iterator[Choice]:
        return iter(self._choices)

    def best(self) -> "Choices":
        """Return the moves sorted by `points`, the highest first."""
        return Choices(sorted(self._choices, key=lambda choice: -choice.points))

    def __repr__(self) -> str:
        words = Translations(preferred_language())
        lines = [words("moves", n=len(self)), *(f"  {choice!r}" for choice in self._choices[:MAX_LISTED_MOVES])]
        return "\n".join([*lines, *([f"  … {len(self) - MAX_LISTED_MOVES}"] if len(self) > MAX_LISTED_MOVES else [])])

    def _repr_html_(self) -> str:
        rows = [
            f"<tr>{_cell('left', f'<code>{escape(str(choice))}</code>')}{_cell('right', signed(choice.points))}"
            f"{_cell('left', escape(choice.story))}</tr>"
            for choice in self._choices
        ]
        return f'<div style="max-height:22em;overflow-y:auto"><table>{"".join(rows)}</table></div>'


def _cell(side: str, inside: str) -> str:
    return f'<td style="text-align:{side};padding:2px 10px">{inside}</td>'
