"""What a route of the HTTP interface is: a method, a path, a handler, and the types of what goes in and out."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal, TypeAlias

from msgspec import Struct, field

from tessella.core.game import Public
from tessella.server.host import Host
from tessella.server.limits import Limits
from tessella.server.people import Person
from tessella.server.sessions import Caller

Body: TypeAlias = Any

WORD = "[A-Za-z0-9_-]{1,1400}"
"""Ids, titles and numbers in a path."""


class Problem(Exception):
    """A request that cannot be answered as wished: status, a word for programs, a sentence for people.

    `after` is the number of seconds after which it may be worth another try.
    """

    def __init__(self, status: int, rule: str, why: str, after: float | None = None) -> None:
        super().__init__(why)
        self.status = status
        self.rule = rule
        self.why = why
        self.after = after


class Answer(Struct, frozen=True):
    """What a handler gives: a public value, and a cookie to set if there is a new one."""

    body: Public
    status: int = 200
    cookie: str = ""
    keep: bool = False
    """Whether the answer will always be the same, and is for everybody."""


class Request(Struct, frozen=True):
    """A request as the handlers see it."""

    host: Host
    caller: Caller | None
    path: dict[str, str]
    body: Body
    query: dict[str, str]
    origin: str = ""
    """Where our pages come from, as the client knows us: scheme, host and port."""
    limits: Limits = field(default_factory=Limits)

    @property
    def person(self) -> Person:
        """Who asks; refused if nobody is known."""
        if self.caller is None:
            raise Problem(401, "session", "say who you are first: POST /api/session")
        return self.caller.person


Handler: TypeAlias = Callable[[Request], Awaitable[Answer]]


class Route(Struct, frozen=True):
    """One thing that can be asked for."""

    method: Literal["GET", "POST", "DELETE"]
    path: str
    handler: Handler
    answer: type[Public]
    body: type[Struct] | None = None
    query: tuple[str, ...] = ()
    status: int = 200
    guess: bool = False
    """Whether somebody might try this again and again, hoping to hit a secret."""
    costly: bool = False
    """Whether it takes so much to answer that nobody may ask often."""
    parting: bool = False
    """Whether it ends sessions: what was opened by them is closed."""

    @property
    def summary(self) -> str:
        """The first line of the handler's docstring."""
        return (self.handler.__doc__ or "").partition("\n")[0]
