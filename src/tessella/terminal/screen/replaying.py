"""A recorded game on a full screen: step, let it play, jump by rounds, and look through anybody's eyes."""

from collections.abc import Callable, Mapping

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.timer import Timer
from textual.widgets import Static

from tessella.core.game import AnyGame, Over, Seat
from tessella.core.record import Record, replay
from tessella.terminal.faces import face_of, ledger
from tessella.terminal.pen import Pen
from tessella.terminal.play import standings, story
from tessella.terminal.replay import AnyStep, starts
from tessella.terminal.screen.app import Log, Stage
from tessella.terminal.screen.canvas import Canvas
from tessella.terminal.screen.faces import screen_face
from tessella.terminal.screen.pages import Card, Rules, result
from tessella.terminal.screen.playing import ROWS_BELOW
from tessella.terminal.screen.sheet import Sheet
from tessella.terminal.screen.sketch import Hint

SECONDS_AN_ACT = 1.0
BAR = 30


class Replaying(Stage):
    """A recorded game before the reader's eyes."""

    AUTO_FOCUS = ""  # the keys are for the table

    def __init__(self, game: AnyGame, record: Record, names: tuple[str, ...], at: int = 0) -> None:
        super().__init__()
        self.game = game
        self.names = names
        self.steps: list[AnyStep] = list(replay(game, record))
        self.starts = starts(game, self.steps)
        self.number = min(at, len(self.steps) - 1)
        self.eyes: Seat | None = None
        self.drawn = screen_face(game.NAME)
        self.sheet, self.told = Sheet(self._paint), Log()
        self.progress, self.keys = Static(id="prompt"), Static(id="keys")
        self._timer: Timer | None = None

    @property
    def pen(self) -> Pen:
        """A pen that knows the names at this table."""
        return self.tessella.pen(self.names)

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        with Container(id="stage"):
            yield self.sheet
        yield self.told
        with Vertical(id="below"):
            yield self.progress
            yield self.keys

    def on_mount(self) -> None:
        """Show the first act."""
        self.show(self.number)

    def show(self, number: int) -> None:
        """The table after an act, and what the act did; after the last one, the result."""
        before, self.number = self.number, max(0, min(number, len(self.steps) - 1))
        self.sheet.repaint()
        self.told.clear()
        for line in story(self.game, self.steps[self.number].events, self.pen, self.eyes):
            self.told.write(Text.from_ansi(line.strip("\n")))
        self.progress.update(Text.from_ansi(self._progress()))
        self.keys.update(self.tessella.words("screen.replay.keys"))
        if self.number == len(self.steps) - 1 and number > before:
            self._result()

    def retell(self) -> None:
        """Write everything anew: the colours are others now."""
        self.show(self.number)

    def _result(self) -> None:
        turn, pen = self.game.turn(self.steps[-1].after), self.pen
        if isinstance(turn, Over) and self.on_top:
            events = [event for step in self.steps for event in step.events]
            page = result(pen.words("over"), standings(turn, pen), ledger(face_of(self.game.NAME), events, pen), pen)
            self.tessella.push_screen(Card(page, pen.words("screen.look_again")))

    def _paint(self, width: int) -> Canvas:
        room = max(19, self.tessella.size.height - ROWS_BELOW)
        canvas = Canvas(width, room, self.tessella.palette, colour=self.tessella.colour)
        self.drawn.draw(self.game.view(self.steps[self.number].after, self.eyes), canvas, Hint(), self.pen)
        return canvas

    def _progress(self) -> str:
        words, pen, last = self.tessella.words, self.pen, len(self.steps) - 1
        step = self.steps[self.number]
        owner = self.game.owner(step.act)
        text = (
            step.text if owner in (None, self.eyes) or isinstance(self.game.turn(self.steps[-1].after), Over) else "…"
        )
        eyes = words("screen.replay.all") if self.eyes is None else words("screen.replay.eyes", who=pen.name(self.eyes))
        act = words("replay.act", n=self.number, total=last, text=text)
        long = max(5, min(BAR, self.tessella.size.width - 8 - len(eyes) - len(act)))
        done = long * self.number // max(1, last)
        bar = "━" * done + pen.faint("─" * (long - done))
        return f"{'▶' if self._timer else ' '} {bar}  {pen.faint(eyes)}  {pen.strong(act)}"

    # Keys

    def on_key(self, event: events.Key) -> None:
        """Arrows step, Space plays, n and b jump by rounds, e changes eyes."""
        keys: Mapping[str, Callable[[], None]] = {
            "right": self.action_on,
            "enter": self.action_on,
            "left": self.action_back,
            "b": self.action_back,
            "space": self.action_run,
            "n": self.action_round,
            "pagedown": self.action_round,
            "pageup": self.action_round_back,
            "home": lambda: self.show(0),
            "end": lambda: self.show(len(self.steps)),
            "e": self.action_eyes,
            "tab": self.action_eyes,
            "question_mark": self.action_rules,
            "f1": self.action_rules,
            "f4": self.tessella.action_light,
            "q": self.action_leave,
            "escape": self.action_leave,
        }
        if event.key in keys:
            event.stop()
            event.prevent_default()
            keys[event.key]()

    def action_on(self) -> None:
        """The next act."""
        self.show(self.number + 1)
        if self._timer and self.number == len(self.steps) - 1:
            self.action_run()

    def action_back(self) -> None:
        """The act before."""
        self.show(self.number - 1)

    def action_round(self) -> None:
        """To the next round, or the end."""
        self.show(next((n for n in self.starts if n > self.number), len(self.steps)))

    def action_round_back(self) -> None:
        """To the round before, or the start."""
        self.show(max((n for n in self.starts if n < self.number), default=0))

    def action_run(self) -> None:
        """Let it play by itself, or stop."""
        if self._timer is None:
            self._timer = self.set_interval(SECONDS_AN_ACT if self.tessella.dwell else 0.02, self.action_on)
        else:
            self._timer.stop()
            self._timer = None
        self.show(self.number)

    def action_eyes(self) -> None:
        """Look through the eyes of the next seat, then of who watches."""
        seats: list[Seat | None] = [None, *range(len(self.names))]
        self.eyes = seats[(seats.index(self.eyes) + 1) % len(seats)]
        self.show(self.number)

    def action_rules(self) -> None:
        """The rules."""
        self.tessella.push_screen(Rules(self.game.NAME, self.tessella.words))

    def action_leave(self) -> None:
        """Go."""
        self.leave()
