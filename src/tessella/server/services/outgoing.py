"""The one door through which the server sends HTTP requests to addresses that users name.

It opens to public addresses of the Internet only, and to origins that the host has allowed. We connect to the very
address that was checked, so a second look-up cannot lead elsewhere (DNS rebinding). One deadline covers everything from
the look-up to the answer, of which only the head is read; no redirect is followed.
"""

import asyncio
import re
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import Literal, TypeAlias
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from tessella.server.addresses import is_public

PORTS = {"https": 443, "http": 80}

DEADLINE_SECONDS = 10.0
"""For one request: name look-up, connection, TLS, request and answer together."""

LONGEST_LINE_BYTES = 1_024
MOST_HEADERS = 50
STATUS_LINE = re.compile(rb"HTTP/1\.[01] ([2-5][0-9]{2})(?: [^\r\n]*)?\r?\n")
RETRY_AFTER = re.compile(rb"(?i)retry-after:[ \t]*([0-9]{1,6})[ \t]*\r?\n")
BUSY = (429, 503)
"""The statuses after which a receiver may say when to come back."""

_LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
PUBLIC_URL = re.compile(rf"https://(?=[^/?]{{4,253}}(?:[/?]|$))(?:{_LABEL}\.)+[a-z]{_LABEL}(?:[/?][!-~]*)?")
"""A lower-case host name whose last label is not numeric, the default port, and a path of printable ASCII."""
ANY_URL = re.compile(r"https?://[a-z0-9.-]{1,253}(?::[0-9]{1,5})?(?:[/?][!-~]*)?")

LOOK_UPS = ThreadPoolExecutor(32, "outgoing-look-up")
"""Look-ups cannot be cancelled: those that miss their deadline block these threads and no others."""

Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[tuple[str, int]]]]
"""Resolves a host and port to socket addresses."""

Method: TypeAlias = Literal["POST", "PUT"]


class NotPublic(OSError):
    """The address is not a public one."""


class OutcomeUnknown(OSError):
    """The request was sent, but no answer came: the receiver may have acted on it."""


class BadAnswer(OutcomeUnknown):
    """The receiver did not answer with HTTP."""


class Outgoing(Struct, frozen=True):
    """A request to be sent."""

    url: str
    headers: Mapping[str, str]
    body: bytes
    method: Method = "POST"


class Reply(Struct, frozen=True):
    """The status of an answer, and after how many seconds the receiver wants to be asked again, if it said so."""

    status: int
    retry_after: float | None = None


async def public_addresses(host: str, port: int) -> list[tuple[str, int]]:
    """Return the addresses of a host; raise `NotPublic` if any of them is not public."""
    addresses = await _look_up(host, port)
    if not all(map(is_public, addresses)):
        raise NotPublic(f"{host} has an address that is not public")
    return [(address, port) for address in addresses]


async def any_addresses(host: str, port: int) -> list[tuple[str, int]]:
    """Return the addresses of a host that is allowed by name."""
    return [(address, port) for address in await _look_up(host, port)]


async def _look_up(host: str, port: int) -> list[str]:
    look_up = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(LOOK_UPS, look_up)
    return list(dict.fromkeys(str(where[0]) for *_, where in found))


def origin_of(url: str) -> str:
    """Return scheme, host and port of a URL.

    >>> origin_of("http://ntfy.lan:8080/turns")
    'http://ntfy.lan:8080'
    """
    return "/".join(url.split("/", 3)[:3]).partition("?")[0]


class Door(Struct, frozen=True):
    """Sends requests to public addresses, and to the origins that the host has allowed."""

    allowed: frozenset[str] = frozenset()
    resolve: Resolve = public_addresses
    context: ssl.SSLContext | None = None
    seconds: float = DEADLINE_SECONDS

    def opens_to(self, url: str) -> bool:
        """Return whether a request may be sent to this URL, as far as its text shows.

        >>> [Door().opens_to(url) for url in ("https://push.example.org/a1", "http://push.example.org/a1")]
        [True, False]
        >>> Door(frozenset({"http://127.0.0.1:8080"})).opens_to("http://127.0.0.1:8080/hook")
        True
        """
        if origin_of(url) in self.allowed:
            return ANY_URL.fullmatch(url) is not None
        return PUBLIC_URL.fullmatch(url) is not None

    async def send(self, request: Outgoing) -> Reply:
        """Send a request and return the head of its answer.

        Raise `OutcomeUnknown` if it was sent and no answer came in time; any other OSError, TimeoutError among them,
        means that the receiver has not got it.
        """
        if not self.opens_to(request.url):
            raise NotPublic("not the address of a public receiver")
        where, is_sent = urlsplit(request.url), False
        try:
            async with asyncio.timeout(self.seconds):
                reader, writer = await self._reach(where)
                try:
                    is_sent = True
                    writer.write(_head(where, request) + request.body)
                    await writer.drain()
                    return await _reply(reader)
                finally:
                    writer.transport.abort()
        except BadAnswer:
            raise
        except OSError as exc:
            if is_sent:
                raise OutcomeUnknown("no answer after the request was sent") from exc
            raise

    async def _reach(self, where: SplitResult) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the first address that answers, and verify its certificate for the host."""
        host, port = where.hostname or "", where.port or PORTS[where.scheme]
        resolve = any_addresses if f"{where.scheme}://{where.netloc}" in self.allowed else self.resolve
        tls = {"ssl": self.context or _default_context(), "server_hostname": host} if where.scheme == "https" else {}
        error: OSError = NotPublic(f"{host} has no address")
        for address, number in await resolve(host, port):
            try:
                return await asyncio.open_connection(address, number, limit=LONGEST_LINE_BYTES, **tls)  # type: ignore[arg-type]
            except OSError as exc:
                error = exc
        raise error


def _head(where: SplitResult, request: Outgoing) -> bytes:
    path = (where.path or "/") + (f"?{where.query}" if where.query else "")
    length = str(len(request.body))
    sent = {**request.headers, "host": where.netloc, "content-length": length, "connection": "close"}
    lines = [f"{request.method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items()), "", ""]
    return "\r\n".join(lines).encode("ascii")


async def _reply(reader: asyncio.StreamReader) -> Reply:
    try:
        found = STATUS_LINE.fullmatch(await reader.readline())
    except ValueError:
        raise BadAnswer(f"the status line is longer than {LONGEST_LINE_BYTES} bytes") from None
    if found is None:
        raise BadAnswer("the answer has no HTTP status line")
    status = int(found[1])
    return Reply(status, await _retry_after(reader) if status in BUSY else None)


async def _retry_after(reader: asyncio.StreamReader) -> float | None:
    """Return when a busy receiver wants to be asked again; None if it does not say so in its first headers."""
    for _ in range(MOST_HEADERS):
        try:
            line = await reader.readline()
        except (ValueError, OSError):
            return None
        if found := RETRY_AFTER.fullmatch(line):
            return float(found[1])
        if not line.strip():
            return None
    return None


@cache
def _default_context() -> ssl.SSLContext:
    return ssl.create_default_context()
