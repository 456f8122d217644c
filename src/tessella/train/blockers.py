"""Learning how quick players of Blockers! weigh a move, by trying: what wins more against players as before is kept.

Each step tries pairs of small changes, one the opposite of the other, on the same deals: one player with the change
among others without it. All weights then move a little way towards the changes that won.
"""

import hashlib
from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tessella.arena.strength import Interval, wilson
from tessella.arena.workers import Map
from tessella.bots.blockers_weights import Weights, write
from tessella.fast.blockers import Blockers
from tessella.fast.blockers_quick import MARKS, BlockersQuick
from tessella.games import blockers
from tessella.train.card import Shown

PAIRS = 20
"""How many pairs of changes a step tries."""
CHANGE = 0.15
"""How large a change of a weight is, in points."""
RATE = 0.06
FINER = 0.4
"""The last two fifths of the steps are smaller by this."""
FORGET, FORGET_SQUARE = 0.8, 0.95
"""How much of what earlier steps found is kept for the next."""
CONTEST = 40 / 3
"""How much longer than the others the contest is that says whether anything was learned."""
TABLES = (2, 3, 4, 5)

BY_HAND = {
    "touch": (1.0, 1.0), "join": (1.0, 1.0), "near": (0.4, 0.4), "bridge": (0.1, 0.1), "catch": (-0.1, -0.1),
    "costly": (-1.1, -1.1), "lone": (-0.3, -0.3), "block": (0.2, 0.2), "open": (0.05, 0.05), "room": (0.3, 0.3),
    "lost": (0.1, 0.1), "choices": (0.0, 0.0), "wild": (-3.0, 0.0),
}  # fmt: skip
"""From where it starts, for any number of players."""


class Plan(Struct, frozen=True):
    """What is to be taught, and how long."""

    seed: int
    games: int
    """In each contest."""
    steps: int


class Task(Struct, frozen=True):
    """Games of one player among others who weigh as the field does."""

    seats: int
    weights: Weights
    field: Weights
    games: int
    seed: int


class Learned(Struct, frozen=True):
    """The weights for a number of players, and what one with them won among players who weigh by hand."""

    seats: int
    weights: Weights
    share: Interval

    @property
    def passed(self) -> bool:
        """Whether it certainly wins more than its share."""
        return self.share.low > 1 / self.seats


def train(plan: Plan, spread: Map, shown: Shown[int]) -> list[Learned]:
    """Learn the weights for each number of players."""
    learned: list[Learned] = []
    steps = (step for seats in TABLES for step in _learn(plan, seats, spread, learned))
    for _ in shown(steps, len(TABLES) * plan.steps, "steps"):
        pass
    return learned


def contest(task: Task) -> tuple[float, float]:
    """What the player won, and how it was rewarded, on average over all seats."""
    won = rewarded = 0.0
    games = max(1, task.games // task.seats)
    for seat in range(task.seats):
        table = BlockersQuick(Blockers(task.seats), task.field, task.seed + seat)
        table.teach(seat, task.weights)
        wins, rewards = table.contest(games)
        won += wins[seat] / (games * task.seats)
        rewarded += rewards[seat] / (games * task.seats)
    return won, rewarded


def _learn(plan: Plan, seats: int, spread: Map, learned: list[Learned]) -> Iterator[int]:
    """Step by step; what was learned is added to the list."""
    rng = np.random.default_rng([plan.seed, seats])
    first = np.array([weight for mark in MARKS for weight in BY_HAND[mark]])
    weights = first.copy()
    mean, square = np.zeros_like(first), np.zeros_like(first)
    for step in range(1, plan.steps + 1):
        slope = _slope(plan, seats, weights, spread, rng)
        mean = FORGET * mean + (1 - FORGET) * slope
        square = FORGET_SQUARE * square + (1 - FORGET_SQUARE) * slope**2
        rate = RATE if step <= 0.6 * plan.steps else RATE * FINER
        steady = np.sqrt(square / (1 - FORGET_SQUARE**step)) + 1e-8
        weights += rate * mean / (1 - FORGET**step) / steady
        yield step
    rounded = tuple(round(float(weight), 3) for weight in weights)
    games = round(CONTEST * plan.games)
    (outcome,) = spread(contest, [Task(seats, rounded, tuple(first.tolist()), games, plan.seed)])
    learned.append(Learned(seats, rounded, wilson(outcome[0], games)))


def _slope(
    plan: Plan, seats: int, weights: NDArray[np.float64], spread: Map, rng: np.random.Generator
) -> NDArray[np.float64]:
    """In which direction a player wins more."""
    changes = rng.standard_normal((PAIRS, len(weights)))
    seeds = rng.integers(2**31, size=PAIRS).tolist()
    field = tuple(weights.tolist())
    tasks = [
        Task(seats, tuple((weights + sign * CHANGE * change).tolist()), field, plan.games, seed)
        for change, seed in zip(changes, seeds, strict=True)
        for sign in (1, -1)
    ]
    rewarded = np.array([reward for _, reward in spread(contest, tasks)]).reshape(PAIRS, 2)
    return np.asarray((rewarded[:, 0] - rewarded[:, 1]) @ changes / PAIRS)


# What came of it


def file(learned: Sequence[Learned]) -> bytes:
    """The weights as the levels read them."""
    return write({one.seats: one.weights for one in learned})


def card(plan: Plan, learned: Sequence[Learned], command: str) -> Iterator[str]:
    """All of it as Markdown, line by line."""
    yield f"# Weights for `{blockers.NAME}/{blockers.EDITION}`"
    yield ""
    yield "How quick players weigh the marks of a cell (`tessella.fast.blockers_quick`), in points, at the beginning of"
    yield "a game and at its end. The search lets such players finish the games that it imagines."
    yield ""
    yield f"Made by `{command}`: {plan.steps} steps for each number of players, in each {2 * PAIRS} contests of"
    yield f"{plan.games} games."
    yield ""
    yield f"- file, SHA-256: `{hashlib.sha256(file(learned)).hexdigest()}`"
    yield ""
    yield "| players | won, one among players who weigh by hand | par |"
    yield "|---|---|---|"
    for one in learned:
        low, high = 100 * one.share.low, 100 * one.share.high
        yield f"| {one.seats} | {100 * one.share.value:.1f} % [{low:.1f}–{high:.1f}] | {100 / one.seats:.1f} % |"
    yield ""
    yield f"| mark | {' | '.join(f'{one.seats} players' for one in learned)} |"
    yield f"|---|{'---|' * len(learned)}"
    for place, mark in enumerate(MARKS):
        pairs = (f"{one.weights[2 * place]:+.2f} → {one.weights[2 * place + 1]:+.2f}" for one in learned)
        yield f"| {mark} | {' | '.join(pairs)} |"


def numbers(plan: Plan, learned: Sequence[Learned]) -> dict[str, object]:
    """The same as plain values."""
    return {
        "rules": f"{blockers.NAME}/{blockers.EDITION}",
        "seed": plan.seed,
        "games": plan.games,
        "steps": plan.steps,
        "shares": {str(one.seats): [one.share.value, one.share.low, one.share.high] for one in learned},
        "sha256": hashlib.sha256(file(learned)).hexdigest(),
        "passed": all(one.passed for one in learned),
    }
