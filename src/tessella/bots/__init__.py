"""Computer players. Each sees only what a person in its seat would see: it is given a view, never a state."""

from collections.abc import Mapping
from typing import Protocol

from tessella.bots import azul_levels, blockers_levels, duel_levels, greedy, random
from tessella.bots.budget import AnyView, Bot, Budget
from tessella.core.game import AnyGame, Move, Rng, View

__all__ = ["METHODS", "AnyView", "Bot", "Budget", "Method", "bot", "ladder", "names"]


class Method(Protocol):
    """A way to choose, for any game."""

    def __call__(self, game: AnyGame, view: View, rng: Rng) -> Move:
        """Choose a move from a view."""
        ...


METHODS: Mapping[str, Method] = {"random": random.choose, "greedy": greedy.choose}
"""Players who play every game."""
LEVELS: Mapping[str, Mapping[str, Bot]] = {
    "azul": azul_levels.LEVELS,
    "blockers": blockers_levels.LEVELS,
    "duel": duel_levels.LEVELS,
}
"""The levels of a game, where it has its own, from the weakest up."""


def ladder(game: AnyGame) -> tuple[str, ...]:
    """The names of the bots of a game, from the weakest up: its levels, or those who play every game."""
    return tuple(LEVELS.get(game.NAME, METHODS))


def names(game: AnyGame) -> tuple[str, ...]:
    """Every bot of a game: its levels, and those who play every game."""
    return (*LEVELS.get(game.NAME, ()), *METHODS)


def bot(game: AnyGame, name: str) -> Bot:
    """The bot of that name for the game."""
    if name in LEVELS.get(game.NAME, ()):
        return LEVELS[game.NAME][name]
    method = METHODS[name]

    def choose(view: AnyView, budget: Budget, rng: Rng) -> Move:  # noqa: ARG001  these think in no time
        return method(game, view, rng)

    return choose
