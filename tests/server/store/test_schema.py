"""The migrations make exactly the tables that the schema describes."""

import asyncio

from alembic import command
from sqlalchemy import Connection, create_engine, insert, inspect, select, text
from sqlalchemy.ext.asyncio import create_async_engine

from tessella.server.store.migrate import config, migrate
from tessella.server.store.schema import entries, metadata, waiting
from tessella.table.log import Sat, read_entry
from tests.server.helpers import run


def shape(connection: Connection):
    """All that is to be said of the tables of a database."""
    found = inspect(connection)
    return {
        name: {
            "columns": [{**column, "type": str(column["type"])} for column in found.get_columns(name)],
            "key": found.get_pk_constraint(name)["constrained_columns"],
            "unique": sorted(each["column_names"] for each in found.get_unique_constraints(name)),
            "indices": sorted(
                (str(each["name"]), each["column_names"], condition(each)) for each in found.get_indexes(name)
            ),
        }
        for name in found.get_table_names()
        if name != "alembic_version"
    }


def condition(index):
    """Of which rows a partial index is."""
    return [str(value) for name, value in index.get("dialect_options", {}).items() if name.endswith("_where")]


def in_order(described):
    return {name: {**table, "columns": sorted(map(str, table["columns"]))} for name, table in described.items()}


def test_a_migrated_sqlite_database_has_the_tables_of_the_schema(tmp_path):
    asyncio.run(migrate(f"sqlite:{tmp_path}/migrated"))
    described = []
    for name in ("migrated", "made"):
        engine = create_engine(f"sqlite:///{tmp_path}/{name}")
        with engine.begin() as connection:
            if name == "made":
                metadata.create_all(connection)
            described.append(in_order(shape(connection)))
        engine.dispose()
    migrated, made = described
    assert migrated == made
    assert set(made) == set(metadata.tables)


def test_a_migrated_postgresql_database_has_the_tables_of_the_schema(bare_postgres):
    async def look(statement, *, make):
        engine = create_async_engine(bare_postgres.replace("postgresql:", "postgresql+asyncpg:"))
        async with engine.begin() as connection:
            if make:
                await connection.run_sync(metadata.drop_all)
                await connection.run_sync(metadata.create_all)
            described = await connection.run_sync(statement)
        await engine.dispose()
        return in_order(described)

    async def main():
        await migrate(bare_postgres)
        migrated = await look(shape, make=False)
        assert migrated == await look(shape, make=True)
        assert set(migrated) == set(metadata.tables)

    run(main())


def test_a_migration_can_be_undone(tmp_path):
    asyncio.run(migrate(f"sqlite:{tmp_path}/games"))
    engine = create_engine(f"sqlite:///{tmp_path}/games")
    with engine.begin() as connection:
        settings = config()
        settings.attributes["connection"] = connection
        command.downgrade(settings, "base")
        assert shape(connection) == {}
    engine.dispose()


SAT_BEFORE_0009 = (
    r'{"type":"sat","seat":0,"who":"p0","name":"\"who\":"}',
    '{"who": "p1", "name": "Bob", "seat": 1, "type": "sat"}',  # PostgreSQL writes it so when a name is struck
)


def test_0009_names_the_player_of_a_seat_in_the_log(bare_database):
    async def main():
        await migrate(bare_database, "0008")
        old = [
            {"game": "g", "number": number, "key": f"k{number}", "body": body, "at": 1.0}
            for number, body in enumerate(SAT_BEFORE_0009)
        ]
        await on(bare_database, lambda connection: connection.execute(insert(entries), old))
        await migrate(bare_database)
        rows = await on(bare_database, lambda connection: connection.execute(select(entries.c.body)).scalars().all())
        assert [read_entry(body) for body in sorted(rows, reverse=True)] == [
            Sat(0, "p0", '"who":'),
            Sat(1, "p1", "Bob"),
        ]

    run(main())


def test_0020_those_who_wait_are_people(bare_database):
    place = {"person": "ann", "title": "azul", "seats": 2, "pace": "live", "since": 1.0, "ends": 2.0, "game": ""}

    async def main():
        await migrate(bare_database, "0019")
        await on(bare_database, lambda connection: connection.execute(BEFORE_0020, place))
        await migrate(bare_database)
        found = await on(
            bare_database, lambda connection: connection.execute(select(waiting.c.person, waiting.c.bots)).all()
        )
        assert [tuple(row) for row in found] == [("ann", False)]

    run(main())


BEFORE_0020 = text(
    "INSERT INTO waiting (person, title, seats, pace, since, ends, game) "
    "VALUES (:person, :title, :seats, :pace, :since, :ends, :game)"
)


async def on(url, work):
    """What `work` gives on a connection to a database of either kind."""
    if url.startswith("sqlite:"):
        engine = create_engine(f"sqlite:///{url.removeprefix('sqlite:')}")
        with engine.begin() as connection:
            found = work(connection)
        engine.dispose()
        return found
    shared = create_async_engine(url.replace("postgresql:", "postgresql+asyncpg:"))
    async with shared.begin() as connection:
        found = await connection.run_sync(work)
    await shared.dispose()
    return found
