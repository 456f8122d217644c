"""Bits and bytes of machine words, and heaps of tiles as one word.

Plain Python uses this file; compiled, the functions that moves and searches call are inlined from bits.pxd.
"""

from collections.abc import Iterable

# Named words: compiled, the name gives a large number its C type.
WORD = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB

EIGHT = [sum(1 << 8 * place for place in range(8) if bits >> place & 1) for bits in range(256)]
"""Eight bits as eight bytes."""


def lowest(word: int) -> int:
    """Return the index of the lowest set bit.

    >>> lowest(0b1100)
    2
    """
    return (word & -word).bit_length() - 1


def bits_set(word: int) -> int:
    """Return the number of set bits.

    >>> bits_set(0b1100)
    2
    """
    return word.bit_count()


def mixed(word: int) -> int:
    """Return the SplitMix64 mix of a word: every input bit affects every output bit."""
    word = ((word ^ word >> 30) * MIX_1) & WORD
    word = ((word ^ word >> 27) * MIX_2) & WORD
    return word ^ word >> 31


def colours_of(tiles: int) -> int:
    """Return the colours in a heap (a byte per colour), a bit per colour.

    >>> colours_of(0x0300000001)
    17
    """
    # the multiplier gathers the lowest bits of five bytes into five adjacent bits, from bit 32
    return (((tiles + 0x7F7F7F7F7F) & 0x8080808080) >> 7) * 0x102040810 >> 32 & 31


def tile_count(tiles: int) -> int:
    """Return how many tiles a heap has."""
    return tiles * 0x0101010101 >> 32 & 255


def packed(numbers: Iterable[int]) -> int:
    """Return a heap from the number of tiles of each colour."""
    return sum(number << 8 * colour for colour, number in enumerate(numbers))


def counted(tiles: int) -> tuple[int, ...]:
    """Return the number of tiles of each colour in a heap."""
    return tuple(tiles >> 8 * colour & 255 for colour in range(5))


def put(view: memoryview, at: int, place: int, word: int, length: int) -> None:
    """Write the lowest bytes of a word into a row, little-endian."""
    for byte in range(length):
        view[at, place + byte] = word >> 8 * byte & 255


def clear(view: memoryview, at: int, length: int) -> None:
    """Zero the beginning of a row."""
    for place in range(length):
        view[at, place] = 0


def copy(view: memoryview, at: int, place: int, other: memoryview, row: int, length: int) -> None:
    """Copy the beginning of a row of another array into a row."""
    for byte in range(length):
        view[at, place + byte] = other[row, byte]
