"""The measured strength of the levels that play the same moves on every machine.

They search a fixed number of positions. `tessella benchmark` plays against them, and the ladder of bot accounts has
them as fixed points. The ratings are Elo, for two players and the usual rules; `greedy` has 1000.
"""

from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct


class Rival(Struct, frozen=True):
    """A level: its rating, and a fingerprint of its play."""

    player: str
    elo: float
    fingerprint: str


@cache
def rivals_of(title: str) -> tuple[Rival, ...]:
    """Return the measured levels of a title, from the weakest up; none for a title without them.

    >>> [rival.player for rival in rivals_of("azul")]
    ['1', '2', '3', '4', '5', '6']
    """
    text = files("tessella.bots").joinpath("rivals.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, tuple[Rival, ...]]).get(title, ())
