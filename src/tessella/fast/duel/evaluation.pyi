from collections.abc import MutableSequence

from tessella.core.game import Seat
from tessella.fast.duel.rules import Duel

INPUT_NUMBERS: int
HIDDEN_NUMBERS: int
ROUNDS: int
WEIGHTS: int

class Evaluator:
    def __init__(self) -> None: ...
    def load_net(self, weights: MutableSequence[float]) -> None: ...
    def inputs_of(self, table: Duel, seat: Seat) -> list[float]: ...
