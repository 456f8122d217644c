# C types of evaluation.py.
cimport cython
from libc.math cimport exp
from libc.stdint cimport uint32_t, uint64_t

from tessella.fast.bits cimport bits_set, lowest
from tessella.fast.blockers.policy cimport PLAYS, RolloutPolicy, WILD
from tessella.fast.blockers.rules cimport Blockers, HOUSE_LOWER, HOUSE_UPPER, LOWER_ROWS, STAYING, UPPER_ROWS
from tessella.fast.blockers.state cimport beside

cdef enum:
    INPUTS = 35
    HIDDEN = 24
    GROUPS = 0
    MOST = 1
    TIES = 2
    CATCHES = 3
    TO_PLAY = 4
    PROGRESS = 5
    FREE = 6
    HOMES = 7
    TAKEN_HOMES = 12
    JOINS = 13
    JOINING = 14
    TAKEN_JOINS = 15
    BRIDGING = 16
    WILDS = 17
    HELD_HOMES = 18
    HELD_JOINING = 21
    HELD_TAKEN_JOINS = 22
    HELD_BRIDGING = 23
    HELD_WILDS = 24
    TILES = 25
    LOOSE = 26
    LONE = 27
    ROOM = 28
    TURN = 29
    LEAD = 30
    HELD_TAKEN_HOMES = 31
    DEAD = 32
    TIGHT = 33
    LARGEST = 34

cdef double FEW, MANY, CELLS, WIN


@cython.final
cdef class Evaluator:
    cdef bint has_net
    cdef double[::1] weights
    cdef uint64_t taken_upper, taken_lower
    cdef double inputs[35]
    cdef double hidden[24]
    cdef double chances[5]
    cdef double keys[5]

    @cython.locals(policy=RolloutPolicy, place=cython.int)
    cpdef list inputs_of(self, Blockers table, int seat)
    @cython.locals(seat=cython.int)
    cpdef list chances_of(self, Blockers table)
    @cython.locals(seat=cython.int)
    cdef void _evaluate(self, RolloutPolicy policy) noexcept nogil
    @cython.locals(seats=cython.int, seat=cython.int, least=double, key=double, winners=cython.int)
    cdef void _evaluate_end(self, RolloutPolicy policy) noexcept nogil
    @cython.locals(seat=cython.int, most=double, total=double)
    cdef void _softmax(self, int seats) noexcept nogil
    @cython.locals(last=cython.int, said=double, unit=cython.int, number=cython.int)
    cdef double _net_output(self) noexcept nogil
    @cython.locals(unit=cython.int)
    cdef void _add(self, double times, int first) noexcept nogil
    @cython.locals(upper=uint64_t, lower=uint64_t, colour=cython.int, seat=cython.int)
    cdef void _prepare(self, RolloutPolicy policy, Blockers table) noexcept nogil
    @cython.locals(number=cython.int, free=cython.int, colour=cython.int)
    cdef void _encode(self, RolloutPolicy policy, Blockers table, int seat) noexcept nogil
    @cython.locals(
        most=cython.int, ties=cython.int, colour=cython.int, count=cython.int, best=double, other=cython.int
    )
    cdef void _encode_standing(self, Blockers table, int seat) noexcept nogil
    @cython.locals(upper=uint64_t, lower=uint64_t, loose=cython.int, lone=cython.int, room=cython.int)
    cdef void _encode_groups(self, RolloutPolicy policy, Blockers table, int colour) noexcept nogil
    @cython.locals(
        join_upper=uint64_t, join_lower=uint64_t, bridge_upper=uint64_t, bridge_lower=uint64_t, taken_upper=uint64_t,
        taken_lower=uint64_t, rack=uint32_t, faces=uint32_t, face=cython.int, held=bint, upper=uint64_t,
        lower=uint64_t,
    )
    cdef void _encode_faces(self, RolloutPolicy policy, Blockers table, int colour) noexcept nogil
    cdef void _mark_homes(self, int choices, bint held) noexcept nogil
    cdef void _mark(self, int place, int held_place, bint held) noexcept nogil
