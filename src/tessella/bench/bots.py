"""How fast the computer players think: moves a second inside their compiled searches, against the bare engines.

A search makes a move, looks at what may follow, weighs boards and remembers; a bare engine makes random moves and no
more. The ratio is what thinking costs. Counted are positions in Azul (the quick moves that finish a round are not, so
the true figures are higher), and all moves of the rounds or games that are tried in Azul Duel and Blockers!.
"""

import json
from collections.abc import Iterator
from itertools import cycle
from random import Random
from typing import TypeVar

from msgspec import Struct

from tessella.bench.fast import CHUNK, SEATS, Figure, Pair, Work, by_cpu, measured
from tessella.bots.blockers_weights import learned as weights
from tessella.bots.duel_net import learned
from tessella.bots.nets import net_for
from tessella.fast.azul import Azul
from tessella.fast.azul_net import Net
from tessella.fast.azul_search import Search as AzulSearch
from tessella.fast.azul_tree import Tree
from tessella.fast.blockers import Blockers
from tessella.fast.blockers_search import Search as BlockersSearch
from tessella.fast.duel import Duel
from tessella.fast.duel_search import Search as DuelSearch
from tessella.fast.phases import DEALING

POSITIONS = 8
EARLIER = 12
"""The positions are after up to so many random moves."""
NODES, TRIES, GAMES = 10_000, 500, 200
"""How much is thought about a position: positions of Azul, rounds of Azul Duel, games of Blockers!."""
NEVER = 2**62

Table = TypeVar("Table", Azul, Duel, Blockers)


class Report(Struct, frozen=True):
    """Everything that was measured."""

    figures: tuple[Figure, ...]

    def __str__(self) -> str:
        head = f"{'million moves a second':<22}{'search':>9}{'bare':>9}{'ratio':>9}"
        return "\n".join([head, *map(str, self.figures)])

    def json(self) -> str:
        """One line for programs."""
        return json.dumps(
            {
                "nodes_per_s": {figure.name: round(figure.ours) for figure in self.figures},
                "bare_moves_per_s": {figure.name: round(figure.other) for figure in self.figures},
                "ratios": {figure.name: round(figure.ratio, 3) for figure in self.figures},
            }
        )


def run(seconds: float) -> Report:
    """Measure everything, in about so many seconds."""
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
    reader = AzulSearch(net) if seats == 2 else Tree(net)
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
        thinker = DuelSearch(table, table.seat(), next(seeds), TRIES + 1, learned())
        thinker.choose(TRIES, NEVER)
        return thinker.made()

    return try_rounds


def _imagine_blockers() -> Work:
    """Every game that is imagined is played to its end, so it has as many moves as are left."""
    tables = [_played(Blockers(SEATS, seed=seed), seed) for seed in range(POSITIONS)]
    lengths, seeds = cycle([table.copy().playout() for table in tables]), _seeds()
    turns = cycle(tables)

    def imagine() -> int:
        thinker = BlockersSearch(next(turns), weights(SEATS), next(seeds), GAMES + 1)
        thinker.choose(GAMES, NEVER)
        return next(lengths) * sum(visits for _, visits, _ in thinker.tried())

    return imagine


def _seeds() -> Iterator[int]:
    rng = Random(1)  # noqa: S311
    while True:
        yield rng.randrange(2**32)


def _played(table: Table, seed: int) -> Table:
    """A table some random moves later, where somebody is to move."""
    for _ in range(seed * EARLIER // POSITIONS):
        _let_chance(table)
        table.apply(table.choose())
    _let_chance(table)
    return table


def _let_chance(table: Azul | Duel | Blockers) -> None:
    while table.phase == DEALING:
        table.deal()
