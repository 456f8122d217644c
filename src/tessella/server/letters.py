"""Bytes as letters that fit anywhere (base64url without padding), and back."""

from base64 import urlsafe_b64decode, urlsafe_b64encode


def write64(data: bytes) -> str:
    r"""Bytes as letters.

    >>> write64(b"\xfb\xff")
    '-_8'
    """
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def read64(text: str) -> bytes:
    r"""The bytes again.

    >>> read64("-_8")
    b'\xfb\xff'
    """
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
