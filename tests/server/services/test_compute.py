"""Computing in another process: in turn, bounded, with a deadline, and never longer than the worker that asked."""

import asyncio
import contextlib
import os
import signal
from pathlib import Path

import httpx
import pytest

from tessella.core import wire
from tessella.server.services import compute, expensive
from tessella.server.services.compute import Busy, Failed, FairQueue, InThread, Pool, Waiting
from tessella.server.services.expensive import Outcome
from tessella.table.replay import replay_record
from tessella.table.table import Refused
from tests.server.processes import running, wait_until_ready
from tests.server.waiting import until

RECORDS = Path(__file__).parents[3] / "records"
GAME = (RECORDS / "azul" / "2-coloured-greedy.game").read_text()
PATIENCE = 120.0


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """A child that is slow because the machine is misses no deadline."""
    monkeypatch.setattr(compute, "DEADLINE_SECONDS", PATIENCE)


def waiting(asker: str) -> Waiting:
    return Waiting(asker, b"", asyncio.get_running_loop().create_future())


async def test_askers_are_served_in_turn():
    queue, taken = FairQueue(), []
    for asker in ("eve", "eve", "eve", "ann", "eve", "bob", "ann"):
        queue.put(waiting(asker))
    while len(queue):
        item = await queue.take()
        taken.append(item.asker)
        queue.done(item)
    assert taken == ["eve", "ann", "bob", "eve", "ann", "eve", "eve"]


async def test_one_asker_has_one_request_running():
    queue = FairQueue()
    for asker in ("eve", "eve", "ann"):
        queue.put(waiting(asker))
    first, second = await queue.take(), await queue.take()
    assert [first.asker, second.asker] == ["eve", "ann"]
    third = asyncio.create_task(queue.take())
    await asyncio.sleep(0)
    assert not third.done()
    queue.done(first)
    assert (await third).asker == "eve"


async def test_a_full_queue_turns_away_whoever_has_most_in_it():
    queue = FairQueue(most=6, most_each=4)
    hog = [waiting("eve") for _ in range(4)]
    for item in hog:
        queue.put(item)
    with pytest.raises(Busy):
        queue.put(waiting("eve"))
    for asker in ("ann", "bob", "cleo", "dan"):
        queue.put(waiting(asker))
    assert [item.outcome.done() for item in hog] == [False, False, True, True]
    assert all(isinstance(item.outcome.exception(), Busy) for item in hog[2:])
    queue.put(waiting("finn"))
    with pytest.raises(Busy):
        queue.put(waiting("gus"))  # everybody has one
    queue.close()
    assert not len(queue)
    assert hog[0].outcome.done()


async def test_the_child_answers_as_a_thread_would():
    async with Pool(1) as pool:
        for where in (InThread(), pool):
            answer = await where.run("ann", expensive.replay_of_record, GAME, 1)
            assert answer == wire.encode(replay_record(expensive.read_record(GAME), 1))
            with pytest.raises(Refused) as refused:
                await where.run("ann", expensive.replay_of_record, "nothing", None)
            assert refused.value.rule == "replay"
            with pytest.raises(Failed):
                await where.run("ann", expensive.past_entries, "g", [("broken", 0.0)], (), 0, 1)
        assert len(pool.children) == 1


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
async def test_a_child_that_was_killed_or_misses_the_deadline_is_replaced(monkeypatch, number):
    async with Pool(1) as pool:
        await pool.run("ann", expensive.check_finished, GAME)
        (child,) = pool.children
        os.kill(child.pid, number)
        monkeypatch.setattr(compute, "DEADLINE_SECONDS", 0.1 if number == signal.SIGSTOP else PATIENCE)
        with contextlib.suppress(Busy):  # whoever asks before it is known to be gone is told to try again
            await pool.run("eve", expensive.check_finished, GAME)
            assert number == signal.SIGKILL
        monkeypatch.setattr(compute, "DEADLINE_SECONDS", PATIENCE)
        assert await pool.run("ann", expensive.check_finished, GAME)
        assert child not in pool.children


async def test_an_idle_child_ends(monkeypatch):
    monkeypatch.setattr(compute, "IDLE_SECONDS", 0.05)
    async with Pool(1) as pool:
        for _ in range(2):
            assert await pool.run("ann", expensive.check_finished, GAME)
            await until(lambda: not pool.children)


async def test_the_child_knows_none_of_our_settings(monkeypatch):
    monkeypatch.setenv("TESSELLA_METRICS_TOKEN", "a secret")
    async with Pool(1) as pool:
        await pool.run("ann", expensive.check_finished, GAME)
        (child,) = pool.children
        environment = Path(f"/proc/{child.pid}/environ")
        if environment.exists():
            assert b"a secret" not in environment.read_bytes()


def test_an_error_tells_its_kind_and_place_and_no_words():
    outcome = expensive.perform("past_entries", ["g", [["not an entry", 0.0]], [], 0, 1])
    assert outcome == Outcome(place=outcome.place)
    assert "not an entry" not in outcome.place
    assert ":" in outcome.place


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_no_child_outlives_its_worker(tmp_path, port, sqlite, number):
    with running(tmp_path / "log", "serve", "--database", sqlite, "--port", str(port), "--bots", "0") as process:
        wait_until_ready(port, process, PATIENCE)
        assert not children(process.pid), "it starts with the first request"
        answer = httpx.post(f"http://127.0.0.1:{port}/api/replay", json={"record": GAME}, timeout=PATIENCE)
        assert answer.status_code == 200
        (child,) = children(process.pid)
        process.send_signal(number)
        process.wait(PATIENCE)
        asyncio.run(until(lambda: not is_running(child), PATIENCE))


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
