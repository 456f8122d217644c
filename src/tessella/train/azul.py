"""Training of the Azul net by self-play in generations.

The first generation plays with the handcrafted evaluation, each later one with the net of the one before. Earlier
games are kept, because a net that only ever saw its own games has blind spots. The targets are the results of games.
(Targets from a short search of the next round were tried: they predict the result worse than the net itself.) Games
are played in tasks with seeds of their own, so the number of workers does not change the net. Training may start from
an earlier net; two players may search narrowly, with the shipped move policy.
"""

import hashlib
from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from tessella.arena.workers import Map
from tessella.bots.azul.net import read
from tessella.bots.azul.policy import learned
from tessella.core.record import write_rules
from tessella.fast.azul.features import ROWS_PER_GAME, SHARED_NUMBERS, SLOTS
from tessella.fast.azul.selfplay import Selfplay
from tessella.games import azul
from tessella.train.card import Bin, Generation, Progress, Trained
from tessella.train.learn import (
    Floats,
    Positions,
    Weights,
    binned,
    blank,
    forward,
    learn,
    loss,
    pooled,
    widened,
    win_probabilities,
)
from tessella.train.quantise import quantised, unquantised

TASK_GAMES = 500
HELD_OUT_EVERY = 20
"""One task in this many is held out for validation."""


class Plan(Struct, frozen=True):
    """What to train, and for how long."""

    config: azul.Config
    seed: int
    games: int
    generations: int = 3
    nodes: int = 150
    epochs: int = 6
    start: bytes | None = None
    """A net to start from, also for the first games."""
    narrow: bool = False
    """Whether the players search narrowly."""

    @property
    def rules(self) -> str:
        """The rules line of the game, as in a record."""
        return write_rules(azul, self.config)

    @property
    def says(self) -> str:
        """What the net predicts, for the model card."""
        return (
            "It predicts each seat's win probability and margin in points after a round has been tiled, before the\n"
            "next deal. The search of the bots evaluates boards with it (`tessella.fast.azul.net`)."
        )


class Task(Struct, frozen=True):
    """Some games to play. The same task gives the same positions on any machine."""

    plan: Plan
    seed: int
    games: int
    net: bytes | None


def train(plan: Plan, spread: Map, progress: Progress[Positions]) -> Trained:
    """Train a net. The same plan gives the same net, on the same kind of machine."""
    rng = np.random.default_rng(plan.seed)
    training: list[Positions] = []
    held_out: list[Positions] = []
    generations: list[Generation] = []
    first = blank(rng) if plan.start is None else widened(blank(rng), *unquantised(plan.start))
    weights, file = first, plan.start
    for number in range(plan.generations):
        tasks = _tasks(plan, number, file)
        for place, positions in enumerate(progress(spread(play, tasks), len(tasks), f"generation {number + 1}")):
            (training if place % HELD_OUT_EVERY else held_out).append(positions)
        weights, generation = _fit(plan, first, pooled(training), pooled(held_out), rng)
        file = quantised(weights, plan.rules, plan.config.seats)
        generations.append(generation)
    assert file is not None
    everything = pooled([*held_out, *training])
    return Trained(plan, file, _hash(everything), tuple(generations), tuple(_bins(weights, pooled(held_out))))


def _tasks(plan: Plan, number: int, net: bytes | None) -> list[Task]:
    games = plan.games // plan.generations
    sizes = [min(TASK_GAMES, games - start) for start in range(0, games, TASK_GAMES)]
    sizes = sizes if len(sizes) > 1 else [games // 2, games - games // 2]
    return [Task(plan, _seed(plan.seed, number, place), size, net) for place, size in enumerate(sizes)]


def _seed(*numbers: int) -> int:
    return int.from_bytes(hashlib.sha256(repr(numbers).encode()).digest()[:8], "big")


def play(task: Task) -> Positions:
    """Play the games of a task and return their positions."""
    seats, rows = task.plan.config.seats, task.games * ROWS_PER_GAME
    net = None if task.net is None else read(task.net)[1]
    policy = learned() if task.plan.narrow else None
    selfplay = Selfplay(seats, task.plan.config.wall == "grey", task.seed, net, task.plan.nodes, policy)
    positions = Positions(
        np.zeros((rows, seats * SLOTS), np.int16),
        np.zeros((rows, seats), np.int16),
        np.zeros((rows, SHARED_NUMBERS), np.int16),
        np.zeros((rows, seats), np.float32),
        np.zeros((rows, seats), np.float32),
    )
    kept = selfplay.play(task.games, *(getattr(positions, name) for name in Positions.__struct_fields__))
    return positions.rows(np.arange(kept))


def _fit(
    plan: Plan, weights: Weights, training: Positions, held_out: Positions, rng: np.random.Generator
) -> tuple[Weights, Generation]:
    """Train weights further with all positions so far."""
    entropies = [loss(weights, held_out)[0]]
    for later in learn(weights, training, plan.epochs, rng):
        weights = later
        entropies.append(loss(weights, held_out)[0])
    learned = loss(weights, training)[0]
    return weights, Generation(len(training), tuple(entropies), learned, loss(weights, held_out)[1])


def _hash(positions: Positions) -> str:
    digest = hashlib.sha256()
    for name in Positions.__struct_fields__:
        digest.update(np.ascontiguousarray(getattr(positions, name)).tobytes())
    return digest.hexdigest()


def _bins(weights: Weights, positions: Positions) -> Iterator[Bin]:
    """Yield how often seats won, binned by predicted win probability."""
    predicted: Floats = win_probabilities(forward(weights, positions).outputs).ravel()
    won: Floats = positions.wins.ravel()
    return binned(predicted, won)
