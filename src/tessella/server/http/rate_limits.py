"""Rate limits: token buckets per session, address and account.

Each worker counts for itself in bounded memory, and evicts the least recently used buckets first. With n workers the
limits are up to n times as high, which is still nowhere near enough to guess 128 bits.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from math import inf

from msgspec import Struct, field

from tessella.server.addresses import is_local, subnet_of

MOST_BUCKETS = 20_000
FEW_TOKENS = 10
"""A client that has taken no more than this lately is not slowed down."""


class Buckets:
    """Token buckets by key: at most `burst` tokens each, refilled at `per_second`.

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
        """Take one token and return 0, or return the seconds until there is one."""
        return self.queue(key, now, 0.0)

    def queue(self, key: str, now: float, longest: float) -> float:
        """Take one token, possibly a future one, and return the wait in seconds; take none if that exceeds `longest`.

        >>> buckets = Buckets(burst=2, per_second=0.5)
        >>> [buckets.queue("ann", 0.0, 5) for _ in range(5)]
        [0.0, 0.0, 2.0, 4.0, 6.0]
        """
        level, wait = self._level(key, now)
        self._levels.pop(key, None)
        self._levels[key] = (level - (wait <= longest), now)
        if len(self._levels) > self.most:
            self._levels.popitem(last=False)
        return wait

    def peek(self, key: str, now: float) -> float:
        """Return the seconds until there is a token, without taking it."""
        return self._level(key, now)[1]

    def _level(self, key: str, now: float) -> tuple[float, float]:
        """Return the number of tokens, and the seconds until there is one."""
        level, since = self._levels.get(key, (self.burst, now))
        level = min(self.burst, level + max(0.0, now - since) * self.per_second)
        return level, max(0.0, (1 - level) / self.per_second)

    def is_busy(self, key: str) -> bool:
        """Return whether more than `FEW_TOKENS` were taken lately."""
        return self._levels[key][0] < self.burst - FEW_TOKENS

    def refund(self, key: str) -> None:
        """Put a token back."""
        if key in self._levels:
            level, since = self._levels[key]
            self._levels[key] = (min(self.burst, level + 1), since)

    def __len__(self) -> int:
        return len(self._levels)


class Outstanding:
    """The ids that each asker waits for, at most `most` of them, in bounded memory.

    >>> outstanding = Outstanding(most=1)
    >>> [outstanding.add("ann", "one"), outstanding.add("ann", "two"), outstanding.add("bob", "two")]
    [True, False, True]
    >>> outstanding.keep("ann", set())
    >>> outstanding.add("ann", "two")
    True
    """

    def __init__(self, most: int, most_askers: int = MOST_BUCKETS) -> None:
        self.most = most
        self._most_askers = most_askers
        self._ids: OrderedDict[str, set[str]] = OrderedDict()

    def of(self, asker: str) -> set[str]:
        """Return the ids that an asker waits for, as far as known."""
        return set(self._ids.get(asker, ()))

    def keep(self, asker: str, ids: set[str]) -> None:
        """Drop all ids but these; the others are done."""
        if kept := self._ids.pop(asker, set()) & ids:
            self._ids[asker] = kept

    def add(self, asker: str, item_id: str) -> bool:
        """Add an id and return True, or return False if the asker waits for too many."""
        ids = self._ids.pop(asker, set[str]())
        self._ids[asker] = ids
        if len(self._ids) > self._most_askers:
            self._ids.popitem(last=False)
        if len(ids) >= self.most and item_id not in ids:
            return False
        ids.add(item_id)
        return True


class Limits(Struct, frozen=True):
    """The limits of one worker; a guess of a link or a password is refunded if it was right."""

    changes: Buckets = field(default_factory=lambda: Buckets(300, 30))
    changes_per_address: Buckets = field(default_factory=lambda: Buckets(1_000, 60))
    """Changes from one address, which a whole club may share."""
    guesses: Buckets = field(default_factory=lambda: Buckets(30, 1 / 20))
    logins: Buckets = field(default_factory=lambda: Buckets(10, 1 / 60))
    """Wrong passwords for one account from one address, or from one browser that has logged in to it before."""
    accounts: Buckets = field(default_factory=lambda: Buckets(100, 1 / 20))
    """Wrong passwords for one account from all unknown browsers: enough for an owner with a new one."""
    expensive: Buckets = field(default_factory=lambda: Buckets(60, 1))
    """Expensive requests per session."""
    expensive_per_address: Buckets = field(default_factory=lambda: Buckets(180, 3))
    """Expensive requests per address, because anyone can make sessions."""
    confirmations: Buckets = field(default_factory=lambda: Buckets(3, 1 / 7_200))
    """Requests to confirm an e-mail address: for one address, and from one person."""
    tests: Buckets = field(default_factory=lambda: Buckets(5, 1 / 60))
    """Test messages of one person."""
    phrases: Buckets = field(default_factory=lambda: Buckets(4, 1 / 4))
    """What one person says at tables."""
    reports: Buckets = field(default_factory=lambda: Buckets(5, 1 / 3_600))
    """Reports to the host, of one person and from one address."""
    invitations: Buckets = field(default_factory=lambda: Buckets(10, 1 / 60))
    """Invitations that one person sends to others."""
    reviews_per_person: Outstanding = field(default_factory=lambda: Outstanding(5))
    reviews_per_address: Outstanding = field(default_factory=lambda: Outstanding(20))
    """Unfinished reviews per person and per address."""
    messages: Buckets = field(default_factory=lambda: Buckets(300, 60))
    """Messages through sockets, per session or address."""
    requests: Buckets = field(default_factory=lambda: Buckets(5, 60))
    """Requests of any kind per address, including new sockets; those beyond the limit wait."""
    most_connections: int = 60
    """Sockets and streams per session; an address without a session may have ten times as many."""
    connected: Counter[str] = field(default_factory=Counter[str])

    def wait_for_change(self, session: str, address: str, now: float) -> float:
        """Return the seconds to wait before a change, 0 for none. Without a session only the address counts."""
        waits = [self.changes.take(session, now)] if session else []
        waits += [] if is_local(address) else [self.changes_per_address.take(subnet_of(address), now)]
        return max(waits, default=0.0)

    def wait_for_guess(self, address: str, now: float) -> float:
        """Return the seconds to wait before another guess from an address."""
        return self.guesses.take(subnet_of(address), now)

    def wait_for_login(self, account: str, address: str, device: str, now: float) -> float:
        """Return the seconds to wait before another password for an account.

        `device` names a browser that has logged in to this account before: it has its own limit, which no other
        client can use up. An attempt that one limit rejects is not charged to the next.
        """
        for buckets, key in self._login_limits(account, address, device):
            if wait := buckets.take(key, now):
                return wait
        return 0.0

    def refund_login(self, account: str, address: str, device: str) -> None:
        """Refund a login attempt with the right password."""
        for buckets, key in self._login_limits(account, address, device):
            buckets.refund(key)

    def _login_limits(self, account: str, address: str, device: str) -> list[tuple[Buckets, str]]:
        if device:
            return [(self.logins, f"{account} {device}")]
        subnet = subnet_of(address)
        return [(self.guesses, subnet), (self.logins, f"{account} {subnet}"), (self.accounts, account)]

    def wait_for_expensive(self, session: str, address: str, now: float) -> float:
        """Return the seconds to wait before another expensive request of a session and its address.

        A session that must wait is not charged to its address, so it cannot use up the limit of its neighbours.
        """
        wait = self.expensive.take(session, now) if session else 0.0
        if wait or (session and is_local(address)):
            return wait
        return self.expensive_per_address.take(subnet_of(address), now)

    def wait_for_expensive_at_address(self, address: str, now: float) -> float:
        """Return the seconds that any session of this address must wait, without charging the request."""
        return 0.0 if is_local(address) else self.expensive_per_address.peek(subnet_of(address), now)

    def asker(self, session: str, address: str) -> str:
        """Return the key of an expensive request in the fair queue: its subnet; on this machine its session, if any."""
        return session if is_local(address) else subnet_of(address)

    def wait_for_request(self, address: str, now: float, longest: float) -> float:
        """Return the seconds to wait before a request is answered; it is not charged if that exceeds `longest`."""
        return 0.0 if is_local(address) else self.requests.queue(subnet_of(address), now, longest)

    def message_delays(self, session: str, address: str) -> Callable[[float], float | None]:
        """Return a function of the time that charges a socket message and returns its delay in seconds.

        None means no delay; 0 means after the other sockets have had their turn.
        """
        key = _client_key(session, address)
        return partial(self._message_delay, key) if key else lambda _: None

    def _message_delay(self, key: str, now: float) -> float | None:
        wait = self.messages.queue(key, now, inf)
        return wait if wait or self.messages.is_busy(key) else None

    def may_speak(self, person: str, now: float) -> bool:
        """Charge a phrase of a person, and return whether it may be said."""
        return not self.phrases.take(person, now)

    @contextmanager
    def connection(self, session: str, address: str) -> Generator[bool]:
        """Hold one more connection while the block runs; yield whether it is allowed."""
        key, most = _client_key(session, address), self.most_connections * (1 if session else 10)
        granted = not key or self.connected[key] < most
        self.connected[key] += granted
        try:
            yield granted
        finally:
            self.connected[key] -= granted
            if not self.connected[key]:
                del self.connected[key]

    def refund_guess(self, address: str) -> None:
        """Refund the attempt."""
        self.guesses.refund(subnet_of(address))


def _client_key(session: str, address: str) -> str:
    """Return the key to count by: the session or else the subnet; empty for programs on this machine."""
    return session or ("" if is_local(address) else subnet_of(address))
