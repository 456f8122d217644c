"""A backup can be restored: with either store, from one to the other, and to a point in time.

Games of all kinds are played, a backup is taken between two moves, and play goes on. The restored data must be exactly
what had been confirmed by then; it must verify, its players must be recognised, and its games must go on to their end.
"""

import asyncio
import shutil
import subprocess
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from random import Random

import asyncpg
from msgspec import Struct

from proofs import Ask, Figure, Report
from proofs.cluster.processes import Postgres, a_folder, find
from proofs.databases import fresh_postgres
from proofs.load_clients import judge_logs
from tessella.games import GAMES
from tessella.progress import progress
from tessella.server import store as stores
from tessella.server.admin import backup
from tessella.server.cluster.bus import LocalBus
from tessella.server.people.identity import add_person, add_session, find_session
from tessella.server.rooms.host import Host
from tessella.server.rooms.lifecycle import Terms, open_table, sit
from tessella.server.rooms.room import Room
from tessella.server.store import Store
from tessella.table.log import Entry
from tessella.table.table import Secret, Table

RULES = {"azul": "azul/1 seats=2 wall=coloured", "blockers": "blockers/1 seats=3", "duel": "duel/1 seats=2"}
SOME_MOVES = 25
TO_THE_END = 2_000


class Held(Struct, frozen=True):
    """What was confirmed at some moment: the keys of each game in order, and a cookie of each person."""

    logs: dict[str, tuple[str, ...]]
    cookies: tuple[str, ...]


class Trial(Struct):
    """What was found."""

    failures: list[str]
    games: int = 0
    entries: int = 0
    restores: int = 0


def prove(ask: Ask) -> Report:
    """Restore in every way."""
    return asyncio.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    trial = Trial([])
    for way in progress(WAYS, "ways"):
        async with a_folder() as folder:
            await way(ask, folder, trial)
    return Report(
        (
            Figure("wrong", len(trial.failures), at_most=0, note="data that was not restored as it was"),
            Figure("restores", trial.restores, note="SQLite, PostgreSQL, one to the other, a point in time"),
            Figure("games", trial.games, note="restored, and played to their end"),
            Figure("entries", trial.entries, note="confirmed before the backup, all restored"),
        ),
        tuple(trial.failures),
    )


# Playing


class Club:
    """A few games over one store."""

    def __init__(self, store: Store, rng: Random) -> None:
        self.host = Host(store, LocalBus(), [], time.time)
        self.rng = rng
        self.cookies: list[str] = []

    async def begin(self, size: int) -> None:
        """Open and start `each` tables of every game."""
        for title in sorted(GAMES) * size:
            room = await open_table(self.host, Terms(RULES[title]))
            for seat in range(len(room.table.seats)):
                person = await add_person(self.host.store, f"Person {seat}", "guest")
                self.cookies.append(await add_session(self.host.store, person, "cookie"))
                await sit(self.host, room, seat, person)
            await self.host.append(room, "start", lambda table, secret: table.start(secret))

    async def play(self, most: int) -> None:
        """Play on at every table concurrently."""
        await asyncio.gather(
            *(self._play(room, self.rng.randint(most // 2, most)) for room in self.host.rooms.values())
        )

    async def _play(self, room: Room, most: int) -> None:
        for _ in range(most):
            if room.table.status == "over":
                return
            seat = room.table.movers[0]
            moves = room.table.game.legal_moves(room.table.state, seat)
            text = room.table.game.write_move(room.table.state, self.rng.choice(moves))
            await self.host.append(room, f"play-{room.table.number:05}", partial(_decide, seat, text))

    async def held(self) -> Held:
        """Return everything that has been confirmed so far."""
        logs = {game: tuple(row.key for row in await self.host.store.log(game, -1)) for game in self.host.rooms}
        return Held(logs, tuple(self.cookies))


def _decide(seat: int, text: str, table: Table, secret: Secret) -> Entry:
    return table.play(seat, text, secret)


async def _with_store(url: str, use: Callable[[Store], Awaitable[None]]) -> None:
    store = await stores.connect(url)
    try:
        await use(store)
    finally:
        await store.close()


async def _play_and_keep(url: str, ask: Ask, keep: Callable[[], Awaitable[object]]) -> Held:
    """Play, back up between two moves, and play on; return what was confirmed by then."""
    found: list[Held] = []

    async def use(store: Store) -> None:
        club = Club(store, Random(ask.seed))
        await club.begin(ask.size)
        await club.play(SOME_MOVES)
        found.append(await club.held())
        await keep()
        await club.play(SOME_MOVES)

    await _with_store(url, use)
    return found[0]


async def _judge(url: str, held: Held, trial: Trial, way: str) -> None:
    """Check that what was restored is exactly what was confirmed, and that the games can go on."""

    async def use(store: Store) -> None:
        trial.restores += 1
        club = Club(store, Random(way))
        for game, keys in held.logs.items():
            found = tuple(row.key for row in await store.log(game, -1))
            if found != keys:
                trial.failures.append(f"{way}: {game} came back with {len(found)} entries, not {len(keys)}")
            await club.host.room(game)
            trial.entries += len(keys)
        for cookie in held.cookies:
            if await find_session(store, cookie) is None:
                trial.failures.append(f"{way}: somebody is not known any more")
        await club.play(TO_THE_END)
        unfinished = [room.table.id for room in club.host.rooms.values() if room.table.status != "over"]
        trial.failures += [f"{way}: {game} does not go on" for game in unfinished]
        trial.failures += [f"{way}: {failure}" for failure in await judge_logs(store)]
        trial.games += len(held.logs)

    await _with_store(url, use)


# The ways


async def from_file(ask: Ask, folder: Path, trial: Trial) -> None:
    """Back up SQLite while the server runs; restore as a file, and into PostgreSQL."""
    source, target, kept = f"sqlite:{folder / 'source'}", f"sqlite:{folder / 'target'}", folder / "backup"
    held = await _play_and_keep(source, ask, lambda: backup.back_up(source, kept))
    await backup.restore(target, kept)
    await _judge(target, held, trial, "SQLite")
    async with fresh_postgres(ask.database) as url:
        await backup.restore(url, kept)
        await _judge(url, held, trial, "SQLite to PostgreSQL")


async def from_database(ask: Ask, folder: Path, trial: Trial) -> None:
    """Back up PostgreSQL while the server runs."""
    kept = folder / "backup"
    async with fresh_postgres(ask.database) as source, fresh_postgres(ask.database) as target:
        held = await _play_and_keep(source, ask, lambda: backup.back_up(source, kept))
        await backup.restore(target, kept)
        await _judge(target, held, trial, "PostgreSQL")


async def to_a_point_in_time(ask: Ask, folder: Path, trial: Trial) -> None:
    """Take a base backup before play and archive PostgreSQL's log; after a crash, recover to the named moment."""
    archive, base = folder / "archive", folder / "base"
    server = Postgres(folder, "archive_mode=on", f"archive_command=cp %p {archive}/%f", "wal_level=replica")
    await server.make()
    for path in (archive, base):
        _give_to(path, server.user)
    try:
        await server.get_ready()
        await (await stores.connect(server.url)).close()
        await _run(server, find("pg_basebackup"), "-d", server.url, "-D", str(base), "-X", "none", "-c", "fast")
        held = await _play_and_keep(server.url, ask, lambda: _execute(server.url, "pg_create_restore_point('here')"))
        await _execute(server.url, "pg_switch_wal()")
        await _archived(archive, server.folder)
        await server.crash()
        shutil.rmtree(server.folder)
        base.rename(server.folder)
        settings = f"restore_command = 'cp {archive}/%f %p'\nrecovery_target_name = 'here'\n"
        with (server.folder / "postgresql.auto.conf").open("a") as file:
            file.write(settings + "recovery_target_action = 'promote'\n")
        (server.folder / "recovery.signal").touch()
        await server.get_ready()
        await _promoted(server.url)
        await _judge(server.url, held, trial, "point in time")
    finally:
        await server.kill()


def _give_to(path: Path, user: str | None) -> None:
    path.mkdir(mode=0o700)
    if user:
        shutil.chown(path, user)


async def _run(server: Postgres, *words: str) -> None:
    run = partial(subprocess.run, words, check=True, capture_output=True, user=server.user, cwd="/", timeout=120)
    await asyncio.to_thread(run)


async def _execute(url: str, call: str) -> str:
    connection = await asyncpg.connect(url)
    try:
        return str(await connection.fetchval(f"SELECT {call}"))
    finally:
        await connection.close()


async def _archived(archive: Path, source: Path) -> None:
    """Wait until everything due is archived."""
    for _ in range(600):
        if any(archive.iterdir()) and not list((source / "pg_wal" / "archive_status").glob("*.ready")):
            return
        await asyncio.sleep(0.05)
    raise TimeoutError("the log is not archived")


async def _promoted(url: str) -> None:
    for _ in range(600):
        if await _execute(url, "pg_is_in_recovery()") == "False":
            return
        await asyncio.sleep(0.05)
    raise TimeoutError("the recovery does not end")


WAYS = (from_file, from_database, to_a_point_in_time)
