from collections.abc import MutableSequence

from tessella.core.game import Seat
from tessella.fast.duel import Duel

class Search:
    def __init__(
        self, table: Duel, seat: Seat, seed: int = 0, capacity: int = 100_000, net: MutableSequence[float] | None = None
    ) -> None: ...
    def choose(self, descents: int, until: int) -> int: ...
    def tried(self) -> list[tuple[int, int, float]]: ...
