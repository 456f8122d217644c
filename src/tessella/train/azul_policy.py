"""Training of the move policy of Azul: which takes a long search chooses.

Positions come from games between short searches that sometimes slip. The first generation is judged by a search that
looks at every move, the later ones by a narrow search with the policy of the one before. The weights are fitted to the
choices of all generations by logistic regression over the moves of each position.
"""

import hashlib
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tessella.arena.workers import Map
from tessella.bots.azul.net import read as read_net
from tessella.bots.azul.policy import GROUPS, Policy, write
from tessella.core.game import Seat
from tessella.fast.azul import Azul
from tessella.fast.azul.alphabeta import AlphaBeta
from tessella.fast.azul.policy import WEIGHTS
from tessella.fast.phases import DEALING, DRAFTING, OVER
from tessella.train.card import Progress

Floats: TypeAlias = NDArray[np.floating[Any]]

TASK_GAMES = 10
MOST_PLY = 8
"""Last ply of a round from which positions are taken; later ones are soon searched to their end."""
POSITION_RATE = 0.3
"""Part of these positions that are judged."""
GAME_NODES = 500
SLIP_RATE = 0.15
"""Nodes per move of the games, and how often a move is random."""
LEAST_MOVES = 5
"""Positions with fewer different moves teach little."""
PROBE = 1000
"""The weight with which the value of an input is read."""
LOGIT = 100
"""Weights are stored in this part of a logit."""
HELD_OUT_EVERY = 10
STEPS = 1000
RATE = 0.02
DECAY = 0.0005
FIRST = (1, 4, 8)
"""Numbers of first moves in the card."""


class Plan(Struct, frozen=True):
    """What to train, and for how long."""

    seed: int
    games: int
    generations: int
    nodes: int
    net: bytes


class Task(Struct, frozen=True):
    """Some games to take positions from."""

    seed: int
    nodes: int
    net: bytes
    policy: Policy | None


class Choice(Struct, frozen=True):
    """A position: the inputs of each move, and which move the judge chose."""

    inputs: Floats
    chosen: int


class Trained(Struct, frozen=True):
    """The policy, and the part of held-out positions in which the chosen move is among the first moves."""

    policy: Policy
    positions: tuple[int, ...]
    """Per generation."""
    before: tuple[float, ...]
    after: tuple[float, ...]

    @property
    def passed(self) -> bool:
        """Whether the policy puts the chosen move among the first more often than the heuristic."""
        return self.after > self.before


def play(task: Task) -> list[Choice]:
    """Play some games and judge positions of them."""
    net = read_net(task.net)[1]
    player, judge, prober = AlphaBeta(net), AlphaBeta(net, task.policy), AlphaBeta()
    choices: list[Choice] = []
    for game in range(TASK_GAMES):
        rng = Random(f"{task.seed} {game}")  # noqa: S311  the same seed gives the same games
        for table in _positions(player, rng):
            seat = table.seat()
            best = judge.think(table, seat, task.nodes)
            moves = [move for move, _ in prober.scores(table, seat)]
            if len(moves) >= LEAST_MOVES:
                choices.append(Choice(_inputs(prober, table, seat, len(moves)), moves.index(best)))
    return choices


def _positions(player: AlphaBeta, rng: Random) -> Iterator[Azul]:
    table, ply = Azul(2, seed=rng.randrange(2**63)), 0
    while table.phase != OVER:
        if table.phase == DEALING:
            table.deal()
            ply = 0
            continue
        if table.phase == DRAFTING and ply <= MOST_PLY and rng.random() < POSITION_RATE:
            yield table
        slips = rng.random() < SLIP_RATE
        table.apply(rng.choice(table.moves()) if slips else player.think(table, table.seat(), GAME_NODES))
        ply += 1


def _inputs(prober: AlphaBeta, table: Azul, seat: Seat, moves: int) -> Floats:
    """Return the inputs of all moves: their scores are linear in the weights, so each is read with one weight alone."""
    inputs = np.zeros((moves, WEIGHTS), np.float32)
    for place in range(WEIGHTS):
        prober.load_policy([PROBE * (each == place) for each in range(WEIGHTS)])
        inputs[:, place] = [score / PROBE for _, score in prober.scores(table, seat)]
    return inputs


def train(plan: Plan, spread: Map, progress: Progress[list[Choice]]) -> Trained:
    """Train the policy. The same plan gives the same policy, on the same kind of machine."""
    training: list[Choice] = []
    held_out: list[Choice] = []
    positions: list[int] = []
    policy: Policy | None = None
    for generation in range(plan.generations):
        tasks = [
            Task(_seed(plan.seed, generation, place), plan.nodes, plan.net, policy)
            for place in range(max(2, plan.games // plan.generations // TASK_GAMES))
        ]
        before = len(training) + len(held_out)
        for place, choices in enumerate(progress(spread(play, tasks), len(tasks), f"generation {generation + 1}")):
            (training if place % HELD_OUT_EVERY else held_out).extend(choices)
        positions.append(len(training) + len(held_out) - before)
        policy = tuple(int(weight) for weight in np.rint(LOGIT * fitted(training)))
    assert policy is not None
    heuristic = _heuristic_order(held_out)
    return Trained(policy, tuple(positions), heuristic, first_moves(np.array(policy) / LOGIT, held_out))


def _seed(*numbers: int) -> int:
    return int.from_bytes(hashlib.sha256(repr(numbers).encode()).digest()[:8], "big")


def fitted(choices: Sequence[Choice]) -> Floats:
    """Return the weights that make the choices most likely, by Adam; large weights cost."""
    inputs = np.concatenate([choice.inputs for choice in choices])
    starts = np.cumsum([0, *(len(choice.inputs) for choice in choices)])
    position = np.repeat(np.arange(len(choices)), np.diff(starts))
    chosen = starts[:-1] + np.array([choice.chosen for choice in choices])
    weights, mean, square = np.zeros((3, WEIGHTS), np.float32)
    for step in range(1, STEPS + 1):
        scores = inputs @ weights
        powers = np.exp(scores - np.maximum.reduceat(scores, starts[:-1])[position])
        errors = powers / np.add.reduceat(powers, starts[:-1])[position]
        errors[chosen] -= 1
        gradient = inputs.T @ errors / len(choices) + DECAY * weights
        mean += 0.1 * (gradient - mean)
        square += 0.001 * (gradient * gradient - square)
        weights -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return weights


def first_moves(weights: Floats, choices: Sequence[Choice]) -> tuple[float, ...]:
    """Return in which part of the positions the chosen move is the first, among the first four, and the first eight."""
    places: list[int] = []
    for choice in choices:
        scores = choice.inputs @ weights
        places.append(int((scores > scores[choice.chosen]).sum()))
    return tuple(float(np.mean(np.array(places) < first)) for first in FIRST)


def _heuristic_order(choices: Sequence[Choice]) -> tuple[float, ...]:
    """Return the same for an order by points alone: the value of a full line, half of that of a part, the penalty."""
    weights = np.zeros(WEIGHTS)
    weights[GROUPS["full"] : GROUPS["part"]] = 1
    weights[GROUPS["part"] : GROUPS["round"]] = 0.5
    weights[GROUPS["penalty"]] = -1
    weights[GROUPS["marker"]] = 1.2
    return first_moves(weights, choices)


def card(plan: Plan, trained: Trained, command: str) -> Iterator[str]:
    """Yield the model card as lines of Markdown."""
    yield "# The move policy of `azul/1 seats=2`"
    yield ""
    yield "How likely a long search is to choose a take, from the line, the tiles, the round and the wall"
    yield "(`tessella.fast.azul.policy`). A narrow search tries moves in this order, looks at the first ones only"
    yield "near its depth limit, and finishes rounds with them."
    yield ""
    yield f"Made by `{command}`,"
    yield f"with the net of SHA-256 `{hashlib.sha256(plan.net).hexdigest()}`: positions of two players on the"
    yield f"coloured wall, judged by a search of {plan.nodes} positions: {_counts(trained.positions)} in each"
    yield "generation, one task in ten held out."
    yield ""
    yield f"- file, SHA-256: `{hashlib.sha256(write(trained.policy)).hexdigest()}`"
    yield ""
    yield "| held-out positions in which the chosen move is among the first | by points | by the policy |"
    yield "|---|---|---|"
    for first, before, after in zip(FIRST, trained.before, trained.after, strict=True):
        yield f"| {first} | {100 * before:.1f} % | {100 * after:.1f} % |"


def _counts(numbers: Sequence[int]) -> str:
    return " and ".join(map(str, numbers))


def numbers(plan: Plan, trained: Trained) -> dict[str, object]:
    """Return the results as plain values for JSON."""
    return {
        "seed": plan.seed,
        "games": plan.games,
        "positions": list(trained.positions),
        "first_moves": {"by_points": list(trained.before), "by_policy": list(trained.after)},
        "sha256": hashlib.sha256(write(trained.policy)).hexdigest(),
        "passed": trained.passed,
    }
