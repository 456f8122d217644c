"""How moves of Blockers! are numbered.

2296 per hand (0 and 1 for the first and the second colour of a seat), 82 per face, then the cell; cell 81 means put
aside. Ascending numbers are the order of colours and faces in which the readable game lists its moves.

Plain Python uses this file; compiled, the same functions are inlined from moves.pxd.
"""

ASIDE = 81
"""Cell number of a tile that is put aside."""
HAND_MOVES = 2296
"""Moves with the tiles of one colour."""


def encode_move(hand: int, face: int, cell: int) -> int:
    """Return the number of a move.

    >>> encode_move(1, 2, ASIDE)
    2541
    """
    return 2296 * hand + 82 * face + cell


def move_hand(move: int) -> int:
    """Return which of the seat's colours is played."""
    return move // 2296


def move_face(move: int) -> int:
    """Return the face of the tile."""
    return move % 2296 // 82


def move_cell(move: int) -> int:
    """Return the cell, or `ASIDE`."""
    return move % 82
