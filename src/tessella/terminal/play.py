"""A game at one keyboard: people take turns at it, computer players play by themselves."""

from collections.abc import Iterable, Mapping, Sequence
from random import SystemRandom
from typing import Any, TypeAlias

from tessella.bots import Bot, Budget
from tessella.core import record, short
from tessella.core.game import AnyGame, BadNotation, IllegalMove, Move, Over, Seat
from tessella.core.record import Step, Table
from tessella.terminal import rulebook
from tessella.terminal.console import Console
from tessella.terminal.faces import Face, face_of, ledger, show
from tessella.terminal.pen import Pen

AnyTable: TypeAlias = Table[Any, Any, Any, Any, Any, Any, Any]
AnyStep: TypeAlias = Step[Any, Any, Any, Any]

SHOWN_MOVES = 12


class Stopped(Exception):
    """The player has had enough for now."""


class Game:
    """One game at one keyboard. `bots` are the seats that play by themselves."""

    def __init__(self, table: AnyTable, bots: Mapping[Seat, Bot], pen: Pen, console: Console) -> None:
        self.table = table
        self.game: AnyGame = table.game
        self.bots = bots
        self.pen = pen
        self.say = console.say
        self.console = console
        self.face: Face = face_of(self.game.NAME)
        self.rng = SystemRandom()
        self.looking: Seat | None = None
        """Who sits alone before the screen; None while all may look."""
        self.acts_seen: dict[Seat | None, int] = {}
        """How many acts each person was told of; under None, where nobody plays, whoever watches."""

    def play(self) -> None:
        """Play to the end, or until somebody stops."""
        try:
            self._tell()
            while self.table.seats:
                self._turn(self.table.seats)
        except (Stopped, EOFError, KeyboardInterrupt):
            self.say("\n" + self.pen.words("stopped"))
            return
        self._finish()

    # A turn

    def _turn(self, seats: Sequence[Seat]) -> None:
        """Computer players first: where several may move, nobody waits for another."""
        thinking = [seat for seat in seats if seat in self.bots]
        seat = thinking[0] if thinking else seats[0]
        if thinking:
            move = self.bots[seat](self.game.view(self.table.state, seat), Budget(), self.rng)
        else:
            self._hand_over(seat)
            move = self._ask(seat)
        self.table.play(move)
        self._tell()

    def _hand_over(self, seat: Seat) -> None:
        """Hide what the last person saw, if there is anything to hide; tell what happened, and show the table."""
        secrets = len(self._people()) > 1 and self._has_secrets()
        if secrets and self.looking != seat:
            self._change_places(seat)
        self.looking = seat if secrets else None
        self._tell()
        self._look(seat)

    def _change_places(self, seat: Seat) -> None:
        """The last person reads what became of the move, then leaves; nothing is shown until the next one sits."""
        if self.looking is not None and self.console.watched:
            self.console.ask("\n" + self.pen.words("hide", who=self.pen.name(seat)))
        self.console.clear()
        self.console.ask(self.pen.words("ready", who=self.pen.name(seat)))
        self.console.clear()

    def _people(self) -> list[Seat]:
        return [seat for seat in range(len(self.pen.names)) if seat not in self.bots]

    def _has_secrets(self) -> bool:
        return has_secrets(self.game, self.table.state, len(self.pen.names))

    def _look(self, seat: Seat) -> None:
        self.say("\n" + "\n".join(show(self.game.NAME, self.game.view(self.table.state, seat), self.pen)))

    def _ask(self, seat: Seat) -> Move:
        while True:
            text = self.console.ask(self.pen.words("ask", who=self.pen.name(seat))).strip()
            if text and not self._command(seat, text):
                move = self._read(seat, text)
                if move is not None and self._confirmed(move):
                    return move

    def _read(self, seat: Seat, text: str) -> Move | None:
        """The legal move that the text means; or say why there is none."""
        state = self.table.state
        try:
            move: Move = self.game.read_move(state, seat, text)
            self.game.apply(state, move)
        except BadNotation as wrong:
            english = self.pen.words.language == "en"
            self.say(self.pen.loss(f"{wrong}" if english else self.pen.words("not_a_move", text=text)))
            return None
        except IllegalMove as wrong:
            self._refuse(wrong)
            return None
        return move

    def _refuse(self, wrong: IllegalMove) -> None:
        """Name the rule; its page says it in the reader's language."""
        rule = rulebook.page(self.game.NAME, self.pen.words.language).rule(wrong.rule)
        assert rule is not None, f"no page tells rule {wrong.rule}"
        if self.pen.words.language == "en":
            self.say(self.pen.loss(self.pen.words("refused", why=wrong.why)))
        self._say_rule(rule)

    def _say_rule(self, rule: rulebook.Rule) -> None:
        self.say(self.pen.strong(self.pen.words("rule", id=rule.id, title=rule.title)))
        self.say(self.pen.paragraph(rule.text, "  "))

    def _confirmed(self, move: Move) -> bool:
        self.say("  " + self.face.explain(self.game.preview(self.table.state, move), self.pen))
        return not self.console.watched or not self.console.ask("  " + self.pen.words("confirm")).strip()

    # Commands

    def _command(self, seat: Seat, text: str) -> bool:
        """Do what is asked beside a move; False if the text is none of these."""
        command, *rest = text.split()
        match [command.lower(), *rest]:
            case ["?"] | ["help"]:
                self._help()
            case ["moves", *start]:
                self._moves(seat, SHOWN_MOVES, "".join(start))
            case ["all", *start]:
                self._moves(seat, None, "".join(start))
            case ["look" | "read" as how]:
                self.pen.aloud = how == "read"
                self._look(seat)
            case ["rule", rule_id]:
                self._rule(rule_id.upper())
            case ["rules"]:
                self._rules()
            case ["record"]:
                hidden = self._has_secrets()
                self.say(self.pen.words("hidden") if hidden else record.write(self.table.record()))
            case ["quit"] | ["q"]:
                raise Stopped
            case _:
                return False
        return True

    def _help(self) -> None:
        words, name = self.pen.words, self.game.NAME
        first = rulebook.page(name, words.language).sections[0][1][0].id
        self.say((words(f"help.{name}") if words.has(f"help.{name}") else "") + "\n" + words("help", id=first))

    def _moves(self, seat: Seat, most: int | None, start: str) -> None:
        """The legal moves that start so, the best first."""
        state = self.table.state
        written = [(self.game.write_move(state, move), move) for move in self.game.legal_moves(state, seat)]
        previews = [(text, self.game.preview(state, move)) for text, move in written if text.startswith(start)]
        previews.sort(key=lambda pair: -pair[1].points)
        self.say(self.pen.words("moves", n=len(previews)))
        for text, preview in previews[:most]:
            self.say(f"  {self.pen.strong(text)}  {self.face.explain(preview, self.pen)}")
        if most is not None and len(previews) > most:
            self.say("  " + self.pen.words("more", n=len(previews) - most))

    def _rule(self, rule_id: str) -> None:
        rule = rulebook.page(self.game.NAME, self.pen.words.language).rule(rule_id)
        if rule is None:
            self.say(self.pen.words("no_rule", id=rule_id))
        else:
            self._say_rule(rule)

    def _rules(self) -> None:
        page = rulebook.page(self.game.NAME, self.pen.words.language)
        self.say(f"\n{self.pen.strong(page.title)}\n{self.pen.paragraph(page.note)}")
        for heading, rules in page.sections:
            self.say(f"\n{self.pen.strong(heading)}")
            for rule in rules:
                self.say(self.pen.paragraph(f"{rule.id} {rule.title} {rule.text}", "  "))

    # What happened

    def _tell(self) -> None:
        """Say what happened since it was last told, as whoever reads along saw it."""
        if self._is_screen_free():
            return
        reader = self._reader()
        readers: Sequence[Seat | None] = [reader] if reader is not None else self._people() or [None]
        since = min(self.acts_seen.get(one, 0) for one in readers)
        for turn in _by_turn(self.table.steps[since:]):
            events = [event for step in turn for event in step.events]
            for line in story(self.game, events, self.pen, reader, self._opening(turn[0], reader)):
                self.say(line)
        self.acts_seen |= dict.fromkeys(readers, len(self.table.steps))

    def _is_screen_free(self) -> bool:
        """Whether people must take their places before anything can be told: the next one is told all of it."""
        several = len(self._people()) > 1
        return bool(self.table.seats) and several and self.looking is None and self._has_secrets()

    def _reader(self) -> Seat | None:
        """Who reads alone: the only person, or the one at the keyboard while there are secrets; None is everybody."""
        people = self._people()
        if not self.table.seats:
            return None
        return people[0] if len(people) == 1 else self.looking

    def _opening(self, step: AnyStep, reader: Seat | None) -> str:
        """The move as text, if the reader did not see it typed and may read it."""
        unseen = step.seat in self.bots or reader not in (None, step.seat)
        if step.seat is None or not unseen or self.game.owner(step.act) not in (None, reader):
            return ""
        return self.pen.words("bot_plays", who=self.pen.name(step.seat), move=self.pen.strong(step.text))

    def _finish(self) -> None:
        turn = self.table.turn
        assert isinstance(turn, Over)
        self.say("\n" + "\n".join(show(self.game.NAME, self.game.view(self.table.state, None), self.pen)))
        events = [event for step in self.table.steps for event in step.events]
        self.say(self.pen.strong(self.pen.words("ledger")))
        self.say("\n".join(ledger(self.face, events, self.pen)) + "\n")
        self.say("\n".join(standings(turn, self.pen)))
        self.say("\n" + self.pen.words("link", link=short.shorten(self.game, self.table.record())))


def story(game: AnyGame, events: Iterable[Any], pen: Pen, seat: Seat | None = None, opening: str = "") -> list[str]:
    """What a seat or a spectator saw, in sentences; those that start a new line do so, the others run on."""
    face = face_of(game.NAME)
    seen = (game.witness(event, seat) for event in events)
    lines = [opening] if opening else []
    for sentence in (face.tell(event, pen) for event in seen if event is not None):
        if sentence and lines and not sentence[0].isspace() and not lines[-1][0].isspace():
            lines[-1] += " " + sentence
        elif sentence:
            lines.append(sentence)
    return lines


def _by_turn(steps: Iterable[AnyStep]) -> list[list[AnyStep]]:
    """Each move with the deals after it."""
    turns: list[list[AnyStep]] = []
    for step in steps:
        if step.seat is not None or not turns:
            turns.append([])
        turns[-1].append(step)
    return turns


def standings(turn: Over, pen: Pen) -> list[str]:
    """Everybody by place."""
    lines: list[str] = []
    for seat in sorted(range(len(turn.places)), key=lambda seat: turn.places[seat]):
        place = turn.places[seat]
        key = "shared" if turn.places.count(place) > 1 else "place"
        lines.append(pen.words(key, place=place, who=pen.name(seat), score=pen.words("points", n=turn.scores[seat])))
    return lines


def has_secrets(game: AnyGame, state: Any, seats: int) -> bool:  # noqa: ANN401
    """Whether any two seats see different tables."""
    views = [_apart_from_seat(game.view(state, seat)) for seat in range(seats)]
    return any(view != views[0] for view in views)


def _apart_from_seat(view: Any) -> list[object]:  # noqa: ANN401
    return [getattr(view, field) for field in view.__struct_fields__ if field != "seat"]
