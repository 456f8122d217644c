from collections.abc import Sequence

import numpy
from numpy.typing import NDArray

from tessella.fast.azul.net import Net

class Selfplay:
    def __init__(
        self,
        seats: int = 2,
        grey: bool = False,
        seed: int = 0,
        net: Net | None = None,
        nodes: int = 100,
        policy: Sequence[int] | None = None,
    ) -> None: ...
    def play(
        self,
        games: int,
        inputs: NDArray[numpy.int16],
        points: NDArray[numpy.int16],
        shared_inputs: NDArray[numpy.int16],
        wins: NDArray[numpy.float32],
        scores: NDArray[numpy.float32],
    ) -> int: ...
