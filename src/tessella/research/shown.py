"""Positions and moves that show themselves: as text at a prompt, as a picture in a notebook."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, overload

from msgspec import Struct

from tessella.core.game import AnyGame, Choose, Move, Over, Seat
from tessella.core.record import write_act
from tessella.research.pictures import PAINTERS, Moment, Picture
from tessella.terminal.faces import face_of
from tessella.terminal.pen import Pen, signed, terminal_width, wants_colour
from tessella.terminal.play import standings
from tessella.terminal.words import Words, preferred_language

SHOWN = 12
"""So many moves are listed at a prompt; a notebook lists all of them, in a box that scrolls."""


def pen_for(names: Sequence[str]) -> Pen:
    """Who draws for the person at this prompt."""
    return Pen(Words(preferred_language()), names, colour=wants_colour(), width=terminal_width())


def plain_pen(names: Sequence[str]) -> Pen:
    """Who writes into pictures: words only."""
    return Pen(Words(preferred_language()), names, colour=False)


class Position(Struct, frozen=True):
    """A table at one moment, as a seat sees it, or a spectator (None).

    >>> from tessella.research import position
    >>> position("blockers", "seats=2 scoring=blockers").seat is None
    True
    """

    game: AnyGame
    state: Any
    seat: Seat | None = None
    names: tuple[str, ...] = ()
    before: Any = None
    """The state that it came from, if what is new shall be marked."""

    @property
    def view(self) -> Any:  # noqa: ANN401
        """What the seat may know."""
        return self.game.view(self.state, self.seat)

    def __str__(self) -> str:
        """The position in one line, to be read again by `position`."""
        return self.game.write_state(self.state)

    def __repr__(self) -> str:
        """The table as text."""
        pen = pen_for(self.names)
        return "\n".join([*face_of(self.game.NAME).draw(self.view, pen), *self._result(pen)]).rstrip()

    def _result(self, pen: Pen) -> list[str]:
        turn = self.game.turn(self.state)
        return standings(turn, pen) if isinstance(turn, Over) else []

    def _repr_html_(self) -> str:
        return self.html()

    def html(self) -> str:
        """What a notebook shows: a picture or, of a game that has no painter, text."""
        return self.svg() if self.game.NAME in PAINTERS else f"<pre>{escape(repr(self))}</pre>"

    def svg(self) -> str:
        """The table as a picture, for a paper or a page."""
        return self.picture().svg()

    def picture(self) -> Picture:
        """The table as it is drawn; what is new since `before` is marked."""
        scene, moment = PAINTERS[self.game.NAME].scene_of(self.view.config), self.moment(self.state)
        fresh = moment.fresh(self.moment(self.before)) if self.before is not None else []
        return Picture(scene, moment, self._title(), [place for place in fresh if not scene.places[place].quiet])

    def moment(self, state: Any) -> Moment:  # noqa: ANN401
        """What lies on the table in a state, as the seat sees it."""
        return PAINTERS[self.game.NAME].moment_of(self.game.view(state, self.seat), plain_pen(self.names))

    def _title(self) -> str:
        pen, turn = plain_pen(self.names), self.game.turn(self.state)
        if isinstance(turn, Over):
            return " ".join([self.game.NAME.title(), *standings(turn, pen)])
        movers = ", ".join(map(pen.name, turn.seats)) if isinstance(turn, Choose) else ""
        return f"{self.game.NAME.title()}: {movers}"


class Choice(Struct, frozen=True):
    """A legal move at a table, and what it would do."""

    position: Position
    move: Move

    def __str__(self) -> str:
        """The move in notation."""
        return write_act(self.position.game, self.position.state, self.move)

    @property
    def points(self) -> int:
        """What the mover would gain if the round, or the game, were scored right after it."""
        points: int = self._preview.points
        return points

    @property
    def story(self) -> str:
        """What it would do, in a sentence or two."""
        return face_of(self.position.game.NAME).explain(self._preview, plain_pen(self.position.names))

    @property
    def _preview(self) -> Any:  # noqa: ANN401
        return self.position.game.preview(self.position.state, self.move)

    def __repr__(self) -> str:
        return f"{self}  {self.story}"

    def _repr_html_(self) -> str:
        """The table as it would be, with what the move changes in dashed rings."""
        said = f'<p style="margin:6px 0"><code>{escape(str(self))}</code> {escape(self.story)}</p>'
        game, before = self.position.game, self.position.state
        if game.NAME not in PAINTERS:
            return said
        after, _ = game.apply(before, self.move)
        shown = Position(game, after, self.move.seat, self.position.names, before).picture()
        return said + Picture(shown.scene, shown.moment, self.story, shown.marked, ahead=True).svg()


class Choices(Sequence[Choice]):
    """All legal moves at a table, in the order of the rules."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        self._choices = tuple(choices)

    @overload
    def __getitem__(self, index: int) -> Choice: ...
    @overload
    def __getitem__(self, index: slice) -> "Choices": ...
    def __getitem__(self, index: int | slice) -> "Choice | Choices":
        """One of them, or some."""
        return Choices(self._choices[index]) if isinstance(index, slice) else self._choices[index]

    def __len__(self) -> int:
        return len(self._choices)

    def __iter__(self) -> Iterator[Choice]:
        return iter(self._choices)

    def best(self) -> "Choices":
        """The same moves, those that gain most at first sight first."""
        return Choices(sorted(self._choices, key=lambda choice: -choice.points))

    def __repr__(self) -> str:
        words = Words(preferred_language())
        lines = [words("moves", n=len(self)), *(f"  {choice!r}" for choice in self._choices[:SHOWN])]
        return "\n".join([*lines, *([f"  … {len(self) - SHOWN}"] if len(self) > SHOWN else [])])

    def _repr_html_(self) -> str:
        rows = [
            f"<tr>{_cell('left', f'<code>{escape(str(choice))}</code>')}{_cell('right', signed(choice.points))}"
            f"{_cell('left', escape(choice.story))}</tr>"
            for choice in self._choices
        ]
        return f'<div style="max-height:22em;overflow-y:auto"><table>{"".join(rows)}</table></div>'


def _cell(side: str, inside: str) -> str:
    return f'<td style="text-align:{side};padding:2px 10px">{inside}</td>'
