"""Quantisation of the trained Azul net: floating-point weights to 16-bit integers."""

import numpy as np
from numpy.typing import NDArray

from tessella.bots import netfile
from tessella.bots.azul.net import FORMAT, Head, write
from tessella.bots.netfile import LARGEST_WEIGHT
from tessella.fast.azul.features import (
    BOARD_INPUTS,
    COLOUR_OF,
    COLUMN_OF,
    HIDDEN,
    LINE,
    MOST_POINTS,
    NEXT,
    POINTS,
    ROUND,
    ROUNDS_LEFT,
    ROW,
    SHARED_INPUTS,
    TENS,
    TURN,
)
from tessella.train.learn import ALIKE, MARGIN_UNIT, POINTS_UNIT, TILES_UNIT, Floats, Weights

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
"""First input of each slot; the points are the last."""


def quantised(weights: Weights, rules: str, seats: int) -> bytes:
    """Return the file of the net, with the finest scales at which no sum can overflow."""
    boards = weights["own"] + ALIKE @ weights["alike"]
    boards[POINTS] /= POINTS_UNIT
    shared = weights["shared"].copy()
    shared[:ROUND] /= TILES_UNIT
    last = weights["last"] * np.array([1, MARGIN_UNIT], np.float32)
    reach = _reach(boards, shared, weights["bias"], seats)
    first = _power(LARGEST_WEIGHT / float(reach.max()))
    win, margin = (
        _power(
            min(
                LARGEST_WEIGHT / float(np.abs(last[:, output]).max()),
                MOST_SUM / float(first * reach @ np.abs(last[:, output])),
            )
        )
        for output in (0, 1)
    )
    parts = [
        _whole(boards, first),
        _whole(shared, first),
        _whole(weights["bias"], first),
        _whole(last[:, 0], win),
        _whole(last[:, 1], margin),
    ]
    head = Head(format=FORMAT, rules=rules, first_scale=first, win_scale=win, margin_scale=margin, hidden=HIDDEN)
    return write(head, np.concatenate([part.ravel() for part in parts]).tolist())


def unquantised(file: bytes) -> tuple[int, Weights]:
    """Return the hidden units per seat of a net in a file, and its weights."""
    head, numbers = netfile.read(file, Head, FORMAT)
    hidden = head.hidden
    rows = np.array(numbers, np.float32).reshape(-1, hidden)
    boards, shared, bias, win, margin = np.split(rows, np.cumsum([2 * BOARD_INPUTS, SHARED_INPUTS, 1, 1]))
    own = boards.reshape(BOARD_INPUTS, 2 * hidden) / np.float32(head.first_scale)
    own[POINTS] *= POINTS_UNIT
    common = shared / np.float32(head.first_scale)
    common[:ROUND] *= TILES_UNIT
    units = np.float32(head.win_scale), np.float32(head.margin_scale * MARGIN_UNIT)
    last = np.stack([win[0] / units[0], margin[0] / units[1]], axis=1)
    return hidden, {"own": own, "shared": common, "bias": bias[0] / np.float32(head.first_scale), "last": last}


def _reach(boards: Floats, shared: Floats, bias: Floats, seats: int) -> Floats:
    """Return the largest magnitude of each hidden unit for any input, with room for rounding."""
    ends = (*SLOT_STARTS[1:], BOARD_INPUTS)
    spans = [np.abs(boards[start:end]).max(axis=0) for start, end in zip(SLOT_STARTS, ends, strict=True)]
    spans[-1] *= MOST_POINTS
    board = np.sum(spans, axis=0)
    times = np.ones(SHARED_INPUTS, np.float32)
    times[:ROUND] = MOST_TILES
    common = np.abs(shared) * times[:, None]
    groups = [
        common[:ROUND].sum(axis=0),
        *(common[a:b].max(axis=0) for a, b in ((ROUND, ROUNDS_LEFT), (ROUNDS_LEFT, TURN))),
    ]
    turn = common[TURN:].max(axis=0)
    total: Floats = board[:HIDDEN] + (seats - 1) * board[HIDDEN:] + sum(groups) + turn + np.abs(bias)
    return total * np.float32(1.05) + np.float32(0.1)


def _power(number: float) -> int:
    """Return the greatest power of two up to a number."""
    return int(2 ** np.floor(np.log2(number)))


def _whole(weights: Floats, scale: int) -> NDArray[np.int16]:
    return np.rint(weights * scale).astype(np.int16)
