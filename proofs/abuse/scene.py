"""The server that is attacked, and the people on it."""

import asyncio
from collections.abc import Sequence
from random import Random

from proofs import Ask
from proofs.in_process_server import Call, InProcessServer, body_of, status_of
from proofs.play import Client, sit_down

AT_ONCE = 2_000
PASSWORD = "correct horse battery staple"  # noqa: S105


class Scene:
    """A server with two players at a table, a member, and Eve."""

    def __init__(self, server: InProcessServer, ask: Ask) -> None:
        self.server, self.size = server, ask.size
        self.rng = Random(ask.seed)
        self.refused = self.tried = 0
        self.ann: Client
        self.bob: Client
        self.eve: Client
        self.member: Client
        self.game = ""

    @classmethod
    async def set(cls, server: InProcessServer, ask: Ask) -> "Scene":
        """Let everybody arrive; Ann and Bob play."""
        scene = cls(server, ask)
        scene.ann, scene.bob, scene.eve = [await Client.arrive(server, name) for name in ("Ann", "Bob", "Eve")]
        scene.member = await (await Client.arrive(server, "Mia")).enter(
            "/api/members", {"login": "mia", "password": PASSWORD}
        )
        scene.game = await sit_down([scene.ann, scene.bob], "blockers")
        return scene

    async def must(self, call: Call, *statuses: int) -> str | None:
        """Make a request that must get this status; return what was wrong."""
        self.tried += 1
        answers = await self.server.ask(call)
        status = status_of(answers)
        if status in statuses:
            self.refused += 1
            return None
        return f"{call.method} {call.path} by {call.who or 'a stranger'}: {status} {body_of(answers)[:80]!r}"

    async def at_once(self, calls: Sequence[Call]) -> list[int]:
        """Return the statuses of many concurrent requests: one after another, they would have to wait."""
        some = (calls[start : start + AT_ONCE] for start in range(0, len(calls), AT_ONCE))
        return [status_of(answers) for each in some for answers in await asyncio.gather(*map(self.server.ask, each))]

    async def number(self) -> int:
        """Return the length of the table's log."""
        return len(await self.server.host.store.log(self.game, -1))
