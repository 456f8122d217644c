from collections.abc import Sequence

from tessella.core.game import Seat
from tessella.fast.blockers.rules import Blockers

FEATURES: tuple[str, ...]

class RolloutPolicy:
    def __init__(self, table: Blockers, weights: Sequence[float], seed: int) -> None: ...
    def set_weights(self, seat: Seat, weights: Sequence[float]) -> None: ...
    def play_games(self, games: int) -> tuple[list[float], list[float]]: ...
