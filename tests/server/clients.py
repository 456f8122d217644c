"""Scripted people for the tests of the server: guests with a browser of their own."""

import asyncio
import json
import secrets
from typing import Any, ClassVar

import httpx
import websockets

PING = 271_828
"""A number of a ping that no test uses otherwise."""


class Person:
    """A guest with a browser of their own."""

    everybody: ClassVar[list["Person"]] = []

    def __init__(self, port: int) -> None:
        self.port = port
        # drop an idle connection before the server does, after five seconds: no request meets a closing one
        limits = httpx.Limits(keepalive_expiry=2)
        self.http = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60, limits=limits)
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

    @classmethod
    def program(cls, port: int, token: str) -> "Person":
        """What acts for somebody with a token."""
        program = cls(port)
        program.http.headers["authorization"] = f"Bearer {token}"
        return program

    def connect(self, game: str, port: int | None = None):
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        address = f"ws://127.0.0.1:{port or self.port}/api/games/{game}/socket"
        return websockets.connect(address, additional_headers={"cookie": cookie}, compression=None, open_timeout=60)

    async def get(self, path: str, **params: str) -> Any:
        """The body of an answer that must not be an error."""
        answer = await self.http.get(path, params=params or None)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def me(self):
        return await self.get("/api/session")

    async def id(self):
        return (await self.me())["id"]

    async def act(self, game: str, **request) -> httpx.Response:
        """Send a request to a table: `action="start"`, or one of another type."""
        body = {"request": {"type": "command", "key": key(), **request}}
        return await self.http.post(f"/api/games/{game}/act", json=body)

    async def set_table(self, title="azul", seats=("me", "open"), **more):
        kinds = [{"kind": seat} if seat in ("me", "open") else {"kind": "bot", "level": seat} for seat in seats]
        answer = await self.http.post("/api/games", json={"title": title, "seats": kinds, **more})
        assert answer.status_code == 201, answer.text
        return answer.json()

    async def join(self, table, index=0):
        secret = table["invitations"][index]["secret"]
        return await self.http.post(f"/api/games/{table['id']}/join", json={"secret": secret})


async def two_at_a_table(port: int, title="azul", **more) -> tuple[Person, Person, str]:
    """Ann and Bob, and the table at which they sit."""
    ann, bob = [await Person.arrive(port, name) for name in ("Ann", "Bob")]
    table = await ann.set_table(title, **more)
    assert (await bob.join(table)).status_code == 200
    return ann, bob, table["id"]


async def play_moves(people, game: str, count: int) -> int:
    """Play some first legal moves over HTTP; the number of the last."""
    for _ in range(count):
        mover = people[(await people[0].get(f"/api/games/{game}"))["movers"][0]]
        table = await mover.get(f"/api/games/{game}")
        answer = await mover.act(game, type="play", number=table["number"], move=table["moves"][0])
        assert answer.status_code == 200, answer.text
    return int(table["number"])


def refusal(answer: httpx.Response) -> tuple[int, str]:
    """The status of an error, and the rule that it names."""
    return answer.status_code, answer.json()["rule"]


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def key() -> str:
    return secrets.token_hex(8)


async def say(socket, **message) -> None:
    await socket.send(json.dumps(message))


async def hear(socket, *kinds):
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), 60))
        if message["type"] in kinds:
            return message
        assert message["type"] != "error", message


async def command(socket, action: str):
    """Send a command, and wait until it is confirmed."""
    await say(socket, type="command", key=key(), action=action)
    return await hear(socket, "ack")


async def own_turn(socket):
    """The table, once its player is to move."""
    await say(socket, type="hello")
    while not (table := (await hear(socket, "update"))["table"])["moves"]:
        pass
    return table


async def heard_so_far(socket):
    """Every message that was on its way before this moment."""
    await say(socket, type="ping", n=PING)
    heard: list[dict[str, Any]] = []
    while heard[-1:] != [{"type": "pong", "n": PING}]:
        heard.append(json.loads(await asyncio.wait_for(socket.recv(), 60)))
    return heard[:-1]


async def close_code(socket):
    """Hear everything until the other side hangs up; the code that it gives."""
    while True:
        try:
            await asyncio.wait_for(socket.recv(), 60)
        except websockets.ConnectionClosed:
            return socket.close_code


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
