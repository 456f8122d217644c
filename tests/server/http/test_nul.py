"""PostgreSQL stores no text with a NUL in it; wherever one comes in it is refused, and nothing fails."""

import json
import re
from typing import get_args

import httpx
import pytest
import websockets
from msgspec import inspect

from proofs.in_process_server import Call, body_of, serve_in_process, status_of
from proofs.play import Client
from tessella.protocol import messages
from tessella.server.http.api import ROUTES
from tessella.server.settings import Settings
from tests.server.helpers import PASSWORD

NUL = "abcdef\0gh"
REFUSED = (401, 403, 404, 409, 413, 422, 429)


@pytest.fixture
def server(postgres):
    return serve_in_process(database=postgres)


def sample(kind):
    """A value of a type that is as small as possible."""
    match kind:
        case inspect.StructType(fields=fields, tag=tag, tag_field=name):
            return {**({name: tag} if tag else {}), **{field.encode_name: sample(field.type) for field in fields}}
        case inspect.StrType(min_length=least):
            return "a" * (least or 0)
        case inspect.IntType() | inspect.FloatType():
            return 1
        case inspect.BoolType():
            return False
        case inspect.LiteralType(values=values):
            return values[0]
        case inspect.UnionType(types=types):
            return sample(types[0])
        case inspect.Metadata(type=inner):
            return sample(inner)
        case inspect.ListType(item_type=inner) | inspect.VarTupleType(item_type=inner):
            return [sample(inner)]
        case inspect.DictType(key_type=key, value_type=value):
            return {sample(key): sample(value)}
        case _:
            return None


def poisoned(value):
    """The same value with a NUL in one of its texts at a time."""
    match value:
        case str():
            yield NUL
        case list():
            yield from ([bad] for bad in poisoned(value[0]))
        case dict():
            yield from ({**value, name: bad} for name, inner in value.items() for bad in poisoned(inner))
            yield from ({NUL: inner} for name, inner in value.items() if not name)
        case _:
            pass


def calls(game, who):
    """Every route with a NUL in its path, in one of its parameters, or in one text of its body."""
    known = {"id": game, "title": "azul", "acts": "A"}
    for route in ROUTES:
        plain = re.sub(r"{(\w+)}", lambda part: known.get(part[1], "2"), route.path)
        if "{" in route.path:
            yield Call(route.method, re.sub(r"{\w+}", NUL, route.path), None, who)
        yield from (Call(route.method, f"{plain}?{name}=abc%00def", {}, who) for name in route.query)
        if route.body is not None:
            body = sample(inspect.type_info(route.body))
            yield from (Call(route.method, plain, bad, who) for bad in poisoned(body))


async def test_a_nul_in_any_request_is_refused(server):
    guest = await Client.arrive(server, "Ann")
    ann = await guest.enter("/api/members", {"login": "ann", "password": PASSWORD})
    made = await ann.ask("POST", "/api/games", {"title": "azul", "seats": [{"kind": "me"}, {}]})
    tried = 0
    for call in calls(made["id"], ann.secret):
        server.now += 60.0
        answers = await server.ask(call)
        assert status_of(answers) in REFUSED, (call, body_of(answers))
        tried += 1
    assert tried > 50
    for path in (NUL, f"x%00{NUL}"):
        assert status_of(await server.ask(Call("GET", f"/api/games/{path}/stream"))) == 404
        socket = server.socket(path, who=ann.secret)
        await socket.until(lambda message: message["type"] == "websocket.close")
        await socket.leave()


async def test_a_nul_in_any_message_is_refused(server):
    ann = await Client.arrive(server, "Ann")
    game = (await ann.ask("POST", "/api/games", {"title": "azul", "seats": [{"kind": "me"}, {}]}))["id"]
    socket = server.socket(game, who=ann.secret)
    kinds = [sample(inspect.type_info(kind)) for kind in get_args(messages.FromClient)]
    messages_sent = [bad for kind in kinds for bad in poisoned(kind)]
    for message in messages_sent:
        socket.say(json.dumps(message))
        heard = await socket.until(lambda heard: '"error"' in heard.get("text", ""))
        assert json.loads(heard["text"])["rule"] == "message", (message, heard)
    assert len(messages_sent) > 10
    await socket.leave()


async def test_an_escaped_backslash_is_no_nul(server):
    """`\\\\u0000` in JSON is a backslash and letters: a strange name, but a text like any other."""
    for body, status in (
        (b'{"name":"a\\\\u0000"}', 201),
        (b'{"name":"a\\\\\\u0000"}', 422),
        (b'{"name":"a\\u0000"}', 422),
    ):
        assert status_of(await server.ask(Call("POST", "/api/session", body))) == status


async def test_nul_in_a_path_over_the_wire(serve, postgres, port):
    async with serve(Settings(database=postgres, port=port)), httpx.AsyncClient() as http:
        for path in ("/api/games/x%00y", "/api/games/%00/stream", "/api/people/%00", "/table/%00"):
            assert (await http.get(f"http://127.0.0.1:{port}{path}")).status_code in (200, 404), path
        with pytest.raises(websockets.InvalidStatus) as refused:
            await websockets.connect(f"ws://127.0.0.1:{port}/api/games/%00/socket")
        assert refused.value.response.status_code in (403, 404)
