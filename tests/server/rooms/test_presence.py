"""Who is there: told soon, and once for all who come together."""

import asyncio
import time

from tessella.server.cluster.bus import LocalBus
from tessella.server.rooms.host import PRESENCE_SECONDS, Host
from tessella.server.rooms.lifecycle import Terms, open_table
from tessella.server.rooms.room import Viewer
from tessella.server.store import connect
from tests.server.waiting import until

CROWD = 300


def test_a_crowd_is_announced_once(sqlite):
    async def main() -> list[list[bytes]]:
        store = await connect(sqlite)
        host = Host(store, LocalBus(), [], time.time)
        room = await open_table(host, Terms("azul/1 seats=2 wall=coloured"))
        heard: list[list[bytes]] = [[] for _ in range(CROWD)]
        for number in range(CROWD):
            room.viewers[Viewer("", heard[number].append)] = None
            host.publish_presence(room)
        await until(lambda: all(heard))
        await asyncio.sleep(PRESENCE_SECONDS * 4)  # nobody is told again
        await store.close()
        return heard

    heard = asyncio.run(asyncio.wait_for(main(), 30))
    assert all(len(messages) == 1 for messages in heard)
    assert f'"spectators":{CROWD}'.encode() in heard[0][0]
