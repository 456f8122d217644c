# The types with which tables.py is compiled.
cimport cython
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy


cdef inline void put(
    uint8_t[:, ::1] view, Py_ssize_t at, Py_ssize_t place, uint64_t word, size_t length
) noexcept nogil:
    """So many of the lowest bytes of a word, the lowest first: as every machine that we know keeps them."""
    memcpy(&view[at, place], &word, length)


cdef class Tables:
    cdef readonly Py_ssize_t tables
    cdef readonly object masks, seats, over, scores, places, random
    cdef uint64_t[:, ::1] rows
    cdef uint8_t[:, ::1] masks_view
    cdef uint8_t[::1] seats_view
    cdef uint8_t[::1] over_view
    cdef int32_t[:, ::1] scores_view
    cdef uint8_t[:, ::1] places_view
    cdef uint16_t[::1] random_view

    cdef _lay_out(self, Py_ssize_t tables, int seats, int width, int words)
    cdef _bytes(self, int length)
    @cython.locals(at=Py_ssize_t)
    cdef _step(self, uint16_t[::1] moves)
    @cython.locals(at=Py_ssize_t)
    cdef _check(self, uint16_t[::1] moves)
    cdef _require(self, Py_ssize_t place)
    cdef void _move(self, Py_ssize_t at, int move) noexcept nogil
