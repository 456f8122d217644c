# C types of mcts.py.
cimport cython
from libc.math cimport exp, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t

from tessella.fast.azul.rules cimport Azul
from tessella.fast.azul.alphabeta cimport INFINITE, MOVES, CLOCK_NODES, AlphaBeta, thread_seconds

cdef int DRAFTING, CAPACITY, MAX_CHILDREN
cdef double EXPLORATION, TEMPERATURE


@cython.final
cdef class MaxnTree:
    cdef AlphaBeta search
    cdef readonly int64_t nodes
    cdef int used
    cdef uint16_t move[131072]
    cdef int32_t first[131072]
    cdef uint8_t width[131072]
    cdef int32_t visits[131072]
    cdef float prior[131072]
    cdef double total[131072]
    cdef int path[41]

    @cython.locals(deadline=cython.double)
    cpdef int think(self, Azul table, int seat, int64_t nodes=*, double seconds=*) except -1
    cdef int _search_nodes(self, Azul table, int seat, int64_t nodes) noexcept nogil
    cdef void _grow(self, int64_t most, double deadline) noexcept nogil
    cdef void _reset_tree(self) noexcept nogil
    @cython.locals(ply=cython.int, node=cython.int)
    cdef void _descend(self) noexcept nogil
    @cython.locals(
        first=cython.int, visits_of_children=cython.int, total=cython.double, mean_of_siblings=cython.double, exploration=cython.double,
        best=cython.int, most=cython.double, child=cython.int, mean=cython.double, bound=cython.double,
    )
    cdef int _choose(self, int node) noexcept nogil
    @cython.locals(
        listed=cython.int, best=cython.int, total=cython.double, place=cython.int, child=cython.int, order=cython.int,
    )
    cdef void _expand(self, int node, int ply, int width) noexcept nogil
    @cython.locals(best=cython.int, child=cython.int)
    cdef int _most_visited(self) noexcept nogil
