# C types of mcts.py.
cimport cython
from libc.math cimport exp
from libc.stdint cimport int64_t

from tessella.fast.duel.evaluation cimport Evaluator
from tessella.fast.duel.policy cimport RolloutPolicy
from tessella.fast.duel.rules cimport Duel
from tessella.fast.tree cimport Tree

cdef int DEALING, MIN_WIDTH, CLOCK_DESCENTS, DECISION_DESCENTS, NO_MOVE
cdef double EXPLORATION, TEMPERATURE


@cython.final
cdef class OpenLoopTree(Tree):
    cdef RolloutPolicy root, policy
    cdef Evaluator evaluator
    cdef Duel table
    cdef int seat, static_best, choices, forced
    cdef double chances, leads, temperature

    cpdef int choose(self, int64_t descents, int64_t deadline) except -1
    @cython.locals(chance=double, lead=double)
    cpdef tuple evaluate(self, int move, int descents)
    cdef void _restart(self) noexcept nogil
    @cython.locals(listed=cython.int)
    cdef void _step(self) noexcept nogil
    cdef void _add_outcome(self) noexcept nogil
    @cython.locals(listed=cython.int, width=cython.int, plates=cython.int, taken=cython.int, place=cython.int)
    cdef int _list_candidates(self, int node) noexcept nogil
    @cython.locals(pivot=double, low=cython.int, high=cython.int)
    cdef void _partition(self, int start, int stop, int middle) noexcept nogil
    @cython.locals(move=cython.int, value=double)
    cdef void _swap(self, int one, int other) noexcept nogil
    @cython.locals(top=double, place=cython.int)
    cdef void _set_priors(self, int listed) noexcept nogil
