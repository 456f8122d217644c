"""How moves of Azul are numbered.

Takes come first: 30 per source, the centre last; 6 per colour; line 0 to 4, then the floor. Then the columns chosen on
a grey wall: 25 per seat, 5 per row. Ascending numbers are the order in which the readable game lists its moves. A pair
is a source and a colour: 5 per source, as in the bits of what is present.

Plain Python uses this file; compiled, the same functions are inlined from moves.pxd.
"""

FLOOR = 5
"""Line number of a take to the floor."""


def encode_take(source: int, colour: int, line: int) -> int:
    """Return the number of a take.

    >>> encode_take(3, 2, FLOOR)
    107
    """
    return 30 * source + 6 * colour + line


def take_source(move: int) -> int:
    """Return the source of a take: a factory, or the number of factories for the centre."""
    return move // 30


def take_colour(move: int) -> int:
    """Return the colour of a take."""
    return move % 30 // 6


def take_line(move: int) -> int:
    """Return the line of a take, or `FLOOR`."""
    return move % 6


def encode_pair(pair: int, line: int) -> int:
    """Return the number of the take of a pair to a line."""
    return 6 * pair + line


def pair_source(pair: int) -> int:
    """Return the source of a pair."""
    return pair // 5


def pair_colour(pair: int) -> int:
    """Return the colour of a pair."""
    return pair % 5


def first_place(factories: int) -> int:
    """Return the number of the first place: how many takes there are."""
    return 30 * factories + 30


def encode_place(factories: int, seat: int, row: int, column: int) -> int:
    """Return the number of a place, on a grey wall.

    >>> encode_place(5, 1, 2, 3)
    218
    """
    return 30 * factories + 30 + 25 * seat + 5 * row + column


def place_seat(factories: int, move: int) -> int:
    """Return the seat of a place."""
    return (move - 30 * factories - 30) // 25


def place_row(factories: int, move: int) -> int:
    """Return the row of a place."""
    return (move - 30 * factories - 30) % 25 // 5


def place_column(factories: int, move: int) -> int:
    """Return the column of a place."""
    return (move - 30 * factories - 30) % 5
