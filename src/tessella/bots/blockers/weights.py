"""The learned weights of the rollout policy of Blockers!, and their file.

The file is a readable table: for each number of players and each feature of a cell (`tessella.fast.blockers.policy`),
its weight in points at the start of a game and at its end.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TypeAlias

import msgspec

from tessella.bots import netfile
from tessella.fast.blockers.policy import FEATURES

FILE = "blockers.json"

Weights: TypeAlias = tuple[float, ...]
"""Two per feature: at the start of a game, and at its end."""
Table: TypeAlias = dict[str, dict[str, tuple[float, float]]]

_POINTS = {"touch": 1.0, "join": 1.0, "catch": -0.1, "costly": -1.0}
COUNTING: Weights = tuple(_POINTS.get(mark, 0.0) for mark in FEATURES for _ in range(2))
"""Weights of a policy that counts the points right after a move, and prefers not to capture."""


def write(taught: Mapping[int, Sequence[float]]) -> bytes:
    """Return the content of a file with the weights for each number of players."""
    table = {
        str(seats): {mark: (weights[2 * at], weights[2 * at + 1]) for at, mark in enumerate(FEATURES)}
        for seats, weights in taught.items()
    }
    return msgspec.json.format(msgspec.json.encode(table), indent=1) + b"\n"


def read(file: bytes) -> dict[int, Weights]:
    """Return the weights in a file by number of players; raise `BrokenNet` if it holds none."""
    try:
        table = msgspec.json.decode(file, type=Table)
        return {int(seats): tuple(w for mark in FEATURES for w in marks[mark]) for seats, marks in table.items()}
    except (msgspec.DecodeError, KeyError, ValueError) as exc:
        raise netfile.BrokenNet(f"not weights: {exc}") from None


@cache
def learned(seats: int) -> Weights:
    """Return the weights that the levels play with: from the folder TESSELLA_NETS, or those in the package."""
    file = netfile.find(FILE)
    assert file is not None
    return read(file)[seats]
