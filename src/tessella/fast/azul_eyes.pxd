# The types with which azul_eyes.py is compiled.
cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from tessella.fast.azul cimport Azul, Batch
from tessella.fast.azul cimport IN_CENTRE, ONE
from tessella.fast.tables cimport put

cdef int TILING, BYTE
cdef uint64_t FIVE[32]


@cython.locals(bits=cython.int, place=cython.int)
cdef void _prepare() noexcept


@cython.final
cdef class Eyes:
    cdef readonly object observations
    cdef Batch batch
    cdef Azul table
    cdef uint8_t[:, ::1] view

    cdef int _width(self)
    cdef void _list(self, Azul table) noexcept
    @cython.locals(at=Py_ssize_t)
    cdef _step(self, uint16_t[::1] moves)
    @cython.locals(viewer=cython.int, place=Py_ssize_t, source=cython.int, turn=cython.int, seat=cython.int)
    cdef void _write(self, Azul table, Py_ssize_t at) noexcept nogil
    @cython.locals(score=cython.int, held=uint64_t, hue=uint64_t, wall=uint32_t)
    cdef Py_ssize_t _write_board(self, Azul table, Py_ssize_t at, Py_ssize_t place, int seat) noexcept nogil
    @cython.locals(row=cython.int, paint=uint32_t)
    cdef Py_ssize_t _write_painted(self, Azul table, Py_ssize_t at, Py_ssize_t place, int seat) noexcept nogil
