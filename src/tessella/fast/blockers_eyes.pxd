# The types with which blockers_eyes.py is compiled.
cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from tessella.fast.blockers cimport STAYING, Batch, Blockers
from tessella.fast.blockers_table cimport bits_set
from tessella.fast.tables cimport put

cdef int A_COLOUR
cdef uint64_t EIGHT[256]


@cython.locals(bits=cython.int, place=cython.int, byte=uint64_t)
cdef void _prepare() noexcept


@cython.final
cdef class Eyes:
    cdef readonly object observations
    cdef Batch batch
    cdef Blockers table
    cdef uint8_t[:, ::1] view

    cdef int _width(self)
    cdef void _list(self, Blockers table) noexcept
    @cython.locals(at=Py_ssize_t)
    cdef _step(self, uint16_t[::1] moves)
    @cython.locals(
        viewer=cython.int, place=Py_ssize_t, turn=cython.int, seat=cython.int, other=cython.int, colour=cython.int
    )
    cdef void _write(self, Blockers table, Py_ssize_t at) noexcept nogil
    @cython.locals(shown=bint, row=cython.int, tiles=uint64_t)
    cdef Py_ssize_t _write_colour(
        self, Blockers table, Py_ssize_t at, Py_ssize_t place, int colour, bint own
    ) noexcept nogil
    cdef void _write_faces(self, Py_ssize_t at, Py_ssize_t place, uint32_t faces) noexcept nogil
