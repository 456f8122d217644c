"""What somebody with bad intentions can do: nothing to others, and little to the server.

Forged origins, other people's seats, tokens and invitations, guesses, floods, oversized and senseless messages, and
readers who do not read. The wrong must be refused, the right must still be answered, and memory must stay bounded. When
there are enough guesses to be called an attack, a crowd does all that at once to a real worker, whose other tables must
hardly notice.
"""

import asyncio
import json
import resource
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from random import Random
from typing import Any

from tessella.prove import Ask, Figure, Report
from tessella.prove.crowds import Neighbours, live_beside_a_crowd
from tessella.prove.play import Client, NotAsWished, play_on, sit_down
from tessella.prove.society import percentile
from tessella.prove.tap import Call, Connection, Tap, body_of, headers_of, status_of, tapped
from tessella.server.api import ROUTES
from tessella.server.app import TOO_SLOW
from tessella.server.messages import Refusal
from tessella.terminal.progress import progress

MOST_GROWTH_MB = 100.0
MOST_LATER = 2.0
"""Times as long as without the crowd the slowest of a hundred confirmations may take."""

ENOUGH_FOR_A_CROWD = 300
AT_ONCE = 2_000
PASSWORD = "correct horse battery staple"  # noqa: S105
COMMON = ("password123", "qwertyuiop", "1234567890", "iloveyou2024", "Passw0rd!!", "liverpool1", "aaaaaaaaaaaa")
LARGEST_BODY = 8_192
"""What we promise; the server has its own idea of it."""

DEEP = '{"type":' + "[" * 5_000
"""What no reader that calls itself gets to the bottom of."""

SLOW_MESSAGES = 400
"""Far more than may wait for one connection."""

Attack = Callable[["Scene"], AsyncIterator[str]]
"""Yields a sentence for everything that should not have been possible."""


class Scene:
    """A server with two players at a table, a member, and Eve."""

    def __init__(self, tap: Tap, ask: Ask) -> None:
        self.tap, self.size = tap, ask.size
        self.rng = Random(ask.seed)
        self.refused = self.tried = 0
        self.ann: Client
        self.bob: Client
        self.eve: Client
        self.member: Client
        self.game = ""

    @classmethod
    async def set(cls, tap: Tap, ask: Ask) -> "Scene":
        """Everybody comes; Ann and Bob play."""
        scene = cls(tap, ask)
        scene.ann, scene.bob, scene.eve = [await Client.arrive(tap, name) for name in ("Ann", "Bob", "Eve")]
        scene.member = await (await Client.arrive(tap, "Mia")).enter(
            "/api/members", {"login": "mia", "password": PASSWORD}
        )
        scene.game = await sit_down([scene.ann, scene.bob], "blockers")
        return scene

    async def must(self, call: Call, *statuses: int) -> str | None:
        """Try something that must be answered so; gives what was wrong."""
        self.tried += 1
        answers = await self.tap.ask(call)
        status = status_of(answers)
        if status in statuses:
            self.refused += 1
            return None
        return f"{call.method} {call.path} by {call.who or 'a stranger'}: {status} {body_of(answers)[:80]!r}"

    async def at_once(self, calls: Sequence[Call]) -> list[int]:
        """How each is answered; who asks much waits, so many are asked at the same time."""
        some = (calls[start : start + AT_ONCE] for start in range(0, len(calls), AT_ONCE))
        return [status_of(answers) for each in some for answers in await asyncio.gather(*map(self.tap.ask, each))]

    async def number(self) -> int:
        """How long the log of the table is."""
        return len(await self.tap.host.store.log(self.game, -1))


def prove(ask: Ask) -> Report:
    """Try everything; the size is how often secrets are guessed and senseless things are said."""
    return asyncio.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    failures: list[str] = []
    tried = refused = 0
    before = _megabytes()
    for name, attack in progress(list(ATTACKS.items()), "abuse"):
        async with tapped() as tap:
            scene = await Scene.set(tap, ask)
            failures += [f"{name}: {wrong}" for wrong in await _suffer(attack, scene)]
            tried, refused = tried + scene.tried, refused + scene.refused
    return Report(
        (
            Figure(
                "attacks", len(ATTACKS), words=f"kinds, {tried:,} tries, {refused:,} of them answered as they must be"
            ),
            Figure("successes", len(failures), at_most=0, words="things that should not have been possible"),
            Figure("growth_mb", _megabytes() - before, at_most=MOST_GROWTH_MB, words="of memory during all attacks"),
            *(_beside(await live_beside_a_crowd(ask)) if ask.size >= ENOUGH_FOR_A_CROWD else ()),
        ),
        tuple(failures),
    )


def _beside(lived: Neighbours) -> tuple[Figure, ...]:
    quiet, crowded = (percentile(acks, 99) * 1_000 for acks in (lived.quiet, lived.crowded))
    later = f"slowest of a hundred confirmations at other tables: {quiet:.1f} ms without a crowd, {crowded:.1f} with it"
    return (
        Figure("crowd_asked", lived.asked, at_least=1, words="times by a crowd that floods a real worker"),
        Figure("crowd_lost", lived.lost, at_most=0, words="tables at which somebody was thrown out or refused"),
        Figure("crowd_growth_mb", lived.grown_mb, at_most=MOST_GROWTH_MB, words="of memory of that worker"),
        Figure("crowd_ratio", lived.ratio, at_most=MOST_LATER, words=later, timed=True),
    )


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def _suffer(attack: Attack, scene: Scene) -> list[str]:
    """What an attack has achieved; others must be able to play on after it."""
    wrongs: list[str] = []
    try:
        wrongs += [wrong async for wrong in attack(scene)]
        scene.tap.now += 3600.0
        if await play_on([scene.ann, scene.bob], scene.game, scene.rng, moves=2) < 2:
            wrongs.append("the others cannot play on")
    except (NotAsWished, LookupError, TimeoutError) as broken:
        wrongs.append(f"the server no longer answers as it must: {broken!r}")
    return wrongs


# Forged origins

FOREIGN: Sequence[tuple[tuple[str, str], ...]] = (
    (("origin", "https://evil.test"),),
    (("origin", "null"),),
    (("origin", "http://tessella.test.evil.test"),),
    (("sec-fetch-site", "cross-site"),),
    (("sec-fetch-site", "same-site"), ("origin", "http://tessella.test")),
)


async def _forged_origin(scene: Scene) -> AsyncIterator[str]:
    """Every unsafe route, and every handshake, from another site with the cookie of somebody who is logged in."""
    for headers in FOREIGN:
        for route in ROUTES:
            if route.method != "GET":
                scene.tap.now += 60.0
                path = route.path.format(id=scene.game, title="azul", seats="2", acts="A")
                wrong = await scene.must(Call(route.method, path, {}, scene.ann.secret, headers), 403)
                if wrong:
                    yield wrong
        socket = scene.tap.socket(scene.game, who=scene.ann.secret, headers=headers)
        first = await socket.until(lambda message: message["type"] in ("websocket.accept", "websocket.close"))
        if first["type"] == "websocket.accept":
            yield f"a socket was opened from {dict(headers)}"
        await socket.leave()


# Other people's things


WISHES: Sequence[Mapping[str, object]] = (
    *({"type": "wish", "what": what} for what in ("leave", "resign", "return", "pause", "abort", "decline", "start")),
    {"type": "pledge", "pledge": "0" * 64},
    {"type": "reveal", "number": "0" * 64},
)


async def _another_seat(scene: Scene) -> AsyncIterator[str]:
    """A stranger, a spectator, and the player whose turn it is not: role by role, wish by wish."""
    table = await scene.ann.ask("GET", f"/api/games/{scene.game}")
    mover: int = table["movers"][0]
    players = [scene.ann, scene.bob]
    moves: list[str] = (await players[mover].ask("GET", f"/api/games/{scene.game}"))["moves"]
    play: dict[str, object] = {"type": "play", "number": table["number"], "move": moves[0]}
    path, before = f"/api/games/{scene.game}/act", await scene.number()
    for index, wish in enumerate((play, *WISHES)):
        keyed = {**wish, "key": f"not-mine-{index}"}
        seated = {"wish": {**keyed, "seat": mover}}
        tries = [
            (Call("POST", path, {"wish": keyed}), 401),
            (Call("POST", path, {"wish": keyed}, scene.eve.secret), 409),
        ]
        tries += [
            (Call("POST", path, seated, scene.eve.secret), 422),
            (Call("POST", path, seated, scene.ann.secret), 422),
        ]
        for call, status in tries:
            if wrong := await scene.must(call, status):
                yield wrong
    out_of_turn = Call("POST", path, {"wish": {**play, "key": "not-my-turn"}}, players[1 - mover].secret)
    if wrong := await scene.must(out_of_turn, 409):
        yield wrong
    if await scene.number() != before:
        yield "something was written into the log"


async def _anothers_account(scene: Scene) -> AsyncIterator[str]:
    """Tokens play, but are no key to an account; and what is Mia's cannot be ended by Eve."""
    made = await scene.member.ask("POST", "/api/me/tokens", {"label": "script"})
    bot = await scene.member.ask("POST", "/api/me/bots", {"name": "Tiler"})
    for token in (made["token"], bot["token"]):
        bearer = (("authorization", f"Bearer {token}"),)
        for method, path, body in _ACCOUNT_ROUTES:
            if wrong := await scene.must(Call(method, path.format(id=bot["id"]), body, headers=bearer), 403):
                yield wrong
    eve = await scene.eve.enter("/api/members", {"login": "eve", "password": PASSWORD + "s"})
    for path in (f"/api/me/tokens/{made['id']}", f"/api/me/sessions/{made['id']}", f"/api/me/bots/{bot['id']}"):
        if wrong := await scene.must(Call("DELETE", path, None, eve.secret), 404):
            yield wrong
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


async def _guessed_links(scene: Scene) -> AsyncIterator[str]:
    """Guesses of an invitation from one address: none is right, and soon none is even looked at."""
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
    scene.tap.now += 86_400.0
    for call, status in (
        (_guess(f"/api/games/{scene.game}/join", scene.eve, secret), 403),
        (_guess(path, scene.bob, secret), 200),
        (_guess(path, scene.eve, secret), 403),
    ):
        if wrong := await scene.must(call, status):
            yield wrong


def _guess(path: str, who: Client, secret: str) -> Call:
    return Call("POST", path, {"secret": secret}, who.secret, address="192.0.2.7")


async def _guessed_passwords(scene: Scene) -> AsyncIterator[str]:
    """Common passwords are refused, and guesses at one log-in are turned away wherever they come from."""
    for password in COMMON:
        if wrong := await scene.must(
            Call("POST", "/api/members", {"login": "eve", "password": password}, scene.eve.secret), 422
        ):
            yield wrong
    scene.tap.now += 86_400.0
    login = {"login": "mia", "password": "not the password"}
    statuses = [
        status_of(await scene.tap.ask(Call("POST", "/api/login", login, address=f"198.51.100.{number}")))
        for number in range(40)
    ]
    if set(statuses) - {403, 429} or statuses[-1] != 429:
        yield f"forty guesses at a password were answered with {set(statuses)}"


# Too much


async def _floods(scene: Scene) -> AsyncIterator[str]:
    """Changes and costly questions from one session and from one address, while others are answered."""
    flood = Call("POST", "/api/session", {"name": "Eve"}, scene.eve.secret)
    statuses = await scene.at_once([flood] * 400)
    if statuses.count(200) > 310:
        yield f"{statuses.count(200)} changes at once by one session"
    crowd = Call("POST", "/api/session", {"name": "Eve"}, address="192.0.2.9")
    if (arrived := (await scene.at_once([crowd] * 1_100)).count(201)) > 1_010:
        yield f"{arrived} guests at once from one address"
    study = Call("GET", f"/api/games/{scene.game}/films", who=scene.eve.secret)
    if (told := (await scene.at_once([study] * 100)).count(200)) > 65:
        yield f"{told} costly questions at once"
    if await scene.ann.status("POST", "/api/session", {"name": "Ann"}) != 200:
        yield "somebody else was turned away"


async def _oversized(scene: Scene) -> AsyncIterator[str]:
    """Bodies that are too long, and those that are not what they should be."""
    big = b'{"name":"' + b"x" * LARGEST_BODY + b'"}'
    senseless = (b"", b"{", b"\xff\xfe", b"[" * 5_000, DEEP.encode(), b"null")
    for body, status in ((big, 413), *((body, 422) for body in senseless)):
        if wrong := await scene.must(Call("POST", "/api/session", body, scene.eve.secret), status):
            yield wrong


async def _senseless(scene: Scene) -> AsyncIterator[str]:
    """Noise and broken messages through a socket: each is refused with a reason, and the socket stays."""
    socket = scene.tap.socket(scene.game, who=scene.eve.secret)
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
    """A message with some of its letters exchanged, doubled or lost."""
    letters = list(text)
    for _ in range(rng.randint(1, 6)):
        place = rng.randrange(len(letters))
        letters[place] = rng.choice(["", letters[place] * 2, chr(rng.randrange(1, 0x3000)), '"', "}", "9" * 20])
    return "".join(letters)


# Those who do not read


class Sleeper(Connection):
    """A connection whose other side reads nothing after the first message."""

    async def _take(self, message: Any) -> None:
        await super()._take(message)
        if len(self.heard) > 1 and message["type"] != "websocket.close":
            await asyncio.Event().wait()


async def _slow_readers(scene: Scene) -> AsyncIterator[str]:
    """A socket and a stream that nobody reads are let go, and do not hold anybody up."""
    for kind in ("websocket", "http"):
        path = "socket" if kind == "websocket" else "stream"
        call = Call("GET", f"/api/games/{scene.game}/{path}")
        sleeper = Sleeper(scene.tap.app, call.scope(kind))
        await sleeper.until(lambda message: message["type"] in ("websocket.accept", "http.response.start"))
        room = scene.tap.host.rooms[scene.game]
        if kind == "websocket":
            sleeper.say('{"type":"hello"}')
        for number in range(SLOW_MESSAGES):
            room.tell(Refusal(str(number), "noise", "x" * 500))
            await asyncio.sleep(0)
        async with asyncio.timeout(10):
            while room.viewers and len(sleeper.heard) < SLOW_MESSAGES:
                await asyncio.sleep(0.02)
        if room.viewers:
            yield f"who does not read a {path} is still there after {SLOW_MESSAGES} messages"
        if kind == "websocket" and not any(message.get("code") == TOO_SLOW for message in sleeper.heard):
            yield "who does not read is not told why it was let go"
        await sleeper.leave()


async def _many_connections(scene: Scene) -> AsyncIterator[str]:
    """One session cannot hold sockets without end."""
    sockets = [scene.tap.socket(scene.game, who=scene.eve.secret) for _ in range(100)]
    opened = 0
    for socket in sockets:
        first = await socket.until(lambda message: message["type"] in ("websocket.accept", "websocket.close"))
        opened += first["type"] == "websocket.accept"
    if opened > 60:
        yield f"one session holds {opened} sockets"
    for socket in sockets:
        await socket.leave()


# Cookies and pages


async def _weak_headers(scene: Scene) -> AsyncIterator[str]:
    """Every answer, also a refusal, tells browsers to guess nothing, to frame nothing and to tell nobody."""
    for path in ("/", "/nowhere", "/health", "/api/titles", "/api/session", f"/api/games/{scene.game}", "/metrics"):
        headers = headers_of(await scene.tap.ask(Call("GET", path, address="192.0.2.1")))
        policy = headers.get("content-security-policy", "")
        if headers.get("x-content-type-options") != "nosniff" or headers.get("referrer-policy") != "no-referrer":
            yield f"{path} lacks nosniff or a referrer policy"
        if "frame-ancestors 'none'" not in policy or "default-src 'none'" not in policy:
            yield f"{path} lacks a content security policy"
    for method in ("TRACE", "PUT"):
        if wrong := await scene.must(Call(method, f"/api/games/{scene.game}"), 405):
            yield wrong
    table = headers_of(await scene.tap.ask(Call("GET", f"/api/games/{scene.game}", who=scene.ann.secret)))
    if table.get("cache-control") != "no-store" or "application/json" not in table["content-type"]:
        yield "what a player sees may be cached, or has no type"


async def _weak_cookies(scene: Scene) -> AsyncIterator[str]:
    """The cookie cannot be read by scripts, nor sent from other sites, nor without TLS where there is any."""
    call = Call("POST", "/api/session", {"name": "Tls"})
    answers: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        answers.append(dict(message))

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": call.payload(), "more_body": False}

    await scene.tap.app({**call.scope("http"), "scheme": "https"}, receive, send)
    cookie = headers_of(answers)["set-cookie"]
    for needed in ("__Host-tessella=", "HttpOnly", "Secure", "SameSite=lax", "Path=/"):
        if needed not in cookie:
            yield f"the cookie lacks {needed}"
    if "max-age=31536000" not in headers_of(answers).get("strict-transport-security", ""):
        yield "who came by TLS may be led away from it"
    page = headers_of(await scene.tap.ask(Call("GET", "/")))
    policy = page.get("content-security-policy", "")
    for needed in (
        "default-src 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "base-uri 'none'",
    ):
        if needed not in policy:
            yield f"the policy of the pages lacks {needed}"
    if wrong := await scene.must(Call("GET", "/metrics", address="192.0.2.1"), 403):
        yield wrong
    told = await scene.tap.ask(Call("GET", f"/api/games/{scene.game}/record"))
    if status_of(told) != 403 or "running" not in json.loads(body_of(told))["rule"]:
        yield "the record of a running game was given"


ATTACKS: Mapping[str, Attack] = {
    "forged origin": _forged_origin,
    "another seat": _another_seat,
    "another's account": _anothers_account,
    "guessed links": _guessed_links,
    "guessed passwords": _guessed_passwords,
    "floods": _floods,
    "oversized": _oversized,
    "senseless": _senseless,
    "slow readers": _slow_readers,
    "many connections": _many_connections,
    "weak headers": _weak_headers,
    "weak cookies": _weak_cookies,
}
