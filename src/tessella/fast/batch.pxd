# C types of batch.py.
cimport cython
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t


cdef class BatchBase:
    cdef readonly Py_ssize_t tables
    cdef readonly object masks, seats, over, scores, places, random
    cdef uint64_t[:, ::1] rows
    cdef uint8_t[:, ::1] masks_view
    cdef uint8_t[::1] seats_view
    cdef uint8_t[::1] over_view
    cdef int32_t[:, ::1] scores_view
    cdef uint8_t[:, ::1] places_view
    cdef uint16_t[::1] random_view

    cdef _allocate(self, Py_ssize_t tables, int seats, int width, int words)
    cdef _allocate_bytes(self, int length)
    @cython.locals(at=Py_ssize_t)
    cdef _step(self, uint16_t[::1] moves)
    @cython.locals(at=Py_ssize_t)
    cdef _check(self, uint16_t[::1] moves)
    cdef _require(self, Py_ssize_t place)
    cdef void _load(self, Py_ssize_t at) noexcept nogil
    cdef void _move(self, Py_ssize_t at, int move) noexcept nogil


cdef class ObserverBase:
    cdef readonly object observations
    cdef BatchBase batch
    cdef uint8_t[:, ::1] view

    @cython.locals(at=Py_ssize_t)
    cdef _allocate(self, BatchBase batch, int width)
    @cython.locals(at=Py_ssize_t)
    cdef _step(self, uint16_t[::1] moves)
    cdef void _encode(self, Py_ssize_t at) noexcept nogil
    cdef _observe(self, table)
