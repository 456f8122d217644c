# C types of evaluation.py.
cimport cython
from libc.math cimport exp
from libc.stdint cimport uint64_t

from tessella.fast.bits cimport lowest
from tessella.fast.duel.policy cimport CHIP_VALUE, FILLS, FIRST_NEXT, JOKER_FRACTION, SPACE, RolloutPolicy
from tessella.fast.duel.rules cimport (
    BIT, BLOCK, COLOUR_ROWS_FACE, COLUMNS_FACE, CORNERS_FACE, DIAGONALS_FACE, EMPTY_SPECIALS_FACE, FALLING,
    JOKERS_FACE, LINE_COUNT, MATCHING, OUTER, OUTER_FACE, RISING, ROWS_FACE, SHIFT, SPECIALS, Duel, chip_count,
    column_of, size,
)

cdef enum:
    HIDDEN = 24
    INPUTS = 129

cdef int OVER, SPAN
cdef double MARGIN
cdef double SLOPE[6]
cdef double POINT[5]

cdef double _square(int number) noexcept nogil


@cython.final
cdef class Evaluator:
    cdef RolloutPolicy policy
    cdef Duel table
    cdef bint has_net
    cdef int pushed
    cdef double chance, lead
    cdef double[::1] weights
    cdef double inputs[129]
    cdef double hidden[24]

    cpdef list inputs_of(self, Duel table, int seat)
    @cython.locals(odds=double)
    cdef double _win_value(self) noexcept nogil
    @cython.locals(first=cython.int, last=cython.int, place=cython.int, number=cython.int, said=double)
    cdef double _net_output(self, int seat) noexcept nogil
    @cython.locals(place=cython.int)
    cdef void _add(self, double times, int first) noexcept nogil
    cdef void _push(self, double number) noexcept nogil
    @cython.locals(row=cython.int, column=cython.int, tiles=cython.int)
    cdef void _encode(self, int seat) noexcept nogil
    @cython.locals(tiles=cython.int, held=cython.int, hue=cython.int, best=double, share=double)
    cdef void _encode_row(self, int seat, int row) noexcept nogil
    @cython.locals(slot=cython.int)
    cdef int _empty_slots(self, int seat, int row) noexcept nogil
    @cython.locals(number=cython.int, most=double, total=double, colour=cython.int, best=double)
    cdef void _encode_colours(self, int seat, int row) noexcept nogil
    @cython.locals(laid=uint64_t, diagonals=double, corners=double, jokers=uint64_t)
    cdef void _encode_faces(self, int seat) noexcept nogil
    @cython.locals(
        one=double, two=double, three=double, empty=cython.int, expected=double, slot=cython.int, way=cython.int,
        left=uint64_t,
    )
    cdef void _encode_specials(self, int seat) noexcept nogil
    @cython.locals(
        free=uint64_t, slot=cython.int, way=cython.int, row=cython.int, column=cython.int, colour=cython.int,
        room=cython.int,
    )
    cdef void _encode_room(self, int seat) noexcept nogil
    @cython.locals(colour=cython.int)
    cdef void _encode_chips(self, int seat) noexcept nogil
    @cython.locals(expected=double, row=cython.int, slot=cython.int)
    cdef double _expected_score(self, int seat) noexcept nogil
    @cython.locals(way=cython.int, later=double, left=uint64_t, expected=double, space=cython.int)
    cdef double _slot_value(self, int seat, int slot) noexcept nogil
    @cython.locals(laid=uint64_t, begun=double, row=cython.int, column=cython.int)
    cdef double _faces_begun(self, int seat) noexcept nogil
    cdef double _begun(self, int tiles) noexcept nogil
    cdef double _corner(self, uint64_t laid, int shift) noexcept nogil
    @cython.locals(colours=cython.int)
    cdef double _colours_begun(self, int seat, int row) noexcept nogil
