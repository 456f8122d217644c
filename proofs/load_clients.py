"""Simulated players at real tables through real sockets, and what they experienced."""

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

from proofs.client_model import Player, decoder
from proofs.sim.oracle import Broken, Oracle
from tessella.core import record
from tessella.games import GAMES
from tessella.protocol.messages import Command, FromClient, Ping, TableView, Update
from tessella.server.admin import games
from tessella.server.cluster import heartbeats
from tessella.server.people.identity import Person, add_person, add_session
from tessella.server.rooms.host import Host
from tessella.server.rooms.lifecycle import Terms, open_table, sit, sit_bot
from tessella.server.store import Store
from tessella.table.log import Pace
from tessella.terminal.online import connect_timeout

SILENT_SECONDS = 2.0
"""After this much silence a client sends a ping; after as much again it connects to another worker."""

LONGEST_PAUSE = 0.5
"""Longest pause between two attempts to connect; it is random, so that not all come at once."""

SEATS = {"azul": (2, 3, 4), "blockers": (3, 4), "duel": (2,)}


class Diary(Struct):
    """What all clients experienced, in seconds."""

    acks: list[float] = field(default_factory=list[float])
    """From a request to its confirmation, over any number of connections."""
    returns: dict[str, list[float]] = field(default_factory=lambda: defaultdict[str, list[float]](list))
    """From losing a connection to seeing the table again, by the chapter in which it was lost."""
    confirmed: int = 0
    resent: int = 0
    chapter: str = ""
    """What happens now."""


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the value that this percentage of the values does not exceed; 0 without values.

    >>> percentile([3.0, 1.0, 2.0], 50)
    2.0
    """
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))] if ordered else 0.0


class Client:
    """A browser with one window: at one table, through any of several workers."""

    def __init__(self, game: str, player: Player, cookie: str, ports: Sequence[int], diary: Diary) -> None:
        self.game = game
        self.player = player
        self.seen: list[TableView] = []
        """Every table that was received, for the final check."""
        self.think: Callable[[], float] = lambda: 0.0
        self.whim: Callable[[], str] = lambda: ""
        """A request that the client makes now and then; empty for none."""
        self._headers = {"cookie": f"tessella={cookie}"} if cookie else {}
        self._ports = ports
        self._diary = diary
        self._rng = Random(player.name)
        self._tries = 0
        """Attempts since the table was last seen."""
        self._lost: float | None = None
        self._chapter = ""
        self._sent_at: float | None = None

    async def play(self) -> None:
        """Stay until the game is over, on as many connections as it takes."""
        while not self.player.is_done:
            with suppress(OSError, WebSocketException):
                port = self._rng.choice(self._ports)
                address = f"ws://127.0.0.1:{port}/api/games/{self.game}/socket"
                async with connect(
                    address,
                    additional_headers=self._headers,
                    compression=None,
                    open_timeout=connect_timeout(self._tries),
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
        if isinstance(message, Update):
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
            request = Command(self.player.fresh_key(), whim)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
            await self._say(socket, [self.player.request(request)])

    async def _say(self, socket: ClientConnection, messages: Sequence[FromClient]) -> None:
        for message in messages:
            if message is self.player.pending and self._sent_at is None:
                self._sent_at = time.monotonic()
            await socket.send(msgspec.json.encode(message).decode())

    def _note_loss(self) -> None:
        if self._lost is None:
            self._lost, self._chapter = time.monotonic(), self._diary.chapter

    def _note_return(self) -> None:
        if self._lost is not None:
            self._diary.returns[self._chapter].append(time.monotonic() - self._lost)
            self._lost = None

    def _note_answer(self) -> None:
        """Record the time from a request to its confirmation; rejected requests do not count."""
        if self._sent_at is not None and self.player.acks.get(self._last_key()) is not None:
            self._diary.acks.append(time.monotonic() - self._sent_at)
            self._diary.confirmed += 1
            self._sent_at = None
        elif self._sent_at is not None and self._last_key() in self.player.errors:
            self._sent_at = None

    def _last_key(self) -> str:
        return next(reversed(self.player.requests), "")


class Party(Struct, frozen=True):
    """A table and all its clients."""

    game: str
    clients: tuple[Client, ...]

    async def play(self) -> None:
        """Play to the end."""
        await asyncio.gather(*(client.play() for client in self.clients))

    @property
    def standing(self) -> str:
        """Return how far each client has seen the game go."""
        tables = [client.player.table for client in self.clients]
        return ", ".join(f"{table.title} {table.number} {table.status}" if table else "nothing" for table in tables)

    async def judge(self, store: Store) -> None:
        """Compare everything that clients received with the log; raise `Broken` if it differs."""
        oracle = Oracle(self.game)
        oracle.read(await store.log(self.game, -1))
        for client in self.clients:
            for seen in client.seen:
                oracle.check_seen(seen)
            oracle.check_player(client.player)
            client.seen.clear()


async def judge_logs(store: Store) -> list[str]:
    """Yield what is wrong with any stored game: its numbers, keys, clocks, moves, deals or result."""
    found: list[str] = []
    outages = await heartbeats.read_outages(store)
    async for game in games.all_games(store):
        try:
            Oracle(game, outages).read(await store.log(game, -1))
        except (Broken, ValueError) as exc:  # a log that cannot be replayed raises what the rules say of it
            found.append(f"{game}: {exc}")
    verified = await games.verify(store, games.all_games(store))
    return [*found, *(f"{failure.game}: {failure.message}" for failure in verified.wrong)]


class Wanted(Struct, frozen=True):
    """The kind of table to open."""

    title: str
    seats: int
    people: int
    pace: Pace = None
    spectators: int = 0
    level: str = "random"


def wanted_tables(rng: Random, pace: Pace = None) -> Iterator[Wanted]:
    """Yield tables of all games, with people and bots, some with spectators."""
    while True:
        title = rng.choice(sorted(GAMES))
        seats = rng.choice(SEATS[title])
        people = rng.randint(1, seats)
        yield Wanted(title, seats, people, rng.choice([None, pace]), rng.choice([0, 0, 1]))


async def set_table(host: Host, wanted: Wanted, ports: Sequence[int], diary: Diary) -> Party:
    """Open a table, seat all players, and start the game."""
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
