"""The commands of `tessella admin`: what is asked for, as text for a person or as a line of JSON."""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from sqlalchemy.exc import SQLAlchemyError

from tessella.server import admin, backup, beats
from tessella.server import bus as buses
from tessella.server import store as stores
from tessella.server.host import Host
from tessella.server.settings import Settings
from tessella.server.store import migrate, roles
from tessella.server.store.errors import STORE_ERRORS

Options: TypeAlias = argparse.Namespace
Command: TypeAlias = Callable[[Settings, Options], Awaitable[int]]


def administer(settings: Settings, options: Options) -> int:
    """Do what is asked; the exit code says whether all is well."""
    os.umask(0o077)
    try:
        return asyncio.run(_administer(settings, options))
    except (*STORE_ERRORS, SQLAlchemyError) as wrong:
        raise RuntimeError(str(wrong).partition("\n")[0]) from wrong


async def _administer(settings: Settings, options: Options) -> int:
    return await COMMANDS[options.what](settings, options)


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")


@asynccontextmanager
async def _hosting(settings: Settings) -> AsyncGenerator[Host]:
    """A worker that nobody is connected to, over a store that must be there already."""
    path = Path(settings.database.removeprefix("sqlite:"))
    if settings.database.startswith("sqlite:") and not path.exists():
        raise FileNotFoundError(f"there is no database {path}")
    opened = await stores.connect(settings.database)
    try:
        now = await opened.now()
        host = Host(opened, buses.LocalBus(), await beats.read_outages(opened), lambda: now)
        host.bus = await buses.connect(settings.bus, host.hear)
        yield host
        await host.bus.close()
    finally:
        await opened.close()


async def _list(settings: Settings, options: Options) -> int:
    async with _hosting(settings) as host:
        found = await admin.list_games(host.store, options.status, options.most)
    if options.json:
        _say(admin.as_json(found))
        return 0
    _say("  ".join(f"{status} {count}" for status, count in sorted(found.counts.items())) or "no games")
    for game in found.games:
        _say(f"{game.id:<12} {game.status:<8} {game.number:>4} entries  {_when(game.touched)}  {game.rules}")
    return 0


async def _show(settings: Settings, options: Options) -> int:
    async with _hosting(settings) as host:
        found = await admin.show(host, options.game)
    if options.json:
        _say(admin.as_json(found))
        return 0
    _say(f"{found.id}  {found.rules}\n{found.status} {found.ended}, {found.number} entries, {_when(found.touched)}")
    for seat, chair in enumerate(found.seats):
        left = "" if chair.seconds is None else f"  {chair.seconds:.0f} s left"
        _say(f"{'>' if seat in found.movers else ' '} {seat}  {chair.name or '(free)'}  {chair.bot}{left}")
    return 0


async def _close(settings: Settings, options: Options) -> int:
    async with _hosting(settings) as host:
        await admin.close(host, options.game)
    _tell(options, {"closed": options.game}, f"{options.game} is closed, without a result")
    return 0


async def _export(settings: Settings, options: Options) -> int:
    if options.private:
        sys.stderr.write("tessella: these files tell what players hide; give them to nobody who plays or might\n")
    written: list[str] = []
    skipped: list[str] = []
    async with _hosting(settings) as host:
        async for game in _chosen(host, options):
            path = await admin.export(host.store, game, options.folder, private=options.private)
            skipped += [] if path else [game]
            written += [str(path)] if path else []
    _tell(options, {"written": written, "running": skipped}, "\n".join(written))
    if skipped and not options.all:
        raise ValueError(f"{', '.join(skipped)}: not over yet, so nobody's to read")
    return 0


async def _import(settings: Settings, options: Options) -> int:
    opened = await stores.connect(settings.database)
    done: dict[str, admin.Imported] = {}
    try:
        for path in options.files:
            done[str(path)] = await _import_file(opened, path)
    finally:
        await opened.close()
        lines = [f"{path}: {'stored as' if one.new else 'is here already as'} {one.game}" for path, one in done.items()]
        _tell(options, {"stored": {path: one.game for path, one in done.items()}}, "\n".join(lines))
    return 0


async def _import_file(store: stores.Store, path: Path) -> admin.Imported:
    try:
        return await admin.bring_in(store, path.read_text("utf-8"))
    except ValueError as wrong:
        raise ValueError(f"{path}: {wrong}") from None


async def _verify(settings: Settings, options: Options) -> int:
    async with _hosting(settings) as host:
        found = await admin.verify(host.store, _chosen(host, options))
    _say(admin.as_json(found) if options.json else _verdict(found))
    return 1 if found.wrong else 0


def _verdict(found: admin.Verified) -> str:
    wrong = [f"{each.game}: {each.why}" for each in found.wrong]
    total = f"{found.games} games ({found.finished} finished), {found.entries} entries, {found.deals} deals"
    return "\n".join([*wrong, f"{total}: {f'{len(wrong)} WRONG' if wrong else 'all as they must be'}"])


async def _chosen(host: Host, options: Options) -> AsyncIterator[str]:
    """The games that are named, or all."""
    if bool(options.games) == options.all:
        raise ValueError("name some games, or say --all")
    for game in options.games:
        yield game
    if options.all:
        async for game in admin.all_games(host.store):
            yield game


async def _migrate(settings: Settings, options: Options) -> int:
    await migrate.migrate(settings.database)
    _tell(options, {"step": migrate.head()}, f"the tables are at step {migrate.head()}")
    return 0


async def _grant(settings: Settings, options: Options) -> int:
    if settings.database.startswith("sqlite:"):
        raise ValueError("a file has no roles; they are for PostgreSQL")
    opened = await stores.connect(settings.database)
    try:
        count = await roles.grant(opened, options.role, "bots" if options.bots else "web")
    finally:
        await opened.close()
    kind = "bot worker" if options.bots else "worker"
    words = f"{options.role} has the rights of a {kind}: it adds to logs, changes none, and cannot look through seeds"
    _tell(options, {"granted": options.role, "statements": count}, words)
    return 0


async def _back_up(settings: Settings, options: Options) -> int:
    done = await backup.back_up(settings.database, options.file)
    size = options.file.stat().st_size
    words = f"{done.rows['games']} games, {done.rows['entries']} entries, {size:,} bytes in {options.file}"
    _tell(options, {"step": done.step, "rows": done.rows, "bytes": size}, words)
    return 0


async def _restore(settings: Settings, options: Options) -> int:
    await backup.restore(settings.database, options.file)
    options.games, options.all = [], True
    return await _verify(settings, options)


async def _archive(settings: Settings, options: Options) -> int:
    from tessella.server.archive import archive  # noqa: PLC0415  needs what only this needs

    async with _hosting(settings) as host:
        files = [str(path) for path in await archive(host.store, options.day, options.folder)]
    _tell(options, {"written": files}, "\n".join(files))
    return 0


def _tell(options: Options, figures: dict[str, object], words: str) -> None:
    sys.stdout.write(f"{json.dumps(figures)}\n" if options.json else f"{words}\n" if words else "")


def _when(moment: float) -> str:
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M}"


COMMANDS: Mapping[str, Command] = {
    "list": _list,
    "show": _show,
    "close": _close,
    "export": _export,
    "import": _import,
    "verify": _verify,
    "migrate": _migrate,
    "grant": _grant,
    "backup": _back_up,
    "restore": _restore,
    "archive": _archive,
}
