# C types of selfplay.py.
cimport cython
from libc.stdint cimport int16_t

from tessella.fast.azul.rules cimport Azul
from tessella.fast.azul.state cimport complete
from tessella.fast.azul.net cimport SLOTS
from tessella.fast.azul.alphabeta cimport INFINITE, AlphaBeta
from tessella.fast.azul.mcts cimport MaxnTree

cdef int DEALING, DRAFTING, OVER, SHARED_NUMBERS, ROWS_PER_GAME, NOISE, RANDOM, NOISY, GREEDY, SEARCHING, KINDS


@cython.final
cdef class Selfplay:
    cdef Azul table
    cdef AlphaBeta search
    cdef AlphaBeta encoder
    cdef MaxnTree tree
    cdef int nodes, warmup_rounds, slip_percent
    cdef int kind[4]
    cdef Py_ssize_t recorded
    cdef int16_t[:, ::1] inputs
    cdef int16_t[:, ::1] points
    cdef int16_t[:, ::1] shared_inputs
    cdef float[:, ::1] wins
    cdef float[:, ::1] scores

    @cython.locals(games=cython.int)
    cpdef play(self, games, inputs, points, shared_inputs, wins, scores)
    @cython.locals(first=Py_ssize_t)
    cdef void _play(self) noexcept nogil
    @cython.locals(seat=cython.int)
    cdef void _begin(self) noexcept nogil
    @cython.locals(seat=cython.int, kind=cython.int)
    cdef int _choose(self) noexcept nogil
    @cython.locals(best=cython.int, most=cython.int, place=cython.int, order=cython.int)
    cdef int _greedy_move(self, int seat, int noise) noexcept nogil
    cdef int _search_move(self, int seat) noexcept nogil
    @cython.locals(at=Py_ssize_t, seat=cython.int)
    cdef void _record_position(self) noexcept nogil
    @cython.locals(best=cython.int, winners=cython.int, seat=cython.int, rank=cython.int, at=Py_ssize_t)
    cdef void _record_outcome(self, Py_ssize_t first) noexcept nogil
