"""Who is there: told soon, and once for all who come together."""

import asyncio
import time

from tessella.server.bus import LocalBus
from tessella.server.host import PRESENCE_SECONDS, Host, Viewer
from tessella.server.opening import Terms, open_table
from tessella.server.store import connect

CROWD = 300


def test_a_crowd_is_announced_once(sqlite):
    async def main() -> list[list[bytes]]:
        store = await connect(sqlite)
        host = Host(store, LocalBus(), [], time.time)
        room = await open_table(host, Terms("azul/1 seats=2 wall=coloured"))
        heard: list[list[bytes]] = [[] for _ in range(CROWD)]
        for number in range(CROWD):
            room.viewers[Viewer("", heard[number].append)] = None
            host.say_presence(room)
        await asyncio.sleep(PRESENCE_SECONDS * 4)
        await store.close()
        return heard

    heard = asyncio.run(asyncio.wait_for(main(), 30))
    assert all(len(messages) == 1 for messages in heard)
    assert f'"spectators":{CROWD}'.encode() in heard[0][0]
