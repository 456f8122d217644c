# C types of moves.py: inline functions, so a module that cimports them needs no call.

cdef enum:
    CHIP_MOVE = 210
    PLATE_MOVE = 214
    DRAW_MOVE = 862
    STOP_MOVE = 863
    STACK_MOVE = 864
    RETURN_MOVE = 870
    TILE_MOVE = 888
    PAY_CHOICE = 36
    LEAVE_CHOICE = 232
    WIDTH = 1354
    MOONS = 5
    BROKEN = 6


cdef inline int encode_take(int source, int colour, int line) noexcept nogil:
    return 35 * source + 7 * colour + line


cdef inline int take_source(int move) noexcept nogil:
    return move // 35


cdef inline int take_colour(int move) noexcept nogil:
    return move % 35 // 7


cdef inline int take_line(int move) noexcept nogil:
    return move % 7


cdef inline int encode_chip(int factory) noexcept nogil:
    return CHIP_MOVE - 1 + factory


cdef inline int chip_factory(int move) noexcept nogil:
    return move - CHIP_MOVE + 1


cdef inline int encode_plate(int plate, int slot, int way) noexcept nogil:
    return PLATE_MOVE + 36 * plate + 4 * slot + way


cdef inline int placed_plate(int move) noexcept nogil:
    return (move - PLATE_MOVE) // 36


cdef inline int placed_slot(int move) noexcept nogil:
    return (move - PLATE_MOVE) % 36 // 4


cdef inline int placed_way(int move) noexcept nogil:
    return (move - PLATE_MOVE) % 4


cdef inline int encode_order(int order) noexcept nogil:
    return STACK_MOVE + order


cdef inline int stacked_order(int move) noexcept nogil:
    return move - STACK_MOVE


cdef inline int encode_return(int plate) noexcept nogil:
    return RETURN_MOVE + plate


cdef inline int returned_plate(int move) noexcept nogil:
    return move - RETURN_MOVE


cdef inline int encode_tiling(int seat, int choice) noexcept nogil:
    return TILE_MOVE + 233 * seat + choice


cdef inline int tiling_seat(int move) noexcept nogil:
    return (move - TILE_MOVE) // 233


cdef inline int tiling_choice(int move) noexcept nogil:
    return (move - TILE_MOVE) % 233


cdef inline int encode_space(int row, int column) noexcept nogil:
    return 6 * row + column


cdef inline int space_row(int choice) noexcept nogil:
    return choice // 6


cdef inline int space_column(int choice) noexcept nogil:
    return choice % 6
