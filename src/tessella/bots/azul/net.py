"""The learned nets of the Azul bots: weights in the order of `tessella.fast.azul.features`."""

from collections.abc import Sequence
from functools import cache

from tessella.bots import netfile
from tessella.fast.azul.features import BOARD_INPUTS, HIDDEN, SHARED_INPUTS
from tessella.fast.azul.net import Net

FORMAT = "tessella net 1"


class Head(netfile.Head, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The first line of a file."""

    rules: str
    """The game and its options, as a record names them."""
    first_scale: int
    win_scale: int
    margin_scale: int
    hidden: int = 32
    """Hidden units per seat; a search adds zeros if it has room for more."""


def write(head: Head, weights: Sequence[int]) -> bytes:
    """Return the content of a file with this net."""
    return netfile.write(head, weights)


def read(file: bytes) -> tuple[Head, Net]:
    """Return the first line of a file and its net; raise `BrokenNet` if it was changed."""
    head, weights = netfile.read(file, Head, FORMAT)
    return head, Net(_widened(weights, head.hidden), head.first_scale, head.win_scale, head.margin_scale)


def _widened(weights: Sequence[int], hidden: int) -> list[int]:
    """Return the weights of a net with zeros in the place of the hidden units that it does not have."""
    groups = 2 * BOARD_INPUTS + SHARED_INPUTS + 3
    if hidden > HIDDEN or len(weights) != hidden * groups:
        raise netfile.BrokenNet(f"a net of {hidden} hidden units has {hidden * groups} weights, not {len(weights)}")
    zeros = [0] * (HIDDEN - hidden)
    return [weight for group in range(groups) for weight in (*weights[hidden * group : hidden * (group + 1)], *zeros)]


def file_name(seats: int, wall: str) -> str:
    """Return the name of the file for a number of players and a wall."""
    return f"azul-{seats}-{wall}.net"


def net_for(seats: int, wall: str) -> Net | None:
    """Return the net for a number of players and a wall, if there is one."""
    return net_named(file_name(seats, wall))


@cache
def net_named(name: str) -> Net | None:
    """Return the net in a weights file of that name, if there is one."""
    file = netfile.find(name)
    return None if file is None else read(file)[1]
