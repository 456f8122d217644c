# C types of observations.py.
cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from tessella.fast.batch cimport ObserverBase
from tessella.fast.bits cimport clear, copy, put
from tessella.fast.duel.rules cimport FACE, FITS, FRESH, HIDDEN, JOKERS, NOBODY, SHIFT, SPECIALS, Duel

cdef int TABLE, BOARD, BACKS, BYTE, PRINTED
cdef uint64_t EIGHT[256]


@cython.final
cdef class Observer(ObserverBase):
    cdef Duel table
    cdef uint8_t[:, ::1] domes, printed

    cdef void _write_first(self, Duel table) noexcept
    @cython.locals(place=Py_ssize_t)
    cdef void _write(self, Duel table, Py_ssize_t at, int viewer) noexcept nogil
    @cython.locals(factory=cython.int, place=Py_ssize_t, moons=uint32_t)
    cdef Py_ssize_t _write_factories(self, Duel table, Py_ssize_t at) noexcept nogil
    @cython.locals(number=cython.int)
    cdef Py_ssize_t _write_supplies(self, Duel table, Py_ssize_t at, Py_ssize_t place) noexcept nogil
    @cython.locals(chip=cython.int)
    cdef Py_ssize_t _write_chips(self, Py_ssize_t at, Py_ssize_t place, uint64_t chips) noexcept nogil
    @cython.locals(lost=Py_ssize_t, number=cython.int)
    cdef void _write_backs(self, Duel table, Py_ssize_t at, Py_ssize_t place, int viewer) noexcept nogil
    @cython.locals(plate=cython.int)
    cdef void _write_back(
        self, Py_ssize_t at, Py_ssize_t place, Py_ssize_t lost, uint16_t back, int viewer
    ) noexcept nogil
    @cython.locals(score=cython.int, row=cython.int, held=uint64_t)
    cdef void _write_board(self, Duel table, Py_ssize_t at, Py_ssize_t place, int seat) noexcept nogil
    @cython.locals(row=Py_ssize_t, changed=cython.int, slot=cython.int, colour=cython.int, others=uint64_t)
    cdef void _write_dome(self, Duel table, Py_ssize_t at, Py_ssize_t place, int seat) noexcept nogil
    @cython.locals(
        slot=cython.int, colour=cython.int, way=cython.int, jokers=uint64_t, specials=uint64_t, fits=uint64_t,
        bits=uint64_t,
    )
    cdef void _read_plates(self, Duel table, Py_ssize_t row, int seat) noexcept nogil
    cdef void _write_spaces(
        self, uint8_t[:, ::1] view, Py_ssize_t at, Py_ssize_t place, uint64_t spaces
    ) noexcept nogil
