"""The rival of the strongest bot of Azul Duel: level 8 before it explored more and had its present net."""

from functools import cache
from pathlib import Path

from tessella.bots.duel.levels import search_with
from tessella.bots.duel.net import Net, read
from tessella.bots.interface import Bot
from tessella.core.game import AnyGame

EXPLORATION = 0.3
TEMPERATURE = 1.0


def earlier(game: AnyGame) -> Bot:  # noqa: ARG001  as the arena calls it
    """Return level 8 as it was before, without a limit of its own: `bench.rivals.duel:earlier@0.1s`."""
    return search_with(_net, exploration=EXPLORATION, temperature=TEMPERATURE)


@cache
def _net() -> Net:
    """Return its net, which has weights of zero for the inputs that came later."""
    return read(Path(__file__).with_name("duel-earlier.net").read_bytes())
