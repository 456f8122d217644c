"""What the games ask of their compiler, for where they run as plain Python."""

from contextlib import nullcontext

compiled = False
nogil = nullcontext()
"""Plain Python keeps its lock."""


def lowest(word: int) -> int:
    """The place of the lowest bit that is set.

    >>> lowest(0b1100)
    2
    """
    return (word & -word).bit_length() - 1


def bits_set(word: int) -> int:
    """How many bits are set.

    >>> bits_set(0b1100)
    2
    """
    return word.bit_count()


def put(view: memoryview, at: int, place: int, word: int, length: int) -> None:
    """Write so many of the lowest bytes of a word into a row, the lowest first."""
    for byte in range(length):
        view[at, place + byte] = word >> 8 * byte & 255


def clear(view: memoryview, at: int, length: int) -> None:
    """Empty the beginning of a row."""
    for place in range(length):
        view[at, place] = 0


def copy(view: memoryview, at: int, place: int, other: memoryview, row: int, length: int) -> None:
    """Write the beginning of a row of another array into a row."""
    for byte in range(length):
        view[at, place + byte] = other[row, byte]
