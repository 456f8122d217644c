"""Files of learned weights: one line of JSON, then 16-bit integers, low byte first, compressed.

The line holds what the game needs to know about its weights, and their SHA-256 before compression. Reading a file runs
no code from it.
"""

import hashlib
import os
import struct
import zlib
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

import msgspec

LARGEST_WEIGHT = 2**15 - 1


class BrokenNet(ValueError):
    """The file holds no net, or not the one that was written."""


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The first line of a file; each game adds its own fields."""

    format: str
    sha256: str = ""


H = TypeVar("H", bound=Head)


def write(head: Head, weights: Sequence[int]) -> bytes:
    """Return the content of a file with these weights."""
    numbers = struct.pack(f"<{len(weights)}h", *weights)
    head = msgspec.structs.replace(head, sha256=hashlib.sha256(numbers).hexdigest())
    return msgspec.json.encode(head) + b"\n" + zlib.compress(numbers, 9)


def read(file: bytes, head_type: type[H], form: str) -> tuple[H, tuple[int, ...]]:
    """Return the first line and the weights; raise `BrokenNet` if the file is of another form or was changed."""
    first, _, rest = file.partition(b"\n")
    try:
        head = msgspec.json.decode(first, type=head_type)
        numbers = zlib.decompress(rest)
    except (msgspec.DecodeError, zlib.error) as exc:
        raise BrokenNet(f"not a net: {exc}") from None
    if head.format != form or hashlib.sha256(numbers).hexdigest() != head.sha256:
        raise BrokenNet("not the net that was written")
    return head, struct.unpack(f"<{len(numbers) // 2}h", numbers)


def find(name: str) -> bytes | None:
    """Return the content of the weights file of that name, if there is one.

    Files in the folder TESSELLA_NETS come first, so that a net in training can play.
    """
    folder = os.environ.get("TESSELLA_NETS")
    for place in (Path(folder) if folder else None, files("tessella.bots") / "weights"):
        if place is not None and (file := place / name).is_file():
            return file.read_bytes()
    return None
