"""The learned nets of the Blockers! bots, one per number of players: weights as `tessella.fast.blockers.evaluation`."""

from array import array
from collections.abc import MutableSequence, Sequence
from functools import cache
from typing import TypeAlias

from tessella.bots import netfile
from tessella.fast.blockers.evaluation import WEIGHTS

FORMAT = "tessella net of blockers 1"

Net: TypeAlias = MutableSequence[float]
"""The weights, an array of C doubles."""


class Head(netfile.Head, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The first line of a file."""

    seats: int
    scale: int
    """The integer that stands for 1.0 in the file."""


def write(weights: Sequence[float], seats: int) -> bytes:
    """Return the content of a file with these weights, as precise as 16 bits allow."""
    scale = 1
    while 2 * scale * max(map(abs, weights)) <= netfile.LARGEST_WEIGHT:
        scale *= 2
    head = Head(format=FORMAT, seats=seats, scale=scale)
    return netfile.write(head, [round(weight * scale) for weight in weights])


def read(file: bytes) -> Net:
    """Return the weights in a file; raise `BrokenNet` if it was changed."""
    head, numbers = netfile.read(file, Head, FORMAT)
    if len(numbers) != WEIGHTS:
        raise netfile.BrokenNet(f"a net of Blockers! has {WEIGHTS} weights, not {len(numbers)}")
    return array("d", (number / head.scale for number in numbers))


def file_name(seats: int) -> str:
    """Return the name of the file for a number of players."""
    return f"blockers-{seats}.net"


@cache
def net_for(seats: int) -> Net | None:
    """Return the net for a number of players: from the folder TESSELLA_NETS, or the one in the package."""
    file = netfile.find(file_name(seats))
    return None if file is None else read(file)
