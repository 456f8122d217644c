from collections.abc import MutableSequence, Sequence

from tessella.core.game import Seat
from tessella.fast.blockers.rules import Blockers
from tessella.fast.tree import Tree

class InformationSetTree(Tree):
    def __init__(
        self,
        table: Blockers,
        weights: Sequence[float],
        seed: int = 0,
        capacity: int = 100_000,
        net: MutableSequence[float] | None = None,
    ) -> None: ...
    def choose(self, descents: int, deadline: int) -> int: ...
    def evaluate(self, seat: Seat, move: int, descents: int) -> list[tuple[float, float]]: ...
    def ranked(self) -> list[tuple[int, float]]: ...
