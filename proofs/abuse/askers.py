"""One client against all others: expensive requests by many sessions of one address, reviews, wrong passwords.

Each attack tries to use up what others need: first against a server in this process, where every answer is counted;
then thirty guests of one address request long replays from a real worker as fast as they can, while others play
against bots and against each other.
"""

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any, TypeAlias

from websockets.asyncio.client import ClientConnection, connect

from proofs import Ask, Figure
from proofs.abuse.crowds import Neighbours, Visits, answer, live_beside, request
from proofs.abuse.scene import Scene
from proofs.in_process_server import Call, Message, status_of
from proofs.load_clients import percentile
from proofs.play import Client
from proofs.raw_sockets import Unfit
from tessella.bots import ladder
from tessella.core import record
from tessella.core.local import LocalTable
from tessella.games import azul, blockers
from tessella.server import store as stores
from tessella.server.cluster.bus import LocalBus
from tessella.server.people.identity import Person, add_person, add_session
from tessella.server.rooms.host import Host
from tessella.server.rooms.lifecycle import Terms, open_table, sit, sit_bot

Table: TypeAlias = dict[str, Any]
"""A table as the socket sends it."""

ADDRESS = "192.0.2.66"
"""The address of all attackers."""

GUESTS = 30
EACH = 8
"""Sessions of one address, and concurrent requests of each."""

MOST_ANSWERED = 200
"""Expensive requests of one address that may be answered at once."""

MOST_REVIEWS = 10
"""Reviews of one guest that may be queued."""

GUESSES = 110
"""Addresses from which a password is tried once: enough that the last is rejected."""

RIGHT, WRONG = "correct horse battery staple", "not the password"

PLAYERS = 4
GAMES_EACH = 8
"""People who play one game after another against a bot, and how many games are prepared for each."""

VISIT_SECONDS = 15.0
"""Duration of the attack. There is only one, because its after-effects must not count as the time without it."""

THINK_SECONDS = 0.2
MOST_LATER = 2.0
MOST_ANSWER_SECONDS = 1.0
MOST_CPU_SECONDS = 0.03
"""CPU time of a web worker per request of the attackers, including all its other work; a replay takes 0.1."""


# In this process


async def ask_too_much(scene: Scene) -> AsyncIterator[str]:
    """Ask with thirty sessions of one address: they get no more than one address may, and others are served."""
    guests = [await Client.arrive(scene.server, f"Eve {number}") for number in range(GUESTS)]
    path = f"/api/games/{scene.game}/entries"
    calls = [Call("GET", path, who=guest.secret, address=ADDRESS) for guest in guests for _ in range(EACH)]
    answered = (await scene.at_once(calls)).count(200)
    scene.tried += len(calls)
    if answered > MOST_ANSWERED:
        yield f"{answered} expensive requests of {GUESTS} sessions of one address were answered at once"
    if failure := await scene.must(Call("GET", path, who=scene.ann.secret, address="198.51.100.7"), 200):
        yield failure


async def fill_the_coach(scene: Scene) -> AsyncIterator[str]:
    """Request one review after another as one guest; another guest must still be able to."""
    records = random_records()
    statuses: list[int] = []
    for _ in range(55):
        scene.server.now += 5.0
        call = Call("POST", "/api/reviews", {"record": next(records)}, scene.eve.secret)
        statuses.append(status_of(await scene.server.ask(call)))
    scene.tried += len(statuses)
    if set(statuses) - {202, 429}:
        yield f"the coach answered with {set(statuses)}"
    if statuses.count(202) > MOST_REVIEWS:
        yield f"{statuses.count(202)} games of one guest wait for the coach"
    if failure := await scene.must(Call("POST", "/api/reviews", {"record": next(records)}, scene.ann.secret), 202):
        yield failure


async def lock_out(scene: Scene) -> AsyncIterator[str]:
    """Send wrong passwords: they slow down the sender, and lock out neither another address nor a known browser."""
    here = await scene.server.ask(_log_in(RIGHT, "127.0.0.1"))
    statuses = [status_of(await scene.server.ask(_log_in(WRONG, ADDRESS))) for _ in range(31)]
    scene.tried += len(statuses)
    if statuses[-1] != 429:
        yield f"31 guesses at a password from one address were answered with {set(statuses)}"
    if failure := await scene.must(_log_in(RIGHT, "198.51.100.200"), 200):
        yield f"the owner is locked out: {failure}"
    tries = [_log_in(WRONG, f"198.51.100.{number}") for number in range(GUESSES)]
    statuses = [status_of(await scene.server.ask(call)) for call in tries]
    scene.tried += len(tries)
    if set(statuses) - {403, 429} or statuses[-1] != 429:
        yield f"{GUESSES} guesses at a password from as many addresses were answered with {set(statuses)}"
    if failure := await scene.must(_log_in(RIGHT, "198.51.100.1", _cookies(here)), 200):
        yield f"a browser that was here before is locked out: {failure}"


def _log_in(password: str, address: str, cookies: str = "") -> Call:
    headers = (("cookie", cookies),) if cookies else ()
    return Call("POST", "/api/login", {"login": "mia", "password": password}, headers=headers, address=address)


def _cookies(answers: list[Message]) -> str:
    """Return the cookies of a response, except the session."""
    start = next(message for message in answers if message["type"] == "http.response.start")
    kept = [str(value, "latin-1").partition(";")[0] for name, value in start["headers"] if name == b"set-cookie"]
    return "; ".join(cookie for cookie in kept if not cookie.startswith("tessella="))


def random_records(seed: int = 1) -> Iterator[str]:
    """Yield different finished games without end."""
    rng = Random(seed)
    while True:
        table = LocalTable(azul, azul.Config(seats=2), seed=rng.randbytes(32))
        while table.seats:
            table.play(rng.choice(table.moves))
        yield record.write(table.record())


# Against a real worker


async def live_beside_askers(ask: Ask) -> tuple[Figure, ...]:
    """Play against others and against bots while thirty guests of one address request replays."""
    found = await live_beside(ask, Visits(ask_for_replays, 1, VISIT_SECONDS), bots=1, company=play_bots)
    quiet, crowded = (percentile(acks, 99) * 1_000 for acks in (found.quiet, found.crowded))
    cpu = found.cpu_seconds / max(1, found.asked)
    bots, bots_before = percentile(found.bots_crowded, 99), percentile(found.bots_quiet, 99)
    later = f"slowest of a hundred confirmations: {quiet:.1f} ms without the askers, {crowded:.1f} with them"
    answers = f"seconds to the slowest of a hundred answers of these bots; {bots_before:.2f} without the askers"
    return (
        Figure("askers_asked", found.asked, at_least=1, note=f"requests for replays by {GUESTS} guests of one address"),
        Figure("askers_lost", found.lost, at_most=0, note="tables at which a player was disconnected or rejected"),
        Figure("askers_cpu", cpu, at_most=MOST_CPU_SECONDS, note="CPU seconds of the web worker each", timed=True),
        Figure("askers_bots", len(found.bots_crowded), at_least=1, note="answers of level-1 bots while they asked"),
        Figure("askers_bots_p99", bots, at_most=MOST_ANSWER_SECONDS, note=answers, timed=True),
        Figure("askers_ratio", found.ratio, at_most=MOST_LATER, note=later, timed=True),
    )


def ask_for_replays(port: int, _game: str, seconds: float) -> int:
    """Request replays for `seconds`, in a separate process, and return how many were answered."""
    os.nice(19 - os.nice(0))  # as if it had a machine of its own
    return asyncio.run(_ask_for_replays(port, seconds)) if seconds else 0


async def _ask_for_replays(port: int, seconds: float) -> int:
    asked = 0

    async def ask_on() -> None:
        nonlocal asked
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                async for _ in _be_a_guest(port):
                    asked += 1

    tasks = [asyncio.create_task(ask_on()) for _ in range(GUESTS)]
    await asyncio.wait(tasks, timeout=seconds)
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    return asked


async def _be_a_guest(port: int) -> AsyncIterator[None]:
    """Arrive as a guest and request one replay after another; yield after each response."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request("POST", "/api/session", body='{"name":"Eve"}'))
        head, _ = await answer(reader)
        cookie = head.partition("set-cookie: ")[2].partition(";")[0]
        body = json.dumps({"record": _long_record()})
        while True:
            writer.write(request("POST", "/api/replay", f"Cookie: {cookie}", "Accept-Encoding: gzip", body=body))
            await answer(reader)
            yield
    finally:
        writer.transport.abort()


@cache
def _long_record() -> str:
    """Return a game that takes long to replay."""
    rng = Random(1)
    table = LocalTable(blockers, blockers.Config(seats=5), seed=rng.randbytes(32))
    while table.seats:
        table.play(rng.choice(blockers.legal_moves(table.state, rng.choice(table.seats))))
    return record.write(table.record())


async def play_bots(url: str, port: int, found: Neighbours) -> list[asyncio.Task[None]]:
    """Play against the weakest bot, game after game."""
    store = await stores.connect(url)
    try:
        host = Host(store, LocalBus(), [], time.time)
        players = [await _set_tables(host, number) for number in range(PLAYERS)]
    finally:
        await store.close()
    return [asyncio.create_task(_play_games(port, games, cookie, found)) for games, cookie in players]


async def _set_tables(host: Host, number: int) -> tuple[list[str], str]:
    person = await add_person(host.store, f"Person {number}", "guest")
    games = [await _set_table(host, person) for _ in range(GAMES_EACH)]
    return games, await add_session(host.store, person, "cookie")


async def _set_table(host: Host, person: Person) -> str:
    rules = record.write_rules(azul, azul.Config(seats=2))
    room = await open_table(host, Terms(rules, creator=person.id, origin=person.id))
    await sit(host, room, 0, person)
    await sit_bot(host, room, 1, ladder(azul)[0])
    await host.append(room, "start", lambda table, secret: table.start(secret))
    host.forget(room)
    return room.table.id


async def _play_games(port: int, games: list[str], cookie: str, found: Neighbours) -> None:
    for game in games:
        address = f"ws://127.0.0.1:{port}/api/games/{game}/socket"
        async with connect(address, additional_headers={"cookie": f"tessella={cookie}"}, compression=None) as socket:
            await socket.send('{"type":"hello"}')
            table: Table = {"number": -1, "status": "", "movers": []}
            while not _is_ours(table):
                table = _table(json.loads(await socket.recv())) or table
            while table["status"] != "over":
                await asyncio.sleep(THINK_SECONDS)
                table = await _move(socket, table, found)


async def _move(socket: ClientConnection, before: Table, found: Neighbours) -> Table:
    """Move, and wait until it is our turn again or the game is over; record both durations."""
    number, moves = before["number"], before["moves"]
    move = {"type": "play", "key": f"move-{number:08}", "number": number, "move": moves[number % len(moves)]}
    asked, confirmed, now = time.monotonic(), 0.0, 0.0
    table = before
    await socket.send(json.dumps(move))
    try:
        while not confirmed or table["number"] <= number or not _is_ours(table):
            message, now = json.loads(await socket.recv()), time.monotonic()
            if message["type"] == "error":
                raise Unfit(f"a move was refused: {message}")
            if message["type"] == "ack":
                confirmed = now
            table = _table(message) or table
    except asyncio.CancelledError:  # the time is over, and the bot has not answered yet
        found.note_answer(time.monotonic() - (confirmed or asked))
        raise
    found.note(confirmed - asked)
    if table["number"] > number + 1:  # the bot has moved
        found.note_answer(max(0.0, now - confirmed))
    return table


def _table(message: dict[str, Any]) -> Table | None:
    return message["table"] if message["type"] == "update" else None


def _is_ours(table: Table) -> bool:
    return table["status"] == "over" or 0 in table["movers"]
