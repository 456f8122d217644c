"""The speed of the compiled games, compared with hand-written C and with the readable games.

Ours and the other alternate in short slices of CPU time, and the median of the ratios is judged: a busy machine slows
both. Two threads are measured by wall-clock time, since that is what threads are for, and by their best slices: other
programs take from two threads what one would not miss.
"""

import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from statistics import median
from threading import Thread
from typing import TypeAlias

from msgspec import Struct

from bench.games import play
from bench.gates import GateResults, load_average, too_busy
from bench.yardsticks import yardstick
from tessella.core.game import AnyGame, Chance, Choose
from tessella.fast.azul import Azul, Batch
from tessella.fast.azul import from_state as fast_azul
from tessella.fast.blockers import Blockers
from tessella.fast.blockers import from_state as fast_blockers
from tessella.fast.duel import Duel
from tessella.fast.duel import from_state as fast_duel
from tessella.fast.phases import DEALING
from tessella.games import azul, blockers, duel
from tessella.progress import progress

GATES = {
    "azul_list": 0.60,
    "azul_mask_batch": 0.50,
    "blockers": 0.60,
    "threads": 1.6,
    "azul_vs_readable": 50.0,
    "blockers_vs_readable": 50.0,
    "duel_vs_readable": 50.0,
}
"""Minimum ratios; a ratio without a gate is only shown."""

BY_WALL = ("threads",)
"""Measured by wall-clock time: judged only on an idle machine."""

DUEL_PLIES = 500_000
"""Minimum moves per second of Azul Duel on one core, for lack of a yardstick in C."""

LIST, MASK = 0, 1
"""How the yardstick of Azul represents legal moves."""

SLICES = 15
BATCH = 1_024
SEATS = 4
"""Of Blockers!."""
CHUNK = 200
"""Games at a time; several take a few milliseconds."""
BAR = 40

Work: TypeAlias = Callable[[], int]
"""A unit of work that is repeated; returns how many moves it made."""


class Pair(Struct, frozen=True):
    """Ours and the other, each with a name."""

    name: str
    ours: Work
    other: Work
    words: str
    slices: Callable[[Work, float], float]


class Figure(Struct, frozen=True):
    """A measurement: moves per second of ours and of the other, and the ratio."""

    name: str
    words: str
    ours: float
    other: float
    ratio: float

    @property
    def gate(self) -> float | None:
        """The minimum, if there is one."""
        return GATES.get(self.name)

    @property
    def passed(self) -> bool:
        """Whether the gate, if there is one, was reached."""
        return self.gate is None or self.ratio >= self.gate

    def __str__(self) -> str:
        gate = "" if self.gate is None else f"≥ {self.gate:g}"
        rates = f"{self.ours / 1e6:>9.3f}{self.other / 1e6:>9.3f}"
        return f"{self.name:<22}{rates}{self.ratio:>9.2f}   {gate:<7}{self.words}"


class Report(Struct, frozen=True):
    """Everything that was measured."""

    figures: tuple[Figure, ...]
    load: float
    """The greater of the load averages before and after."""

    @property
    def gates(self) -> GateResults:
        """Return which gates were missed, and which were not judged at this load."""
        busy = too_busy(self.load)
        unjudged = {name: busy for name in BY_WALL if busy}
        missed = [figure.name for figure in self.figures if not figure.passed and figure.name not in unjudged]
        return GateResults((*missed, *(["duel_plies_per_s"] * (self.duel_plies < DUEL_PLIES))), unjudged)

    @property
    def duel_plies(self) -> int:
        """Moves per second of Azul Duel."""
        return round(next(figure.ours for figure in self.figures if figure.name == "duel_vs_readable"))

    def __str__(self) -> str:
        head = f"{'million moves a second':<22}{'ours':>9}{'other':>9}{'ratio':>9}   gate"
        gates = self.gates
        figures = [f"{figure}{gates.mark(figure.name)}" for figure in self.figures]
        plies = f"duel_plies_per_s {self.duel_plies:,}, at least {DUEL_PLIES:,}{gates.mark('duel_plies_per_s')}"
        return "\n".join([head, *figures, plies, *gates.explain()])

    def plot(self) -> str:
        """Return the speeds as bars on a logarithmic scale."""
        rates = {f"{each.name} {who}": rate for each in self.figures for who, rate in _rates(each)}
        return "\n".join(f"{name:<30}{_bar(rate)} {rate:,.0f}" for name, rate in rates.items())

    def json(self) -> str:
        """Return the report as one line of JSON."""
        ratios = {figure.name: round(figure.ratio, 3) for figure in self.figures}
        absolute = {figure.name: [round(figure.ours), round(figure.other)] for figure in self.figures}
        verdict = {**self.gates.json_fields(), "load": round(self.load, 2)}
        return json.dumps({"ratios": ratios, "duel_plies_per_s": self.duel_plies, "absolute": absolute, **verdict})


def _rates(figure: Figure) -> list[tuple[str, float]]:
    return [("ours", figure.ours), ("other", figure.other)]


def _bar(rate: float) -> str:
    """Return a bar for speeds from a thousand to a hundred million per second.

    >>> len(_bar(1_000)), len(_bar(100_000_000))
    (0, 40)
    """
    decades = 0.0
    while rate >= 10_000:
        rate, decades = rate / 10, decades + 1
    return "█" * round(BAR * (decades + (rate - 1_000) / 9_000) / 5)


def run(seconds: float) -> Report:
    """Measure everything, in about this many seconds."""
    before = load_average()
    figures = measured(_pairs(), seconds, "fast games")
    return Report(figures, max(before, load_average()))


def measured(pairs: Sequence[Pair], seconds: float, label: str) -> tuple[Figure, ...]:
    """Measure all pairs, in about this many seconds."""
    budget = seconds / (2 * SLICES * len(pairs))
    slices: dict[str, list[tuple[float, float]]] = {pair.name: [] for pair in pairs}
    for _ in progress(range(SLICES), label):
        for pair in pairs:
            slices[pair.name].append((pair.slices(pair.ours, budget), pair.slices(pair.other, budget)))
    return tuple(_figure(pair, slices[pair.name]) for pair in pairs)


def _figure(pair: Pair, slices: list[tuple[float, float]]) -> Figure:
    ours, others = zip(*slices, strict=True)
    if pair.slices is _by_wall:
        return Figure(pair.name, pair.words, max(ours), max(others), max(ours) / max(others))
    ratio = median(mine / other for mine, other in slices)
    return Figure(pair.name, pair.words, median(ours), median(others), ratio)


def by_cpu(work: Work, seconds: float) -> float:
    """Return moves per second of CPU time."""
    return _rate(work, seconds, time.process_time)


def _by_wall(work: Work, seconds: float) -> float:
    """Return moves per second of wall-clock time."""
    return _rate(work, seconds, time.perf_counter)


def _rate(work: Work, seconds: float, clock: Callable[[], float]) -> float:
    moves = 0
    began = clock()
    while (spent := clock() - began) < seconds:
        moves += work()
    return moves / spent


# What is measured


def _pairs() -> list[Pair]:
    in_c = yardstick("azul")
    table, seats, dome = Azul(seed=1), Blockers(SEATS, seed=1), Duel(seed=1)
    azul_playouts: Work = lambda: table.playouts(CHUNK)[0]  # noqa: E731
    blockers_playouts: Work = lambda: seats.playouts(CHUNK)[0]  # noqa: E731
    return [
        Pair("azul_list", azul_playouts, lambda: in_c.play(LIST, CHUNK, _seed()).plies, "playouts, C", by_cpu),
        Pair("azul_mask_batch", _batch(), lambda: in_c.play(MASK, CHUNK, _seed()).plies, "1,024 at once, C", by_cpu),
        Pair(
            "blockers",
            blockers_playouts,
            lambda: yardstick("blockers").play(SEATS, CHUNK, _seed()).plies,
            "playouts, C",
            by_cpu,
        ),
        Pair("azul_vs_readable", azul_playouts, _readable(azul, azul.Config(2)), "playouts", by_cpu),
        Pair(
            "blockers_vs_readable", blockers_playouts, _readable(blockers, blockers.Config(SEATS)), "playouts", by_cpu
        ),
        Pair(
            "duel_vs_readable",
            lambda: dome.playouts(CHUNK // 8)[0],
            _readable(duel, duel.Config()),
            "playouts",
            by_cpu,
        ),
        Pair("azul_search", _search(azul, fast_azul), _readable_search(azul), "copy, apply, list", by_cpu),
        Pair("blockers_search", _search(blockers, fast_blockers), _readable_search(blockers), "the same", by_cpu),
        Pair("duel_search", _search(duel, fast_duel), _readable_search(duel), "the same", by_cpu),
        Pair("threads", _together, lambda: table.playouts(10 * CHUNK)[0], "two threads, one", _by_wall),
    ]


def _seed(generator: Random = Random(1)) -> int:  # noqa: B008, S311
    return generator.randrange(2**32)


def _batch() -> Work:
    batch = Batch(BATCH, seed=1)

    def step() -> int:
        batch.step(batch.random)
        return BATCH

    return step


def _readable(game: AnyGame, config: azul.Config | blockers.Config | duel.Config) -> Work:
    return partial(play, game, config, Random(1))  # noqa: S311


def _position(game: AnyGame) -> Struct:
    """Return a position some moves into the game."""
    rng = Random(7)  # noqa: S311
    state: Struct = game.setup(game.Config())
    for _ in range(20):
        state, _ = game.apply(state, _random_act(game, state, rng))
    while isinstance(game.turn(state), Chance):
        state, _ = game.apply(state, game.deal(state, rng))
    return state


def _random_act(game: AnyGame, state: Struct, rng: Random) -> Struct:
    turn = game.turn(state)
    acts = game.legal_moves(state, turn.seats[0]) if isinstance(turn, Choose) else [game.deal(state, rng)]
    act: Struct = rng.choice(acts)
    return act


def _search(game: AnyGame, twin: Callable[..., Azul] | Callable[..., Blockers] | Callable[..., Duel]) -> Work:
    """Return work that expands as a search from Python would: a child for every move, and its legal moves."""
    root = twin(_position(game))
    child = root.copy()

    def expand() -> int:
        moves = root.moves()
        for move in moves:
            child.assign(root)  # type: ignore[arg-type]
            child.apply(move)
            while child.phase == DEALING:
                child.deal()
            child.moves()
        return len(moves)

    return expand


def _readable_search(game: AnyGame) -> Work:
    state = _position(game)
    rng = Random(1)  # noqa: S311

    def expand() -> int:
        turn = game.turn(state)
        assert isinstance(turn, Choose)
        moves = game.legal_moves(state, turn.seats[0])
        for move in moves:
            child, _ = game.apply(state, move)
            while isinstance(after := game.turn(child), Chance):
                child, _ = game.apply(child, game.deal(child, rng))
            if isinstance(after, Choose):
                game.legal_moves(child, after.seats[0])
        return len(moves)

    return expand


def _together() -> int:
    """Run the same playouts in each of two threads."""
    moves: list[int] = []

    def play_some(table: Azul) -> None:
        moves.append(table.playouts(10 * CHUNK)[0])

    threads = [Thread(target=play_some, args=(Azul(seed=_seed()),)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(moves)
