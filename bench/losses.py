"""What a move of a search of Azul costs, by the ply of the round, compared with a much longer search.

Positions come from games between searchers of moderate strength that sometimes play at random. A player searches each
with a limit of CPU time. If its move is not that of the judge, which searches many times as long, the judge searches
the positions after both moves: the difference is the loss. The judge has the net and the move policy of level 8. The
wide search has the same net, so it shows what the policy alone brings; the older level 8 has its own net.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from statistics import fmean

from msgspec import Struct

from bench.gates import GateResults
from bench.rivals.azul import wide_net
from tessella.bots.azul.net import net_for
from tessella.bots.azul.policy import learned
from tessella.fast.azul import Azul
from tessella.fast.azul.alphabeta import AlphaBeta
from tessella.fast.phases import DEALING, DRAFTING, OVER
from tessella.progress import progress

PLIES = range(6)
"""From here on rounds are searched to their end."""
GAME_NODES = 2_000
SLIP_RATE = 0.08
"""Nodes per move of the games that positions are taken from, and how often a move is random."""
ROUNDS = range(1, 6)
GATE = 0.5
"""Largest mean loss, as a part of that of the older level 8."""
PERCENT = 10_000
"""Value of one percent of winning chances."""
LEVEL, OLDER = "level 8", "older level 8"
PLAYERS: Mapping[str, Callable[[], AlphaBeta]] = {
    LEVEL: lambda: AlphaBeta(net_for(2, "coloured"), learned()),
    "wide search": lambda: AlphaBeta(net_for(2, "coloured")),
    OLDER: lambda: AlphaBeta(wide_net()),
}


class PlyLosses(Struct, frozen=True):
    """The mean loss of each player at a ply, in percent of winning chances, and how deep it searched."""

    ply: int
    positions: int
    losses: Mapping[str, float]
    depths: Mapping[str, float]

    def __str__(self) -> str:
        cells = (f"{self.losses[name]:>10.2f} {self.depths[name]:>6.1f}" for name in PLAYERS)
        return f"{self.ply:>3} {self.positions:>10} {' '.join(cells)}"


class Report(Struct, frozen=True):
    """The losses by ply."""

    plies: tuple[PlyLosses, ...]
    seconds: float
    times: float

    def mean(self, name: str) -> float:
        """Return the mean loss of a player over all positions."""
        total = sum(each.losses[name] * each.positions for each in self.plies)
        return total / sum(each.positions for each in self.plies)

    @property
    def gates(self) -> GateResults:
        """Whether the mean loss is at most half of that of the older level 8."""
        passed = self.mean(LEVEL) <= GATE * self.mean(OLDER)
        return GateResults(missed=() if passed else ("mean_loss",))

    def __str__(self) -> str:
        names = " ".join(f"{name:>17}" for name in PLAYERS)
        means = " ".join(f"{self.mean(name):>10.2f} {'':>6}" for name in PLAYERS)
        head = (
            f"loss per move in % of winning chances, and depth; {self.seconds:g} s against {self.times:g} times as long"
        )
        last = f"{'all':>3} {sum(each.positions for each in self.plies):>10} {means}{self.gates.mark('mean_loss')}"
        return "\n".join([head, f"ply  positions {names}", *map(str, self.plies), last])

    def json(self) -> str:
        """Return the report as one line of JSON."""
        figures = {
            "seconds": self.seconds,
            "times": self.times,
            "mean_loss": {name: round(self.mean(name), 4) for name in PLAYERS},
            "by_ply": {
                str(each.ply): {name: round(loss, 4) for name, loss in each.losses.items()} for each in self.plies
            },
        }
        return json.dumps({**figures, **self.gates.json_fields()})


class Judge:
    """Searches positions for a long time, and remembers what it found."""

    def __init__(self, seconds: float) -> None:
        self._search = PLAYERS[LEVEL]()
        self._seconds = seconds
        self._values: dict[tuple[int, int], float] = {}

    def best(self, table: Azul) -> int:
        """Return the best move."""
        return self._search.think(table, table.seat(), 0, self._seconds)

    def loss(self, table: Azul, best: int, move: int) -> float:
        """Return what a move loses against the best one, in percent; negative if it turns out to be better."""
        return 0.0 if move == best else (self._value(table, best) - self._value(table, move)) / PERCENT

    def _value(self, table: Azul, move: int) -> float:
        key = table.key(), move
        if key not in self._values:
            seat, after = table.seat(), table.copy()
            after.apply(move)
            if after.phase == DRAFTING:
                self._search.think(after, seat, 0, self._seconds)
                self._values[key] = self._search.value
            else:
                self._values[key] = self._search.value_of(after, seat)
        return self._values[key]


def positions(ply: int, number: int, seed: int) -> Iterator[Azul]:
    """Yield positions at a ply of a round, one per game; the same for a seed."""
    search, found, game = PLAYERS[LEVEL](), 0, 0
    while found < number:
        game += 1
        rng = Random(f"{seed} {ply} {game}")  # noqa: S311  not for secrets: the same seed gives the same positions
        table = _play_until(search, rng, rng.choice(ROUNDS), ply)
        if table is not None:
            found += 1
            yield table


def _play_until(search: AlphaBeta, rng: Random, round_number: int, ply: int) -> Azul | None:
    table, made = Azul(2, seed=rng.randrange(2**63)), 0
    while table.phase != OVER:
        if table.phase == DEALING:
            table.deal()
            made = 0
        if table.round == round_number and made == ply:
            return table
        slips = rng.random() < SLIP_RATE
        table.apply(rng.choice(table.moves()) if slips else search.think(table, table.seat(), GAME_NODES))
        made += 1
    return None


def run(seconds: float, times: float, number: int, seed: int) -> Report:
    """Measure every player at every ply, in `number` positions each."""
    players = {name: make() for name, make in PLAYERS.items()}
    judge = Judge(seconds * times)
    tables = [(ply, table) for ply in PLIES for table in positions(ply, number, seed)]
    losses: dict[int, list[dict[str, float]]] = {ply: [] for ply in PLIES}
    depths: dict[int, list[dict[str, int]]] = {ply: [] for ply in PLIES}
    for ply, table in progress(tables, "positions"):
        best = judge.best(table)
        moves = {name: player.think(table, table.seat(), 0, seconds) for name, player in players.items()}
        losses[ply].append({name: judge.loss(table, best, move) for name, move in moves.items()})
        depths[ply].append({name: player.depth for name, player in players.items()})
    return Report(tuple(_ply_losses(ply, losses[ply], depths[ply]) for ply in PLIES), seconds, times)


def _ply_losses(ply: int, losses: Sequence[Mapping[str, float]], depths: Sequence[Mapping[str, int]]) -> PlyLosses:
    return PlyLosses(
        ply,
        len(losses),
        {name: fmean(each[name] for each in losses) for name in PLAYERS},
        {name: fmean(each[name] for each in depths) for name in PLAYERS},
    )
