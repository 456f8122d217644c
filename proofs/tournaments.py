"""Tournaments: every game verified, every result counted once, the standings right, though a worker dies in each round.

Bots play a duplicate Swiss for two and a league for four from the first round to the final table, at the same time, on
PostgreSQL and NATS, with two web workers of which one is killed in every round of every event, and started again. Then
everything is computed again from the logs of the games alone, by code that shares nothing with the server's: pairings,
seats, points, tie-breaks, places; and compared with what the server answers.
"""

import asyncio
import contextlib
import itertools
import json
import os
import signal
import sys
import time
import urllib.request
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import asyncpg
from msgspec import Struct

from proofs import Ask, Figure, Report
from proofs.cluster.processes import answers, free_port
from proofs.databases import fresh_postgres
from tessella.core import record
from tessella.server.rooms.history import decode_log
from tessella.server.services.events.entries import Terms, create
from tessella.server.store import connect
from tessella.server.store.migrate import migrate
from tessella.table.history import fold_log
from tessella.table.log import Live
from tessella.table.table import Table

SECONDS_PER_GAME = 8.0
"""How long an event may take for each of its games, beyond `SETUP_SECONDS`."""
SETUP_SECONDS = 300.0
POLL_SECONDS = 0.05
MOST_DELAY_SECONDS = 0.5
"""A worker is killed at most this long after a round was paired: while tables are opened, played or recorded."""
LEVEL = "1"


class Cup(Struct, frozen=True):
    """An event of the proof."""

    name: str
    players: int
    seats: int
    rounds: int
    format: str
    duplicate: bool

    @property
    def games(self) -> int:
        """How many games it has."""
        return self.rounds * (self.players // self.seats)


def cups(size: int) -> tuple[Cup, Cup]:
    """Return a duplicate Swiss for this many players and a league of four, in proportion: 24 players to 64."""
    quads = max(2, round(size * 24 / 64 / 4))
    rounds = max(2, (size - 1).bit_length())
    return (
        Cup("duplicate swiss", max(4, size - size % 2), 2, rounds, "swiss", duplicate=True),
        Cup("league", 4 * quads, 4, max(2, min(rounds, 5)), "round-robin", duplicate=False),
    )


def prove(ask: Ask) -> Report:
    """Run a Swiss of `ask.size` players, and a league."""
    return asyncio.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    async with contextlib.AsyncExitStack() as stack:
        url = await stack.enter_async_context(fresh_postgres(ask.database))
        await migrate(url)
        connection = await asyncpg.connect(url)
        stack.push_async_callback(connection.close)
        workers = [await stack.enter_async_context(_worker(url, ask.bus)) for _ in range(2)]
        events = await _create(url, cups(ask.size))  # only now, so that no round passes unseen
        began = time.monotonic()
        killed, late = await _run(connection, events, workers, Random(ask.seed))
        seconds = time.monotonic() - began
        views = {event: await asyncio.to_thread(_fetch, workers[0].port, event) for event in events}
        await asyncio.gather(*(worker.stop() for worker in workers))
        checked = Checked()
        for event, cup in () if late else events.items():  # an event that is stuck has failed anyway
            await _check(connection, event, cup, views[event], checked)
    wanted = sum(cup.games for cup in events.values())
    failures = [*late, *checked.failures]
    return Report(
        (
            Figure(
                "entrants", sum(cup.players for cup in events.values()), note=" and ".join(map(_says, events.values()))
            ),
            Figure("rounds", sum(cup.rounds for cup in events.values())),
            Figure("workers_killed", killed, at_least=sum(cup.rounds for cup in events.values()) - len(late)),
            Figure(
                "games", checked.games, at_least=wanted, at_most=wanted, note="all replayed, their deals recomputed"
            ),
            Figure("results", checked.results, note="each counted once"),
            Figure("seats_uneven", checked.uneven, note="largest difference between one player's seats"),
            Figure("met_again", checked.met_again, at_most=0, note="pairs of the Swiss that met twice"),
            Figure("wrong", len(failures), at_most=0),
            Figure("seconds", seconds),
        ),
        tuple(failures),
    )


def _says(cup: Cup) -> str:
    return f"{cup.players} in a {cup.name} for {cup.seats}"


async def _create(url: str, wanted: Sequence[Cup]) -> dict[str, Cup]:
    """Create the events, as the host does; they begin at once."""
    store = await connect(url)
    try:
        made: dict[str, Cup] = {}
        for cup in wanted:
            terms = Terms(
                name=cup.name,
                rules=f"azul/1 seats={cup.seats} wall=coloured",
                pace=Live(600, 5),
                format=cup.format,  # type: ignore[arg-type]
                seats=cup.seats,
                rounds=cup.rounds,
                starts=await store.now(),
                duplicate=cup.duplicate,
                most=cup.players,
                bots=cup.players,
                level=LEVEL,
            )
            made[await create(store, terms)] = cup
        return made
    finally:
        await store.close()


# Workers


class Worker:
    """A worker of its own process, which may be killed and started again."""

    def __init__(self, database: str, bus: str, module: str = "proofs.tournament_worker") -> None:
        self.port = free_port()
        self._command = [sys.executable, "-m", module, database, bus, str(self.port)]
        self._process: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()
        self.crashes = 0

    async def crash(self, after: float) -> None:
        """Kill it after some seconds, and start it again."""
        await asyncio.sleep(after)
        async with self._lock:
            await self.stop()
            self.crashes += 1
            await self.start()

    async def start(self) -> None:
        """Start it, and wait until it listens."""
        self._process = await asyncio.create_subprocess_exec(*self._command, env={**os.environ})
        await answers(self.port)

    async def stop(self, number: signal.Signals = signal.SIGKILL) -> None:
        """End it, and wait until it has ended."""
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(number)
            await self._process.wait()


@contextlib.asynccontextmanager
async def _worker(database: str, bus: str) -> AsyncGenerator[Worker]:
    worker = Worker(database, bus)
    await worker.start()
    try:
        yield worker
    finally:
        await worker.stop()


async def _run(
    connection: "asyncpg.Connection[asyncpg.Record]", events: Mapping[str, Cup], workers: Sequence[Worker], rng: Random
) -> tuple[int, list[str]]:
    """Let the workers play, and kill one in each round; return how many were killed, and which events did not end."""
    until = time.monotonic() + SETUP_SECONDS + SECONDS_PER_GAME * sum(cup.games for cup in events.values())
    seen: set[tuple[str, int]] = set()
    query = "SELECT id, state, round FROM events"
    async with asyncio.TaskGroup() as kills:
        while time.monotonic() < until:
            rows = await connection.fetch(query)
            if all(row["state"] == "over" for row in rows):
                break
            for row in rows:
                if row["round"] and row["state"] != "over" and (row["id"], row["round"]) not in seen:
                    seen.add((row["id"], row["round"]))
                    kills.create_task(rng.choice(workers).crash(rng.uniform(0.0, MOST_DELAY_SECONDS)))
            await asyncio.sleep(POLL_SECONDS)
    rows = [row for row in await connection.fetch(query) if row["state"] != "over"]
    stuck = [f"{events[row['id']].name}: still {row['state']} in round {row['round']}" for row in rows]
    return sum(worker.crashes for worker in workers), stuck


def _fetch(port: int, event: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/events/{event}", timeout=60) as answer:
        found: dict[str, Any] = json.loads(answer.read())
        return found


# Everything again, from the logs


class Checked:
    """What was found."""

    def __init__(self) -> None:
        self.games = self.results = self.uneven = self.met_again = 0
        self.failures: list[str] = []


class Game(Struct, frozen=True):
    """A game as its log has it: who sat where, the scores, the points of each seat."""

    round: int
    players: tuple[str, ...]
    scores: tuple[int, ...]
    halves: tuple[int, ...]


async def _check(
    connection: "asyncpg.Connection[asyncpg.Record]", event: str, cup: Cup, view: dict[str, Any], checked: Checked
) -> None:
    tables = await connection.fetch("SELECT * FROM event_tables WHERE event = $1 ORDER BY round, number", event)
    played: list[Game] = []
    deals: dict[int, set[tuple[str, ...]]] = defaultdict(set)
    for row in tables:
        log = await connection.fetch("SELECT body, at FROM entries WHERE game = $1 ORDER BY number", row["game"])
        table = fold_log(row["game"], decode_log([(entry["body"], entry["at"]) for entry in log])).table
        results = await connection.fetch("SELECT seat, score FROM results WHERE game = $1 ORDER BY seat", row["game"])
        checked.results += len(results)
        checked.failures += [f"{cup.name} {row['game']}: {fault}" for fault in _faults(table, list(map(dict, results)))]
        checked.games += 1
        deals[row["round"]].add((table.terms.commitment, *table.acts[:1]))
        played.append(_game(row["round"], tuple(json.loads(row["players"])), table))
    if cup.duplicate and any(len(first) > 1 for first in deals.values()):
        checked.failures.append(f"{cup.name}: the tables of a round had different deals")
    _check_pairing(cup, played, checked)
    checked.failures += [f"{cup.name}: {fault}" for fault in _compare(cup, view, played)]


def _faults(table: Table, results: Sequence[Mapping[str, Any]]) -> list[str]:
    """Replay a game, recompute its deals, and compare its results with what is stored."""
    if table.end is None:
        return ["is not over"]
    found: list[str] = []
    try:
        record.verify(table.game, record.read(record.write(table.record())))
    except ValueError as exc:
        found.append(f"its record is wrong: {exc}")
    stored = [(row["seat"], row["score"]) for row in results]
    if stored != list(enumerate(table.end.scores)):
        found.append(f"its results are {stored}, not {table.end.scores}, once per seat")
    return found


def _game(number: int, players: tuple[str, ...], table: Table) -> Game:
    assert table.end is not None
    places = table.end.places
    halves = tuple(
        sum(2 * (mine < other) + (mine == other) for seat, other in enumerate(places) if seat != own)
        for own, mine in enumerate(places)
    )
    return Game(number, players, table.end.scores, halves)


def _check_pairing(cup: Cup, played: Sequence[Game], checked: Checked) -> None:
    """Count who met twice and how uneven the seats were; everybody plays every round once."""
    met = Counter(frozenset(pair) for game in played for pair in itertools.combinations(game.players, 2))
    if cup.seats == 2:
        checked.met_again += sum(count > 1 for count in met.values())
    sat: dict[str, Counter[int]] = defaultdict(Counter)
    rounds: dict[int, list[str]] = defaultdict(list)
    for game in played:
        rounds[game.round] += game.players
        for seat, player in enumerate(game.players):
            sat[player][seat] += 1
    spread = [
        max(counts[seat] for seat in range(cup.seats)) - min(counts[seat] for seat in range(cup.seats))
        for counts in sat.values()
    ]
    checked.uneven = max(checked.uneven, *spread)
    if max(spread) > 2:
        checked.failures.append(f"{cup.name}: somebody had one seat {max(spread)} times more often than another")
    everybody = [f"bot:{LEVEL}:{number}" for number in range(cup.players)]
    if len(rounds) != cup.rounds or any(sorted(there) != sorted(everybody) for there in rounds.values()):
        checked.failures.append(f"{cup.name}: not everybody played every round once")


def _compare(cup: Cup, view: dict[str, Any], played: Sequence[Game]) -> list[str]:
    """Compare the final table that the server shows with one computed here."""
    ids = [f"bot:{LEVEL}:{number}" for number in range(cup.players)]
    points: Counter[str] = Counter()
    for game in played:
        points.update(dict(zip(game.players, game.halves, strict=True)))
    keys = {each: (Fraction(points[each], 2), *_breaks(cup, each, points, played)) for each in ids}
    numbers = _numbers(view, ids)
    if numbers is None:
        return ["the list of entrants is wrong"]
    shown: dict[str, dict[str, Any]] = {numbers[line["entrant"]]: line for line in view["standings"]}
    wrong: list[str] = []
    for each in ids:
        line = shown[each]
        place = 1 + sum(_ahead(cup, other, each, keys, played) for other in ids if other != each)
        mine = [float(keys[each][0]), *(round(float(value), 2) for value in keys[each][1:])]
        if cup.format == "round-robin":
            mine[1:1] = [line["breaks"][0]]  # the games among those who are level are compared by the place alone
        if [line["points"], *line["breaks"]] != mine or line["place"] != place or line["played"] != cup.rounds:
            wrong.append(f"{each} is shown as {line}, but has {mine} and place {place}")
    return wrong


def _numbers(view: dict[str, Any], ids: Sequence[str]) -> list[str] | None:
    """Return the ids of the entrants as the view numbers them: they entered at the same time, so by id."""
    return sorted(ids) if len(view["entrants"]) == len(ids) else None


def _breaks(cup: Cup, each: str, points: Counter[str], played: Sequence[Game]) -> tuple[Fraction, ...]:
    """Return the tie-breaks that do not depend on who is level."""
    buchholz = berger = margin = comparison = Fraction(0)
    for game in played:
        if each not in game.players:
            continue
        seat = game.players.index(each)
        margin += game.scores[seat] - Fraction(sum(game.scores), len(game.scores))
        same = [other.scores[seat] for other in played if other.round == game.round]
        comparison += game.scores[seat] - Fraction(sum(same), len(same))
        for other, rival in enumerate(game.players):
            if other != seat:
                buchholz += Fraction(points[rival], 2)
                berger += Fraction(points[rival], 2) * Fraction(_against(game, seat, other), 2)
    return (comparison, buchholz, berger) if cup.duplicate else (berger, margin)


def _against(game: Game, seat: int, other: int) -> int:
    """Return the half points of one seat against another."""
    return 1 + (game.halves[seat] > game.halves[other]) - (game.halves[seat] < game.halves[other])


def _ahead(cup: Cup, one: str, other: str, keys: Mapping[str, tuple[Fraction, ...]], played: Sequence[Game]) -> bool:
    """Return whether one is ranked above the other."""
    if cup.format != "round-robin" or keys[one][0] != keys[other][0]:
        return keys[one] > keys[other]
    level = {each for each, key in keys.items() if key[0] == keys[one][0]}
    return (_direct(one, level, played), *keys[one][1:]) > (_direct(other, level, played), *keys[other][1:])


def _direct(each: str, level: set[str], played: Sequence[Game]) -> int:
    """Return the half points against those who are level."""
    return sum(
        _against(game, game.players.index(each), other)
        for game in played
        if each in game.players
        for other, rival in enumerate(game.players)
        if rival in level and rival != each
    )
