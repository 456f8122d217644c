"""The screen of a table: what lies there, what happened, what a move would do, and the keys."""

from collections import deque
from collections.abc import Callable, Mapping
from random import Random
from typing import TypeVar, cast

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.timer import Timer
from textual.widgets import Static

from tessella.core.game import BadNotation, IllegalMove, Preview, Seat
from tessella.terminal import rulebook
from tessella.terminal.faces import face_of, ledger
from tessella.terminal.pen import Pen, written
from tessella.terminal.play import standings, story
from tessella.terminal.screen.app import Log, Stage
from tessella.terminal.screen.canvas import Canvas, Note
from tessella.terminal.screen.chooser import Chooser, Direction, step
from tessella.terminal.screen.faces import screen_face
from tessella.terminal.screen.moment import Moment, explained, lost, prompt, sentence
from tessella.terminal.screen.pages import Card, Curtain, Page, Pick, Rules, Story, result
from tessella.terminal.screen.painting import paint
from tessella.terminal.screen.sheet import Sheet
from tessella.terminal.screen.table import Happened, Scene, Table, Wish

WIDTH, HEIGHT = 80, 24
"""The smallest window that shows every table whole."""
ROWS_BELOW = 5
"""Below the table: two rows of sentences, the prompt, the keys, and one that tells what happened."""


UNHURRIED = 4
"""So many moves of the others may wait to be shown before they are shown faster."""


T = TypeVar("T")


def _nothing(_: object) -> None:
    """Nothing follows."""


class Playing(Stage):
    """A table, and who sits before it."""

    AUTO_FOCUS = ""  # the keys are for the table

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table
        self.game = table.game
        self.face = face_of(self.game.NAME)
        self.drawn = screen_face(self.game.NAME)
        self.sheet, self.log_of_moves = Sheet(self._paint), Log()
        self.info, self.asked, self.keys = Static(id="info"), Static(id="prompt"), Static(id="keys")
        self.scene: Scene | None = None
        self.chooser = Chooser({})
        self.note: str | None = None
        """The number that explains itself, while numbers are pointed at; None while moves are."""
        self.said = ""
        """A refusal, or an answer, until the next key."""
        self.sent = ""
        """The move that was made, until the table tells what came of it."""
        self._waiting: deque[Scene] = deque()
        self._timer: Timer | None = None
        self._state: object = None
        self._sums: Mapping[Seat, str] = {}
        self._previews: dict[str, Preview] = {}

    @property
    def pen(self) -> Pen:
        """A pen that knows the names at this table."""
        return self.tessella.pen(self.scene.names if self.scene else ())

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        with Container(id="stage"):
            yield self.sheet
        yield self.log_of_moves
        with Vertical(id="below"):
            yield self.info
            yield self.asked
            yield self.keys

    def on_mount(self) -> None:
        """Let the game begin."""
        self.run_worker(self.table.run(self.hear), exit_on_error=True)
        self.set_interval(0.5, self._tick)
        self._say()

    # Scenes, one after the other

    def hear(self, scene: Scene) -> None:
        """A scene was told; it is shown when its time has come."""
        self._waiting.append(scene)
        self._pump()

    def _pump(self) -> None:
        """Show what waits, each move of the others long enough to be seen; nothing while a page is open."""
        while self._waiting and self._timer is None and self.on_top:
            scene = self._waiting.popleft()
            self._show(scene)
            others = any(one.seat != scene.view.seat for one in scene.past[len(scene.past) - scene.fresh :])
            if others and self._waiting and self.tessella.dwell:
                self._timer = self.set_timer(self._dwell(), self._dwelt)

    def _dwell(self) -> float:
        """How long a move stays; less where so many wait that we would fall behind."""
        return self.tessella.dwell * min(1.0, UNHURRIED / len(self._waiting))

    def _dwelt(self) -> None:
        self._timer = None
        self._pump()

    def on_screen_resume(self) -> None:
        """A page was closed."""
        self._pump()

    def _show(self, scene: Scene) -> None:
        before, self.scene = self.scene, scene
        moves = {text: self.drawn.parts(text, scene.view) for text in scene.moves}
        if scene.refusal:
            self.said = self._refusal(*scene.refusal)
        if before is None or before.view != scene.view or before.moves != scene.moves or scene.refusal:
            self.chooser, self.note, self.sent = Chooser(moves), None, ""
            self._previews, self._sums = {}, self._add_up(scene)
            self._state = self.game.imagine(scene.view, Random(0)) if moves else None  # noqa: S311  no dice are thrown
        self._log(scene, anew=before is None or before.view.seat != scene.view.seat)
        self.redraw()
        self._open_page(scene, just_over=scene.status == "over" and (before is None or before.status != "over"))

    def _open_page(self, scene: Scene, *, just_over: bool) -> None:
        """What must be read now: the story of a round, then the result."""
        fresh = scene.past[len(scene.past) - scene.fresh :] if scene.fresh else ()
        scored = [line for one in fresh if self._scores(one) for line in self._told(one, scene)]
        if scored:
            page = Story(scored, self.game.NAME, self.tessella.words)
            self._open(page, lambda _: self._end(scene, just_over=just_over))
        else:
            self._end(scene, just_over=just_over)

    def _scores(self, one: Happened) -> bool:
        """Whether it is worth a page of its own: more than one thing scored."""
        return sum(len(self.face.points(event)) for event in one.events) > 1

    def _end(self, scene: Scene, *, just_over: bool) -> None:
        if just_over:
            self.action_result()
        elif scene.next_to_sit is not None and scene.view.seat is None:
            self._draw_curtain(scene.next_to_sit)

    # People at one keyboard

    def _draw_curtain(self, seat: Seat) -> None:
        words = self.tessella.words
        text, hint = words("ready", who=self.pen.name(seat)), words("screen.enter")
        self._open(Curtain(text, hint), lambda _: self._sit(seat))

    def _sit(self, seat: Seat) -> None:
        self.table.sit(seat)

    # What happened

    def _log(self, scene: Scene, *, anew: bool) -> None:
        log = self.log_of_moves
        fresh = scene.past if anew else scene.past[len(scene.past) - scene.fresh :]
        log.wrap = log.size.height > 1
        if anew:
            log.clear()
        for one in fresh:
            for line in self._told(one, scene):
                log.write(Text.from_ansi(line.strip("\n")))

    def retell(self) -> None:
        """Write everything anew: the colours are others now."""
        if self.scene is not None:
            self._log(self.scene, anew=True)
        self.redraw()

    def _told(self, one: Happened, scene: Scene) -> list[str]:
        """What happened, in sentences; a move of another is quoted."""
        words = self.tessella.words
        who = self.pen.name(one.seat) if one.seat is not None else ""
        if one.what != "played":
            key = f"screen.happened.{one.what}"
            return [words(key, who=who)] if words.has(key) else []
        quoted = one.seat is not None and one.seat != scene.view.seat and one.text
        opening = words("bot_plays", who=who, move=self.pen.strong(one.text)) if quoted else ""
        return story(self.game, one.events, self.pen, scene.view.seat, opening)

    def action_story(self) -> None:
        """All that has happened, to read again."""
        if self.scene:
            lines = [line for one in self.scene.past for line in self._told(one, self.scene)]
            self._open(Story(lines, self.game.NAME, self.tessella.words, shown=len(lines)))

    def action_result(self) -> None:
        """Who won, and where the points came from."""
        scene, words, pen = self.scene, self.tessella.words, self.pen
        if scene is None or scene.status != "over":
            return
        events = [event for one in scene.past for event in one.events]
        why = words(f"screen.ended.{scene.ended}") if scene.ended else words("over")
        kept = self.table.record()
        saved = self.tessella.keep(kept) if kept else ""
        text = result(why, self._places(scene), ledger(self.face, events, pen), pen)
        self._open(Card(f"{text}\n\n{saved}" if saved else text, words("screen.look_again")))

    def _places(self, scene: Scene) -> list[str]:
        """Everybody by place; a game that ended before its time has no scores."""
        if scene.result is None or scene.result.scores:
            return standings(scene.result, self.pen) if scene.result else []
        ranked = sorted(enumerate(scene.result.places), key=lambda pair: pair[1])
        return [f"{place}. {self.pen.name(seat)}" for seat, place in ranked]

    # The table

    def _paint(self, width: int) -> Canvas:
        room = max(19, self.tessella.size.height - ROWS_BELOW)
        canvas = Canvas(width, room, self.tessella.palette, colour=self.tessella.colour)
        if self.scene is not None:
            paint(self._moment(self.scene), canvas)
        return canvas

    def _moment(self, scene: Scene) -> Moment:
        move = self.chooser.move
        return Moment(
            table=self.table,
            scene=scene,
            chooser=self.chooser,
            drawn=self.drawn,
            face=self.face,
            pen=self.pen,
            sums=self._sums,
            preview=self.preview(move) if move else None,
            pointed=self.note or "",
            note=self._notes().get(self.note) if self.note else None,
            said=self.said,
            sent=self.sent,
        )

    def preview(self, move: str) -> Preview:
        """What a move of who looks would do."""
        if move not in self._previews:
            assert self.scene is not None
            meant = self.game.read_move(self._state, self.scene.view.seat or 0, move)
            self._previews[move] = self.game.preview(self._state, meant)
        return self._previews[move]

    def _add_up(self, scene: Scene) -> Mapping[Seat, str]:
        """Where everybody's points came from, so far."""
        sums: dict[Seat, dict[str, int]] = {}
        for seat, kind, points in (
            entry for one in scene.past for event in one.events for entry in self.face.points(event)
        ):
            mine = sums.setdefault(seat, {})
            mine[kind] = mine.get(kind, 0) + points
        return {seat: f"{self.pen.name(seat)}: {self._sum(mine)}" for seat, mine in sums.items()}

    def _sum(self, entries: Mapping[str, int]) -> str:
        words = self.tessella.words
        return " · ".join(f"{words(kind)} {written(points)}" for kind, points in entries.items())

    def _tick(self) -> None:
        """Clocks run."""
        if self.scene and any(chair.seconds is not None for chair in self.scene.chairs):
            self.sheet.repaint()
        self._say()

    # What is said below the table

    def redraw(self) -> None:
        """Draw and say everything anew."""
        self.sheet.repaint()
        self._say()

    def _say(self) -> None:
        now = self._moment(self.scene) if self.scene is not None else None
        self.info.update(Text.from_ansi(sentence(now) if now else lost(self.table, self.pen)))
        self.asked.update(Text.from_ansi(prompt(now) if now else ""))
        self.keys.update(self._keys())

    def _keys(self) -> str:
        """The keys; where the window is too small for the table, that."""
        words, (width, height) = self.tessella.words, self.tessella.size
        if width < WIDTH or height < HEIGHT:
            return words("screen.small", width=width, height=height)
        return words("screen.keys_online" if self.table.online else "screen.keys")

    # Numbers that explain themselves

    def _notes(self) -> Mapping[str, Note]:
        return {spot.name: note for spot, note in self.sheet.canvas.notes}

    def action_explain(self) -> None:
        """Point at numbers; again: at moves."""
        self.note = None if self.note is not None else next(iter(self._notes()), None)
        self.redraw()

    # Keys

    def on_key(self, event: events.Key) -> None:
        """Arrows and Tab point, Enter chooses, Escape takes back; letters and digits are typed."""
        self.said = ""
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
                self.chooser.erase()
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
        elif event.character == "?" and not self.chooser.typed:
            self.action_rules()
        elif event.character == "q" and not self.chooser.typed:
            self.action_leave()
        elif event.character == "c" and self.scene and self.scene.links:
            self._copy(self.scene.links)
        elif event.is_printable and event.character and event.character != " " and self.scene and self.scene.moves:
            self.chooser.type(event.character)
        else:
            return False
        return True

    def _copy(self, links: tuple[str, ...]) -> None:
        self.tessella.copy_to_clipboard("\n".join(links))
        self.said = self.tessella.words("screen.copied")

    def _step(self, direction: Direction) -> None:
        canvas = self.sheet.canvas
        if self.note is not None:
            self.note = step(self.note, direction, [spot for spot, _ in canvas.notes])
        else:
            self.chooser.step(direction, canvas.spots)

    def _cycle(self, by: int) -> None:
        canvas = self.sheet.canvas
        if self.note is not None:
            names = [spot.name for spot, _ in canvas.notes]
            self.note = names[(names.index(self.note) + by) % len(names)] if self.note in names else None
        else:
            self.chooser.cycle(by, [spot.name for spot in canvas.spots])

    def _escape(self) -> None:
        if self.note is not None:
            self.note = None
        elif not self.chooser.back() and self.scene and self.scene.status == "over":
            self.action_leave()

    def _enter(self) -> None:
        scene, chooser = self.scene, self.chooser
        if scene is None:
            return
        if self.note is not None:
            note = self._notes().get(self.note)
            self.action_rules(note.rule if note else "")
        elif scene.next_to_sit is not None:
            self._draw_curtain(scene.next_to_sit)
        elif scene.status == "over":
            self.action_result()
        elif chooser.typed:
            self._play_typed(chooser.typed)
        elif chooser.cursor is not None:
            self._pick(chooser.cursor)
        else:
            self._cycle(1)

    def _pick(self, part: str) -> None:
        move = self.chooser.pick(part)
        if move:
            self._play(move)

    def _play_typed(self, text: str) -> None:
        """Make the move that was typed, or say by which rule it cannot be made."""
        if self.scene is None or self.scene.view.seat is None or not self.scene.moves:
            return
        try:
            move = self.game.read_move(self._state, self.scene.view.seat, text)
            self.game.apply(self._state, move)
        except BadNotation as wrong:
            english = self.tessella.words.language == "en"
            self.said = self.pen.loss(str(wrong) if english else self.tessella.words("not_a_move", text=text))
        except IllegalMove as wrong:
            self.said = self._refusal(wrong.rule, wrong.why)
        else:
            self._play(text)

    def _refusal(self, rule_id: str, why: str) -> str:
        """Name the rule; its page says it in the reader's language."""
        words = self.tessella.words
        rule = rulebook.page(self.game.NAME, words.language).rule(rule_id)
        if words.language == "en" or rule is None:
            return self.pen.loss(words("refused", why=why)) + self.pen.faint(f"  {rule_id}")
        return self.pen.loss(words("rule", id=rule.id, title=rule.title)) + f" {rule.text}"

    def _play(self, text: str) -> None:
        if not self.sent:
            self.sent = text
            self.chooser = Chooser({})
            self.table.play(text)

    # The mouse

    def on_sheet_pointed(self, event: Sheet.Pointed) -> None:
        """Pointing shows, pressing chooses."""
        canvas = self.sheet.canvas
        part, note = canvas.spot_at(event.x, event.y), canvas.note_at(event.x, event.y)
        if event.pressed:
            self._pressed(part, note)
        elif part is not None and part in self.chooser.open and not self.chooser.typed:
            if part == self.chooser.cursor:
                return
            self.chooser.point(part)
        elif note is not None and note.text:
            self.said = explained(note, self.pen)
        else:
            return
        self.redraw()

    def _pressed(self, part: str | None, note: Note | None) -> None:
        self.said = ""
        if part is not None and self.scene and self.scene.moves and not self.sent:
            self._pick(part)
        elif note is not None and note.rule:
            self.action_rules(note.rule)
        elif self.scene and self.scene.next_to_sit is not None:
            self._draw_curtain(self.scene.next_to_sit)

    # Pages

    def _open(self, page: Page[T], then: Callable[[T | None], None] = _nothing) -> None:
        """Open a page; not above another one, nor while the program ends."""
        if self.on_top:
            self.tessella.push_screen(page, then)

    def action_rules(self, rule: str = "") -> None:
        """The rules, at one of them."""
        self._open(Rules(self.game.NAME, self.tessella.words, rule))

    def action_moves(self) -> None:
        """Every legal move with what it does, the best at first sight first."""
        if self.scene is None or not self.scene.moves or self.sent:
            return
        words, pen = self.tessella.words, self.pen
        ranked = sorted(self.scene.moves, key=lambda move: -self.preview(move).points)
        choices = [(move, f"{pen.strong(move)}  {self.face.explain(self.preview(move), pen)}") for move in ranked]
        page = Pick(words("moves", n=len(choices)), choices, words("screen.pick_hint"))
        self._open(page, self._look_at)

    def _look_at(self, move: str | None) -> None:
        if move:
            self.chooser.typed = ""
            self.chooser.type(move)
            self.redraw()

    def action_table(self) -> None:
        """What can be asked of the table: only a server grants anything."""
        words, wishes = self.tessella.words, self.scene.wishes if self.scene and self.table.online else ()
        if wishes:
            choices = [(what, words(f"screen.wish.{what}")) for what in wishes]
            self._open(Pick(words("screen.wishes"), choices, words("screen.choose_hint")), self._wish)

    def _wish(self, what: str | None) -> None:
        if what:
            self.table.wish(cast("Wish", what))

    def action_leave(self) -> None:
        """Ask, unless the game is over; then go."""
        words = self.tessella.words
        if self.scene is None or self.scene.status == "over":
            self._go(sure=True)
        else:
            key = "screen.leave_online" if self.table.online else "screen.leave"
            self._open(Card(words(key), words("screen.leave_hint")), self._go)

    def _go(self, sure: bool | None) -> None:  # noqa: FBT001
        if sure:
            played = self.table.record()
            if played:
                self.tessella.keep(played)
            self.leave()
