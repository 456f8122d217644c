"""base64url without padding: bytes as text that fits in URLs, cookies and headers."""

from base64 import urlsafe_b64decode, urlsafe_b64encode


def write64(data: bytes) -> str:
    r"""Return bytes as base64url without padding.

    >>> write64(b"\xfb\xff")
    '-_8'
    """
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def read64(text: str) -> bytes:
    r"""Return the bytes of a base64url text without padding; raise ValueError if it is malformed.

    >>> read64("-_8")
    b'\xfb\xff'
    """
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
