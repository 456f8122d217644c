"""How moves of Azul Duel are numbered.

      0  takes: 35 per sun, then the moons; 7 per colour; line 0 to 5, then the broken space
    210  the chips of factories 1 to 4
    214  plates: 36 per plate, 4 per slot, then quarter turns to the right
    862  draw a plate; 863 stop drawing
    864  the leftover in each of its orders, sorted
    870  plates put under the stack
    888  tiling: 233 per seat; 6 columns per row, then 196 payments (the index in the list of the readable game, for
         the current line), then pay nothing

Moves are listed in the order of the readable game.

Plain Python uses this file; compiled, the same functions are inlined from moves.pxd.
"""

CHIP_MOVE = 210
PLATE_MOVE = 214
DRAW_MOVE = 862
STOP_MOVE = 863
STACK_MOVE = 864
RETURN_MOVE = 870
TILE_MOVE = 888
PAY_CHOICE = 36
"""First payment of a seat, after one choice per space of the dome."""
LEAVE_CHOICE = 232
"""Pay nothing."""
WIDTH = 1354
MOONS = 5
"""Source number of a take from the moons."""
BROKEN = 6
"""Line number of a take that breaks."""


def encode_take(source: int, colour: int, line: int) -> int:
    """Return the number of a take.

    >>> encode_take(MOONS, 4, BROKEN)
    209
    """
    return 35 * source + 7 * colour + line


def take_source(move: int) -> int:
    """Return the source of a take: a sun, or `MOONS`."""
    return move // 35


def take_colour(move: int) -> int:
    """Return the colour of a take."""
    return move % 35 // 7


def take_line(move: int) -> int:
    """Return the line of a take, or `BROKEN`."""
    return move % 7


def encode_chip(factory: int) -> int:
    """Return the number of taking the chip of a factory, 1 to 4."""
    return CHIP_MOVE - 1 + factory


def chip_factory(move: int) -> int:
    """Return the factory whose chip is taken."""
    return move - CHIP_MOVE + 1


def encode_plate(plate: int, slot: int, way: int) -> int:
    """Return the number of placing a plate in a slot, turned one of four ways.

    >>> encode_plate(17, 8, 3)
    861
    """
    return PLATE_MOVE + 36 * plate + 4 * slot + way


def placed_plate(move: int) -> int:
    """Return the plate that is placed."""
    return (move - PLATE_MOVE) // 36


def placed_slot(move: int) -> int:
    """Return the slot where a plate is placed."""
    return (move - PLATE_MOVE) % 36 // 4


def placed_way(move: int) -> int:
    """Return which way a plate is turned."""
    return (move - PLATE_MOVE) % 4


def encode_order(order: int) -> int:
    """Return the number of stacking the leftover in one of its orders."""
    return STACK_MOVE + order


def stacked_order(move: int) -> int:
    """Return the order in which the leftover is stacked."""
    return move - STACK_MOVE


def encode_return(plate: int) -> int:
    """Return the number of putting a plate under the stack."""
    return RETURN_MOVE + plate


def returned_plate(move: int) -> int:
    """Return the plate that is put under the stack."""
    return move - RETURN_MOVE


def encode_tiling(seat: int, choice: int) -> int:
    """Return the number of a choice of a seat that tiles its dome: a space, a payment, or no payment."""
    return TILE_MOVE + 233 * seat + choice


def tiling_seat(move: int) -> int:
    """Return the seat that tiles its dome."""
    return (move - TILE_MOVE) // 233


def tiling_choice(move: int) -> int:
    """Return the choice of a seat that tiles its dome."""
    return (move - TILE_MOVE) % 233


def encode_space(row: int, column: int) -> int:
    """Return the choice of a space for the tile of a line.

    >>> encode_tiling(1, encode_space(5, 5))
    1156
    """
    return 6 * row + column


def space_row(choice: int) -> int:
    """Return the row of a space."""
    return choice // 6


def space_column(choice: int) -> int:
    """Return the column of a space."""
    return choice % 6
