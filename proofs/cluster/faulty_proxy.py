"""A TCP proxy between two programs that can be cut, slowed down or left half-open."""

import asyncio
from typing import Literal, TypeAlias

Mood: TypeAlias = Literal["well", "refusing", "silent"]
"""Pass everything on; refuse connections; accept connections but pass nothing on."""

PIECE = 65_536


class Proxy:
    """Listens on one port and forwards to another, as far as its mood allows."""

    def __init__(self, port: int, target: int) -> None:
        self.port = port
        self.mood: Mood = "well"
        self.delay = 0.0
        """Seconds by which every chunk is delayed, in both directions."""
        self._target = target
        self._server: asyncio.Server | None = None
        self._well = asyncio.Event()
        self._well.set()
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "Proxy":
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Faults

    def cut(self) -> None:
        """Reset all connections; new ones are accepted as before."""
        for writer in list(self._open):
            writer.transport.abort()

    def be(self, mood: Mood) -> None:
        """Change the mood. Connections that were accepted while silent stay silent until they are cut."""
        self.mood = mood
        if mood == "silent":
            self._well.clear()
        else:
            self._well.set()
        if mood == "refusing":
            self.cut()

    # Passing on

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._open.add(writer)
        try:
            await self._connect(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass  # one side has gone; so does the other
        except asyncio.CancelledError:
            if self._server is not None and self._server.is_serving():
                raise
        finally:
            self._tasks.discard(task)
            self._open.discard(writer)
            writer.transport.abort()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.mood == "refusing":
            return
        await self._well.wait()
        other_reader, other_writer = await asyncio.open_connection("127.0.0.1", self._target)
        self._open.add(other_writer)
        try:
            ways = [self._pass(reader, other_writer), self._pass(other_reader, writer)]
            tasks = [asyncio.create_task(way) for way in ways]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for each in tasks:
                each.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            self._open.discard(other_writer)
            other_writer.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(PIECE):
            if self.delay:
                await asyncio.sleep(self.delay)
            await self._well.wait()
            writer.write(piece)
            await writer.drain()
