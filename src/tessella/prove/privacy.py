"""Your data: see it, take it, delete it. What is kept of a person is in the export, and nothing stays after deletion.

Somebody leaves a mark in everything that a person can write: names (also an earlier one), log-in, labels, bots, the
address of a browser; sits at tables that are open, running and over; and goes. The export must hold every mark, and no
byte of the database may hold one afterwards: of a file its raw bytes are looked through, also those of its log while
the server runs; of PostgreSQL every row.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from random import Random

import asyncpg
from msgspec import Struct

from tessella.prove import Ask, Figure, Report
from tessella.prove.databases import folder_in_memory, fresh_postgres
from tessella.prove.play import Client, play_on, sit_down
from tessella.prove.tap import Call, Tap, body_of, tapped
from tessella.server import push
from tessella.server.app import LOGGED_OUT
from tessella.server.letters import write64
from tessella.terminal.progress import progress

PASSWORD = "correct horse battery staple"  # noqa: S105
POINT, AUTH = write64(push.public_point(push.private_key(bytes(31) + b"\7"))), "A" * 22


class Traces(Struct, frozen=True):
    """The marks that one person leaves."""

    number: int

    def mark(self, what: str) -> str:
        """A word that is nowhere else."""
        return f"{what}x{sha256(f'{what} {self.number}'.encode()).hexdigest()[:12]}"

    @property
    def all(self) -> Sequence[str]:
        """Everything that must be forgotten."""
        return [self.mark(what) for what in ("guest", "name", "login", "label", "bot", "browser")]

    @property
    def exported(self) -> Sequence[str]:
        """What must be in the export; a bot is named there by its id."""
        return [self.mark(what) for what in ("name", "login", "label", "browser")]


class Found:
    """What was found where it must not be, and what was missed."""

    def __init__(self) -> None:
        self.left: list[str] = []
        self.missed: list[str] = []
        self.alive: list[str] = []
        self.bytes = 0

    def look(self, where: str, data: bytes, words: Sequence[str]) -> None:
        """Look for words that must be gone."""
        self.bytes += len(data)
        self.left += [f"{where} still holds {word}" for word in words if word.encode() in data]


def prove(ask: Ask) -> Report:
    """Let so many people come and go, with each kind of database."""
    found = Found()
    asyncio.run(_in_a_file(ask, found))
    asyncio.run(_in_postgres(ask, found))
    return Report(
        (
            Figure("people", 2 * ask.size, words="left their marks and went, half of them from PostgreSQL"),
            Figure("bytes", found.bytes, words="looked through afterwards"),
            Figure("left_behind", len(found.left), at_most=0, words="marks that were still there"),
            Figure("not_exported", len(found.missed), at_most=0, words="marks that the export did not hold"),
            Figure("still_connected", len(found.alive), at_most=0, words="sockets that outlived a log-out"),
        ),
        (*found.left, *found.missed, *found.alive),
    )


async def _in_a_file(ask: Ask, found: Found) -> None:
    with folder_in_memory() as folder:
        async with tapped(database=f"sqlite:{folder / 'games'}") as tap:
            words = await _come_and_go(tap, ask, found, "file")
            _look_at_files(folder, "the server runs", words, found)
        _look_at_files(folder, "the server has ended", words, found)


def _look_at_files(folder: Path, when: str, words: Sequence[str], found: Found) -> None:
    for path in (path for path in sorted(folder.rglob("*")) if path.is_file()):
        found.look(f"when {when}, {path.name}", path.read_bytes(), words)


async def _in_postgres(ask: Ask, found: Found) -> None:
    async with fresh_postgres(ask.database) as url:
        async with tapped(database=url) as tap:
            words = await _come_and_go(tap, ask, found, "PostgreSQL")
        async with _connected(url) as connection:
            query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
            for (table,) in await connection.fetch(query):
                rows = await connection.fetch(f'SELECT t::text AS row FROM "{table}" t')  # noqa: S608
                found.look(f"the table {table}", "\n".join(row["row"] for row in rows).encode(), words)


@asynccontextmanager
async def _connected(url: str) -> AsyncGenerator["asyncpg.Connection[asyncpg.Record]"]:
    connection = await asyncpg.connect(url)
    try:
        yield connection
    finally:
        await connection.close()


async def _come_and_go(tap: Tap, ask: Ask, found: Found, where: str) -> list[str]:
    """Let everybody come and go; give all words that must be nowhere, with a cookie of somebody who stays."""
    other = await Client.arrive(tap, "Bystander")
    people = [Traces(ask.seed * 1_000 + number) for number in range(ask.size)]
    for traces in progress(people, where):
        tap.now += 600.0
        await _one(tap, traces, other, found, Random(traces.number))
    return [other.secret, *(word for traces in people for word in traces.all)]


async def _one(tap: Tap, traces: Traces, other: Client, found: Found, rng: Random) -> None:
    """One person, from the first name to the last trace."""
    person = await Client.arrive(tap, traces.mark("guest"))
    games = await _sit_around(person, other, rng)
    await person.ask("POST", "/api/session", {"name": traces.mark("name")})
    games.append(await sit_down([other, person], "azul"))
    person = await _become_member(person, traces)
    kept = json.dumps(await person.ask("GET", "/api/me/data"))
    found.missed += [f"the export lacks {word}" for word in traces.exported if word not in kept]
    found.missed += [f"the export lacks the table {game_id}" for game_id in games if game_id not in kept]
    socket = tap.socket(games[0], who=person.secret)
    await socket.until(lambda message: message["type"] == "websocket.accept")
    await person.ask("DELETE", "/api/me")
    await _must_end(socket.until(lambda message: message.get("code") == LOGGED_OUT), traces, found)
    for game_id in games:
        for path in ("", "/films", "/record", "/replay"):
            answers = await tap.ask(Call("GET", f"/api/games/{game_id}{path}", who=other.secret))
            found.look(f"{path or 'the table'} of a game", body_of(answers), traces.all)


async def _must_end(ending: object, traces: Traces, found: Found) -> None:
    assert asyncio.iscoroutine(ending)
    try:
        async with asyncio.timeout(3):
            await ending
    except TimeoutError:
        found.alive.append(f"a socket of {traces.mark('name')} lived on")


async def _sit_around(person: Client, other: Client, rng: Random) -> list[str]:
    """Tables that are over, running, being prepared, and one from which the person has got up."""
    over, running = [await sit_down([person, other], title) for title in ("azul", "blockers")]
    await play_on([person, other], running, rng, moves=3)
    await person.wish(over, type="wish", key="enough-of-this", what="resign")
    left = str((await person.ask("POST", "/api/games", {"title": "duel", "seats": [{"kind": "me"}, {}]}))["id"])
    await person.wish(left, type="wish", key="i-will-not-wait", what="leave")
    return [over, running, left]


async def _become_member(person: Client, traces: Traces) -> Client:
    member = await person.enter("/api/members", {"login": traces.mark("login"), "password": PASSWORD})
    await member.ask("POST", "/api/me/tokens", {"label": traces.mark("label")})
    await member.ask("POST", "/api/me/bots", {"name": traces.mark("bot")})
    endpoint = f"https://push.example.org/{traces.mark('browser')}"
    await member.ask("POST", "/api/me/push", {"endpoint": endpoint, "p256dh": POINT, "auth": AUTH})
    await member.ask("POST", "/api/pairing", {"title": "azul"})
    return member
