"""Bots. A bot sees only what a person in its seat would see: it is given a view, never a state."""

from collections.abc import Mapping
from functools import partial
from typing import Protocol

from tessella.bots import greedy, random, rollouts
from tessella.bots.azul import levels as azul_levels
from tessella.bots.blockers import levels as blockers_levels
from tessella.bots.duel import levels as duel_levels
from tessella.bots.interface import AnyView, Bot, Budget
from tessella.core.game import AnyGame, Move, Rng, View

__all__ = ["METHODS", "AnyView", "Bot", "Budget", "Method", "bot", "is_quick", "ladder", "names"]


class Method(Protocol):
    """A way to choose a move in any game."""

    def __call__(self, game: AnyGame, view: View, rng: Rng) -> Move:
        """Choose a move from a view."""
        ...


METHODS: Mapping[str, Method] = {"random": random.choose, "greedy": greedy.choose}
"""Bots that play every game."""
SEARCH = "search"
"""The bot that searches, for games without levels of their own."""
LEVELS: Mapping[str, Mapping[str, Bot]] = {
    "azul": azul_levels.LEVELS,
    "blockers": blockers_levels.LEVELS,
    "duel": duel_levels.LEVELS,
}
"""Levels by game, from the weakest up, for games that have their own."""
QUICK = frozenset({*METHODS, "1", "2", "3", "4"})
"""Bots that answer within milliseconds; all others may take up to a second."""


def ladder(game: AnyGame) -> tuple[str, ...]:
    """Return the names of a game's levels, from the weakest up; for a game without levels, the generic bots."""
    return tuple(LEVELS.get(game.NAME, (*METHODS, SEARCH)))


def names(game: AnyGame) -> tuple[str, ...]:
    """Return the names of all bots of a game: its levels and the generic bots."""
    return (*LEVELS.get(game.NAME, (SEARCH,)), *METHODS)


def is_quick(name: str) -> bool:
    """Return whether the bot of that name answers within milliseconds, whatever the game."""
    return name in QUICK


def bot(game: AnyGame, name: str) -> Bot:
    """Return the bot of that name for the game; raise `KeyError` if there is none."""
    if name in LEVELS.get(game.NAME, ()):
        return LEVELS[game.NAME][name]
    if name == SEARCH and game.NAME not in LEVELS:
        return partial(rollouts.choose, game)
    method = METHODS[name]

    def choose(view: AnyView, budget: Budget, rng: Rng) -> Move:  # noqa: ARG001  generic bots need no budget
        return method(game, view, rng)

    return choose
