"""Attacks by one client: forged origins, guesses, floods, malformed messages, clients that do not read."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from random import Random
from typing import Any

from proofs.abuse.scene import PASSWORD, Scene
from proofs.in_process_server import Call, Connection, body_of, headers_of, status_of
from proofs.play import Client
from tessella.protocol.messages import ErrorReply
from tessella.server.http.api import ROUTES
from tessella.server.http.sockets import TOO_SLOW

COMMON = ("password123", "qwertyuiop", "1234567890", "iloveyou2024", "Passw0rd!!", "liverpool1", "aaaaaaaaaaaa")
LARGEST_BODY = 8_192
"""The documented limit; the server has its own constant."""

DEEP = '{"type":' + "[" * 5_000
"""Nested more deeply than a recursive parser can follow."""

SLOW_MESSAGES = 400
"""Far more than may be queued for one connection."""


# Forged origins

FOREIGN: Sequence[tuple[tuple[str, str], ...]] = (
    (("origin", "https://evil.test"),),
    (("origin", "null"),),
    (("origin", "http://tessella.test.evil.test"),),
    (("sec-fetch-site", "cross-site"),),
    (("sec-fetch-site", "same-site"), ("origin", "http://tessella.test")),
)


async def forged_origin(scene: Scene) -> AsyncIterator[str]:
    """Send every unsafe request and every handshake from another site with the cookie of a logged-in user."""
    for headers in FOREIGN:
        for route in ROUTES:
            if route.method != "GET":
                scene.server.now += 60.0
                path = re.sub(r"{(\w+)}", lambda part: scene.game if part[1] == "id" else "2", route.path)
                refusal = 404 if route.moderators else 403  # what is for moderators is not there for others
                failure = await scene.must(Call(route.method, path, {}, scene.ann.secret, headers), refusal)
                if failure:
                    yield failure
        socket = scene.server.socket(scene.game, who=scene.ann.secret, headers=headers)
        first = await socket.until(lambda message: message["type"] in ("websocket.accept", "websocket.close"))
        if first["type"] == "websocket.accept":
            yield f"a socket was opened from {dict(headers)}"
        await socket.leave()


# Other people's things


COMMANDS: Sequence[Mapping[str, object]] = (
    *(
        {"type": "command", "action": what}
        for what in ("leave", "resign", "return", "pause", "abort", "decline", "start")
    ),
    {"type": "pledge", "pledge": "0" * 64},
    {"type": "reveal", "number": "0" * 64},
)


async def another_seat(scene: Scene) -> AsyncIterator[str]:
    """Act as a stranger, as a spectator and as the player whose turn it is not: every role, every command."""
    table = await scene.ann.ask("GET", f"/api/games/{scene.game}")
    mover: int = table["movers"][0]
    players = [scene.ann, scene.bob]
    moves: list[str] = (await players[mover].ask("GET", f"/api/games/{scene.game}"))["moves"]
    play: dict[str, object] = {"type": "play", "number": table["number"], "move": moves[0]}
    path, before = f"/api/games/{scene.game}/act", await scene.number()
    for index, command in enumerate((play, *COMMANDS)):
        keyed = {**command, "key": f"not-mine-{index}"}
        seated = {"request": {**keyed, "seat": mover}}
        tries = [
            (Call("POST", path, {"request": keyed}), 401),
            (Call("POST", path, {"request": keyed}, scene.eve.secret), 409),
        ]
        tries += [
            (Call("POST", path, seated, scene.eve.secret), 422),
            (Call("POST", path, seated, scene.ann.secret), 422),
        ]
        for call, status in tries:
            if failure := await scene.must(call, status):
                yield failure
    out_of_turn = Call("POST", path, {"request": {**play, "key": "not-my-turn"}}, players[1 - mover].secret)
    if failure := await scene.must(out_of_turn, 409):
        yield failure
    if await scene.number() != before:
        yield "something was written into the log"


async def anothers_account(scene: Scene) -> AsyncIterator[str]:
    """Use a token as if it were the account's session; and try as Eve to end what belongs to Mia."""
    made = await scene.member.ask("POST", "/api/me/tokens", {"label": "script"})
    bot = await scene.member.ask("POST", "/api/me/bots", {"name": "Deep Tile"})
    for token in (made["token"], bot["token"]):
        bearer = (("authorization", f"Bearer {token}"),)
        for method, path, body in _ACCOUNT_ROUTES:
            if failure := await scene.must(Call(method, path.format(id=bot["id"]), body, headers=bearer), 403):
                yield failure
    eve = await scene.eve.enter("/api/members", {"login": "eve", "password": PASSWORD + "s"})
    for path in (f"/api/me/tokens/{made['id']}", f"/api/me/sessions/{made['id']}", f"/api/me/bots/{bot['id']}"):
        if failure := await scene.must(Call("DELETE", path, None, eve.secret), 404):
            yield failure
    if await scene.member.status("GET", "/api/me/tokens") != 200:
        yield "Mia was logged out"


_ACCOUNT_ROUTES: Sequence[tuple[str, str, dict[str, object] | None]] = (
    ("GET", "/api/me/data", None),
    ("DELETE", "/api/me", None),
    ("GET", "/api/me/sessions", None),
    ("DELETE", "/api/me/sessions", None),
    ("GET", "/api/me/tokens", None),
    ("POST", "/api/me/tokens", {"label": ""}),
    ("POST", "/api/me/bots", {"name": "Other"}),
    ("POST", "/api/me/bots/{id}/token", None),
    ("POST", "/api/me/password", {"old": PASSWORD, "new": PASSWORD + "s"}),
    ("POST", "/api/passkeys/new", None),
)


async def anothers_club(scene: Scene) -> AsyncIterator[str]:
    """Try as another member, as a guest and as a stranger to join, change, invite to and use a club of Mia."""
    club = (await scene.member.ask("POST", "/api/clubs", {"name": "Tilers"}))["id"]
    path, terms = f"/api/clubs/{club}", {"name": "Cup", "title": "azul", "format": "swiss"}
    event = (await scene.member.ask("POST", "/api/events", {**terms, "club": club}))["id"]
    secret = (await scene.member.ask("POST", f"{path}/link"))["secret"]
    eve = await scene.eve.enter("/api/members", {"login": "eve", "password": PASSWORD + "s"})
    mia = (await scene.member.ask("GET", "/api/session"))["id"]
    own: Sequence[tuple[str, str, dict[str, object] | None]] = (
        ("POST", path, {"name": "Mine now", "is_open": True}),
        ("POST", f"{path}/link", None),
        ("POST", f"{path}/schedules", {**terms, "weekday": 0, "minute": 0}),
        ("DELETE", f"{path}/members/{mia}", None),
        ("DELETE", f"{path}/schedules/2", None),
        ("POST", "/api/events", {**terms, "club": club}),
        ("POST", f"/api/events/{event}/start", None),
        ("DELETE", f"/api/events/{event}", None),
        ("POST", f"/api/events/{event}/entry", None),
    )
    for method, place, body in own:
        for who in (eve, scene.ann):
            if failure := await scene.must(Call(method, place, body, who.secret), 403):
                yield failure
        if failure := await scene.must(Call(method, place, body), 401):
            yield failure
    guesses = [_guess(f"{path}/members", eve, f"{scene.rng.getrandbits(144):036x}") for _ in range(scene.size)]
    if set(await scene.at_once(guesses)) - {403, 429}:
        yield "a guess let Eve into the club"
    scene.server.now += 86_400.0
    for call, status in (
        (_guess(f"{path}/members", scene.ann, secret), 403),
        (_guess(f"{path}/members", eve, secret), 200),
        (Call("DELETE", f"{path}/members/{mia}", None, eve.secret), 403),
    ):
        if failure := await scene.must(call, status):
            yield failure


async def guessed_links(scene: Scene) -> AsyncIterator[str]:
    """Guess invitations from one address: none is right, and soon none is even looked up."""
    made = await scene.ann.ask("POST", "/api/games", {"title": "azul", "seats": [{"kind": "me"}, {}, {}]})
    path = f"/api/games/{made['id']}/join"
    guesses = [_guess(path, scene.eve, f"{scene.rng.getrandbits(128):032x}") for _ in range(scene.size)]
    statuses = await scene.at_once(guesses)
    scene.tried, scene.refused = scene.tried + len(statuses), scene.refused + len(statuses)
    if set(statuses) - {403, 429}:
        yield f"a guess was answered with {set(statuses) - {403, 429}}"
    if len(statuses) > 100 and statuses.count(429) < len(statuses) - 60:
        yield f"only {statuses.count(429)} of {len(statuses)} guesses were turned away"
    secret = made["invitations"][0]["secret"]
    scene.server.now += 86_400.0
    for call, status in (
        (_guess(f"/api/games/{scene.game}/join", scene.eve, secret), 403),
        (_guess(path, scene.bob, secret), 200),
        (_guess(path, scene.eve, secret), 403),
    ):
        if failure := await scene.must(call, status):
            yield failure


def _guess(path: str, who: Client, secret: str) -> Call:
    return Call("POST", path, {"secret": secret}, who.secret, address="192.0.2.7")


async def common_passwords(scene: Scene) -> AsyncIterator[str]:
    """Choose common passwords: they are rejected."""
    for password in COMMON:
        if failure := await scene.must(
            Call("POST", "/api/members", {"login": "eve", "password": password}, scene.eve.secret), 422
        ):
            yield failure


# Too much


async def floods(scene: Scene) -> AsyncIterator[str]:
    """Flood with changes and expensive requests from one session and from one address, while others are served."""
    flood = Call("POST", "/api/session", {"name": "Eve"}, scene.eve.secret)
    statuses = await scene.at_once([flood] * 400)
    if statuses.count(200) > 310:
        yield f"{statuses.count(200)} changes at once by one session"
    crowd = Call("POST", "/api/session", {"name": "Eve"}, address="192.0.2.9")
    if (arrived := (await scene.at_once([crowd] * 1_100)).count(201)) > 1_010:
        yield f"{arrived} guests at once from one address"
    study = Call("GET", f"/api/games/{scene.game}/entries", who=scene.eve.secret)
    if (told := (await scene.at_once([study] * 100)).count(200)) > 65:
        yield f"{told} costly questions at once"
    if await scene.ann.status("POST", "/api/session", {"name": "Ann"}) != 200:
        yield "somebody else was turned away"


async def oversized(scene: Scene) -> AsyncIterator[str]:
    """Send bodies that are too large or malformed."""
    big = b'{"name":"' + b"x" * LARGEST_BODY + b'"}'
    senseless = (b"", b"{", b"\xff\xfe", b"[" * 5_000, DEEP.encode(), b"null")
    for body, status in ((big, 413), *((body, 422) for body in senseless)):
        if failure := await scene.must(Call("POST", "/api/session", body, scene.eve.secret), status):
            yield failure


async def senseless(scene: Scene) -> AsyncIterator[str]:
    """Send noise and broken messages through a socket: each is rejected with a reason, and the socket stays open."""
    socket = scene.server.socket(scene.game, who=scene.eve.secret)
    await socket.until(lambda message: message["type"] == "websocket.accept")
    good = '{"type":"play","key":"12345678","number":3,"move":"A@A1"}'
    for _ in range(min(scene.size, 200)):
        broken = _broken(good, scene.rng)
        socket.say(broken if scene.rng.random() < 0.8 else broken.encode()[::-1] + b"\xff")
    socket.say(DEEP)
    socket.say('{"type":"ping","n":9}')
    try:
        await socket.until(lambda message: message.get("text") == '{"type":"pong","n":9}')
    except TimeoutError:
        yield "a senseless message broke the socket"
    await socket.leave()


def _broken(text: str, rng: Random) -> str:
    """Return a message with some characters swapped, doubled or lost."""
    letters = list(text)
    for _ in range(rng.randint(1, 6)):
        place = rng.randrange(len(letters))
        letters[place] = rng.choice(["", letters[place] * 2, chr(rng.randrange(1, 0x3000)), '"', "}", "9" * 20])
    return "".join(letters)


# Those who do not read


class Sleeper(Connection):
    """A connection whose client reads nothing after the first message."""

    async def _take(self, message: Any) -> None:
        await super()._take(message)
        if len(self.heard) > 1 and message["type"] != "websocket.close":
            await asyncio.Event().wait()


async def slow_readers(scene: Scene) -> AsyncIterator[str]:
    """Leave a socket and a stream unread: they are disconnected, and delay no other client."""
    for kind in ("websocket", "http"):
        path = "socket" if kind == "websocket" else "stream"
        call = Call("GET", f"/api/games/{scene.game}/{path}")
        sleeper = Sleeper(scene.server.app, call.scope(kind))
        await sleeper.until(lambda message: message["type"] in ("websocket.accept", "http.response.start"))
        room = scene.server.host.rooms[scene.game]
        if kind == "websocket":
            sleeper.say('{"type":"hello"}')
        for number in range(SLOW_MESSAGES):
            room.send_all(ErrorReply(str(number), "noise", "x" * 500))
            await asyncio.sleep(0)
        async with asyncio.timeout(120):
            while room.viewers and len(sleeper.heard) < SLOW_MESSAGES:
                await asyncio.sleep(0.02)
        if room.viewers:
            yield f"who does not read a {path} is still there after {SLOW_MESSAGES} messages"
        if kind == "websocket" and not any(message.get("code") == TOO_SLOW for message in sleeper.heard):
            yield "a client that does not read is disconnected without a reason"
        await sleeper.leave()


async def many_connections(scene: Scene) -> AsyncIterator[str]:
    """Open sockets without end from one session: their number is limited."""
    sockets = [scene.server.socket(scene.game, who=scene.eve.secret) for _ in range(100)]
    opened = 0
    for socket in sockets:
        first = await socket.until(lambda message: message["type"] in ("websocket.accept", "websocket.close"))
        opened += first["type"] == "websocket.accept"
    if opened > 60:
        yield f"one session holds {opened} sockets"
    for socket in sockets:
        await socket.leave()


# Cookies and pages


async def weak_headers(scene: Scene) -> AsyncIterator[str]:
    """Check that every response, also an error, forbids sniffing, framing and referrers."""
    for path in ("/", "/nowhere", "/health", "/api/titles", "/api/session", f"/api/games/{scene.game}", "/metrics"):
        headers = headers_of(await scene.server.ask(Call("GET", path, address="192.0.2.1")))
        policy = headers.get("content-security-policy", "")
        if headers.get("x-content-type-options") != "nosniff" or headers.get("referrer-policy") != "no-referrer":
            yield f"{path} lacks nosniff or a referrer policy"
        if "frame-ancestors 'none'" not in policy or "default-src 'none'" not in policy:
            yield f"{path} lacks a content security policy"
    for method in ("TRACE", "PUT"):
        if failure := await scene.must(Call(method, f"/api/games/{scene.game}"), 405):
            yield failure
    table = headers_of(await scene.server.ask(Call("GET", f"/api/games/{scene.game}", who=scene.ann.secret)))
    if table.get("cache-control") != "no-store" or "application/json" not in table["content-type"]:
        yield "what a player sees may be cached, or has no type"


async def weak_cookies(scene: Scene) -> AsyncIterator[str]:
    """Check that the cookie is out of reach for scripts, other sites, and plain HTTP where there is TLS."""
    answers = await scene.server.ask(Call("POST", "/api/session", {"name": "Tls"}, tls=True))
    cookie = headers_of(answers)["set-cookie"]
    for needed in ("__Host-tessella=", "HttpOnly", "Secure", "SameSite=lax", "Path=/"):
        if needed not in cookie:
            yield f"the cookie lacks {needed}"
    if "max-age=31536000" not in headers_of(answers).get("strict-transport-security", ""):
        yield "who came by TLS may be led away from it"
    page = headers_of(await scene.server.ask(Call("GET", "/")))
    policy = page.get("content-security-policy", "")
    for needed in (
        "default-src 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "base-uri 'none'",
    ):
        if needed not in policy:
            yield f"the policy of the pages lacks {needed}"
    if failure := await scene.must(Call("GET", "/metrics", address="192.0.2.1"), 403):
        yield failure
    told = await scene.server.ask(Call("GET", f"/api/games/{scene.game}/record"))
    if status_of(told) != 403 or "running" not in json.loads(body_of(told))["rule"]:
        yield "the record of a running game was given"
