"""Jobs are leased fairly, by one worker at a time: a lease belongs to its holder until it is finished or runs out."""

import asyncio

import asyncpg
import pytest
from sqlalchemy import insert, select, text, update

from tessella.core.record import Record
from tessella.server.services.reviews import ask_for_review
from tessella.server.store import SPACING_SECONDS, Job, Opening
from tessella.server.store.schema import jobs
from tests.server.store.conftest import connected
from tests.server.store.test_store import RULES, write


async def plan(store, game="g", owner="ann", number=1):
    """A bot is to move in a game of somebody."""
    if number == 1:
        await store.open(Opening(game, "azul", RULES, "{}", b"s" * 32, "", False, False, "", owner, owner))
    await store.append(write(number, f"k{number}", game, job="move"))


async def pass_seconds(store, seconds):
    """As if time had gone by since the leases were given."""
    await store.run(update(jobs).values(leased=jobs.c.leased - seconds))


async def as_if_at_once(store):
    """As if all jobs had come at the same time."""
    await store.run(update(jobs).values(due=jobs.c.due - jobs.c.made))


async def leased(store, kind="move"):
    """The games of all jobs, in the order in which they are leased."""
    found = []
    while (job := await store.lease("w", 3_600, kind)) is not None:
        found.append(job.game)
    return found


async def test_a_flood_of_one_person_does_not_delay_another(store):
    for game in ("eves", "eves-second", "eves-third"):
        await plan(store, game, "eve")
    await plan(store, "anns", "ann")
    rows = await store.run(select(jobs.c.game, (jobs.c.due - jobs.c.made).label("later")).order_by(jobs.c.made))
    later = [number * SPACING_SECONDS for number in (0, 1, 2, 0)]
    assert [row["later"] for row in rows] == pytest.approx(later, abs=0.001)
    await as_if_at_once(store)
    first, second, *others = await leased(store)
    assert {first, second} == {"eves", "anns"}
    assert others == ["eves-second", "eves-third"]


async def test_reviews_of_one_owner_make_room_for_those_of_another(store):
    for name in ("eve-0", "eve-1", "eve-2", "eve-3", "ann-0", "ann-1"):
        await ask_for_review(store, name, Record(RULES, ("*",)), name[:3])
    await as_if_at_once(store)
    assert [int(name[-1]) for name in await leased(store, "review")] == [0, 0, 1, 1, 2, 3]
    owners = {row["owner"] for row in await store.run(select(jobs.c.owner))}
    assert len(owners) == 2
    assert not owners & {"eve", "ann"}, "nobody's id is kept"


async def test_bots_and_the_coach_take_only_their_own_jobs(store):
    await ask_for_review(store, "early", Record(RULES, ("*",)))
    await store.run(insert(jobs).values(game="g", number=4, kind="move", priority=0, made=9e9, leased=0, worker=""))
    assert [await store.lease("a", 3_600) for _ in range(2)] == [Job("g", 4), None]
    assert [await store.lease("a", 3_600, "review") for _ in range(2)] == [Job("early", 0, "review"), None]


async def test_a_lease_belongs_to_its_holder_until_it_is_finished(store):
    await plan(store)
    job = await store.lease("one", 3_600)
    assert job == Job("g", 1)
    await plan(store, number=2)  # something else happens at the table while the bot thinks
    assert await store.lease("two", 3_600) is None
    await store.finish(Job("g", 1), "two")  # not the holder: this must not free it
    assert await store.lease("two", 3_600) is None
    await store.finish(job, "one")
    assert await store.lease("two", 3_600) == Job("g", 2)
    await store.finish(Job("g", 2), "two")
    assert await store.lease("two", 3_600) is None


async def test_a_lease_runs_out_unless_its_holder_renews_it(store):
    await plan(store)
    job = await store.lease("one", 3_600)
    assert not await store.renew(job, "two", 9_000)
    assert await store.renew(job, "one", 9_000)
    await pass_seconds(store, 3_601)
    assert await store.lease("two", 3_600) is None
    await pass_seconds(store, 9_000)
    assert await store.lease("two", 3_600) == job
    assert not await store.renew(job, "one", 3_600)


async def test_a_failed_job_is_retried_later_and_does_not_block_the_others(store):
    for game in ("broken", "good"):
        await plan(store, game, game)
    job = await store.lease("one", 3_600)
    await store.finish(job, "one", retry=3_600)
    assert await leased(store) == ["good"]
    await store.run(update(jobs).where(jobs.c.game == "broken").values(leased=jobs.c.leased - 3_601))
    assert await store.lease("one", 3_600) == Job("broken", 1, "move", attempts=1)


@pytest.mark.parametrize("retry", [None, 3_600.0], ids=["done", "failed"])
async def test_work_that_comes_while_a_job_is_finished_is_handed_back_at_once(postgres, retry):
    async with connected(postgres) as store:
        await plan(store)
        job = await store.lease("w1", 3_600)
        other = await asyncpg.connect(postgres)
        move = other.transaction()
        await move.start()
        await other.execute("UPDATE jobs SET number = 2")  # what the next move at the table does
        finished = asyncio.create_task(store.finish(job, "w1", retry))
        while not await store.run(text("SELECT 1 FROM pg_locks WHERE NOT granted")):
            await asyncio.sleep(0.01)
        await move.commit()
        await finished
        assert await store.lease("w2", 3_600) == Job("g", 2)
        await other.close()
