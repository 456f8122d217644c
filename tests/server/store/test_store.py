"""Both stores keep the same promises."""

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import asyncpg
import pytest
from msgspec.structs import replace
from sqlalchemy import func, insert, select, text, update

from tessella.server.store import Job, Opening, Write, compile_for, connect, postgres, sqlite
from tessella.server.store.schema import entries, games, seats, seeds


def opening(game="g"):
    return Opening(game, "azul", "azul/1 seats=2 wall=coloured", '{"type":"opened"}', b"s" * 32, "live", False, True)


def write(number, key, game="g", due=None, allow=None, job=None, behind=0.0):
    return Write(game, number, key, f'{{"n":{number}}}', due, "playing", "0", allow, job, behind)


def with_store(url, use):
    async def main():
        store = await connect(url)
        try:
            return await use(store)
        finally:
            await store.close()

    return asyncio.run(asyncio.wait_for(main(), 30))


def test_a_game_is_opened_with_its_seed(database):
    async def use(store):
        at = await store.open(opening())
        assert abs(at - time.time()) < 60
        assert await store.seed("g") == b"s" * 32
        (logged,) = await store.log("g", -1)
        assert (logged.number, logged.key, logged.body, logged.at) == (0, "opened", '{"type":"opened"}', at)
        assert await store.log("nothing", -1) == []

    with_store(database, use)


def test_each_number_and_each_key_is_stored_once(database):
    async def use(store):
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

    with_store(database, use)


def test_an_entry_that_is_stored_under_an_old_key_is_not_stored_again(database):
    async def use(store):
        await store.open(opening())
        await store.append(write(1, "a"))
        assert await store.append(replace(write(2, "p:a"), old_key="a")) is None
        assert await store.append(replace(write(2, "p:b"), old_key="b")) is not None
        assert [logged.key for logged in await store.log("g")] == ["a", "p:b"]

    with_store(database, use)


def test_many_who_want_the_same_number_at_once_get_one_yes(database):
    async def use(store):
        await store.open(opening())
        answers = await asyncio.gather(*(store.append(write(1, f"key-{n}")) for n in range(200)))
        assert sum(answer is not None for answer in answers) == 1
        assert len(await store.log("g")) == 1

    with_store(database, use)


def test_two_connections_race_for_every_number(database):
    async def use(store):
        other = await connect(database)
        await store.open(opening())
        for number in range(1, 30):
            answers = await asyncio.gather(
                store.append(write(number, f"a{number}")), other.append(write(number, f"b{number}"))
            )
            assert sum(answer is not None for answer in answers) == 1
        await other.close()
        assert [logged.number for logged in await store.log("g")] == list(range(1, 30))

    with_store(database, use)


def test_a_move_after_its_deadline_is_not_stored(database):
    async def use(store):
        await store.open(opening())
        now = await store.now()
        assert await store.append(write(1, "late", due=now - 0.001)) is None
        assert await store.append(write(1, "in time", due=now + 60)) is not None

    with_store(database, use)


def test_the_row_of_the_game_follows_the_log(database):
    async def use(store):
        await store.open(opening())
        at = await store.append(write(1, "a", allow=50.0))
        (row,) = await store.run(select(games).where(games.c.id == "g"))
        assert (row["number"], row["status"], row["movers"]) == (1, "playing", "0")
        assert row["deadline"] == pytest.approx(at + 50)

    with_store(database, use)


def test_jobs_are_leased_to_one_worker_and_come_back_when_it_dies(database):
    async def use(store):
        await store.open(opening())
        await store.append(write(1, "a", job="move"))
        assert await store.lease("w1", 0.3) == Job("g", 1)
        assert await store.lease("w2", 10) is None
        await asyncio.sleep(0.4)
        assert await store.lease("w2", 10) == Job("g", 1)
        await store.append(write(2, "b", job="move"))
        await store.finish(Job("g", 1), "w2")
        assert await store.lease("w3", 10) == Job("g", 2)
        await store.finish(Job("g", 2), "w3")
        assert await store.lease("w3", 10) is None

    with_store(database, use)


@pytest.mark.parametrize("retry", [None, 60.0], ids=["done", "failed"])
def test_work_that_comes_while_a_job_is_finished_is_handed_back_at_once(postgres, retry):
    async def use(store):
        await store.open(opening())
        await store.append(write(1, "a", job="move"))
        job = await store.lease("w1", 60)
        other = await asyncpg.connect(postgres)
        move = other.transaction()
        await move.start()
        await other.execute("UPDATE jobs SET number = 2")  # what the next move at the table does
        finished = asyncio.create_task(store.finish(job, "w1", retry))
        while not await store.run(text("SELECT 1 FROM pg_locks WHERE NOT granted")):
            await asyncio.sleep(0.01)
        await move.commit()
        await finished
        assert await store.lease("w2", 60) == Job("g", 2)
        await other.close()

    with_store(postgres, use)


def test_statements_run_together_or_not_at_all(database):
    async def use(store):
        await store.open(opening())
        again = insert(seeds).values(game="g", seed=b"other")
        with pytest.raises(Exception, match=r"(?i)unique"):
            await store.run(insert(seeds).values(game="h", seed=b"x"), again)
        assert await store.run(select(func.count()).select_from(seeds)) == [{"count_1": 1}]
        many = [f"g{n}" for n in range(5)]
        assert await store.run(select(entries.c.game).where(entries.c.game.in_([*many, "g"]))) == [{"game": "g"}]

    with_store(database, use)


def test_what_was_acknowledged_is_there_after_a_restart(database):
    async def first(store):
        await store.open(opening())
        for number in range(1, 50):
            assert await store.append(write(number, f"k{number}")) is not None

    async def second(store):
        assert len(await store.log("g")) == 49

    with_store(database, first)
    with_store(database, second)


def test_what_was_deleted_is_in_no_log_also_while_somebody_reads(sqlite):
    path = Path(sqlite.removeprefix("sqlite:"))
    log = path.with_name(f"{path.name}-wal")

    async def use(store):
        await store.open(opening())
        await store.run(update(games).values(match="somebody"))
        await store.run(update(games).values(match=""))
        assert b"somebody" in log.read_bytes()
        with closing(sqlite3.connect(path)) as reader:
            reader.execute("BEGIN").execute("SELECT * FROM games").fetchall()
            await asyncio.wait_for(store.scrub(), 5)
            assert b"somebody" in log.read_bytes()
        await store.append(write(1, "a"))
        assert b"somebody" not in log.read_bytes() + path.read_bytes()

    with_store(sqlite, use)


@pytest.mark.parametrize(("dialect", "mark"), [(sqlite._DIALECT, "?"), (postgres._DIALECT, "$")])
def test_a_statement_that_is_known_takes_its_own_values(dialect, mark):
    """Also when a list is longer than it was the first time."""

    def compiled(game, people):
        return compile_for(dialect, select(seats.c.seat).where(seats.c.game == game, seats.c.person.in_(people)))

    (short, values), (long, others) = compiled("one", ["a"]), compiled("other", ["b", "c", "d"])
    assert (values, others) == (["one", "a"], ["other", "b", "c", "d"])
    assert [text.count(mark) for text in (short, long)] == [2, 4]
    assert compiled("one", ["a"]) == (short, values)
