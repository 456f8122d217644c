"""A whole server in this process, of which every byte that leaves is seen, and whose clock stands still.

Tables are planted as logs, people with secrets that are known beforehand; so two servers can be made to differ in
nothing but what is hidden.
"""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from msgspec import Struct
from sqlalchemy import delete, insert
from starlette.applications import Starlette

from tessella.core.game import Seat
from tessella.prove.databases import folder_in_memory
from tessella.server import entries
from tessella.server.app import make_app
from tessella.server.entries import Entry, Opened, Sat
from tessella.server.host import Host
from tessella.server.people import digest
from tessella.server.settings import Settings
from tessella.server.store.schema import entries as logs
from tessella.server.store.schema import games, links, people, seats, seeds, sessions

Message: TypeAlias = dict[str, Any]

PATIENCE = 20.0
"""Seconds in which an answer must come."""

LATE = 4e9
"""When sessions end: long after we do."""


class Call(Struct, frozen=True):
    """A request as a client sends it."""

    method: str
    path: str
    body: Mapping[str, object] | bytes | None = None
    who: str = ""
    """The secret of a session."""
    headers: tuple[tuple[str, str], ...] = ()
    address: str = "127.0.0.1"

    def scope(self, kind: str) -> Message:
        """What ASGI makes of it."""
        path, _, query = self.path.partition("?")
        cookie = (("cookie", f"tessella={self.who}"),) if self.who else ()
        headers = (("host", "tessella.test"), *cookie, *self.headers)
        return {
            "type": kind,
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": self.method,
            "scheme": "http" if kind == "http" else "ws",
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
        """The body as it travels."""
        if isinstance(self.body, bytes):
            return self.body
        return b"" if self.body is None else json.dumps(self.body).encode()


class Connection:
    """A connection that stays: a socket, or a stream of lines. What comes is kept in its order."""

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
        """Wait for a message like this; those before it have been heard too."""
        async with asyncio.timeout(PATIENCE):
            while not wanted(message := await self._incoming.get()):
                pass
        return message

    async def leave(self) -> None:
        """Hang up."""
        gone = {"type": "websocket.disconnect", "code": 1000} if self._is_socket else {"type": "http.disconnect"}
        self._outgoing.put_nowait(gone)
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(self._task, return_exceptions=True)


class Tap:
    """One server."""

    def __init__(self, app: Starlette) -> None:
        self.app = app
        self.now = 1_700_000_000.0
        self.host.clock = lambda: self.now
        setattr(self.host, "learn_of_outages", _no_news)  # noqa: B010  a busy machine is no outage where no clock runs

    @property
    def host(self) -> Host:
        """The tables of the server."""
        host: Host = self.app.state.host
        return host

    async def ask(self, call: Call) -> list[Message]:
        """Every message by which a request is answered."""
        asked = [{"type": "http.request", "body": call.payload(), "more_body": False}]
        answers: list[Message] = []

        async def receive() -> Message:
            return asked.pop() if asked else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            answers.append(dict(message))

        async with asyncio.timeout(PATIENCE):
            await self.app(call.scope("http"), receive, send)
        return answers

    async def json(self, call: Call) -> Any:
        """What a request is answered with."""
        return json.loads(body_of(await self.ask(call)))

    def socket(self, game_id: str, **more: Any) -> Connection:
        """A socket at a table."""
        return Connection(self.app, Call("GET", f"/api/games/{game_id}/socket", **more).scope("websocket"))

    def stream(self, game_id: str, **more: Any) -> Connection:
        """A stream of lines from a table."""
        return Connection(self.app, Call("GET", f"/api/games/{game_id}/stream", **more).scope("http"))

    # Planting

    async def plant_person(self, person: str, secret: str, kind: str = "guest") -> None:
        """Somebody with an id and a cookie that we know."""
        row = {"id": person, "name": person, "kind": kind, "made": 0.0, "settings": "{}"}
        cookie = {"hash": digest(secret), "person": person, "kind": "cookie", "made": 0.0, "ends": LATE, "label": ""}
        await self.host.store.run(insert(people).values(row), insert(sessions).values(cookie))

    async def plant_game(self, game_id: str, opened: Opened, log: Iterable[Entry], seed: bytes) -> None:
        """A table with this log."""
        log = [opened, *log]
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
        chairs = [{"game": game_id, "seat": entry.seat, "person": entry.who} for entry in log if isinstance(entry, Sat)]
        await self.host.store.run(
            insert(games).values(row),
            insert(seeds).values(game=game_id, seed=seed),
            insert(logs).values([self._row(game_id, number, entry) for number, entry in enumerate(log)]),
            *([insert(seats).values(chairs)] if chairs else []),
        )

    def _row(self, game_id: str, number: int, entry: Entry) -> Mapping[str, object]:
        body, at = entries.write(entry), self.now + number
        return {"game": game_id, "number": number, "key": f"planted-{number}", "body": body, "at": at}

    async def go_on(self, game_id: str, number: int, entry: Entry) -> None:
        """Another worker stores an entry, and gives us a hint."""
        await self.host.store.run(insert(logs).values(self._row(game_id, number, entry)))
        self.host.hear(game_id, str(number))

    async def plant_link(self, game_id: str, seat: Seat, secret: str) -> None:
        """An invitation that we know."""
        await self.host.store.run(insert(links).values(hash=digest(secret), game=game_id, seat=seat))

    async def weed(self, game_id: str) -> None:
        """Take a table away again."""
        self.host.rooms.pop(game_id, None)
        await self.host.store.run(
            delete(games).where(games.c.id == game_id),
            *(delete(table).where(table.c.game == game_id) for table in (logs, seeds, seats, links)),
        )


@asynccontextmanager
async def tapped(**settings: Any) -> AsyncGenerator[Tap]:
    """A server with an empty file of its own, or with the database that is given."""
    logging.getLogger("tessella.server.keeper").setLevel(
        logging.ERROR
    )  # a clock that stands still looks like an outage
    with folder_in_memory() as folder:
        usual: dict[str, Any] = {"database": f"sqlite:{folder / 'games'}", "bots": 0}
        app = make_app(Settings(**(usual | settings)))
        async with app.router.lifespan_context(app):
            yield Tap(app)


async def _no_news() -> bool:
    return False


def body_of(answers: Iterable[Message]) -> bytes:
    """What the messages of an answer carry."""
    return b"".join(message.get("body", b"") for message in answers)


def status_of(answers: Iterable[Message]) -> int:
    """How a request was answered."""
    return next(int(message["status"]) for message in answers if message["type"] == "http.response.start")


def headers_of(answers: Iterable[Message]) -> dict[str, str]:
    """The headers of an answer."""
    start = next(message for message in answers if message["type"] == "http.response.start")
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in start["headers"]}


def cookie_of(answers: Iterable[Message]) -> str:
    """The cookie that an answer sets."""
    return headers_of(answers)["set-cookie"].partition("=")[2].partition(";")[0]
