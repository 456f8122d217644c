"""Observation and action encodings of the games, and the compiled tables behind them."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import numpy
from numpy.typing import NDArray

from tessella.core.game import Move, Seat
from tessella.fast.azul import Batch as AzulBatch
from tessella.fast.blockers import Batch as BlockersBatch
from tessella.fast.duel import Batch as DuelBatch
from tessella.research.encodings import azul, blockers, duel
from tessella.research.fields import Field

__all__ = ["ENCODINGS", "AnyConfig", "Batch", "Encoding", "Field", "Observer", "Table"]

AnyConfig = Any
AnyView = Any

Batch: TypeAlias = AzulBatch | BlockersBatch | DuelBatch
"""Many compiled tables that move together; a finished game restarts at once."""


class Table(Protocol):
    """A compiled table of any game; a caller that picks the game at run time does not know its types of moves."""

    @property
    def width(self) -> int: ...
    @property
    def phase(self) -> int: ...
    def reseed(self, seed: int) -> None: ...
    def deal(self) -> None: ...
    def apply(self, move: int) -> None: ...
    def moves(self) -> list[int]: ...
    def seat(self) -> Seat: ...
    def scores(self) -> tuple[int, ...]: ...
    def places(self) -> tuple[int, ...]: ...
    def to_state(self) -> Any: ...  # noqa: ANN401
    def to_move(self, number: int) -> Move: ...
    def from_move(self, move: Any) -> int: ...  # noqa: ANN401
    def write_move(self, number: int) -> str: ...


class Observer(Protocol):
    """Writes the observations of the seats to move, at a batch or at one table of the same game."""

    @property
    def observations(self) -> NDArray[numpy.uint8]: ...
    @property
    def final(self) -> NDArray[numpy.uint8]: ...
    def encode(self) -> None: ...
    def observe(self, table: Any) -> None: ...  # noqa: ANN401
    def step(self, moves: NDArray[numpy.uint16]) -> None: ...


class Encoding(Protocol):
    """The encoding of one game: the meaning of each number of an observation, and of each action index."""

    @property
    def VERSION(self) -> int: ...
    def fields(self, config: AnyConfig, /) -> tuple[Field, ...]: ...
    def observe(self, view: AnyView, /) -> NDArray[numpy.uint8]: ...
    def actions(self, config: AnyConfig, /) -> Sequence[tuple[str, str]]: ...
    def batch(self, tables: int, config: AnyConfig, seed: int, /) -> tuple[Batch, Observer]: ...
    def table(self, config: AnyConfig, seed: int, /) -> Table: ...
    def from_state(self, state: Any, /) -> Any: ...  # noqa: ANN401


ENCODINGS: Mapping[str, Encoding] = {"azul": azul, "blockers": blockers, "duel": duel}
