"""A whole server in this process: every byte that it sends is recorded, and its clock stands still.

Tables are planted as logs, people with known secrets; so two servers can be made to differ only in what is hidden.
"""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from msgspec import Struct
from sqlalchemy import delete, insert
from starlette.applications import Starlette

from proofs.databases import folder_in_memory
from tessella.core.game import Seat
from tessella.server.http.app import make_app
from tessella.server.metrics import FAILED, Metrics
from tessella.server.people.identity import digest
from tessella.server.rooms.host import Host
from tessella.server.settings import Settings
from tessella.server.store.schema import (
    club_members,
    clubs,
    event_entrants,
    event_tables,
    events,
    games,
    links,
    people,
    seats,
    seeds,
    sessions,
)
from tessella.server.store.schema import entries as logs
from tessella.table.log import Entry, Opened, Sat, write_entry

Message: TypeAlias = dict[str, Any]

ANSWER_SECONDS = 120.0
"""Time for an answer to come."""

LATE = 4e9
"""When sessions end: long after the proof."""


class Call(Struct, frozen=True):
    """A request as a client sends it."""

    method: str
    path: str
    body: Mapping[str, object] | bytes | None = None
    who: str = ""
    """The secret of a session."""
    headers: tuple[tuple[str, str], ...] = ()
    address: str = "127.0.0.1"
    tls: bool = False

    def scope(self, kind: str) -> Message:
        """Return the ASGI scope of the request."""
        path, _, query = self.path.partition("?")
        cookie = (("cookie", f"{'__Host-' * self.tls}tessella={self.who}"),) if self.who else ()
        headers = (("host", "tessella.test"), *cookie, *self.headers)
        return {
            "type": kind,
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": self.method,
            "scheme": ("http" if kind == "http" else "ws") + "s" * self.tls,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers],
            "client": (self.address, 50_000),
            "server": ("tessella.test", 80),
            "subprotocols": [],
        }

    def payload(self) -> bytes:
        """Return the body as it travels."""
        if isinstance(self.body, bytes):
            return self.body
        return b"" if self.body is None else json.dumps(self.body).encode()


class Connection:
    """A long-lived connection: a socket, or a stream of lines. Messages are kept in order."""

    def __init__(self, app: Starlette, scope: Message) -> None:
        self.heard: list[Message] = []
        self._incoming: asyncio.Queue[Message] = asyncio.Queue()
        self._outgoing: asyncio.Queue[Message] = asyncio.Queue()
        self._is_socket = scope["type"] == "websocket"
        first = {"type": "websocket.connect"} if self._is_socket else {"type": "http.request", "body": b""}
        self._outgoing.put_nowait(first)
        self._task = asyncio.create_task(app(scope, self._outgoing.get, self._take))

    async def _take(self, message: Any) -> None:
        self.heard.append(dict(message))
        self._incoming.put_nowait(message)

    def say(self, text: str | bytes) -> None:
        """Send a message through a socket."""
        kind = "text" if isinstance(text, str) else "bytes"
        self._outgoing.put_nowait({"type": "websocket.receive", kind: text})

    async def until(self, wanted: Callable[[Message], bool]) -> Message:
        """Wait for a message like this; earlier ones are recorded too."""
        async with asyncio.timeout(ANSWER_SECONDS):
            while not wanted(message := await self._incoming.get()):
                pass
        return message

    async def leave(self) -> None:
        """Disconnect."""
        gone = {"type": "websocket.disconnect", "code": 1000} if self._is_socket else {"type": "http.disconnect"}
        self._outgoing.put_nowait(gone)
        async with asyncio.timeout(ANSWER_SECONDS):
            await asyncio.gather(self._task, return_exceptions=True)


class InProcessServer:
    """One server."""

    def __init__(self, app: Starlette) -> None:
        self.app = app
        self.now = 1_700_000_000.0
        self.expected_failures = 0
        """Requests that are meant to fail with 500."""
        self.host.clock = lambda: self.now
        setattr(self.host, "reload_outages", _no_news)  # noqa: B010  a busy machine is no outage where no clock runs

    @property
    def host(self) -> Host:
        """Return the tables of the server."""
        host: Host = self.app.state.host
        return host

    @property
    def metrics(self) -> Metrics:
        """What the server counts."""
        return self.host.metrics

    @property
    def all_failures(self) -> int:
        """How many requests failed with 500."""
        return int(self.metrics.registry.get_sample_value("tessella_requests_total", {"status": str(FAILED)}) or 0)

    @property
    def failures(self) -> int:
        """How many requests failed with 500 beyond those that were expected to."""
        return self.all_failures - self.expected_failures

    async def ask(self, call: Call) -> list[Message]:
        """Return every ASGI message of a response."""
        asked = [{"type": "http.request", "body": call.payload(), "more_body": False}]
        answers: list[Message] = []

        async def receive() -> Message:
            return asked.pop() if asked else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            answers.append(dict(message))

        async with asyncio.timeout(ANSWER_SECONDS):
            await self.app(call.scope("http"), receive, send)
        return answers

    async def json(self, call: Call) -> Any:
        """Return the decoded body of a response."""
        return json.loads(body_of(await self.ask(call)))

    def socket(self, game_id: str, **more: Any) -> Connection:
        """Open a socket at a table."""
        return Connection(self.app, Call("GET", f"/api/games/{game_id}/socket", **more).scope("websocket"))

    def stream(self, game_id: str, **more: Any) -> Connection:
        """Open a stream of lines from a table."""
        return Connection(self.app, Call("GET", f"/api/games/{game_id}/stream", **more).scope("http"))

    # Planting

    async def plant_person(self, person: str, secret: str, kind: str = "guest") -> None:
        """Add a person with a known id and cookie."""
        row = {"id": person, "name": person, "kind": kind, "made": 0.0, "settings": "{}"}
        cookie = {"hash": digest(secret), "person": person, "kind": "cookie", "made": 0.0, "ends": LATE, "label": ""}
        await self.host.store.run(insert(people).values(row), insert(sessions).values(cookie))

    async def plant_game(self, game_id: str, log: Sequence[Entry], seed: bytes) -> None:
        """A table with this log, which begins with its opening."""
        opened = log[0]
        assert isinstance(opened, Opened)
        row = {
            "id": game_id,
            "game": opened.rules.partition("/")[0],
            "rules": opened.rules,
            "number": len(log) - 1,
            "status": "playing",
            "movers": "0",
            "opened": self.now,
            "touched": self.now,
            "pace": "days",
            "rated": False,
            "listed": False,
            "match": "",
        }
        sat = [entry for entry in log if isinstance(entry, Sat)]
        rows = [{"game": game_id, "seat": entry.seat, "person": entry.player} for entry in sat]
        await self.host.store.run(
            insert(games).values(row),
            insert(seeds).values(game=game_id, seed=seed),
            insert(logs).values([self._row(game_id, number, entry) for number, entry in enumerate(log)]),
            *([insert(seats).values(rows)] if rows else []),
        )

    def _row(self, game_id: str, number: int, entry: Entry) -> Mapping[str, object]:
        body, at = write_entry(entry), self.now + number
        return {"game": game_id, "number": number, "key": f"planted-{number}", "body": body, "at": at}

    async def go_on(self, game_id: str, number: int, entry: Entry) -> None:
        """Store an entry as another worker would, and notify ours."""
        await self.host.store.run(insert(logs).values(self._row(game_id, number, entry)))
        self.host.receive(game_id, str(number))

    async def plant_link(self, game_id: str, seat: Seat, secret: str) -> None:
        """Add an invitation with a known secret."""
        await self.host.store.run(insert(links).values(hash=digest(secret), game=game_id, seat=seat))

    async def plant_event(self, event_id: str, game_id: str, players: Sequence[str], link: str = "") -> None:
        """A club, which has this link, and a running event of it whose only table is a game; both have this id."""
        same = {"name": "Cup", "title": "azul", "rules": "azul/1", "pace": '{"type":"days"}', "format": "swiss"}
        counts = {"seats": len(players), "rounds": 1, "most": 64, "round": 1}
        about = {"duplicate": False, "fill": "bye", "members": False, "seed": "", "state": "running", "club": event_id}
        times = {"made": 0.0, "starts": 0.0}
        club = {"id": event_id, "name": "Club", "owner": players[0], "is_open": True, "made": 0.0, "link": digest(link)}
        members = [{"club": event_id, "person": player, "joined": 0.0} for player in players]
        entrants = [{"event": event_id, "person": player, "first": 1, "joined": 0.0} for player in players]
        table = {"event": event_id, "round": 1, "number": 0, "game": game_id, "players": json.dumps(players)}
        await self.host.store.run(
            insert(events).values({"id": event_id, **same, **counts, **about, **times}),
            insert(event_entrants).values(entrants),
            insert(event_tables).values(table),
            insert(clubs).values(club),
            insert(club_members).values(members),
        )

    async def weed_event(self, event_id: str) -> None:
        """Remove an event and its club again."""
        await self.host.store.run(
            *(delete(table).where(table.c.id == event_id) for table in (events, clubs)),
            *(delete(table).where(table.c.event == event_id) for table in (event_entrants, event_tables)),
            delete(club_members).where(club_members.c.club == event_id),
        )

    async def weed(self, game_id: str) -> None:
        """Remove a table again."""
        self.host.rooms.pop(game_id, None)
        await self.host.store.run(
            delete(games).where(games.c.id == game_id),
            *(delete(table).where(table.c.game == game_id) for table in (logs, seeds, seats, links)),
        )


NO_RETENTION: dict[str, Any] = {
    "keep_unstarted_days": 0,
    "keep_abandoned_days": 0,
    "keep_guests_days": 0,
    "seal_days": 0,
}
"""No retention: planted data has old dates, so housekeeping would remove it during a proof and reveal its seed."""


@asynccontextmanager
async def serve_in_process(**settings: Any) -> AsyncGenerator[InProcessServer]:
    """Start a server with an empty database file, or with the given database."""
    logging.getLogger("tessella.server.services.housekeeping").setLevel(
        logging.ERROR
    )  # a clock that stands still looks like an outage
    with folder_in_memory() as folder:
        usual: dict[str, Any] = {"database": f"sqlite:{folder / 'games'}", "bots": 0, "compute": 0}
        app = make_app(Settings(**(usual | NO_RETENTION | settings)))
        async with app.router.lifespan_context(app):
            server = InProcessServer(app)
            yield server
            assert not server.failures, f"{server.failures} requests failed with 500"


async def _no_news() -> bool:
    return False


def body_of(answers: Iterable[Message]) -> bytes:
    """Return the body that the messages of a response carry."""
    return b"".join(message.get("body", b"") for message in answers)


def status_of(answers: Iterable[Message]) -> int:
    """Return the status of a response."""
    return next(int(message["status"]) for message in answers if message["type"] == "http.response.start")


def headers_of(answers: Iterable[Message]) -> dict[str, str]:
    """Return the headers of a response."""
    start = next(message for message in answers if message["type"] == "http.response.start")
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in start["headers"]}


def cookie_of(answers: Iterable[Message]) -> str:
    """Return the session cookie that a response sets."""
    start = next(message for message in answers if message["type"] == "http.response.start")
    found = [str(value, "latin-1").partition(";")[0] for name, value in start["headers"] if name == b"set-cookie"]
    return next(cookie.partition("=")[2] for cookie in found if cookie.startswith(("tessella=", "__Host-tessella=")))
