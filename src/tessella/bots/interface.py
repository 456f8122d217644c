"""What a bot is, and how long it may think."""

from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from tessella.core.game import Move, Rng


class Budget(Struct, frozen=True):
    """Limits on a bot's thinking: thread CPU seconds, positions, or both; None is no limit."""

    seconds: float | None = None
    nodes: int | None = None


AnyView: TypeAlias = Any
"""A view of the game that the bot was made for, whose type the caller does not know."""


class Bot(Protocol):
    """A bot for one game."""

    def __call__(self, view: AnyView, budget: Budget, rng: Rng) -> Move:
        """Return a move for the seat of the view, which must be a seat that may move."""
        ...
