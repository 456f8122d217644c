from collections.abc import Sequence

from tessella.core.game import Seat
from tessella.fast.blockers import Blockers

MARKS: tuple[str, ...]

class BlockersQuick:
    def __init__(self, table: Blockers, weights: Sequence[float], seed: int) -> None: ...
    def teach(self, seat: Seat, weights: Sequence[float]) -> None: ...
    def contest(self, games: int) -> tuple[list[float], list[float]]: ...
