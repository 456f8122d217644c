"""The learned nets of the computer players, and the files that hold them.

A file is a line of JSON and then the weights, compressed: 16-bit numbers, low byte first, in the order of
`tessella.fast.azul_inputs`. The line says for whom the net is, how much 1 is in its numbers, and the SHA-256 of the
weights before compression. Nobody else's code runs when a net is read.
"""

import hashlib
import os
import struct
import zlib
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec

from tessella.fast.azul_net import Net

FORMAT = "tessella net 1"


class Broken(ValueError):
    """Not a net, or not the one that was written."""


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a file."""

    format: str
    rules: str
    """The game and its options, as a record names them."""
    first_scale: int
    win_scale: int
    margin_scale: int
    sha256: str


def write(head: Head, weights: bytes) -> bytes:
    """A net as a file."""
    return msgspec.json.encode(head) + b"\n" + zlib.compress(weights, 9)


def read(file: bytes) -> tuple[Head, Net]:
    """Read a file; refuse one that was changed."""
    first, _, rest = file.partition(b"\n")
    try:
        head = msgspec.json.decode(first, type=Head)
        weights = zlib.decompress(rest)
    except (msgspec.DecodeError, zlib.error) as wrong:
        raise Broken(f"not a net: {wrong}") from None
    if head.format != FORMAT or hashlib.sha256(weights).hexdigest() != head.sha256:
        raise Broken("not the net that was written")
    numbers = struct.unpack(f"<{len(weights) // 2}h", weights)
    return head, Net(numbers, head.first_scale, head.win_scale, head.margin_scale)


def named(seats: int, wall: str) -> str:
    """What the file for so many players and such a wall is called."""
    return f"azul-{seats}-{wall}.net"


def net_for(seats: int, wall: str) -> Net | None:
    """The net for so many players and such a wall, if there is one."""
    return net_named(named(seats, wall))


@cache
def net_named(name: str) -> Net | None:
    """The net in a file of that name, if there is one."""
    file = file_named(name)
    return None if file is None else read(file)[1]


def file_named(name: str) -> bytes | None:
    """The file of that name, if there is one.

    Those of the folder TESSELLA_NETS come first, so that whoever trains a net can let it play.
    """
    folder = os.environ.get("TESSELLA_NETS")
    for place in (Path(folder) if folder else None, files(__name__)):
        if place is not None and (file := place / name).is_file():
            return file.read_bytes()
    return None
