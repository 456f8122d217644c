"""Imitators of beginners, to estimate how strong the easy levels are for people: no person was measured.

Each looks at every move, and misjudges it: by up to 2, 4, 8 or 16 points.
"""

from tessella.bots.easy import hasty
from tessella.bots.greedy import HEURISTICS
from tessella.bots.interface import Bot
from tessella.core.game import AnyGame


def wrong_by_2(game: AnyGame) -> Bot:
    """Return a player whose errors are small."""
    return hasty(game, HEURISTICS[game.NAME], 1.0, 2.0)


def wrong_by_4(game: AnyGame) -> Bot:
    """Return a player whose errors are as large as the value of a good move."""
    return hasty(game, HEURISTICS[game.NAME], 1.0, 4.0)


def wrong_by_8(game: AnyGame) -> Bot:
    """Return a player who sees only what is plainly good or bad."""
    return hasty(game, HEURISTICS[game.NAME], 1.0, 8.0)


def wrong_by_16(game: AnyGame) -> Bot:
    """Return a player who sees little of what is good."""
    return hasty(game, HEURISTICS[game.NAME], 1.0, 16.0)
