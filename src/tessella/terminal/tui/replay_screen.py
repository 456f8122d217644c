"""A recorded game on the full screen: step, play, jump by rounds, and switch between the seats' views."""

from collections.abc import Callable, Mapping

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.timer import Timer
from textual.widgets import Static

from tessella.core.game import AnyGame, Over, Seat
from tessella.core.record import Record, replay
from tessella.terminal.replay import AnyStep, starts
from tessella.terminal.tui.app import BaseScreen, Log
from tessella.terminal.tui.board_parts import Hint
from tessella.terminal.tui.canvas import Canvas
from tessella.terminal.tui.canvas_widget import CanvasWidget
from tessella.terminal.tui.dialogs import Card, Rules, result
from tessella.terminal.tui.game_screen import ROWS_BELOW
from tessella.terminal.tui.renderers import board_renderer_for
from tessella.text.narration import narrate, standings
from tessella.text.renderers import ledger, renderer_for
from tessella.text.style import Style

SECONDS_PER_ACT = 1.0
BAR = 30


class ReplayScreen(BaseScreen):
    """The screen of a recorded game."""

    AUTO_FOCUS = ""  # keys belong to the table, not to a widget

    def __init__(self, game: AnyGame, record: Record, names: tuple[str, ...], at: int = 0) -> None:
        super().__init__()
        self.game = game
        self.names = names
        self.steps: list[AnyStep] = list(replay(game, record))
        self.starts = starts(game, self.steps)
        self.number = min(at, len(self.steps) - 1)
        self.viewer: Seat | None = None
        self.board = board_renderer_for(game.NAME)
        self.canvas_widget, self.log_of_acts = CanvasWidget(self._paint), Log()
        self.progress, self.keys = Static(id="prompt"), Static(id="keys")
        self._timer: Timer | None = None

    @property
    def sentence_style(self) -> Style:
        """Return the style of sentences with the names at this table."""
        return self.tessella.sentence_style(self.names)

    def compose(self) -> ComposeResult:
        """Yield the widgets from top to bottom."""
        with Container(id="table"):
            yield self.canvas_widget
        yield self.log_of_acts
        with Vertical(id="below"):
            yield self.progress
            yield self.keys

    def on_mount(self) -> None:
        """Show the first act."""
        self.show(self.number)

    def show(self, number: int) -> None:
        """Show the table after an act, and narrate the act; after the last one, show the result."""
        before, self.number = self.number, max(0, min(number, len(self.steps) - 1))
        self.canvas_widget.repaint()
        self.log_of_acts.clear()
        for line in narrate(self.game, self.steps[self.number].events, self.sentence_style, self.viewer):
            self.log_of_acts.write(Text.from_ansi(line.strip("\n")))
        self.progress.update(Text.from_ansi(self._progress()))
        self.keys.update(self.tessella.texts("screen.replay.keys"))
        if self.number == len(self.steps) - 1 and number > before:
            self._result()

    def rewrite(self) -> None:
        """Write all text again, in the colours of the new theme."""
        self.show(self.number)

    def _result(self) -> None:
        turn, style = self.game.turn(self.steps[-1].after), self.sentence_style
        if isinstance(turn, Over) and self.on_top:
            events = [event for step in self.steps for event in step.events]
            page = result(
                style.texts("over"), standings(turn, style), ledger(renderer_for(self.game.NAME), events, style), style
            )
            self.tessella.push_screen(Card(page, style.texts("screen.look_again")))

    def _paint(self, width: int) -> Canvas:
        room = max(19, self.tessella.size.height - ROWS_BELOW)
        canvas = Canvas(width, room, self.tessella.palette, colour=self.tessella.colour)
        self.board.draw(self.game.view(self.steps[self.number].after, self.viewer), canvas, Hint(), self.sentence_style)
        return canvas

    def _progress(self) -> str:
        texts, style, last = self.tessella.texts, self.sentence_style, len(self.steps) - 1
        step = self.steps[self.number]
        owner = self.game.owner(step.act)
        text = (
            step.text if owner in (None, self.viewer) or isinstance(self.game.turn(self.steps[-1].after), Over) else "…"
        )
        whose = (
            texts("screen.replay.all")
            if self.viewer is None
            else texts("screen.replay.eyes", who=style.name(self.viewer))
        )
        act = texts("replay.act", n=self.number, total=last, text=text)
        long = max(5, min(BAR, self.tessella.size.width - 8 - len(whose) - len(act)))
        done = long * self.number // max(1, last)
        bar = "━" * done + style.faint("─" * (long - done))
        return f"{'▶' if self._timer else ' '} {bar}  {style.faint(whose)}  {style.strong(act)}"

    # Keys

    def on_key(self, event: events.Key) -> None:
        """Handle a key: arrows step, Space plays, Page Up and Page Down jump by rounds, e switches the view."""
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
            "e": self.action_view,
            "tab": self.action_view,
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
        """Show the next act."""
        self.show(self.number + 1)
        if self._timer and self.number == len(self.steps) - 1:
            self.action_run()

    def action_back(self) -> None:
        """Show the act before."""
        self.show(self.number - 1)

    def action_round(self) -> None:
        """Jump to the next round, or to the end."""
        self.show(next((n for n in self.starts if n > self.number), len(self.steps)))

    def action_round_back(self) -> None:
        """Jump to the round before, or to the start."""
        self.show(max((n for n in self.starts if n < self.number), default=0))

    def action_run(self) -> None:
        """Start or stop playing the game."""
        if self._timer is None:
            self._timer = self.set_interval(SECONDS_PER_ACT if self.tessella.dwell else 0.02, self.action_on)
        else:
            self._timer.stop()
            self._timer = None
        self.show(self.number)

    def action_view(self) -> None:
        """Switch to the view of the next seat; after the last one, to a spectator's."""
        seats: list[Seat | None] = [None, *range(len(self.names))]
        self.viewer = seats[(seats.index(self.viewer) + 1) % len(seats)]
        self.show(self.number)

    def action_rules(self) -> None:
        """Show the rules."""
        self.tessella.push_screen(Rules(self.game.NAME, self.tessella.texts))

    def action_leave(self) -> None:
        """Close the screen."""
        self.leave()
