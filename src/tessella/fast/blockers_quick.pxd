# The types with which blockers_quick.py is compiled.
cimport cython
from libc.stdint cimport uint32_t, uint64_t

from tessella.fast.blockers cimport (
    ASIDE, Blockers, CELL_LOWER, CELL_UPPER, DEALING, FACE_COUNT, HOUSE_LOWER, HOUSE_UPPER, LOWER_ROWS, OVER, STAYING,
    UNKNOWN, UPPER_ROWS,
)
from tessella.fast.blockers_table cimport BOTH_ROWS, beside, bits_set, count_groups, lowest

cdef uint64_t UPPER_ALL, LOWER_ALL
cdef uint32_t TAME
cdef int WILD, CLASSES, MOVES, PLAYS, WHIM
cdef int JOIN_BLOCK, JOIN, JOIN_CATCH, TOUCH_BLOCK, TOUCH, TOUCH_CATCH
cdef int JOIN_COSTLY, NEAR, NEAR_CATCH, ALONE, TOUCH_COSTLY, WORST
cdef double CLASS_WORTH[12]
cdef double MARGIN, TROUBLE, HOPE, ROOM, CAPTURE, WILD_LATER


@cython.final
cdef class BlockersQuick:
    cdef Blockers root, table
    cdef int groups[5]
    cdef uint64_t touch_upper[5]
    cdef uint64_t touch_lower[5]
    cdef uint64_t join_upper[5]
    cdef uint64_t join_lower[5]
    cdef int first_groups[5]
    cdef uint64_t first_touch_upper[5]
    cdef uint64_t first_touch_lower[5]
    cdef uint64_t first_join_upper[5]
    cdef uint64_t first_join_lower[5]
    cdef uint64_t class_upper[24]
    cdef uint64_t class_lower[24]
    cdef uint64_t open_upper[2]
    cdef uint64_t open_lower[2]
    cdef int moves[260]
    cdef double worths[260]
    cdef double rewards[5]
    cdef double keys[5]

    cdef void _clear(self) noexcept nogil

    @cython.locals(colour=cython.int)
    cdef void _restart(self) noexcept nogil
    cdef void _finish(self) noexcept nogil
    @cython.locals(hands=cython.int, later=double, kind=cython.int, enough=double, other=cython.int)
    cdef int _pick(self) noexcept nogil
    @cython.locals(hand=cython.int, upper=uint64_t, lower=uint64_t, faces=uint32_t, face=cython.int)
    cdef bint _reaches(self, int hands, int kind, uint32_t among) noexcept nogil
    @cython.locals(
        best=cython.int, most=cython.int, hand=cython.int, faces=uint32_t, face=cython.int, first=cython.int,
        cells=uint64_t, room=cython.int,
    )
    cdef int _pick_from(self, int hands, int kind, uint32_t among) noexcept nogil
    cdef int _opens(self, uint64_t cells) noexcept nogil
    @cython.locals(colour=cython.int, cell=cython.int, there=cython.int)
    cdef void _play(self, int move) noexcept nogil

    @cython.locals(hands=cython.int, later=double, listed=cython.int, kind=cython.int, other=cython.int)
    cdef int _consider(self) noexcept nogil
    @cython.locals(hand=cython.int, faces=uint32_t)
    cdef int _list_class(self, int hands, int kind, uint32_t among, double worth, int listed) noexcept nogil
    @cython.locals(face=cython.int, first=cython.int, cells=uint64_t)
    cdef int _list_hand(self, int hand, int at, uint32_t faces, double worth, int listed) noexcept nogil
    @cython.locals(rank=cython.int, best=cython.int, place=cython.int, move=cython.int, worth=double)
    cdef int _put_first(self, int listed, int wanted) noexcept nogil
    @cython.locals(listed=cython.int, place=cython.int)
    cdef int _consider_asides(self) noexcept nogil

    @cython.locals(colour=cython.int, hand=cython.int, kind=cython.int)
    cdef int _classify(self) noexcept nogil
    @cython.locals(
        other=cython.int, upper=uint64_t, lower=uint64_t, catch_upper=uint64_t, catch_lower=uint64_t,
        costly_upper=uint64_t, costly_lower=uint64_t, block_upper=uint64_t, block_lower=uint64_t, touch_upper=uint64_t,
        most=cython.int, touch_lower=uint64_t, around_upper=uint64_t, around_lower=uint64_t,
    )
    cdef void _classify_for(self, int colour, int at) noexcept nogil
    @cython.locals(single=uint64_t)
    cdef void _fill(
        self, uint64_t* classes, int at, uint64_t free, uint64_t catch, uint64_t costly, uint64_t block,
        uint64_t touch, uint64_t join, uint64_t near,
    ) noexcept nogil
    @cython.locals(most=cython.int, colour=cython.int)
    cdef int _most_caught(self) noexcept nogil

    @cython.locals(colour=cython.int)
    cdef void _survey_all(self) noexcept nogil
    @cython.locals(
        upper=uint64_t, lower=uint64_t, touch_upper=uint64_t, touch_lower=uint64_t, join_upper=uint64_t,
        join_lower=uint64_t, left_upper=uint64_t, left_lower=uint64_t, groups=cython.int, grown_upper=uint64_t,
        grown_lower=uint64_t, group_upper=uint64_t, group_lower=uint64_t, near_upper=uint64_t, near_lower=uint64_t,
    )
    cdef void _survey(self, int colour) noexcept nogil
    @cython.locals(upper=uint64_t, lower=uint64_t, joined=cython.int)
    cdef double _groups_to_come(self, int colour, uint64_t free_upper, uint64_t free_lower, double later) noexcept nogil
    @cython.locals(room=double, faces=uint32_t, face=cython.int, cells=cython.int)
    cdef double _room(self, int colour, uint64_t free_upper, uint64_t free_lower) noexcept nogil

    @cython.locals(
        colour=cython.int, later=double, worth=double, upper=uint64_t, lower=uint64_t,
        other=cython.int, share=double,
    )
    cdef double _worth(self, int move) noexcept nogil
    @cython.locals(tile=cython.int)
    cdef double _capture_cost(self, int cell) noexcept nogil

    @cython.locals(seat=cython.int)
    cdef void _reward(self) noexcept nogil
    @cython.locals(least=double, winners=cython.int, seat=cython.int)
    cdef void _share_out(self) noexcept nogil
    @cython.locals(points=cython.int, most=cython.int, colour=cython.int)
    cdef double _standing(self, int seat) noexcept nogil
    @cython.locals(best=double, other=cython.int, lead=double)
    cdef double _nearness(self, int seat) noexcept nogil
