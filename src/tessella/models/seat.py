"""A table in words, as one seat may know it. Everything said comes from that seat's view and the events it saw."""

import json
from collections.abc import Sequence

from tessella.core import wire
from tessella.core.game import IllegalMove, Move, Over, Seat
from tessella.core.local import AnyTable
from tessella.models.disguise import Disguise
from tessella.text.i18n import Translations
from tessella.text.illegal_moves import illegal_text
from tessella.text.narration import narrate, standings
from tessella.text.renderers import renderer_for
from tessella.text.rulebook import page
from tessella.text.style import Style


class SeatText:
    """The table of a game in progress, rendered for one seat; a disguise gives everything other names."""

    def __init__(self, table: AnyTable, seat: Seat, disguise: Disguise | None = None) -> None:
        self.table = table
        self.seat = seat
        self.disguise = disguise
        self._told = 0
        seats = table.state.config.seats
        names = [f"player {other + 1}" for other in range(seats)]
        self._style = Style(Translations("en"), names, colour=False)

    @property
    def is_turn(self) -> bool:
        """Whether this seat may move now."""
        return self.seat in self.table.seats

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self.table.seats

    def status(self) -> str:
        """Return whose turn it is, or the result."""
        turn = self.table.turn
        if isinstance(turn, Over):
            return "\n".join(["The game is over.", *standings(turn, self._style)])
        return f"You are player {self.seat + 1}. It is {'your' if self.is_turn else 'not your'} turn."

    def board(self) -> str:
        """Return the table: drawn, or as JSON in disguise."""
        view = self.table.game.view(self.table.state, self.seat)
        if self.disguise is None:
            return "\n".join(renderer_for(self.table.game.NAME).draw(view, self._style)).rstrip()
        return json.dumps(self.disguise.data(json.loads(wire.encode(view))), ensure_ascii=False)

    def news(self) -> str:
        """Return what this seat saw happen since it last asked; nothing in disguise, where only the table is shown."""
        events = [event for step in self.table.steps[self._told :] for event in step.events]
        self._told = len(self.table.steps)
        return "" if self.disguise else "\n".join(narrate(self.table.game, events, self._style, self.seat)).strip()

    def moves(self) -> list[str]:
        """Return the legal moves of this seat, in notation; none if it is not its turn."""
        return [self._written(move) for move in self._legal()]

    def describe(self, text: str) -> str:
        """Return what a move would do; raise `BadNotation` or `IllegalMove` if it cannot be made."""
        preview = self.table.game.preview(self.table.state, self.read(text))
        if self.disguise:
            return f"If points were counted right after it, it would bring {preview.points}."
        return renderer_for(self.table.game.NAME).explain(preview, self._style)

    def read(self, text: str) -> Move:
        """Return the legal move that a text stands for; raise `BadNotation` or `IllegalMove`."""
        game, state = self.table.game, self.table.state
        written = self.disguise.move(text) if self.disguise else text
        move: Move = game.read_move(state, self.seat, written)
        game.apply(state, move)  # raises IllegalMove
        return move

    def play(self, text: str) -> None:
        """Make a move; raise `BadNotation` or `IllegalMove`, and change nothing, if it cannot be made."""
        self.table.play(self.read(text))

    def error(self, text: str, exc: ValueError) -> str:
        """Return why a move cannot be made, in a sentence."""
        if not isinstance(exc, IllegalMove):
            return f"{text[:40]!r} is not a move in the notation of this game."
        why = illegal_text(self.table.game.NAME, exc, self._style.texts)
        return self._say(f"{text[:40]!r} is not legal ({exc.rule}): {why}")

    def notation(self) -> str:
        """Return how moves are written."""
        text = self._style.texts(f"help.{self.table.game.NAME}").strip()
        return self.disguise.notation(text) if self.disguise else text

    def rules(self, number: str = "") -> str:
        """Return all rules of the game, or the one with this number; raise `KeyError` if there is none."""
        book = page(self.table.game.NAME, "en")
        if not number:
            return self._say("\n".join(_sections(self.table.game.NAME)))
        rule = book.rule(self.disguise.rule(number) if self.disguise else number)
        if rule is None:
            raise KeyError(number)
        return self._say(f"{rule.id} {rule.title} {rule.text}")

    def _legal(self) -> Sequence[Move]:
        return self.table.game.legal_moves(self.table.state, self.seat) if self.is_turn else ()

    def _written(self, move: Move) -> str:
        text = self.table.game.write_move(self.table.state, move)
        return self.disguise.move(text) if self.disguise else text

    def _say(self, text: str) -> str:
        return self.disguise.prose(text) if self.disguise else text


def _sections(game: str) -> list[str]:
    book = page(game, "en")
    lines = [book.title]
    for heading, rules in book.sections:
        if rules:
            lines += ["", heading, *(f"{rule.id} {rule.title} {rule.text}" for rule in rules)]
    return lines
