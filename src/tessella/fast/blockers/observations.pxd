# C types of observations.py.
cimport cython
from libc.stdint cimport uint32_t, uint64_t

from tessella.fast.batch cimport ObserverBase
from tessella.fast.bits cimport bits_set, put
from tessella.fast.blockers.rules cimport STAYING, Blockers

cdef int A_COLOUR, OVER
cdef uint64_t EIGHT[256]


@cython.final
cdef class Observer(ObserverBase):
    cdef Blockers table

    cdef int _width(self)
    cdef void _write_first(self, Blockers table) noexcept
    @cython.locals(
        place=Py_ssize_t, turn=cython.int, seat=cython.int, other=cython.int, colour=cython.int
    )
    cdef void _write(self, Blockers table, Py_ssize_t at, int viewer) noexcept nogil
    @cython.locals(shown=bint, row=cython.int, tiles=uint64_t)
    cdef Py_ssize_t _write_colour(
        self, Blockers table, Py_ssize_t at, Py_ssize_t place, int colour, bint own
    ) noexcept nogil
    cdef void _write_faces(self, Py_ssize_t at, Py_ssize_t place, uint32_t faces) noexcept nogil
