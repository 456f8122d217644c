# C types of state.py.
cimport cython
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from tessella.fast.bits cimport bits_set, mixed
from tessella.fast.blockers.moves cimport ASIDE, encode_move, move_cell, move_face, move_hand

cdef uint64_t WORD, GOLDEN, UPPER_ROWS, LOWER_ROWS, BOTH_ROWS
cdef int UNKNOWN, FACE_COUNT

cdef int euler(uint64_t upper, uint64_t lower) noexcept nogil
@cython.locals(east=uint64_t, south=uint64_t, own=uint64_t)
cdef int euler_of(uint64_t tiles, uint64_t rows) noexcept nogil
@cython.locals(
    groups=cython.int, grown_upper=uint64_t, grown_lower=uint64_t, group_upper=uint64_t, group_lower=uint64_t,
)
cdef int count_groups(uint64_t upper, uint64_t lower) noexcept nogil
cdef uint64_t beside(uint64_t cells) noexcept nogil


cdef class BlockersTable:
    cdef readonly int seats, colours, width, phase, start, plays_left
    cdef readonly bint uptown
    cdef int current, drawing
    cdef uint64_t random
    cdef uint64_t upper[5]
    cdef uint64_t lower[5]
    cdef uint64_t upper_stuck[5]
    cdef uint64_t lower_stuck[5]
    cdef uint32_t rack[5]
    cdef uint32_t supply[5]
    cdef int unplayed[5]
    cdef uint8_t board[82]
    cdef uint8_t aside[120]
    cdef int asides[5]
    cdef uint8_t caught[240]
    cdef int catches[5]
    cdef uint8_t caught_of[25]
    cdef uint16_t listed[260]
    cdef uint8_t met[82]
    cdef uint8_t queue[82]
    cdef int64_t sums[8]
    cdef int64_t plies, legal, captures

    cdef void _clear(self) noexcept nogil
    @cython.locals(colour=cython.int, cell=cython.int, place=cython.int)
    cdef void _assign(self, BlockersTable other) noexcept nogil
    @cython.locals(colour=Py_ssize_t, cell=Py_ssize_t, place=Py_ssize_t)
    cdef void _save(self, uint64_t[:, ::1] words, uint8_t[:, ::1] byte_rows, Py_ssize_t at) noexcept nogil
    @cython.locals(colour=Py_ssize_t, cell=Py_ssize_t, place=Py_ssize_t)
    cdef void _load(self, uint64_t[:, ::1] words, uint8_t[:, ::1] byte_rows, Py_ssize_t at) noexcept nogil
    @cython.locals(salt=uint64_t, key=uint64_t, word=uint64_t, colour=cython.int, seat=cython.int)
    cdef uint64_t _key(self) noexcept nogil
