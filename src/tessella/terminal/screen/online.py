"""A table at a server, by the same messages as the browser: it comes back by itself, and loses no move.

A wish has a key of its own and is sent again until the server has answered it; the server counts it once. Previews
and legal moves need no question: the view is all that a seat may know, and the rules are here too.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from random import SystemRandom
from time import monotonic
from typing import TypeAlias

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from tessella.core import dice, record, wire
from tessella.core.game import AnyGame, Move, Over, Seat
from tessella.core.record import Record
from tessella.terminal.screen.server import Refused, Server
from tessella.terminal.screen.table import Chair, Happened, Scene, Status, Tell, Wish, nobody
from tessella.terminal.screen.views import EVENTS, VIEWS
from tessella.terminal.setting import called_by, distinct
from tessella.terminal.words import Words

NOT_ALLOWED = 4003
LONGEST_SECONDS = 15.0
PING_SECONDS, PATIENCE_SECONDS = 15.0, 4.0
_jitter = SystemRandom()


def knock(tries: int) -> float:
    """How long a line may take to open: one that was open before should be there soon, and is given longer each time.

    >>> [knock(tries) for tries in range(6)]
    [4.0, 1.0, 2.0, 4.0, 8.0, 15.0]
    """
    return min(LONGEST_SECONDS, 0.5 * 2**tries) if tries else PATIENCE_SECONDS


# What the server says


class ChairHeard(Struct, frozen=True):
    """Who sits there."""

    name: str
    level: str
    is_bot: bool
    resigned: bool
    present: bool
    pledged: bool
    revealed: bool
    seconds: float | None


class EndHeard(Struct, frozen=True):
    """How the game ended."""

    reason: str
    scores: tuple[int, ...]
    places: tuple[int, ...]


class TableHeard(Struct, frozen=True):
    """The table as we may see it."""

    id: str
    number: int
    status: Status
    seat: Seat | None
    movers: tuple[Seat, ...]
    chairs: tuple[ChairHeard, ...]
    asked: str
    next_game: str
    view: Raw
    moves: tuple[str, ...]
    end: EndHeard | None


class FilmHeard(Struct, frozen=True):
    """What one entry showed us."""

    number: int
    what: str
    seat: Seat | None
    acts: tuple[str | None, ...]
    events: tuple[Raw, ...]


class Step(Struct, frozen=True, tag="step"):
    """What happened since, and the table as it is now."""

    film: tuple[FilmHeard, ...]
    table: TableHeard


class Ack(Struct, frozen=True, tag="ack"):
    """A wish is stored for good."""

    key: str


class Refusal(Struct, frozen=True, tag="refusal"):
    """A wish is not granted."""

    key: str
    rule: str
    why: str


class Present(Struct, frozen=True, tag="present"):
    """Who is there now."""

    seats: tuple[Seat, ...]


class Foreseen(Struct, frozen=True, tag="foreseen"):
    """We ask for none."""


class Pong(Struct, frozen=True, tag="pong"):
    """The server is there."""


Heard: TypeAlias = Step | Ack | Refusal | Present | Foreseen | Pong
_decoder: msgspec.json.Decoder[Heard] = msgspec.json.Decoder(Heard)


class Online:
    """A table at a server. `find` says which, as soon as it is known: it may take a while to find somebody."""

    online = True

    def __init__(
        self,
        server: Server,
        game: AnyGame,
        words: Words,
        find: Callable[[], Awaitable[str]],
        links: tuple[str, ...] = (),
    ) -> None:
        self.server = server
        self.game: AnyGame = game
        self.words = words
        self.line = "connecting"
        self._find = find
        self._links = links
        self._id = ""
        self._tell: Tell = nobody
        self._socket: ClientConnection | None = None
        self._waiting: dict[str, dict[str, object]] = {}
        """Wishes that the server has not answered yet, by their keys."""
        self._dice: set[str] = set()
        self._pending = ""
        """The key of our move that the server has not answered yet."""
        self._number = 0
        self._past: list[tuple[int, Happened]] = []
        self._told = 0
        self._scene: Scene | None = None
        self._record: Record | None = None
        self._errands: set[asyncio.Task[None]] = set()

    # The line

    async def run(self, tell: Tell) -> None:
        """Stay in touch with the table until the client is closed."""
        self._tell = tell
        try:
            await self._stay()
        finally:
            self._tell = nobody
            for errand in self._errands:
                errand.cancel()

    async def _stay(self) -> None:
        try:
            self._id = self._id or await self._find()
        except Refused:
            self.line = "refused"
            return
        tries = 0
        while self.line != "refused":
            began = self._number
            await self._connect(knock(tries))
            tries = 1 if self._number > began else tries + 1
            await asyncio.sleep(_jitter.random() * min(LONGEST_SECONDS, 0.4 * 2**tries))

    async def _connect(self, patience: float) -> None:
        """One connection, until it breaks or there is another table to go to."""
        address, table = self.server.socket(self._id), self._id
        try:
            async with connect(
                address,
                additional_headers=self.server.headers,
                compression=None,
                open_timeout=patience,
                ping_interval=PING_SECONDS,
                ping_timeout=PATIENCE_SECONDS,
            ) as socket:
                self._socket = socket
                await self._greet(socket)
                async for said in socket:
                    self._hear(said)
                    if self._id != table:
                        return
                self.line = "lost"
        except ConnectionClosed as closed:
            self.line = "refused" if closed.rcvd and closed.rcvd.code == NOT_ALLOWED else "lost"
        except (OSError, WebSocketException):
            self.line = "lost"
        finally:
            if self._socket is not None:
                self._socket.transport.abort()  # who leaves in the middle of a goodbye leaves nothing open
            self._socket = None

    async def _greet(self, socket: ClientConnection) -> None:
        await socket.send(msgspec.json.encode({"type": "hello", "have": self._number - 1}).decode())
        for wish in self._waiting.values():
            await socket.send(msgspec.json.encode(wish).decode())

    def _send(self, wish: dict[str, object]) -> str:
        """Send a wish, now or when the line is back; gives its key."""
        key = secrets.token_hex(12)
        self._waiting[key] = {**wish, "key": key}
        self._do(self._say(self._waiting[key]))
        return key

    async def _say(self, message: dict[str, object]) -> None:
        """Say it; a line on which nobody answers is left, and it will be said again on the next one."""
        if (socket := self._socket) is None:
            return
        with suppress(ConnectionClosed):
            await socket.send(msgspec.json.encode(message).decode())
            try:
                async with asyncio.timeout(PATIENCE_SECONDS):
                    await (await socket.ping())
            except TimeoutError:
                socket.transport.abort()

    def _do(self, errand: Awaitable[None]) -> None:
        task = asyncio.ensure_future(errand)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    # Wishes

    def play(self, text: str) -> None:
        """Make our move, once."""
        if not self._pending:
            self._pending = self._send({"type": "play", "number": self._number, "move": text})

    def wish(self, what: Wish) -> None:
        """Ask for anything that needs no more words."""
        self._send({"type": "wish", "what": what})

    def sit(self, seat: Seat) -> None:
        """Nobody changes places before a screen of one's own."""

    def record(self) -> Record | None:
        """The game, as soon as it is over and we have it."""
        return self._record

    # What the server says

    def _hear(self, said: str | bytes) -> None:
        match _decoder.decode(said):
            case Step() as step:
                self._step(step)
            case Ack(key=key):
                self._waiting.pop(key, None)
            case Refusal() as refusal:
                self._refuse(refusal)
            case Present(seats=seats):
                self._present(seats)
            case Foreseen() | Pong():
                pass

    def _step(self, step: Step) -> None:
        table, first = step.table, self._scene is None
        self.line = "live"
        if table.number < self._number:
            return
        self._number = table.number
        self._past += [(film.number, self._happened(film)) for film in step.film if film.number > self._latest]
        if self._pending and any(film.seat == table.seat and film.what == "played" for film in step.film):
            self._settle()
        self._throw_dice(table)
        if first and step.film and step.film[0].number > 1:
            self._do(self._remember(step.film[0].number))
        if table.next_game:
            self._go_on_to(table.next_game)
            return
        if table.status == "over" and self._record is None:
            self._do(self._read_record())
        self._show(self._seen(table))

    @property
    def _latest(self) -> int:
        return self._past[-1][0] if self._past else 0

    def _settle(self) -> None:
        self._waiting.pop(self._pending, None)
        self._pending = ""

    def _happened(self, film: FilmHeard) -> Happened:
        events = tuple(wire.decode(bytes(event), EVENTS[self.game.NAME]) for event in film.events)
        moves = [act for act in film.acts if act and not act.startswith("*")]
        text = moves[0].rpartition(":")[2] if moves and film.what == "played" else ""
        return Happened(film.seat, text, events, "played" if film.what == "started" else film.what)

    def _seen(self, table: TableHeard) -> Scene:
        return Scene(
            view=wire.decode(bytes(table.view), VIEWS[self.game.NAME]),
            chairs=_chairs(table.chairs, self.words),
            moves=table.moves if self._may_play(table) else (),
            status=table.status,
            movers=table.movers,
            result=Over(table.end.scores, table.end.places) if table.end and table.end.places else None,
            ended=table.end.reason if table.end and table.end.reason != "over" else "",
            links=self._links if table.status == "open" else (),
            asked=table.asked,
            at=monotonic(),
        )

    def _may_play(self, table: TableHeard) -> bool:
        """Whether a move can be sent: none is on its way, and nobody plays for us."""
        return not self._pending and (table.seat is None or not table.chairs[table.seat].level)

    def _show(self, scene: Scene) -> None:
        """Tell the scene with all that has happened; only what was not told yet is fresh."""
        fresh = len(self._past) - self._told
        self._told = len(self._past)
        self._scene = replace(scene, past=tuple(one for _, one in self._past), fresh=fresh)
        self._tell(self._scene)
        self._scene = replace(self._scene, refusal=None)

    async def _remember(self, before: int) -> None:
        """The server remembers the latest entries only: ask once for those before."""
        older: list[tuple[int, Happened]] = []
        start: int | None = 1
        while start is not None:
            path = f"/api/games/{self._id}/films?from={start}&before={before}"
            try:
                page = msgspec.convert(await self.server.ask("GET", path), FilmsHeard)
            except Refused:
                return
            older += [(number, happened) for number, happened in map(self._read_film, page.films)]
            start = page.next
        self._past = older + self._past
        self._told += len(older)
        if self._scene is not None:
            self._show(self._scene)

    def _read_film(self, film: dict[str, object]) -> tuple[int, Happened]:
        heard = msgspec.json.decode(msgspec.json.encode(film), type=FilmHeard)
        return heard.number, self._happened(heard)

    async def _read_record(self) -> None:
        with suppress(Refused):
            answer = await self.server.ask("GET", f"/api/games/{self._id}/record")
            self._record = record.read(answer["record"])

    def _refuse(self, refusal: Refusal) -> None:
        wish = self._waiting.pop(refusal.key, None)
        if refusal.key == self._pending:
            self._pending = ""
            self._play_again(str(wish["move"]) if wish else "", refusal)
        elif self._scene is not None and wish and wish["type"] == "wish":
            self._show(replace(self._scene, refusal=(refusal.rule, refusal.why)))

    def _play_again(self, move: str, refusal: Refusal) -> None:
        """Where several may move at once, another's move is no reason to choose again."""
        assert self._scene is not None
        state = self.game.imagine(self._scene.view, _jitter)
        seat = self._scene.view.seat
        may_move = seat is not None and seat in self._scene.movers
        moves: Sequence[Move] = self.game.legal_moves(state, seat or 0) if may_move else ()
        texts = tuple(self.game.write_move(state, each) for each in moves)
        if refusal.rule == "stale" and move in texts:
            self.play(move)
        else:
            self._show(replace(self._scene, moves=texts, refusal=(refusal.rule, refusal.why)))

    def _present(self, seats: tuple[Seat, ...]) -> None:
        if self._scene is not None:
            chairs = (
                replace(chair, away=not chair.computer and seat not in seats)
                for seat, chair in enumerate(self._scene.chairs)
            )
            self._show(replace(self._scene, chairs=tuple(chairs)))

    def _go_on_to(self, game: str) -> None:
        """The players play again, at another table."""
        self._id, self._number, self._past, self._told = game, 0, [], 0
        self._scene, self._record, self._pending, self._links = None, None, "", ()
        self._waiting.clear()
        self._dice.clear()

    # Fair dice: promise a number, and show it when everybody has promised

    def _throw_dice(self, table: TableHeard) -> None:
        if table.seat is None:
            return
        if table.status == "open":
            self._dice.clear()
            self.server.forget_number(table.id, table.seat)
        elif table.status == "dice":
            chair = table.chairs[table.seat]
            if not chair.pledged:
                self._pledge(table.id, table.seat)
            elif not chair.revealed and all(other.is_bot or other.pledged for other in table.chairs):
                self._reveal(table.id, table.seat)

    def _pledge(self, game: str, seat: Seat) -> None:
        if "pledge" not in self._dice:
            self._dice.add("pledge")
            number = bytes.fromhex(self.server.own_number(game, seat))
            self._send({"type": "pledge", "pledge": dice.pledge(game, seat, number).hex()})

    def _reveal(self, game: str, seat: Seat) -> None:
        if "reveal" not in self._dice:
            self._dice.add("reveal")
            self._send({"type": "reveal", "number": self.server.own_number(game, seat)})


class FilmsHeard(Struct, frozen=True):
    """Films of the past."""

    films: tuple[dict[str, object], ...]
    next: int | None


def _chairs(heard: Sequence[ChairHeard], words: Words) -> tuple[Chair, ...]:
    """Who sits where; computer players of one level are told apart."""
    names = distinct([_called(chair, words) for chair in heard])
    return tuple(
        Chair(
            name=name if chair.name else "",
            computer=chair.is_bot,
            stand_in=bool(chair.level) and not chair.is_bot,
            resigned=chair.resigned,
            away=bool(chair.name) and not chair.present,
            seconds=chair.seconds,
        )
        for name, chair in zip(names, heard, strict=True)
    )


def _called(chair: ChairHeard, words: Words) -> str:
    return (called_by(words, chair.level) if chair.is_bot else "") or chair.name
