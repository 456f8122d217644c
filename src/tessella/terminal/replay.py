"""A recorded game in plain text: act by act, or all at once into a pipe."""

from collections.abc import Sequence
from typing import Any, TypeAlias

from tessella.core.game import AnyGame, Over
from tessella.core.record import Record, Step, replay
from tessella.terminal.console import Console
from tessella.text.narration import narrate, standings
from tessella.text.renderers import ledger, renderer_for, show
from tessella.text.style import Style

AnyStep: TypeAlias = Step[Any, Any, Any, Any]


def starts(game: AnyGame, steps: Sequence[AnyStep]) -> list[int]:
    """Return the act after which each round can be played: its first, or the last deal after that."""
    found: list[int] = []
    renderer, before = renderer_for(game.NAME), 0
    for number, step in enumerate(steps):
        now = renderer.round_of(game.view(step.after, None))
        if now != before:
            found.append(number)
        elif step.seat is None and found and found[-1] == number - 1:
            found[-1] = number
        before = now
    return found


class Replay:
    """A recorded game in plain text."""

    def __init__(self, game: AnyGame, record: Record, style: Style, console: Console) -> None:
        self.game = game
        self.steps: list[AnyStep] = list(replay(game, record))
        self.starts = starts(game, self.steps)
        self.style = style
        self.console = console
        self.renderer = renderer_for(game.NAME)

    def show_all(self) -> None:
        """Narrate the whole game, then show the final table."""
        for number in range(len(self.steps)):
            self._narrate(number)
        self._draw(len(self.steps) - 1)
        self._result()

    def browse(self) -> None:
        """Let the user step through the game."""
        self.console.say(self.style.texts("replay.keys"))
        number = 0
        while 0 <= number < len(self.steps):
            self.show(number)
            try:
                number = self._next(number, self.console.ask("> ").strip().lower())
            except (EOFError, KeyboardInterrupt):
                return

    def show(self, number: int) -> None:
        """Show the table after an act, and narrate the act."""
        step = self.steps[number]
        self._draw(number)
        heading = self.style.texts("replay.act", n=number, total=len(self.steps) - 1, text=step.text)
        self.console.say(self.style.strong(heading))
        self._narrate(number)
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
        lines = show(self.game.NAME, self.game.view(self.steps[number].after, None), self.style)
        self.console.say("\n" + "\n".join(lines))

    def _narrate(self, number: int) -> None:
        for line in narrate(self.game, self.steps[number].events, self.style):
            self.console.say(line)

    def _result(self) -> None:
        turn = self.game.turn(self.steps[-1].after)
        if isinstance(turn, Over):
            events = [event for step in self.steps for event in step.events]
            self.console.say(
                "\n".join(["", *ledger(self.renderer, events, self.style), "", *standings(turn, self.style)])
            )
