import numpy
from numpy.typing import NDArray

from tessella.fast.blockers import Batch

class Eyes:
    @property
    def observations(self) -> NDArray[numpy.uint8]: ...
    def __init__(self, batch: Batch) -> None: ...
    def step(self, moves: NDArray[numpy.uint16]) -> None: ...
