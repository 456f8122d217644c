# C types of moves.py: inline functions, so a module that cimports them needs no call.

cdef enum:
    FLOOR = 5


cdef inline int encode_take(int source, int colour, int line) noexcept nogil:
    return 30 * source + 6 * colour + line


cdef inline int take_source(int move) noexcept nogil:
    return move // 30


cdef inline int take_colour(int move) noexcept nogil:
    return move % 30 // 6


cdef inline int take_line(int move) noexcept nogil:
    return move % 6


cdef inline int encode_pair(unsigned int pair, int line) noexcept nogil:
    return 6 * pair + line


cdef inline int pair_source(unsigned int pair) noexcept nogil:
    return pair // 5


cdef inline int pair_colour(unsigned int pair) noexcept nogil:
    return pair % 5


cdef inline int first_place(int factories) noexcept nogil:
    return 30 * factories + 30


cdef inline int encode_place(int factories, int seat, int row, int column) noexcept nogil:
    return 30 * factories + 30 + 25 * seat + 5 * row + column


cdef inline int place_seat(int factories, int move) noexcept nogil:
    return (move - 30 * factories - 30) // 25


cdef inline int place_row(int factories, int move) noexcept nogil:
    return (move - 30 * factories - 30) % 25 // 5


cdef inline int place_column(int factories, int move) noexcept nogil:
    return (move - 30 * factories - 30) % 5
