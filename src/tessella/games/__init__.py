"""All games by name; games never import each other."""

from collections.abc import Mapping

from tessella.core.game import AnyGame
from tessella.games import azul, blockers, duel

GAMES: Mapping[str, AnyGame] = {azul.NAME: azul, blockers.NAME: blockers, duel.NAME: duel}
