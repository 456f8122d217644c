"""The screen of a game: the table, the history, the preview of a move, and the keys."""

from collections import deque
from collections.abc import Callable, Mapping
from random import Random
from typing import TypeVar, cast, get_args

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.timer import Timer
from textual.widgets import Static

from tessella.core.game import BadNotation, IllegalMove, Preview, Seat
from tessella.local.hot_seat import HistoryEntry
from tessella.protocol.messages import Phrase
from tessella.terminal.client import GameClient, Request, Snapshot
from tessella.terminal.tui.app import BaseScreen, Log
from tessella.terminal.tui.canvas import Canvas, Note
from tessella.terminal.tui.canvas_widget import CanvasWidget
from tessella.terminal.tui.dialogs import Card, Curtain, Dialog, Pick, Rules, Story, result
from tessella.terminal.tui.move_input import Direction, MoveInput, step
from tessella.terminal.tui.paint import paint
from tessella.terminal.tui.renderers import board_renderer_for
from tessella.terminal.tui.status import ScreenState, connection_error, explained, prompt, sentence
from tessella.text import rulebook
from tessella.text.illegal_moves import illegal_text
from tessella.text.narration import narrate, standings
from tessella.text.renderers import ledger, renderer_for
from tessella.text.style import Style, written

WIDTH, HEIGHT = 80, 24
"""The smallest window that shows every table whole."""
ROWS_BELOW = 5
"""Below the table: two rows of sentences, the prompt, the keys, and at least one row of history."""
UNHURRIED = 4
"""Moves of other players are shown faster once more than this many are waiting."""


T = TypeVar("T")


def _nothing(_: object) -> None:
    """Do nothing after a dialog."""


class GameScreen(BaseScreen):
    """The screen of one game."""

    AUTO_FOCUS = ""  # keys belong to the table, not to a widget

    def __init__(self, client: GameClient) -> None:
        super().__init__()
        self.client = client
        self.game = client.game
        self.renderer = renderer_for(self.game.NAME)
        self.board = board_renderer_for(self.game.NAME)
        self.canvas_widget, self.log_of_moves = CanvasWidget(self._paint), Log()
        self.info, self.asked, self.keys = Static(id="info"), Static(id="prompt"), Static(id="keys")
        self.snapshot: Snapshot | None = None
        self.move_input = MoveInput({})
        self.note: str | None = None
        """The number being explained, while the cursor is on numbers; None while it is on moves."""
        self.message = ""
        """An error or another message, until the next key."""
        self.sent = ""
        """The move that was sent, until the next snapshot."""
        self._waiting: deque[Snapshot] = deque()
        self._timer: Timer | None = None
        self._state: object = None
        self._sums: Mapping[Seat, str] = {}
        self._previews: dict[str, Preview] = {}

    @property
    def sentence_style(self) -> Style:
        """Return the style of sentences with the names at this table."""
        return self.tessella.sentence_style(self.snapshot.names if self.snapshot else ())

    def compose(self) -> ComposeResult:
        """Yield the widgets from top to bottom."""
        with Container(id="table"):
            yield self.canvas_widget
        yield self.log_of_moves
        with Vertical(id="below"):
            yield self.info
            yield self.asked
            yield self.keys

    def on_mount(self) -> None:
        """Start the game."""
        self.run_worker(self.client.run(self.receive), exit_on_error=True)
        self.set_interval(0.5, self._tick)
        self._write_below()

    # Snapshots

    def receive(self, snapshot: Snapshot) -> None:
        """Queue a snapshot."""
        self._waiting.append(snapshot)
        self._pump()

    def _pump(self) -> None:
        """Show waiting snapshots, each move of others long enough to be seen; none while a dialog is open."""
        while self._waiting and self._timer is None and self.on_top:
            snapshot = self._waiting.popleft()
            self._show(snapshot)
            others = any(
                one.seat != snapshot.view.seat
                for one in snapshot.history[len(snapshot.history) - snapshot.new_entries :]
            )
            if others and self._waiting and self.tessella.dwell:
                self._timer = self.set_timer(self._dwell(), self._dwelt)

    def _dwell(self) -> float:
        """Return how long to show a move: shorter while many are waiting."""
        return self.tessella.dwell * min(1.0, UNHURRIED / len(self._waiting))

    def _dwelt(self) -> None:
        self._timer = None
        self._pump()

    def on_screen_resume(self) -> None:
        """Show what arrived while a dialog was open."""
        self._pump()

    def _show(self, snapshot: Snapshot) -> None:
        before, self.snapshot = self.snapshot, snapshot
        moves = {text: self.board.parts(text, snapshot.view) for text in snapshot.moves}
        if snapshot.error:
            self.message = self._error(*snapshot.error)
        if snapshot.said is not None:
            seat, phrase = snapshot.said
            self.notify(self.tessella.texts(f"phrase.{phrase}"), title=snapshot.names[seat], markup=False)
        if before is None or before.view != snapshot.view or before.moves != snapshot.moves or snapshot.error:
            self.move_input, self.note, self.sent = MoveInput(moves), None, ""
            self._previews, self._sums = {}, self._add_up(snapshot)
            self._state = self.game.imagine(snapshot.view, Random(0)) if moves else None  # noqa: S311  no dice are thrown
        self._log(snapshot, anew=before is None or before.view.seat != snapshot.view.seat)
        self.redraw()
        self._open_dialogs(
            snapshot, just_over=snapshot.status == "over" and (before is None or before.status != "over")
        )

    def _open_dialogs(self, snapshot: Snapshot, *, just_over: bool) -> None:
        """Open what must be read now: how the round was scored, then the result."""
        fresh = snapshot.history[len(snapshot.history) - snapshot.new_entries :] if snapshot.new_entries else ()
        scored = [line for one in fresh if self._scores(one) for line in self._narrated(one, snapshot)]
        if scored:
            page = Story(scored, self.game.NAME, self.tessella.texts)
            self._open(page, lambda _: self._end(snapshot, just_over=just_over))
        else:
            self._end(snapshot, just_over=just_over)

    def _scores(self, one: HistoryEntry) -> bool:
        """Return whether the entry deserves a dialog: more than one thing scored."""
        return sum(len(self.renderer.points(event)) for event in one.events) > 1

    def _end(self, snapshot: Snapshot, *, just_over: bool) -> None:
        if just_over:
            self.action_result()
        elif snapshot.next_to_sit is not None and snapshot.view.seat is None:
            self._draw_curtain(snapshot.next_to_sit)

    # People at one keyboard

    def _draw_curtain(self, seat: Seat) -> None:
        texts = self.tessella.texts
        text, hint = texts("ready", who=self.sentence_style.name(seat)), texts("screen.enter")
        self._open(Curtain(text, hint), lambda _: self._sit(seat))

    def _sit(self, seat: Seat) -> None:
        self.client.sit(seat)

    # History

    def _log(self, snapshot: Snapshot, *, anew: bool) -> None:
        log = self.log_of_moves
        fresh = snapshot.history if anew else snapshot.history[len(snapshot.history) - snapshot.new_entries :]
        log.wrap = log.size.height > 1
        if anew:
            log.clear()
        for one in fresh:
            for line in self._narrated(one, snapshot):
                log.write(Text.from_ansi(line.strip("\n")))

    def rewrite(self) -> None:
        """Write all text again, in the colours of the new theme."""
        if self.snapshot is not None:
            self._log(self.snapshot, anew=True)
        self.redraw()

    def _narrated(self, one: HistoryEntry, snapshot: Snapshot) -> list[str]:
        """Return an entry of the history in sentences; the move of another player is quoted."""
        texts = self.tessella.texts
        who = self.sentence_style.name(one.seat) if one.seat is not None else ""
        if one.what != "played":
            key = f"screen.happened.{one.what}"
            return [texts(key, who=who)] if texts.has(key) else []
        quoted = one.seat is not None and one.seat != snapshot.view.seat and one.text
        opening = texts("bot_plays", who=who, move=self.sentence_style.strong(one.text)) if quoted else ""
        return narrate(self.game, one.events, self.sentence_style, snapshot.view.seat, opening)

    def action_story(self) -> None:
        """Show the whole history."""
        if self.snapshot:
            lines = [line for one in self.snapshot.history for line in self._narrated(one, self.snapshot)]
            self._open(Story(lines, self.game.NAME, self.tessella.texts, shown=len(lines)))

    def action_result(self) -> None:
        """Show the standings and how they were scored."""
        snapshot, texts, style = self.snapshot, self.tessella.texts, self.sentence_style
        if snapshot is None or snapshot.status != "over":
            return
        events = [event for one in snapshot.history for event in one.events]
        why = texts(f"screen.ended.{snapshot.ended}") if snapshot.ended else texts("over")
        saved = self._save()
        text = result(why, self._places(snapshot), ledger(self.renderer, events, style), style)
        self._open(Card(f"{text}\n\n{saved}" if saved else text, texts("screen.look_again")))

    def _places(self, snapshot: Snapshot) -> list[str]:
        """Return the players by place; a game that ended early has no scores."""
        if snapshot.result is None or snapshot.result.scores:
            return standings(snapshot.result, self.sentence_style) if snapshot.result else []
        ranked = sorted(enumerate(snapshot.result.places), key=lambda pair: pair[1])
        return [f"{place}. {self.sentence_style.name(seat)}" for seat, place in ranked]

    # The table

    def _paint(self, width: int) -> Canvas:
        room = max(19, self.tessella.size.height - ROWS_BELOW)
        canvas = Canvas(width, room, self.tessella.palette, colour=self.tessella.colour)
        if self.snapshot is not None:
            paint(self._moment(self.snapshot), canvas)
        return canvas

    def _moment(self, snapshot: Snapshot) -> ScreenState:
        move = self.move_input.move
        return ScreenState(
            client=self.client,
            snapshot=snapshot,
            move_input=self.move_input,
            board=self.board,
            renderer=self.renderer,
            style=self.sentence_style,
            sums=self._sums,
            preview=self.preview(move) if move else None,
            pointed=self.note or "",
            note=self._notes().get(self.note) if self.note else None,
            message=self.message,
            sent=self.sent,
        )

    def preview(self, move: str) -> Preview:
        """Return what a move of the viewer would do."""
        if move not in self._previews:
            assert self.snapshot is not None
            meant = self.game.read_move(self._state, self.snapshot.view.seat or 0, move)
            self._previews[move] = self.game.preview(self._state, meant)
        return self._previews[move]

    def _add_up(self, snapshot: Snapshot) -> Mapping[Seat, str]:
        """Return how the points of each player were scored so far."""
        sums: dict[Seat, dict[str, int]] = {}
        for seat, kind, points in (
            entry for one in snapshot.history for event in one.events for entry in self.renderer.points(event)
        ):
            mine = sums.setdefault(seat, {})
            mine[kind] = mine.get(kind, 0) + points
        return {seat: f"{self.sentence_style.name(seat)}: {self._sum(mine)}" for seat, mine in sums.items()}

    def _sum(self, entries: Mapping[str, int]) -> str:
        texts = self.tessella.texts
        return " · ".join(f"{texts(kind)} {written(points)}" for kind, points in entries.items())

    def _tick(self) -> None:
        """Update the clocks."""
        if self.snapshot and any(player.seconds is not None for player in self.snapshot.players):
            self.canvas_widget.repaint()
        self._write_below()

    # Below the table

    def redraw(self) -> None:
        """Draw the table and the lines below it again."""
        self.canvas_widget.repaint()
        self._write_below()

    def _write_below(self) -> None:
        now = self._moment(self.snapshot) if self.snapshot is not None else None
        self.info.update(Text.from_ansi(sentence(now) if now else connection_error(self.client, self.sentence_style)))
        self.asked.update(Text.from_ansi(prompt(now) if now else ""))
        self.keys.update(self._keys())

    def _keys(self) -> str:
        """Return the line of keys, or a warning if the window is too small."""
        texts, (width, height) = self.tessella.texts, self.tessella.size
        if width < WIDTH or height < HEIGHT:
            return texts("screen.small", width=width, height=height)
        return texts("screen.keys")

    # Explanations of numbers

    def _notes(self) -> Mapping[str, Note]:
        return {spot.name: note for spot, note in self.canvas_widget.canvas.notes}

    def action_explain(self) -> None:
        """Move the cursor to the numbers, or back to the moves."""
        self.note = None if self.note is not None else next(iter(self._notes()), None)
        self.redraw()

    # Keys

    def on_key(self, event: events.Key) -> None:
        """Handle a key: arrows and Tab point, Enter chooses, Escape takes back, letters and digits type a move."""
        self.message = ""
        handled = True
        match event.key:
            case "left" | "right" | "up" | "down":
                self._step(event.key)
            case "tab":
                self._cycle(1)
            case "shift+tab":
                self._cycle(-1)
            case "enter":
                self._enter()
            case "escape":
                self._escape()
            case "backspace":
                self.move_input.erase()
            case _:
                handled = self._press(event)
        if handled:
            event.stop()
            event.prevent_default()
            self.redraw()

    def _press(self, event: events.Key) -> bool:
        pages: Mapping[str, Callable[[], None]] = {
            "f1": self.action_rules,
            "f2": self.action_story,
            "f3": self.action_moves,
            "f4": self.tessella.action_light,
            "f5": self.action_explain,
            "f8": self.action_table,
            "f10": self.action_leave,
            "ctrl+q": self.action_leave,
        }
        if event.key in pages:
            pages[event.key]()
        elif event.character == "?" and not self.move_input.typed:
            self.action_rules()
        elif event.character == "q" and not self.move_input.typed:
            self.action_leave()
        elif event.character == "c" and self.snapshot and self.snapshot.links:
            self._copy(self.snapshot.links)
        elif (
            event.is_printable and event.character and event.character != " " and self.snapshot and self.snapshot.moves
        ):
            self.move_input.type(event.character)
        else:
            return False
        return True

    def _copy(self, links: tuple[str, ...]) -> None:
        self.tessella.copy_to_clipboard("\n".join(links))
        self.message = self.tessella.texts("screen.copied")

    def _step(self, direction: Direction) -> None:
        canvas = self.canvas_widget.canvas
        if self.note is not None:
            self.note = step(self.note, direction, [spot for spot, _ in canvas.notes])
        else:
            self.move_input.step(direction, canvas.spots)

    def _cycle(self, by: int) -> None:
        canvas = self.canvas_widget.canvas
        if self.note is not None:
            names = [spot.name for spot, _ in canvas.notes]
            self.note = names[(names.index(self.note) + by) % len(names)] if self.note in names else None
        else:
            self.move_input.cycle(by, [spot.name for spot in canvas.spots])

    def _escape(self) -> None:
        if self.note is not None:
            self.note = None
        elif not self.move_input.back() and self.snapshot and self.snapshot.status == "over":
            self.action_leave()

    def _enter(self) -> None:
        snapshot, move_input = self.snapshot, self.move_input
        if snapshot is None:
            return
        if self.note is not None:
            note = self._notes().get(self.note)
            self.action_rules(note.rule if note else "")
        elif snapshot.next_to_sit is not None:
            self._draw_curtain(snapshot.next_to_sit)
        elif snapshot.status == "over":
            self.action_result()
        elif move_input.typed:
            self._play_typed(move_input.typed)
        elif move_input.cursor is not None:
            self._pick(move_input.cursor)
        else:
            self._cycle(1)

    def _pick(self, part: str) -> None:
        move = self.move_input.pick(part)
        if move:
            self._play(move)

    def _play_typed(self, text: str) -> None:
        """Make the typed move, or say why it is not allowed, with the number of the rule."""
        if self.snapshot is None or self.snapshot.view.seat is None or not self.snapshot.moves:
            return
        try:
            move = self.game.read_move(self._state, self.snapshot.view.seat, text)
            self.game.apply(self._state, move)
        except BadNotation as exc:
            english = self.tessella.texts.language == "en"
            self.message = self.sentence_style.loss(
                str(exc) if english else self.tessella.texts("not_a_move", text=text)
            )
        except IllegalMove as exc:
            why = illegal_text(self.game.NAME, exc, self.tessella.texts)
            self.message = self.sentence_style.loss(why) + self.sentence_style.faint(f"  {exc.rule}")
        else:
            self._play(text)

    def _error(self, rule_id: str, why: str) -> str:
        """Return an error that names the rule, in the language of the interface."""
        texts = self.tessella.texts
        if rule_id == "bot":
            return self.sentence_style.loss(texts("bot_stopped", why=why))
        rule = rulebook.page(self.game.NAME, texts.language).rule(rule_id)
        if texts.language == "en" or rule is None:
            return self.sentence_style.loss(texts("refused", why=why)) + self.sentence_style.faint(f"  {rule_id}")
        return self.sentence_style.loss(texts("rule", id=rule.id, title=rule.title)) + f" {rule.text}"

    def _play(self, text: str) -> None:
        if not self.sent:
            self.sent = text
            self.move_input = MoveInput({})
            self.client.play(text)

    # The mouse

    def on_canvas_widget_pointed(self, event: CanvasWidget.Pointed) -> None:
        """Handle the mouse: pointing previews a move, pressing chooses it."""
        canvas = self.canvas_widget.canvas
        part, note = canvas.spot_at(event.x, event.y), canvas.note_at(event.x, event.y)
        if event.pressed:
            self._pressed(part, note)
        elif part is not None and part in self.move_input.open and not self.move_input.typed:
            if part == self.move_input.cursor:
                return
            self.move_input.point(part)
        elif note is not None and note.text:
            self.message = explained(note, self.sentence_style)
        else:
            return
        self.redraw()

    def _pressed(self, part: str | None, note: Note | None) -> None:
        self.message = ""
        if part is not None and self.snapshot and self.snapshot.moves and not self.sent:
            self._pick(part)
        elif note is not None and note.rule:
            self.action_rules(note.rule)
        elif self.snapshot and self.snapshot.next_to_sit is not None:
            self._draw_curtain(self.snapshot.next_to_sit)

    # Dialogs

    def _open(self, dialog: Dialog[T], then: Callable[[T | None], None] = _nothing) -> None:
        """Open a dialog, unless another one is open or the program is ending."""
        if self.on_top:
            self.tessella.push_screen(dialog, then)

    def action_rules(self, rule: str = "") -> None:
        """Show the rules, scrolled to one of them."""
        self._open(Rules(self.game.NAME, self.tessella.texts, rule))

    def action_moves(self) -> None:
        """Show every legal move with its preview, highest points first."""
        if self.snapshot is None or not self.snapshot.moves or self.sent:
            return
        texts, style = self.tessella.texts, self.sentence_style
        ranked = sorted(self.snapshot.moves, key=lambda move: -self.preview(move).points)
        choices = [
            (move, f"{style.strong(move)}  {self.renderer.explain(self.preview(move), style)}") for move in ranked
        ]
        page = Pick(texts("moves", n=len(choices)), choices, texts("screen.pick_hint"))
        self._open(page, self._look_at)

    def _look_at(self, move: str | None) -> None:
        if move:
            self.move_input.typed = ""
            self.move_input.type(move)
            self.redraw()

    def action_table(self) -> None:
        """Show the requests that are accepted now."""
        texts, requests = self.tessella.texts, self.snapshot.requests if self.snapshot else ()
        if requests:
            choices: list[tuple[str, str]] = [(what, texts(self._key_of(what))) for what in requests]
            if self.client.online and self.snapshot is not None and self.snapshot.own is not None:
                choices.append(("say", texts("screen.request.say")))
            self._open(Pick(texts("screen.requests"), choices, texts("screen.choose_hint")), self._request)

    def _key_of(self, what: Request) -> str:
        """Return the key of the text of a request; at one keyboard no other player must agree."""
        key = f"screen.request.{what}"
        here = f"{key}.here"
        return here if not self.client.online and self.tessella.texts.has(here) else key

    def _request(self, what: str | None) -> None:
        texts = self.tessella.texts
        if what == "close":
            self._open(Card(texts("screen.close_table"), texts("screen.close_table_hint")), self._close)
        elif what == "say":
            phrases = [(phrase, texts(f"phrase.{phrase}")) for phrase in get_args(Phrase)]
            self._open(Pick(texts("screen.request.say"), phrases, texts("screen.choose_hint")), self._say)
        elif what:
            self.client.request(cast("Request", what))

    def _say(self, phrase: str | None) -> None:
        if phrase:
            self.client.say(cast("Phrase", phrase))

    def _close(self, sure: bool | None) -> None:  # noqa: FBT001
        if sure:
            self.client.request("close")

    def action_leave(self) -> None:
        """Leave; ask first unless the game is over."""
        texts = self.tessella.texts
        if self.snapshot is None or self.snapshot.status == "over":
            self._go(sure=True)
        else:
            key = "screen.leave_online" if self.client.online else "screen.leave"
            self._open(Card(texts(key), texts("screen.leave_hint")), self._go)

    def _go(self, sure: bool | None) -> None:  # noqa: FBT001
        if sure:
            self._save()
            self.leave()

    def _save(self) -> str:
        """Keep the record of an online game, which only now is known; return the message that says where a game is."""
        played = self.client.record() if self.client.online else None
        if played:
            self.tessella.save.keep(played)
        return self.tessella.save.message
