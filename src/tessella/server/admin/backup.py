"""Backup and restore of a whole store as one file. Keep backups as safe as the store: they hold secret seeds.

A SQLite store becomes a SQLite file, copied while the server runs. A PostgreSQL store becomes a zip of its tables, from
one snapshot. Both can be restored into an empty store of their kind, a SQLite file also into PostgreSQL.
"""

import asyncio
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from msgspec import Struct
from sqlalchemy import Boolean, Table

from tessella.server.store import migrate
from tessella.server.store.schema import metadata

if TYPE_CHECKING:
    import asyncpg

MANIFEST = "tessella.json"


class BadBackup(ValueError):
    """A file is not a backup, or cannot be restored here; the message says why."""


class Backup(Struct, frozen=True):
    """The migration step of a backup, and its number of rows by table."""

    step: str
    rows: dict[str, int]


def columns_of(table: Table) -> list[str]:
    """Return the columns to store; computed columns are computed again."""
    return [column.name for column in table.columns if column.computed is None]


# Backup


async def back_up(url: str, path: Path) -> Backup:
    """Write the whole store to one file, which replaces an older one when it is complete."""
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        if url.startswith("sqlite:"):
            backup = await asyncio.to_thread(_copy_file, Path(url.removeprefix("sqlite:")), part)
        else:
            backup = await _dump(url, part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return backup


def _copy_file(source: Path, target: Path) -> Backup:
    with closing(_open_file(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)
        new.execute("PRAGMA journal_mode = DELETE")
        return _inspect(new)


def _open_file(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise BadBackup(f"there is no file {path}")
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _inspect(connection: sqlite3.Connection) -> Backup:
    """Return what is in a file; raise `BadBackup` if it is damaged or not a store."""
    try:
        (state,) = connection.execute("PRAGMA integrity_check").fetchone()
        (step,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.DatabaseError as exc:
        raise BadBackup(f"the file is not a Tessella store: {exc}") from None
    if state != "ok":
        raise BadBackup(f"the file is damaged: {state}")
    rows = {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in _tables(connection)}  # noqa: S608
    return Backup(step, rows)


def _tables(connection: sqlite3.Connection) -> list[str]:
    found = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    return [table.name for table in metadata.sorted_tables if table.name in found]


async def _dump(url: str, path: Path) -> Backup:
    import asyncpg  # noqa: PLC0415

    connection = await asyncpg.connect(url)
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            step = str(await connection.fetchval("SELECT version_num FROM alembic_version"))
            if step != migrate.head():
                head = migrate.head()
                raise BadBackup(f"the database is at migration {step}, not {head}; run tessella admin migrate")
            with ZipFile(path, "w", ZIP_DEFLATED) as file:
                rows = {table.name: await _dump_table(connection, table, file) for table in metadata.sorted_tables}
                columns = {table.name: columns_of(table) for table in metadata.sorted_tables}
                file.writestr(MANIFEST, json.dumps({"step": step, "rows": rows, "columns": columns}))
    finally:
        await connection.close()
    return Backup(step, rows)


async def _dump_table(connection: "asyncpg.Connection[Any]", table: Table, file: ZipFile) -> int:
    with file.open(table.name, "w", force_zip64=True) as member:
        done = await connection.copy_from_table(table.name, columns=columns_of(table), output=cast("BinaryIO", member))
    return int(done.rpartition(" ")[2])


# Restore


async def restore(url: str, path: Path) -> Backup:
    """Restore a file into an empty store, and migrate its tables to this version."""
    if not path.is_file():
        raise BadBackup(f"there is no file {path}")
    with path.open("rb") as opened:
        is_file = opened.read(6) == b"SQLite"
    if url.startswith("sqlite:"):
        if not is_file:
            raise BadBackup(f"{path} is a backup of PostgreSQL; restore it into PostgreSQL")
        backup = await asyncio.to_thread(_fill_file, path, Path(url.removeprefix("sqlite:")))
    elif is_file:
        with closing(_open_file(path)) as source:
            backup = await _fill(url, _inspect(source), FromFile(source))
    else:
        backup = await _fill_from_zip(url, path)
    await migrate.migrate(url)
    return backup


def _fill_file(source: Path, target: Path) -> Backup:
    target.parent.mkdir(parents=True, exist_ok=True)
    with closing(_open_file(source)) as old, closing(sqlite3.connect(target)) as new:
        backup = _inspect(old)
        if _tables(new) and new.execute("SELECT count(*) FROM games").fetchone()[0]:
            raise BadBackup(f"{target} already has games; restore into an empty store")
        old.backup(new)
        return backup


class FromFile(Struct, frozen=True):
    """The tables of a SQLite file."""

    connection: sqlite3.Connection

    async def fill(self, target: "asyncpg.Connection[Any]", table: Table) -> None:
        """Copy one table."""
        stored = {row[1] for row in self.connection.execute(f"PRAGMA table_info({table.name})")}
        names = [name for name in columns_of(table) if name in stored]
        rows = self.connection.execute(f"SELECT {_quoted(names)} FROM {table.name}")  # noqa: S608
        await target.copy_records_to_table(table.name, records=_typed(table, names, rows), columns=names)


def _typed(table: Table, names: list[str], rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Yield rows with booleans, which SQLite stores as numbers."""
    flags = [isinstance(table.columns[name].type, Boolean) for name in names]
    for row in rows:
        yield tuple(bool(value) if flag else value for value, flag in zip(row, flags, strict=True))


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


class FromZip(Struct, frozen=True):
    """The tables of a PostgreSQL store."""

    file: ZipFile
    columns: dict[str, list[str]]

    async def fill(self, target: "asyncpg.Connection[Any]", table: Table) -> None:
        """Copy one table."""
        with self.file.open(table.name) as member:
            await target.copy_to_table(table.name, source=cast("BinaryIO", member), columns=self.columns[table.name])


async def _fill_from_zip(url: str, path: Path) -> Backup:
    try:
        with ZipFile(path) as file:
            manifest = json.loads(file.read(MANIFEST))
            if file.testzip() is not None:
                raise BadBackup("the file is damaged")
            backup = Backup(manifest["step"], manifest["rows"])
            return await _fill(url, backup, FromZip(file, manifest["columns"]))
    except (BadZipFile, KeyError) as exc:
        raise BadBackup(f"{path} is not a Tessella backup: {exc}") from None


async def _fill(url: str, backup: Backup, source: FromFile | FromZip) -> Backup:
    """Create the tables at the step of the backup, and fill all of them or none."""
    import asyncpg  # noqa: PLC0415

    if backup.step > migrate.head():
        raise BadBackup(f"the backup is of step {backup.step}, this version knows {migrate.head()}; use a newer one")
    await migrate.migrate(url, backup.step)
    connection = await asyncpg.connect(url)
    try:
        async with connection.transaction():
            step = await connection.fetchval("SELECT version_num FROM alembic_version")
            if step != backup.step or await connection.fetchval("SELECT count(*) FROM games"):
                raise BadBackup("the database already has tables or games; restore into an empty one")
            for table in metadata.sorted_tables:
                if table.name in backup.rows:
                    await source.fill(connection, table)
    finally:
        await connection.close()
    return backup
