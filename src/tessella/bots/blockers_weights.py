"""How the computer players of Blockers! have learned to weigh a move, and the file that holds it.

The file is a table that a person can read: for each number of players, and for each mark that a cell may bear
(`tessella.fast.blockers_quick`), what it is worth in points at the beginning of a game and at its end.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TypeAlias

import msgspec

from tessella.bots.nets import Broken, file_named
from tessella.fast.blockers_quick import MARKS

FILE = "blockers.json"

Weights: TypeAlias = tuple[float, ...]
"""Two for each mark: at the beginning, and at the end."""
Table: TypeAlias = dict[str, dict[str, tuple[float, float]]]

_POINTS = {"touch": 1.0, "join": 1.0, "catch": -0.1, "costly": -1.0}
COUNTING: Weights = tuple(_POINTS.get(mark, 0.0) for mark in MARKS for _ in range(2))
"""How one weighs who only counts the points right after a move, and would rather not capture."""


def write(taught: Mapping[int, Sequence[float]]) -> bytes:
    """The weights for each number of players as a file."""
    table = {
        str(seats): {mark: (weights[2 * at], weights[2 * at + 1]) for at, mark in enumerate(MARKS)}
        for seats, weights in taught.items()
    }
    return msgspec.json.format(msgspec.json.encode(table), indent=1) + b"\n"


def read(file: bytes) -> dict[int, Weights]:
    """The weights in a file, by the number of players."""
    try:
        table = msgspec.json.decode(file, type=Table)
        return {int(seats): tuple(w for mark in MARKS for w in marks[mark]) for seats, marks in table.items()}
    except (msgspec.DecodeError, KeyError, ValueError) as wrong:
        raise Broken(f"not weights: {wrong}") from None


@cache
def learned(seats: int) -> Weights:
    """The weights that the levels play with: of the folder TESSELLA_NETS, or those that came with Tessella."""
    file = file_named(FILE)
    assert file is not None
    return read(file)[seats]
