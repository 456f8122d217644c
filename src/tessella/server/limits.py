"""Not too much at once: token buckets that fill slowly and are emptied by requests.

Each worker counts for itself, in bounded memory: what is forgotten first has been quiet longest. With n workers
somebody gets at most n times as far, which still is nowhere near guessing 128 bits.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from ipaddress import IPv6Address, ip_address
from math import inf

from msgspec import Struct, field

MOST_BUCKETS = 20_000
A_FEW = 10


class Buckets:
    """A bucket for each key: so many tokens at most, so many more a second.

    >>> buckets = Buckets(burst=2, per_second=0.5)
    >>> [buckets.take("ann", now) for now in (0.0, 0.0, 0.0, 2.0)]
    [0.0, 0.0, 2.0, 0.0]
    """

    def __init__(self, burst: float, per_second: float, most: int = MOST_BUCKETS) -> None:
        self.burst = burst
        self.per_second = per_second
        self.most = most
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, now: float) -> float:
        """Take one token: give 0, or the seconds until there is one."""
        return self.queue(key, now, 0.0)

    def queue(self, key: str, now: float, longest: float) -> float:
        """Take one token, if need be one that is yet to come: give the seconds until then; none if that is too long.

        >>> buckets = Buckets(burst=2, per_second=0.5)
        >>> [buckets.queue("ann", 0.0, 5) for _ in range(5)]
        [0.0, 0.0, 2.0, 4.0, 6.0]
        """
        level, since = self._levels.pop(key, (self.burst, now))
        level = min(self.burst, level + max(0.0, now - since) * self.per_second)
        wait = max(0.0, (1 - level) / self.per_second)
        self._levels[key] = (level - (wait <= longest), now)
        if len(self._levels) > self.most:
            self._levels.popitem(last=False)
        return wait

    def is_tried(self, key: str) -> bool:
        """Whether more than a few were taken lately."""
        return self._levels[key][0] < self.burst - A_FEW

    def give_back(self, key: str) -> None:
        """Put a token back, for who has shown not to be guessing."""
        if key in self._levels:
            level, since = self._levels[key]
            self._levels[key] = (min(self.burst, level + 1), since)

    def __len__(self) -> int:
        return len(self._levels)


class Limits(Struct, frozen=True):
    """What a worker allows: changes of any kind, and guesses of links and log-ins, which are given back if right."""

    changes: Buckets = field(default_factory=lambda: Buckets(300, 30))
    crowds: Buckets = field(default_factory=lambda: Buckets(1_000, 60))
    """Changes from one address, where a whole club may sit."""
    guesses: Buckets = field(default_factory=lambda: Buckets(30, 1 / 20))
    studies: Buckets = field(default_factory=lambda: Buckets(60, 1))
    """Questions that take long to answer."""
    words: Buckets = field(default_factory=lambda: Buckets(300, 60))
    """Messages through sockets."""
    visits: Buckets = field(default_factory=lambda: Buckets(5, 60))
    """Requests of any kind from one address, which wait beyond that; sockets that are opened are such too."""
    most_connections: int = 60
    """Sockets and streams of one session; an address without a session may have ten times as many."""
    connected: Counter[str] = field(default_factory=Counter[str])

    def wait(self, session: str, address: str, now: float) -> float:
        """The seconds to wait before a change; 0 lets it through. Without a session only the address counts."""
        waits = [self.changes.take(session, now)] if session else []
        waits += [] if is_local(address) else [self.crowds.take(neighbourhood(address), now)]
        return max(waits, default=0.0)

    def wait_to_guess(self, what: str, now: float) -> float:
        """The seconds to wait before another guess from an address, or at a log-in."""
        return self.guesses.take(neighbourhood(what), now)

    def wait_to_study(self, session: str, address: str, now: float) -> float:
        """The seconds to wait before another question that takes long to answer."""
        return self.studies.take(session or neighbourhood(address), now)

    def wait_to_visit(self, address: str, now: float, longest: float) -> float:
        """The seconds to wait before anything is answered; who would wait longer is not expected back."""
        return 0.0 if is_local(address) else self.visits.queue(neighbourhood(address), now, longest)

    def patience(self, session: str, address: str) -> Callable[[float], float | None]:
        """What gives the seconds before another message through a socket is heard, each time that it is asked.

        None is: at once; 0 is: as soon as the others have had their turn.
        """
        key = _holder(session, address)
        return partial(self._word, key) if key else lambda _: None

    def _word(self, key: str, now: float) -> float | None:
        wait = self.words.queue(key, now, inf)
        return wait if wait or self.words.is_tried(key) else None

    @contextmanager
    def connection(self, session: str, address: str) -> Generator[bool]:
        """Hold one more connection; whether there was room for it."""
        key, most = _holder(session, address), self.most_connections * (1 if session else 10)
        granted = not key or self.connected[key] < most
        self.connected[key] += granted
        try:
            yield granted
        finally:
            self.connected[key] -= granted
            if not self.connected[key]:
                del self.connected[key]

    def right(self, what: str) -> None:
        """It was no guess."""
        self.guesses.give_back(neighbourhood(what))


def _holder(session: str, address: str) -> str:
    """Who is counted: a session or, without one, an address; this machine's own programs are not."""
    return session or ("" if is_local(address) else neighbourhood(address))


def neighbourhood(address: str) -> str:
    """Whose address it is, as far as one can tell: of IPv6 everybody has 2⁶⁴.

    >>> neighbourhood("2001:db8::1:2:3:4") == neighbourhood("2001:db8::ffff:2:3:4")
    True
    """
    try:
        whole = ip_address(address)
    except ValueError:
        return address
    return whole.exploded[:19] if isinstance(whole, IPv6Address) else address


def is_local(address: str) -> bool:
    """Whether it is this machine: its own programs, or a proxy that does not say for whom it asks."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return not address
