"""Web Push: short messages to a closed browser, through the push service of its vendor.

Only that browser can decrypt them (RFC 8291), and the service can verify that they come from us (RFC 8292). The
browser names the address of its service, so we send only to public addresses of the Internet.
"""

import asyncio
import json
import re
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from secrets import token_bytes
from typing import TypeAlias
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tessella.server.addresses import is_public
from tessella.server.base64url import write64

CURVE = ec.SECP256R1()
RECORD_BYTES = 4096
"""The size of a record; our messages fit into one."""
LAST_RECORD = b"\x02"
"""The delimiter of the last record."""

TOKEN_SECONDS = 43_200.0
HTTPS = 443

DEADLINE_SECONDS = 10.0
"""For one message: name look-up, connection, TLS, request and answer together."""

LONGEST_STATUS_LINE_BYTES = 1_024
STATUS_LINE = re.compile(rb"HTTP/1\.[01] ([2-5][0-9]{2})(?: [^\r\n]*)?\r?\n")

_LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
ENDPOINT = re.compile(rf"https://(?=[^/?]{{4,253}}(?:[/?]|$))(?:{_LABEL}\.)+[a-z]{_LABEL}(?:[/?][!-~]*)?")
"""A lower-case host name whose last label is not numeric, and a path of printable ASCII."""

LOOK_UPS = ThreadPoolExecutor(32, "push-look-up")
"""Look-ups cannot be cancelled: those that miss their deadline block these threads and no others."""

Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[tuple[str, int]]]]
"""Resolves a host and port to socket addresses."""


class NotPublic(OSError):
    """The address is not a public one."""


class BadAnswer(OSError):
    """The service did not answer with HTTP."""


# Keys


def private_key(value: bytes) -> ec.EllipticCurvePrivateKey:
    """Return the private key with this value of 32 bytes."""
    return ec.derive_private_key(int.from_bytes(value), CURVE)


def new_private_value() -> bytes:
    """Return the 32 bytes of a new private key."""
    return ec.generate_private_key(CURVE).private_numbers().private_value.to_bytes(32)


def public_point(key: ec.EllipticCurvePrivateKey | ec.EllipticCurvePublicKey) -> bytes:
    """Return the public key as an uncompressed point of 65 bytes."""
    public = key.public_key() if isinstance(key, ec.EllipticCurvePrivateKey) else key
    return public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def read_point(point: bytes) -> ec.EllipticCurvePublicKey:
    """Return the public key with this point; raise ValueError if there is none."""
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)


# Encryption for the browser (RFC 8291)


def encrypt(
    plaintext: bytes,
    point: bytes,
    auth: bytes,
    ours: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Return the message encrypted for the owner of the point, with a new key and salt unless they are given."""
    ours, salt = ours or ec.generate_private_key(CURVE), salt or token_bytes(16)
    us = public_point(ours)
    shared = ours.exchange(ec.ECDH(), read_point(point))
    secret = _derive(shared, auth, b"WebPush: info\0" + point + us, 32)
    key = _derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD_BYTES.to_bytes(4) + len(us).to_bytes(1) + us
    return head + AESGCM(key).encrypt(nonce, plaintext + LAST_RECORD, None)


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


# Authentication to the service (RFC 8292)


def authorization(endpoint: str, site: str, key: ec.EllipticCurvePrivateKey, now: float) -> str:
    """Return the Authorization header: a signed VAPID token for this service, valid for `TOKEN_SECONDS`."""
    service = urlsplit(endpoint)
    claims = {"aud": f"{service.scheme}://{service.netloc}", "exp": int(now + TOKEN_SECONDS), "sub": site}
    parts = [write64(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims)]
    text = ".".join(parts)
    r, s = decode_dss_signature(key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    return f"vapid t={text}.{write64(r.to_bytes(32) + s.to_bytes(32))}, k={write64(public_point(key))}"


# Sending


def is_endpoint(endpoint: str) -> bool:
    """Return whether this may be the address of a push service: HTTPS, a plain host name, the default port.

    >>> is_endpoint("https://push.example.org/a1"), is_endpoint("http://push.example.org/a1")
    (True, False)
    """
    return ENDPOINT.fullmatch(endpoint) is not None


async def public_addresses(host: str, port: int) -> list[tuple[str, int]]:
    """Return the addresses of a host; raise `NotPublic` if any of them is not public."""
    look_up = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(LOOK_UPS, look_up)
    addresses = list(dict.fromkeys(str(where[0]) for *_, where in found))
    if not all(map(is_public, addresses)):
        raise NotPublic(f"{host} has an address that is not public")
    return [(address, port) for address in addresses]


async def post(
    endpoint: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    resolve: Resolve = public_addresses,
    context: ssl.SSLContext | None = None,
    seconds: float = DEADLINE_SECONDS,
) -> int:
    """Post a message to the service and return the status of its answer; nothing else is read, no redirect followed.

    One deadline covers everything from the name look-up to the status; TimeoutError is raised when it passes. We
    connect to the very address that was checked, so a second look-up cannot lead elsewhere (DNS rebinding).
    """
    if not is_endpoint(endpoint):
        raise NotPublic("not the address of a push service")
    where = urlsplit(endpoint)
    host = where.netloc
    path = (where.path or "/") + (f"?{where.query}" if where.query else "")
    sent = {**headers, "host": host, "content-length": str(len(body)), "connection": "close"}
    lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items()), "", ""]
    async with asyncio.timeout(seconds):
        reader, writer = await _reach(host, await resolve(host, HTTPS), context or _default_context())
        try:
            writer.write("\r\n".join(lines).encode("ascii") + body)
            await writer.drain()
            return _status(await reader.readline())
        except ValueError:
            raise BadAnswer(f"the status line is longer than {LONGEST_STATUS_LINE_BYTES} bytes") from None
        finally:
            writer.transport.abort()


async def _reach(
    host: str, addresses: Sequence[tuple[str, int]], context: ssl.SSLContext
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to the first address that answers, and verify its certificate for the host."""
    error: OSError = NotPublic(f"{host} has no address")
    for address, port in addresses:
        try:
            return await asyncio.open_connection(
                address, port, ssl=context, server_hostname=host, limit=LONGEST_STATUS_LINE_BYTES
            )
        except OSError as exc:
            error = exc
    raise error


@cache
def _default_context() -> ssl.SSLContext:
    return ssl.create_default_context()


def _status(line: bytes) -> int:
    found = STATUS_LINE.fullmatch(line)
    if found is None:
        raise BadAnswer("the answer has no HTTP status line")
    return int(found[1])
