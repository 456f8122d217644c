"""Clients of a game, local or on a server: the screen sends them moves and shows the snapshots they send.

A client sends a snapshot whenever something happened: the view, the legal moves and the history of whoever looks. It
never waits for the screen, which may show snapshots later.
"""

import asyncio
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from subprocess import DEVNULL, PIPE, Popen
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

from tessella.core import wire
from tessella.core.game import AnyGame, Over, Seat, View
from tessella.core.local import AnyTable
from tessella.core.record import Record
from tessella.terminal.hot_seat import HistoryEntry, HotSeat

Request: TypeAlias = Literal[
    "start", "leave", "resign", "return", "pause", "resume", "abort", "rematch", "decline", "invite", "close"
]


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
    error: tuple[str, str] | None = None
    """The error of the last request: its rule and its message."""
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
        """Return the requests that a server would accept now."""
        if self.status == "open":
            return ("invite", "close") if self.yours else ()
        if self.own is None:
            return ()
        if self.status == "dice":
            return ("start", "close") if self.yours else ("start",)
        if self.status == "over":
            return () if self.ended == "closed" else ("rematch",)
        if self.own.resigned:
            return ()
        back: Request = "return" if self.own.stand_in else "leave"
        answer: tuple[Request, ...] = ("decline",) if self.asked else ()
        return (back, *answer, "resume" if self.status == "paused" else "pause", "abort", "resign")


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
        """Play until the game is over, sending every snapshot to the listener."""
        ...

    def play(self, text: str) -> None:
        """Make a legal move of the viewer."""
        ...

    def sit(self, seat: Seat) -> None:
        """Confirm that this person, and ignore else, looks at the screen now."""
        ...

    def request(self, what: Request) -> None:
        """Ask the server for anything that is not a move."""
        ...

    def record(self) -> Record | None:
        """Return the record of the game, or None while the server withholds it."""
        ...


# At this keyboard


class LocalClient:
    """A game at this keyboard: people take turns, and bots think in a process of their own."""

    online = False
    connection = "live"

    def __init__(self, table: AnyTable, bots: Mapping[Seat, str]) -> None:
        self.table = table
        self.game: AnyGame = table.game
        self.bots = bots
        names = table.record().names
        self.players = tuple(Player(name, is_bot=seat in bots) for seat, name in enumerate(names))
        self.hot_seat = HotSeat(table, len(names), bots)
        self._moves_made: asyncio.Queue[str] = asyncio.Queue()
        self._seated = asyncio.Event()
        self._bot_process = BotProcess()
        self._listener: Listener = ignore

    async def run(self, listener: Listener) -> None:
        """Play until the game is over, sending every snapshot to the listener."""
        self._listener = listener
        try:
            while (seat := self.hot_seat.mover) is not None:
                await (self._think(seat) if seat in self.bots else self._ask(seat))
            self._show()
        finally:
            self._bot_process.stop()

    async def _think(self, seat: Seat) -> None:
        self._show()
        view = self.game.view(self.table.state, seat)
        self._play(seat, await self._bot_process.think(self.game.NAME, self.bots[seat], view))

    async def _ask(self, seat: Seat) -> None:
        if self.hot_seat.must_change_places(seat):
            self._seated.clear()
            self._show(next_to_sit=seat)
            await self._seated.wait()
        self.hot_seat.sit(seat)
        self._show(*self._moves(seat))
        self._play(seat, await self._moves_made.get())

    def _play(self, seat: Seat, text: str) -> None:
        self.table.play(self.game.read_move(self.table.state, seat, text))

    def play(self, text: str) -> None:
        """Make a move of the viewer."""
        self._moves_made.put_nowait(text)

    def sit(self, seat: Seat) -> None:  # noqa: ARG002  only one person is awaited
        """Confirm that the next person has sat down."""
        self._seated.set()

    def request(self, what: Request) -> None:
        """Do nothing: only a server takes requests."""

    def record(self) -> Record | None:
        """Return the whole game so far."""
        return self.table.record()

    def _moves(self, seat: Seat) -> tuple[str, ...]:
        state = self.table.state
        return tuple(self.game.write_move(state, move) for move in self.game.legal_moves(state, seat))

    def _show(self, *moves: str, next_to_sit: Seat | None = None) -> None:
        viewer = self._viewer(next_to_sit)
        history, new = self.hot_seat.catch_up(viewer)
        self._listener(
            Snapshot(
                view=self.game.view(self.table.state, viewer),
                players=self.players,
                moves=moves,
                history=tuple(history),
                new_entries=new,
                status="playing" if self.table.seats else "over",
                movers=self.table.seats,
                result=turn if isinstance(turn := self.table.turn, Over) else None,
                next_to_sit=next_to_sit,
            )
        )

    def _viewer(self, next_to_sit: Seat | None) -> Seat | None:
        """Return whose view to show; None while people change places, and when several have finished."""
        hot_seat = self.hot_seat
        if hot_seat.private or len(hot_seat.people) == 1:
            return hot_seat.viewer
        return hot_seat.viewer if self.table.seats and next_to_sit is None else None


def ignore(snapshot: Snapshot) -> None:
    """Ignore the snapshot: no screen is attached yet."""


# Bots


class BotProcess:
    """A process that runs the bots, so that the screen never waits for them."""

    def __init__(self) -> None:
        self._process: Popen[bytes] | None = None

    async def think(self, game: str, bot: str, view: View) -> str:
        """Return the move a bot chooses from a view, in notation."""
        self._process = self._process or Popen(_COMMAND, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)  # noqa: S603  our own program
        question = f"{game} {bot} ".encode() + wire.encode(view) + b"\n"
        return await asyncio.to_thread(_ask, self._process, question)

    def stop(self) -> None:
        """Kill the process at once, so that this also works while the program exits."""
        if self._process is not None:
            self._process.kill()
            with suppress(BrokenPipeError), self._process:
                pass
            self._process = None


_COMMAND = (sys.executable, "-m", "tessella.terminal.tui.bot_process")


def _ask(process: Popen[bytes], question: bytes) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(question)
    process.stdin.flush()
    answer = process.stdout.readline()
    assert answer, "the bot process has exited"
    return answer.decode().strip()
