"""Training of the nets of Blockers! by self-play in generations, in plain NumPy.

The first generation plays the rollout policy; in each later one the players look one move ahead with the net of the
generation before. A net learns from the positions of the last four generations and the chances in their finished games.
Games are played in tasks with seeds of their own, so the number of processes does not change the net.
"""

import hashlib
from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tessella.arena.workers import Map
from tessella.bots.blockers.net import read, write
from tessella.bots.blockers.weights import learned
from tessella.core.record import write_rules
from tessella.fast.blockers.evaluation import HIDDEN_NUMBERS, INPUT_NUMBERS
from tessella.fast.blockers.selfplay import ROWS_PER_GAME, Selfplay
from tessella.games import blockers
from tessella.train.card import Bin, Generation, Progress, Trained
from tessella.train.learn import binned

Floats: TypeAlias = NDArray[np.floating[Any]]
Weights: TypeAlias = dict[str, Floats]
"""`inward` (input × hidden), `bias` and `outward` (hidden), `straight` (input)."""

TASK_GAMES = 500
HELD_OUT_EVERY = 20
"""One task in this many is held out for validation."""
GENERATIONS_KEPT = 4
BATCH = 512
FIRST_RATE, RATE = 0.004, 0.002
"""Learning rates of the first generation and of the others."""


class Plan(Struct, frozen=True):
    """What to train, and for how long."""

    seats: int
    seed: int
    games: int
    generations: int
    nodes: int
    """Moves weighed per turn."""
    epochs: int

    @property
    def rules(self) -> str:
        """The rules line of the game, as in a record."""
        return write_rules(blockers, blockers.Config(self.seats))

    @property
    def says(self) -> str:
        """What the net predicts, for the model card."""
        return (
            "It predicts each seat's chances in the middle of a game: half the win, half a softmax of the points.\n"
            "With little time, level 8 evaluates positions with it (`tessella.fast.blockers.evaluation`)."
        )


class Task(Struct, frozen=True):
    """Some games to play. The same task gives the same positions on any machine."""

    plan: Plan
    seed: int
    games: int
    net: bytes | None


class Positions(Struct, frozen=True):
    """Positions, one per row. Axes: position, seat, and for the inputs their number."""

    inputs: Floats
    chances: Floats

    def __len__(self) -> int:
        return len(self.inputs)

    def rows(self, chosen: NDArray[np.int64] | slice) -> "Positions":
        """Return the chosen rows."""
        return Positions(self.inputs[chosen], self.chances[chosen])


def pooled(parts: list[Positions]) -> Positions:
    """Return several sets of positions as one."""
    return Positions(np.concatenate([part.inputs for part in parts]), np.concatenate([part.chances for part in parts]))


# Games


def play(task: Task) -> Positions:
    """Play the games of a task and return their positions."""
    seats, rows = task.plan.seats, task.games * ROWS_PER_GAME
    inputs = np.zeros((rows, seats * INPUT_NUMBERS), np.float32)
    chances = np.zeros((rows, seats), np.float32)
    net = None if task.net is None else read(task.net)
    kept = Selfplay(seats, learned(seats), task.seed, net, task.plan.nodes).play(task.games, inputs, chances)
    return Positions(inputs[:kept].reshape(kept, seats, INPUT_NUMBERS).copy(), chances[:kept].copy())


def _tasks(plan: Plan, number: int, net: bytes | None) -> list[Task]:
    games = plan.games // plan.generations
    sizes = [min(TASK_GAMES, games - start) for start in range(0, games, TASK_GAMES)]
    sizes = sizes if len(sizes) > 1 else [games // 2, games - games // 2]
    return [Task(plan, _seed(plan.seed, plan.seats, number, place), size, net) for place, size in enumerate(sizes)]


def _seed(*numbers: int) -> int:
    return int.from_bytes(hashlib.sha256(repr(numbers).encode()).digest()[:7], "big")


# Learning


def blank(rng: np.random.Generator) -> Weights:
    """Return random initial weights."""
    return {
        "inward": rng.normal(0, 0.15, (INPUT_NUMBERS, HIDDEN_NUMBERS)).astype(np.float32),
        "bias": np.full(HIDDEN_NUMBERS, 0.05, np.float32),
        "outward": rng.normal(0, 0.15, HIDDEN_NUMBERS).astype(np.float32),
        "straight": np.zeros(INPUT_NUMBERS, np.float32),
    }


def forward(weights: Weights, inputs: Floats) -> tuple[Floats, Floats]:
    """Return the chances of each seat, and the hidden layers."""
    hidden = np.maximum(inputs @ weights["inward"] + weights["bias"], 0)
    logits = hidden @ weights["outward"] + inputs @ weights["straight"]
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True), hidden


def entropy(weights: Weights, positions: Positions) -> float:
    """Return the mean cross-entropy of the chances."""
    total = 0.0
    for start in range(0, len(positions), 32 * BATCH):
        part = positions.rows(slice(start, start + 32 * BATCH))
        total -= float((part.chances * np.log(forward(weights, part.inputs)[0] + 1e-9)).sum())
    return total / len(positions)


def gradient(weights: Weights, positions: Positions) -> Weights:
    """Return the gradient of the cross-entropy."""
    chances, hidden = forward(weights, positions.inputs)
    errors = ((chances - positions.chances) / np.float32(len(positions))).ravel()
    inputs, hidden = positions.inputs.reshape(-1, INPUT_NUMBERS), hidden.reshape(-1, HIDDEN_NUMBERS)
    back = errors[:, None] * weights["outward"] * (hidden > 0)
    return {
        "inward": inputs.T @ back,
        "bias": back.sum(axis=0),
        "outward": hidden.T @ errors,
        "straight": inputs.T @ errors,
    }


def learn(weights: Weights, positions: Positions, epochs: int, rng: np.random.Generator, most: float) -> Weights:
    """Return the weights after some epochs of Adam over shuffled batches; the rate falls from `most` to nothing."""
    weights = {name: value.copy() for name, value in weights.items()}
    mean = {name: np.zeros_like(value) for name, value in weights.items()}
    square = {name: np.zeros_like(value) for name, value in weights.items()}
    steps, step = epochs * -(-len(positions) // BATCH), 0
    for _ in range(epochs):
        order = rng.permutation(len(positions))
        for start in range(0, len(order), BATCH):
            step += 1
            rate = most * 0.5 * (1 + np.cos(np.pi * step / (steps + 1)))
            for name, slope in gradient(weights, positions.rows(order[start : start + BATCH])).items():
                mean[name] += 0.1 * (slope - mean[name])
                square[name] += 0.001 * (slope * slope - square[name])
                towards = mean[name] / (1 - 0.9**step) / (np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8)
                weights[name] -= (rate * towards).astype(np.float32)
    return weights


def file_of(weights: Weights, seats: int) -> bytes:
    """Return the net as the content of a file."""
    parts = (weights["inward"], weights["bias"], weights["outward"], weights["straight"])
    return write([float(weight) for part in parts for weight in part.ravel()], seats)


# Generations


def train(plan: Plan, spread: Map, progress: Progress[Positions]) -> Trained:
    """Train a net. The same plan gives the same net, on the same kind of machine."""
    rng = np.random.default_rng([plan.seed, plan.seats])
    weights = untrained = blank(rng)
    training: list[Positions] = []
    held_out: list[Positions] = []
    generations: list[Generation] = []
    file = None
    data = hashlib.sha256()
    for number in range(plan.generations):
        tasks = _tasks(plan, number, file)
        parts = list(progress(spread(play, tasks), len(tasks), f"generation {number + 1}"))
        for part in parts:
            data.update(part.inputs.tobytes() + part.chances.tobytes())
        held_out.append(pooled(parts[::HELD_OUT_EVERY]))
        training.append(pooled([part for place, part in enumerate(parts) if place % HELD_OUT_EVERY]))
        seen, unseen = pooled(training[-GENERATIONS_KEPT:]), held_out[-1]
        weights = learn(weights, seen, plan.epochs, rng, RATE if number else FIRST_RATE)
        entropies = entropy(untrained, unseen), entropy(weights, unseen)
        generations.append(Generation(len(seen), entropies, entropy(weights, seen)))
        file = file_of(weights, plan.seats)
    assert file is not None
    return Trained(plan, file, data.hexdigest(), tuple(generations), tuple(_bins(weights, held_out[-1])))


def _bins(weights: Weights, positions: Positions) -> Iterator[Bin]:
    """Yield the chances of seats in finished games, binned by predicted chances."""
    predicted, _ = forward(weights, positions.inputs)
    return binned(predicted.ravel(), positions.chances.ravel())
