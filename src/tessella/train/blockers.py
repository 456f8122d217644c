"""Training of the rollout policy of Blockers! by an evolution strategy.

Each step tries pairs of opposite small changes to the weights on the same deals: one player with the change against
others without it. All weights then move a little towards the changes that won.
"""

import hashlib
from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tessella.arena.strength import Interval, wilson
from tessella.arena.workers import Map
from tessella.bots.blockers.weights import Weights, write
from tessella.fast.blockers import Blockers
from tessella.fast.blockers.policy import FEATURES, RolloutPolicy
from tessella.games import blockers
from tessella.train.card import Progress

PAIRS = 20
"""Pairs of changes per step."""
CHANGE = 0.15
"""Standard deviation of a change of a weight, in points."""
RATE = 0.06
FINE_RATE_FACTOR = 0.4
"""Factor of the learning rate in the last two fifths of the steps."""
MEAN_DECAY, SQUARE_DECAY = 0.8, 0.95
"""Decay of the running mean of gradients, and of their squares, per step (Adam)."""
FINAL_CONTEST_FACTOR = 40 / 3
"""Size of the final contest, which measures the improvement, relative to the others."""
SEATS = (2, 3, 4, 5)

BY_HAND = {
    "touch": (1.0, 1.0), "join": (1.0, 1.0), "near": (0.4, 0.4), "bridge": (0.1, 0.1), "catch": (-0.1, -0.1),
    "costly": (-1.1, -1.1), "lone": (-0.3, -0.3), "block": (0.2, 0.2), "open": (0.05, 0.05), "room": (0.3, 0.3),
    "lost": (0.1, 0.1), "choices": (0.0, 0.0), "wild": (-3.0, 0.0),
}  # fmt: skip
"""Handcrafted initial weights, for any number of players."""


class Plan(Struct, frozen=True):
    """What to train, and for how long."""

    seed: int
    games: int
    """Games per contest."""
    steps: int


class Task(Struct, frozen=True):
    """Games of one player with `weights` against others with the weights of the field."""

    seats: int
    weights: Weights
    field: Weights
    games: int
    seed: int


class Learned(Struct, frozen=True):
    """The weights for a number of players, and their win share against the handcrafted ones."""

    seats: int
    weights: Weights
    share: Interval

    @property
    def passed(self) -> bool:
        """Whether the win share is significantly above par."""
        return self.share.low > 1 / self.seats


def train(plan: Plan, spread: Map, progress: Progress[int]) -> list[Learned]:
    """Return the trained weights for each number of players."""
    learned: list[Learned] = []
    steps = (step for seats in SEATS for step in _learn(plan, seats, spread, learned))
    for _ in progress(steps, len(SEATS) * plan.steps, "steps"):
        pass
    return learned


def contest(task: Task) -> tuple[float, float]:
    """Return the player's win share and mean reward, averaged over all seats."""
    won = rewarded = 0.0
    games = max(1, task.games // task.seats)
    for seat in range(task.seats):
        table = RolloutPolicy(Blockers(task.seats), task.field, task.seed + seat)
        table.set_weights(seat, task.weights)
        wins, rewards = table.play_games(games)
        won += wins[seat] / (games * task.seats)
        rewarded += rewards[seat] / (games * task.seats)
    return won, rewarded


def _learn(plan: Plan, seats: int, spread: Map, learned: list[Learned]) -> Iterator[int]:
    """Train for one number of seats, yielding each step; append the result to `learned`."""
    rng = np.random.default_rng([plan.seed, seats])
    first = np.array([weight for mark in FEATURES for weight in BY_HAND[mark]])
    weights = first.copy()
    mean, square = np.zeros_like(first), np.zeros_like(first)
    for step in range(1, plan.steps + 1):
        gradient = _gradient(plan, seats, weights, spread, rng)
        mean = MEAN_DECAY * mean + (1 - MEAN_DECAY) * gradient
        square = SQUARE_DECAY * square + (1 - SQUARE_DECAY) * gradient**2
        rate = RATE if step <= 0.6 * plan.steps else RATE * FINE_RATE_FACTOR
        scale = np.sqrt(square / (1 - SQUARE_DECAY**step)) + 1e-8
        weights += rate * mean / (1 - MEAN_DECAY**step) / scale
        yield step
    rounded = tuple(round(float(weight), 3) for weight in weights)
    games = round(FINAL_CONTEST_FACTOR * plan.games)
    (outcome,) = spread(contest, [Task(seats, rounded, tuple(first.tolist()), games, plan.seed)])
    learned.append(Learned(seats, rounded, wilson(outcome[0], games)))


def _gradient(
    plan: Plan, seats: int, weights: NDArray[np.float64], spread: Map, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return an estimate of the gradient of the reward."""
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


# The results


def file(learned: Sequence[Learned]) -> bytes:
    """Return the weights as the content of a file."""
    return write({one.seats: one.weights for one in learned})


def card(plan: Plan, learned: Sequence[Learned], command: str) -> Iterator[str]:
    """Yield the model card as lines of Markdown."""
    yield f"# Weights for `{blockers.NAME}/{blockers.EDITION}`"
    yield ""
    yield "How the rollout policy weighs the marks of a cell (`tessella.fast.blockers.policy`), in points, at the start"
    yield "of a game and at its end. The search finishes the games that it imagines with this policy."
    yield ""
    yield f"Made by `{command}`: {plan.steps} steps for each number of players, in each {2 * PAIRS} contests of"
    yield f"{plan.games} games."
    yield ""
    yield f"- file, SHA-256: `{hashlib.sha256(file(learned)).hexdigest()}`"
    yield ""
    yield "| players | win share against the handcrafted weights | par |"
    yield "|---|---|---|"
    for one in learned:
        low, high = 100 * one.share.low, 100 * one.share.high
        yield f"| {one.seats} | {100 * one.share.value:.1f} % [{low:.1f}–{high:.1f}] | {100 / one.seats:.1f} % |"
    yield ""
    yield f"| mark | {' | '.join(f'{one.seats} players' for one in learned)} |"
    yield f"|---|{'---|' * len(learned)}"
    for place, mark in enumerate(FEATURES):
        pairs = (f"{one.weights[2 * place]:+.2f} → {one.weights[2 * place + 1]:+.2f}" for one in learned)
        yield f"| {mark} | {' | '.join(pairs)} |"


def numbers(plan: Plan, learned: Sequence[Learned]) -> dict[str, object]:
    """Return the results as plain values for JSON."""
    return {
        "rules": f"{blockers.NAME}/{blockers.EDITION}",
        "seed": plan.seed,
        "games": plan.games,
        "steps": plan.steps,
        "shares": {str(one.seats): [one.share.value, one.share.low, one.share.high] for one in learned},
        "sha256": hashlib.sha256(file(learned)).hexdigest(),
        "passed": all(one.passed for one in learned),
    }
