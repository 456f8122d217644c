# C types of ismcts.py.
cimport cython
from libc.math cimport exp
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from tessella.fast.bits cimport bits_set
from tessella.fast.blockers.evaluation cimport Evaluator
from tessella.fast.blockers.moves cimport move_cell, move_hand
from tessella.fast.blockers.rules cimport Blockers, DEALING, HOUSE_LOWER, HOUSE_UPPER, OVER, STAYING
from tessella.fast.blockers.policy cimport RolloutPolicy, UNITS_PER_POINT, TREE_MOVES, WILD
from tessella.fast.tree cimport Tree

cdef int ROOT_MOVES, LINES_PER_DESCENT, LINE_NANOSECONDS, CLOCK_LINES, CLOCK_DESCENTS, ROLLOUT_TURNS
cdef double EXPLORATION, TEMPERATURE, EAGER_REJECTION


@cython.final
cdef class InformationSetTree(Tree):
    cdef RolloutPolicy policy
    cdef Evaluator evaluator
    cdef Blockers root, table
    cdef int seat, listed
    cdef uint32_t eager[5]
    cdef int root_moves[16]
    cdef int root_values[16]
    cdef double won[10]
    cdef double solved[30]
    cdef uint8_t tried_cells[984]
    cdef int64_t lines_left, solve_deadline
    cdef list tables

    cdef void _clear(self) noexcept nogil

    @cython.locals(move=cython.int)
    cpdef int choose(self, int64_t descents, int64_t deadline) except -1

    @cython.locals(now=int64_t, move=cython.int)
    cdef int _solve(self, int64_t lines, int64_t deadline) except -2
    @cython.locals(lines=double, colour=cython.int)
    cdef double _count_lines(self) noexcept nogil
    @cython.locals(
        table=Blockers, after=Blockers, best=cython.int, place=cython.int, move=cython.int, cell=cython.int,
        seat=cython.int,
    )
    cdef int _solve_from(self, int depth) except -2
    cdef _solve_after(self, Blockers after, int depth)
    @cython.locals(seat=cython.int)
    cdef void _score_end(self, Blockers table) noexcept nogil

    @cython.locals(turns=cython.int)
    cdef void _roll_out(self) noexcept nogil
    @cython.locals(listed=cython.int)
    cdef void _step(self) noexcept nogil
    @cython.locals(place=cython.int)
    cdef void _set_priors(self, int listed) noexcept nogil
    @cython.locals(colour=cython.int, shown=bint, unseen=uint32_t, rack=uint32_t, face=uint32_t, held=cython.int)
    cdef void _imagine(self) noexcept nogil
    @cython.locals(upper=uint64_t, lower=uint64_t, colour=cython.int, face=cython.int, cells=uint64_t)
    cdef void _find_eager(self) noexcept nogil

    @cython.locals(place=cython.int, one=cython.int)
    cpdef list evaluate(self, int seat, int move, int descents)
    @cython.locals(seat=cython.int, other=cython.int, best=double, winners=cython.int)
    cdef void _count_win(self) noexcept nogil

    @cython.locals(place=cython.int)
    cdef int _recall_root(self) noexcept nogil
    @cython.locals(place=cython.int)
    cdef void _rank_root(self) noexcept nogil
