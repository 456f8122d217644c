"""What players say: known phrases only, to all at the table, over all workers, and not too much of it."""

from tessella.server.settings import Settings
from tests.server.clients import Person, hear, heard_so_far, say, two_at_a_table
from tests.server.conftest import free_port


async def company(port, other=None):
    """Ann and Bert at a table, and Cara, who watches; at another worker, if there is one."""
    ann, bert, table = await two_at_a_table(port)
    cara = await Person.arrive(port, "Cara")
    return ann.connect(table), bert.connect(table, other), cara.connect(table, other)


async def said_so_far(socket):
    return [message["phrase"] for message in await heard_so_far(socket) if message["type"] == "said"]


async def test_everybody_hears_a_player_and_nobody_a_spectator(app, port):
    ann, bert, cara = await company(port)
    async with ann as a, bert as b, cara as c:
        await say(a, type="say", phrase="good-luck")
        for socket in (a, b, c):
            assert await hear(socket, "said") == {"type": "said", "seat": 0, "phrase": "good-luck"}
        await say(c, type="say", phrase="hello")
        assert (await hear(c, "error"))["rule"] == "seat"
        for wrong in ("<b>no</b>", "", "good luck"):
            await say(b, type="say", phrase=wrong)
            assert (await hear(b, "error"))["rule"] == "message"
        assert await said_so_far(a) == []


async def test_who_says_too_much_waits(app, port):
    ann, bert, _ = await company(port)
    async with ann as a, bert as b:
        for _ in range(9):
            await say(a, type="say", phrase="oops")
        heard = await heard_so_far(a)
        assert [message["rule"] for message in heard if message["type"] == "error"] == ["busy"] * 5
        assert await said_so_far(b) == ["oops"] * 4
        assert len(app.state.limits.phrases) == 1


async def test_phrases_cross_workers(serve, postgres, nats):
    here, there = free_port(), free_port()
    one = Settings(database=postgres, port=here, bus=nats, bots=0)
    two = Settings(database=postgres, port=there, bus=nats, bots=0)
    async with serve(one), serve(two):
        ann, bert, cara = await company(here, there)
        async with ann as a, bert as b, cara as c:
            while (await hear(a, "presence"))["present"] != [0, 1]:
                pass
            await say(b, type="say", phrase="thanks")
            for socket in (a, b, c):
                assert await hear(socket, "said") == {"type": "said", "seat": 1, "phrase": "thanks"}
        async with ann as late:
            assert await said_so_far(late) == []
