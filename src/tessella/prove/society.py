"""People who play at real tables through real sockets, and what they lived through."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from random import Random

import msgspec
from msgspec import Struct, field
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tessella.core import record
from tessella.games import GAMES
from tessella.prove.player import Player, decoder
from tessella.prove.truth import Broken, Truth
from tessella.server import admin, beats
from tessella.server.entries import Pace
from tessella.server.host import Host
from tessella.server.messages import FromClient, Ping, Step, TableSeen, Wish
from tessella.server.opening import Terms, open_table, sit, sit_bot
from tessella.server.people import Person, add_person, add_session
from tessella.server.store import Store
from tessella.terminal.screen.online import knock

SILENT_SECONDS = 2.0
"""After so much silence a client asks whether anybody is there; after as much again it looks for another worker."""

LONGEST_PAUSE = 0.5
"""Between two tries to connect; any time up to this, so that not all come at once."""

SEATS = {"azul": (2, 3, 4), "blockers": (3, 4), "duel": (2,)}


class Diary(Struct):
    """What everybody lived through, in seconds."""

    acks: list[float] = field(default_factory=list[float])
    """From a wish to its confirmation, on however many connections."""
    returns: dict[str, list[float]] = field(default_factory=lambda: defaultdict[str, list[float]](list))
    """From losing a connection to seeing the table again, by the chapter in which it was lost."""
    confirmed: int = 0
    resent: int = 0
    chapter: str = ""
    """What happens now."""


def percentile(values: Sequence[float], percent: float) -> float:
    """The value that so many of a hundred do not exceed; 0 of none.

    >>> percentile([3.0, 1.0, 2.0], 50)
    2.0
    """
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))] if ordered else 0.0


class Client:
    """A browser with one window: at one table, by any of several workers."""

    def __init__(self, game: str, player: Player, cookie: str, ports: Sequence[int], diary: Diary) -> None:
        self.game = game
        self.player = player
        self.seen: list[TableSeen] = []
        """Every table that came, for later judgement."""
        self.think: Callable[[], float] = lambda: 0.0
        self.whim: Callable[[], str] = lambda: ""
        """A wish that comes to mind, now and then."""
        self._headers = {"cookie": f"tessella={cookie}"} if cookie else {}
        self._ports = ports
        self._diary = diary
        self._rng = Random(player.name)
        self._tries = 0
        """Since the table was last seen."""
        self._lost: float | None = None
        self._chapter = ""
        self._wished: float | None = None

    async def play(self) -> None:
        """Be there until the game is over, on as many connections as it takes."""
        while not self.player.is_done:
            with suppress(OSError, WebSocketException):
                port = self._rng.choice(self._ports)
                address = f"ws://127.0.0.1:{port}/api/games/{self.game}/socket"
                async with connect(
                    address,
                    additional_headers=self._headers,
                    compression=None,
                    open_timeout=knock(self._tries),
                    ping_interval=None,
                    close_timeout=0.1,
                ) as socket:
                    await self._talk(socket)
            if not self.player.is_done:
                self._note_loss()
                self._tries += 1
                await asyncio.sleep(self._rng.uniform(0, LONGEST_PAUSE))

    async def _talk(self, socket: ClientConnection) -> None:
        self._diary.resent += self.player.pending is not None
        await self._say(socket, self.player.arrive())
        asked = False
        while not self.player.is_done:
            try:
                data = await asyncio.wait_for(socket.recv(), SILENT_SECONDS)
            except TimeoutError:
                if asked or self.player.pending is not None:
                    return
                asked = True
                await self._say(socket, [Ping()])
                continue
            asked = False
            await self._hear(socket, data)

    async def _hear(self, socket: ClientConnection, data: str | bytes) -> None:
        message = decoder.decode(data)
        if isinstance(message, Step):
            self.seen.append(message.table)
            self._tries = 0
            self._note_return()
        answers = self.player.hear(message)
        self._note_answer()
        if answers:
            await asyncio.sleep(self.think())
        await self._say(socket, answers)
        whim = self.whim() if self.player.pending is None and not self.player.is_done else ""
        if whim:
            wish = Wish(self.player.fresh_key(), whim)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
            await self._say(socket, [self.player.wish(wish)])

    async def _say(self, socket: ClientConnection, messages: Sequence[FromClient]) -> None:
        for message in messages:
            if message is self.player.pending and self._wished is None:
                self._wished = time.monotonic()
            await socket.send(msgspec.json.encode(message).decode())

    def _note_loss(self) -> None:
        if self._lost is None:
            self._lost, self._chapter = time.monotonic(), self._diary.chapter

    def _note_return(self) -> None:
        if self._lost is not None:
            self._diary.returns[self._chapter].append(time.monotonic() - self._lost)
            self._lost = None

    def _note_answer(self) -> None:
        """The time from a wish to its confirmation; what was refused does not count."""
        if self._wished is not None and self.player.acks.get(self._last_key()) is not None:
            self._diary.acks.append(time.monotonic() - self._wished)
            self._diary.confirmed += 1
            self._wished = None
        elif self._wished is not None and self._last_key() in self.player.refusals:
            self._wished = None

    def _last_key(self) -> str:
        return next(reversed(self.player.wishes), "")


class Party(Struct, frozen=True):
    """A table and everybody at it."""

    game: str
    clients: tuple[Client, ...]

    async def play(self) -> None:
        """To the end."""
        await asyncio.gather(*(client.play() for client in self.clients))

    @property
    def standing(self) -> str:
        """How far everybody has seen the game go."""
        tables = [client.player.table for client in self.clients]
        return ", ".join(f"{table.title} {table.number} {table.status}" if table else "nothing" for table in tables)

    async def judge(self, store: Store) -> None:
        """Hold everything that anybody was told against the log; raise `Broken` if it is not so."""
        truth = Truth(self.game)
        truth.read(await store.log(self.game, -1))
        for client in self.clients:
            for seen in client.seen:
                truth.check_seen(seen)
            truth.check_player(client.player)
            client.seen.clear()


async def judge_logs(store: Store) -> list[str]:
    """What is wrong with any stored game: its numbers, keys, clocks, moves, deals or result."""
    found: list[str] = []
    outages = await beats.read_outages(store)
    async for game in admin.all_games(store):
        try:
            Truth(game, outages).read(await store.log(game, -1))
        except (Broken, ValueError) as wrong:  # a log that cannot be replayed raises what the rules say of it
            found.append(f"{game}: {wrong}")
    verified = await admin.verify(store, admin.all_games(store))
    return [*found, *(f"{wrong.game}: {wrong.why}" for wrong in verified.wrong)]


class Wanted(Struct, frozen=True):
    """What kind of table is wanted."""

    title: str
    seats: int
    people: int
    pace: Pace = None
    spectators: int = 0
    level: str = "random"


def wanted_tables(rng: Random, pace: Pace = None) -> Iterator[Wanted]:
    """Tables of all games, with people and bots, some of them watched."""
    while True:
        title = rng.choice(sorted(GAMES))
        seats = rng.choice(SEATS[title])
        people = rng.randint(1, seats)
        yield Wanted(title, seats, people, rng.choice([None, pace]), rng.choice([0, 0, 1]))


async def set_table(host: Host, wanted: Wanted, ports: Sequence[int], diary: Diary) -> Party:
    """Set a table, let everybody sit down, and start the game."""
    game = GAMES[wanted.title]
    rules = record.write_rules(game, record.read_rules(game, f"{game.NAME}/{game.EDITION} seats={wanted.seats}"))
    room = await open_table(host, Terms(rules, wanted.pace))
    game_id = room.table.id
    cookies = [await _person_at(host, game_id, seat) for seat in range(wanted.people)]
    for seat in range(wanted.people, wanted.seats):
        await sit_bot(host, room, seat, wanted.level)
    await host.append(room, "start", lambda table, secret: table.start(secret))
    host.forget(room)
    cookies += [""] * wanted.spectators
    players = [Player(f"{game_id}-{number}", Random(f"{game_id} {number}")) for number in range(len(cookies))]
    pairs = zip(players, cookies, strict=True)
    return Party(game_id, tuple(Client(game_id, player, cookie, ports, diary) for player, cookie in pairs))


async def _person_at(host: Host, game_id: str, seat: int) -> str:
    person: Person = await add_person(host.store, f"Person {seat}", "guest")
    room = await host.room(game_id)
    assert room is not None
    await sit(host, room, seat, person)
    return await add_session(host.store, person, "cookie")
