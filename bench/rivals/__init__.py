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
    "duel": (
        "random",
        "greedy",
        "2",
        "tessella.bots.duel.levels:by_hand",
        "bench.rivals.duel:earlier",
    ),
}
"""For two players, all with the same time: a random one, greedy ones, the search with the hand-made heuristic, and
level 8 as it was before. In Azul also two that play random games to their end, and the net before the shipped one."""
