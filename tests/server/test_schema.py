"""The migrations make exactly the tables that the schema describes."""

import asyncio

from alembic import command
from sqlalchemy import Connection, create_engine, inspect
from sqlalchemy.ext.asyncio import create_async_engine

from tessella.server.store.migrate import config, migrate
from tessella.server.store.schema import metadata

from .society import run


def shape(connection: Connection):
    """All that is to be said of the tables of a database."""
    found = inspect(connection)
    return {
        name: {
            "columns": [{**column, "type": str(column["type"])} for column in found.get_columns(name)],
            "key": found.get_pk_constraint(name)["constrained_columns"],
            "unique": sorted(each["column_names"] for each in found.get_unique_constraints(name)),
            "indices": sorted((str(each["name"]), each["column_names"]) for each in found.get_indexes(name)),
        }
        for name in found.get_table_names()
        if name != "alembic_version"
    }


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


def test_a_migrated_postgresql_database_has_the_tables_of_the_schema(postgres):
    async def look(statement, *, make):
        engine = create_async_engine(postgres.replace("postgresql:", "postgresql+asyncpg:"))
        async with engine.begin() as connection:
            if make:
                await connection.run_sync(metadata.drop_all)
                await connection.run_sync(metadata.create_all)
            described = await connection.run_sync(statement)
        await engine.dispose()
        return in_order(described)

    async def main():
        await migrate(postgres)
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
