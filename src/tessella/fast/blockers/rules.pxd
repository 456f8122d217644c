# C types of rules.py.
cimport cython
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from tessella.fast.batch cimport BatchBase
from tessella.fast.bits cimport bits_set, lowest, mixed
from tessella.fast.blockers.moves cimport ASIDE, HAND_MOVES, encode_move, move_cell, move_face, move_hand
from tessella.fast.blockers.state cimport BlockersTable, count_groups, euler

cdef uint64_t WORD, GOLDEN, UPPER_ROWS, LOWER_ROWS
cdef uint64_t UPPER[81]
cdef uint64_t LOWER[81]
cdef uint64_t HOUSE_UPPER[28]
cdef uint64_t HOUSE_LOWER[28]
cdef uint8_t CELL_UPPER[64]
cdef uint8_t CELL_LOWER[64]
cdef uint8_t NEAR[324]
cdef uint32_t ALL_FACES
cdef int UNKNOWN, FACE_COUNT, RACK, STAYING, DEALING, DRAFTING, OVER

@cython.locals(
    north=uint64_t, south=uint64_t, west=uint64_t, east=uint64_t, ends_north=uint64_t, ends_east=uint64_t,
    ends_south=uint64_t, ends_west=uint64_t, across=uint64_t,
)
cdef uint64_t _stuck(uint64_t tiles) noexcept nogil
@cython.locals(east=uint64_t, south=uint64_t, east_south=uint64_t, corners=cython.int)
cdef int _corners(uint64_t tiles) noexcept nogil
cdef bint _encloses(uint64_t upper, uint64_t lower) noexcept nogil


@cython.final
cdef class Blockers(BlockersTable):
    @cython.locals(new=Blockers)
    cpdef Blockers copy(self)
    cpdef assign(self, Blockers other)


    cdef uint64_t _next(self) noexcept nogil
    cdef uint64_t _below(self, uint64_t stop) noexcept nogil
    @cython.locals(colour=cython.int, cell=cython.int, place=cython.int)
    cdef void _reset(self) noexcept nogil
    cdef void _deal(self) noexcept nogil
    cdef void _set_start(self, int seat) noexcept nogil
    @cython.locals(drawn=uint32_t, rest=uint32_t, face=uint32_t, count=cython.int)
    cdef uint32_t _drawn(self, uint32_t faces, int number) noexcept nogil
    cdef void _give(self, int colour, uint32_t faces) noexcept nogil
    cpdef imagine(self, int seat)
    @cython.locals(colour=cython.int, shown=bint, unseen=uint32_t)
    cdef void _imagine(self, int seat) noexcept nogil

    @cython.locals(upper=uint64_t, lower=uint64_t, colour=cython.int, listed=cython.int, hand=cython.int)
    cdef int _list(self) noexcept nogil
    @cython.locals(rack=uint64_t, cells=uint64_t, face=cython.int, move=cython.int)
    cdef Py_ssize_t _list_places(
        self, int colour, int hand, Py_ssize_t listed, uint64_t upper, uint64_t lower
    ) noexcept nogil
    @cython.locals(rack=uint64_t, colour=cython.int, listed=cython.int, hand=cython.int)
    cdef int _list_asides(self) noexcept nogil
    @cython.locals(width=Py_ssize_t, listed=Py_ssize_t, move=Py_ssize_t, place=Py_ssize_t)
    cdef int _list_mask(self, uint8_t[:, ::1] masks, Py_ssize_t at) noexcept nogil
    @cython.locals(
        colour=cython.int, face=cython.int, cell=cython.int, other=cython.int, upper=uint64_t, lower=uint64_t
    )
    cdef bint _is_legal(self, int move) noexcept nogil
    @cython.locals(colour=cython.int, face=cython.int, cell=cython.int)
    cdef void _apply(self, int move) noexcept nogil
    @cython.locals(there=cython.int)
    cdef void _place(self, int colour, int face, int cell) noexcept nogil
    @cython.locals(seat=cython.int, colour=cython.int)
    cdef void _capture(self, int tile, int cell) noexcept nogil
    cdef void _finish_turn(self, int colour, int face) noexcept nogil

    cdef void _find_stuck(self, int colour) noexcept nogil
    @cython.locals(cells=uint64_t)
    cdef void _release(self, int colour) noexcept nogil
    @cython.locals(colour=cython.int, started=bint, place=cython.int, near=cython.int)
    cdef bint _splits(self, int cell) noexcept nogil
    @cython.locals(cell=cython.int)
    cdef void _unmeet(self) noexcept nogil
    cdef bint _is_of(self, int cell, int colour) noexcept nogil
    @cython.locals(queued=cython.int, place=cython.int, near=cython.int)
    cdef void _meet(self, int cell, int colour) noexcept nogil
    @cython.locals(upper=uint64_t, lower=uint64_t)
    cdef int _groups(self, int colour) noexcept nogil
    @cython.locals(score=cython.int, most=cython.int, colour=cython.int)
    cdef int _score(self, int seat) noexcept nogil

    cdef bint _is_better(self, int seat, int other) noexcept nogil
    cpdef apply(self, int move)
    cpdef bint is_legal(self, int move)
    @cython.locals(listed=cython.int, place=cython.int)
    cpdef list moves(self)
    @cython.locals(listed=cython.int)
    cpdef int choose(self) except -1
    cpdef int seat(self)
    cpdef long playout(self)
    @cython.locals(plies=long, listed=cython.int)
    cdef long _playout(self) noexcept nogil
    @cython.locals(table=Blockers)
    cpdef tuple playouts(self, long games)
    @cython.locals(seat=cython.int)
    cdef void _playouts(self, Blockers root, long games) noexcept nogil

    cpdef uint64_t key(self)


@cython.final
cdef class Batch(BatchBase):
    cdef readonly Blockers table

    @cython.locals(seat=cython.int, other=cython.int)
    cdef void _score(self, Py_ssize_t at) noexcept nogil
