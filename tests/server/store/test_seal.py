"""A store seals only games that are over, each once, and accepts no entry with the number of a sealed one."""

from sqlalchemy import update

from tessella.server.services import sealing
from tessella.server.store import Write
from tessella.server.store.schema import entries, games
from tests.server.services.test_sealing import ann_and_bob, finish, rows_of, seal_all


async def test_no_entry_takes_the_number_of_a_sealed_one(host):
    game = (await finish(host, await ann_and_bob(host))).table.id
    before = await host.store.log(game, -1)
    await seal_all(host)
    assert [(row.body, row.at) for row in await host.store.log(game, -1)] == [(row.body, row.at) for row in before]
    number = before[-1].number
    late = [Write(game, each, f"late-{each}", "{}", None, "over", "", None) for each in (3, number, number + 1)]
    assert [await host.store.append(write) is not None for write in late] == [False, False, True]


async def test_the_store_seals_no_game_that_is_not_over(host):
    game = (await finish(host, await ann_and_bob(host))).table.id
    packed = sealing.prepare(game, await host.store.stored(game))
    assert packed is not None
    back = {"status": "over", "recorded": True, "number": packed.sealed.last}
    for change in ({"status": "playing"}, {"recorded": False}, {"number": games.c.number + 1}):
        await host.store.run(update(games).where(games.c.id == game).values(change))
        assert not await host.store.seal(packed)
        await host.store.run(update(games).where(games.c.id == game).values(back))
    assert await rows_of(host.store, entries, game) == packed.sealed.last + 1
    assert [await host.store.seal(packed) for _ in range(2)] == [True, False]
