"""Routes of the HTTP interface: method, path, handler, and the types of body and answer."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal, TypeAlias

from msgspec import Struct, field

from tessella.core.game import Public
from tessella.core.wire import Encoded
from tessella.server.http.rate_limits import Limits
from tessella.server.http.table_caps import TableCaps
from tessella.server.people.identity import Person
from tessella.server.rooms.commands import Caller
from tessella.server.rooms.host import Host
from tessella.server.services.compute import Busy, Compute, InThread, P
from tessella.server.services.outgoing import Door
from tessella.server.services.watching import Watching
from tessella.server.settings import Registration
from tessella.table.table import Refused

Body: TypeAlias = Any

WORD = "[A-Za-z0-9_-]{1,1400}"
"""Ids, titles and numbers in a path."""


class Problem(Exception):
    """A request that failed: status, a rule for programs, a sentence for people.

    `after` is the number of seconds after which the client may try again.
    """

    def __init__(self, status: int, rule: str, message: str, after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.rule = rule
        self.message = message
        self.after = after


class Answer(Struct, frozen=True):
    """The result of a handler: a public value, and new cookies if there are any."""

    body: Public | Encoded
    status: int = 200
    cookie: str = ""
    device: str = ""
    """The new cookie by which this browser is recognised at the next login."""
    keep: bool = False
    """Whether the answer never changes and is the same for everyone, so that it may be cached."""


class Messaging(Struct, frozen=True):
    """How this server sends news of turns."""

    door: Door = Door()
    site: str = ""
    """The public address of this server, if the host has set it."""
    has_mail: bool = False


class HouseRules(Struct, frozen=True):
    """Who may come in, as the host has set it."""

    registration: Registration = "open"
    guests: bool = True
    button: str = ""
    """The text of the button for a log-in by an account elsewhere; empty if there is none."""


class Request(Struct, frozen=True):
    """A request as a handler gets it."""

    host: Host
    caller: Caller | None
    path: dict[str, str]
    body: Body
    query: dict[str, str]
    origin: str = ""
    """Our own origin as the client sees it: scheme, host and port."""
    limits: Limits = field(default_factory=Limits)
    address: str = ""
    """The address of the client, as our proxies report it."""
    compute: Compute = field(default_factory=InThread)
    device: str = ""
    """The cookie of a browser that has logged in before."""
    caps: TableCaps = field(default_factory=TableCaps)
    messaging: Messaging = Messaging()
    tables_to_watch: Watching | None = None
    rules: HouseRules = HouseRules()

    @property
    def watching(self) -> Watching:
        """The tables to watch, as this worker knows them."""
        return self.tables_to_watch or Watching(self.host)

    @property
    def session(self) -> str:
        """The public id of the session; empty without one."""
        return self.caller.session.id if self.caller and self.caller.session else ""

    async def expensive(self, task: Callable[P, Public], *arguments: P.args, **none: P.kwargs) -> Encoded:
        """Return the answer of a task in `expensive`; raise `Problem` if it is refused or the queue is full."""
        asker = self.limits.asker(self.session, self.address)
        try:
            return await self.compute.run(asker, task, *arguments, **none)
        except Refused as exc:
            raise Problem(403 if exc.rule == "match" else 422, exc.rule, exc.message) from None
        except Busy:
            raise Problem(429, "busy", "too many games are being replayed; try again in a moment", 2) from None

    @property
    def person(self) -> Person:
        """The person who sent the request; raise `Problem` without a session."""
        if self.caller is None:
            raise Problem(401, "session", "log in or choose a name first: POST /api/session")
        return self.caller.person


Handler: TypeAlias = Callable[[Request], Awaitable[Answer]]


class Route(Struct, frozen=True):
    """One route of the HTTP interface."""

    method: Literal["GET", "POST", "DELETE"]
    path: str
    handler: Handler
    answer: type[Public]
    body: type[Struct] | None = None
    query: tuple[str, ...] = ()
    status: int = 200
    guess: bool = False
    """Whether an attacker could guess a secret here, so that attempts are limited."""
    expensive: bool = False
    """Whether requests are limited per session and per address because they are expensive."""
    ends_sessions: bool = False
    """Whether it may end sessions, so that their connections are closed."""
    moderators: bool = False
    """Whether it is for moderators; to everyone else the path does not exist."""
    signs_up: bool = False
    """Whether a guest may do this on a server for members: signing up, going, and playing on."""

    @property
    def summary(self) -> str:
        """The first line of the handler's docstring."""
        return (self.handler.__doc__ or "").partition("\n")[0]
