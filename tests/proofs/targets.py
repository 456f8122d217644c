"""What reads texts from outside, each as a function that takes any text: for the tests, and for `scripts/fuzz`.

A target returns if the text was read or refused as it should be; anything else that it raises is a fault of ours.
`corpus/` keeps for each what was ever worth trying.
"""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from random import Random

from bench.server.paths import Nowhere
from proofs.shuffle import random_record
from proofs.twin_states import configs, random_line
from tessella.core import link, record, wire
from tessella.core.game import BadNotation, Chance, Choose, IllegalMove
from tessella.games import GAMES
from tessella.protocol.messages import FromClient, FromServer, PreviewReply, TableView, decoder
from tessella.server.cluster.bus import LocalBus
from tessella.server.http.requests import UNREADABLE
from tessella.server.people.identity import Person
from tessella.server.rooms.commands import Caller, perform
from tessella.server.rooms.host import Host
from tessella.server.rooms.room import Room
from tessella.table.log import Opened, Sat
from tessella.table.table import Table

CORPUS = Path(__file__).with_name("corpus")
POSITIONS = 7
"""Every so many-th moment of a game is a position in which a text is read as a move."""


def corpus(name: str) -> list[str]:
    kept: list[str] = json.loads((CORPUS / f"{name}.json").read_text())
    return kept


@cache
def whole_games() -> list[str]:
    return [record.write(random_record(game, game.Config(), Random(7), "game")) for game in GAMES.values()]


@cache
def short_games() -> list[str]:
    """The same games in one line each, none longer than a link may be."""
    return [link.shorten(GAMES[text.partition("/")[0]], record.read(text))[:400] for text in whole_games()]


@cache
def positions(name: str) -> list[object]:
    """Some moments of a game of this title."""
    game = GAMES[name]
    states = [game.setup(configs(game)[0])]
    for act in random_line(game, configs(game)[0], Random(3)).acts:
        states.append(game.apply(states[-1], act)[0])
    return states[::POSITIONS]


# Records and notation


def read_record(text: str) -> None:
    """A record that somebody brings."""
    with suppress(BadNotation):
        found = record.read(text)
        if found.game in GAMES:
            record.verify(GAMES[found.game], found)


def read_short(text: str) -> None:
    """A game in a link."""
    game = GAMES.get(link.game_of(text), GAMES["azul"])
    with suppress(BadNotation):
        assert link.expand(game, text).game == game.NAME


def try_notation(name: str, state: object, text: str) -> None:
    """A text as a move of each seat, as a deal and as a position."""
    game = GAMES[name]
    turn = game.turn(state)
    seats = turn.seats if isinstance(turn, Choose) else (0,)
    readings: list[Callable[[], object]] = [partial(game.read_move, state, seat, text) for seat in seats]
    readings += [partial(game.read_deal, state, text)] if isinstance(turn, Chance) else []
    for read in readings:
        with suppress(BadNotation, IllegalMove):
            game.apply(state, read())
    with suppress(BadNotation):
        assert game.read_state(game.write_state(game.read_state(text))) is not None


def read_notation(text: str) -> None:
    """A move, a deal or a position of any game, early and late in it."""
    for name in GAMES:
        for state in positions(name)[:: len(positions(name)) // 2]:
            try_notation(name, state, text)


# Messages of a socket


def read_message(text: str | bytes) -> None:
    """A message of somebody at a table: it is a request, and gets an answer, or is refused."""
    try:
        request = decoder.decode(text)
    except UNREADABLE:
        return
    assert isinstance(request, FromClient)
    for name in GAMES:
        asyncio.run(_answer(name, request))


def messages() -> Iterator[str]:
    """One of each kind, and some moves that may be made."""
    for name in GAMES:
        _, table = asyncio.run(_table(name))
        moves = GAMES[name].legal_moves(table.state, table.movers[0])
        text = GAMES[name].write_move(table.state, moves[0])
        yield json.dumps({"type": "play", "key": "fuzz-key", "number": table.number, "move": text})
        yield json.dumps({"type": "preview", "move": text})
    for what in ("start", "leave", "resign", "return", "pause", "resume", "abort", "rematch", "decline"):
        yield json.dumps({"type": "command", "key": "fuzz-key", "action": what})
    yield json.dumps({"type": "pledge", "key": "fuzz-key", "pledge": "0" * 64})
    yield json.dumps({"type": "reveal", "key": "fuzz-key", "number": "0" * 64})


async def _answer(name: str, request: FromClient) -> None:
    host, table = await _table(name)
    for who in ("p0", "p1", "stranger"):
        answer = await perform(host, Room(table.fork()), Caller(Person(who, who, "guest")), request)
        assert isinstance(answer, FromServer | PreviewReply | TableView)
        assert wire.encode(answer)


@cache
def _tables() -> dict[str, Table]:
    return {}


async def _table(name: str) -> tuple[Host, Table]:
    """A table at which a game has begun; what is written goes nowhere."""
    game = GAMES[name]
    rules = record.write_rules(game, game.Config())
    host = Host(Nowhere(), LocalBus(), [], lambda: 1_700_000_000.0)
    room = await host.open("fuzzed", Opened(rules, "c0" * 32), b"s" * 32, listed=False)
    if name not in _tables():
        for seat in range(len(room.table.seats)):
            await host.append(room, f"sit-{seat}", partial(_sit, seat))
        await host.append(room, "start", lambda table, secret: table.start(secret))
        _tables()[name] = room.table
    return host, _tables()[name]


def _sit(seat: int, table: Table, _secret: object) -> Sat:
    return table.sit(seat, f"p{seat}", f"Person {seat}")


TARGETS: Mapping[str, tuple[Callable[[str], None], Callable[[], Sequence[str]]]] = {
    "records": (read_record, lambda: [text[:2_000] for text in whole_games()]),
    "short": (read_short, short_games),
    "notation": (read_notation, lambda: [GAMES[name].write_state(positions(name)[2]) for name in GAMES]),
    "messages": (read_message, lambda: list(messages())),
}
"""Each with texts to begin with beside its corpus."""
