"""Bots that only the gauntlet plays: strong or unusual, each in its own way."""

from collections.abc import Mapping, Sequence

RIVALS: Mapping[str, Sequence[str]] = {
    "azul": (
        "random",
        "greedy",
        "2",
        "bench.rivals.azul:flat",
        "bench.rivals.azul:dragging",
        "tessella.bots.azul.levels:search",
        "bench.rivals.azul:old_net",
        "bench.rivals.azul:wide_master",
    ),
}
"""For two players: a random one, two greedy ones, two that play random games to their end, the search with the
hand-made heuristic, the net before the shipped one, and level 8 before its search became narrow; all with the same
time."""
