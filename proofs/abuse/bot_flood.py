"""One guest against all others: twenty tables of strong bots must not delay other players' bots.

First the queue of bot moves in this process: which job comes next, and who holds a lease. Then a guest opens twenty
tables with three bots of the highest level at a real worker, leaves half of them and plays on at the others, while
people play against the weakest bot and against each other.
"""

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator
from typing import Any

from sqlalchemy import update

from proofs import Ask, Figure
from proofs.abuse.askers import MOST_ANSWER_SECONDS, MOST_LATER, play_bots
from proofs.abuse.crowds import Visits, answer, live_beside, request
from proofs.abuse.scene import Scene
from proofs.load_clients import percentile
from tessella.bots import ladder
from tessella.games import azul
from tessella.server.store import Opening, Store, Write
from tessella.server.store.schema import jobs

TABLES = 20
RULES = "azul/1 seats=2 wall=coloured"
FLOOD_SECONDS = 15.0
POLL_SECONDS = 0.2


# In this process


async def flood_the_queue(scene: Scene) -> AsyncIterator[str]:
    """Fill the queue with one owner's jobs: another owner's only job is not delayed; leases stay with their holder."""
    store = scene.server.host.store
    for number in range(TABLES):
        await _plan(store, f"flood-{number}", "eve")
    await _plan(store, "anns", "ann")
    scene.tried += TABLES
    await store.run(update(jobs).values(due=jobs.c.due - jobs.c.made))  # as if all had been planned at once
    first = [await store.lease("one", 60), await store.lease("one", 60)]
    if not any(job is not None and job.game == "anns" for job in first):
        yield f"one of {TABLES} jobs of one person came before the only one of another"
    held = {job.game for job in first if job is not None}
    for game in held:
        await store.append(_bot_turn(game, 2))
    while (job := await store.lease("two", 60)) is not None:
        if job.game in held:
            yield "a move at the table took the lease from the worker that held it"


async def _plan(store: Store, game: str, origin: str) -> None:
    await store.open(Opening(game, "azul", RULES, "{}", b"s" * 32, "", False, False, "", origin, origin))  # noqa: FBT003
    await store.append(_bot_turn(game, 1))


def _bot_turn(game: str, number: int) -> Write:
    return Write(game, number, f"key-{number}", "{}", None, "playing", "1", None, "move")


# Against a real worker


async def live_beside_bots(ask: Ask) -> tuple[Figure, ...]:
    """Play against others and against the weakest bot while a guest keeps the strongest bots busy."""
    found = await live_beside(ask, Visits(keep_bots_busy, 1, FLOOD_SECONDS), bots=1, company=play_bots)
    quiet, crowded = (percentile(acks, 99) * 1_000 for acks in (found.quiet, found.crowded))
    bots, bots_before = percentile(found.bots_crowded, 99), percentile(found.bots_quiet, 99)
    later = f"slowest of a hundred confirmations: {quiet:.1f} ms without the flood, {crowded:.1f} with it"
    answers = f"seconds to the slowest of a hundred answers of these bots; {bots_before:.2f} without the flood"
    return (
        Figure("flood_asked", found.asked, at_least=TABLES, note="tables set and moves made by one guest"),
        Figure("flood_lost", found.lost, at_most=0, note="tables at which a player was disconnected or rejected"),
        Figure("flood_bots", len(found.bots_crowded), at_least=1, note="answers of level-1 bots during the flood"),
        Figure("flood_bots_p99", bots, at_most=MOST_ANSWER_SECONDS, note=answers, timed=True),
        Figure("flood_ratio", found.ratio, at_most=MOST_LATER, note=later, timed=True),
    )


def keep_bots_busy(port: int, _game: str, seconds: float) -> int:
    """Open tables and play on at half of them, in a separate process; return the number of actions."""
    os.nice(19 - os.nice(0))  # as if it had a machine of its own
    return asyncio.run(_keep_bots_busy(port, seconds)) if seconds else 0


async def _keep_bots_busy(port: int, seconds: float) -> int:
    until = time.monotonic() + seconds
    guest = await Guest.arrive(port)
    tables = list(filter(None, [await guest.set_table() for _ in range(TABLES)]))
    for table in tables[::2]:
        await guest.act(table, {"type": "command", "key": "leave-it", "action": "leave"})
    done = len(tables)
    while time.monotonic() < until:
        for table in tables[1::2]:
            done += await guest.move(table)
        await asyncio.sleep(POLL_SECONDS)
    for table in tables[1::2]:
        await guest.act(table, {"type": "command", "key": "give-up-it", "action": "resign"})
    guest.writer.transport.abort()
    return done


class Guest:
    """A player who uses HTTP, on one connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.cookie = ""

    @classmethod
    async def arrive(cls, port: int) -> "Guest":
        """Become a guest."""
        guest = cls(*await asyncio.open_connection("127.0.0.1", port))
        guest.writer.write(request("POST", "/api/session", body='{"name":"Eve"}'))
        head, _ = await answer(guest.reader)
        guest.cookie = head.partition("set-cookie: ")[2].partition(";")[0]
        return guest

    async def ask(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """Return the response to a request."""
        text = "" if body is None else json.dumps(body)
        self.writer.write(request(method, path, f"Cookie: {self.cookie}", body=text))
        _, answered = await answer(self.reader)
        found: dict[str, Any] = json.loads(answered)
        return found

    async def set_table(self) -> str:
        """Return the id of a started table with three of the strongest bots; empty if the guest has too many."""
        seats = [{"kind": "me"}, *[{"kind": "bot", "level": ladder(azul)[-1]}] * 3]
        game = str((await self.ask("POST", "/api/games", {"title": "azul", "seats": seats})).get("id", ""))
        if not game:
            return ""
        await self.act(game, {"type": "command", "key": "start-it", "action": "start"})
        return game

    async def act(self, game: str, command: object) -> dict[str, Any]:
        """Send a command to a table."""
        return await self.ask("POST", f"/api/games/{game}/act", {"request": command})

    async def move(self, game: str) -> bool:
        """Move if it is our turn; return whether it was."""
        table = await self.ask("GET", f"/api/games/{game}")
        if not table.get("moves"):
            return False
        number, move = table["number"], table["moves"][0]
        await self.act(game, {"type": "play", "key": f"move-{number:08}", "number": number, "move": move})
        return True
