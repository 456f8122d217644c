"""Clients of a game, local or on a server: the screen sends them moves and shows the snapshots they send.

A client sends a snapshot whenever something happened: the view, the legal moves and the history of whoever looks. It
never waits for the screen, which may show snapshots later.
"""

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress
from subprocess import PIPE, Popen
from tempfile import TemporaryFile
from time import monotonic
from typing import IO, Literal, Protocol, TypeAlias

from msgspec import Struct

from tessella.core import wire
from tessella.core.game import AnyGame, Over, Seat, View
from tessella.core.record import Record
from tessella.local.game import BotTurn, LocalGame
from tessella.local.hot_seat import HistoryEntry, HotSeat
from tessella.protocol.messages import Command, ErrorReply, Phrase, Play
from tessella.table.table import Occupant

SUBSTITUTE_SECONDS = 60.0
"""The server lets a bot play on for a player who has been away for this long."""

TableRequest: TypeAlias = Literal[
    "start", "leave", "resign", "return", "pause", "resume", "abort", "rematch", "takeback", "decline", "substitute"
]
Request: TypeAlias = TableRequest | Literal["invite", "close"]


class Player(Struct, frozen=True):
    """A player at the table."""

    name: str
    is_bot: bool = False
    stand_in: bool = False
    """Whether a bot fills in for a player who left."""
    resigned: bool = False
    """Whether the player resigned and so cannot come back."""
    away: bool = False
    seconds: float | None = None
    """Time left on the clock; None without clocks."""
    gone_at: float | None = None
    """Since when the player has been away, in seconds of the monotonic clock; None if that does not matter."""


class Snapshot(Struct, frozen=True):
    """The table as the viewer may see it now."""

    view: View
    players: tuple[Player, ...]
    moves: tuple[str, ...] = ()
    history: tuple[HistoryEntry, ...] = ()
    """Everything that happened, as the viewer saw it; the last `new_entries` are new."""
    new_entries: int = 0
    status: str = "playing"
    """`open`, `dice`, `playing`, `paused` or `over`."""
    movers: tuple[Seat, ...] = ()
    result: Over | None = None
    """The result of a finished game; None if it was stopped without one."""
    ended: str = ""
    """Why the game ended early: `resigned`, `aborted` or `closed`."""
    next_to_sit: Seat | None = None
    """The player who must sit down before anything hidden from others may be shown."""
    links: tuple[str, ...] = ()
    """Invitation links to the free seats."""
    yours: bool = False
    """Whether the viewer opened the table and so may invite again and close it before the game."""
    asked: str = ""
    """What a player asks the others to agree to: a pause, a rematch."""
    here: bool = False
    """Whether the game is at this keyboard, where no other player must agree."""
    may_take_back: bool = False
    """Whether a move may be taken back."""
    error: tuple[str, str] | None = None
    """The error of the last request: its rule and its message."""
    said: tuple[Seat, Phrase] | None = None
    """What a player has just said."""
    at: float = 0.0
    """When the snapshot was made, in seconds of the monotonic clock."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return the name of every player."""
        return tuple(player.name for player in self.players)

    @property
    def own(self) -> Player | None:
        """Return the viewer's own player, or None for a spectator."""
        return None if self.view.seat is None else self.players[self.view.seat]

    @property
    def requests(self) -> tuple[Request, ...]:
        """Return the requests that would be accepted now."""
        if self.status == "open":
            return ("invite", "close") if self.yours else ()
        if self.status == "over" and (self.here or self.own is not None):
            return () if self.ended == "closed" else ("rematch",)
        if self.own is None:
            return ()
        if self.status == "dice":
            return ("start", "close") if self.yours else ("start",)
        return () if self.own.resigned else (*self._before_the_end, "resign")

    @property
    def _before_the_end(self) -> tuple[Request, ...]:
        take_back: tuple[Request, ...] = ("takeback",) if self.may_take_back else ()
        if self.here or self.own is None:
            return take_back
        back: Request = "return" if self.own.stand_in else "leave"
        answer: tuple[Request, ...] = ("decline",) if self.asked else ()
        bot: tuple[Request, ...] = ("substitute",) if self.absent else ()
        return (back, *answer, *bot, *take_back, "resume" if self.status == "paused" else "pause", "abort")

    @property
    def absent(self) -> tuple[Seat, ...]:
        """Return the seats of others who are to move and have been away for a minute, so that a bot may play on."""
        now = monotonic()
        since = {seat: self.players[seat].gone_at for seat in self.movers if seat != self.view.seat}
        return tuple(seat for seat, gone in since.items() if gone is not None and now - gone >= SUBSTITUTE_SECONDS)


Listener: TypeAlias = Callable[[Snapshot], None]


class GameClient(Protocol):
    """A game that the screen can play, local or on a server."""

    @property
    def game(self) -> AnyGame:
        """Return the game being played."""
        ...

    @property
    def online(self) -> bool:
        """Return whether the game is on a server."""
        ...

    @property
    def connection(self) -> str:
        """Return the state of the connection: live, lost, connecting, pairing or refused."""
        ...

    async def run(self, listener: Listener) -> None:
        """Play this game and those that follow it, sending every snapshot to the listener."""
        ...

    def play(self, text: str) -> None:
        """Make a legal move of the viewer."""
        ...

    def sit(self, seat: Seat) -> None:
        """Confirm that this person, and ignore else, looks at the screen now."""
        ...

    def request(self, what: Request) -> None:
        """Ask for anything that is not a move."""
        ...

    def say(self, phrase: Phrase) -> None:
        """Say something to everyone at the table."""
        ...

    def record(self) -> Record | None:
        """Return the record of the game, or None while the server withholds it."""
        ...


# At this keyboard


class LocalClient:
    """A game at this keyboard: people take turns, and bots think in a process of their own.

    `keep` is called with the game whenever it has changed, to save it.
    """

    online = False
    connection = "live"

    def __init__(self, local: LocalGame, keep: Callable[[Record], None] = lambda _: None) -> None:
        self.local = local
        self.game: AnyGame = local.table.game
        self.hot_seat = HotSeat(local)
        self._keep = keep
        self._inbox: asyncio.Queue[Play | Command] = asyncio.Queue()
        self._seated = asyncio.Event()
        self._bot_process = BotProcess()
        self._listener: Listener = ignore

    async def run(self, listener: Listener) -> None:
        """Play this game and those that follow it, sending every snapshot to the listener."""
        self._listener = listener
        try:
            while await self._go_on():
                pass
        except BotFailure as exc:
            self._show(error=("bot", str(exc)))
        finally:
            self._bot_process.stop()

    async def _go_on(self) -> bool:
        """Move, answer a request after the end, or go on to the next game; False if no person is left to ask."""
        if self.local.next_game is not None:
            self.local = self.local.next_game
            self.hot_seat = HotSeat(self.local)
        self._keep(self.local.saved())
        if (seat := self.hot_seat.mover) is not None:
            await self._move(seat)
            return True
        self._show()
        for person in self.local.table.people[:1]:
            await self._answer(person)
        return bool(self.local.table.people)

    async def _move(self, seat: Seat) -> None:
        turn = self.local.bot_to_move()
        if turn is None:
            await self._ask(seat)
        else:
            self._show()
            self.local.play_bot(turn, await self._bot_process.think(turn))

    async def _ask(self, seat: Seat) -> None:
        if self.hot_seat.next_to_sit is not None:
            self._seated.clear()
            self._show()
            await self._seated.wait()
        self.hot_seat.sit(seat)
        self._show()
        await self._answer(seat)

    async def _answer(self, seat: Seat) -> None:
        """Answer the next message of the person in a seat."""
        reply = self.local.receive(seat, await self._inbox.get())[-1]
        if isinstance(reply, ErrorReply):
            self._show(error=(reply.rule, reply.message))

    def play(self, text: str) -> None:
        """Make a move of the viewer."""
        number = self.local.table.number
        self._inbox.put_nowait(Play(f"move-{number}", number, text))

    def sit(self, seat: Seat) -> None:  # noqa: ARG002  only one person is awaited
        """Confirm that the next person has sat down."""
        self._seated.set()

    def request(self, what: Request) -> None:
        """Ask for anything that is not a move; while a bot thinks, it waits."""
        if what != "invite" and what != "close":  # noqa: PLR1714  mypy does not narrow by membership
            self._inbox.put_nowait(Command(f"request-{self.local.table.number}", what))

    def say(self, phrase: Phrase) -> None:
        """Do nothing: everyone is at this keyboard."""

    def record(self) -> Record | None:
        """Return the whole game so far."""
        return self.local.record()

    def _show(self, error: tuple[str, str] | None = None) -> None:
        table, viewer = self.local.table, self.hot_seat.shown_to
        history, new = self.hot_seat.catch_up(viewer)
        end = table.end
        self._listener(
            Snapshot(
                view=table.game.view(table.state, viewer),
                players=tuple(map(_player, table.seats)),
                moves=self.local.view(viewer).moves if viewer == self.hot_seat.mover else (),
                history=tuple(history),
                new_entries=new,
                status=table.status,
                movers=table.movers,
                result=Over(end.scores, end.places) if end and end.places else None,
                ended=end.reason if end and end.reason != "over" else "",
                next_to_sit=self.hot_seat.next_to_sit,
                here=True,
                may_take_back=any(one.seat in table.people for one in history if one.what == "played"),
                error=error,
            )
        )


def _player(occupant: Occupant) -> Player:
    stand_in = bool(occupant.level) and not occupant.is_bot
    return Player(occupant.name, is_bot=occupant.is_bot, stand_in=stand_in, resigned=occupant.resigned)


def ignore(snapshot: Snapshot) -> None:
    """Ignore the snapshot: no screen is attached yet."""


# Bots


class BotFailure(Exception):
    """The process that runs the bots has ended; the message says why, as far as it said so itself."""


class BotProcess:
    """A process that runs the bots, so that the screen never waits for them."""

    def __init__(self) -> None:
        self._process: Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None

    async def think(self, turn: BotTurn) -> str:
        """Return the move a bot chooses, in notation; raise `BotFailure` if its process ends."""
        if self._process is None or self._errors is None:
            self._errors = TemporaryFile()  # noqa: SIM115  closed by `stop`; a pipe that nobody reads would fill up
            self._process = Popen(_COMMAND, stdin=PIPE, stdout=PIPE, stderr=self._errors)  # noqa: S603  our own program
        return await asyncio.to_thread(_ask, self._process, self._errors, _question(turn))

    def stop(self) -> None:
        """Kill the process at once, so that this also works while the program exits."""
        if self._process is not None:
            self._process.kill()
            with suppress(BrokenPipeError), self._process:
                pass
            self._process = None
        if self._errors is not None:
            self._errors.close()
            self._errors = None


_COMMAND = (sys.executable, "-m", "tessella.terminal.bot_process")


def _question(turn: BotTurn) -> bytes:
    about = f"{turn.title} {turn.seat} {turn.level} {turn.number} {turn.rng_seed} "
    return about.encode() + wire.encode(turn.view) + b"\n"


def _ask(process: Popen[bytes], errors: IO[bytes], question: bytes) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(BrokenPipeError):
        process.stdin.write(question)
        process.stdin.flush()
    answer = process.stdout.readline()
    if not answer:
        raise BotFailure(_last_words(process.wait(), errors))
    return answer.decode().strip()


def _last_words(code: int, errors: IO[bytes]) -> str:
    """Return the last line that a process wrote to its standard error, or how it ended."""
    errors.seek(0)
    lines = errors.read().decode(errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else f"exit code {code}"
