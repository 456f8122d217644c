"""CPU time of a move, from the request to the messages for all viewers: with each store, and with none."""

import asyncio
import gc
import time
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from random import Random

from msgspec import Struct
from sqlalchemy import Executable

from bench.server.figures import Figure, Pair
from tessella.core import dice, record
from tessella.core.game import Seat
from tessella.games import azul
from tessella.server.cluster.bus import LocalBus
from tessella.server.rooms.host import Host
from tessella.server.rooms.room import Room, Viewer
from tessella.server.store import Job, JobKind, Logged, Opening, Row, Store, Write
from tessella.server.store.sealed import Sealing, Stored
from tessella.table.log import Entry, Live, Opened
from tessella.table.table import Secret, Table

RULES = record.write_rules(azul, azul.Config(seats=3))
SEATS = range(3)
GAMES = 32
"""Played concurrently, so that a commit has something to group."""

MOST_MOVES = 48
"""Per game in a slice; no game is over by then."""

MOVE_SECONDS = 300e-6
"""Approximate cost of a move, to size a slice."""


class Nowhere:
    """A store that keeps only seeds: what is left of the move path without one."""

    is_shared = False
    has_roles = False

    def __init__(self) -> None:
        self._seeds: dict[str, bytes] = {}

    async def append(self, write: Write) -> float | None:  # noqa: ARG002
        """Drop an entry."""
        return time.time()

    async def log(self, game: str, after: int = 0) -> list[Logged]:  # noqa: ARG002
        """Return nothing."""
        return []

    async def stored(self, game: str, after: int = -1) -> Stored:  # noqa: ARG002
        """Return nothing."""
        return Stored(None, [])

    async def seal(self, sealing: Sealing) -> bool:  # noqa: ARG002
        """Do nothing: nothing was stored."""
        return False

    async def number_of(self, game: str, *keys: str) -> int | None:  # noqa: ARG002
        """Return nothing."""
        return None

    async def open(self, opening: Opening) -> float:
        """Remember the seed."""
        self._seeds[opening.game] = opening.seed
        return time.time()

    async def seed(self, game: str) -> bytes:
        """Return the seed of a game."""
        return self._seeds[game]

    async def run(self, *statements: Executable) -> list[Row]:  # noqa: ARG002
        """Do nothing."""
        return []

    async def lease(self, worker: str, seconds: float, kind: JobKind = "move") -> Job | None:  # noqa: ARG002
        """Return no job."""
        return None

    async def renew(self, job: Job, worker: str, seconds: float) -> bool:  # noqa: ARG002
        """Do nothing: nothing was leased."""
        return False

    async def finish(self, job: Job, worker: str, retry: float | None = None) -> None:
        """Do nothing: there was no job."""

    async def now(self) -> float:
        """Return the clock of this machine."""
        return time.time()

    async def scrub(self) -> None:
        """Do nothing: nothing was deleted."""

    async def close(self) -> None:
        """Do nothing: nothing is open."""


class Script(Struct, frozen=True):
    """A game with scripted moves, so that choosing them costs nothing."""

    game: str
    moves: tuple[tuple[Seat, str], ...]

    @property
    def seed(self) -> bytes:
        """Return the seed of its dice."""
        return sha256(self.game.encode()).digest()


async def open_tables(store: Store, games: Sequence[str]) -> None:
    """Open empty tables."""
    host = Host(store, LocalBus(), [], time.time)
    await asyncio.gather(*(host.open(game, Opened(RULES, "", Live()), b"", listed=False) for game in games))


async def write_script(game: str, length: int) -> Script:
    """Return a random game of Azul, or its beginning."""
    rng = Random(game)  # noqa: S311
    host = Host(Nowhere(), LocalBus(), [], time.time)
    room = await start(host, Script(game, ()))
    moves: list[tuple[Seat, str]] = []
    while len(moves) < length:
        table = room.table
        (seat,) = table.movers
        text = azul.write_move(table.state, rng.choice(azul.legal_moves(table.state, seat)))
        moves.append((seat, text))
        await _move(host, room, len(moves), seat, text)
    return Script(game, tuple(moves))


async def start(host: Host, script: Script) -> Room:
    """Return a table at which the game has just begun."""
    opened = Opened(RULES, dice.commitment(script.game, script.seed).hex(), Live())
    room = await host.open(script.game, opened, script.seed, listed=False)
    for seat in SEATS:
        await host.append(room, f"sit-{seat}", partial(_sit, seat))
    await host.append(room, "start", lambda table, secret: table.start(secret))
    return room


def _sit(seat: Seat, table: Table, _secret: Secret) -> Entry:
    return table.sit(seat, f"person {seat}", f"Player {seat}")


async def _move(host: Host, room: Room, number: int, seat: Seat, text: str) -> None:
    await host.append(room, f"{room.table.id}-{number}", lambda table, secret: table.play(seat, text, secret))


async def play(host: Host, room: Room, script: Script) -> None:
    """Make all moves of a game, one after another."""
    for number, (seat, text) in enumerate(script.moves):
        await _move(host, room, number, seat, text)


def _drop(data: bytes) -> None:
    """Discard a message, as a viewer that costs nothing."""


class Paths:
    """The same games by the same path: with each store, and with none."""

    def __init__(self, budget: float, sqlite: Store, postgres: Store) -> None:
        self._moves = max(2, min(MOST_MOVES, int(budget / MOVE_SECONDS / GAMES)))
        self._hosts = [Host(store, LocalBus(), [], time.time) for store in (Nowhere(), sqlite, postgres)]
        self._sqlite, self._postgres = Pair(), Pair()

    async def measure(self, number: int) -> None:
        """Play the same games once with each store, in rotating order."""
        scripts = [await write_script(f"path-{number}-{game}", self._moves) for game in range(GAMES)]
        costs = [0.0] * len(self._hosts)
        for turn in range(len(costs)):
            index = (number + turn) % len(costs)
            costs[index] = await _cost_of_a_move(self._hosts[index], scripts)
        nowhere, sqlite, postgres = costs
        self._sqlite.add(sqlite, nowhere)
        self._postgres.add(postgres, nowhere)

    def figures(self) -> Sequence[Figure]:
        """Return the figures of both stores."""
        words = "{:.0f} µs a move; {:.0f} µs without a store"
        return self._sqlite.figure("sqlite_path", words), self._postgres.figure("postgres_path", words)


async def _cost_of_a_move(host: Host, scripts: Sequence[Script]) -> float:
    """Return CPU µs per move when all games are played concurrently, each seen by its players and a spectator."""
    rooms = await asyncio.gather(*(start(host, script) for script in scripts))
    for room in rooms:
        room.viewers |= {Viewer(who, _drop): None for who in (*(f"person {seat}" for seat in SEATS), "")}
    gc.collect()  # what was left behind before is not paid for here
    began = time.process_time()
    await asyncio.gather(*(play(host, room, script) for room, script in zip(rooms, scripts, strict=True)))
    spent = time.process_time() - began
    for room in rooms:
        room.viewers.clear()
        host.forget(room)
    return spent * 1e6 / sum(len(script.moves) for script in scripts)
