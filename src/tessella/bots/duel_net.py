"""The net that the computer players of Azul Duel have learned, and the file that holds it.

A file is a line of JSON and then the weights, compressed: 16-bit numbers, low byte first, in the order of
`tessella.fast.duel_value`. The line says how much 1 is in these numbers, and the SHA-256 of the weights before
compression. Nobody else's code runs when a net is read.
"""

import hashlib
import zlib
from array import array
from collections.abc import MutableSequence, Sequence
from functools import cache
from struct import pack, unpack
from typing import TypeAlias

import msgspec

from tessella.bots.nets import file_named

FILE = "duel.net"
FORMAT = "tessella net of duel 1"
MOST = 2**15 - 1

Net: TypeAlias = MutableSequence[float]
"""The weights, an array of C doubles."""


class Broken(ValueError):
    """Not a net, or not the one that was written."""


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a file."""

    format: str
    scale: int
    sha256: str


def write(weights: Sequence[float]) -> bytes:
    """A net as a file, its weights as fine as 16 bits allow."""
    scale = 1
    while 2 * scale * max(map(abs, weights)) <= MOST:
        scale *= 2
    numbers = pack(f"<{len(weights)}h", *(round(weight * scale) for weight in weights))
    head = Head(FORMAT, scale, hashlib.sha256(numbers).hexdigest())
    return msgspec.json.encode(head) + b"\n" + zlib.compress(numbers, 9)


def read(file: bytes) -> Net:
    """The weights in a file; refuse one that was changed."""
    first, _, rest = file.partition(b"\n")
    try:
        head = msgspec.json.decode(first, type=Head)
        numbers = zlib.decompress(rest)
    except (msgspec.DecodeError, zlib.error) as wrong:
        raise Broken(f"not a net: {wrong}") from None
    if head.format != FORMAT or hashlib.sha256(numbers).hexdigest() != head.sha256:
        raise Broken("not the net that was written")
    return array("d", (number / head.scale for number in unpack(f"<{len(numbers) // 2}h", numbers)))


@cache
def learned() -> Net:
    """The net that the levels play with: that of the folder TESSELLA_NETS, or the one that came with Tessella."""
    file = file_named(FILE)
    assert file is not None
    return read(file)
