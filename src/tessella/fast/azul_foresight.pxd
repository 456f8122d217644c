# The types with which azul_foresight.py is compiled.
cimport cython
from libc.stdint cimport int64_t, uint64_t

from tessella.fast.azul cimport Azul
from tessella.fast.azul cimport GOLDEN, WORD
from tessella.fast.azul_search cimport Search, thread_seconds

cdef int DEALING, DRAFTING, OVER, RIVALS, SLACK, LINE_NODES, NODES, LEAST


@cython.final
cdef class Foresight:
    cdef Search search
    cdef Search reader
    cdef Azul table
    cdef list ends
    cdef double until
    cdef readonly int rivals
    cdef readonly int64_t deals
    cdef int rival[4]
    cdef int worth[4]
    cdef int fresh[4]
    cdef int64_t total[4]

    @cython.locals(best=cython.int, place=cython.int)
    cpdef int think(self, Azul table, int seat, double seconds, uint64_t seed=*) except -1
    @cython.locals(listed=cython.int, place=cython.int)
    cdef void _choose_rivals(self)
    @cython.locals(place=cython.int)
    cdef void _enter(self, int move, int worth)
    @cython.locals(left=cython.double)
    cdef _follow(self, Azul end, Azul table, int place)
    @cython.locals(place=cython.int, end=Azul, left=cython.double)
    cdef _deal_all(self, int seat, uint64_t luck)
    @cython.locals(best=cython.int, place=cython.int)
    cdef int _favourite(self)
