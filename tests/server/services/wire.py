"""Deliveries without a network and without a clock: nothing depends on how fast the machine is."""

from collections.abc import Sequence

import pytest
from msgspec import field

from tessella.server.rooms.host import Host
from tessella.server.services.outgoing import Door, Outgoing, Reply


class Wire(Door, frozen=True):
    """Keeps what is sent, and answers it with a status or an error: the nth request with the nth, then the last."""

    answers: Sequence[int | Exception] = (200,)
    sent: list[Outgoing] = field(default_factory=list[Outgoing])

    async def send(self, request: Outgoing) -> Reply:
        answer = self.answers[min(len(self.sent), len(self.answers) - 1)]
        self.sent.append(request)
        if isinstance(answer, Exception):
            raise answer
        return Reply(answer)


async def stop_clock(monkeypatch: pytest.MonkeyPatch, host: Host) -> float:
    """Let no pause, lease or break end while a slow machine works; return the time."""
    at = await host.store.now()

    async def now() -> float:
        return at

    monkeypatch.setattr(host.store, "now", now)
    return at
