# The types with which duel_tiling.py is compiled.
cimport cython
from libc.stdint cimport uint8_t, uint64_t

from tessella.fast.duel_chance cimport DuelChance
from tessella.fast.duel_table cimport (
    BIT, BLOCK, CHIP, FITS, JOKERS, KINDS, MATCHING, ONE, ONES, RUN, SHIFT, SPECIALS, chip_count, size,
)

cdef extern from *:
    """
    #ifdef _MSC_VER
    #include <intrin.h>
    static __inline int lowest(unsigned __int64 word) { unsigned long at; _BitScanForward64(&at, word); return (int)at; }
    #else
    #define lowest __builtin_ctzll
    #endif
    """
    int lowest(uint64_t word) noexcept nogil

cdef int BROKEN_ROOM, PAY_MOVE, LEAVE_MOVE
cdef int ROWS_FACE, COLOUR_ROWS_FACE, COLUMNS_FACE, OUTER_FACE
cdef int DIAGONALS_FACE, CORNERS_FACE, JOKERS_FACE, EMPTY_SPECIALS_FACE
cdef uint64_t ROW, COLUMN, OUTER, FALLING, RISING
cdef uint8_t COST[5]

cdef bint covers(uint64_t laid, uint64_t spaces) noexcept nogil
@cython.locals(tiles=cython.int, row=cython.int)
cdef int column_of(uint64_t laid, int column) noexcept nogil


cdef class DuelTiling(DuelChance):
    cdef void _shatter(self, int seat, int colour, int number) noexcept nogil
    @cython.locals(colour=cython.int, columns=cython.int, place=cython.int, fits=cython.int)
    cdef int _free_columns(self, int seat, int row) noexcept nogil
    @cython.locals(row=cython.int, held=cython.int, columns=cython.int)
    cdef void _tile_dome(self, int seat) noexcept nogil
    @cython.locals(row=cython.int, colour=cython.int, laid=uint64_t, points=cython.int)
    cdef void _place(self, int seat, int column) noexcept nogil
    @cython.locals(left=uint64_t)
    cdef void _place_special(self, int seat, int slot) noexcept nogil
    @cython.locals(row=cython.int, held=cython.int, slot=cython.int, plated=cython.bint)
    cdef void _leave(self, int seat) noexcept nogil
    cdef void _empty_line(self, int seat, int row) noexcept nogil
    @cython.locals(score=cython.int)
    cdef void _score_broken(self, int seat) noexcept nogil
    @cython.locals(row=cython.int, missing=cython.int, chips=uint64_t, matching=cython.int, others=cython.int)
    cdef bint _can_pay(self, int seat) noexcept nogil
    @cython.locals(row=cython.int, missing=cython.int, matching=cython.int, more=cython.int)
    cdef int _list_payments(self, int seat) noexcept nogil
    @cython.locals(number=cython.int, wanted=cython.int)
    cdef void _gather(self, int at, int matching, int more, uint64_t chips, uint64_t payment) noexcept nogil
    @cython.locals(row=cython.int)
    cdef void _choose_tiling(self, int seat, int choice) noexcept nogil
    @cython.locals(laid=uint64_t, points=cython.int, row=cython.int, column=cython.int)
    cdef int _face_points(self, int seat) noexcept nogil
    @cython.locals(spaces=uint64_t, slot=cython.int)
    cdef uint64_t _joker_spaces(self, int seat) noexcept nogil
    @cython.locals(spaces=uint64_t, slot=cython.int)
    cdef uint64_t _special_spaces(self, int seat) noexcept nogil
    @cython.locals(special=uint64_t, rows=cython.int, row=cython.int, colours=cython.int, colour=cython.int)
    cdef int _colour_rows(self, int seat) noexcept nogil
