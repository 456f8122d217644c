"""Nobody receives one byte that depends on what is hidden from them: two worlds, every channel, identical bytes.

Two servers are given the same game as far as a viewer may know it; all else, the seed included, is drawn anew. The
viewer asks both the same, through every channel that there is, and the game goes on by one move. Status, headers,
lengths and bytes of every answer must be the same, and the time that it took must not tell one world from the other.
"""

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from itertools import count
from math import ceil
from random import Random
from typing import TypeAlias

from msgspec import Struct

from tessella.core import record
from tessella.core.game import AnyGame, BadNotation, IllegalMove, Seat
from tessella.games import GAMES
from tessella.prove import Ask, Figure, Report
from tessella.prove.stopwatch import MOST_TIMED, Stopwatch
from tessella.prove.tap import Call, Connection, Message, Tap, tapped
from tessella.prove.worlds import AnyAct, Line, Viewer, configs, other_world, random_line
from tessella.server.entries import Days, Entry, Opened, Played, Sat, Started
from tessella.terminal.progress import progress

PAIRS_OF_A_GAME = 10
"""So many pairs are made from one random game: at other moments, for other viewers."""

PICKS = 3
"""So often a moment is picked anew if nothing is hidden yet."""

LEAST_DIFFERENT = {"azul": 0.0, "blockers": 0.9, "duel": 0.4}
"""The share of pairs whose worlds must really differ in more than the seed; Azul hides nothing else."""

MOST_SEATS = 5
Seen: TypeAlias = dict[str, list[Message]]
"""What came through each channel."""


class Pair(Struct, frozen=True):
    """A game in two worlds, and who looks at it."""

    game: AnyGame
    worlds: tuple[Line, Line]
    viewer: Viewer
    tries: tuple[str, ...]
    """What the viewer tries to play, and may not."""
    legal: tuple[str, ...]
    """A move that the viewer may make before the last turn, if there is one."""

    @property
    def differs(self) -> bool:
        """Whether more than the seed is different."""
        return self.worlds[0] != self.worlds[1]


def prove(ask: Ask) -> Report:
    """Compare so many pairs of worlds for each game."""
    return asyncio.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    figures: list[Figure] = []
    failures: list[str] = []
    watch = Stopwatch(ask.seed)
    for game in GAMES.values():
        tally = Tally()
        async with AsyncExitStack() as stack:
            *taps, timed = [await stack.enter_async_context(tapped()) for _ in range(3)]
            await _seat_people((*taps, timed))
            for number, pair in zip(progress(range(ask.size), game.NAME), pairs(game, ask.seed), strict=False):
                failures += [
                    f"{game.NAME}, pair {number}: {wrong}" for wrong in await compare(taps, pair, number, tally)
                ]
                if number % ceil(ask.size / MOST_TIMED) == 0:
                    await clock(timed, pair, number, watch)
        least = LEAST_DIFFERENT[game.NAME]
        share = tally.different / ask.size
        figures += [
            Figure(
                f"{game.NAME}_pairs", ask.size, words=f"{tally.messages:,} messages, {tally.bytes:,} bytes compared"
            ),
            Figure(f"{game.NAME}_worlds_differ", share, at_least=least, words="share of pairs with other hidden acts"),
        ]
    figures.append(Figure("differences", len(failures), at_most=0, words="channels that told the worlds apart"))
    return Report((*figures, *watch.figures()), tuple(failures))


class Tally:
    """What was compared so far."""

    def __init__(self) -> None:
        self.different = self.messages = self.bytes = 0

    def add(self, pair: Pair, seen: Seen) -> None:
        """One more pair, and what its viewer got to see."""
        messages = [message for channel in seen.values() for message in channel]
        self.different += pair.differs
        self.messages += len(messages)
        self.bytes += sum(len(message.get("body") or message.get("text") or "") for message in messages)


# Pairs of worlds


def pairs(game: AnyGame, seed: int) -> Iterator[Pair]:
    """Pairs without end, always the same for a seed."""
    kinds = configs(game)
    for number in count():
        rng = Random(f"{game.NAME} {seed} {number}")
        line = random_line(game, kinds[number % len(kinds)], rng)
        texts = _texts(game, line)
        for _ in range(PAIRS_OF_A_GAME):
            yield _pair(game, line, tuple(_tries(texts, rng)), rng)


def _pair(game: AnyGame, line: Line, tries: tuple[str, ...], rng: Random) -> Pair:
    """A moment of the game, before its end, and somebody from whom something is hidden then if it can be."""
    picks = (_pick(game, line, tries, rng) for _ in range(PICKS))
    first = next(picks)
    return first if first.differs else next((pair for pair in picks if pair.differs), first)


def _pick(game: AnyGame, line: Line, tries: tuple[str, ...], rng: Random) -> Pair:
    viewer = rng.choice([*range(line.config.seats), None])
    part = line.until(rng.randrange(1, len(line.turns) - 1))
    return Pair(game, (part, other_world(game, part, viewer, rng)), viewer, *_moves(game, part, viewer, tries))


def _moves(game: AnyGame, line: Line, viewer: Viewer, tries: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the viewer may not play before the last turn and after it; and a move that may be made before it."""
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
    """Every act of a game as it is written."""
    state = game.setup(line.config)
    texts: list[str] = []
    for act in line.acts:
        texts.append(record.write_act(game, state, act))
        state, _ = game.apply(state, act)
    return texts


def _tries(texts: Sequence[str], rng: Random) -> Iterator[str]:
    """Acts of other moments: most are refused now, and the refusal must not tell what is hidden."""
    for text in rng.sample(texts, 2):
        yield text.lstrip("*")[:40]
    yield rng.choice(texts)[::-1][:40]


# What a viewer can do


def who(seat: Viewer) -> str:
    """The secret of the person on a seat; spectators have none."""
    return "" if seat is None else f"secret-of-{seat}"


async def _seat_people(taps: Sequence[Tap]) -> None:
    for tap in taps:
        for seat in range(MOST_SEATS):
            await tap.plant_person(f"person-{seat}", who(seat))


async def compare(taps: Sequence[Tap], pair: Pair, number: int, tally: Tally) -> list[str]:
    """The channels through which the viewer can tell the two worlds apart."""
    here, there = [
        await look(tap, pair, line, f"pair-{number}", bytes([world]) * 32)
        for world, (tap, line) in enumerate(zip(taps, pair.worlds, strict=True))
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


async def look(tap: Tap, pair: Pair, line: Line, game_id: str, seed: bytes) -> Seen:
    """Everything that the viewer is told in one world: before, by asking, and when the game goes on."""
    opened, *log = log_of(pair.game, line)
    *before, last = log
    tap.now += 60.0
    assert isinstance(opened, Opened)
    await tap.plant_game(game_id, opened, before, seed)
    socket = tap.socket(game_id, who=who(pair.viewer))
    stream = tap.stream(game_id, who=who(pair.viewer))
    await _talk(socket, pair, len(before) + 1)
    await stream.until(lambda message: b'"step"' in message.get("body", b""))
    await tap.go_on(game_id, len(before) + 1, last)
    await socket.until(lambda message: '"type":"step"' in message.get("text", ""))
    await stream.until(lambda message: b'"step"' in message.get("body", b""))
    seen = {name: await tap.ask(call) for name, call in calls(game_id, pair, len(before) + 2).items()}
    await socket.leave()
    await stream.leave()
    await tap.weed(game_id)
    return seen | {"socket": _told(socket.heard), "stream": _told(stream.heard)}


async def clock(tap: Tap, pair: Pair, number: int, watch: Stopwatch) -> None:
    """Time the answers at four tables, two in each world, all in one server."""
    worlds: dict[str, int] = {}
    asked: dict[str, dict[str, Call]] = {}
    for place, world in enumerate(watch.order((0, 0, 1, 1))):
        game_id = f"time-{number}-{place}"
        opened, *log = log_of(pair.game, pair.worlds[world])
        assert isinstance(opened, Opened)
        await tap.plant_game(game_id, opened, log, bytes([world]) * 32)
        worlds[game_id] = world
        asked[game_id] = {
            f"{name} of {pair.game.NAME}": call
            for name, call in calls(game_id, pair, len(log) + 1).items()
            if game_id in call.path
        }
    await watch.measure(tap, asked, worlds)
    for game_id in worlds:
        await tap.weed(game_id)


async def _talk(socket: Connection, pair: Pair, number: int) -> None:
    await socket.until(lambda message: message["type"] == "websocket.accept")
    for message in wishes(pair, number):
        socket.say(message)
    socket.say(json.dumps({"type": "ping", "n": 7}))
    await socket.until(lambda message: '"pong"' in message.get("text", ""))


def _told(heard: Sequence[Message]) -> list[Message]:
    """What was told of the table. News of who is connected comes when it comes, and knows nothing of the game."""
    return [message for message in heard if '"type":"present"' not in _text(message)]


def _text(message: Message) -> str:
    return str(message.get("text") or message.get("body") or "")


def wishes(pair: Pair, number: int) -> Iterator[str]:
    """What is said through a socket: come, come back, ask what moves would do, try them, ask for a pause."""
    yield json.dumps({"type": "hello"})
    yield json.dumps({"type": "hello", "have": number // 2})
    for text in (*pair.tries, *pair.legal):
        yield json.dumps({"type": "foresee", "move": text})
    for index, text in enumerate(pair.tries):
        yield json.dumps({"type": "play", "key": f"socket-try-{index}", "number": number, "move": text})
    yield json.dumps({"type": "wish", "key": "no-question-asked", "what": "decline"})
    yield "{"


def calls(game_id: str, pair: Pair, number: int) -> dict[str, Call]:
    """What is asked by HTTP."""
    secret, table = who(pair.viewer), f"/api/games/{game_id}"
    asked = {
        "view": Call("GET", table, who=secret),
        "films": Call("GET", f"{table}/films", who=secret),
        "record of a running game": Call("GET", f"{table}/record", who=secret),
        "replay of a running game": Call("GET", f"{table}/replay", who=secret),
        "my games": Call("GET", "/api/me/games", who=secret),
        "my turns": Call("GET", "/api/bot/turns", who=secret),
        "export": Call("GET", "/api/me/data", who=secret),
        "open tables": Call("GET", "/api/games", who=secret),
        "stranger's view": Call("GET", table),
    }
    for index, text in enumerate(pair.tries):
        wish = {"type": "play", "key": f"http-try-{index}", "number": number, "move": text}
        asked[f"error text {index}"] = Call("POST", f"{table}/act", {"wish": wish}, secret)
    for index, text in enumerate((*pair.tries, *pair.legal)):
        asked[f"preview {index}"] = Call("POST", f"{table}/act", {"wish": {"type": "foresee", "move": text}}, secret)
    return asked


# Logs


def log_of(game: AnyGame, line: Line) -> Iterator[Entry]:
    """The log of a table at which a game was played."""
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
