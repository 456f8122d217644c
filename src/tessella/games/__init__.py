"""All games by name; games never import each other."""

from tessella.games import azul, blockers, duel
from tessella.games.registry import Registry

GAMES = Registry(azul, blockers, duel)
"""The games of the house and those that other packages install."""
