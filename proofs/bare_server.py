"""A yardstick: uvicorn and asyncpg that store and send as much as a table does, and decide nothing.

`python -m proofs.bare_server URL PORT` serves it.
"""

import os
import sys
from collections import defaultdict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import msgspec
import uvicorn
from msgspec import Struct
from starlette.types import Receive, Scope, Send

from proofs.cluster.processes import Program, a_folder, answers, free_port
from proofs.raw_sockets import SEATS, Line

TABLE = """create table bare (game text, number bigint, key text not null, body text not null,
at double precision default extract(epoch from clock_timestamp()), primary key (game, number), unique (game, key))"""
INSERT = "insert into bare (game, number, key, body) values ($1, $2, $3, $4)"
BODY = '{"type":"played","seat":1,"acts":["3r4"],"end":null}'
UPDATE = f'{{"type":"update","table":"{"x" * 1_700}"}}'
"""As long as what a viewer of a table gets after a move of Azul."""

CONNECTIONS = 6
"""As many as a worker has."""


class Play(Struct):
    """The parts of a message that are stored."""

    type: str
    key: str = ""
    number: int = 0


class App:
    """An ASGI application: each message is stored, then sent to all sockets of its path."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._pool: asyncpg.Pool[asyncpg.Record] | None = None
        self._tables: dict[str, list[Send]] = defaultdict(list)
        self._decoder = msgspec.json.Decoder(Play)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a socket."""
        if scope["type"] != "websocket":
            return
        if self._pool is None:
            self._pool = await asyncpg.create_pool(self._url, min_size=CONNECTIONS, max_size=CONNECTIONS)
        game, table = scope["path"], self._tables[scope["path"]]
        await receive()
        await send({"type": "websocket.accept"})
        table.append(send)
        while (message := await receive())["type"] == "websocket.receive":
            play = self._decoder.decode(message["text"])
            if play.type == "play":
                await self._pool.execute(INSERT, game, play.number, play.key, BODY)
                for viewer in table:
                    await viewer({"type": "websocket.send", "text": UPDATE})
                await send({"type": "websocket.send", "text": f'{{"type":"ack","key":"{play.key}"}}'})
        table.remove(send)


class BareScript(Struct, frozen=True):
    """The moves of a table, which mean nothing here."""

    moves: tuple[int, ...]


class BareTable(Struct):
    """Three players and a spectator at the bare server."""

    game: str
    script: BareScript
    lines: list[Line]
    done: int = 0

    @classmethod
    async def set(cls, port: int, game: str, moves: int) -> "BareTable":
        """Connect all four."""
        lines = [await Line.connect(port, game, "") for _ in (*SEATS, None)]
        return cls(game, BareScript(tuple(range(moves))), lines)

    async def move(self) -> float:
        """Send a message, and return the seconds until its confirmation."""
        self.done += 1
        return await self.lines[self.done % len(SEATS)].play(f"{self.game}-{self.done}", self.done, "3r4")

    def close(self) -> None:
        """Disconnect all four."""
        for line in self.lines:
            line.close()


class BareServer(Program):
    """The yardstick in its own process."""

    def __init__(self, log: Path, url: str, port: int) -> None:
        super().__init__(log, [sys.executable, "-m", "proofs.bare_server", url, str(port)])
        self.port = port
        self.environment["PYTHONPATH"] = os.pathsep.join(filter(None, (*sys.path,)))  # it starts in another folder


@asynccontextmanager
async def bare_server(url: str) -> AsyncGenerator[BareServer]:
    """Run the yardstick with an empty table in this database."""
    connection = await asyncpg.connect(url)
    await connection.execute(TABLE)
    await connection.close()
    async with a_folder() as folder:
        server = BareServer(folder / "bare.log", url, free_port())
        server.start()
        try:
            await answers(server.port)
            yield server
        finally:
            await server.kill()


def main() -> None:
    """Serve until the process is ended."""
    url, port = sys.argv[1:]
    uvicorn.run(App(url), port=int(port), lifespan="off", log_level="warning", ws_per_message_deflate=False)


if __name__ == "__main__":
    main()
