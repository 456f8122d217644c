# C types of tree.py.
cimport cython
from libc.math cimport sqrt
from libc.stdint cimport int64_t, uint16_t


cdef class Tree:
    cdef int size, capacity, depth, clock_descents
    cdef bint going
    cdef double exploration
    cdef int[::1] visits
    cdef double[::1] total
    cdef int[::1] child
    cdef int[::1] sibling
    cdef uint16_t[::1] move_to
    cdef int place_of[4592]
    cdef int found[960]
    cdef double priors[960]
    cdef int path[256]
    cdef int movers[256]
    cdef double results[5]

    cdef _allocate(self, int capacity, double exploration, int clock_descents)
    @cython.locals(
        chunk=cython.int, began=int64_t, now=int64_t, before=int64_t, longest=int64_t, done=int64_t,
    )
    cdef _search(self, int64_t descents, int64_t deadline)
    cdef bint _is_decided(self, int64_t done, int64_t descents, int64_t used, int64_t left) noexcept
    cdef void _descend_often(self, int descents) noexcept nogil
    cdef void _descend(self) noexcept nogil

    @cython.locals(most=cython.int, node=cython.int)
    cdef int _most_visited(self, int best) noexcept nogil
    @cython.locals(most=cython.int, second=cython.int, node=cython.int)
    cdef int _visit_lead(self) noexcept nogil

    cdef void _start_walk(self) noexcept nogil
    @cython.locals(place=cython.int, node=cython.int)
    cdef int _next_move(self, int* moves, int listed, int mover) noexcept nogil
    @cython.locals(node=cython.int)
    cdef int _add(self, int parent, int move) noexcept nogil
    @cython.locals(place=cython.int, seen=cython.int, won=double, other=cython.int)
    cdef int _select(self, int node, int* moves, int listed) noexcept nogil
    @cython.locals(
        prior_sum=double, place=cython.int, untried=double, scale=double, best=cython.int, most=double, node=cython.int,
        tries=cython.int, value=double, bound=double,
    )
    cdef int _best_bound(self, int listed, int seen, double won) noexcept nogil
    @cython.locals(place=cython.int, node=cython.int)
    cdef void _backpropagate(self) noexcept nogil
