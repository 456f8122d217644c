"""Games in plain text, for people, pipes and screen readers; here, one at this keyboard.

People take turns at one keyboard, and bots play by themselves.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal

from tessella.core import link, record
from tessella.core.game import AnyGame, BadNotation, IllegalMove, Move, Over, Seat, View
from tessella.core.record import Record
from tessella.local.game import BotTurn, LocalGame, choose_move
from tessella.local.hot_seat import HistoryEntry, HotSeat
from tessella.protocol.messages import Ack, Command, ErrorReply, Play
from tessella.terminal.console import Console
from tessella.text import rulebook
from tessella.text.illegal_moves import illegal_text
from tessella.text.narration import narrate, standings
from tessella.text.renderers import Renderer, ledger, renderer_for, show
from tessella.text.style import Style

SHOWN_MOVES = 12


class Stopped(Exception):
    """The player quits the game."""


class Changed(Exception):
    """A request of the player was carried out, so no move is awaited any more."""


class PlainText(ABC):
    """A game in plain text: what a player may type, and the answers."""

    def __init__(self, game: AnyGame, style: Style, console: Console) -> None:
        self.game = game
        self.style = style
        self.say = console.say
        self.console = console
        self.renderer: Renderer = renderer_for(game.NAME)

    @property
    @abstractmethod
    def state(self) -> Any:  # noqa: ANN401
        """The state of the game, or one that looks the same to the player."""

    @abstractmethod
    def _view(self, seat: Seat) -> View:
        """Return what this player sees."""

    @abstractmethod
    def _record(self) -> str:
        """Return the record as text, or why it is not shown."""

    def _look(self, seat: Seat) -> None:
        self.say("\n" + "\n".join(show(self.game.NAME, self._view(seat), self.style)))

    def _ask(self, seat: Seat) -> Move:
        while True:
            text = self.console.ask(self.style.texts("ask", who=self.style.name(seat))).strip()
            if text and not self._command(seat, text):
                move = self._read(seat, text)
                if move is not None and self._confirmed(move):
                    return move

    def _read(self, seat: Seat, text: str) -> Move | None:
        """Return the legal move that the text means, or print an error and return None."""
        state = self.state
        try:
            move: Move = self.game.read_move(state, seat, text)
            self.game.apply(state, move)
        except BadNotation as exc:
            english = self.style.texts.language == "en"
            self.say(self.style.loss(f"{exc}" if english else self.style.texts("not_a_move", text=text)))
            return None
        except IllegalMove as exc:
            self._print_error(exc)
            return None
        return move

    def _print_error(self, error: IllegalMove) -> None:
        """Print why the move is not allowed and the rule that forbids it, in the language of the interface."""
        rule = rulebook.page(self.game.NAME, self.style.texts.language).rule(error.rule)
        assert rule is not None, f"the rules page lacks rule {error.rule}"
        self.say(self.style.loss(illegal_text(self.game.NAME, error, self.style.texts)))
        self._print_rule(rule)

    def _print_rule(self, rule: rulebook.Rule) -> None:
        self.say(self.style.strong(self.style.texts("rule", id=rule.id, title=rule.title)))
        self.say(self.style.paragraph(rule.text, "  "))

    def _explain(self, move: Move) -> None:
        """Say what a move would do."""
        self.say("  " + self.renderer.explain(self.game.preview(self.state, move), self.style))

    def _confirmed(self, move: Move) -> bool:
        self._explain(move)
        return not self.console.watched or not self.console.ask("  " + self.style.texts("confirm")).strip()

    # Commands

    def _command(self, seat: Seat, text: str) -> bool:
        """Run a command such as `help`; return False if the text is not a command."""
        command, *rest = text.split()
        match [command.lower(), *rest]:
            case ["?"] | ["help"]:
                self._help()
            case ["moves", *start]:
                self._moves(seat, SHOWN_MOVES, "".join(start))
            case ["all", *start]:
                self._moves(seat, None, "".join(start))
            case ["look" | "read" as how]:
                self.style.aloud = how == "read"
                self._look(seat)
            case ["rule", rule_id]:
                self._rule(rule_id.upper())
            case ["rules"]:
                self._rules()
            case ["record"]:
                self.say(self._record())
            case ["quit"] | ["q"]:
                raise Stopped
            case _:
                return False
        return True

    def _help(self) -> None:
        texts, name = self.style.texts, self.game.NAME
        first = rulebook.page(name, texts.language).sections[0][1][0].id
        self.say((texts(f"help.{name}") if texts.has(f"help.{name}") else "") + "\n" + texts("help", id=first))

    def _moves(self, seat: Seat, most: int | None, start: str) -> None:
        """Print the legal moves that start with a text, highest points first."""
        state = self.state
        written = [(self.game.write_move(state, move), move) for move in self.game.legal_moves(state, seat)]
        previews = [(text, self.game.preview(state, move)) for text, move in written if text.startswith(start)]
        previews.sort(key=lambda pair: -pair[1].points)
        self.say(self.style.texts("moves", n=len(previews)))
        for text, preview in previews[:most]:
            self.say(f"  {self.style.strong(text)}  {self.renderer.explain(preview, self.style)}")
        if most is not None and len(previews) > most:
            self.say("  " + self.style.texts("more", n=len(previews) - most))

    def _rule(self, rule_id: str) -> None:
        rule = rulebook.page(self.game.NAME, self.style.texts.language).rule(rule_id)
        if rule is None:
            self.say(self.style.texts("no_rule", id=rule_id))
        else:
            self._print_rule(rule)

    def _rules(self) -> None:
        page = rulebook.page(self.game.NAME, self.style.texts.language)
        self.say(f"\n{self.style.strong(page.title)}\n{self.style.paragraph(page.note)}")
        for heading, rules in page.sections:
            self.say(f"\n{self.style.strong(heading)}")
            for rule in rules:
                self.say(self.style.paragraph(f"{rule.id} {rule.title} {rule.text}", "  "))


class PlainGame(PlainText):
    """A local game in plain text. `keep` is called with the game whenever it has changed, to save it."""

    def __init__(
        self,
        local: LocalGame,
        style: Style,
        console: Console,
        keep: Callable[[Record], None] = lambda _: None,
        choose: Callable[[BotTurn], str] = choose_move,
    ) -> None:
        super().__init__(local.table.game, style, console)
        self.local = local
        self.hot_seat = HotSeat(local)
        self._keep = keep
        self._choose = choose

    @property
    def state(self) -> Any:  # noqa: ANN401
        """The state of the game."""
        return self.local.table.state

    def _view(self, seat: Seat) -> View:
        view: View = self.game.view(self.state, seat)
        return view

    def _record(self) -> str:
        return self.style.texts("hidden") if self.hot_seat.has_secrets else record.write(self.local.record())

    def play(self) -> None:
        """Play until the game is over or a player quits."""
        try:
            self._keep(self.local.saved())
            self._narrate()
            while (seat := self.hot_seat.mover) is not None:
                self._turn(seat)
        except (Stopped, EOFError, KeyboardInterrupt):
            self.say("\n" + self.style.texts("stopped"))
            return
        self._finish()
        self._offer_rematch()

    # A turn

    def _turn(self, seat: Seat) -> None:
        turn = self.local.bot_to_move()
        if turn is not None:
            self.local.play_bot(turn, self._choose(turn))
        else:
            self._hand_over(seat)
            with suppress(Changed):
                self._play(seat, self.game.write_move(self.state, self._ask(seat)))
        self._go_on()

    def _go_on(self) -> None:
        """Go on to the next game if there is one, keep it, and narrate what is new."""
        if self.local.next_game is not None:
            self.local = self.local.next_game
            self.hot_seat = HotSeat(self.local)
        self._keep(self.local.saved())
        self._narrate()

    def _command(self, seat: Seat, text: str) -> bool:
        if text.lower() not in ("takeback", "resign"):
            return super()._command(seat, text)
        self._request(seat, "resign" if text.lower() == "resign" else "takeback")
        return True

    def _request(self, seat: Seat, action: Literal["resign", "takeback", "rematch"]) -> None:
        """Carry out a request and raise `Changed`, or print why it is refused."""
        reply = self.local.receive(seat, Command(f"request-{self.local.table.number}", action))[-1]
        if not isinstance(reply, ErrorReply):
            raise Changed
        texts, key = self.style.texts, f"plain.refused.{reply.rule}"
        self.say(self.style.loss(texts(key) if texts.has(key) else reply.message))

    def _offer_rematch(self) -> None:
        """Play again if a person at the keyboard asks for it."""
        people = self.local.table.people
        if not (people and self.console.watched):
            return
        try:
            if self.console.ask("\n" + self.style.texts("plain.again")).strip().lower() != "rematch":
                return
            self._request(people[0], "rematch")
        except Changed:
            self._go_on()
            self.play()
        except (EOFError, KeyboardInterrupt):
            return

    def _play(self, seat: Seat, text: str) -> None:
        number = self.local.table.number
        reply = self.local.receive(seat, Play(f"move-{number}", number, text))[-1]
        assert isinstance(reply, Ack), reply  # the move was checked when it was read

    def _hand_over(self, seat: Seat) -> None:
        """Hide what the last person saw if anything is secret, then narrate what happened and show the table."""
        if self.hot_seat.must_change_places(seat):
            self._change_places(seat)
        self.hot_seat.sit(seat)
        self._narrate()
        self._look(seat)

    def _change_places(self, seat: Seat) -> None:
        """Let the last person read the result of the move, then show nothing until the next one has sat down."""
        if self.hot_seat.private and self.console.watched:
            self.console.ask("\n" + self.style.texts("hide", who=self.style.name(seat)))
        self.console.clear()
        self.console.ask(self.style.texts("ready", who=self.style.name(seat)))
        self.console.clear()

    # Narration and result

    def _narrate(self) -> None:
        """Narrate what is new to whoever looks at the screen."""
        if self.hot_seat.is_vacant:  # the next person reads it after sitting down
            return
        viewer = self._viewer()
        history, new = self.hot_seat.catch_up(viewer)
        for entry in history[len(history) - new :]:
            for line in narrate(self.game, entry.events, self.style, viewer, self._opening(entry, viewer)):
                self.say(line)

    def _viewer(self) -> Seat | None:
        """Return who reads alone: the only person, or whoever holds the keyboard while there are secrets."""
        hot_seat = self.hot_seat
        alone = hot_seat.private or len(hot_seat.people) == 1
        return hot_seat.viewer if alone and self.local.table.movers else None

    def _opening(self, entry: HistoryEntry, viewer: Seat | None) -> str:
        """Return the move in notation, unless the viewer typed it or may not read it."""
        typed = entry.seat in self.hot_seat.people and viewer in (None, entry.seat)
        if entry.seat is None or not entry.text or typed:
            return ""
        return self.style.texts("bot_plays", who=self.style.name(entry.seat), move=self.style.strong(entry.text))

    def _finish(self) -> None:
        end = self.local.table.end
        assert end is not None
        self.say("\n" + "\n".join(show(self.game.NAME, self.game.view(self.state, None), self.style)))
        events = [event for step in self.local.steps for event in step.applied.events]
        self.say(self.style.strong(self.style.texts("ledger")))
        self.say("\n".join(ledger(self.renderer, events, self.style)) + "\n")
        if end.reason != "over":
            self.say(self.style.texts(f"screen.ended.{end.reason}"))
        if end.scores:
            self.say("\n".join(standings(Over(end.scores, end.places), self.style)))
        self.say("\n" + self.style.texts("link", link=link.shorten(self.game, self.local.record())))
