"""Computer players. Each sees only what a person in its seat would see: it is given a view, never a state."""

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from tessella.bots import greedy, random
from tessella.core.game import AnyGame, Move, Rng, View


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


class Method(Protocol):
    """A way to choose, for any game."""

    def __call__(self, game: AnyGame, view: View, rng: Rng) -> Move:
        """Choose a move from a view."""
        ...


METHODS: Mapping[str, Method] = {"random": random.choose, "greedy": greedy.choose}


def bot(game: AnyGame, name: str) -> Bot:
    """The bot of that name for the game."""
    method = METHODS[name]

    def choose(view: AnyView, budget: Budget, rng: Rng) -> Move:  # noqa: ARG001  these think in no time
        return method(game, view, rng)

    return choose
