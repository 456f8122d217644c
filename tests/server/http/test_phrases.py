"""What players say: known phrases only, to all at the table, over all workers, and not too much of it."""

import asyncio

from tessella.server.settings import Settings
from tests.server.clients import Person, hear, say
from tests.server.conftest import free_port
from tests.server.helpers import run, serving


async def company(port, other=None):
    ann, bert, cara = [await Person.arrive(port, name) for name in ("Ann", "Bert", "Cara")]
    table = await ann.set_table()
    await bert.join(table)
    return table["id"], ann.connect(table["id"]), bert.connect(table["id"], other), cara.connect(table["id"], other)


async def everything_from(socket, seconds=0.3):
    heard = []
    try:
        while True:
            heard.append(await asyncio.wait_for(socket.recv(), seconds))
    except TimeoutError:
        return heard


def test_everybody_hears_a_player_and_nobody_a_spectator(sqlite, port, serve):
    async def use(_app):
        _, ann, bert, cara = await company(port)
        async with ann as a, bert as b, cara as c:
            await say(a, type="say", phrase="good-luck")
            for socket in (a, b, c):
                assert await hear(socket, "said") == {"type": "said", "seat": 0, "phrase": "good-luck"}
            await say(c, type="say", phrase="hello")
            assert (await hear(c, "error"))["rule"] == "seat"
            for wrong in ("<b>no</b>", "", "good luck"):
                await say(b, type="say", phrase=wrong)
                assert (await hear(b, "error"))["rule"] == "message"
            assert not [message for message in await everything_from(a) if '"said"' in message]

    serving(serve, Settings(database=sqlite, port=port, bots=0), use)


def test_who_says_too_much_waits(sqlite, port, serve):
    async def use(app):
        _, ann, bert, _cara = await company(port)
        async with ann as a, bert as b:
            for _ in range(9):
                await say(a, type="say", phrase="oops")
            replies = await everything_from(a)
            assert sum('"busy"' in reply for reply in replies) == 5
            assert sum('"said"' in reply for reply in await everything_from(b)) == 4
            assert len(app.state.limits.phrases) == 1

    serving(serve, Settings(database=sqlite, port=port, bots=0), use)


def test_phrases_cross_workers(postgres, nats, serve):
    async def main():
        here, there = free_port(), free_port()
        one = Settings(database=postgres, port=here, bus=nats, bots=0)
        two = Settings(database=postgres, port=there, bus=nats, bots=0)
        async with serve(one), serve(two):
            game, ann, bert, cara = await company(here, there)
            async with ann as a, bert as b, cara as c:
                await asyncio.sleep(0.3)
                await say(b, type="say", phrase="thanks")
                for socket in (a, b, c):
                    assert await hear(socket, "said") == {"type": "said", "seat": 1, "phrase": "thanks"}
            async with Person.everybody[0].connect(game) as late:
                assert not [message for message in await everything_from(late) if '"said"' in message]
        await Person.all_go_home()

    run(main())
