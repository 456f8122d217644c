"""What a worker counts, read as Prometheus reads it."""

import asyncio
import re

import pytest

from tessella.server.settings import Settings
from tests.server.clients import Person, hear, key, say
from tests.server.waiting import until

SAMPLE = re.compile(r'([a-z_:]+)(\{[a-z]+="(?:[^"\\\n]|\\.)*"(?:,[a-z]+="(?:[^"\\\n]|\\.)*")*\})? ([0-9.e+-]+)')


def read(text):
    """Samples by name and labels; every line must be one, or say what follows."""
    samples, kinds = {}, {}
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert name not in kinds, "each name once"
            kinds[name] = kind
        elif not line.startswith("# HELP "):
            found = SAMPLE.fullmatch(line)
            assert found, line
            name, labels, value = found.groups()
            assert re.sub("_(bucket|sum|count)$", "", name) in kinds or name in kinds, line
            samples[name + (labels or "")] = float(value)
    assert text.endswith("\n")
    return samples


def serving(serve, settings, use):
    async def main():
        async with serve(settings):
            try:
                await use()
            finally:
                await Person.all_go_home()

    asyncio.run(asyncio.wait_for(main(), 60))


@pytest.fixture
def settings(sqlite, port):
    return Settings(database=sqlite, port=port)


def test_moves_refusals_sockets_and_bots_are_counted(serve, settings):
    async def use():
        ann = await Person.arrive(settings.port, "Ann")
        table = await ann.set_table(seats=("me", "greedy"))
        async with ann.connect(table["id"]) as socket:
            await say(socket, type="command", key=key(), action="start")
            await say(socket, type="hello")
            while not (step := await hear(socket, "update"))["table"]["moves"]:
                pass
            number, move = step["table"]["number"], step["table"]["moves"][0]
            await say(socket, type="play", key=key(), number=number, move="9z9")
            await say(socket, type="play", key=key(), number=number, move=move)
            while (await hear(socket, "update", "error", "ack")).get("number") != number:
                pass
            while (step := await hear(socket, "update"))["table"]["number"] < number + 2:
                pass
            seen = read((await ann.http.get("/metrics")).text)
        assert seen["tessella_sockets"] == 1
        assert seen["tessella_rooms"] == 1
        assert seen['tessella_entries_total{kind="opened"}'] == 1
        assert seen['tessella_entries_total{kind="sat"}'] == 2
        assert seen['tessella_entries_total{kind="played"}'] >= 2
        assert seen["tessella_bot_moves_total"] >= 1
        assert seen["tessella_bot_jobs_done_total"] <= seen["tessella_bot_moves_total"]
        assert seen['tessella_refused_total{rule="notation"}'] == 1
        assert seen["tessella_messages_sent_total"] >= 4
        assert seen["tessella_bytes_sent_total"] > 1000
        assert seen["process_resident_memory_bytes"] > 1e6

        async def a_job_is_done():
            return read((await ann.http.get("/metrics")).text)["tessella_bot_jobs_done_total"] >= 1

        await until(a_job_is_done)
        buckets = [value for name, value in seen.items() if name.startswith("tessella_append_seconds_bucket")]
        stored = sum(value for name, value in seen.items() if name.startswith("tessella_entries_total"))
        assert buckets == sorted(buckets)
        assert buckets[-1] == seen["tessella_append_seconds_count"] == stored - 1  # the opening is no request

    serving(serve, settings, use)


def test_metrics_are_for_this_machine_only_and_not_through_a_proxy(serve, settings):
    async def use():
        ann = Person(settings.port)
        assert (await ann.http.get("/metrics")).status_code == 200
        for header in ("X-Forwarded-For", "Forwarded", "Via"):
            assert (await ann.http.get("/metrics", headers={header: "1.2.3.4"})).status_code == 403

    serving(serve, settings, use)


def test_metrics_with_a_token_are_for_clients_that_send_it(serve, sqlite, port):
    async def use():
        ann = Person(port)
        assert (await ann.http.get("/metrics")).status_code == 403
        assert (await ann.http.get("/metrics", headers={"Authorization": "Bearer no"})).status_code == 403
        right = {"Authorization": "Bearer yes", "X-Forwarded-For": "1.2.3.4"}
        assert (await ann.http.get("/metrics", headers=right)).status_code == 200

    serving(serve, Settings(database=sqlite, port=port, metrics_token="yes"), use)
