# The types with which blockers_search.py is compiled.
cimport cython
from libc.math cimport exp, sqrt
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from tessella.fast.blockers cimport Blockers, DEALING, HOUSE_LOWER, HOUSE_UPPER, OVER, STAYING
from tessella.fast.blockers_quick cimport BlockersQuick, GRAIN, MOVES, WILD
from tessella.fast.blockers_table cimport bits_set

cdef int ROOT_MOVES, LINES, NANOSECONDS, LOOK, CHUNK
cdef double EXPLORE, SPREAD, KEPT


@cython.final
cdef class Search:
    cdef BlockersQuick quick
    cdef Blockers root, table
    cdef int seat, listed, size, capacity
    cdef int[::1] visits
    cdef double[::1] total
    cdef int[::1] child
    cdef int[::1] sibling
    cdef uint16_t[::1] move_to
    cdef uint32_t eager[5]
    cdef int root_moves[16]
    cdef int root_worths[16]
    cdef int place_of[4592]
    cdef int found[260]
    cdef int path[128]
    cdef double won[10]
    cdef double settled[30]
    cdef uint8_t asked[984]
    cdef int64_t lines_left, read_until
    cdef list tables

    cdef void _clear(self) noexcept nogil

    @cython.locals(move=cython.int, chunk=cython.int, now=int64_t, before=int64_t, longest=int64_t)
    cpdef int choose(self, int64_t descents, int64_t until) except -1

    @cython.locals(now=int64_t, move=cython.int)
    cdef int _read(self, int64_t lines, int64_t until) except -2
    @cython.locals(lines=double, colour=cython.int)
    cdef double _lines(self) noexcept nogil
    @cython.locals(
        table=Blockers, after=Blockers, best=cython.int, place=cython.int, cell=cython.int, seat=cython.int
    )
    cdef int _settle(self, int depth) except -2
    cdef _follow(self, Blockers after, int depth)
    @cython.locals(seat=cython.int)
    cdef void _tell(self, Blockers table) noexcept nogil

    @cython.locals(best=cython.int, most=cython.int, node=cython.int)
    cdef int _most_visited(self) noexcept nogil

    cdef void _descend_often(self, int descents) noexcept nogil
    @cython.locals(node=cython.int, depth=cython.int, going=bint, listed=cython.int, place=cython.int)
    cdef void _descend(self) noexcept nogil
    @cython.locals(colour=cython.int, shown=bint, unseen=uint32_t, rack=uint32_t, face=uint32_t, held=cython.int)
    cdef void _imagine(self) noexcept nogil
    @cython.locals(upper=uint64_t, lower=uint64_t, colour=cython.int, face=cython.int, cells=uint64_t)
    cdef void _find_eager(self) noexcept nogil
    @cython.locals(node=cython.int)
    cdef int _add(self, int parent, int move) noexcept nogil
    @cython.locals(place=cython.int, seen=cython.int, won=double, other=cython.int)
    cdef int _select(self, int node, int listed) noexcept nogil
    @cython.locals(
        shares=double, place=cython.int, untried=double, scale=double, best=cython.int, most=double, node=cython.int,
        tries=cython.int, value=double, bound=double,
    )
    cdef int _best_bound(self, int listed, int seen, double won) noexcept nogil
    @cython.locals(place=cython.int, node=cython.int)
    cdef void _learn(self, int depth) noexcept nogil

    @cython.locals(place=cython.int, one=cython.int)
    cpdef list weigh(self, int seat, int move, int descents)
    @cython.locals(seat=cython.int, other=cython.int, best=double, winners=cython.int)
    cdef void _count_win(self) noexcept nogil

    @cython.locals(place=cython.int)
    cdef int _recall_root(self) noexcept nogil
    @cython.locals(place=cython.int)
    cdef void _rank_root(self) noexcept nogil
