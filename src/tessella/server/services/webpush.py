"""Web Push: short messages to a closed browser, through the push service of its vendor.

Only that browser can decrypt them (RFC 8291), and the service can verify that they come from us (RFC 8292). The
browser names the address of its service, so they leave through the guarded door (`outgoing`).
"""

import json
from secrets import token_bytes
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tessella.server.base64url import write64

CURVE = ec.SECP256R1()
RECORD_BYTES = 4096
"""The size of a record; our messages fit into one."""
LAST_RECORD = b"\x02"
"""The delimiter of the last record."""

TOKEN_SECONDS = 43_200.0


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
