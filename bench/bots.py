"""The speed of the bots: moves per second inside their compiled searches, compared with the bare engines.

A search makes moves, lists replies, evaluates and remembers; a bare engine only makes random moves. The ratio is the
cost of searching. Counted are positions in Azul (without the rollouts that finish a round, so the true figures are
higher), and all moves of the simulated rounds or games in Azul Duel and Blockers!.
"""

import json
from collections.abc import Iterator
from itertools import cycle
from random import Random
from typing import TypeVar

from msgspec import Struct

from bench.fast import CHUNK, SEATS, Figure, Pair, Work, by_cpu, measured
from tessella.bots.azul.net import net_for
from tessella.bots.blockers.weights import learned as weights
from tessella.bots.duel.net import learned
from tessella.fast.azul import Azul
from tessella.fast.azul.alphabeta import AlphaBeta as AzulSearch
from tessella.fast.azul.mcts import MaxnTree
from tessella.fast.azul.net import Net
from tessella.fast.blockers import Blockers
from tessella.fast.blockers.ismcts import InformationSetTree as BlockersSearch
from tessella.fast.duel import Duel
from tessella.fast.duel.mcts import OpenLoopTree as DuelSearch
from tessella.fast.phases import DEALING

POSITIONS = 8
EARLIER = 12
"""Positions are taken after up to this many random moves."""
NODES, TRIES, GAMES = 10_000, 500, 200
"""Search budget per position: positions of Azul, rounds of Azul Duel, games of Blockers!."""
NEVER = 2**62

Table = TypeVar("Table", Azul, Duel, Blockers)


class Report(Struct, frozen=True):
    """Everything that was measured."""

    figures: tuple[Figure, ...]

    def __str__(self) -> str:
        head = f"{'million moves a second':<22}{'search':>9}{'bare':>9}{'ratio':>9}"
        return "\n".join([head, *map(str, self.figures)])

    def json(self) -> str:
        """Return the report as one line of JSON."""
        return json.dumps(
            {
                "nodes_per_s": {figure.name: round(figure.ours) for figure in self.figures},
                "bare_moves_per_s": {figure.name: round(figure.other) for figure in self.figures},
                "ratios": {figure.name: round(figure.ratio, 3) for figure in self.figures},
            }
        )


def run(seconds: float) -> Report:
    """Measure everything, in about this many seconds."""
    two, four, dome, rack = Azul(2, seed=1), Azul(4, seed=1), Duel(seed=1), Blockers(SEATS, seed=1)
    bare_azul: Work = lambda: two.playouts(CHUNK)[0]  # noqa: E731
    pairs = [
        Pair("azul_by_hand", _read_azul(2, None), bare_azul, "two players, boards weighed by hand", by_cpu),
        Pair("azul_net", _read_azul(2, net_for(2, "coloured")), bare_azul, "with the net", by_cpu),
        Pair("azul_four", _read_azul(4, None), lambda: four.playouts(CHUNK)[0], "a tree for four players", by_cpu),
        Pair("duel_net", _try_duel(), lambda: dome.playouts(CHUNK // 8)[0], "rounds tried, with the net", by_cpu),
        Pair(
            "blockers_four",
            _imagine_blockers(),
            lambda: rack.playouts(CHUNK)[0],
            "games imagined, four players",
            by_cpu,
        ),
    ]
    return Report(measured(pairs, seconds, "computer players"))


def _read_azul(seats: int, net: Net | None) -> Work:
    reader = AzulSearch(net) if seats == 2 else MaxnTree(net)
    tables = cycle([_played(Azul(seats, seed=seed), seed) for seed in range(POSITIONS)])

    def read() -> int:
        table = next(tables)
        reader.think(table, table.seat(), NODES)
        return reader.nodes

    return read


def _try_duel() -> Work:
    tables, seeds = cycle([_played(Duel(seed=seed), seed) for seed in range(POSITIONS)]), _seeds()

    def try_rounds() -> int:
        table = next(tables)
        searcher = DuelSearch(table, table.seat(), next(seeds), TRIES + 1, learned())
        searcher.choose(TRIES, NEVER)
        return searcher.moves_made()

    return try_rounds


def _imagine_blockers() -> Work:
    """Return work that searches; every imagined game is played to its end, so it has as many moves as are left."""
    tables = [_played(Blockers(SEATS, seed=seed), seed) for seed in range(POSITIONS)]
    lengths, seeds = cycle([table.copy().playout() for table in tables]), _seeds()
    turns = cycle(tables)

    def imagine() -> int:
        searcher = BlockersSearch(next(turns), weights(SEATS), next(seeds), GAMES + 1)
        searcher.choose(GAMES, NEVER)
        return next(lengths) * sum(visits for _, visits, _ in searcher.tried())

    return imagine


def _seeds() -> Iterator[int]:
    rng = Random(1)  # noqa: S311
    while True:
        yield rng.randrange(2**32)


def _played(table: Table, seed: int) -> Table:
    """Return a table some random moves later, with a player to move."""
    for _ in range(seed * EARLIER // POSITIONS):
        _let_chance(table)
        table.apply(table.choose())
    _let_chance(table)
    return table


def _let_chance(table: Azul | Duel | Blockers) -> None:
    while table.phase == DEALING:
        table.deal()
