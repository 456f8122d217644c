"""How a net of Azul is taught: play, learn, play on with what was learned, and learn from all of it.

The first games are played with the value that was made by hand. Each later generation plays with the net of the one
before; what was played earlier is kept, because a net that only ever saw its own games is blind for all others. What
is learned is how games ended. (What a short search says of the round that follows was tried as well: it knows less
about the end than the net itself.) Games are dealt in tasks that each have a seed of their own: who works on them, and
how many do, changes nothing.
"""

import hashlib
from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from tessella.arena.workers import Map
from tessella.bots.nets import read
from tessella.core.record import write_rules
from tessella.fast.azul_inputs import ROWS_A_GAME, SHOWN, SLOTS
from tessella.fast.azul_selfplay import Selfplay
from tessella.games import azul
from tessella.train.card import Bin, Generation, Shown, Trained
from tessella.train.finish import finished
from tessella.train.learn import Floats, Positions, Weights, binned, blank, forward, learn, loss, pooled, shares

TASK_GAMES = 500
HELD_BACK = 20
"""Of so many tasks one is not learned from: it says what the net has understood."""


class Plan(Struct, frozen=True):
    """What is to be taught, and how long."""

    config: azul.Config
    seed: int
    games: int
    generations: int = 3
    nodes: int = 150
    epochs: int = 6

    @property
    def rules(self) -> str:
        """The game and its options, as a record names them."""
        return write_rules(azul, self.config)

    @property
    def says(self) -> str:
        """What the net says, and who asks it."""
        return (
            "It says how likely each seat wins, and by how many points, when a round has been tiled and the next\n"
            "is not yet dealt. The search of the computer players asks it there (`tessella.fast.azul_net`)."
        )


class Task(Struct, frozen=True):
    """Some games to be played. It brings the same positions wherever it is done."""

    plan: Plan
    seed: int
    games: int
    net: bytes | None


def train(plan: Plan, spread: Map, shown: Shown[Positions]) -> Trained:
    """Teach a net. The same plan gives the same net, on the same kind of machine."""
    rng = np.random.default_rng(plan.seed)
    lessons: list[Positions] = []
    held_back: list[Positions] = []
    generations: list[Generation] = []
    weights, file = blank(rng), None
    for number in range(plan.generations):
        tasks = _tasks(plan, number, file)
        for place, positions in enumerate(shown(spread(play, tasks), len(tasks), f"generation {number + 1}")):
            (lessons if place % HELD_BACK else held_back).append(positions)
        weights, generation = _taught(plan, pooled(lessons), pooled(held_back), rng)
        file = finished(weights, plan.rules, plan.config.seats)
        generations.append(generation)
    assert file is not None
    everything = pooled([*held_back, *lessons])
    return Trained(plan, file, _hash(everything), tuple(generations), tuple(_bins(weights, pooled(held_back))))


def _tasks(plan: Plan, number: int, net: bytes | None) -> list[Task]:
    games = plan.games // plan.generations
    sizes = [min(TASK_GAMES, games - start) for start in range(0, games, TASK_GAMES)]
    sizes = sizes if len(sizes) > 1 else [games // 2, games - games // 2]
    return [Task(plan, _seed(plan.seed, number, place), size, net) for place, size in enumerate(sizes)]


def _seed(*numbers: int) -> int:
    return int.from_bytes(hashlib.sha256(repr(numbers).encode()).digest()[:8], "big")


def play(task: Task) -> Positions:
    """Play the games of a task."""
    seats, rows = task.plan.config.seats, task.games * ROWS_A_GAME
    net = None if task.net is None else read(task.net)[1]
    selfplay = Selfplay(seats, task.plan.config.wall == "grey", task.seed, net, task.plan.nodes)
    positions = Positions(
        np.zeros((rows, seats * SLOTS), np.int16),
        np.zeros((rows, seats), np.int16),
        np.zeros((rows, SHOWN), np.int16),
        np.zeros((rows, seats), np.float32),
        np.zeros((rows, seats), np.float32),
    )
    kept = selfplay.play(task.games, *(getattr(positions, name) for name in Positions.__struct_fields__))
    return positions.rows(np.arange(kept))


def _taught(
    plan: Plan, lessons: Positions, held_back: Positions, rng: np.random.Generator
) -> tuple[Weights, Generation]:
    """Learn everything anew, from all positions so far."""
    weights = blank(rng)
    entropies = [loss(weights, held_back)[0]]
    for later in learn(weights, lessons, plan.epochs, rng):
        weights = later
        entropies.append(loss(weights, held_back)[0])
    learned = loss(weights, lessons)[0]
    return weights, Generation(len(lessons), tuple(entropies), learned, loss(weights, held_back)[1])


def _hash(positions: Positions) -> str:
    told = hashlib.sha256()
    for name in Positions.__struct_fields__:
        told.update(np.ascontiguousarray(getattr(positions, name)).tobytes())
    return told.hexdigest()


def _bins(weights: Weights, positions: Positions) -> Iterator[Bin]:
    """How often seats won that were given about the same share: as often, if the net knows itself."""
    said: Floats = shares(forward(weights, positions).said).ravel()
    won: Floats = positions.wins.ravel()
    return binned(said, won)
