"""The learned net of the Azul Duel bots: weights in the order of `tessella.fast.duel.evaluation`."""

from array import array
from collections.abc import MutableSequence, Sequence
from functools import cache
from typing import TypeAlias

from tessella.bots import netfile

FILE = "duel.net"
FORMAT = "tessella net of duel 1"

Net: TypeAlias = MutableSequence[float]
"""The weights, an array of C doubles."""


class Head(netfile.Head, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The first line of a file."""

    scale: int
    """The integer that stands for 1.0 in the file."""


def write(weights: Sequence[float]) -> bytes:
    """Return the content of a file with these weights, as precise as 16 bits allow."""
    scale = 1
    while 2 * scale * max(map(abs, weights)) <= netfile.LARGEST_WEIGHT:
        scale *= 2
    return netfile.write(Head(format=FORMAT, scale=scale), [round(weight * scale) for weight in weights])


def read(file: bytes) -> Net:
    """Return the weights in a file; raise `BrokenNet` if it was changed."""
    head, numbers = netfile.read(file, Head, FORMAT)
    return array("d", (number / head.scale for number in numbers))


@cache
def learned() -> Net:
    """Return the net that the levels play with: from the folder TESSELLA_NETS, or the one in the package."""
    file = netfile.find(FILE)
    assert file is not None
    return read(file)
