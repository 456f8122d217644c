"""Scripted people for the tests of the server: guests with a browser of their own."""

import asyncio
import json
import secrets
from typing import ClassVar

import httpx
import websockets


class Person:
    """A guest with a browser of their own."""

    everybody: ClassVar[list["Person"]] = []

    def __init__(self, port: int) -> None:
        self.port = port
        # drop an idle connection before the server does, after five seconds: no request meets a closing one
        limits = httpx.Limits(keepalive_expiry=2)
        self.http = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=20, limits=limits)
        self.everybody.append(self)

    @classmethod
    async def all_go_home(cls) -> None:
        while cls.everybody:
            await cls.everybody.pop().http.aclose()

    @classmethod
    async def arrive(cls, port: int, name: str) -> "Person":
        person = cls(port)
        answer = await person.http.post("/api/session", json={"name": name})
        assert answer.status_code == 201, answer.text
        return person

    def connect(self, game: str, port: int | None = None):
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        address = f"ws://127.0.0.1:{port or self.port}/api/games/{game}/socket"
        return websockets.connect(address, additional_headers={"cookie": cookie}, compression=None)

    async def set_table(self, title="azul", seats=("me", "open"), **more):
        kinds = [{"kind": seat} if seat in ("me", "open") else {"kind": "bot", "level": seat} for seat in seats]
        answer = await self.http.post("/api/games", json={"title": title, "seats": kinds, **more})
        assert answer.status_code == 201, answer.text
        return answer.json()

    async def join(self, table, index=0):
        secret = table["invitations"][index]["secret"]
        return await self.http.post(f"/api/games/{table['id']}/join", json={"secret": secret})


def key() -> str:
    return secrets.token_hex(8)


async def say(socket, **message) -> None:
    await socket.send(json.dumps(message))


async def hear(socket, *kinds):
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), 20))
        if message["type"] in kinds:
            return message
        assert message["type"] != "error", message


async def play_to_the_end(socket, choose=lambda moves: moves[len(moves) // 2]):
    """Play whenever it is our turn; give the table as it was left."""
    await say(socket, type="hello")
    played = -1
    while True:
        message = await hear(socket, "update", "error")
        if message["type"] == "error":
            assert message["rule"] in ("stale", "turn", "playing", "dice"), message
            continue
        table = message["table"]
        if table["status"] == "over":
            return table
        if table["moves"] and table["number"] > played:
            played = table["number"]
            await say(socket, type="play", key=key(), number=table["number"], move=choose(table["moves"]))
