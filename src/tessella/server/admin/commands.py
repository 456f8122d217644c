"""The subcommands of `tessella admin`, with output as text or as one line of JSON."""

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

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from tessella.core.notation import decode_text
from tessella.server import store as stores
from tessella.server.admin import backup, events, games, reports
from tessella.server.cluster import bus as buses
from tessella.server.cluster import heartbeats
from tessella.server.rooms.host import Host
from tessella.server.settings import Settings
from tessella.server.store import migrate, roles
from tessella.server.store.errors import STORE_ERRORS

Options: TypeAlias = argparse.Namespace
Command: TypeAlias = Callable[[Settings, Options], Awaitable[int]]


def administer(settings: Settings, options: Options) -> int:
    """Run a subcommand and return the exit code: 1 if `verify` found errors."""
    os.umask(0o077)
    try:
        return asyncio.run(_administer(settings, options))
    except (*STORE_ERRORS, SQLAlchemyError) as exc:
        raise RuntimeError(str(exc).partition("\n")[0]) from exc


async def _administer(settings: Settings, options: Options) -> int:
    return await COMMANDS[options.what](settings, options)


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")


@asynccontextmanager
async def _hosting(settings: Settings) -> AsyncGenerator[Host]:
    """Yield a host without clients; raise FileNotFoundError if there is no database file."""
    path = Path(settings.database.removeprefix("sqlite:"))
    if settings.database.startswith("sqlite:") and not path.exists():
        raise FileNotFoundError(f"there is no database {path}")
    opened = await stores.connect(settings.database)
    try:
        now = await opened.now()
        host = Host(opened, buses.LocalBus(), await heartbeats.read_outages(opened), lambda: now)
        host.bus = await buses.connect(settings.bus, host.receive)
        yield host
        await host.bus.close()
    finally:
        await opened.close()


async def _list(settings: Settings, options: Options) -> int:
    async with _hosting(settings) as host:
        found = await games.list_games(host.store, options.status, options.most)
    if options.json:
        _print(games.as_json(found))
        return 0
    counts = [
        f"{status} {'more than ' if status in found.capped else ''}{count}"
        for status, count in sorted(found.counts.items())
    ]
    _print("  ".join(counts) or "no games")
    for game in found.games:
        _print(f"{game.id:<12} {game.status:<8} {game.number:>4} entries  {_time(game.touched)}  {game.rules}")
    return 0


async def _show(settings: Settings, options: Options) -> int:
    async with _hosting(settings) as host:
        found = await games.show(host, options.game)
    if options.json:
        _print(games.as_json(found))
        return 0
    _print(f"{found.id}  {found.rules}\n{found.status} {found.ended}, {found.number} entries, {_time(found.touched)}")
    for seat, occupant in enumerate(found.seats):
        left = "" if occupant.seconds is None else f"  {occupant.seconds:.0f} s left"
        _print(f"{'>' if seat in found.movers else ' '} {seat}  {occupant.name or '(free)'}  {occupant.bot}{left}")
    return 0


async def _reports(settings: Settings, options: Options) -> int:
    async with _hosting(settings) as host:
        found = await reports.list_reports(host.store, options.most)
    if options.json:
        _print(games.as_json(found))
        return 0
    for each in found.reports:
        table = f"  table {each.game}" if each.game else ""
        _print(f"{_time(each.made)}  {each.reason:<9} {each.name} ({each.other}), by {each.by} ({each.person}){table}")
    if not found.reports:
        _print("no reports")
    return 0


async def _close(settings: Settings, options: Options) -> int:
    async with _hosting(settings) as host:
        await games.close(host, options.game)
    _report(options, {"closed": options.game}, f"{options.game} is closed, without a result")
    return 0


async def _export(settings: Settings, options: Options) -> int:
    if options.private:
        sys.stderr.write("tessella: these files show hidden information of running games; keep them from all players\n")
    written: list[str] = []
    skipped: list[str] = []
    async with _hosting(settings) as host:
        async for game in _chosen(host, options):
            path = await games.export(host.store, game, options.folder, private=options.private)
            skipped += [] if path else [game]
            written += [str(path)] if path else []
    _report(options, {"written": written, "running": skipped}, "\n".join(written))
    if skipped and not options.all:
        raise ValueError(f"{', '.join(skipped)}: not over yet; use --private to export running games")
    return 0


async def _import(settings: Settings, options: Options) -> int:
    opened = await stores.connect(settings.database)
    done: dict[str, games.Imported] = {}
    try:
        for path in options.files:
            done[str(path)] = await _import_file(opened, path)
    finally:
        await opened.close()
        lines = [f"{path}: {'stored as' if one.new else 'is here already as'} {one.game}" for path, one in done.items()]
        _report(options, {"stored": {path: one.game for path, one in done.items()}}, "\n".join(lines))
    return 0


async def _import_file(store: stores.Store, path: Path) -> games.Imported:
    try:
        return await games.import_record(store, decode_text(path.read_bytes(), str(path)))
    except ValueError as exc:
        raise ValueError(f"{path}: {exc}") from None


async def _verify(settings: Settings, options: Options) -> int:
    async with _hosting(settings) as host:
        found = await games.verify(host.store, _chosen(host, options))
    _print(games.as_json(found) if options.json else _verdict(found))
    return 1 if found.wrong else 0


def _verdict(found: games.Verified) -> str:
    wrong = [f"{each.game}: {each.message}" for each in found.wrong]
    total = f"{found.games} games ({found.finished} finished), {found.entries} entries, {found.deals} deals"
    return "\n".join([*wrong, f"{total}: {f'{len(wrong)} WRONG' if wrong else 'all correct'}"])


async def _chosen(host: Host, options: Options) -> AsyncIterator[str]:
    """Yield the ids of the named games, or of all games."""
    if bool(options.games) == options.all:
        raise ValueError("name some games, or use --all")
    for game in options.games:
        yield game
    if options.all:
        async for game in games.all_games(host.store):
            yield game


async def _migrate(settings: Settings, options: Options) -> int:
    await migrate.migrate(settings.database)
    _report(options, {"step": migrate.head()}, f"the database is at migration {migrate.head()}")
    return 0


async def _grant(settings: Settings, options: Options) -> int:
    if settings.database.startswith("sqlite:"):
        raise ValueError("SQLite has no roles; --database must be a PostgreSQL address")
    opened = await stores.connect(settings.database)
    try:
        count = await roles.grant(opened, options.role, "bots" if options.bots else "web")
    finally:
        await opened.close()
    kind = "bot worker" if options.bots else "worker"
    text = (
        f"{options.role} has the rights of a {kind}: it can append to logs but not change them, and cannot list seeds"
    )
    _report(options, {"granted": options.role, "statements": count}, text)
    return 0


async def _back_up(settings: Settings, options: Options) -> int:
    done = await backup.back_up(settings.database, options.file)
    size = options.file.stat().st_size
    text = f"{done.rows['games']} games, {done.rows['entries']} entries, {size:,} bytes in {options.file}"
    _report(options, {"step": done.step, "rows": done.rows, "bytes": size}, text)
    return 0


async def _restore(settings: Settings, options: Options) -> int:
    await backup.restore(settings.database, options.file)
    options.games, options.all = [], True
    return await _verify(settings, options)


async def _archive(settings: Settings, options: Options) -> int:
    from tessella.server.admin.archive import archive  # noqa: PLC0415  needs pyarrow

    async with _hosting(settings) as host:
        files = [str(path) for path in await archive(host.store, options.day, options.folder)]
    _report(options, {"written": files}, "\n".join(files))
    return 0


async def _events(settings: Settings, options: Options) -> int:
    async with _hosting(settings) as host:
        if options.add:
            names = ("title", "format", "seats", "rounds", "duplicate", "fill", "most", "days", "bots", "count")
            same = {name: getattr(options, name) for name in (*names, "every_days")}
            starts = options.starts or datetime.now(UTC)
            made = await events.schedule(host.store, events.Series(name=options.add, starts=starts, **same))
            _report(options, {"created": made}, "\n".join(made))
            return 0
        if options.cancel:
            await events.cancel(host.store, options.cancel)
            _report(options, {"cancelled": options.cancel}, f"{options.cancel} is cancelled")
            return 0
        found = await events.list_all(host.store)
    lines = [f"{each.id:<12} {each.state:<8} {_time(each.starts)}  {each.format:<12} {each.name}" for each in found]
    _report(options, {"events": [msgspec.to_builtins(each) for each in found]}, "\n".join(lines) or "no events")
    return 0


def _report(options: Options, figures: dict[str, object], text: str) -> None:
    sys.stdout.write(f"{json.dumps(figures)}\n" if options.json else f"{text}\n" if text else "")


def _time(moment: float) -> str:
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
    "reports": _reports,
    "events": _events,
}
