"""A recorded game, act by act: forward, back, to the next round; or all of it at once into a pipe."""

from collections.abc import Sequence
from typing import Any, TypeAlias

from tessella.core.game import AnyGame, Over
from tessella.core.record import Record, Step, replay
from tessella.terminal.console import Console
from tessella.terminal.faces import face_of, ledger, show
from tessella.terminal.pen import Pen
from tessella.terminal.play import standings, story

AnyStep: TypeAlias = Step[Any, Any, Any, Any]


def starts(game: AnyGame, steps: Sequence[AnyStep]) -> list[int]:
    """The acts after which each round can be played: its first, and the deals that follow it."""
    found: list[int] = []
    face, before = face_of(game.NAME), 0
    for number, step in enumerate(steps):
        now = face.round_of(game.view(step.after, None))
        if now != before:
            found.append(number)
        elif step.seat is None and found and found[-1] == number - 1:
            found[-1] = number
        before = now
    return found


class Replay:
    """A recorded game before the reader's eyes."""

    def __init__(self, game: AnyGame, record: Record, pen: Pen, console: Console) -> None:
        self.game = game
        self.steps: list[AnyStep] = list(replay(game, record))
        self.starts = starts(game, self.steps)
        self.pen = pen
        self.console = console
        self.face = face_of(game.NAME)

    def show_all(self) -> None:
        """Tell the whole game, then show the table as it was left."""
        for number in range(len(self.steps)):
            self._tell(number)
        self._draw(len(self.steps) - 1)
        self._result()

    def browse(self) -> None:
        """Let the reader step through the game."""
        self.console.say(self.pen.words("replay.keys"))
        number = 0
        while 0 <= number < len(self.steps):
            self.show(number)
            try:
                number = self._next(number, self.console.ask("> ").strip().lower())
            except (EOFError, KeyboardInterrupt):
                return

    def show(self, number: int) -> None:
        """The table after an act, and what the act did."""
        step = self.steps[number]
        self._draw(number)
        heading = self.pen.words("replay.act", n=number, total=len(self.steps) - 1, text=step.text)
        self.console.say(self.pen.strong(heading))
        self._tell(number)
        if number == len(self.steps) - 1:
            self._result()

    def _next(self, number: int, key: str) -> int:
        last = len(self.steps) - 1
        match key:
            case "q":
                return -1
            case "b":
                return max(0, number - 1)
            case "n":
                return next((start for start in self.starts if start > number), last)
            case _ if key.isdecimal():
                return min(int(key), last)
            case _:
                return min(number + 1, last) if number < last else -1

    def _draw(self, number: int) -> None:
        lines = show(self.game.NAME, self.game.view(self.steps[number].after, None), self.pen)
        self.console.say("\n" + "\n".join(lines))

    def _tell(self, number: int) -> None:
        for line in story(self.game, self.steps[number].events, self.pen):
            self.console.say(line)

    def _result(self) -> None:
        turn = self.game.turn(self.steps[-1].after)
        if isinstance(turn, Over):
            events = [event for step in self.steps for event in step.events]
            self.console.say("\n".join(["", *ledger(self.face, events, self.pen), "", *standings(turn, self.pen)]))
