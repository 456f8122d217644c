# C types of state.py.
cimport cython
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t

from tessella.fast.azul.moves cimport (
    FLOOR, encode_place, encode_take, first_place, place_column, place_row, place_seat, take_colour, take_line,
    take_source,
)
from tessella.fast.bits cimport mixed

cdef int MARKER_NIBBLE, IN_CENTRE, NOWHERE
cdef uint64_t WORD, GOLDEN, MIX_1, MIX_2, ONES

@cython.locals(complete=cython.int)
cdef int complete(uint32_t wall) noexcept nogil


cdef class AzulTable:
    cdef readonly int seats, factories, width, phase, round, start
    cdef readonly bint grey
    cdef int current, marker
    cdef uint64_t random, bag, lid, present
    cdef uint64_t source[10]
    cdef uint64_t open[4]
    cdef uint64_t taken[4]
    cdef uint64_t held[4]
    cdef uint64_t hue[4]
    cdef uint64_t columns[4]
    cdef uint32_t wall[4]
    cdef uint32_t turned[4]
    cdef uint32_t paint[20]
    cdef uint32_t floor[4]
    cdef int fallen[4]
    cdef int score[4]
    cdef uint16_t listed[336]
    cdef int64_t points[4]
    cdef int64_t plies, met, rounds

    cdef void _clear(self) noexcept nogil
    @cython.locals(source=cython.int, seat=cython.int, row=cython.int)
    cdef void _assign(self, AzulTable other) noexcept nogil
    @cython.locals(word=cython.int, source=cython.int, seat=cython.int, row=cython.int)
    cdef void _save(self, uint64_t[:, ::1] rows, Py_ssize_t at) noexcept nogil
    @cython.locals(word=cython.int, source=cython.int, seat=cython.int, row=cython.int)
    cdef void _load(self, uint64_t[:, ::1] rows, Py_ssize_t at) noexcept nogil
    @cython.locals(key=uint64_t, salt=uint64_t, board=uint64_t, factory=cython.int, seat=cython.int, row=cython.int)
    cdef uint64_t _key(self) noexcept nogil
