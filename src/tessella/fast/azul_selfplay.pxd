# The types with which azul_selfplay.py is compiled.
cimport cython
from libc.stdint cimport int16_t

from tessella.fast.azul cimport Azul
from tessella.fast.azul_table cimport complete
from tessella.fast.azul_net cimport SLOTS
from tessella.fast.azul_search cimport FAR, Search
from tessella.fast.azul_tree cimport Tree

cdef int DEALING, DRAFTING, OVER, SHOWN, ROWS_A_GAME, BLUR, ANY, BLURRED, SHARP, SOUND, READING


@cython.final
cdef class Selfplay:
    cdef Azul table
    cdef Search search
    cdef Search witness
    cdef Tree tree
    cdef int nodes, rough, slips
    cdef int kind[4]
    cdef Py_ssize_t kept
    cdef int16_t[:, ::1] inputs
    cdef int16_t[:, ::1] points
    cdef int16_t[:, ::1] shown
    cdef float[:, ::1] wins
    cdef float[:, ::1] scores

    @cython.locals(games=cython.int)
    cpdef play(self, games, inputs, points, shown, wins, scores)
    @cython.locals(first=Py_ssize_t)
    cdef void _play(self) noexcept nogil
    @cython.locals(seat=cython.int)
    cdef void _begin(self) noexcept nogil
    @cython.locals(seat=cython.int, kind=cython.int)
    cdef int _choose(self) noexcept nogil
    @cython.locals(best=cython.int, most=cython.int, place=cython.int, order=cython.int)
    cdef int _glance(self, int seat, int blur) noexcept nogil
    cdef int _read(self, int seat) noexcept nogil
    @cython.locals(at=Py_ssize_t, seat=cython.int)
    cdef void _keep(self) noexcept nogil
    @cython.locals(best=cython.int, winners=cython.int, seat=cython.int, rank=cython.int, at=Py_ssize_t)
    cdef void _tell(self, Py_ssize_t first) noexcept nogil
