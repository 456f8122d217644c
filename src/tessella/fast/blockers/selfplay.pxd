# C types of selfplay.py.
cimport cython

from tessella.fast.blockers.evaluation cimport INPUTS, Evaluator
from tessella.fast.blockers.policy cimport RolloutPolicy
from tessella.fast.blockers.rules cimport Blockers

cdef int DEALING, OVER, SPACING, SLIPS, SLIP_PERCENT, SLIP_MOVES


@cython.final
cdef class Selfplay:
    cdef RolloutPolicy policy, imagined, trial
    cdef Blockers table
    cdef Evaluator evaluator
    cdef int width, slip_percent
    cdef Py_ssize_t recorded
    cdef float[:, ::1] inputs
    cdef float[:, ::1] chances

    @cython.locals(games=cython.int)
    cpdef play(self, games, inputs, chances)
    @cython.locals(first=Py_ssize_t)
    cdef void _play(self) noexcept nogil
    cdef int _choose(self) noexcept nogil
    @cython.locals(seat=cython.int, listed=cython.int, best=cython.int, most=double, place=cython.int)
    cdef int _weighed(self) noexcept nogil
    @cython.locals(seat=cython.int, place=cython.int)
    cdef void _record_position(self) noexcept nogil
    @cython.locals(at=Py_ssize_t, seat=cython.int)
    cdef void _record_outcome(self, Py_ssize_t first) noexcept nogil
