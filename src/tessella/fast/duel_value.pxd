# The types with which duel_value.py is compiled.
cimport cython
from libc.math cimport exp
from libc.stdint cimport uint64_t

from tessella.fast.duel_quick cimport CHIP_WORTH, FILLS, FIRST_NEXT, JOKER_SHARE, SPACE, DuelQuick
from tessella.fast.duel_table cimport (
    BIT, BLOCK, LINE_COUNT, MATCHING, SHIFT, SPECIALS, DuelTable, chip_count, size,
)
from tessella.fast.duel_tiling cimport (
    COLOUR_ROWS_FACE, COLUMNS_FACE, CORNERS_FACE, DIAGONALS_FACE, EMPTY_SPECIALS_FACE, FALLING, JOKERS_FACE, OUTER,
    OUTER_FACE, RISING, ROWS_FACE, column_of, lowest,
)

cdef enum:
    HIDDEN = 24
    INPUTS = 98

cdef int OVER, SPAN
cdef double MARGIN
cdef double SLOPE[6]
cdef double POINT[5]

cdef double _square(int number) noexcept nogil


cdef class DuelValue(DuelQuick):
    cdef bint learned
    cdef int put
    cdef double chance, lead
    cdef double[::1] weights
    cdef double inputs[98]
    cdef double hidden[24]

    cpdef list inputs_of(self, DuelTable table, int seat)
    @cython.locals(odds=double)
    cdef double _win(self) noexcept nogil
    @cython.locals(first=cython.int, last=cython.int, place=cython.int, number=cython.int, said=double)
    cdef double _judge(self, int seat) noexcept nogil
    @cython.locals(place=cython.int)
    cdef void _add(self, double times, int first) noexcept nogil
    cdef void _put(self, double number) noexcept nogil
    @cython.locals(row=cython.int, column=cython.int, tiles=cython.int)
    cdef void _show(self, int seat) noexcept nogil
    @cython.locals(tiles=cython.int, held=cython.int, hue=cython.int, best=double, share=double)
    cdef void _show_row(self, int seat, int row) noexcept nogil
    @cython.locals(slot=cython.int)
    cdef int _empty_slots(self, int seat, int row) noexcept nogil
    @cython.locals(number=cython.int, most=double, total=double, colour=cython.int, best=double)
    cdef void _show_colours(self, int seat, int row) noexcept nogil
    @cython.locals(laid=uint64_t, diagonals=double, corners=double, jokers=uint64_t)
    cdef void _show_faces(self, int seat) noexcept nogil
    @cython.locals(
        one=double, two=double, three=double, empty=cython.int, promise=double, slot=cython.int, way=cython.int,
        left=uint64_t,
    )
    cdef void _show_specials(self, int seat) noexcept nogil
    @cython.locals(promise=double, row=cython.int, slot=cython.int)
    cdef double _promise(self, int seat) noexcept nogil
    @cython.locals(way=cython.int, later=double, left=uint64_t, promise=double, space=cython.int)
    cdef double _slot_promise(self, int seat, int slot) noexcept nogil
    @cython.locals(laid=uint64_t, begun=double, row=cython.int, column=cython.int)
    cdef double _faces_begun(self, int seat) noexcept nogil
    cdef double _begun(self, int tiles) noexcept nogil
    cdef double _corner(self, uint64_t laid, int shift) noexcept nogil
    @cython.locals(colours=cython.int, colour=cython.int)
    cdef double _colours_begun(self, int seat, int row) noexcept nogil
