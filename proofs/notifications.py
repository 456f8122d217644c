"""News of turns: each is delivered exactly once or given up visibly, and on time, however receivers behave.

Turns of many people fall due at once. Two worker processes write down and deliver the news, to real HTTP receivers on
loopback: some answer at once, some fail at first or always, some hang, some answer late or too late. One worker is
killed while it sends, and replaced. What each receiver saw, and when, is compared with what the store says.

A message is late by what it waits beyond its due time and, after a failure, beyond the pause that follows one. What a
silent receiver delays is its own fault; but even there everything is over when it must be given up.
"""

import asyncio
import contextlib
import itertools
import json
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import asyncpg
from msgspec import Struct

from proofs import Ask, Figure, Report
from proofs.databases import fresh_postgres
from proofs.notification_worker import BACK_OFF_SECONDS, DEADLINE_SECONDS, GIVE_UP_SECONDS
from proofs.receivers import HANGS, Behave, Behaviour, Receiver, Request
from tessella.progress import progress_of
from tessella.server.services.news.turns import GRACE_SECONDS
from tessella.server.store.migrate import migrate

MOST_LATE_SECONDS = 60.0
END_SECONDS = 300.0
"""How long after the last give-up a turn may be without a verdict."""

FAILS = Behaviour(500, takes=False)
TOO_LATE = Behaviour(200, wait=2 * DEADLINE_SECONDS)


class Kind(Struct, frozen=True):
    """A kind of receiver: its share of the turns, how it behaves, and whether it answers in time."""

    name: str
    receivers: int
    behave: Behave
    answers: bool = True


KINDS = (
    Kind("prompt", 12, lambda _: Behaviour()),
    Kind("slow", 1, lambda _: Behaviour(wait=0.5 * DEADLINE_SECONDS)),
    Kind("fails at first", 2, lambda number: Behaviour() if number >= 2 else FAILS),
    Kind("always fails", 1, lambda _: FAILS),
    Kind("hangs", 2, lambda _: HANGS, answers=False),
    Kind("too late", 2, lambda _: TOO_LATE, answers=False),
)
TEMPLATES = ("json", "discord", "ntfy")
CHANNEL = (
    *("id", "person", "kind", "address", "secret", "receiver", "language", "site"),
    *("made", "confirmed", "turns"),
)
FINISHED = ("sent", "uncertain", "failed")


class Place(Struct, frozen=True):
    """A receiver of some kind."""

    kind: Kind
    receiver: Receiver


def prove(ask: Ask) -> Report:
    """Let `ask.size` turns fall due."""
    return asyncio.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    async with contextlib.AsyncExitStack() as stack:
        url = await stack.enter_async_context(fresh_postgres(ask.database))
        places = [
            Place(kind, await stack.enter_async_context(Receiver(kind.behave).serving()))
            for kind in KINDS
            for _ in range(kind.receivers)
        ]
        await migrate(url)
        connection = await asyncpg.connect(url)
        stack.push_async_callback(connection.close)
        due = await _plant(connection, ask, places)
        origins = ",".join(place.receiver.origin for place in places)
        killed = await _work(connection, ask, url, origins)
        rows = await connection.fetch("SELECT channel, state, reason, done FROM news")
    return _report(ask, places, {row["channel"]: dict(row) for row in rows}, due, killed)


# Turns that are due


async def _plant(connection: "asyncpg.Connection[asyncpg.Record]", ask: Ask, places: Sequence[Place]) -> float:
    """Give every turn its player and channel, and let all be due now; return when that is."""
    rng, numbers = Random(ask.seed), range(ask.size)
    now = time.time()
    due = now + 3.0
    tables: Mapping[str, tuple[Sequence[str], Iterator[Sequence[Any]]]] = {
        "people": (
            ("id", "name", "kind", "made"),
            ((f"p{n}", f"P{n}", "member", now - 9_999) for n in numbers),
        ),
        "games": (
            ("id", "game", "rules", "number", "status", "movers", "opened", "touched", "pace", "rated", "listed"),
            (
                (f"g{n}", "azul", "azul/1", 3, "playing", "0", now, due - GRACE_SECONDS, "days", False, False)
                for n in numbers
            ),
        ),
        "seats": (("game", "seat", "person"), ((f"g{n}", 0, f"p{n}") for n in numbers)),
        "channels": (
            CHANNEL,
            (_channel(n, places[rng.randrange(len(places))], now) for n in numbers),
        ),
    }
    for table, (columns, rows) in tables.items():
        await connection.copy_records_to_table(table, columns=columns, records=rows)
    return due


def _channel(number: int, place: Place, now: float) -> tuple[Any, ...]:
    origin = place.receiver.origin
    template = TEMPLATES[number % len(TEMPLATES)]
    about = (f"n{number}", f"p{number}", template, f"{origin}/n{number}", "whsec_c2VjcmV0" * (template == "json"))
    return (*about, origin.partition("//")[2], "en", "https://play.example.org", now - 9_999, now - 9_999, True)


# Workers


@contextlib.asynccontextmanager
async def _worker(url: str, origins: str) -> AsyncGenerator[asyncio.subprocess.Process]:
    command = [sys.executable, "-m", "proofs.notification_worker", url, origins]
    process = await asyncio.create_subprocess_exec(*command, env={**os.environ})
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _work(connection: "asyncpg.Connection[asyncpg.Record]", ask: Ask, url: str, origins: str) -> int:
    """Let two workers deliver, kill one when a third is done, and return how many were killed."""
    query = "SELECT count(*) FROM news WHERE done IS NOT NULL"
    until = time.monotonic() + GIVE_UP_SECONDS + END_SECONDS + ask.size / 100
    killed = 0
    async with contextlib.AsyncExitStack() as stack:
        first, _ = [await stack.enter_async_context(_worker(url, origins)) for _ in range(2)]
        bar = progress_of(itertools.count(), ask.size, "turns")
        shown = 0
        while (done := await connection.fetchval(query)) < ask.size and time.monotonic() < until:
            shown += sum(1 for _ in itertools.islice(bar, done - shown))
            if not killed and done >= ask.size / 3:
                first.kill()
                killed = 1
                await stack.enter_async_context(_worker(url, origins))
            await asyncio.sleep(0.2)
    return killed


# What came of it


class Tally:
    """What was found."""

    def __init__(self) -> None:
        self.states: Counter[str] = Counter()
        self.failures: list[str] = []
        self.latest: dict[str, float] = defaultdict(float)

    def late(self, kind: str, seconds: float) -> None:
        """Record how late something was."""
        self.latest[kind] = max(self.latest[kind], seconds)


def _report(
    ask: Ask, places: Sequence[Place], stored: Mapping[str, Mapping[str, Any]], due: float, killed: int
) -> Report:
    tally = Tally()
    seen: dict[str, tuple[Kind | None, list[Request]]] = {}
    for place in places:
        for channel, requests in _by_channel(place.receiver).items():
            seen[channel] = (place.kind, requests)
    for number in range(ask.size):
        channel = f"n{number}"
        kind, requests = seen.get(channel, (None, []))
        _judge(channel, kind, requests, stored.get(channel), due, tally)
    latest = max(tally.latest.values(), default=0.0)
    counted = tally.states
    return Report(
        (
            Figure("turns", ask.size, note=f"due at once, at {len(places)} receivers; {killed} worker killed"),
            Figure("sent", counted["sent"], at_least=1),
            Figure("uncertain", counted["uncertain"], note="may have arrived; shown as such, not repeated"),
            Figure("given_up", counted["failed"], note="shown as such"),
            Figure("requests", sum(len(place.receiver.requests) for place in places)),
            Figure("wrong", len(tally.failures), at_most=0, note="seen twice, lost without a word, or said to be sent"),
            Figure("latest", latest, MOST_LATE_SECONDS, note="seconds beyond a receiver's fault", timed=True),
            *(Figure(f"latest_{kind.replace(' ', '_')}", seconds) for kind, seconds in sorted(tally.latest.items())),
        ),
        tuple(tally.failures),
    )


def _by_channel(receiver: Receiver) -> dict[str, list[Request]]:
    found: dict[str, list[Request]] = defaultdict(list)
    for request in receiver.requests:
        path = request.line.split()[1].removeprefix("/")
        found[path or json.loads(request.body)["topic"]].append(request)
    return found


def _judge(
    channel: str,
    kind: Kind | None,
    requests: Sequence[Request],
    row: Mapping[str, Any] | None,
    due: float,
    tally: Tally,
) -> None:
    """Compare what a receiver saw of one turn with what the store says."""
    if row is None or row["state"] not in FINISHED:
        tally.failures.append(f"{channel}: no verdict ({row['state'] if row else 'never written down'})")
        return
    tally.states[row["state"]] += 1
    shown = _shown(requests)
    if shown > 1:
        tally.failures.append(f"{channel} ({kind.name if kind else ''}): seen {shown} times")
    if row["state"] == "sent" and shown != 1:
        tally.failures.append(f"{channel}: said to be sent, but seen {shown} times")
    if kind is not None and kind.answers and row["reason"] != "lost":
        _judge_times(kind, requests, due, tally)
    tally.late("over", row["done"] - due - GIVE_UP_SECONDS)


def _shown(requests: Sequence[Request]) -> int:
    """Return how often a turn became visible, where a receiver recognises the id of a repeated message."""
    taken = [request for request in requests if request.behaviour.takes]
    ids = [request.headers.get("webhook-id") or str(number) for number, request in enumerate(taken)]
    return len(set(ids))


def _judge_times(kind: Kind, requests: Sequence[Request], due: float, tally: Tally) -> None:
    tally.late(kind.name, requests[0].at - due)
    for number, (before, after) in enumerate(itertools.pairwise(requests)):
        pause = BACK_OFF_SECONDS[min(number, len(BACK_OFF_SECONDS) - 1)]
        tally.late(kind.name, after.at - before.at - before.behaviour.wait - pause)
