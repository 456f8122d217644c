"""What a worker counts, read as Prometheus reads it."""

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tessella.server.settings import Settings
from tests.server.clients import Person, bearer, command, hear, key, own_turn, say
from tests.server.waiting import until


def read(text):
    """Samples by name and labels."""
    found = {}
    for sample in (sample for family in text_string_to_metric_families(text) for sample in family.samples):
        labels = ",".join(f'{name}="{value}"' for name, value in sample.labels.items())
        found[sample.name + (f"{{{labels}}}" if labels else "")] = sample.value
    return found


@pytest.fixture
def settings(sqlite, port):
    return Settings(database=sqlite, port=port)


async def test_moves_refusals_sockets_and_bots_are_counted(app, port):
    ann = await Person.arrive(port, "Ann")

    async def counted():
        return read((await ann.http.get("/metrics")).text)

    table = await ann.set_table(seats=("me", "greedy"))
    async with ann.connect(table["id"]) as socket:
        await command(socket, "start")
        turn = await own_turn(socket)
        await say(socket, type="play", key=key(), number=turn["number"], move="9z9")
        await hear(socket, "error")
        await say(socket, type="play", key=key(), number=turn["number"], move=turn["moves"][0])
        while (await hear(socket, "update"))["table"]["number"] < turn["number"] + 2:
            pass
        seen = await counted()
    exact = {'tessella_entries_total{kind="opened"}': 1, 'tessella_entries_total{kind="sat"}': 2}
    exact |= {"tessella_sockets": 1, "tessella_rooms": 1, 'tessella_refused_total{rule="notation"}': 1}
    assert {name: seen[name] for name in exact} == exact
    assert seen['tessella_entries_total{kind="played"}'] >= 2
    assert seen["tessella_bot_moves_total"] >= 1
    assert seen["tessella_bot_jobs_done_total"] <= seen["tessella_bot_moves_total"]
    assert seen["tessella_messages_sent_total"] >= 4
    assert seen["tessella_bytes_sent_total"] > 1000
    assert seen["process_resident_memory_bytes"] > 1e6
    buckets = [value for name, value in seen.items() if name.startswith("tessella_append_seconds_bucket")]
    stored = sum(value for name, value in seen.items() if name.startswith("tessella_entries_total"))
    assert buckets == sorted(buckets)
    assert buckets[-1] == seen["tessella_append_seconds_count"] == stored - 1  # the opening is no request

    async def a_job_is_done():
        return (await counted())["tessella_bot_jobs_done_total"] >= 1

    await until(a_job_is_done)


async def test_metrics_are_for_this_machine_only_and_not_through_a_proxy(app, port):
    ann = Person(port)
    assert (await ann.http.get("/metrics")).status_code == 200
    for header in ("X-Forwarded-For", "Forwarded", "Via"):
        assert (await ann.http.get("/metrics", headers={header: "1.2.3.4"})).status_code == 403


async def test_metrics_with_a_token_are_for_clients_that_send_it(serve, sqlite, port):
    async with serve(Settings(database=sqlite, port=port, metrics_token="yes")):
        ann = Person(port)
        for headers in ({}, bearer("no")):
            assert (await ann.http.get("/metrics", headers=headers)).status_code == 403
        right = bearer("yes") | {"X-Forwarded-For": "1.2.3.4"}
        assert (await ann.http.get("/metrics", headers=right)).status_code == 200
