"""A PostgreSQL that goes away, or whose wire goes dead: nobody waits for ever, and all goes on when it is back."""

import asyncio
from urllib.parse import urlsplit

import asyncpg
import pytest

from proofs.cluster.faulty_proxy import Proxy
from proofs.cluster.processes import free_port
from tessella.server.cluster import bus
from tessella.server.store import postgres as postgres_store
from tessella.server.store.errors import STORE_ERRORS
from tessella.server.store.postgres import PostgresStore
from tests.server.conftest import POSTGRES
from tests.server.store.test_store import opening, write

POSTGRES_PORT = urlsplit(POSTGRES).port or 5432


@pytest.mark.parametrize("mood", ["silent", "refusing"])
async def test_a_store_that_does_not_answer_is_given_up_and_found_again(postgres, monkeypatch, mood):
    monkeypatch.setattr(postgres_store, "ANSWER_SECONDS", 60.0)
    async with Proxy(free_port(), POSTGRES_PORT) as proxy:
        store = await PostgresStore.connect(postgres.replace(f":{POSTGRES_PORT}/", f":{proxy.port}/"))
        await store.open(opening())
        assert await store.append(write(1, "before"))
        proxy.be(mood)
        with monkeypatch.context() as impatient:
            impatient.setattr(postgres_store, "ANSWER_SECONDS", 0.5)
            calls = [store.append(write(2, "meanwhile")), *(store.log("g") for _ in range(9)), store.now()]
            for outcome in await asyncio.gather(*calls, return_exceptions=True):
                assert isinstance(outcome, STORE_ERRORS), outcome
        proxy.be("well")
        for number, key in enumerate(("after", "long after"), 3):
            assert await store.append(write(number, key))
        assert [logged.key for logged in await store.log("g", 2)] == ["after", "long after"]
        await store.close()


async def test_notifications_go_on_when_the_database_comes_back(postgres):
    heard: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
    here = await bus.connect(postgres, lambda topic, news: heard.put_nowait((topic, news)))
    there = await bus.connect(postgres, lambda topic, news: None)
    killer = await asyncpg.connect(postgres)
    await killer.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    await killer.close()
    while heard.empty():  # until a notification arrives again
        there.notify("game", "1")
        await asyncio.sleep(0.2)
    assert (await heard.get())[0] == "game"
    await here.close()
    await there.close()
