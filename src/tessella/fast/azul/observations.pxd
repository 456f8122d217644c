# C types of observations.py.
cimport cython
from libc.stdint cimport uint32_t, uint64_t

from tessella.fast.azul.rules cimport IN_CENTRE, Azul
from tessella.fast.batch cimport ObserverBase
from tessella.fast.bits cimport put

cdef int TILING, BYTE
cdef uint64_t FIVE[32]


@cython.final
cdef class Observer(ObserverBase):
    cdef Azul table

    cdef int _width(self)
    cdef void _write_first(self, Azul table) noexcept
    @cython.locals(place=Py_ssize_t, source=cython.int, turn=cython.int, seat=cython.int)
    cdef void _write(self, Azul table, Py_ssize_t at, int viewer) noexcept nogil
    @cython.locals(score=cython.int, held=uint64_t, hue=uint64_t, wall=uint32_t)
    cdef Py_ssize_t _write_board(self, Azul table, Py_ssize_t at, Py_ssize_t place, int seat) noexcept nogil
    @cython.locals(row=cython.int, paint=uint32_t)
    cdef Py_ssize_t _write_painted(self, Azul table, Py_ssize_t at, Py_ssize_t place, int seat) noexcept nogil
