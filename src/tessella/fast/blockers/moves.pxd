# C types of moves.py: inline functions, so a module that cimports them needs no call.

cdef enum:
    ASIDE = 81
    HAND_MOVES = 2296


cdef inline int encode_move(int hand, int face, int cell) noexcept nogil:
    return 2296 * hand + 82 * face + cell


cdef inline int move_hand(int move) noexcept nogil:
    return move // 2296


cdef inline int move_face(int move) noexcept nogil:
    return move % 2296 // 82


cdef inline int move_cell(int move) noexcept nogil:
    return move % 82
