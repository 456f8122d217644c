# The types with which azul_tree.py is compiled.
cimport cython
from libc.math cimport exp, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t

from tessella.fast.azul cimport Azul
from tessella.fast.azul_search cimport FAR, MOVES, PATIENCE, Search, thread_seconds

cdef int DRAFTING, ROOM, WIDTH
cdef double CURIOSITY, SPREAD


@cython.final
cdef class Tree:
    cdef Search search
    cdef readonly int64_t nodes
    cdef int used
    cdef uint16_t move[131072]
    cdef int32_t first[131072]
    cdef uint8_t width[131072]
    cdef int32_t visits[131072]
    cdef float prior[131072]
    cdef double total[131072]
    cdef int path[41]

    @cython.locals(until=cython.double)
    cpdef int think(self, Azul table, int seat, int64_t nodes=*, double seconds=*) except -1
    cdef int _read_on(self, Azul table, int seat, int64_t nodes) noexcept nogil
    cdef void _grow(self, int64_t most, double until) noexcept nogil
    cdef void _plant(self) noexcept nogil
    @cython.locals(ply=cython.int, node=cython.int)
    cdef void _read(self) noexcept nogil
    @cython.locals(
        first=cython.int, read=cython.int, total=cython.double, usual=cython.double, push=cython.double,
        best=cython.int, most=cython.double, child=cython.int, mean=cython.double, hope=cython.double,
    )
    cdef int _choose(self, int node) noexcept nogil
    @cython.locals(
        listed=cython.int, best=cython.int, total=cython.double, place=cython.int, child=cython.int, order=cython.int,
    )
    cdef void _expand(self, int node, int ply, int width) noexcept nogil
    @cython.locals(best=cython.int, child=cython.int)
    cdef int _most_read(self) noexcept nogil
