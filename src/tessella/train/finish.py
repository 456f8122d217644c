"""From the weights that were learned, which are real numbers, to the whole numbers of a net."""

import hashlib

import numpy as np
from numpy.typing import NDArray

from tessella.bots.nets import FORMAT, Head, write
from tessella.fast.azul_inputs import (
    BOARD_INPUTS,
    COLOUR_OF,
    COLUMN_OF,
    COMING,
    HIDDEN,
    LINE,
    MOST_POINTS,
    NEXT,
    POINTS,
    ROUND,
    ROW,
    SHARED_INPUTS,
    TENS,
    TURN,
)
from tessella.train.learn import ALIKE, MARGIN_UNIT, POINTS_UNIT, TILES_UNIT, Floats, Weights

MOST = 2**15 - 1
MOST_SUM = 2**31 - 1
MOST_TILES = 20
SLOT_STARTS = (
    *range(ROW, COLUMN_OF, 32),
    *range(COLUMN_OF, COLOUR_OF, 32),
    *range(COLOUR_OF, LINE, 32),
    *range(LINE, NEXT, 21),
    *range(NEXT, TENS, 41),
    TENS,
    POINTS,
)
"""Where the inputs of each slot begin; the points are the last."""


def finished(weights: Weights, rules: str, seats: int) -> bytes:
    """The file of the net. Its scales are as fine as they can be without any sum ever being too large for its word."""
    boards = weights["own"] + ALIKE @ weights["alike"]
    boards[POINTS] /= POINTS_UNIT
    shared = weights["shared"].copy()
    shared[:ROUND] /= TILES_UNIT
    last = weights["last"] * np.array([1, MARGIN_UNIT], np.float32)
    reach = _reach(boards, shared, weights["bias"], seats)
    first = _power(MOST / float(reach.max()))
    win, margin = (
        _power(min(MOST / float(np.abs(last[:, said]).max()), MOST_SUM / float(first * reach @ np.abs(last[:, said]))))
        for said in (0, 1)
    )
    parts = [
        _whole(boards, first),
        _whole(shared, first),
        _whole(weights["bias"], first),
        _whole(last[:, 0], win),
        _whole(last[:, 1], margin),
    ]
    numbers = np.concatenate([part.ravel() for part in parts]).astype("<i2").tobytes()
    head = Head(FORMAT, rules, first, win, margin, hashlib.sha256(numbers).hexdigest())
    return write(head, numbers)


def _reach(boards: Floats, shared: Floats, bias: Floats, seats: int) -> Floats:
    """How far from 0 each hidden number can be, whatever is shown, with room for rounding."""
    ends = (*SLOT_STARTS[1:], BOARD_INPUTS)
    spans = [np.abs(boards[start:end]).max(axis=0) for start, end in zip(SLOT_STARTS, ends, strict=True)]
    spans[-1] *= MOST_POINTS
    board = np.sum(spans, axis=0)
    times = np.ones(SHARED_INPUTS, np.float32)
    times[:ROUND] = MOST_TILES
    common = np.abs(shared) * times[:, None]
    groups = [common[:ROUND].sum(axis=0), *(common[a:b].max(axis=0) for a, b in ((ROUND, COMING), (COMING, TURN)))]
    turn = common[TURN:].max(axis=0)
    total: Floats = board[:HIDDEN] + (seats - 1) * board[HIDDEN:] + sum(groups) + turn + np.abs(bias)
    return total * np.float32(1.05) + np.float32(0.1)


def _power(number: float) -> int:
    """The greatest power of two that is not greater."""
    return int(2 ** np.floor(np.log2(number)))


def _whole(weights: Floats, scale: int) -> NDArray[np.int16]:
    return np.rint(weights * scale).astype(np.int16)
