"""Random moves per second of a readable engine: list the legal moves, apply one with its checks and events."""

import time
from random import Random

from msgspec import Struct

from bench.gates import GateResults
from tessella.core.game import AnyGame, Chance, Config, Over
from tessella.progress import progress

SLICES = 40
GATES = {"azul": 15_000, "duel": 10_000, "blockers": 10_000}
"""Minimum moves per second."""


class Speed(Struct, frozen=True):
    """A measurement, in CPU time."""

    moves: int
    games: int
    moves_per_s: float
    gate: int

    @property
    def gates(self) -> GateResults:
        """Return whether the gate was missed; it is always judged, because only our own CPU time counts."""
        return GateResults() if self.moves_per_s >= self.gate else GateResults(("moves_per_s",))


def measure(game: AnyGame, config: Config, seconds: float, seed: int = 1) -> Speed:
    """Play random games for about this many CPU seconds, in slices; judge by the median slice."""
    rng = Random(seed)  # noqa: S311
    rates: list[float] = []
    moves = games = 0
    for _ in progress(range(SLICES), f"{game.NAME} random play"):
        began = time.process_time()
        played = 0
        while time.process_time() - began < seconds / SLICES:
            played += play(game, config, rng)
            games += 1
        rates.append(played / (time.process_time() - began))
        moves += played
    return Speed(moves, games, sorted(rates)[SLICES // 2], GATES.get(game.NAME, 0))


def play(game: AnyGame, config: Config, rng: Random) -> int:
    """Play one random game, and return its number of moves."""
    state = game.setup(config)
    moves = 0
    while not isinstance(turn := game.turn(state), Over):
        if isinstance(turn, Chance):
            act = game.deal(state, rng)
        else:
            act = rng.choice(game.legal_moves(state, rng.choice(turn.seats)))
            moves += 1
        state, _ = game.apply(state, act)
    return moves
