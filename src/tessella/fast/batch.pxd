# C types of batch.py.
cimport cython
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t


cdef class BatchBase:
    cdef readonly Py_ssize_t tables
    cdef readonly object masks, seats, over, scores, places, rewards, random
    cdef object words, bytes
    cdef uint64_t[:, ::1] rows
    cdef uint8_t[:, ::1] byte_rows
    cdef uint8_t[:, ::1] masks_view
    cdef uint8_t[::1] seats_view
    cdef uint8_t[::1] over_view
    cdef int32_t[:, ::1] scores_view
    cdef uint8_t[:, ::1] places_view
    cdef float[:, ::1] rewards_view
    cdef uint16_t[::1] random_view

    cdef _allocate(self, Py_ssize_t tables, int seats, int width, int words, int length)
    @cython.locals(at=Py_ssize_t)
    cdef _step(self, uint16_t[::1] moves)
    @cython.locals(at=Py_ssize_t)
    cdef _check(self, uint16_t[::1] moves)
    cdef _require(self, Py_ssize_t place)
    cdef _write_rows(self, rows)
    cdef tuple _arrays(self)
    cdef tuple _arguments(self)
    @cython.locals(seats=Py_ssize_t, seat=Py_ssize_t)
    cdef void _advance(self, Py_ssize_t at, int move) noexcept nogil
    @cython.locals(seats=Py_ssize_t, seat=Py_ssize_t, winners=cython.int, share=cython.double)
    cdef void _reward(self, Py_ssize_t at) noexcept nogil
    cdef void _load(self, Py_ssize_t at) noexcept nogil
    cdef void _move(self, Py_ssize_t at, int move) noexcept nogil
    cdef void _publish(self, Py_ssize_t at) noexcept nogil


cdef class ObserverBase:
    cdef readonly object observations, final
    cdef BatchBase batch
    cdef uint8_t[:, ::1] view

    @cython.locals(at=Py_ssize_t)
    cdef _allocate(self, BatchBase batch, int width)
    @cython.locals(at=Py_ssize_t)
    cpdef encode(self)
    @cython.locals(at=Py_ssize_t, mover=cython.int)
    cdef _step(self, uint16_t[::1] moves)
    cdef void _encode(self, Py_ssize_t at) noexcept nogil
    cdef void _encode_final(self, Py_ssize_t at, int viewer) noexcept nogil
    cdef _observe(self, table)
