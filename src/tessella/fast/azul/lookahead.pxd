# C types of lookahead.py.
cimport cython
from libc.stdint cimport int64_t, uint64_t

from tessella.fast.azul.rules cimport Azul
from tessella.fast.azul.rules cimport GOLDEN, WORD
from tessella.fast.azul.alphabeta cimport AlphaBeta, thread_seconds

cdef int DEALING, DRAFTING, OVER, MAX_CANDIDATES, SLACK, PLAYOUT_NODES, DEAL_NODES, MIN_DEALS


@cython.final
cdef class Lookahead:
    cdef AlphaBeta search
    cdef AlphaBeta searcher
    cdef Azul table
    cdef list end_tables
    cdef double deadline
    cdef readonly int candidates
    cdef readonly int64_t deals
    cdef int candidate_moves[4]
    cdef int candidate_values[4]
    cdef int deal_values[4]
    cdef int64_t total[4]

    @cython.locals(best=cython.int, place=cython.int)
    cpdef int think(self, Azul table, int seat, double seconds, uint64_t seed=*) except -1
    @cython.locals(listed=cython.int, place=cython.int)
    cdef void _find_candidates(self)
    @cython.locals(place=cython.int)
    cdef void _insert(self, int move, int value)
    @cython.locals(left=cython.double)
    cdef _play_to_end(self, Azul end, Azul table, int place)
    @cython.locals(place=cython.int, end=Azul, left=cython.double)
    cdef _sample_deal(self, int seat, uint64_t seed)
    @cython.locals(best=cython.int, place=cython.int)
    cdef int _best_candidate(self)
