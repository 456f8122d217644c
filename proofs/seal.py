"""Sealing: finished games become small while people play and workers die, and every one is read as before.

Finished games of members are stored as a server would have stored them; two web workers seal them on PostgreSQL while
people play at tables of theirs through sockets, and while their logs are read again and again. A worker is killed in
the midst, several times. Then every log is compared with what it was, to the last bit of its times, and replayed.
Some games must stay as they are: unfinished ones, and ones whose log does not replay.

How small they are is measured with nothing in the database but them: finished games of two rated members each. Counted
is what the tables of games take with all their indexes, beyond what they take empty. In PostgreSQL the tables from
which rows were removed are rewritten first (VACUUM FULL), as a host does once; a SQLite file is vacuumed. The replay of
a sealed and of an unsealed game is requested in turn, by the processor's clock.
"""

import asyncio
import contextlib
import logging
import sqlite3
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import asyncpg
from msgspec import Struct
from msgspec.structs import replace

from proofs import Ask, Figure, Report
from proofs.databases import folder_in_memory, fresh_postgres
from proofs.finished_games import (
    COLUMNS,
    FinishedGame,
    Numbering,
    Rows,
    digest_of,
    finished_games,
    members,
    record_of,
    rows_of,
    rows_of_people,
    unfinished_games,
)
from proofs.in_process_server import Call, InProcessServer, serve_in_process, status_of
from proofs.load_clients import Diary, Party, Wanted, set_table
from proofs.sim.oracle import Broken
from proofs.tournaments import Worker
from tessella.progress import progress, progress_of
from tessella.server.cluster.bus import LocalBus
from tessella.server.rooms.history import decode_log
from tessella.server.rooms.host import Host
from tessella.server.services.sealing import Outcome, all_due, seal
from tessella.server.store import Logged, Store, connect
from tessella.server.store.migrate import migrate
from tessella.table.history import fold_log
from tessella.table.log import Played, read_entry, write_entry

MOST_BYTES = 1_536
"""1.5 KB for a finished game of Azul, with its results, its indexes, and what finds it for its players."""

JUDGED_FROM = 1_000
"""Sizes and times are judged only if at least this many games are sealed: pages of 8 KB would count more than rows."""

FILE_GAMES = 1_000
"""Stored in a SQLite file."""

REPLAYED_GAMES = 40
MOST_RATIO = 1.05
"""How much more of the processor the replay of a sealed game may take; the difference is within what is measured."""

TABLES = 2
"""At which people play."""
THINK_SECONDS = 0.1
SECONDS_PER_GAME = 0.2
SETUP_SECONDS = 300.0
POLL_SECONDS = 0.1
KILLS = (0.1, 0.4, 0.7)
"""After which share of the games a worker is killed."""


def prove(ask: Ask) -> Report:
    """Seal `ask.size` games."""
    logging.getLogger("tessella.server").setLevel(logging.CRITICAL)
    return asyncio.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    rng = Random(ask.seed)
    people = members(rng)
    played = list(islice(progress_of(finished_games(rng, people), ask.size, "games"), ask.size))
    run = await _seal_while_people_play(ask, rng, people, played)
    sizes = await _measure_file(people, played[:FILE_GAMES])
    unjudged = f"fewer than {JUDGED_FROM} games were to be sealed"
    small = ask.size < JUDGED_FROM
    return Report(
        (
            Figure("sealed", run.sealed, at_least=ask.size, at_most=ask.size, note="equal to what they were"),
            Figure("lost", run.lost, at_most=0, note="games or entries that are not what they were"),
            Figure("left", run.left, note="unfinished games, and games that do not replay: as they were"),
            Figure("reads", run.reads, note="of a whole log meanwhile, each right"),
            Figure("moves", run.moves, at_least=1, note="confirmed to people who played meanwhile, each stored once"),
            Figure("workers_killed", run.killed, at_least=len(KILLS)),
            Figure("games_per_second", ask.size / run.seconds, note="two workers, beside everything else"),
            Figure("postgres_bytes_before", run.bytes_before),
            Figure("postgres_bytes", run.bytes, at_most=MOST_BYTES, note="per finished game, indexes included"),
            Figure("sqlite_bytes_before", sizes.before),
            Figure("sqlite_bytes", sizes.after, at_most=MOST_BYTES, note="per finished game, indexes included"),
            Figure("replay_ms_before", sizes.replay_before * 1_000, note="processor time of a request"),
            Figure("replay_ms", sizes.replay * 1_000, note="the same, sealed"),
            Figure("replay_ratio", sizes.ratio, at_most=MOST_RATIO, note="sealed to unsealed, median of pairs"),
            *(Figure(f"bytes_{name}", value) for name, value in run.parts.items()),
        ),
        tuple(run.failures),
        dict.fromkeys(("workers_killed", "postgres_bytes", "sqlite_bytes", "replay_ratio"), unjudged) if small else {},
    )


# Sealing while people play


class Run(Struct):
    """What was observed."""

    failures: list[str]
    sealed: int = 0
    lost: int = 0
    left: int = 0
    reads: int = 0
    moves: int = 0
    killed: int = 0
    seconds: float = 1.0
    bytes_before: float = 0.0
    bytes: float = 0.0
    """Per game, in PostgreSQL."""
    parts: Mapping[str, float] = {}

    def blame(self, game: str, fault: str) -> None:
        """Note that a game is not what it was."""
        self.lost += 1
        self.failures.append(f"{game}: {fault}")


async def _seal_while_people_play(
    ask: Ask, rng: Random, people: Sequence[tuple[str, str]], played: Sequence[FinishedGame]
) -> Run:
    run = Run([])
    broken = [_break(game, number) for number, game in enumerate(islice(finished_games(rng, people), 6))]
    others = [*islice(unfinished_games(rng, people), 10), *broken]
    async with contextlib.AsyncExitStack() as stack:
        url = await stack.enter_async_context(fresh_postgres(ask.database))
        await migrate(url)
        empty, _ = await _size_of_postgres(url)
        await _store_in_postgres(url, people, [*played, *others])
        run.bytes_before = ((await _size_of_postgres(url))[0] - empty) / (len(played) + len(others))
        store = await connect(url)
        stack.push_async_callback(store.close)
        workers = [Worker(url, ask.bus, "proofs.seal_worker") for _ in range(2)]
        for worker in workers:
            stack.push_async_callback(worker.stop)
        await asyncio.gather(*(worker.start() for worker in workers))
        began = time.monotonic()
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_play(store, workers, stop, run))
            tasks.create_task(_read(store, played, rng, stop, run))
            await _wait_and_kill(url, workers, len(played), rng, run)
            run.seconds = time.monotonic() - began
            stop.set()
        for worker in workers:
            await worker.stop()
        await _check(store, played, run)
        await _check_others(store, others, run)
        await _remove_others(url, played)
        full, parts = await _size_of_postgres(url)
        run.bytes = (full - empty) / len(played)
        run.parts = {name: value / len(played) for name, value in parts.items()}
    return run


def _break(game: FinishedGame, number: int) -> FinishedGame:
    """Return a game whose log does not replay: an unknown entry, or a move that is never legal."""
    entry = read_entry(game.log[12].body)
    assert isinstance(entry, Played)
    body = '{"type":"new"}' if number % 2 else write_entry(Played(entry.seat, ("9w9",)))
    return replace(game, log=(*game.log[:12], replace(game.log[12], body=body), *game.log[13:]))


async def _store_in_postgres(url: str, people: Sequence[tuple[str, str]], games: Sequence[FinishedGame]) -> None:
    connection = await asyncpg.connect(url)
    try:
        for name, rows in _all_rows(people, games).items():
            await connection.copy_records_to_table(name, records=rows, columns=COLUMNS[name])
        await connection.execute("ANALYZE")
    finally:
        await connection.close()


def _all_rows(people: Sequence[tuple[str, str]], games: Sequence[FinishedGame]) -> dict[str, Rows]:
    numbering = Numbering()
    found: dict[str, Rows] = {name: [] for name in COLUMNS} | {"people": rows_of_people(people)}
    for game in games:
        for name, rows in rows_of(game, numbering).items():
            found[name] += rows
    return found


async def _play(store: Store, workers: Sequence[Worker], stop: asyncio.Event, run: Run) -> None:
    """Let people play, game after game, until everything is sealed; compare what they saw with the logs."""
    host, diary, ports = Host(store, LocalBus(), [], time.time), Diary(), [worker.port for worker in workers]
    while not stop.is_set():
        parties = [await set_table(host, Wanted("azul", 2, 2), ports, diary) for _ in range(TABLES)]
        for client in (client for party in parties for client in party.clients):
            client.think = lambda: THINK_SECONDS
        playing = [asyncio.create_task(party.play()) for party in parties]
        _, late = await asyncio.wait(playing, timeout=SETUP_SECONDS)
        for task in late:
            task.cancel()
        run.failures += [f"{len(late)} games do not come to their end"] if late else []
        for party in parties:
            await _judge(party, store, run)
    run.moves = diary.confirmed


async def _judge(party: Party, store: Store, run: Run) -> None:
    try:
        await party.judge(store)
    except Broken as exc:
        run.blame(party.game, str(exc))


async def _read(store: Store, played: Sequence[FinishedGame], rng: Random, stop: asyncio.Event, run: Run) -> None:
    """Read logs while they are sealed; each must be whole at every moment. The oldest are sealed first."""
    choose = Random(rng.random())
    while not stop.is_set():
        game = played[min(run.sealed + choose.randrange(100), len(played) - 1)]
        run.reads += 1
        if digest_of(await store.log(game.id, -1)) != digest_of(game.log):
            run.blame(game.id, "its log was not whole while it was sealed")
            return
        await asyncio.sleep(0.002)


async def _wait_and_kill(url: str, workers: Sequence[Worker], count: int, rng: Random, run: Run) -> None:
    """Wait until every game is sealed, and kill a worker now and then."""
    kills = [int(share * count) for share in KILLS]
    until = time.monotonic() + SETUP_SECONDS + SECONDS_PER_GAME * count
    bar = progress(range(count), "sealing")
    connection = await asyncpg.connect(url)
    while run.sealed < count and time.monotonic() < until and not run.failures:
        await asyncio.sleep(POLL_SECONDS)
        now = int(await connection.fetchval("SELECT count(*) FROM games WHERE sealed_to >= 0"))
        list(islice(bar, max(0, now - run.sealed)))
        run.sealed = now
        if kills and run.sealed >= kills[0]:
            kills.pop(0)
            await rng.choice(workers).crash(rng.uniform(0, 0.3))
            run.killed += 1
    await connection.close()


async def _check(store: Store, played: Sequence[FinishedGame], run: Run) -> None:
    """Compare every log with what it was, replay it, and see that it is sealed."""
    run.sealed = 0
    for game in progress(played, "checking"):
        stored = await store.stored(game.id)
        log = stored.log()
        if digest_of(log) != digest_of(game.log):
            run.blame(game.id, "its log is not what it was")
        elif record_of(_replayed(game.id, log)) != record_of(game.table):
            run.blame(game.id, "it replays to another record")
        elif await store.seed(game.id) != game.seed:
            run.blame(game.id, "its seed is lost")
        else:
            run.sealed += stored.sealed is not None and not stored.entries


def _replayed(game_id: str, log: Sequence[Logged]) -> Any:
    return fold_log(game_id, decode_log([(row.body, row.at) for row in log])).table


async def _check_others(store: Store, others: Sequence[FinishedGame], run: Run) -> None:
    """See that unfinished games, and those that do not replay, are as they were; verify the games that were played."""
    for game in others:
        stored = await store.stored(game.id)
        if stored.sealed is not None:
            run.blame(game.id, f"it is sealed, though it is {game.table.status} or does not replay")
        elif digest_of(stored.entries) != digest_of(game.log):
            run.blame(game.id, "its log is not what it was")
        else:
            run.left += 1


# Sizes


class Sizes(Struct, frozen=True):
    """Bytes per game in a file, and seconds of the processor per replay, before sealing and after."""

    before: float
    after: float
    replay_before: float
    replay: float
    ratio: float


async def _measure_file(people: Sequence[tuple[str, str]], played: Sequence[FinishedGame]) -> Sizes:
    with folder_in_memory() as folder:
        files = [folder / "sealed", folder / "not"]
        for path in files:
            await migrate(f"sqlite:{path}")
        empty = _size_of_file(files[0])
        for path in files:
            _store_in_file(path, people, played)
        before = _size_of_file(files[0])
        await _seal_all(f"sqlite:{files[0]}")
        after = _size_of_file(files[0])
        times = await _time_replays(files, played[: min(REPLAYED_GAMES, len(played) // 10)])
    sealed, unsealed = [each[0] for each in times], [each[1] for each in times]
    ratio = median(one / other for one, other in times)
    count = len(played)
    return Sizes((before - empty) / count, (after - empty) / count, median(unsealed), median(sealed), ratio)


async def _seal_all(url: str) -> None:
    store, outcome = await connect(url), Outcome()
    try:
        due = [game async for game in all_due(store, await store.now())]
        for game in progress(due, "sealing to measure"):
            await seal(store, game, outcome)
    finally:
        await store.close()
    assert (outcome.waiting, outcome.unsealable) == (0, 0), outcome


_GAME_TABLES = ("games", "entries", "seeds", "seats", "results")


async def _remove_others(url: str, played: Sequence[FinishedGame]) -> None:
    """Remove all games but the sealed ones."""
    connection = await asyncpg.connect(url)
    try:
        for name in _GAME_TABLES:
            key = "id" if name == "games" else "game"
            await connection.execute(f"DELETE FROM {name} WHERE {key} <> ALL($1)", [game.id for game in played])  # noqa: S608
    finally:
        await connection.close()


async def _size_of_postgres(url: str) -> tuple[int, dict[str, int]]:
    """Return the bytes of all tables of games with everything that belongs to them, and of each table and index."""
    connection = await asyncpg.connect(url)
    try:
        for name in ("entries", "seeds", "seats", "games"):
            await connection.execute(f"VACUUM FULL {name}")
        await connection.execute("VACUUM ANALYZE")
        total = "SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest($1::text[]) AS name"
        names = "SELECT c.oid::regclass::text AS name, pg_relation_size(c.oid) AS bytes FROM pg_class c"
        there = "LEFT JOIN pg_index i ON i.indexrelid = c.oid"
        wanted = "coalesce(i.indrelid, c.oid)::regclass::text = ANY($1) AND c.relkind IN ('r', 'i')"
        rows = await connection.fetch(f"{names} {there} WHERE {wanted}", list(_GAME_TABLES))
        whole = int(await connection.fetchval(total, list(_GAME_TABLES)))
        parts = {row["name"]: int(row["bytes"]) for row in rows if row["bytes"] > 2 * 8_192}
    finally:
        await connection.close()
    return whole, dict(sorted(parts.items(), key=lambda part: -part[1]))


def _store_in_file(path: Path, people: Sequence[tuple[str, str]], games: Sequence[FinishedGame]) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for name, rows in _all_rows(people, games).items():
            marks = ", ".join("?" * len(COLUMNS[name]))
            connection.executemany(f"INSERT INTO {name} ({', '.join(COLUMNS[name])}) VALUES ({marks})", rows)  # noqa: S608


def _size_of_file(path: Path) -> int:
    """Return the bytes of a file after VACUUM, with those of the people who played."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.stat().st_size


async def _time_replays(files: Sequence[Path], played: Sequence[FinishedGame]) -> list[tuple[float, float]]:
    """Request the replay of each game from a server where it is sealed and from one where it is not, in turn."""
    async with contextlib.AsyncExitStack() as stack:
        servers = [await stack.enter_async_context(_serve(path)) for path in files]
        return [await _time_pair(servers, game.id, turn) for turn, game in enumerate(progress(played, "replays"))]


@contextlib.asynccontextmanager
async def _serve(path: Path) -> AsyncGenerator[InProcessServer]:
    async with serve_in_process(database=f"sqlite:{path}") as server:
        yield server


async def _time_pair(servers: Sequence[InProcessServer], game: str, turn: int) -> tuple[float, float]:
    """Return the least processor time of a few requests at each server; every other time the second one is first."""
    best = [float("inf")] * 2
    for attempt in range(4):
        for number in sorted(range(2), reverse=bool((turn + attempt) % 2)):
            best[number] = min(best[number], await _time_replay(servers[number], game))
    return best[0], best[1]


async def _time_replay(server: InProcessServer, game: str) -> float:
    address = ".".join(map(str, game.encode()[:4]))  # no address asks too often
    began = time.process_time()
    answers = await server.ask(Call("GET", f"/api/games/{game}/replay", address=address))
    seconds = time.process_time() - began
    assert status_of(answers) == 200, answers
    room = await server.host.room(game)
    assert room is not None
    server.host.forget(room)
    return seconds
