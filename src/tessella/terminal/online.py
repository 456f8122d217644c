"""A game on a server, over the same messages as the browser: it reconnects by itself and loses no move.

Each request has a key and is sent again until the server has answered it; the server counts it once. Previews and
legal moves are computed here, from the view.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from random import SystemRandom
from time import monotonic
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from tessella.core import dice, record, wire
from tessella.core.game import AnyGame, Move, Over, Seat
from tessella.core.record import Record
from tessella.local.hot_seat import HistoryEntry
from tessella.protocol import messages
from tessella.protocol.messages import (
    Ack,
    EntryView,
    ErrorReply,
    FromServer,
    Hello,
    Phrase,
    Play,
    Pledge,
    Pong,
    Presence,
    PreviewReply,
    Reveal,
    Said,
    Say,
    SeatView,
    TableView,
    Update,
)
from tessella.protocol.views import event_type, view_type
from tessella.terminal.client import Listener, Player, Request, Snapshot, ignore
from tessella.terminal.http import Server, ServerError
from tessella.terminal.setup import bot_name, distinct
from tessella.text.i18n import Translations

NOT_ALLOWED = 4003
MAX_WAIT_SECONDS = 15.0
PING_SECONDS, ANSWER_SECONDS = 15.0, 4.0
_rng = SystemRandom()


def connect_timeout(tries: int) -> float:
    """Return the timeout for opening a connection, longer after each failed try.

    >>> [connect_timeout(tries) for tries in range(6)]
    [4.0, 1.0, 2.0, 4.0, 8.0, 15.0]
    """
    return min(MAX_WAIT_SECONDS, 0.5 * 2**tries) if tries else ANSWER_SECONDS


ClientMessage: TypeAlias = Play | Pledge | Reveal | messages.Command
_decoder: msgspec.json.Decoder[FromServer] = msgspec.json.Decoder(FromServer)


class OnlineClient:
    """A game on a server. `find` returns its id, possibly after waiting for other players."""

    online = True

    def __init__(
        self,
        server: Server,
        game: AnyGame,
        texts: Translations,
        find: Callable[[], Awaitable[str]],
        links: tuple[str, ...] = (),
    ) -> None:
        self.server = server
        self.game: AnyGame = game
        self.texts = texts
        self.connection = "connecting"
        self._find = find
        self._links = links
        self._yours = bool(links)
        self._id = ""
        self._listener: Listener = ignore
        self._socket: ClientConnection | None = None
        self._waiting: dict[str, ClientMessage] = {}
        """Requests that the server has not answered yet, by key."""
        self._dice: set[str] = set()
        self._pending = ""
        """The key of the own move that the server has not answered yet."""
        self._number = 0
        self._history: list[tuple[int, HistoryEntry]] = []
        self._shown = 0
        """How many entries of the history have been shown."""
        self._snapshot: Snapshot | None = None
        self._record: Record | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    # The connection

    async def run(self, listener: Listener) -> None:
        """Stay connected to the table until the client is closed."""
        self._listener = listener
        try:
            await self._stay()
        finally:
            self._listener = ignore
            for task in self._tasks:
                task.cancel()

    async def _stay(self) -> None:
        try:
            self._id = self._id or await self._find()
        except ServerError:
            self.connection = "refused"
            return
        tries = 0
        while self.connection != "refused":
            began = self._number
            await self._connect(connect_timeout(tries))
            tries = 1 if self._number > began else tries + 1
            await asyncio.sleep(_rng.random() * min(MAX_WAIT_SECONDS, 0.4 * 2**tries))

    async def _connect(self, timeout: float) -> None:
        """Keep one connection open until it breaks or the players move on to another table."""
        address, table = self.server.socket(self._id), self._id
        try:
            async with connect(
                address,
                additional_headers=self.server.headers,
                compression=None,
                open_timeout=timeout,
                ping_interval=PING_SECONDS,
                ping_timeout=ANSWER_SECONDS,
            ) as socket:
                self._socket = socket
                await self._greet(socket)
                async for message in socket:
                    self._receive(message)
                    if self._id != table:
                        return
                self.connection = "lost"
        except ConnectionClosed as exc:
            self.connection = "refused" if exc.rcvd and exc.rcvd.code == NOT_ALLOWED else "lost"
        except (OSError, WebSocketException):
            self.connection = "lost"
        finally:
            if self._socket is not None:
                self._socket.transport.abort()  # a close handshake cut short must not leave the socket open
            self._socket = None

    async def _greet(self, socket: ClientConnection) -> None:
        for message in (Hello(self._number - 1), *self._waiting.values()):
            await socket.send(msgspec.json.encode(message).decode())

    def _send(self, request: ClientMessage) -> str:
        """Send a request, now or once connected again, and return its key."""
        self._waiting[request.key] = request
        self._start(self._transmit(request))
        return request.key

    async def _transmit(self, message: ClientMessage | Say) -> None:
        """Send a message and abort the connection if no pong follows; it is sent again on the next one."""
        if (socket := self._socket) is None:
            return
        with suppress(ConnectionClosed):
            await socket.send(msgspec.json.encode(message).decode())
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    await (await socket.ping())
            except TimeoutError:
                socket.transport.abort()

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Requests

    def play(self, text: str) -> None:
        """Send a move, unless one is on its way."""
        if not self._pending:
            self._pending = self._send(Play(_fresh_key(), self._number, text))

    def request(self, what: Request) -> None:
        """Send a request that is not a move."""
        if what == "invite":
            self._start(self._invite())
        elif what == "close":
            self._start(self._close())
        else:
            self._send(messages.Command(_fresh_key(), what))

    def say(self, phrase: Phrase) -> None:
        """Say something to everyone at the table; it is lost without a connection."""
        self._start(self._transmit(Say(phrase)))

    async def _invite(self) -> None:
        """Replace the invitation links to the free seats."""
        made = await self._ask_for("invitations")
        if made and self._snapshot is not None:
            self._links = tuple(self.server.link(self._id, one["secret"]) for one in made["invitations"])
            self._show(replace(self._snapshot, links=self._links))

    async def _close(self) -> None:
        """Close the table; the server then notifies everyone at it."""
        await self._ask_for("close")

    async def _ask_for(self, what: str) -> Any:  # noqa: ANN401
        try:
            return await self.server.ask("POST", f"/api/games/{self._id}/{what}")
        except ServerError as exc:
            if self._snapshot is not None:
                self._show(replace(self._snapshot, error=(exc.rule, str(exc))))
            return None

    def sit(self, seat: Seat) -> None:
        """Do nothing: only local games change places."""

    def record(self) -> Record | None:
        """Return the record once the game is over and the record has arrived."""
        return self._record

    # Messages from the server

    def _receive(self, message: str | bytes) -> None:
        match _decoder.decode(message):
            case Update() as update:
                self._update(update)
            case Ack(key=key):
                self._waiting.pop(key, None)
            case ErrorReply() as error:
                self._reject(error)
            case Presence(present=present, away=away):
                self._set_presence(present, away)
            case Said(seat=seat, phrase=phrase):
                if self._snapshot is not None:
                    self._show(replace(self._snapshot, said=(seat, phrase)))
            case PreviewReply() | Pong():
                pass

    def _update(self, update: Update) -> None:
        table, first = update.table, self._snapshot is None
        self.connection = "live"
        if table.number < self._number:
            return
        self._number = table.number
        self._history += [(entry.number, self._entry(entry)) for entry in update.entries if entry.number > self._latest]
        if self._pending and any(entry.seat == table.seat and entry.kind == "played" for entry in update.entries):
            self._resolve_move()
        self._throw_dice(table)
        if first and update.entries and update.entries[0].number > 1:
            self._start(self._fetch_history(update.entries[0].number))
        if table.next_game:
            self._follow(table.next_game)
            return
        if table.end and table.end.reason != "closed" and self._record is None:
            self._start(self._read_record())
        self._show(self._snapshot_of(table))

    @property
    def _latest(self) -> int:
        return self._history[-1][0] if self._history else 0

    def _resolve_move(self) -> None:
        self._waiting.pop(self._pending, None)
        self._pending = ""

    def _entry(self, entry: EntryView) -> HistoryEntry:
        events = tuple(wire.decode(bytes(event), event_type(self.game)) for event in entry.events)
        moves = [act for act in entry.acts if act and not act.startswith("*")]
        text = moves[0].rpartition(":")[2] if moves and entry.kind == "played" else ""
        return HistoryEntry(entry.seat, text, events, "played" if entry.kind == "started" else entry.kind)

    def _snapshot_of(self, table: TableView) -> Snapshot:
        return Snapshot(
            view=wire.decode(bytes(table.view), view_type(self.game)),
            players=_players(table.seats, self.texts),
            moves=table.moves if self._may_play(table) else (),
            status=table.status,
            movers=table.movers,
            result=Over(table.end.scores, table.end.places) if table.end and table.end.places else None,
            ended=table.end.reason if table.end and table.end.reason != "over" else "",
            links=self._links if table.status == "open" else (),
            yours=self._yours,
            asked=table.asked,
            may_take_back=not table.rated,
            at=monotonic(),
        )

    def _may_play(self, table: TableView) -> bool:
        """Return whether a move can be sent: none is on its way, and no bot fills in for us."""
        return not self._pending and (table.seat is None or not table.seats[table.seat].level)

    def _show(self, snapshot: Snapshot) -> None:
        """Send the snapshot with the whole history; entries not shown before count as new."""
        fresh = len(self._history) - self._shown
        self._shown = len(self._history)
        self._snapshot = replace(snapshot, history=tuple(one for _, one in self._history), new_entries=fresh)
        self._listener(self._snapshot)
        self._snapshot = replace(self._snapshot, error=None, said=None)

    async def _fetch_history(self, before: int) -> None:
        """Fetch the entries before the ones that the server sent on connecting."""
        older: list[tuple[int, HistoryEntry]] = []
        start: int | None = 1
        while start is not None:
            path = f"/api/games/{self._id}/entries?from={start}&before={before}"
            try:
                page = msgspec.convert(await self.server.ask("GET", path), EntriesPage)
            except ServerError:
                return
            older += map(self._read_entry, page.entries)
            start = page.next
        self._history = older + self._history
        self._shown += len(older)
        if self._snapshot is not None:
            self._show(self._snapshot)

    def _read_entry(self, entry: dict[str, object]) -> tuple[int, HistoryEntry]:
        found = msgspec.json.decode(msgspec.json.encode(entry), type=EntryView)
        return found.number, self._entry(found)

    async def _read_record(self) -> None:
        with suppress(ServerError):
            answer = await self.server.ask("GET", f"/api/games/{self._id}/record")
            self._record = record.read(answer["record"])

    def _reject(self, error: ErrorReply) -> None:
        request = self._waiting.pop(error.key, None)
        if error.key == self._pending:
            self._pending = ""
            self._play_again(request.move if isinstance(request, Play) else "", error)
        elif self._snapshot is not None and (isinstance(request, messages.Command) or not error.key):
            self._show(replace(self._snapshot, error=(error.rule, error.message)))

    def _play_again(self, move: str, error: ErrorReply) -> None:
        """Send the move again if only another player's simultaneous move made it stale."""
        assert self._snapshot is not None
        state = self.game.imagine(self._snapshot.view, _rng)
        seat = self._snapshot.view.seat
        may_move = seat is not None and seat in self._snapshot.movers
        moves: Sequence[Move] = self.game.legal_moves(state, seat or 0) if may_move else ()
        legal = tuple(self.game.write_move(state, each) for each in moves)
        if error.rule == "stale" and move in legal:
            self.play(move)
        else:
            self._show(replace(self._snapshot, moves=legal, error=(error.rule, error.message)))

    def _set_presence(self, present: tuple[Seat, ...], away: tuple[int | None, ...]) -> None:
        if self._snapshot is not None:
            since = _gone_at(away)
            players = (
                replace(player, away=not player.is_bot and seat not in present, gone_at=since.get(seat))
                for seat, player in enumerate(self._snapshot.players)
            )
            self._show(replace(self._snapshot, players=tuple(players)))

    def _follow(self, game: str) -> None:
        """Follow the players to the table of their rematch."""
        self._id, self._number, self._history, self._shown = game, 0, [], 0
        self._snapshot, self._record, self._pending, self._links, self._yours = None, None, "", (), False
        self._waiting.clear()
        self._dice.clear()

    # Fair dice: commit to a number, and reveal it once everyone has committed

    def _throw_dice(self, table: TableView) -> None:
        if table.seat is None:
            return
        if table.status == "open":
            self._dice.clear()
            self.server.forget_number(table.id, table.seat)
        elif table.status == "dice":
            occupant = table.seats[table.seat]
            if not occupant.pledged:
                self._pledge(table.id, table.seat)
            elif not occupant.revealed and all(other.is_bot or other.pledged for other in table.seats):
                self._reveal(table.id, table.seat)

    def _pledge(self, game: str, seat: Seat) -> None:
        if "pledge" not in self._dice:
            self._dice.add("pledge")
            number = bytes.fromhex(self.server.own_number(game, seat))
            self._send(Pledge(_fresh_key(), dice.pledge(game, seat, number).hex()))

    def _reveal(self, game: str, seat: Seat) -> None:
        if "reveal" not in self._dice:
            self._dice.add("reveal")
            self._send(Reveal(_fresh_key(), self.server.own_number(game, seat)))


class EntriesPage(Struct, frozen=True):
    """A page of the history."""

    entries: tuple[dict[str, object], ...]
    next: int | None


def _fresh_key() -> str:
    return secrets.token_hex(12)


def _players(seats: Sequence[SeatView], texts: Translations) -> tuple[Player, ...]:
    """Return the players by seat; bots of the same level get numbered names."""
    since = _gone_at([occupant.away for occupant in seats])
    names = distinct([_name_of(occupant, texts) for occupant in seats])
    return tuple(
        Player(
            name=name if occupant.name else "",
            is_bot=occupant.is_bot,
            stand_in=bool(occupant.level) and not occupant.is_bot,
            resigned=occupant.resigned,
            away=bool(occupant.name) and not occupant.present,
            seconds=occupant.seconds,
            gone_at=since.get(seat),
        )
        for seat, (name, occupant) in enumerate(zip(names, seats, strict=True))
    )


def _gone_at(away: Sequence[int | None]) -> dict[Seat, float]:
    """Return since when players have been away, by the monotonic clock."""
    return {seat: monotonic() - seconds for seat, seconds in enumerate(away) if seconds is not None}


def _name_of(occupant: SeatView, texts: Translations) -> str:
    return (bot_name(texts, occupant.level) if occupant.is_bot else "") or occupant.name
