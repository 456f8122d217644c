"""Both stores keep the same promises."""

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import func, insert, select, update

from tessella.server.store import Opening, Write, compile_for, postgres
from tessella.server.store import sqlite as sqlite_store
from tessella.server.store.schema import entries, games, seats, seeds
from tests.server.store.conftest import connected

RULES = "azul/1 seats=2 wall=coloured"


def opening(game="g"):
    return Opening(game, "azul", RULES, '{"type":"opened"}', b"s" * 32, "live", False, True)


def write(number, key, game="g", due=None, allow=None, job=None):
    return Write(game, number, key, f'{{"n":{number}}}', due, "playing", "0", allow, job)


async def test_a_game_is_opened_with_its_seed(store):
    at = await store.open(opening())
    assert abs(at - time.time()) < 60
    assert await store.seed("g") == b"s" * 32
    (logged,) = await store.log("g", -1)
    assert (logged.number, logged.key, logged.body, logged.at) == (0, "opened", '{"type":"opened"}', at)
    assert await store.log("nothing", -1) == []


async def test_each_number_and_each_key_is_stored_once(store):
    await store.open(opening())
    first = await store.append(write(1, "a"))
    assert first is not None
    assert await store.append(write(1, "b")) is None
    assert await store.append(write(2, "a")) is None
    assert await store.append(write(2, "b")) is not None
    assert [logged.key for logged in await store.log("g")] == ["a", "b"]
    assert await store.number_of("g", "b") == 2
    assert await store.number_of("g", "c") is None
    assert await store.number_of("g", "c", "b") == 2


async def test_an_entry_that_is_stored_under_an_old_key_is_not_stored_again(store):
    await store.open(opening())
    await store.append(write(1, "a"))
    assert await store.append(replace(write(2, "p:a"), old_key="a")) is None
    assert await store.append(replace(write(2, "p:b"), old_key="b")) is not None
    assert [logged.key for logged in await store.log("g")] == ["a", "p:b"]


async def test_many_who_want_the_same_number_at_once_get_one_yes(store):
    await store.open(opening())
    answers = await asyncio.gather(*(store.append(write(1, f"key-{n}")) for n in range(200)))
    assert sum(answer is not None for answer in answers) == 1
    assert len(await store.log("g")) == 1


async def test_two_connections_race_for_every_number(store, other_store):
    await store.open(opening())
    for number in range(1, 30):
        writes = ((store, write(number, f"a{number}")), (other_store, write(number, f"b{number}")))
        answers = await asyncio.gather(*(each.append(entry) for each, entry in writes))
        assert sum(answer is not None for answer in answers) == 1
    assert [logged.number for logged in await store.log("g")] == list(range(1, 30))


async def test_a_move_after_its_deadline_is_not_stored(store):
    await store.open(opening())
    now = await store.now()
    assert await store.append(write(1, "late", due=now - 0.001)) is None
    assert await store.append(write(1, "in time", due=now + 3_600)) is not None


async def test_the_row_of_the_game_follows_the_log(store):
    await store.open(opening())
    at = await store.append(write(1, "a", allow=50.0))
    (row,) = await store.run(select(games).where(games.c.id == "g"))
    assert (row["number"], row["status"], row["movers"]) == (1, "playing", "0")
    assert row["deadline"] == pytest.approx(at + 50)


async def test_statements_run_together_or_not_at_all(store):
    await store.open(opening())
    again = insert(seeds).values(game="g", seed=b"other")
    with pytest.raises(Exception, match=r"(?i)unique"):
        await store.run(insert(seeds).values(game="h", seed=b"x"), again)
    assert await store.run(select(func.count()).select_from(seeds)) == [{"count_1": 1}]
    many = [f"g{n}" for n in range(5)]
    assert await store.run(select(entries.c.game).where(entries.c.game.in_([*many, "g"]))) == [{"game": "g"}]


async def test_what_was_acknowledged_is_there_after_a_restart(database):
    async with connected(database) as store:
        await store.open(opening())
        for number in range(1, 50):
            assert await store.append(write(number, f"k{number}")) is not None
    async with connected(database) as store:
        assert len(await store.log("g")) == 49


async def test_what_was_deleted_is_in_no_log_also_while_somebody_reads(sqlite):
    path = Path(sqlite.removeprefix("sqlite:"))
    log = path.with_name(f"{path.name}-wal")
    async with connected(sqlite) as store:
        await store.open(opening())
        await store.run(update(games).values(match="somebody"))
        await store.run(update(games).values(match=""))
        assert b"somebody" in log.read_bytes()
        with closing(sqlite3.connect(path)) as reader:
            reader.execute("BEGIN").execute("SELECT * FROM games").fetchall()
            await store.scrub()
            assert b"somebody" in log.read_bytes()
        await store.append(write(1, "a"))
        assert b"somebody" not in log.read_bytes() + path.read_bytes()


@pytest.mark.parametrize(("dialect", "mark"), [(sqlite_store._DIALECT, "?"), (postgres._DIALECT, "$")])
def test_a_statement_that_is_known_takes_its_own_values(dialect, mark):
    """Also when a list is longer than it was the first time."""

    def compiled(game, people):
        return compile_for(dialect, select(seats.c.seat).where(seats.c.game == game, seats.c.person.in_(people)))

    (short, values), (long, others) = compiled("one", ["a"]), compiled("other", ["b", "c", "d"])
    assert (values, others) == (["one", "a"], ["other", "b", "c", "d"])
    assert [text.count(mark) for text in (short, long)] == [2, 4]
    assert compiled("one", ["a"]) == (short, values)
