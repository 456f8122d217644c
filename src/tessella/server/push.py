"""Web Push: a few words for a browser that is closed, by way of the service of its maker.

Only that browser can read them (RFC 8291), and the service can tell that they come from us (RFC 8292). The address of
the service is what a browser claims it to be, so nothing is ever sent to a machine that is not on the open Internet.
"""

import json
import socket
import ssl
from collections.abc import Mapping
from http.client import HTTPConnection
from ipaddress import ip_address
from secrets import token_bytes
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tessella.server.letters import write64

CURVE = ec.SECP256R1()
RECORD = 4096
"""The size of a record; our words need one."""
LAST = b"\x02"
"""What closes the last record."""

HALF_A_DAY = 43_200.0
SECONDS = 10.0
HTTPS = 443


class NotPublic(OSError):
    """The address is not one of the open Internet."""


# Keys


def private_key(number: bytes) -> ec.EllipticCurvePrivateKey:
    """The key that a number of 32 bytes stands for."""
    return ec.derive_private_key(int.from_bytes(number), CURVE)


def fresh_number() -> bytes:
    """A number for a new key."""
    return ec.generate_private_key(CURVE).private_numbers().private_value.to_bytes(32)


def public_point(key: ec.EllipticCurvePrivateKey | ec.EllipticCurvePublicKey) -> bytes:
    """What others may know of a key, as 65 bytes."""
    public = key.public_key() if isinstance(key, ec.EllipticCurvePrivateKey) else key
    return public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def read_point(point: bytes) -> ec.EllipticCurvePublicKey:
    """Somebody's public key; raises ValueError if it is none."""
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)


# What the browser reads (RFC 8291)


def encrypt(
    words: bytes, point: bytes, auth: bytes, ours: ec.EllipticCurvePrivateKey | None = None, salt: bytes | None = None
) -> bytes:
    """Words that only the owner of the point can read; the key and the salt are new each time."""
    ours, salt = ours or ec.generate_private_key(CURVE), salt or token_bytes(16)
    us = public_point(ours)
    shared = ours.exchange(ec.ECDH(), read_point(point))
    secret = _derive(shared, auth, b"WebPush: info\0" + point + us, 32)
    key = _derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4) + len(us).to_bytes(1) + us
    return head + AESGCM(key).encrypt(nonce, words + LAST, None)


def _derive(secret: bytes, salt: bytes, what: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, what).derive(secret)


# What the service reads (RFC 8292)


def authorization(endpoint: str, site: str, key: ec.EllipticCurvePrivateKey, now: float) -> str:
    """The header that says who sends, signed for this service and for half a day."""
    service = urlsplit(endpoint)
    claims = {"aud": f"{service.scheme}://{service.netloc}", "exp": int(now + HALF_A_DAY), "sub": site}
    parts = [write64(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims)]
    text = ".".join(parts)
    r, s = decode_dss_signature(key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    return f"vapid t={text}.{write64(r.to_bytes(32) + s.to_bytes(32))}, k={write64(public_point(key))}"


# Sending


def is_endpoint(endpoint: str) -> bool:
    """Whether this may be the address of a push service: a plain name, by TLS, at the usual port.

    >>> is_endpoint("https://push.example.org/a1"), is_endpoint("http://push.example.org/a1")
    (True, False)
    """
    try:
        where = urlsplit(endpoint)
        return where.scheme == "https" and where.netloc == where.hostname and "." in where.netloc
    except ValueError:
        return False


def public_address(host: str, port: int) -> tuple[str, int]:
    """An address of the open Internet at which the host can be reached; raises NotPublic if any is another one."""
    found = {str(where[0]) for *_, where in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    for address in found:
        if not ip_address(address).is_global or ip_address(address).is_multicast:
            raise NotPublic(f"{host} is not on the open Internet")
    return min(found), port


def post(endpoint: str, headers: Mapping[str, str], body: bytes) -> int:
    """Hand a message to the service and give its answer's status; nothing else of it is read or followed.

    The address that was looked at is the one that is spoken to, so a name cannot change its mind in between.
    """
    where = urlsplit(endpoint)
    host = where.hostname or ""
    path = where.path + (f"?{where.query}" if where.query else "")
    with (
        socket.create_connection(public_address(host, HTTPS), SECONDS) as plain,
        ssl.create_default_context().wrap_socket(plain, server_hostname=host) as line,
    ):
        connection = HTTPConnection(host, HTTPS, timeout=SECONDS)
        connection.sock = line
        connection.request("POST", path or "/", body, {**headers, "host": host})
        return connection.getresponse().status
