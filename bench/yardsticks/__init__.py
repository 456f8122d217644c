"""The same games in C, hand-written for speed alone: a yardstick for the compiled games, and an oracle.

They are compiled when they are used, for the machine at hand.
"""

import ctypes
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
TRACE_ROOM = 4_000
"""Numbers that the trace of a game may need."""


class Totals(Struct, frozen=True):
    """The totals of some random games."""

    plies: int
    legal: int
    rounds: int
    points: int


class _Totals(ctypes.Structure):
    _fields_ = [(name, ctypes.c_long) for name in Totals.__struct_fields__]


class Yardstick:
    """A game in C."""

    def __init__(self, name: str) -> None:
        self._library = _load(Path(__file__).with_name(f"{name}.c"))

    def play(self, mode: int, games: int, seed: int) -> Totals:
        """Play random games; the mode is the move representation for Azul, and the number of seats for Blockers!."""
        totals = _Totals()
        self._library.play(ctypes.c_int(mode), ctypes.c_long(games), ctypes.c_uint64(seed), ctypes.byref(totals))
        return Totals(*(getattr(totals, name) for name in Totals.__struct_fields__))

    def trace(self, mode: int, games: int, seed: int) -> Sequence[int]:
        """Play random games, and return their traces as numbers."""
        numbers = (ctypes.c_int * (games * TRACE_ROOM))()
        self._library.trace.restype = ctypes.c_long
        used: int = self._library.trace(
            ctypes.c_int(mode), ctypes.c_long(games), ctypes.c_uint64(seed), numbers, ctypes.c_long(len(numbers))
        )
        return numbers[:used]


class ForceSearch:
    """A plain search over Azul in C: whether a seat can force a value by ending the game with this round."""

    def __init__(self) -> None:
        self._library = _load(Path(__file__).with_name("azul_search.c"))

    def can_force(self, position: Sequence[int], seat: int, value: int, most: int) -> tuple[bool | None, int]:
        """Return the answer and the number of positions visited; None if more than `most` would be needed.

        azul_search.c says how a position is written as numbers.
        """
        numbers, visited = (ctypes.c_int * len(position))(*position), ctypes.c_long()
        answer: int = self._library.can_force(
            numbers, ctypes.c_int(seat), ctypes.c_int(value), ctypes.c_long(most), ctypes.byref(visited)
        )
        return None if answer < 0 else bool(answer), visited.value


@cache
def force_search() -> ForceSearch:
    """Return the plain search; raise `FileNotFoundError` without a C compiler."""
    return ForceSearch()


@cache
def yardstick(name: str) -> Yardstick:
    """Return the yardstick of a game; raise `FileNotFoundError` without a C compiler."""
    return Yardstick(name)


def _load(source: Path) -> ctypes.CDLL:
    compiler = shutil.which(os.environ.get("CC", "gcc"))
    if compiler is None:
        raise FileNotFoundError("the yardsticks are in C, and there is no C compiler here")
    with tempfile.TemporaryDirectory(prefix="tessella-") as folder:
        library = Path(folder) / f"{source.stem}.so"
        subprocess.run([compiler, *FLAGS, "-o", str(library), str(source)], check=True)  # noqa: S603
        return ctypes.CDLL(str(library))
