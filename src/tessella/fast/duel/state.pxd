# C types of state.py.
cimport cython
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from tessella.fast.bits cimport mixed

cdef uint64_t WORD, GOLDEN, MIX_1, MIX_2, BIT, ONES
cdef int NOTHING, NOBODY, HIDDEN, FRESH, FACE, FILL, LOOK, OPEN, REVEAL


cdef class DuelTable:
    cdef readonly object config
    cdef readonly int seats, width, phase, stage, due, round, start
    cdef int faces, current, holder, stacking, opened, height, drawn
    cdef int special_colour
    cdef bint free_draws
    cdef uint64_t random, bag, tower, moon, chips
    cdef uint32_t unseen
    cdef uint64_t sun[5]
    cdef uint32_t moons[5]
    cdef uint8_t chip[5]
    cdef uint8_t open[3]
    cdef uint8_t dome[18]
    cdef uint16_t stack[18]
    cdef uint16_t hand[18]
    cdef uint64_t tint[10]
    cdef int score[2]
    cdef int tokens[2]
    cdef int owed[2]
    cdef int row[2]
    cdef int paid[2]
    cdef int fallen[2]
    cdef uint32_t broken[2]
    cdef uint64_t lines[2]
    cdef uint64_t held[2]
    cdef uint64_t hue[2]
    cdef uint64_t mine[2]
    cdef uint64_t spent[2]
    cdef uint64_t laid[2]
    cdef int decided, showing, found
    cdef uint8_t shown[18]
    cdef uint64_t poured[5]
    cdef int places_of[18]
    cdef uint16_t listed[704]
    cdef uint64_t payments[196]
    cdef int64_t points[2]
    cdef int64_t plies, met, rounds

    cdef void _clear(self) noexcept nogil
    @cython.locals(factory=cython.int, place=cython.int, seat=cython.int)
    cdef void _assign(self, DuelTable other) noexcept nogil
    @cython.locals(factory=cython.int, place=cython.int, word=cython.int, seat=cython.int)
    cdef void _save(self, uint64_t[:, ::1] rows, Py_ssize_t at) noexcept nogil
    @cython.locals(factory=cython.int, place=cython.int, word=cython.int, seat=cython.int)
    cdef void _load(self, uint64_t[:, ::1] rows, Py_ssize_t at) noexcept nogil
    cdef uint16_t _back(self, int place) noexcept nogil
    cdef void _put_back(self, int place, int back) noexcept nogil
    @cython.locals(slot=cython.int)
    cdef bint _has_plate(self, int seat) noexcept nogil
    @cython.locals(key=uint64_t, word=uint64_t, factory=cython.int, place=cython.int, seat=cython.int)
    cdef uint64_t _key(self) noexcept nogil
    @cython.locals(key=uint64_t, word=uint64_t, place=cython.int)
    cdef uint64_t _key_of_plates(self) noexcept nogil
    @cython.locals(key=uint64_t, word=uint64_t, salt=uint64_t, slot=cython.int, colour=cython.int)
    cdef uint64_t _key_of_seat(self, int seat) noexcept nogil
