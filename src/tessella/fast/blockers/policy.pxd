# C types of policy.py.
cimport cython
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from tessella.fast.bits cimport bits_set, lowest
from tessella.fast.blockers.moves cimport ASIDE, encode_move, move_cell, move_hand
from tessella.fast.blockers.rules cimport (
    Blockers, CELL_LOWER, CELL_UPPER, DEALING, FACE_COUNT, HOUSE_LOWER, HOUSE_UPPER, LOWER_ROWS, OVER, STAYING,
    UNKNOWN, UPPER_ROWS,
)
from tessella.fast.blockers.state cimport BOTH_ROWS, WORD, beside

cdef uint64_t UPPER_ALL, LOWER_ALL, STEP
cdef int WILD, TREE_MOVES, PLAYS, SETS, WEIGHTS, FRACTION_BITS, UNITS_PER_POINT, MAX_CHOICES, TIGHT_ROOM, NOISE
cdef int TOUCH, JOIN, NEAR, BRIDGE, CATCH, COSTLY, LONE, BLOCK, OPEN, ROOM, LOST, CHOICES, SPENT
cdef double MARGIN


@cython.final
cdef class RolloutPolicy:
    cdef Blockers root, table
    cdef bint narrow, counts_room
    cdef int dead, tight, largest
    cdef double seat_weights[130]
    cdef int weights[13]
    cdef int groups[5]
    cdef uint64_t touch_upper[5]
    cdef uint64_t touch_lower[5]
    cdef uint64_t join_upper[5]
    cdef uint64_t join_lower[5]
    cdef uint64_t bridge_upper, bridge_lower
    cdef int root_groups[5]
    cdef uint64_t root_touch_upper[5]
    cdef uint64_t root_touch_lower[5]
    cdef uint64_t root_join_upper[5]
    cdef uint64_t root_join_lower[5]
    cdef uint64_t marks_upper[16]
    cdef uint64_t marks_lower[16]
    cdef uint64_t cells_upper[2]
    cdef uint64_t cells_lower[2]
    cdef uint64_t open_upper[2]
    cdef uint64_t open_lower[2]
    cdef uint64_t free_upper, free_lower
    cdef int choices[28]
    cdef int gains[28]
    cdef int moves[260]
    cdef int values[260]
    cdef double rewards[5]
    cdef double keys[5]

    cdef void _clear(self) noexcept nogil
    @cython.locals(place=cython.int)
    cpdef set_weights(self, int seat, object weights)

    @cython.locals(colour=cython.int)
    cdef void _restart(self) noexcept nogil
    @cython.locals(colour=cython.int)
    cdef void _copy_from(self, RolloutPolicy other) noexcept nogil
    cdef void _finish(self) noexcept nogil
    @cython.locals(listed=cython.int, place=cython.int, best=cython.int, most=cython.int, value=cython.int, noise=uint64_t)
    cdef int _choose_move(self) noexcept nogil
    cdef double _uniform(self) noexcept nogil
    @cython.locals(colour=cython.int, cell=cython.int, there=cython.int)
    cdef void _play(self, int move) noexcept nogil

    @cython.locals(listed=cython.int)
    cdef int _list_best(self, int wanted) noexcept nogil
    @cython.locals(listed=cython.int, hand=cython.int, colour=cython.int)
    cdef int _list(self, bint narrow) noexcept nogil
    @cython.locals(faces=uint32_t)
    cdef bint _touches(self, int colour) noexcept nogil
    @cython.locals(progress=double, first=cython.int, mark=cython.int, early=double, late=double)
    cdef void _interpolate_weights(self) noexcept nogil
    @cython.locals(faces=uint32_t, face=cython.int, upper=uint64_t, lower=uint64_t, value=cython.int, opened=uint64_t)
    cdef int _list_hand(self, int colour, int hand, int listed) noexcept nogil
    @cython.locals(place=cython.int, cell=cython.int, total=cython.int, mark=cython.int, near=uint64_t)
    cdef int _list_cells(
        self, uint64_t* marks, int hand, int face, uint64_t cells, uint8_t* cell_of, uint64_t opened, int value,
        int listed,
    ) noexcept nogil
    @cython.locals(rank=cython.int, best=cython.int, place=cython.int, move=cython.int, value=cython.int)
    cdef int _move_best_first(self, int listed, int wanted) noexcept nogil
    @cython.locals(listed=cython.int, place=cython.int)
    cdef int _list_asides(self, int wanted) noexcept nogil

    @cython.locals(upper=uint64_t, lower=uint64_t, colour=cython.int)
    cdef void _find_free(self) noexcept nogil
    cdef void _mark(self, int colour, int hand) noexcept nogil
    @cython.locals(at=cython.int, upper=uint64_t, lower=uint64_t)
    cdef void _mark_groups(self, int colour, int hand) noexcept nogil
    @cython.locals(
        upper=uint64_t, lower=uint64_t, costly_upper=uint64_t, costly_lower=uint64_t, lone_upper=uint64_t,
        lone_lower=uint64_t, most=cython.int, other=cython.int, taken_upper=uint64_t, taken_lower=uint64_t,
        at=cython.int,
    )
    cdef void _mark_captures(self, int colour, int hand) noexcept nogil
    @cython.locals(faces=uint32_t, face=cython.int)
    cdef void _find_room(self, int colour) noexcept nogil
    @cython.locals(cell=cython.int)
    cdef void _count_homes(self, uint64_t cells, uint8_t* cell_of) noexcept nogil
    cdef int _room(self, int cell) noexcept nogil
    @cython.locals(upper=uint64_t, lower=uint64_t, other=cython.int)
    cdef void _mark_others(self, int at) noexcept nogil
    @cython.locals(most=cython.int, colour=cython.int)
    cdef int _most_caught(self) noexcept nogil

    @cython.locals(colour=cython.int)
    cdef void _update_all_groups(self) noexcept nogil
    @cython.locals(
        upper=uint64_t, lower=uint64_t, touch_upper=uint64_t, touch_lower=uint64_t, join_upper=uint64_t,
        join_lower=uint64_t, bridge_upper=uint64_t, bridge_lower=uint64_t,
        rings_upper=uint64_t, rings_lower=uint64_t, ring_upper=uint64_t, ring_lower=uint64_t, free_upper=uint64_t,
        free_lower=uint64_t, left_upper=uint64_t, left_lower=uint64_t, groups=cython.int, grown_upper=uint64_t,
        grown_lower=uint64_t, group_upper=uint64_t, group_lower=uint64_t, near_upper=uint64_t, near_lower=uint64_t,
    )
    cdef void _update_groups(self, int colour) noexcept nogil

    @cython.locals(room=cython.int, size=cython.int)
    cdef void _count_room(
        self, uint64_t upper, uint64_t lower, uint64_t free_upper, uint64_t free_lower
    ) noexcept nogil

    @cython.locals(seat=cython.int)
    cdef void _reward(self) noexcept nogil
    @cython.locals(least=double, winners=cython.int, seat=cython.int)
    cdef void _set_rewards(self) noexcept nogil
    @cython.locals(points=cython.int, most=cython.int, colour=cython.int)
    cdef double _standing(self, int seat) noexcept nogil
    @cython.locals(best=double, other=cython.int, lead=double)
    cdef double _margin(self, int seat) noexcept nogil

    @cython.locals(seat=cython.int)
    cpdef tuple play_games(self, int games)
