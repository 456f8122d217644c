"""Learning what boards of Azul Duel are worth between two rounds: games against oneself, then plain NumPy.

There is a net for each of the first four rounds (`tessella.fast.duel_value`). The one after the fourth learns from how
games ended; each earlier one from that, and from what the next net says of the same game a round later. The first games
are played with boards weighed by hand, those of each later generation with the nets of the one before.
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
from tessella.bots.duel_net import Net, read, write
from tessella.fast.duel import Duel
from tessella.fast.duel_search import Search
from tessella.fast.duel_table import STAGES
from tessella.fast.duel_value import HIDDEN_NUMBERS, INPUT_NUMBERS, ROUNDS, DuelValue
from tessella.fast.phases import DEALING, OVER
from tessella.games import duel
from tessella.games.duel.pieces import FACE_TILES
from tessella.games.duel.state import Config
from tessella.train.card import Bin, Generation, Shown, Trained
from tessella.train.learn import binned

Floats: TypeAlias = NDArray[np.float64]
Weights: TypeAlias = dict[str, Floats]
"""`inward` (input × hidden), `bias` and `outward` (hidden), `straight` (input)."""

NEVER = 2**62
PREPARED = STAGES.index("prepare")
TASK = 10
"""Games that are played at a time."""
WHIMS = (0.0, 0.03, 0.1)
"""How often a player makes a random move, so that boards of all kinds are met."""
STRENGTHS = (0.5, 1.0, 2.0)
FIRST_GAME = 0.5
"""How many games are played with the faces of the first game; the others with any."""
CERTAIN = 0.25
"""How much a point at the end counts; half of what is learned is the win itself."""
BATCH = 256
RATE = 0.002
DECAY = 0.01
HELD_BACK = 10
"""One game in so many is not learned from; it says how much was learned."""


class Plan(Struct, frozen=True):
    """What is to be taught, and how long."""

    seed: int
    games: int
    generations: int = 2
    nodes: int = 30
    epochs: int = 60

    @property
    def rules(self) -> str:
        """The game; all its faces are taught."""
        return f"{duel.NAME}/{duel.EDITION}"

    @property
    def says(self) -> str:
        """What the nets say, and who asks them."""
        return (
            "Four nets, one after each of the rounds 1 to 4. They say how good a board is when domes have been tiled;\n"
            "the difference of both boards is how likely a seat wins. The search asks it (`tessella.fast.duel_value`)."
        )


class Task(Struct, frozen=True):
    """Some games to be played."""

    seed: int
    games: int
    descents: int
    net: bytes | None


class Boundaries(Struct, frozen=True):
    """Boundaries between rounds, one a row; both boards as a net is shown them, and how the game ended."""

    game: NDArray[np.int64]
    round: NDArray[np.int64]
    first: Floats
    other: Floats
    margin: Floats
    """By how many points the first seat was ahead at the end."""
    won: Floats

    def rows(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> "Boundaries":
        """Some of them."""
        return Boundaries(*(getattr(self, name)[chosen] for name in self.__struct_fields__))


# Games


def play_task(task: Task) -> list[list[float]]:
    """Play some games; give a row for each boundary."""
    net = read(task.net) if task.net else None
    rng = Random(task.seed)  # noqa: S311  to be played again
    return [row for game in range(task.games) for row in play(task.seed * TASK + game, rng, task.descents, net)]


def play(game: int, rng: Random, descents: int, net: Net | None) -> list[list[float]]:
    """One game between two who try about so many rounds for a move."""
    table, scales = Duel(_config(rng), rng.getrandbits(64)), DuelValue()
    whims = [rng.choice(WHIMS) for _ in range(2)]
    strengths = [int(descents * rng.choice(STRENGTHS)) for _ in range(2)]
    shown: list[list[float]] = []
    while table.phase != OVER:
        if table.phase == DEALING:
            if table.stage == PREPARED and len(shown) < table.round:
                shown.append([game, table.round, *scales.inputs_of(table, 0), *scales.inputs_of(table, 1)])
            table.deal()
        elif rng.random() < whims[table.seat()]:
            table.apply(table.choose())
        else:
            number = strengths[table.seat()]
            thinker = Search(table, table.seat(), rng.getrandbits(64), number + 1, net)
            table.apply(thinker.choose(number, NEVER))
    scores = table.scores()
    return [[*row, scores[0] - scores[1], float(table.places()[0] == 1)] for row in shown]


def _config(rng: Random) -> Config:
    """The faces of the first game, or any other three or four."""
    if rng.random() < FIRST_GAME:
        return Config()
    tiles = rng.sample(sorted({*FACE_TILES.values()}), rng.choice((3, 4)))
    chosen = {rng.choice([face for face in FACE_TILES if FACE_TILES[face] == tile]) for tile in tiles}
    return Config(faces=tuple(face for face in FACE_TILES if face in chosen))


def gathered(rows: Sequence[Sequence[float]]) -> Boundaries:
    """The rows as arrays."""
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
    """The weights of the nets, the last round learned first; all start from what is common to the rounds."""
    ended = 0.5 * boundaries.won + 0.5 * _chance(CERTAIN * boundaries.margin)
    common = _fitted(_blank(rng), boundaries, ended, epochs, rng, RATE)
    wanted, nets = ended.copy(), list[Weights]()
    for number in range(ROUNDS, 0, -1):
        there = boundaries.round == number
        nets.insert(0, _fitted(common, boundaries.rows(there), wanted[there], epochs, rng, RATE / 2))
        seen = boundaries.rows(there)
        said = dict(zip(seen.game.tolist(), foreseen(nets[0], seen), strict=True))
        for row in np.flatnonzero(boundaries.round == number - 1):
            wanted[row] = (ended[row] + said[int(boundaries.game[row])]) / 2
    return _joined(nets)


def _joined(nets: Sequence[Weights]) -> Net:
    return array("d", np.concatenate([part.ravel() for weights in nets for part in weights.values()]).tobytes())


def foreseen(weights: Weights, boundaries: Boundaries) -> Floats:
    """How likely a net thinks that the first seat wins."""
    return _chance(_say(weights, boundaries.first)[0] - _say(weights, boundaries.other)[0])


def surprise(net: Net, boundaries: Boundaries) -> list[float]:
    """The cross-entropy of the win after each round; 0.69 for who knows nothing."""
    found: list[float] = []
    for number, weights in enumerate(nets_of(net), start=1):
        seen = boundaries.rows(boundaries.round == number)
        chance = np.clip(foreseen(weights, seen), 1e-6, 1 - 1e-6)
        found.append(-float((seen.won * np.log(chance) + (1 - seen.won) * np.log(1 - chance)).mean()))
    return found


def nets_of(net: Net) -> Iterator[Weights]:
    """The weights for each round."""
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


def _chance(logits: Floats) -> Floats:
    return 1 / (1 + np.exp(-logits))


def _say(weights: Weights, boards: Floats) -> tuple[Floats, Floats]:
    """How good the boards are, and what was hidden on the way."""
    hidden = np.maximum(boards @ weights["inward"] + weights["bias"], 0)
    return hidden @ weights["outward"] + boards @ weights["straight"], hidden


def _slopes(weights: Weights, first: Floats, other: Floats, wanted: Floats) -> Weights:
    """How the cross-entropy changes with each weight."""
    (one, one_hidden), (two, two_hidden) = _say(weights, first), _say(weights, other)
    wrong = (_chance(one - two) - wanted) / len(wanted)
    one_back = np.outer(wrong, weights["outward"]) * (one_hidden > 0)
    two_back = np.outer(-wrong, weights["outward"]) * (two_hidden > 0)
    return {
        "inward": first.T @ one_back + other.T @ two_back,
        "bias": one_back.sum(axis=0) + two_back.sum(axis=0),
        "outward": wrong @ (one_hidden - two_hidden),
        "straight": wrong @ (first - other),
    }


def _fitted(
    weights: Weights, boundaries: Boundaries, wanted: Floats, epochs: int, rng: np.random.Generator, rate: float
) -> Weights:
    """Go through the boundaries so often, in ever new order (Adam)."""
    weights = {name: value.copy() for name, value in weights.items()}
    mean = {name: np.zeros_like(value) for name, value in weights.items()}
    square = {name: np.zeros_like(value) for name, value in weights.items()}
    steps, step = epochs * -(-len(wanted) // BATCH), 0
    for _ in range(epochs):
        order = rng.permutation(len(wanted))
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            step += 1
            slower = rate * 0.5 * (1 + np.cos(np.pi * step / (steps + 1)))
            slopes = _slopes(weights, boundaries.first[rows], boundaries.other[rows], wanted[rows])
            for name, slope in slopes.items():
                mean[name] += 0.1 * (slope - mean[name])
                square[name] += 0.001 * (slope * slope - square[name])
                towards = mean[name] / (1 - 0.9**step) / (np.sqrt(square[name] / (1 - 0.999**step)) + 1e-8)
                weights[name] -= slower * (towards + DECAY * weights[name])
    return weights


# Generations


def train(plan: Plan, spread: Map, shown: Shown[list[list[float]]]) -> Trained:
    """Teach the nets. The same plan gives the same, on the same kind of machine."""
    rng = np.random.default_rng(plan.seed)
    rows: list[list[float]] = []
    generations: list[Generation] = []
    file: bytes | None = None
    for number in range(plan.generations):
        tasks = _tasks(plan, number, file)
        for played in shown(spread(play_task, tasks), len(tasks), f"generation {number + 1}"):
            rows += played
        lessons, held_back = _parted(gathered(rows))
        file = write(learn(lessons, plan.epochs, rng))
        net, blank = read(file), _joined([_blank(rng)] * ROUNDS)
        entropy = float(np.mean(surprise(blank, held_back))), float(np.mean(surprise(net, held_back)))
        generations.append(Generation(len(lessons.game), entropy, float(np.mean(surprise(net, lessons)))))
    assert file is not None
    data = hashlib.sha256(np.array(rows).tobytes()).hexdigest()
    return Trained(plan, file, data, tuple(generations), tuple(_bins(read(file), _parted(gathered(rows))[1])))


def _tasks(plan: Plan, number: int, net: bytes | None) -> list[Task]:
    """As many games as a generation has, ten at a time; no two tasks of a plan have the same seed."""
    first = plan.seed * 1_000_000 + number * 100_000
    return [Task(first + start, TASK, plan.nodes, net) for start in range(0, plan.games // plan.generations, TASK)]


def _parted(boundaries: Boundaries) -> tuple[Boundaries, Boundaries]:
    """What is learned from, and what is held back."""
    back = boundaries.game % HELD_BACK == 0
    return boundaries.rows(~back), boundaries.rows(back)


def _bins(net: Net, boundaries: Boundaries) -> Iterator[Bin]:
    """How often seats won that were given about the same chance; each boundary is seen by both."""
    seen = [boundaries.rows(boundaries.round == number) for number in range(1, ROUNDS + 1)]
    first = np.concatenate([foreseen(weights, rows) for weights, rows in zip(nets_of(net), seen, strict=True)])
    ended = np.concatenate([rows.won for rows in seen])
    said, won = np.concatenate([first, 1 - first]), np.concatenate([ended, 1 - ended])
    return binned(said, won)
