"""The subcommands of `tessella admin`, with output as text or as one line of JSON."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from tessella.core.notation import decode_text
from tessella.progress import progress
from tessella.server import store as stores
from tessella.server.admin import backup, clubs, events, games, people
from tessella.server.admin.hosting import Command, Options, hosting, report, show_line, time_of
from tessella.server.rooms.host import Host
from tessella.server.services import sealing
from tessella.server.services.moderation import list_reports
from tessella.server.settings import Settings
from tessella.server.store import migrate, roles
from tessella.server.store.errors import STORE_ERRORS
from tessella.table.clock import DAY_SECONDS


def administer(settings: Settings, options: Options) -> int:
    """Run a subcommand and return the exit code: 1 if `verify` found errors, or `seal` left a game as it is."""
    os.umask(0o077)
    try:
        return asyncio.run(_administer(settings, options))
    except (*STORE_ERRORS, SQLAlchemyError) as exc:
        raise RuntimeError(str(exc).partition("\n")[0]) from exc


async def _administer(settings: Settings, options: Options) -> int:
    return await COMMANDS[options.what](settings, options)


async def _list(settings: Settings, options: Options) -> int:
    async with hosting(settings) as host:
        found = await games.list_games(host.store, options.status, options.most)
    if options.json:
        show_line(games.as_json(found))
        return 0
    counts = [
        f"{status} {'more than ' if status in found.capped else ''}{count}"
        for status, count in sorted(found.counts.items())
    ]
    show_line("  ".join(counts) or "no games")
    for game in found.games:
        show_line(f"{game.id:<12} {game.status:<8} {game.number:>4} entries  {time_of(game.touched)}  {game.rules}")
    return 0


async def _show(settings: Settings, options: Options) -> int:
    async with hosting(settings) as host:
        found = await games.show(host, options.game)
    if options.json:
        show_line(games.as_json(found))
        return 0
    show_line(
        f"{found.id}  {found.rules}\n{found.status} {found.ended}, {found.number} entries, {time_of(found.touched)}"
    )
    for seat, occupant in enumerate(found.seats):
        left = "" if occupant.seconds is None else f"  {occupant.seconds:.0f} s left"
        show_line(f"{'>' if seat in found.movers else ' '} {seat}  {occupant.name or '(free)'}  {occupant.bot}{left}")
    return 0


async def _reports(settings: Settings, options: Options) -> int:
    async with hosting(settings) as host:
        found = await list_reports(host.store, options.most)
    if options.json:
        show_line(json.dumps({"reports": [msgspec.to_builtins(each) for each in found]}))
        return 0
    for each in found:
        table = f"  table {each.game}" if each.game else ""
        banned = ", banned" if each.banned else ""
        about = f"{each.name} ({each.other}{banned}), by {each.by} ({each.person}){table}"
        show_line(f"{time_of(each.made)}  {each.reason:<9} {about}")
    show_line("tessella admin people show ID; tessella admin people ban ID" if found else "no reports")
    return 0


async def _close(settings: Settings, options: Options) -> int:
    wanted = games.Wanted(options.idle_days, options.owner, unstarted=options.unstarted)
    if bool(options.games) == wanted.is_set:
        raise ValueError("name some games, or choose them by --idle-days, --owner or --unstarted")
    async with hosting(settings) as host:
        ids = options.games or await games.choose(host.store, wanted)
        for game in () if options.dry_run else ids:
            await games.close(host, game)
    does = "would be closed" if options.dry_run else "is closed"
    lines = [f"{game} {does}, without a result" for game in ids]
    report(options, {"dry_run" if options.dry_run else "closed": ids}, "\n".join(lines) or "no tables")
    return 0


async def _export(settings: Settings, options: Options) -> int:
    if options.private:
        sys.stderr.write("tessella: these files show hidden information of running games; keep them from all players\n")
    written: list[str] = []
    skipped: list[str] = []
    async with hosting(settings) as host:
        async for game in _chosen(host, options):
            path = await games.export(host.store, game, options.folder, private=options.private)
            skipped += [] if path else [game]
            written += [str(path)] if path else []
    report(options, {"written": written, "running": skipped}, "\n".join(written))
    if skipped and not options.all:
        raise ValueError(f"{', '.join(skipped)}: not over yet; use --private to export running games")
    return 0


async def _import(settings: Settings, options: Options) -> int:
    if await migrate.revision_of(settings.database):
        await migrate.require_current(settings.database)
    opened = await stores.connect(settings.database)
    done: dict[str, games.Imported] = {}
    try:
        for path in options.files:
            done[str(path)] = await _import_file(opened, path)
    finally:
        await opened.close()
        lines = [f"{path}: {'stored as' if one.new else 'is here already as'} {one.game}" for path, one in done.items()]
        report(options, {"stored": {path: one.game for path, one in done.items()}}, "\n".join(lines))
    return 0


async def _import_file(store: stores.Store, path: Path) -> games.Imported:
    try:
        return await games.import_record(store, decode_text(path.read_bytes(), str(path)))
    except ValueError as exc:
        raise ValueError(f"{path}: {exc}") from None


async def _verify(settings: Settings, options: Options) -> int:
    async with hosting(settings) as host:
        found = await games.verify(host.store, _chosen(host, options))
    show_line(games.as_json(found) if options.json else _verdict(found))
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
    report(options, {"step": migrate.head()}, f"the database is at migration {migrate.head()}")
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
    report(options, {"granted": options.role, "statements": count}, text)
    return 0


async def _back_up(settings: Settings, options: Options) -> int:
    done = await backup.back_up(settings.database, options.file)
    size = options.file.stat().st_size
    text = f"{done.rows['games']} games, {done.rows['entries']} entries, {size:,} bytes in {options.file}"
    report(options, {"step": done.step, "rows": done.rows, "bytes": size}, text)
    return 0


async def _restore(settings: Settings, options: Options) -> int:
    await backup.restore(settings.database, options.file)
    options.games, options.all = [], True
    return await _verify(settings, options)


async def _archive(settings: Settings, options: Options) -> int:
    from tessella.server.admin.archive import archive  # noqa: PLC0415  needs pyarrow

    async with hosting(settings) as host:
        files = [str(path) for path in await archive(host.store, options.day, options.folder)]
    report(options, {"written": files}, "\n".join(files))
    return 0


async def _seal(settings: Settings, options: Options) -> int:
    days = settings.seal_days if options.days is None else options.days
    outcome = sealing.Outcome()
    async with hosting(settings) as host:
        before = await host.store.now() - days * DAY_SECONDS
        due = [game async for game in sealing.all_due(host.store, before)]
        for game in progress(due, "sealing"):
            await sealing.seal(host.store, game, outcome)
    text = f"{outcome.sealed} games sealed, {outcome.waiting} must wait, {outcome.unsealable} cannot be sealed"
    report(options, msgspec.to_builtins(outcome), text)
    return 1 if outcome.unsealable else 0


async def _events(settings: Settings, options: Options) -> int:
    async with hosting(settings) as host:
        if options.add:
            names = ("title", "format", "seats", "rounds", "duplicate", "fill", "most", "days", "bots", "count")
            same = {name: getattr(options, name) for name in (*names, "every_days", "weekly")}
            starts = options.starts or datetime.now(UTC)
            made = await events.schedule(host.store, events.Series(name=options.add, starts=starts, **same))
            report(options, {"created": made}, "\n".join(made))
            return 0
        if options.cancel:
            await events.cancel(host.store, options.cancel)
            report(options, {"cancelled": options.cancel}, f"{options.cancel} is cancelled")
            return 0
        if options.end_weekly:
            await events.end_weekly(host.store, options.end_weekly)
            report(options, {"ended": options.end_weekly}, f"{options.end_weekly} makes no more events")
            return 0
        found, weekly = await events.list_all(host.store), await events.list_weekly(host.store)
    lines = [f"{each.id:<12} {each.state:<8} {time_of(each.starts)}  {each.format:<12} {each.name}" for each in found]
    lines += [f"{each.schedule:<12} weekly   {each.weekday} {each.time} UTC  {each.name}" for each in weekly]
    figures: dict[str, object] = {"events": msgspec.to_builtins(found), "weekly": msgspec.to_builtins(weekly)}
    report(options, figures, "\n".join(lines) or "no events")
    return 0


async def _clubs(settings: Settings, options: Options) -> int:
    async with hosting(settings) as host:
        if options.end:
            await clubs.end(host.store, options.end)
            report(options, {"ended": options.end}, f"{options.end} is ended; its events stay")
            return 0
        found = await clubs.list_clubs(host.store, options.most)
    lines = [
        f"{each.id:<12} {each.members:>4} members  {time_of(each.made)}  {each.name}  {each.about}" for each in found
    ]
    report(options, {"clubs": msgspec.to_builtins(found)}, "\n".join(lines) or "no clubs")
    return 0


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
    "seal": _seal,
    "reports": _reports,
    "events": _events,
    "clubs": _clubs,
    **people.COMMANDS,
}
