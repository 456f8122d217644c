"""Your data: see it, take it, delete it. The export is complete, and deletion leaves nothing.

A person leaves a mark in everything that a person can write: names (also an earlier one), log-in, labels, bots, the
addresses of a browser, a mailbox and a webhook; sits at tables that are open, running and over; and is deleted. The
export must hold every mark, and no byte of the database may hold one afterwards: the raw bytes of a file, also of its
log while the server runs, and every row of PostgreSQL. Two more workers on PostgreSQL have the tables in memory, one
that is notified by the bus and one that is not: soon neither serves the name any more, and spectators there get the
table without it.
"""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from random import Random

import asyncpg
from msgspec import Struct

from proofs import Ask, Figure, Report
from proofs.databases import folder_in_memory, fresh_postgres
from proofs.in_process_server import Call, Connection, InProcessServer, Message, body_of, serve_in_process
from proofs.play import Client, play_on, sit_down
from tessella.progress import progress
from tessella.server.base64url import write64
from tessella.server.http.sockets import LOGGED_OUT
from tessella.server.services import webpush
from tessella.server.services.deletions import CHECK_SECONDS

PASSWORD = "correct horse battery staple"  # noqa: S105
MAIL = {"site": "https://play.test", "mail": "smtp+plain://127.0.0.1:1", "mail_from": "news@play.test"}
"""A mail server that is not there: the mail that asks to confirm an address waits in the database."""

LISTS = ("/api/games", "/api/leaderboard/azul/2", "/api/ladder/azul/2")
ENOUGH_REMEMBERED = 40
HEARD_SECONDS = 10.0
DEAF_SECONDS = 2 * CHECK_SECONDS + 10.0
"""Time for another worker to forget the last name, with a bus and without one."""

NEVER_SECONDS = 120.0
"""After this time a name is not forgotten, or a socket not closed, however slow the machine is."""

POINT, AUTH = write64(webpush.public_point(webpush.private_key(bytes(31) + b"\7"))), "A" * 22


class Traces(Struct, frozen=True):
    """The marks that one person leaves."""

    number: int

    def mark(self, what: str) -> str:
        """Return a unique word."""
        return f"{what}x{sha256(f'{what} {self.number}'.encode()).hexdigest()[:12]}"

    @property
    def all(self) -> Sequence[str]:
        """Everything that must be erased."""
        return [
            self.mark(what) for what in ("guest", "name", "login", "label", "bot", "browser", "mail", "hook", "event")
        ]

    @property
    def exported(self) -> Sequence[str]:
        """What must be in the export; a bot is named there by its id."""
        return [self.mark(what) for what in ("name", "login", "label", "browser", "mail", "hook", "event")]


class Found:
    """What was found where it must not be, and what was missing."""

    def __init__(self) -> None:
        self.left: list[str] = []
        self.missed: list[str] = []
        self.alive: list[str] = []
        self.forgotten: dict[str, float] = {}
        """After how many seconds each other worker had forgotten the last name."""
        self.bytes = 0

    def look(self, where: str, data: bytes, words: Sequence[str]) -> None:
        """Search for words that must be gone."""
        self.bytes += len(data)
        self.left += [f"{where} still holds {word}" for word in words if word.encode() in data]


class Remembering:
    """Another worker that has the tables in memory, with a spectator."""

    def __init__(self, server: InProcessServer, which: str) -> None:
        self._server, self._which = server, which
        self._games: list[str] = []
        self._sockets: list[Connection] = []

    async def remember(self, games: Sequence[str]) -> None:
        """Load these tables and watch some of them."""
        if len(self._games) >= ENOUGH_REMEMBERED:
            return
        self._games += games
        for game_id in games:
            socket = self._server.socket(game_id)
            await socket.until(lambda message: message["type"] == "websocket.accept")
            socket.say('{"type":"hello"}')
            await socket.until(_shows_table)
            self._sockets.append(socket)

    async def must_forget(self, words: Sequence[str], found: Found) -> None:
        """Wait until neither this worker nor its spectators hold a mark; record what is left after a while."""
        began = time.monotonic()
        while (left := await self._look(words)) and time.monotonic() < began + NEVER_SECONDS:
            await asyncio.sleep(0.2)
        found.left += left
        found.forgotten[self._which] = time.monotonic() - began
        for socket in self._sockets:
            await socket.leave()

    async def _look(self, words: Sequence[str]) -> list[str]:
        lately = Found()
        for path in [*LISTS, *(f"/api/games/{game_id}" for game_id in self._games)]:
            where = f"{path} of a {self._which} worker"
            lately.look(where, body_of(await self._server.ask(Call("GET", path))), words)
        for socket in self._sockets:
            last = next(message for message in reversed(socket.heard) if _shows_table(message))
            lately.look(f"what was sent last by a {self._which} worker", last["text"].encode(), words)
        return lately.left


def _shows_table(message: Message) -> bool:
    return '"seats":' in message.get("text", "")


def prove(ask: Ask) -> Report:
    """Create and delete `ask.size` people, with each kind of database."""
    found = Found()
    asyncio.run(_in_a_file(ask, found))
    asyncio.run(_in_postgres(ask, found))
    return Report(
        (
            Figure("people", 2 * ask.size, note="left marks and were deleted, half of them from PostgreSQL"),
            Figure("bytes", found.bytes, note="searched afterwards"),
            Figure("left_behind", len(found.left), at_most=0, note="marks that were still there"),
            Figure("not_exported", len(found.missed), at_most=0, note="marks missing from the export"),
            Figure("still_connected", len(found.alive), at_most=0, note="sockets that outlived a log-out"),
            _forgotten(found, "hearing", HEARD_SECONDS),
            _forgotten(found, "deaf", DEAF_SECONDS),
        ),
        (*found.left, *found.missed, *found.alive),
    )


def _forgotten(found: Found, which: str, seconds: float) -> Figure:
    note = f"seconds until a {which} worker had forgotten the last name"
    return Figure(f"{which}_s", found.forgotten[which], at_most=seconds, note=note, timed=True)


async def _in_a_file(ask: Ask, found: Found) -> None:
    with folder_in_memory() as folder:
        async with serve_in_process(database=f"sqlite:{folder / 'games'}", **MAIL) as server:
            words = await _come_and_go(server, ask, found, "file")
            _look_at_files(folder, "the server runs", words, found)
        _look_at_files(folder, "the server has ended", words, found)


def _look_at_files(folder: Path, when: str, words: Sequence[str], found: Found) -> None:
    for path in (path for path in sorted(folder.rglob("*")) if path.is_file()):
        found.look(f"when {when}, {path.name}", path.read_bytes(), words)


async def _in_postgres(ask: Ask, found: Found) -> None:
    async with fresh_postgres(ask.database) as url:
        async with (
            serve_in_process(database=url, bus=ask.bus, **MAIL) as server,
            serve_in_process(database=url, bus=ask.bus) as hearing,
            serve_in_process(database=url) as deaf,
        ):
            others = [Remembering(hearing, "hearing"), Remembering(deaf, "deaf")]
            words = await _come_and_go(server, ask, found, "PostgreSQL", others)
            await asyncio.gather(*(other.must_forget(words, found) for other in others))
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


async def _come_and_go(
    server: InProcessServer, ask: Ask, found: Found, where: str, others: Sequence[Remembering] = ()
) -> list[str]:
    """Create and delete people; return all words that must be gone, and the cookie of a person who stays."""
    other = await Client.arrive(server, "Bystander")
    people = [Traces(ask.seed * 1_000 + number) for number in range(ask.size)]
    for traces in progress(people, where):
        server.now += 600.0
        await _one(server, traces, other, found, Random(traces.number), others)
    return [other.secret, *(word for traces in people for word in traces.all)]


async def _one(
    server: InProcessServer, traces: Traces, other: Client, found: Found, rng: Random, others: Sequence[Remembering]
) -> None:
    """Create and delete one person, from the first name to the last trace."""
    person = await Client.arrive(server, traces.mark("guest"))
    games = await _sit_around(person, other, rng)
    await person.ask("POST", "/api/session", {"name": traces.mark("name")})
    games.append(await sit_down([other, person], "azul"))
    person = await _become_member(person, traces)
    kept = json.dumps(await person.ask("GET", "/api/me/data"))
    found.missed += [f"the export lacks {word}" for word in traces.exported if word not in kept]
    found.missed += [f"the export lacks the table {game_id}" for game_id in games if game_id not in kept]
    socket = server.socket(games[0], who=person.secret)
    await socket.until(lambda message: message["type"] == "websocket.accept")
    for worker in others:
        await worker.remember(games)
    await person.ask("DELETE", "/api/me")
    await _must_end(socket.until(lambda message: message.get("code") == LOGGED_OUT), traces, found)
    for game_id in games:
        for path in ("", "/entries", "/record", "/replay"):
            answers = await server.ask(Call("GET", f"/api/games/{game_id}{path}", who=other.secret))
            found.look(f"{path or 'the table'} of a game", body_of(answers), traces.all)


async def _must_end(ending: object, traces: Traces, found: Found) -> None:
    assert asyncio.iscoroutine(ending)
    try:
        async with asyncio.timeout(NEVER_SECONDS):
            await ending
    except TimeoutError:
        found.alive.append(f"a socket of {traces.mark('name')} lived on")


async def _sit_around(person: Client, other: Client, rng: Random) -> list[str]:
    """Sit at tables that are over, running and not started, and leave one."""
    over, running = [await sit_down([person, other], title) for title in ("azul", "blockers")]
    await play_on([person, other], running, rng, moves=3)
    await person.send(over, type="command", key="enough-of-this", action="resign")
    left = str((await person.ask("POST", "/api/games", {"title": "duel", "seats": [{"kind": "me"}, {}]}))["id"])
    await person.send(left, type="command", key="i-will-not-wait", action="leave")
    return [over, running, left]


async def _become_member(person: Client, traces: Traces) -> Client:
    member = await person.enter("/api/members", {"login": traces.mark("login"), "password": PASSWORD})
    await member.ask("POST", "/api/me/tokens", {"label": traces.mark("label")})
    await member.ask("POST", "/api/me/bots", {"name": traces.mark("bot")})
    endpoint = f"https://push.example.org/{traces.mark('browser')}"
    await member.ask("POST", "/api/me/push", {"endpoint": endpoint, "p256dh": POINT, "auth": AUTH})
    await member.ask("POST", "/api/me/channels/email", {"address": f"{traces.mark('mail')}@example.org"})
    hook = {"kind": "json", "url": f"https://hooks.example.org/{traces.mark('hook')}"}
    made = await member.ask("POST", "/api/me/channels/hooks", hook)
    await member.ask("POST", f"/api/me/channels/{made['id']}", {"reminder_hours": 3, "digest_minutes": 60})
    await member.ask("POST", "/api/pairing", {"title": "azul"})
    event = {"name": traces.mark("event"), "title": "azul", "format": "swiss"}
    made = await member.ask("POST", "/api/events", event)
    await member.ask("POST", f"/api/events/{made['id']}/entry", {})
    return member
