"""Training of the Azul Duel nets by self-play, in plain NumPy.

There is a net for each of the first four rounds (`tessella.fast.duel.evaluation`). The net of the fourth round learns
from the results of games; each earlier one half from that, half from the next net's prediction a round later. The
first generation plays with the handcrafted evaluation or with earlier nets, each later one with the nets of the one
before.
"""

import hashlib
from array import array
from collections.abc import Iterator, Sequence
from random import Random
from typing import TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tessella.arena.workers import Map
from tessella.bots.duel.net import Net, read, write
from tessella.fast.duel import Duel
from tessella.fast.duel.constants import STAGES
from tessella.fast.duel.evaluation import HIDDEN_NUMBERS, INPUT_NUMBERS, ROUNDS, Evaluator
from tessella.fast.duel.mcts import OpenLoopTree
from tessella.fast.phases import DEALING, OVER
from tessella.games import duel
from tessella.games.duel.pieces import FACE_TILES
from tessella.games.duel.state import Config
from tessella.train.card import Bin, Generation, Progress, Trained
from tessella.train.learn import binned

Floats: TypeAlias = NDArray[np.float64]
Weights: TypeAlias = dict[str, Floats]
"""`inward` (input × hidden), `bias` and `outward` (hidden), `straight` (input)."""

NEVER = 2**62
PREPARED = STAGES.index("prepare")
TASK_GAMES = 10
"""Games per task."""
RANDOM_MOVE_RATES = (0.0, 0.03, 0.1)
"""Probabilities of a random move, one of which each player gets, so that all kinds of boards occur."""
ROLLOUT_FACTORS = (0.5, 1.0, 2.0)
DEFAULT_FACES_RATE = 0.5
"""Fraction of games with the default faces; the others use random ones."""
LOG_ODDS_PER_POINT = 0.25
"""Log-odds per point of the final margin; half of the target is the win itself."""
BATCH = 256
RATE = 0.002
DECAY = 0.01
HELD_OUT_EVERY = 10
"""One game in this many is held out for validation."""


class Plan(Struct, frozen=True):
    """What to train, and for how long."""

    seed: int
    games: int
    generations: int = 2
    nodes: int = 30
    epochs: int = 60
    start: bytes | None = None
    """Nets for the first games."""

    @property
    def rules(self) -> str:
        """The game; the nets cover all its faces."""
        return f"{duel.NAME}/{duel.EDITION}"

    @property
    def says(self) -> str:
        """What the nets predict, for the model card."""
        return (
            "Four nets, one for each of the rounds 1 to 4. They evaluate a board after domes have been tiled; the\n"
            "difference of both boards is the log-odds of a win. The search evaluates boards with them\n"
            "(`tessella.fast.duel.evaluation`)."
        )


class Task(Struct, frozen=True):
    """Some games to play."""

    seed: int
    games: int
    rollouts: int
    net: bytes | None


class Boundaries(Struct, frozen=True):
    """Boundaries between rounds, one per row: the inputs of both boards, and how the game ended."""

    game: NDArray[np.int64]
    round: NDArray[np.int64]
    first: Floats
    other: Floats
    margin: Floats
    """The lead of the first seat at the end, in points."""
    won: Floats

    def rows(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> "Boundaries":
        """Return the chosen rows."""
        return Boundaries(*(getattr(self, name)[chosen] for name in self.__struct_fields__))


# Games


def play_task(task: Task) -> list[list[float]]:
    """Play some games and return a row for each boundary."""
    net = read(task.net) if task.net else None
    rng = Random(task.seed)  # noqa: S311  reproducible
    return [row for game in range(task.games) for row in play(task.seed * TASK_GAMES + game, rng, task.rollouts, net)]


def play(game: int, rng: Random, rollouts: int, net: Net | None) -> list[list[float]]:
    """Play one game with about this many rollouts per move; return a row for each boundary."""
    table, scales = Duel(_config(rng), rng.getrandbits(64)), Evaluator()
    random_rates = [rng.choice(RANDOM_MOVE_RATES) for _ in range(2)]
    budgets = [int(rollouts * rng.choice(ROLLOUT_FACTORS)) for _ in range(2)]
    rows: list[list[float]] = []
    while table.phase != OVER:
        if table.phase == DEALING:
            if table.stage == PREPARED and len(rows) < table.round:
                rows.append([game, table.round, *scales.inputs_of(table, 0), *scales.inputs_of(table, 1)])
            table.deal()
        elif rng.random() < random_rates[table.seat()]:
            table.apply(table.choose())
        else:
            number = budgets[table.seat()]
            tree = OpenLoopTree(table, table.seat(), rng.getrandbits(64), number + 1, net)
            table.apply(tree.choose(number, NEVER))
    scores = table.scores()
    return [[*row, scores[0] - scores[1], float(table.places()[0] == 1)] for row in rows]


def _config(rng: Random) -> Config:
    """Return a config with the default faces, or with three or four random ones."""
    if rng.random() < DEFAULT_FACES_RATE:
        return Config()
    tiles = rng.sample(sorted({*FACE_TILES.values()}), rng.choice((3, 4)))
    chosen = {rng.choice([face for face in FACE_TILES if FACE_TILES[face] == tile]) for tile in tiles}
    return Config(faces=tuple(face for face in FACE_TILES if face in chosen))


def gathered(rows: Sequence[Sequence[float]]) -> Boundaries:
    """Return the rows as arrays."""
    table = np.array(rows, np.float64)
    middle = 2 + INPUT_NUMBERS
    return Boundaries(
        table[:, 0].astype(np.int64),
        table[:, 1].astype(np.int64),
        table[:, 2:middle],
        table[:, middle : middle + INPUT_NUMBERS],
        table[:, -2],
        table[:, -1],
    )


# Learning


def learn(boundaries: Boundaries, epochs: int, rng: np.random.Generator) -> Net:
    """Train the nets, the last round first; all start from weights fitted to all rounds together."""
    results = 0.5 * boundaries.won + 0.5 * _sigmoid(LOG_ODDS_PER_POINT * boundaries.margin)
    common = _fitted(_blank(rng), boundaries, results, epochs, rng, RATE)
    targets, nets = results.copy(), list[Weights]()
    for number in range(ROUNDS, 0, -1):
        there = boundaries.round == number
        nets.insert(0, _fitted(common, boundaries.rows(there), targets[there], epochs, rng, RATE / 2))
        seen = boundaries.rows(there)
        predicted = dict(zip(seen.game.tolist(), win_probabilities(nets[0], seen), strict=True))
        for row in np.flatnonzero(boundaries.round == number - 1):
            targets[row] = (results[row] + predicted[int(boundaries.game[row])]) / 2
    return _joined(nets)


def _joined(nets: Sequence[Weights]) -> Net:
    return array("d", np.concatenate([part.ravel() for weights in nets for part in weights.values()]).tobytes())


def win_probabilities(weights: Weights, boundaries: Boundaries) -> Floats:
    """Return the predicted win probability of the first seat."""
    return _sigmoid(_forward(weights, boundaries.first)[0] - _forward(weights, boundaries.other)[0])


def cross_entropy(net: Net, boundaries: Boundaries) -> list[float]:
    """Return the cross-entropy of the win after each round; 0.69 for a coin toss."""
    found: list[float] = []
    for number, weights in enumerate(nets_of(net), start=1):
        seen = boundaries.rows(boundaries.round == number)
        probability = np.clip(win_probabilities(weights, seen), 1e-6, 1 - 1e-6)
        found.append(-float((seen.won * np.log(probability) + (1 - seen.won) * np.log(1 - probability)).mean()))
    return found


def nets_of(net: Net) -> Iterator[Weights]:
    """Yield the weights for each round."""
    shapes = {name: weights.shape for name, weights in _blank(np.random.default_rng(0)).items()}
    rest = np.array(net)
    for _ in range(ROUNDS):
        weights: Weights = {}
        for name, shape in shapes.items():
            size = int(np.prod(shape))
            weights[name], rest = rest[:size].reshape(shape), rest[size:]
        yield weights


def _blank(rng: np.random.Generator) -> Weights:
    return {
        "inward": rng.normal(0, 0.15, (INPUT_NUMBERS, HIDDEN_NUMBERS)),
        "bias": np.full(HIDDEN_NUMBERS, 0.05),
        "outward": rng.normal(0, 0.15, HIDDEN_NUMBERS),
        "straight": np.zeros(INPUT_NUMBERS),
    }


def _sigmoid(logits: Floats) -> Floats:
    return 1 / (1 + np.exp(-logits))


def _forward(weights: Weights, boards: Floats) -> tuple[Floats, Floats]:
    """Return the values of the boards, and the hidden layer."""
    hidden = np.maximum(boards @ weights["inward"] + weights["bias"], 0)
    return hidden @ weights["outward"] + boards @ weights["straight"], hidden


def _gradient(weights: Weights, first: Floats, other: Floats, targets: Floats) -> Weights:
    """Return the gradient of the cross-entropy."""
    (one, one_hidden), (two, two_hidden) = _forward(weights, first), _forward(weights, other)
    error = (_sigmoid(one - two) - targets) / len(targets)
    one_back = np.outer(error, weights["outward"]) * (one_hidden > 0)
    two_back = np.outer(-error, weights["outward"]) * (two_hidden > 0)
    return {
        "inward": first.T @ one_back + other.T @ two_back,
        "bias": one_back.sum(axis=0) + two_back.sum(axis=0),
        "outward": error @ (one_hidden - two_hidden),
        "straight": error @ (first - other),
    }


def _fitted(
    weights: Weights, boundaries: Boundaries, targets: Floats, epochs: int, rng: np.random.Generator, rate: float
) -> Weights:
    """Return the weights after some epochs of Adam over shuffled batches."""
    weights = {name: value.copy() for name, value in weights.items()}
    mean = {name: np.zeros_like(value) for name, value in weights.items()}
    square = {name: np.zeros_like(value) for name, value in weights.items()}
    steps, step = epochs * -(-len(targets) // BATCH), 0
    for _ in range(epochs):
        order = rng.permutation(len(targets))
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            step += 1
            annealed = rate * 0.5 * (1 + np.cos(np.pi * step / (steps + 1)))
            gradients = _gradient(weights, boundaries.first[rows], boundaries.other[rows], targets[rows])
            for name, gradient in gradients.items():
                mean[name] += 0.1 * (gradient - mean[name])
                square[name] += 0.001 * (gradient * gradient - square[name])
                towards = mean[name] / (1 - 0.9**step) / (np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8)
                weights[name] -= annealed * (towards + DECAY * weights[name])
    return weights


# Generations


def train(plan: Plan, spread: Map, progress: Progress[list[list[float]]]) -> Trained:
    """Train the nets. The same plan gives the same nets, on the same kind of machine."""
    rng = np.random.default_rng(plan.seed)
    rows: list[list[float]] = []
    generations: list[Generation] = []
    file = plan.start
    for number in range(plan.generations):
        tasks = _tasks(plan, number, file)
        for played in progress(spread(play_task, tasks), len(tasks), f"generation {number + 1}"):
            rows += played
        training, held_out = _split(gathered(rows))
        file = write(learn(training, plan.epochs, rng))
        net, blank = read(file), _joined([_blank(rng)] * ROUNDS)
        entropy = float(np.mean(cross_entropy(blank, held_out))), float(np.mean(cross_entropy(net, held_out)))
        generations.append(Generation(len(training.game), entropy, float(np.mean(cross_entropy(net, training)))))
    assert file is not None
    data = hashlib.sha256(np.array(rows).tobytes()).hexdigest()
    return Trained(plan, file, data, tuple(generations), tuple(_bins(read(file), _split(gathered(rows))[1])))


def _tasks(plan: Plan, number: int, net: bytes | None) -> list[Task]:
    """Return the tasks of a generation; no two tasks of a plan have the same seed."""
    first = plan.seed * 1_000_000 + number * 100_000
    return [
        Task(first + start, TASK_GAMES, plan.nodes, net)
        for start in range(0, plan.games // plan.generations, TASK_GAMES)
    ]


def _split(boundaries: Boundaries) -> tuple[Boundaries, Boundaries]:
    """Return training and held-out data."""
    held_out = boundaries.game % HELD_OUT_EVERY == 0
    return boundaries.rows(~held_out), boundaries.rows(held_out)


def _bins(net: Net, boundaries: Boundaries) -> Iterator[Bin]:
    """Yield how often seats won, binned by predicted win probability; each boundary counts for both seats."""
    seen = [boundaries.rows(boundaries.round == number) for number in range(1, ROUNDS + 1)]
    nets = zip(nets_of(net), seen, strict=True)
    first = np.concatenate([win_probabilities(weights, rows) for weights, rows in nets])
    ended = np.concatenate([rows.won for rows in seen])
    predicted, won = np.concatenate([first, 1 - first]), np.concatenate([ended, 1 - ended])
    return binned(predicted, won)
