"""No secret is in any byte that leaves: marks are planted wherever something is hidden, and everything is asked for.

Marked are seeds, tokens, invitations, passwords, log-ins, push keys, the racks and plates of others. Every route of the
server is asked by a stranger, by players and by other members, and what the server writes into its own log is looked
through too. A mark may be seen by its owner, if by anybody.
"""

import asyncio
import logging
from base64 import b64encode, urlsafe_b64encode
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import asynccontextmanager
from hashlib import sha256
from random import Random

from msgspec import Struct
from sqlalchemy import insert

from tessella.core.game import AnyGame
from tessella.games import GAMES, blockers, duel
from tessella.prove import Ask, Figure, Report
from tessella.prove.noninterference import Pair, calls, log_of, who, wishes
from tessella.prove.tap import Call, Message, Tap, tapped
from tessella.prove.worlds import Line, Viewer, configs, random_line
from tessella.server.api import ROUTES, Route
from tessella.server.entries import Opened
from tessella.server.people import digest
from tessella.server.store.schema import people, pushes, secrets, sessions
from tessella.terminal.progress import progress

MEMBER, BOT = "member-0", "bot-0"
PLAYERS = 5


class Mark(Struct, frozen=True):
    """A secret, and who may see it: nobody, or the one person whose it is."""

    what: str
    secret: bytes
    owner: str = ""

    def forms(self) -> tuple[bytes, ...]:
        """The secret as it might be written."""
        raw = self.secret
        return raw, raw.hex().encode(), raw.hex().upper().encode(), b64encode(raw)[:-2], urlsafe_b64encode(raw)[:-2]

    def is_in(self, data: bytes) -> bool:
        """Whether it can be read there."""
        return any(form in data for form in self.forms())


def _mark(what: str, owner: str = "") -> Mark:
    return Mark(what, f"canary-{what}-{sha256(what.encode()).hexdigest()[:16]}".encode(), owner)


LOGIN, PASSWORD, TOKEN = _mark("login", MEMBER), _mark("password"), _mark("token")
ENDPOINT, POINT, AUTH = _mark("endpoint", MEMBER), _mark("point"), _mark("auth")
INVITATION, METRICS, NUMBER = _mark("invitation"), _mark("metrics"), _mark("number")
MARKS = (LOGIN, PASSWORD, TOKEN, ENDPOINT, POINT, AUTH, INVITATION, METRICS, NUMBER)


def prove(ask: Ask) -> Report:
    """Look at so many tables of each game, and once at everything else."""
    return asyncio.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    hunt = Hunt()
    async with tapped(metrics_token=METRICS.secret.decode(), access_log=True) as tap, _listening(hunt):
        await _plant(tap)
        for game in GAMES.values():
            for number in progress(range(ask.size), game.NAME):
                await _watch_table(tap, hunt, game, Random(f"{ask.seed} {number}"), f"{game.NAME}-{number}")
        await _ask_everything(tap, hunt)
    return Report(
        (
            Figure("messages", hunt.messages, at_least=1, words=f"{hunt.bytes:,} bytes looked through"),
            Figure("marks", hunt.marks, at_least=len(MARKS), words="secrets that were looked for, table by table"),
            Figure("routes", len(ROUTES), words="each asked by a stranger, a player and two members"),
            Figure("leaks", len(hunt.leaks), at_most=0, words="marks that were found"),
        ),
        tuple(hunt.leaks),
    )


class Hunt:
    """What was looked through, and what was found."""

    def __init__(self) -> None:
        self.messages = self.bytes = 0
        self.marks = len(MARKS)
        self.leaks: list[str] = []

    def look(self, where: str, person: str, data: bytes, marks: Iterable[Mark]) -> None:
        """Look for marks in what somebody was sent."""
        self.messages += 1
        self.bytes += len(data)
        self.leaks += [
            f"{where} tells {person or 'a stranger'} the {mark.what}"
            for mark in marks
            if mark.owner != person and mark.is_in(data)
        ]


class _Listener(logging.Handler):
    def __init__(self, hunt: Hunt) -> None:
        super().__init__(logging.DEBUG)
        self._hunt = hunt

    def emit(self, record: logging.LogRecord) -> None:
        told = f"{record.getMessage()} {vars(record)}"
        self._hunt.look("the log of the server", "whoever runs it", told.encode(), MARKS)


@asynccontextmanager
async def _listening(hunt: Hunt) -> AsyncGenerator[None]:
    """Everything that the server writes into its log is looked through."""
    log, listener = logging.getLogger("tessella"), _Listener(hunt)
    before = log.level, log.propagate
    log.addHandler(listener)
    log.setLevel(logging.DEBUG)
    log.propagate = False
    try:
        yield
    finally:
        log.removeHandler(listener)
        log.setLevel(before[0])
        log.propagate = before[1]


def _bytes(message: Message) -> bytes:
    """All that one message carries, headers too."""
    headers = b"\n".join(name + b": " + value for name, value in message.get("headers", ()))
    body = message.get("body") or str(message.get("text") or message.get("reason") or "").encode()
    return headers + b"\n\n" + body


# What is planted


async def _plant(tap: Tap) -> None:
    store = tap.host.store
    for seat in range(PLAYERS):
        await tap.plant_person(f"person-{seat}", who(seat))
    for person, kind in ((MEMBER, "member"), (BOT, "bot"), ("member-1", "member")):
        await tap.plant_person(person, f"cookie-of-{person}", kind)
    secret = {"login": LOGIN.secret.decode(), "password": PASSWORD.secret.decode()}
    await store.run(people.update().where(people.c.id == MEMBER).values(secret))
    await store.run(people.update().where(people.c.id == BOT).values(owner=MEMBER))
    token = {"hash": digest(TOKEN.secret.decode()), "person": BOT, "kind": "token", "made": 0.0, "ends": 4e9}
    await store.run(insert(sessions).values({**token, "label": "a program"}))
    browser = {"point": POINT.secret.decode(), "auth": AUTH.secret.decode(), "language": "en", "site": "", "made": 0.0}
    address = {"endpoint": f"https://push.test/{ENDPOINT.secret.decode()}", "person": MEMBER, "session": "none"}
    await store.run(insert(pushes).values({**address, **browser, "sent": 0.0}))
    await store.run(insert(secrets).values(name="canary", value=NUMBER.secret))


# Tables


async def _watch_table(tap: Tap, hunt: Hunt, game: AnyGame, rng: Random, game_id: str) -> None:
    """A table at some moment, as everybody sees it through every channel."""
    kinds = configs(game)
    line = random_line(game, kinds[rng.randrange(len(kinds))], rng)
    part = line.until(rng.randrange(1, len(line.turns) - 1))
    seed = Mark("seed", sha256(game_id.encode()).digest())
    opened, *log = log_of(game, part)
    assert isinstance(opened, Opened)
    tap.now += 60.0
    await tap.plant_game(game_id, opened, log, seed.secret)
    await tap.plant_link(game_id, 0, INVITATION.secret.decode() + game_id)
    for viewer in (rng.randrange(part.config.seats), None):
        marks = [seed, *MARKS, *_hidden(game, part, viewer)]
        hunt.marks += len(marks) - len(MARKS)
        for where, data in await _everything(tap, game, part, viewer, game_id, len(log) + 1):
            hunt.look(f"{where} of {game_id}", f"seat {viewer}", data, marks)
    await tap.weed(game_id)


async def _everything(
    tap: Tap, game: AnyGame, line: Line, viewer: Viewer, game_id: str, number: int
) -> list[tuple[str, bytes]]:
    pair = Pair(game, (line, line), viewer, ("zz", "1"), ())
    seen = {name: await tap.ask(call) for name, call in calls(game_id, pair, number).items()}
    socket, stream = tap.socket(game_id, who=who(viewer)), tap.stream(game_id, who=who(viewer))
    for wish in wishes(pair, number):
        socket.say(wish)
    socket.say('{"type":"ping","n":7}')
    await socket.until(lambda message: '"pong"' in message.get("text", ""))
    await stream.until(lambda message: b'"step"' in message.get("body", b""))
    await socket.leave()
    await stream.leave()
    seen |= {"socket": socket.heard, "stream": stream.heard}
    return [(where, _bytes(message)) for where, messages in seen.items() for message in messages]


def _hidden(game: AnyGame, line: Line, viewer: Viewer) -> Iterator[Mark]:
    """The tiles and plates that a viewer may not see, where they can be told from what may be seen."""
    state = game.setup(line.config)
    for act in line.acts:
        state, _ = game.apply(state, act)
    if game is GAMES["blockers"]:
        yield from _racks(state, viewer)
    if game is GAMES["duel"]:
        yield from _plates(state, viewer)


def _racks(state: blockers.State, viewer: Viewer) -> Iterator[Mark]:
    """The racks of others, as they are written, unless their tiles follow each other in the list of unseen ones."""
    for hand, stock in zip(blockers.view(state, viewer).hands, state.stocks, strict=True):
        if hand.rack is None and len(stock.rack) > 2 and stock.rack not in hand.unseen:
            yield Mark("rack of another player", stock.rack.encode())


def _plates(state: duel.State, viewer: Viewer) -> Iterator[Mark]:
    """The plates that only others have looked at."""
    for back in (*state.stack, *state.hand):
        if not back.fresh and viewer not in back.known and viewer not in back.lost:
            yield Mark("plate that another player knows", f'"{back.face}"'.encode())


# All routes

_PATHS = {"id": "azul-asked", "title": "azul", "seats": "2", "acts": "AAAA"}
_BODIES: dict[str, dict[str, object]] = {
    "/api/session": {"name": "Ann"},
    "/api/members": {"login": "somebody", "password": "correct horse battery"},
    "/api/login": {"login": "nobody", "password": "wrong horse battery"},
    "/api/me/password": {"old": "wrong horse battery", "new": "correct horse battery"},
    "/api/me/tokens": {"label": "mine"},
    "/api/me/bots": {"name": "Deep Tile"},
    "/api/games": {"title": "azul", "seats": [{"kind": "me"}, {}]},
    "/api/games/{id}/join": {"secret": "a-guess"},
    "/api/games/{id}/act": {"wish": {"type": "foresee", "move": "1b1"}},
    "/api/matches": {"table": {"title": "azul", "seats": [{}, {}]}},
    "/api/pairing": {"title": "azul"},
    "/api/replay": {"record": "azul/1 seats=2 wall=coloured\n\n"},
}


async def _ask_everything(tap: Tap, hunt: Hunt) -> None:
    """Every route, as everybody; what takes a person away comes last."""
    game = GAMES["azul"]
    line = random_line(game, configs(game)[0], Random(1)).until(3)
    opened, *log = log_of(game, line)
    assert isinstance(opened, Opened)
    seed = Mark("seed", sha256(b"asked").digest())
    await tap.plant_game(_PATHS["id"], opened, log, seed.secret)
    askers = {"": "", "person-0": who(0), "member-1": "cookie-of-member-1", MEMBER: f"cookie-of-{MEMBER}"}
    extra = ("/metrics", "/health", "/ready", "/api/openapi.json", "/", "/nowhere", f"/table/{_PATHS['id']}")
    others = [Call("GET", path, address="192.0.2.1") for path in extra]
    for person, secret in askers.items():
        for call in (*others, *(_call(route, secret) for route in sorted(ROUTES, key=_goes_last))):
            tap.now += 60.0
            for message in await tap.ask(call):
                hunt.look(f"{call.method} {call.path}", person, _bytes(message), [seed, *MARKS])


def _goes_last(route: Route) -> tuple[bool, bool]:
    return route.method == "DELETE", route.path in ("/api/session", "/api/me", "/api/members")


def _call(route: Route, secret: str) -> Call:
    path = route.path.format(**_PATHS)
    body = _BODIES.get(route.path, {}) if route.body else None
    return Call(route.method, path, body, secret, address="192.0.2.1")
