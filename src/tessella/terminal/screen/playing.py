"""The screen of a table: what lies there, what happened, what a move would do, and the keys."""

from collections import deque
from collections.abc import Callable, Mapping
from random import Random
from time import monotonic
from typing import cast

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.timer import Timer
from textual.widgets import Static

from tessella.core.game import BadNotation, IllegalMove, Preview, Seat
from tessella.terminal import rulebook
from tessella.terminal.faces import face_of, ledger, signed
from tessella.terminal.pen import Pen
from tessella.terminal.play import standings, story
from tessella.terminal.screen.app import Log, Stage
from tessella.terminal.screen.canvas import Canvas, Note
from tessella.terminal.screen.chooser import Chooser, Direction, step
from tessella.terminal.screen.faces import screen_face
from tessella.terminal.screen.pages import Card, Curtain, Pick, Rules, Story
from tessella.terminal.screen.sheet import Sheet
from tessella.terminal.screen.sketch import Hint
from tessella.terminal.screen.table import Chair, Happened, Scene, Table, Wish

ROWS_BELOW = 5
"""Below the table: two rows of sentences, the prompt, the keys, and one that tells what happened."""


class Playing(Stage):
    """A table, and who sits before it."""

    AUTO_FOCUS = ""  # the keys are for the table

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table
        self.game = table.game
        self.face = face_of(self.game.NAME)
        self.drawn = screen_face(self.game.NAME)
        self.scene: Scene | None = None
        self.chooser = Chooser({})
        self.note: str | None = None
        """The number that explains itself, while numbers are pointed at; None while moves are."""
        self.said = ""
        """A refusal, or an answer, until the next key."""
        self.sent = ""
        """The move that was made, until the table tells what came of it."""
        self.showing: Callable[[], None] | None = None
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
            yield Sheet(self._paint)
        yield Log()
        with Vertical(id="below"):
            yield Static(id="info")
            yield Static(id="prompt")
            yield Static(id="keys")

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
        while (
            self._waiting
            and self._timer is None
            and self.tessella.screen is self
            and self.is_mounted
            and self.is_running
        ):
            scene = self._waiting.popleft()
            self._show(scene)
            others = any(one.seat != scene.view.seat for one in scene.past[len(scene.past) - scene.fresh :])
            if others and self._waiting and self.tessella.dwell:
                self._timer = self.set_timer(self.tessella.dwell, self._dwelt)

    def _before_us(self) -> bool:
        return self.tessella.screen is self and self.is_mounted and self.is_running

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
            self.tessella.push_screen(
                Story(scored, self.game.NAME, self.tessella.words), lambda _: self._end(scene, just_over=just_over)
            )
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
        self.tessella.push_screen(Curtain(text, hint), lambda _: self._sit(seat))

    def _sit(self, seat: Seat) -> None:
        self.table.sit(seat)

    # What happened

    def _log(self, scene: Scene, *, anew: bool) -> None:
        log = self.query_one(Log)
        fresh = scene.past if anew else scene.past[len(scene.past) - scene.fresh :]
        log.wrap = log.size.height > 1
        if anew:
            log.clear()
        for one in fresh:
            for line in self._told(one, scene):
                log.write(Text.from_ansi(line.strip("\n")))

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
            self.tessella.push_screen(Story(lines, self.game.NAME, self.tessella.words, shown=len(lines)))

    def action_result(self) -> None:
        """Who won, and where the points came from."""
        scene, words, pen = self.scene, self.tessella.words, self.pen
        if scene is None or scene.status != "over":
            return
        events = [event for one in scene.past for event in one.events]
        why = words(f"screen.ended.{scene.ended}") if scene.ended else words("over")
        kept = self.table.record()
        saved = self.tessella.keep(kept) if kept else ""
        parts = [pen.strong(why), "", *self._places(scene), ""]
        parts += [pen.strong(words("ledger")), *ledger(self.face, events, pen), *(["", saved] if saved else [])]
        self.tessella.push_screen(Card("\n".join(parts), words("screen.look_again")))

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
        if self.scene is None:
            return canvas
        if self.scene.status in ("open", "dice"):
            self._waiting_room(canvas, self.scene)
            return canvas
        chooser, opened = self.chooser, self.chooser.open if self.scene.moves else []
        self.drawn.draw(self.scene.view, canvas, self._hint(opened), self.pen)
        named = {spot.name for spot in canvas.spots}
        self._buttons(canvas, [part for part in opened if part not in named])
        chosen = chooser.moves[chooser.move] if chooser.typed and chooser.move else chooser.chosen
        canvas.frame((spot for spot in canvas.spots if spot.name in chosen), chosen=True)
        canvas.frame(spot for spot in canvas.spots if spot.name == chooser.cursor)
        canvas.frame(spot for spot, _ in canvas.notes if spot.name == self.note)
        return canvas

    def _waiting_room(self, canvas: Canvas, scene: Scene) -> None:
        """Who sits already, and what to send to those who do not."""
        words = self.tessella.words
        canvas.strong(1, 1, words("screen.waiting_room", game=words(f"screen.game.{self.game.NAME}")))
        for seat, chair in enumerate(scene.chairs):
            canvas.accent(3, 3 + seat, "●" if chair.name else "○")
            (canvas.put if chair.name else canvas.faint)(5, 3 + seat, chair.name or words("screen.free"))
        y = 4 + len(scene.chairs)
        if scene.links:
            canvas.put(1, y, words("screen.send_link"))
        for row, link in enumerate(scene.links):
            canvas.accent(3, y + 1 + row, link)

    def _hint(self, opened: list[str]) -> Hint:
        move = self.chooser.move
        return Hint(
            move=move,
            preview=self.preview(move) if move else None,
            chosen=self.chooser.chosen,
            cursor=self.chooser.cursor or "",
            open=frozenset(opened),
            tags=self._tags(),
            sums=self._sums,
        )

    def _buttons(self, canvas: Canvas, parts: list[str]) -> None:
        """What can be chosen and lies nowhere on the table."""
        x, y = 1, canvas.rows
        for part in parts:
            text = f" {self.drawn.label(part, self.pen)} "
            if x + len(text) + 2 > canvas.width:
                x, y = 1, y + 1
            style = canvas.style(canvas.palette.accent, canvas.palette.panel, bold=True)
            canvas.put(x, y, f"({text})", style)
            canvas.spot(part, x, y, len(text) + 2)
            x += len(text) + 3

    def preview(self, move: str) -> Preview:
        """What a move of who looks would do."""
        if move not in self._previews:
            assert self.scene is not None
            meant = self.game.read_move(self._state, self.scene.view.seat or 0, move)
            self._previews[move] = self.game.preview(self._state, meant)
        return self._previews[move]

    def _tags(self) -> Mapping[Seat, str]:
        """The clock of each seat, and who is away."""
        assert self.scene is not None
        tags = {seat: self._tag(seat, chair) for seat, chair in enumerate(self.scene.chairs)}
        return {seat: tag for seat, tag in tags.items() if tag}

    def _tag(self, seat: Seat, chair: Chair) -> str:
        words = self.tessella.words
        state = words("screen.stand_in") if chair.stand_in else words("screen.away") if chair.away else ""
        return " ".join(part for part in (state, self._clock(seat, chair)) if part)

    def _clock(self, seat: Seat, chair: Chair) -> str:
        if chair.seconds is None or self.scene is None:
            return ""
        runs = self.scene.status == "playing" and seat in self.scene.movers
        left = max(0.0, chair.seconds - (monotonic() - self.scene.at if runs else 0.0))
        return clock(left)

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
        return " · ".join(f"{words(kind)} {signed(points)}" for kind, points in entries.items())

    def _tick(self) -> None:
        """Clocks run."""
        if self.scene and any(chair.seconds is not None for chair in self.scene.chairs):
            self.query_one(Sheet).repaint()
        self._say()

    # What is said below the table

    def redraw(self) -> None:
        """Draw and say everything anew."""
        self.query_one(Sheet).repaint()
        self._say()

    def _say(self) -> None:
        self.query_one("#info", Static).update(Text.from_ansi(self._sentence()))
        self.query_one("#prompt", Static).update(Text.from_ansi(self._prompt()))
        self.query_one("#keys", Static).update(
            self.tessella.words("screen.keys_online" if self.table.online else "screen.keys")
        )

    def _sentence(self) -> str:
        """The most important thing to say now."""
        scene, words, pen = self.scene, self.tessella.words, self.pen
        if self.table.line != "live":
            return pen.loss(words(f"screen.line.{self.table.line}"))
        if scene is None:
            return ""
        if self.said or self.note is not None:
            return self.said or self._explained()
        if self.chooser.move:
            return self.face.explain(self.preview(self.chooser.move), pen)
        if scene.next_to_sit is not None:
            return pen.strong(words("hide", who=pen.name(scene.next_to_sit)))
        return self._state_of(scene)

    def _state_of(self, scene: Scene) -> str:
        words, pen = self.tessella.words, self.pen
        if scene.asked:
            return pen.strong(words(f"screen.asked.{scene.asked}"))
        if scene.status == "paused":
            return words("screen.paused")
        if scene.view.seat is not None and scene.chairs[scene.view.seat].stand_in:
            return pen.strong(words("screen.come_back"))
        if scene.moves and not self.sent:
            todo = self.drawn.todo(scene.view, pen)
            return f"{pen.strong(words('screen.your_turn', who=pen.name(scene.view.seat or 0)))} {todo}"
        if scene.status == "over":
            return words("screen.over_online" if self.table.online else "screen.over")
        waiting = [seat for seat in scene.movers if seat != scene.view.seat or self.sent]
        return words("screen.waiting", who=", ".join(map(pen.name, waiting))) if waiting else ""

    def _prompt(self) -> str:
        words, pen, chooser = self.tessella.words, self.pen, self.chooser
        if self.scene is None or not self.scene.moves or self.sent:
            return ""
        if self.note is not None:
            return pen.faint(words("screen.explaining"))
        if chooser.move:
            return f"› {pen.strong(chooser.move)}   {pen.faint(words('screen.play_it'))}"
        if chooser.typed:
            return f"› {pen.strong(chooser.typed)}▏"
        return "› " + pen.faint(words("screen.next_part" if chooser.chosen else "screen.type_or_point"))

    # Numbers that explain themselves

    def _notes(self) -> list[tuple[str, Note]]:
        return [(spot.name, note) for spot, note in self.query_one(Sheet).canvas.notes]

    def _explained(self) -> str:
        note = dict(self._notes()).get(self.note or "", Note(""))
        return f"{note.text}  {self.pen.faint(note.rule)}" if note.rule else note.text

    def action_explain(self) -> None:
        """Point at numbers; again: at moves."""
        notes = self._notes()
        self.note = None if self.note is not None or not notes else notes[0][0]
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
        elif event.is_printable and event.character and event.character != " " and self.scene and self.scene.moves:
            self.chooser.type(event.character)
        else:
            return False
        return True

    def _step(self, direction: Direction) -> None:
        canvas = self.query_one(Sheet).canvas
        if self.note is not None:
            self.note = step(self.note, direction, [spot for spot, _ in canvas.notes])
        else:
            self.chooser.step(direction, canvas.spots)

    def _cycle(self, by: int) -> None:
        canvas = self.query_one(Sheet).canvas
        if self.note is not None:
            names = [spot.name for spot, _ in canvas.notes]
            self.note = names[(names.index(self.note) + by) % len(names)]
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
            rule = dict(self._notes())[self.note].rule
            self.action_rules(rule)
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
        canvas = self.query_one(Sheet).canvas
        part, note = canvas.spot_at(event.x, event.y), canvas.note_at(event.x, event.y)
        if event.pressed:
            self._pressed(part, note)
        elif part is not None and part in self.chooser.open and not self.chooser.typed:
            if part == self.chooser.cursor:
                return
            self.chooser.point(part)
        elif note is not None and note.text:
            self.said = f"{note.text}  {self.pen.faint(note.rule)}"
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

    def action_rules(self, rule: str = "") -> None:
        """The rules, at one of them."""
        self.tessella.push_screen(Rules(self.game.NAME, self.tessella.words, rule))

    def action_moves(self) -> None:
        """Every legal move with what it does, the best at first sight first."""
        if self.scene is None or not self.scene.moves or self.sent:
            return
        words, pen = self.tessella.words, self.pen
        ranked = sorted(self.scene.moves, key=lambda move: -self.preview(move).points)
        choices = [(move, f"{pen.strong(move)}  {self.face.explain(self.preview(move), pen)}") for move in ranked]
        page = Pick(words("moves", n=len(choices)), choices, words("screen.pick_hint"))
        self.tessella.push_screen(page, self._look_at)

    def _look_at(self, move: str | None) -> None:
        if move:
            self.chooser.typed = ""
            self.chooser.type(move)
            self.redraw()

    def action_table(self) -> None:
        """What can be asked of the table: only a server grants anything."""
        words = self.tessella.words
        if self._wishes() and self.table.online:
            choices = [(what, words(f"screen.wish.{what}")) for what in self._wishes()]
            self.tessella.push_screen(Pick(words("screen.wishes"), choices, words("screen.pick_hint")), self._wish)

    def _wishes(self) -> list[Wish]:
        """What makes sense to ask for now."""
        scene = self.scene
        if scene is None or scene.view.seat is None:
            return []
        if scene.status == "over":
            return ["rematch"]
        answers: list[Wish] = ["decline"] if scene.asked else []
        back: list[Wish] = ["return"] if scene.chairs[scene.view.seat].stand_in else []
        return [*back, *answers, "resume" if scene.status == "paused" else "pause", "resign"]

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
            self.tessella.push_screen(Card(words(key), words("screen.leave_hint")), self._go)

    def _go(self, sure: bool | None) -> None:  # noqa: FBT001
        if sure:
            played = self.table.record()
            if played:
                self.tessella.keep(played)
            self.dismiss()


def clock(seconds: float) -> str:
    """Time as on a clock; days where there are days.

    >>> clock(75), clock(3675), clock(200_000)
    ('1:15', '1:01:15', '2 d')
    """
    if seconds >= 172_800:
        return f"{int(seconds // 86_400)} d"
    hours, rest = divmod(int(seconds), 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"
