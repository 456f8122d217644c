"""Deadlines for HTTP requests and a limit on idle connections, against clients that hold connections open (Slowloris).

A client that opens connections and sends half a request, or nothing, would otherwise use up the descriptors of the
process. The head and the body of a request have a deadline. When too many connections wait for their client, the
address with the most of them loses its oldest.
"""

import logging
import sys
import time
from asyncio import TimerHandle
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol, cast

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from tessella.server.addresses import subnet_of

if sys.platform != "win32":
    import resource

if TYPE_CHECKING:
    from asyncio import Transport

    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as Base
    from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
else:
    Base = object

log = logging.getLogger(__name__)

HEAD_SECONDS = 10.0
"""For the head of a request: from the start of the connection, or from the first byte after another request."""

BODY_SECONDS = 20.0
"""For the rest of the request; the largest body is 8 KiB."""

RESERVED_DESCRIPTORS = 128
"""For everything but client connections, and for connections accepted before others are closed."""

ACCEPTED_AT_ONCE = 16
"""Connections that asyncio accepts before it serves those that it has."""

MANY_DESCRIPTORS = 65_536
"""Assumed where there is no limit."""

MOST_WAITING = 1_024
REPORT_SECONDS = 60.0


class Evictable(Protocol):
    """A connection that may be closed to make room."""

    address: str

    def evict(self) -> None:
        """Close the connection at once."""


class Connections:
    """The connections of a process that wait for their client: by address, the longest waiting first."""

    def __init__(self, descriptors: int) -> None:
        self.most = max(descriptors // 2, descriptors - RESERVED_DESCRIPTORS)
        """The limit for connections of any kind, including sockets."""
        self.most_waiting = min(MOST_WAITING, self.most // 2)
        self._waiting: dict[str, dict[Evictable, None]] = {}
        self._count = 0
        self._evicted = 0
        self._report_at = 0.0

    def __len__(self) -> int:
        return self._count

    def add(self, connection: Evictable) -> None:
        """Add a connection that waits for its client; close one if there are too many."""
        of_address = self._waiting.setdefault(connection.address, {})
        if connection not in of_address:
            of_address[connection] = None
            self._count += 1
            if self._count > self.most_waiting:
                self.make_room()

    def discard(self, connection: Evictable) -> None:
        """Remove a connection that no longer waits, or is closed."""
        of_address = self._waiting.get(connection.address, {})
        if connection in of_address:
            del of_address[connection]
            self._count -= 1
            if not of_address:
                del self._waiting[connection.address]

    def make_room(self) -> None:
        """Close the oldest waiting connection of the address with the most."""
        if self._waiting:
            of_address = max(self._waiting.values(), key=len)
            connection = next(iter(of_address))
            self.discard(connection)
            connection.evict()
            self._report()

    def _report(self) -> None:
        self._evicted += 1
        if (now := time.monotonic()) >= self._report_at:
            log.warning("idle connections closed to make room", extra={"count": self._evicted})
            self._evicted, self._report_at = 0, now + REPORT_SECONDS


class Phase(Enum):
    """What a connection waits for."""

    HEAD = "the head of a request"
    BODY = "the rest of a request"
    BUSY = "the application"
    IDLE = "another request"
    DONE = "nothing any more"


DEADLINE_SECONDS = {Phase.HEAD: HEAD_SECONDS, Phase.BODY: BODY_SECONDS}
WAITING = (Phase.HEAD, Phase.BODY, Phase.IDLE)
"""The phases that wait for the client; uvicorn's keep-alive timeout covers IDLE."""


class Bounded(Base):
    """uvicorn's HTTP protocol with deadlines; a mixin for either of its implementations."""

    bounds: Connections
    address = ""
    _phase = Phase.IDLE
    _deadline: TimerHandle | None = None

    def connection_made(self, transport: "Transport") -> None:  # type: ignore[override]
        """Expect a request soon, and make room for it."""
        super().connection_made(transport)
        self.address = subnet_of(self.client[0]) if self.client else ""
        self._enter(Phase.HEAD)
        if len(self.connections) > self.bounds.most:
            self.bounds.make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._enter(Phase.DONE)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse; the first byte after a request starts the next one."""
        if self._phase is Phase.IDLE:
            self._enter(Phase.HEAD)
        super().data_received(data)
        self._enter(self._current(Phase.HEAD))

    def on_response_complete(self) -> None:
        """Wait for another request."""
        super().on_response_complete()
        self._enter(self._current(Phase.IDLE))

    def handle_websocket_upgrade(self, *event: Any) -> None:  # noqa: ANN401
        """Hand the connection over to the socket, which pings its client."""
        self._enter(Phase.DONE)
        super().handle_websocket_upgrade(*event)

    def pause_writing(self) -> None:
        """Count the connection as waiting: the client does not read."""
        super().pause_writing()
        if self._phase is Phase.BUSY:
            self.bounds.add(self)

    def resume_writing(self) -> None:
        """Count the connection as busy again: the client has read."""
        super().resume_writing()
        if self._phase is Phase.BUSY:
            self.bounds.discard(self)

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, even if its last answer was not read."""
        self.evict()

    def evict(self) -> None:
        """Close the connection at once."""
        self.transport.abort()

    def _current(self, otherwise: Phase) -> Phase:
        cycle = cast("RequestResponseCycle | None", self.cycle)
        if cycle is None or cycle.response_complete:
            return otherwise
        return Phase.BODY if cycle.more_body else Phase.BUSY

    def _enter(self, phase: Phase) -> None:
        if self._phase is phase or self._phase is Phase.DONE:
            return
        self._phase = phase
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = (
            self.loop.call_later(DEADLINE_SECONDS[phase], self.evict) if phase in DEADLINE_SECONDS else None
        )
        if phase in WAITING:
            self.bounds.add(self)
        else:
            self.bounds.discard(self)


def bounded_http(bounds: Connections, protocol: Any = AutoHTTPProtocol) -> type[Bounded]:  # noqa: ANN401
    """Return the HTTP protocol that uvicorn would choose, or another of its own, with these bounds."""
    return cast("type[Bounded]", type("BoundedHTTP", (Bounded, protocol), {"bounds": bounds}))


def descriptor_limit() -> int:
    """Return how many files and connections this process may have open."""
    if sys.platform == "win32":
        return MANY_DESCRIPTORS
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MANY_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft
