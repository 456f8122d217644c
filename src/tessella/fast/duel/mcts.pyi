from collections.abc import MutableSequence

from tessella.core.game import Seat
from tessella.fast.duel.rules import Duel
from tessella.fast.tree import Tree

class OpenLoopTree(Tree):
    def __init__(
        self,
        table: Duel,
        seat: Seat,
        seed: int = 0,
        capacity: int = 100_000,
        net: MutableSequence[float] | None = None,
        exploration: float = ...,
        temperature: float = ...,
    ) -> None: ...
    def choose(self, descents: int, deadline: int) -> int: ...
    def evaluate(self, move: int, descents: int) -> tuple[float, float]: ...
    def moves_made(self) -> int: ...
