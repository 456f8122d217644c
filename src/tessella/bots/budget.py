"""How long a computer player may think, and what one is."""

from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from tessella.core.game import Move, Rng


class Budget(Struct, frozen=True):
    """How long a bot may think: thread CPU seconds, positions, or both; None is no limit."""

    seconds: float | None = None
    nodes: int | None = None


AnyView: TypeAlias = Any
"""A view of the game that the bot was made for."""


class Bot(Protocol):
    """A computer player of one game."""

    def __call__(self, view: AnyView, budget: Budget, rng: Rng) -> Move:
        """Choose a move for the seat whose view this is; the seat must be one that may move."""
        ...
