"""No secret is in any byte that leaves: marks are planted wherever something is hidden, and every route is requested.

Marked are seeds, tokens, invitations, passwords, log-ins, mailboxes, webhooks and their keys, the racks and plates of
others. Every route is requested by a stranger, by players and by other members, and the server's own log is searched
too, also while it tries to send messages. At most its owner may see a mark.
"""

import asyncio
import logging
from base64 import b64encode, urlsafe_b64encode
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import asynccontextmanager
from datetime import datetime
from hashlib import sha256
from random import Random

from msgspec import Struct
from sqlalchemy import insert

from proofs import Ask, Figure, Report
from proofs.in_process_server import Call, InProcessServer, Message, serve_in_process, status_of
from proofs.noninterference import Pair, calls, log_of, secret_of, socket_messages
from proofs.twin_states import Line, Viewer, configs, random_line
from tessella.coach.puzzles.puzzle import shipped
from tessella.core.game import AnyGame
from tessella.games import GAMES, blockers, duel
from tessella.progress import progress
from tessella.server.http.api import ROUTES, Route
from tessella.server.people.identity import digest
from tessella.server.store.schema import channels, games, news, people, secrets, sessions

MEMBER, BOT, MODERATOR = "member-0", "bot-0", "moderator-0"
PLAYERS = 5


class Mark(Struct, frozen=True):
    """A secret, and the person who may see it, if any."""

    what: str
    secret: bytes
    owner: str = ""

    def forms(self) -> tuple[bytes, ...]:
        """The ways in which the secret might be written."""
        raw = self.secret
        return raw, raw.hex().encode(), raw.hex().upper().encode(), b64encode(raw)[:-2], urlsafe_b64encode(raw)[:-2]

    def is_in(self, data: bytes) -> bool:
        """Whether the data contains the secret."""
        return any(form in data for form in self.forms())


def _mark(what: str, owner: str = "") -> Mark:
    return Mark(what, f"canary-{what}-{sha256(what.encode()).hexdigest()[:16]}".encode(), owner)


LOGIN, PASSWORD, TOKEN = _mark("login", MEMBER), _mark("password"), _mark("token")
ENDPOINT, POINT, AUTH = _mark("endpoint", MEMBER), _mark("point"), _mark("auth")
MAILBOX, HOOK, HOOK_SECRET = _mark("mailbox", MEMBER), _mark("hook", MEMBER), _mark("hook-secret")
MAIL_PASSWORD = _mark("mail-password")
CLUB_LINK = _mark("club-link")
INVITATION, METRICS, NUMBER = _mark("invitation"), _mark("metrics"), _mark("number")
MARKS = (
    *(LOGIN, PASSWORD, TOKEN, ENDPOINT, POINT, AUTH, INVITATION, METRICS, NUMBER),
    *(MAILBOX, HOOK, HOOK_SECRET, MAIL_PASSWORD, CLUB_LINK),
)


def prove(ask: Ask) -> Report:
    """Search `ask.size` tables of each game, and everything else once."""
    return asyncio.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    hunt = Hunt()
    mail = f"smtp+plain://news:{MAIL_PASSWORD.secret.decode()}@127.0.0.1:1"
    more = {"mail": mail, "mail_from": "news@play.test", "site": "https://play.test", "access_log": True}
    async with serve_in_process(metrics_token=METRICS.secret.decode(), **more) as server, _listening(hunt):
        await _plant(server)
        for game in GAMES.values():
            for number in progress(range(ask.size), game.NAME):
                await _watch_table(server, hunt, game, Random(f"{ask.seed} {number}"), f"{game.NAME}-{number}")
        await _ask_everything(server, hunt)
    silent = _silent(hunt)
    return Report(
        (
            Figure("messages", hunt.messages, at_least=1, note=f"{hunt.bytes:,} bytes searched"),
            Figure("marks", hunt.marks, at_least=len(MARKS), note="secrets that were searched for, table by table"),
            Figure("routes", len(ROUTES), note="each asked by a stranger, a player, two members and a moderator"),
            Figure("unanswered", len(silent), at_most=0, note="routes that read, and had nothing to show"),
            Figure("leaks", len(hunt.leaks), at_most=0, note="marks that were found"),
        ),
        (*hunt.leaks, *(f"{path} showed nothing to any asker" for path in silent)),
    )


def _silent(hunt: "Hunt") -> list[str]:
    """Return the routes that read and that answered none of the askers, so nothing of them was searched."""
    reading = (route for route in ROUTES if route.method == "GET" and route.path not in NOTHING_TO_READ)
    return [route.path for route in reading if ("GET", path_of(route)) not in hunt.answered]


class Hunt:
    """What was searched, and what was found."""

    def __init__(self) -> None:
        self.messages = self.bytes = 0
        self.marks = len(MARKS)
        self.leaks: list[str] = []
        self.answered: set[tuple[str, str]] = set()
        """The requests to which an asker got an answer that is no error."""

    def look(self, where: str, person: str, data: bytes, marks: Iterable[Mark]) -> None:
        """Search a message that a viewer received for marks."""
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
    """Search everything that the server logs."""
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
    """Return everything that a message carries, headers included."""
    headers = b"\n".join(name + b": " + value for name, value in message.get("headers", ()))
    body = message.get("body") or str(message.get("text") or message.get("reason") or "").encode()
    return headers + b"\n\n" + body


# What is planted


async def _plant(server: InProcessServer) -> None:
    store = server.host.store
    for seat in range(PLAYERS):
        await server.plant_person(f"person-{seat}", secret_of(seat))
    for person, kind in ((MEMBER, "member"), (BOT, "bot"), ("member-1", "member"), (MODERATOR, "member")):
        await server.plant_person(person, f"cookie-of-{person}", kind)
    secret = {"login": LOGIN.secret.decode(), "password": PASSWORD.secret.decode()}
    await store.run(people.update().where(people.c.id == MEMBER).values(secret))
    await store.run(people.update().where(people.c.id == BOT).values(owner=MEMBER))
    await store.run(people.update().where(people.c.id == MODERATOR).values(moderator=True))
    token = {"hash": digest(TOKEN.secret.decode()), "person": BOT, "kind": "token", "made": 0.0, "ends": 4e9}
    await store.run(insert(sessions).values({**token, "label": "a program"}))
    keys = f"{POINT.secret.decode()}.{AUTH.secret.decode()}"
    planted = {
        "push": (f"https://push.test/{ENDPOINT.secret.decode()}", keys),
        "email": (f"{MAILBOX.secret.decode()}@example.org", ""),
        "matrix": (f"https://hooks.test/{HOOK.secret.decode()}", HOOK_SECRET.secret.decode()),
    }
    for kind, (address, secret_key) in planted.items():
        await store.run(insert(channels).values(_channel(kind, address, secret_key)))
        waits = {"channel": f"channel-{kind}", "kind": "test", "game": "", "number": 1, "person": MEMBER}
        await store.run(insert(news).values({**waits, "due": 0.0, "state": "waiting"}))
    await store.run(insert(secrets).values(name="canary", value=NUMBER.secret))


def _channel(kind: str, address: str, secret: str) -> dict[str, object]:
    """Return a channel at which a message is due, so that the server tries to send it and logs what happens."""
    owner = {"id": f"channel-{kind}", "person": MEMBER, "kind": kind, "receiver": kind, "language": "en", "site": ""}
    times = {"made": 0.0, "confirmed": 0.0, "turns": True, "due": 0.0}
    return {**owner, **times, "address": address, "secret": secret, "session": "none" if kind == "push" else ""}


# Tables


async def _watch_table(server: InProcessServer, hunt: Hunt, game: AnyGame, rng: Random, game_id: str) -> None:
    """Watch a table at some moment through every channel, as every viewer."""
    kinds = configs(game)
    line = random_line(game, kinds[rng.randrange(len(kinds))], rng)
    part = line.until(rng.randrange(1, len(line.turns) - 1))
    seed = Mark("seed", sha256(game_id.encode()).digest())
    log = list(log_of(game, part))
    server.now += 60.0
    await server.plant_game(game_id, log, seed.secret)
    await server.plant_link(game_id, 0, INVITATION.secret.decode() + game_id)
    for viewer in (rng.randrange(part.config.seats), None):
        marks = [seed, *MARKS, *_hidden(game, part, viewer)]
        hunt.marks += len(marks) - len(MARKS)
        for where, data in await _everything(server, game, part, viewer, game_id, len(log)):
            hunt.look(f"{where} of {game_id}", f"seat {viewer}", data, marks)
    await server.weed(game_id)


async def _everything(
    server: InProcessServer, game: AnyGame, line: Line, viewer: Viewer, game_id: str, number: int
) -> list[tuple[str, bytes]]:
    pair = Pair(game, (line, line), viewer, ("zz", "1"), ())
    seen = {name: await server.ask(call) for name, call in calls(game_id, pair, number).items()}
    socket, stream = server.socket(game_id, who=secret_of(viewer)), server.stream(game_id, who=secret_of(viewer))
    for message in socket_messages(pair, number):
        socket.say(message)
    socket.say('{"type":"ping","n":7}')
    await socket.until(lambda message: '"pong"' in message.get("text", ""))
    await stream.until(lambda message: b'"update"' in message.get("body", b""))
    await socket.leave()
    await stream.leave()
    seen |= {"socket": socket.heard, "stream": stream.heard}
    return [(where, _bytes(message)) for where, messages in seen.items() for message in messages]


def _hidden(game: AnyGame, line: Line, viewer: Viewer) -> Iterator[Mark]:
    """Return the tiles and plates hidden from a viewer, where they can be distinguished from visible ones."""
    state = game.setup(line.config)
    for act in line.acts:
        state, _ = game.apply(state, act)
    if game is GAMES["blockers"]:
        yield from _racks(state, viewer)
    if game is GAMES["duel"]:
        yield from _plates(state, viewer)


def _racks(state: blockers.State, viewer: Viewer) -> Iterator[Mark]:
    """Return the racks of others as written, unless their tiles are adjacent in the list of unseen ones."""
    for hand, stock in zip(blockers.view(state, viewer).hands, state.stocks, strict=True):
        if hand.rack is None and len(stock.rack) > 2 and stock.rack not in hand.unseen:
            yield Mark("rack of another player", stock.rack.encode())


def _plates(state: duel.State, viewer: Viewer) -> Iterator[Mark]:
    """Return the plates that only others have looked at."""
    for back in (*state.stack, *state.hand):
        if not back.fresh and viewer not in back.known and viewer not in back.lost:
            yield Mark("plate that another player knows", f'"{back.face}"'.encode())


# All routes

_GAME, _MATCH, _EVENT = "azulasked", "matchasked", "eventasked"
_IDS = {
    "games": _GAME,
    "matches": _MATCH,
    "events": _EVENT,
    "clubs": _EVENT,
    "people": MEMBER,
    "reviews": _GAME,
    "puzzles": next(iter(shipped())),
    "moderate/people": "person-1",
    "moderate/games": _GAME,
    "me": "nothing",
    "passkeys": "nothing",
}
"""What `{id}` stands for, by the word or two after /api: something planted, where a route reads something."""

_PATHS = {
    "title": "azul",
    "language": "en",
    "seats": "2",
    "acts": "AAAA",
    "step": "1",
    "token": "not-a-token",
    "number": "1",
    "game": _GAME,
    "day": "2026-01-02",
    "person": MEMBER,
    "schedule": "nothing",
}
BODIES: dict[str, dict[str, object]] = {
    "/api/session": {"name": "Ann"},
    "/api/members": {"login": "somebody", "password": "correct horse battery"},
    "/api/login": {"login": "nobody", "password": "wrong horse battery"},
    "/api/new-password": {"secret": "not-a-token", "password": "correct horse battery"},
    "/api/me/password": {"old": "wrong horse battery", "new": "correct horse battery"},
    "/api/me/tokens": {"label": "mine"},
    "/api/me/bots": {"name": "Deep Tile"},
    "/api/me/channels/email": {"address": "somebody@example.org"},
    "/api/me/channels/hooks": {"kind": "discord", "url": "https://hooks.test/somewhere"},
    "/api/confirm": {"token": "not-a-token"},
    "/api/games": {"title": "azul", "seats": [{"kind": "me"}, {}]},
    "/api/games/{id}/join": {"secret": "a-guess"},
    "/api/games/{id}/act": {"request": {"type": "preview", "move": "1b1"}},
    "/api/matches": {"table": {"title": "azul", "seats": [{}, {}]}},
    "/api/pairing": {"title": "azul"},
    "/api/bot/ladder": {"title": "azul"},
    "/api/people/{id}/report": {"reason": "rude"},
    "/api/moderate/people/{id}/name": {"name": "Ann"},
    "/api/people/{id}/invite": {"game": "nowhere1"},
    "/api/events": {"name": "Cup", "title": "azul", "format": "swiss"},
    "/api/clubs": {"name": "Tilers"},
    "/api/clubs/{id}": {"name": "Tilers"},
    "/api/clubs/{id}/members": {"secret": "a-guess"},
    "/api/clubs/{id}/schedules": {"name": "Cup", "title": "azul", "format": "swiss"},
    "/api/replay": {"record": "azul/1 seats=2 wall=coloured\n\n"},
}


NOTHING_TO_READ = frozenset(
    (
        "/api/games/{id}/record",
        "/api/games/{id}/replay",
        "/api/titles/{title}/texts/{language}",
        "/api/games/{id}/review",
        "/api/reviews/{id}",
        "/api/reviews/{id}/lines/{number}",
        "/api/replay/{title}/{acts}",
        "/api/lessons/{title}/{step}/preview",
        "/api/puzzles/{id}/preview",
    )
)
"""Routes that refuse what they are asked here: of a running game, or of no game that is stored."""


async def _ask_everything(server: InProcessServer, hunt: Hunt) -> None:
    """Request every route as every person; deletions come last."""
    game = GAMES["azul"]
    line = random_line(game, configs(game)[0], Random(1)).until(3)
    seed = Mark("seed", sha256(b"asked").digest())
    server.now = datetime.fromisoformat(f"{_PATHS['day']}T12:00+00:00").timestamp()
    await server.plant_game(_GAME, list(log_of(game, line)), seed.secret)
    await server.plant_event(_EVENT, _GAME, [f"person-{seat}" for seat in range(2)], CLUB_LINK.secret.decode())
    await server.plant_game("matchtable", list(log_of(game, line)), seed.secret)
    await server.host.store.run(games.update().where(games.c.id == "matchtable").values(match=_MATCH))
    members = {person: f"cookie-of-{person}" for person in ("member-1", MEMBER, MODERATOR)}
    askers = {"": "", "person-0": secret_of(0), **members}
    extra = ("/metrics", "/health", "/ready", "/api/openapi.json", "/", "/nowhere", f"/table/{_GAME}")
    links = (f"/cards/{_GAME}.png", f"/embed/{_GAME}", "/daily", "/cards/daily.png", "/oembed")
    others = [Call("GET", path, address="192.0.2.1") for path in (*extra, *links)]
    for person, secret in askers.items():
        for call in (*others, *(_call(route, secret) for route in sorted(ROUTES, key=_goes_last))):
            server.now += 60.0
            answers = await server.ask(call)
            if status_of(answers) < 400:
                hunt.answered.add((call.method, call.path))
            for message in answers:
                hunt.look(f"{call.method} {call.path}", person, _bytes(message), [seed, *MARKS])


def _goes_last(route: Route) -> tuple[bool, bool]:
    return route.method == "DELETE", route.path in ("/api/session", "/api/me", "/api/members")


def path_of(route: Route) -> str:
    """Return the path by which a route is requested."""
    _, _, word, *rest = route.path.split("/")
    return route.path.format(**_PATHS, id=_IDS.get(f"{word}/{rest[0]}" if word == "moderate" and rest else word, ""))


def _call(route: Route, secret: str) -> Call:
    path = path_of(route)
    body = BODIES.get(route.path, {}) if route.body else None
    return Call(route.method, path, body, secret, address="192.0.2.1")
