from collections.abc import MutableSequence

from tessella.core.game import Seat
from tessella.fast.blockers.rules import Blockers

INPUT_NUMBERS: int
HIDDEN_NUMBERS: int
WEIGHTS: int

class Evaluator:
    def load_net(self, weights: MutableSequence[float]) -> None: ...
    def inputs_of(self, table: Blockers, seat: Seat) -> list[float]: ...
    def chances_of(self, table: Blockers) -> list[float]: ...
