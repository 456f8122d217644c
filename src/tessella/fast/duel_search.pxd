# The types with which duel_search.py is compiled.
cimport cython
from libc.math cimport exp, sqrt
from libc.stdint cimport int64_t, uint16_t

from tessella.fast.duel_value cimport DuelValue

cdef int DEALING, WIDE, CHUNK, SPELL, NO_MOVE
cdef double EXPLORE, SPREAD


@cython.final
cdef class Search:
    cdef DuelValue root, table
    cdef int seat, first, choices, size, capacity, forced
    cdef double chances, leads
    cdef int[::1] visits
    cdef double[::1] total
    cdef int[::1] child
    cdef int[::1] sibling
    cdef uint16_t[::1] move_to
    cdef int place_of[1354]
    cdef int found[960]
    cdef double share[960]
    cdef int path[256]
    cdef int movers[256]

    @cython.locals(
        chunk=cython.int, began=int64_t, now=int64_t, before=int64_t, longest=int64_t, done=int64_t, left=double,
    )
    cpdef int choose(self, int64_t descents, int64_t until) except -1
    @cython.locals(chance=double, lead=double)
    cpdef tuple weigh(self, int move, int descents)
    @cython.locals(best=cython.int, most=cython.int, node=cython.int)
    cdef int _most_visited(self) noexcept nogil
    @cython.locals(most=cython.int, second=cython.int, node=cython.int)
    cdef int _lead(self) noexcept nogil
    cdef void _descend_often(self, int descents) noexcept nogil
    cdef void _restart(self) noexcept nogil
    @cython.locals(node=cython.int, depth=cython.int, going=bint, place=cython.int)
    cdef void _descend(self) noexcept nogil
    @cython.locals(node=cython.int)
    cdef int _add(self, int parent, int move) noexcept nogil
    @cython.locals(place=cython.int, node=cython.int)
    cdef void _learn(self, int depth, double won) noexcept nogil
    cdef void _tally(self) noexcept nogil
    @cython.locals(listed=cython.int, place=cython.int, seen=cython.int, won=double, other=cython.int)
    cdef int _select(self, int node) noexcept nogil
    @cython.locals(listed=cython.int, wide=cython.int, plates=cython.int, taken=cython.int, place=cython.int)
    cdef int _consider(self, int node) noexcept nogil
    @cython.locals(pivot=double, low=cython.int, high=cython.int)
    cdef void _part(self, int start, int stop, int middle) noexcept nogil
    @cython.locals(move=cython.int, worth=double)
    cdef void _swap(self, int one, int other) noexcept nogil
    @cython.locals(
        shares=double, top=double, place=cython.int, untried=double, scale=double, best=cython.int, most=double,
        node=cython.int, tries=cython.int, value=double, bound=double,
    )
    cdef int _best_bound(self, int listed, int seen, double won) noexcept nogil
