from collections.abc import MutableSequence, Sequence

import numpy
from numpy.typing import NDArray

ROWS_PER_GAME: int

class Selfplay:
    def __init__(
        self,
        seats: int,
        weights: Sequence[float],
        seed: int = 0,
        net: MutableSequence[float] | None = None,
        width: int = 12,
    ) -> None: ...
    def play(self, games: int, inputs: NDArray[numpy.float32], chances: NDArray[numpy.float32]) -> int: ...
