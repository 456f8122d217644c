"""The migrations make exactly the tables that the schema describes."""

from alembic import command
from sqlalchemy import Connection, create_engine, insert, inspect, select, text
from sqlalchemy.ext.asyncio import create_async_engine

from tessella.server.store.migrate import config, migrate
from tessella.server.store.schema import entries, metadata, waiting
from tessella.table.log import Sat, read_entry


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


def in_order(connection: Connection):
    return {name: {**table, "columns": sorted(map(str, table["columns"]))} for name, table in shape(connection).items()}


async def test_a_migrated_database_has_the_tables_of_the_schema(bare_database):
    await migrate(bare_database)
    migrated = await on(bare_database, in_order)
    await on(bare_database, metadata.drop_all)
    await on(bare_database, metadata.create_all)
    assert migrated == await on(bare_database, in_order)
    assert set(migrated) == set(metadata.tables)


async def test_a_migration_can_be_undone(bare_database):
    def undo(connection):
        settings = config()
        settings.attributes["connection"] = connection
        command.downgrade(settings, "base")

    await migrate(bare_database)
    await on(bare_database, undo)
    assert await on(bare_database, shape) == {}


SAT_BEFORE_0009 = (
    r'{"type":"sat","seat":0,"who":"p0","name":"\"who\":"}',
    '{"who": "p1", "name": "Bob", "seat": 1, "type": "sat"}',  # PostgreSQL writes it so when a name is struck
)


async def test_the_ninth_step_names_the_player_of_a_seat_in_the_log(bare_database):
    await migrate(bare_database, "0008")
    old = [
        {"game": "g", "number": number, "key": f"k{number}", "body": body, "at": 1.0}
        for number, body in enumerate(SAT_BEFORE_0009)
    ]
    await on(bare_database, lambda connection: connection.execute(insert(entries), old))
    await migrate(bare_database)
    bodies = select(entries.c.body).order_by(entries.c.number)
    rows = await on(bare_database, lambda connection: connection.execute(bodies).scalars().all())
    assert [read_entry(body) for body in rows] == [Sat(0, "p0", '"who":'), Sat(1, "p1", "Bob")]


BEFORE_0020 = text(
    "INSERT INTO waiting (person, title, seats, pace, since, ends, game) "
    "VALUES ('ann', 'azul', 2, 'live', 1.0, 2.0, '')"
)


async def test_those_who_wait_before_the_twentieth_step_are_people(bare_database):
    await migrate(bare_database, "0019")
    await on(bare_database, lambda connection: connection.execute(BEFORE_0020))
    await migrate(bare_database)
    columns = select(waiting.c.person, waiting.c.bots)
    assert await on(bare_database, lambda connection: connection.execute(columns).all()) == [("ann", False)]


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
