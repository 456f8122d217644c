"""No client receives one byte that depends on what is hidden from it: two states, every channel, identical bytes.

Two servers get the same game as far as a viewer may know it; everything else, the seed included, is drawn anew. The
viewer asks both the same through every channel, and the game goes on by one move. Status, headers, lengths and bytes of
every answer must be the same, and the response times must not distinguish the states.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from itertools import count
from math import ceil
from random import Random
from typing import TypeAlias

from msgspec import Struct

from proofs import Ask, Figure, Report
from proofs.in_process_server import Call, Connection, InProcessServer, Message, serve_in_process
from proofs.stopwatch import MOST_TIMED, Stopwatch
from proofs.twin_states import AnyAct, Line, Viewer, configs, other_world, random_line
from tessella.core import record
from tessella.core.game import AnyGame, BadNotation, IllegalMove, Seat
from tessella.games import GAMES
from tessella.progress import progress
from tessella.server.services.news.channels import Channel
from tessella.server.services.news.delivery import Job, message_of
from tessella.server.services.news.timing import Item, Preferences
from tessella.server.services.news.turns import turns_at
from tessella.server.services.news.webhooks import TEMPLATES
from tessella.table.log import Days, Entry, Opened, Played, Sat, Started

PAIRS_OF_A_GAME = 10
"""Pairs made from one random game: at other moments, for other viewers."""

PICKS = 3
"""Attempts to pick a moment at which something is hidden."""

LEAST_DIFFERENT = {"azul": 0.0, "blockers": 0.9, "duel": 0.4}
"""Minimum share of pairs whose states differ in more than the seed; Azul hides nothing else."""

MOST_SEATS = 5
Seen: TypeAlias = dict[str, list[Message]]
"""What came through each channel."""


class Pair(Struct, frozen=True):
    """A game in two states, and the viewer."""

    game: AnyGame
    worlds: tuple[Line, Line]
    viewer: Viewer
    tries: tuple[str, ...]
    """Moves that the viewer tries and may not make."""
    legal: tuple[str, ...]
    """A move that the viewer may make before the last turn, if there is one."""

    @property
    def differs(self) -> bool:
        """Whether more than the seed differs."""
        return self.worlds[0] != self.worlds[1]


def prove(ask: Ask) -> Report:
    """Compare `ask.size` pairs of states for each game."""
    return asyncio.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    figures: list[Figure] = []
    failures: list[str] = []
    watch = Stopwatch(ask.seed)
    for game in GAMES.values():
        tally = Tally()
        async with AsyncExitStack() as stack:
            *servers, timed = [await stack.enter_async_context(serve_in_process()) for _ in range(3)]
            await _seat_people((*servers, timed))
            for number, pair in zip(progress(range(ask.size), game.NAME), pairs(game, ask.seed), strict=False):
                failures += [
                    f"{game.NAME}, pair {number}: {failure}" for failure in await compare(servers, pair, number, tally)
                ]
                if number % ceil(ask.size / MOST_TIMED) == 0:
                    await clock(timed, pair, number, watch)
        least = LEAST_DIFFERENT[game.NAME]
        share = tally.different / ask.size
        figures += [
            Figure(f"{game.NAME}_pairs", ask.size, note=f"{tally.messages:,} messages, {tally.bytes:,} bytes compared"),
            Figure(f"{game.NAME}_worlds_differ", share, at_least=least, note="share of pairs with other hidden acts"),
        ]
    figures.append(Figure("differences", len(failures), at_most=0, note="channels that distinguished the states"))
    return Report((*figures, *watch.figures()), tuple(failures))


class Tally:
    """What was compared so far."""

    def __init__(self) -> None:
        self.different = self.messages = self.bytes = 0

    def add(self, pair: Pair, seen: Seen) -> None:
        """Add a pair, and what its viewer received."""
        messages = [message for channel in seen.values() for message in channel]
        self.different += pair.differs
        self.messages += len(messages)
        self.bytes += sum(len(message.get("body") or message.get("text") or "") for message in messages)


# Pairs of worlds


def pairs(game: AnyGame, seed: int) -> Iterator[Pair]:
    """Yield pairs without end, the same for the same seed."""
    kinds = configs(game)
    for number in count():
        rng = Random(f"{game.NAME} {seed} {number}")
        line = random_line(game, kinds[number % len(kinds)], rng)
        texts = _texts(game, line)
        for _ in range(PAIRS_OF_A_GAME):
            yield _pair(game, line, tuple(_tries(texts, rng)), rng)


def _pair(game: AnyGame, line: Line, tries: tuple[str, ...], rng: Random) -> Pair:
    """Pick a moment before the end of the game and a viewer from whom something is hidden then, if possible."""
    picks = (_pick(game, line, tries, rng) for _ in range(PICKS))
    first = next(picks)
    return first if first.differs else next((pair for pair in picks if pair.differs), first)


def _pick(game: AnyGame, line: Line, tries: tuple[str, ...], rng: Random) -> Pair:
    viewer = rng.choice([*range(line.config.seats), None])
    part = line.until(rng.randrange(1, len(line.turns) - 1))
    return Pair(game, (part, other_world(game, part, viewer, rng)), viewer, *_moves(game, part, viewer, tries))


def _moves(game: AnyGame, line: Line, viewer: Viewer, tries: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return moves that the viewer may not make before and after the last turn, and a legal one before it."""
    states = [game.setup(line.config)]
    for act in line.acts:
        states.append(game.apply(states[-1], act)[0])
    before, after = states[-1 - len(line.turns[-1])], states[-1]
    legal: Sequence[AnyAct] = () if viewer is None else game.legal_moves(before, viewer)[:1]
    seat = viewer or 0
    refused = (text for text in tries if not (_applies(game, before, seat, text) or _applies(game, after, seat, text)))
    return tuple(refused), tuple(game.write_move(before, move) for move in legal)


def _applies(game: AnyGame, state: object, seat: Seat, text: str) -> bool:
    try:
        game.apply(state, game.read_move(state, seat, text))
    except (BadNotation, IllegalMove):
        return False
    return True


def _texts(game: AnyGame, line: Line) -> list[str]:
    """Return every act of a game in notation."""
    state = game.setup(line.config)
    texts: list[str] = []
    for act in line.acts:
        texts.append(record.write_act(game, state, act))
        state, _ = game.apply(state, act)
    return texts


def _tries(texts: Sequence[str], rng: Random) -> Iterator[str]:
    """Return acts of other moments: most are illegal now, and the error must not reveal anything hidden."""
    for text in rng.sample(texts, 2):
        yield text.lstrip("*")[:40]
    yield rng.choice(texts)[::-1][:40]


# What a viewer can do


def secret_of(seat: Viewer) -> str:
    """Return the secret of the person on a seat; spectators have none."""
    return "" if seat is None else f"secret-of-{seat}"


async def _seat_people(servers: Sequence[InProcessServer]) -> None:
    for server in servers:
        for seat in range(MOST_SEATS):
            await server.plant_person(f"person-{seat}", secret_of(seat))


async def compare(servers: Sequence[InProcessServer], pair: Pair, number: int, tally: Tally) -> list[str]:
    """Return the channels through which the viewer can distinguish the two states."""
    here, there = [
        await look(server, pair, line, f"pair-{number}", bytes([world]) * 32)
        for world, (server, line) in enumerate(zip(servers, pair.worlds, strict=True))
    ]
    tally.add(pair, here)
    return [
        f"{channel} tells seat {pair.viewer}: {_first_difference(here[channel], there[channel])}"
        for channel in here
        if here[channel] != there[channel]
    ]


def _first_difference(here: Sequence[Message], there: Sequence[Message]) -> str:
    if len(here) != len(there):
        return f"{len(here)} messages, or {len(there)}"
    one, other = next((one, other) for one, other in zip(here, there, strict=True) if one != other)
    one_text, other_text = (str(each.get("body") or each.get("text") or each) for each in (one, other))
    start = next((at for at, (a, b) in enumerate(zip(one_text, other_text, strict=False)) if a != b), 0)
    return f"…{one_text[max(0, start - 30) : start + 30]}…, or …{other_text[max(0, start - 30) : start + 30]}…"


async def look(server: InProcessServer, pair: Pair, line: Line, game_id: str, seed: bytes) -> Seen:
    """Return everything that the viewer receives in one state: before, on request, and when the game goes on."""
    *before, last = log_of(pair.game, line)
    server.now += 60.0
    await server.plant_game(game_id, before, seed)
    await server.plant_event(game_id, game_id, [f"person-{seat}" for seat in range(line.config.seats)])
    socket = server.socket(game_id, who=secret_of(pair.viewer))
    stream = server.stream(game_id, who=secret_of(pair.viewer))
    await _talk(socket, pair, len(before))
    await stream.until(lambda message: b'"update"' in message.get("body", b""))
    await server.go_on(game_id, len(before), last)
    await socket.until(lambda message: '"type":"update"' in message.get("text", ""))
    await stream.until(lambda message: b'"update"' in message.get("body", b""))
    seen = {name: await server.ask(call) for name, call in calls(game_id, pair, len(before) + 1).items()}
    news = await _news(server, game_id)
    await socket.leave()
    await stream.leave()
    await server.weed(game_id)
    await server.weed_event(game_id)
    seen["news"] = news
    return seen | {"socket": _about_table(socket.heard), "stream": _about_table(stream.heard)}


async def _news(server: InProcessServer, game_id: str) -> list[Message]:
    """Return what every channel would say of the turns at a table."""
    turns = await turns_at(server.host.store, [game_id])
    said: list[Message] = []
    for kind, template in TEMPLATES.items():
        for turn in turns.values():
            channel = Channel(
                "n1",
                turn.person,
                kind,
                "https://a.test/b",
                "",
                "a.test",
                "en",
                "",
                is_confirmed=True,
                preferences=Preferences(),
            )
            items = (Item("turn", turn.game, turn.number, 0.0),)
            job = Job(channel, items, "", 0, in_flight=False, sent=0.0, failures=0)
            sent = template(channel, message_of(job, items, turns, "", server.now))
            said.append({"url": sent.url, "headers": dict(sent.headers), "body": sent.body})
    return said


async def clock(server: InProcessServer, pair: Pair, number: int, watch: Stopwatch) -> None:
    """Time the answers at four tables, two in each state, all in one server."""
    worlds: dict[str, int] = {}
    asked: dict[str, dict[str, Call]] = {}
    for place, world in enumerate(watch.order((0, 0, 1, 1))):
        game_id = f"time-{number}-{place}"
        log = list(log_of(pair.game, pair.worlds[world]))
        await server.plant_game(game_id, log, bytes([world]) * 32)
        worlds[game_id] = world
        asked[game_id] = {
            f"{name} of {pair.game.NAME}": call
            for name, call in calls(game_id, pair, len(log)).items()
            if game_id in call.path
        }
    await watch.measure(server, asked, worlds)
    for game_id in worlds:
        await server.weed(game_id)


async def _talk(socket: Connection, pair: Pair, number: int) -> None:
    await socket.until(lambda message: message["type"] == "websocket.accept")
    for message in socket_messages(pair, number):
        socket.say(message)
    socket.say(json.dumps({"type": "ping", "n": 7}))
    await socket.until(lambda message: '"pong"' in message.get("text", ""))


def _about_table(heard: Sequence[Message]) -> list[Message]:
    """Return the messages about the table, without presence updates: those come at any time."""
    return [message for message in heard if '"type":"presence"' not in _text(message)]


def _text(message: Message) -> str:
    return str(message.get("text") or message.get("body") or "")


def socket_messages(pair: Pair, number: int) -> Iterator[str]:
    """Return what is sent through a socket: join, rejoin, preview moves, try them, ask for a pause."""
    yield json.dumps({"type": "hello"})
    yield json.dumps({"type": "hello", "have": number // 2})
    for text in (*pair.tries, *pair.legal):
        yield json.dumps({"type": "preview", "move": text})
    for index, text in enumerate(pair.tries):
        yield json.dumps({"type": "play", "key": f"socket-try-{index}", "number": number, "move": text})
    yield json.dumps({"type": "command", "key": "no-question-asked", "action": "decline"})
    yield json.dumps({"type": "command", "key": "nobody-is-away", "action": "substitute"})
    yield json.dumps({"type": "say", "phrase": "nice-move"})
    yield "{"


APART: Mapping[str, str] = {
    "/api/session": "who you are",
    "/api/members": "how to log in here",
    "/api/moderate": "reports, for moderators",
    "/api/moderate/people/{id}": "people and the names of their tables, for moderators",
    "/api/me/passkeys": "your own account",
    "/api/me/sessions": "your own account",
    "/api/me/tokens": "your own account",
    "/api/me/bots": "your own account",
    "/api/push": "the public key of the server",
    "/api/titles": "the games that there are",
    "/api/titles/{title}/texts/{language}": "the texts of an installed game",
    "/api/pairing": "what you wait for, before there is a table",
    "/api/pairing/searches": "what others wait for, before there is a table",
    "/api/leaderboard/{title}/{seats}": "results of games that are over",
    "/api/ladder/{title}/{seats}": "results of games that are over",
    "/api/games/{id}/review": "a game that is over",
    "/api/reviews/{id}": "a game that is over",
    "/api/reviews/{id}/lines/{number}": "a game that is over",
    "/api/replay/{title}/{acts}": "a game that the request holds",
    "/api/lessons": "prepared positions",
    "/api/lessons/{title}": "prepared positions",
    "/api/lessons/{title}/{step}/preview": "prepared positions",
    "/api/puzzles": "prepared positions",
    "/api/puzzles/daily": "prepared positions",
    "/api/puzzles/{id}": "prepared positions",
    "/api/puzzles/{id}/preview": "prepared positions",
    "/api/daily": "deals of the server itself",
    "/api/daily/{day}/{title}": "results of games that are over",
}
"""The routes that read and are not compared, each with what it reads: nothing of a game in progress."""


def calls(game_id: str, pair: Pair, number: int) -> dict[str, Call]:
    """Return the HTTP requests."""
    secret, table = secret_of(pair.viewer), f"/api/games/{game_id}"
    asked = {
        "view": Call("GET", table, who=secret),
        "entries": Call("GET", f"{table}/entries", who=secret),
        "record of a running game": Call("GET", f"{table}/record", who=secret),
        "replay of a running game": Call("GET", f"{table}/replay", who=secret),
        "my games": Call("GET", "/api/me/games", who=secret),
        "my turns": Call("GET", "/api/bot/turns", who=secret),
        "my channels": Call("GET", "/api/me/channels", who=secret),
        "export": Call("GET", "/api/me/data", who=secret),
        "open tables": Call("GET", "/api/games", who=secret),
        "invitations": Call("GET", f"{table}/invitations", who=secret),
        "people of the table": Call("GET", f"{table}/people", who=secret),
        "friends": Call("GET", "/api/me/company", who=secret),
        "tables to watch": Call("GET", "/api/watch", who=secret),
        "event": Call("GET", f"/api/events/{game_id}", who=secret),
        "version of an event": Call("GET", f"/api/events/{game_id}/version", who=secret),
        "events": Call("GET", "/api/events", who=secret),
        "club": Call("GET", f"/api/clubs/{game_id}", who=secret),
        "clubs": Call("GET", "/api/clubs", who=secret),
        "profile of a player": Call("GET", "/api/people/person-0", who=secret),
        "match": Call("GET", f"/api/matches/{game_id}", who=secret),
        "stranger's view": Call("GET", table),
    }
    for index, text in enumerate(pair.tries):
        play = {"type": "play", "key": f"http-try-{index}", "number": number, "move": text}
        asked[f"error text {index}"] = Call("POST", f"{table}/act", {"request": play}, secret)
    for index, text in enumerate((*pair.tries, *pair.legal)):
        asked[f"preview {index}"] = Call("POST", f"{table}/act", {"request": {"type": "preview", "move": text}}, secret)
    return asked


# Logs


def log_of(game: AnyGame, line: Line) -> Iterator[Entry]:
    """Return the log of a table at which a game was played."""
    yield Opened(record.write_rules(game, line.config), "c0" * 32, Days(3))
    yield from (Sat(seat, f"person-{seat}", f"Player {seat}") for seat in range(line.config.seats))
    state = game.setup(line.config)
    for turn in line.turns:
        texts: list[str] = []
        for act in turn:
            texts.append(record.write_act(game, state, act))
            state, _ = game.apply(state, act)
        yield _entry(turn, texts)


def _entry(turn: Sequence[AnyAct], texts: Sequence[str]) -> Entry:
    seat: Seat | None = getattr(turn[0], "seat", None)
    return Started(tuple(texts)) if seat is None else Played(seat, tuple(texts))
