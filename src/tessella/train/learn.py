"""The Azul net with floating-point weights, and its training, in plain NumPy.

The net is that of `tessella.fast.azul.net`. Similar inputs share part of their weights during training (all patterns
with the same space filled, all lines with as many tiles), so that rare inputs are not untrained; in the quantised net
each input has its own sum.
"""

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tessella.fast.azul.features import (
    BAG,
    BOARD_INPUTS,
    COLOUR_OF,
    COLUMN_OF,
    HIDDEN,
    LINE,
    NEXT,
    PAIR,
    POINTS,
    ROUND,
    ROUNDS_LEFT,
    ROW,
    SHARED_INPUTS,
    SLOTS,
    TURN,
)
from tessella.train.card import Bin

Floats: TypeAlias = NDArray[np.floating[Any]]
Ints: TypeAlias = NDArray[np.int16]
Weights: TypeAlias = dict[str, Floats]

POINTS_UNIT = 32
"""Points, and tiles, per unit of input."""
TILES_UNIT = 8
MARGIN_UNIT = 20.0
"""Points per unit of margin: about the spread of results."""
BATCH = 1024
RATE = 0.002
DECAY = 0.5
"""Weight decay of the inputs' own weights; shared ones do not decay."""
BINS = 10


class Positions(Struct, frozen=True):
    """Boundaries between rounds, one per row, and how their games ended.

    Axes: position; then seat × slot (inputs), seat (points, wins, scores), what all share (shown).
    """

    inputs: Ints
    points: Ints
    shown: Ints
    wins: Floats
    scores: Floats

    @property
    def seats(self) -> int:
        """The number of seats."""
        return int(self.points.shape[1])

    def __len__(self) -> int:
        return len(self.points)

    def rows(self, chosen: NDArray[np.int64] | slice) -> "Positions":
        """Return the chosen rows."""
        return Positions(*(getattr(self, name)[chosen] for name in self.__struct_fields__))


def pooled(parts: list[Positions]) -> Positions:
    """Return several sets of positions as one."""
    return Positions(*(np.concatenate([getattr(part, name) for part in parts]) for name in Positions.__struct_fields__))


def _alike() -> Floats:
    """Return which inputs of a board share which weights: input × shared weight."""
    columns: list[Floats] = []

    def column(values: dict[int, float]) -> None:
        filled = np.zeros(BOARD_INPUTS, np.float32)
        filled[list(values)] = list(values.values())
        columns.append(filled)

    for row in range(5):
        for space in range(5):
            column({ROW + 32 * row + pattern: 1.0 for pattern in range(32) if pattern >> space & 1})
    for first in (ROW, COLUMN_OF, COLOUR_OF):
        for size in range(6):
            same = [pattern for pattern in range(32) if pattern.bit_count() == size]
            column({first + 32 * group + pattern: 1.0 for group in range(5) for pattern in same})
    for line in range(4):
        for held in range(1, line + 2):
            column({LINE + 21 * line + 4 * colour + held: 1.0 for colour in range(5)})
            missing = line + 2 - held
            column({NEXT + 41 * line + 10 * (missing - 1) + points: points / 5 for points in range(1, 11)})
        for colour in range(5):
            column({LINE + 21 * line + 4 * colour + held: held / (line + 2) for held in range(1, line + 2)})
    return np.stack(columns, axis=1)


ALIKE = _alike()


def blank(rng: np.random.Generator) -> Weights:
    """Return random initial weights."""
    return {
        "own": np.zeros((BOARD_INPUTS, PAIR), np.float32),
        "alike": rng.normal(0, 0.1, (ALIKE.shape[1], PAIR)).astype(np.float32),
        "shared": rng.normal(0, 0.1, (SHARED_INPUTS, HIDDEN)).astype(np.float32),
        "bias": np.full(HIDDEN, 0.1, np.float32),
        "last": rng.normal(0, 0.2, (HIDDEN, 2)).astype(np.float32),
    }


def widened(weights: Weights, hidden: int, earlier: Weights) -> Weights:
    """Return initial weights that say the same as an earlier net with fewer hidden units, or nearly."""
    inner = np.ones(HIDDEN, np.float32)
    inner[:hidden] = 0
    weights = {
        "own": np.zeros_like(weights["own"]),
        "alike": weights["alike"] * np.tile(inner, 2) / 2,
        "shared": weights["shared"] * inner / 2,
        "bias": weights["bias"] * inner,
        "last": weights["last"] * inner[:, None] / 10,
    }
    weights["own"].reshape(BOARD_INPUTS, 2, HIDDEN)[:, :, :hidden] = earlier["own"].reshape(BOARD_INPUTS, 2, hidden)
    weights["shared"][:, :hidden] = earlier["shared"]
    weights["bias"][:hidden] = earlier["bias"]
    weights["last"][:hidden] = earlier["last"]
    return weights


class Pass(Struct, frozen=True):
    """The layers of a forward pass, for backpropagation. Axes: position × seat first, except `outputs`."""

    boards: Floats
    common: Floats
    hidden: Floats
    outputs: Floats
    """Position × seat × (logit of the win, margin)."""


def forward(weights: Weights, positions: Positions) -> Pass:
    """Return the layers of the net for some positions."""
    number, seats = len(positions), positions.seats
    boards = np.zeros((number * seats, BOARD_INPUTS), np.float32)
    inputs = positions.inputs.reshape(number * seats, SLOTS)
    boards[np.arange(number * seats)[:, None], inputs] = 1
    boards[:, POINTS] = positions.points.reshape(-1) / POINTS_UNIT
    sums = (boards @ (weights["own"] + ALIKE @ weights["alike"])).reshape(number, seats, 2, HIDDEN)
    others = sums[:, :, 1].sum(axis=1, keepdims=True) - sums[:, :, 1]
    common = _common(positions)
    hidden = (sums[:, :, 0] + others).reshape(number * seats, HIDDEN) + common @ weights["shared"] + weights["bias"]
    hidden = np.maximum(hidden, 0)
    return Pass(boards, common, hidden, (hidden @ weights["last"]).reshape(number, seats, 2))


def _common(positions: Positions) -> Floats:
    """Return the inputs shared by all boards, for each seat."""
    number, seats = len(positions), positions.seats
    common = np.zeros((number, seats, SHARED_INPUTS), np.float32)
    every = np.arange(number)
    common[:, :, BAG : BAG + 10] = positions.shown[:, None, :10] / TILES_UNIT
    common[every, :, ROUND + positions.shown[:, 10]] = 1
    common[every, :, ROUNDS_LEFT + positions.shown[:, 11]] = 1
    for seat in range(seats):
        common[every, seat, TURN + (seat - positions.shown[:, 12]) % seats] = 1
    return common.reshape(number * seats, SHARED_INPUTS)


def win_probabilities(outputs: Floats) -> Floats:
    """Return the win probability of each seat: the softmax of the logits."""
    powers = np.exp(outputs[:, :, 0] - outputs[:, :, 0].max(axis=1, keepdims=True))
    probabilities: Floats = powers / powers.sum(axis=1, keepdims=True)
    return probabilities


def _errors(positions: Positions, outputs: Floats) -> tuple[Floats, Floats]:
    """Return the errors of win probabilities and margins: position × seat."""
    margins = outputs[:, :, 1] - outputs[:, :, 1].mean(axis=1, keepdims=True)
    true = (positions.scores - positions.scores.mean(axis=1, keepdims=True)) / MARGIN_UNIT
    return win_probabilities(outputs) - positions.wins, margins - true


def loss(weights: Weights, positions: Positions) -> tuple[float, float]:
    """Return the cross-entropy of the win, and the mean error of the margin in points, over all positions."""
    entropy = error = 0.0
    for start in range(0, len(positions), 8 * BATCH):
        part = positions.rows(slice(start, start + 8 * BATCH))
        outputs = forward(weights, part).outputs
        entropy -= float((part.wins * np.log(win_probabilities(outputs) + 1e-9)).sum())
        error += float(np.abs(_errors(part, outputs)[1]).sum()) * MARGIN_UNIT / part.seats
    return entropy / len(positions), error / len(positions)


def binned(predicted: Floats, won: Floats) -> Iterator[Bin]:
    """Yield the non-empty bins of predictions, each a tenth wide, with what was won."""
    bins: NDArray[np.int64] = np.minimum((predicted * BINS).astype(np.int64), BINS - 1)
    for number in range(BINS):
        chosen = bins == number
        if chosen.any():
            yield Bin(float(predicted[chosen].mean()), float(won[chosen].mean()), int(chosen.sum()))


def gradient(weights: Weights, positions: Positions) -> Weights:
    """Return the gradient of the loss."""
    seen = forward(weights, positions)
    number, seats = len(positions), positions.seats
    win, margin = _errors(positions, seen.outputs)
    errors = np.stack([win, 0.5 * margin], axis=2).reshape(number * seats, 2) / np.float32(number)
    hidden = (errors @ weights["last"].T) * (seen.hidden > 0)
    by_seat = hidden.reshape(number, seats, HIDDEN)
    others = by_seat.sum(axis=1, keepdims=True) - by_seat
    sums = np.stack([by_seat, others], axis=2).reshape(number * seats, PAIR)
    own = seen.boards.T @ sums
    return {
        "own": own,
        "alike": ALIKE.T @ own,
        "shared": seen.common.T @ hidden,
        "bias": hidden.sum(axis=0),
        "last": seen.hidden.T @ errors,
    }


def learn(weights: Weights, positions: Positions, epochs: int, rng: np.random.Generator) -> Iterator[Weights]:
    """Yield the weights after each epoch of Adam over shuffled batches."""
    mean = {name: np.zeros_like(value) for name, value in weights.items()}
    square = {name: np.zeros_like(value) for name, value in weights.items()}
    steps = epochs * (len(positions) // BATCH + 1)
    step = 0
    for _ in range(epochs):
        order = rng.permutation(len(positions))
        for start in range(0, len(order), BATCH):
            step += 1
            rate = RATE * 0.5 * (1 + np.cos(np.pi * step / (steps + 1)))
            gradients = gradient(weights, positions.rows(order[start : start + BATCH]))
            weights = {
                name: _adam_step(weights[name], slope, mean[name], square[name], step, rate, DECAY * (name == "own"))
                for name, slope in gradients.items()
            }
        yield weights


def _adam_step(
    weight: Floats, slope: Floats, mean: Floats, square: Floats, step: int, rate: float, decay: float
) -> Floats:
    """Return a weight after one step of Adam; the running means change in place."""
    mean += 0.1 * (slope - mean)
    square += 0.001 * (slope * slope - square)
    towards = (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    moved: Floats = weight - np.float32(rate) * (towards + np.float32(decay) * weight)
    return moved
