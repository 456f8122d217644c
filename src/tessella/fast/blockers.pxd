# The types with which blockers.py is compiled.
cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from *:
    """
    #ifdef _MSC_VER
    #include <intrin.h>
    static __inline int lowest(unsigned __int64 word) { unsigned long at; _BitScanForward64(&at, word); return (int)at; }
    #define bits_set (int)__popcnt64
    #else
    #define lowest __builtin_ctzll
    #define bits_set __builtin_popcountll
    #endif
    """
    int lowest(uint64_t word) noexcept nogil
    int bits_set(uint64_t word) noexcept nogil

cdef uint64_t WORD, GOLDEN, MIX_1, MIX_2, UPPER_ROWS, LOWER_ROWS, BOTH_ROWS
cdef uint64_t UPPER[81]
cdef uint64_t LOWER[81]
cdef uint64_t HOUSE_UPPER[28]
cdef uint64_t HOUSE_LOWER[28]
cdef uint8_t CELL_UPPER[64]
cdef uint8_t CELL_LOWER[64]
cdef uint8_t NEAR[324]
cdef uint32_t ALL_FACES
cdef int UNKNOWN, ASIDE, FACE_COUNT, RACK, STAYING, DEALING, DRAFTING, OVER

cdef uint64_t _mixed(uint64_t word) noexcept nogil
@cython.locals(
    north=uint64_t, south=uint64_t, west=uint64_t, east=uint64_t, ends_north=uint64_t, ends_east=uint64_t,
    ends_south=uint64_t, ends_west=uint64_t, across=uint64_t,
)
cdef uint64_t _stuck(uint64_t tiles) noexcept nogil
@cython.locals(east=uint64_t, south=uint64_t, east_south=uint64_t, corners=cython.int)
cdef int _corners(uint64_t tiles) noexcept nogil
cdef bint _encloses(uint64_t upper, uint64_t lower) noexcept nogil
cdef int _euler(uint64_t upper, uint64_t lower) noexcept nogil
@cython.locals(east=uint64_t, south=uint64_t, own=uint64_t)
cdef int _euler_of(uint64_t tiles, uint64_t rows) noexcept nogil
@cython.locals(
    groups=cython.int, grown_upper=uint64_t, grown_lower=uint64_t, group_upper=uint64_t, group_lower=uint64_t,
)
cdef int count_groups(uint64_t upper, uint64_t lower) noexcept nogil
cdef uint64_t beside(uint64_t cells) noexcept nogil


@cython.final
cdef class Blockers:
    cdef readonly int seats, colours, width, phase, start, plays_left
    cdef readonly bint uptown
    cdef int current, drawing
    cdef uint64_t random
    cdef uint64_t upper[5]
    cdef uint64_t lower[5]
    cdef uint64_t upper_stuck[5]
    cdef uint64_t lower_stuck[5]
    cdef uint32_t rack[5]
    cdef uint32_t supply[5]
    cdef int unplayed[5]
    cdef uint8_t board[82]
    cdef uint8_t aside[120]
    cdef int asides[5]
    cdef uint8_t caught[240]
    cdef int catches[5]
    cdef uint8_t caught_of[25]
    cdef uint16_t listed[260]
    cdef uint8_t met[82]
    cdef uint8_t queue[82]
    cdef int64_t sums[8]
    cdef int64_t plies, legal, captures

    @cython.locals(new=Blockers)
    cpdef Blockers copy(self)
    cpdef assign(self, Blockers other)
    cdef void _clear(self) noexcept nogil
    @cython.locals(colour=cython.int, cell=cython.int, place=cython.int)
    cdef void _assign(self, Blockers other) noexcept nogil

    @cython.locals(colour=Py_ssize_t, cell=Py_ssize_t, place=Py_ssize_t)
    cdef void _save(self, uint64_t[:, ::1] words, uint8_t[:, ::1] heaps, Py_ssize_t at) noexcept nogil
    @cython.locals(colour=Py_ssize_t, cell=Py_ssize_t, place=Py_ssize_t)
    cdef void _load(self, uint64_t[:, ::1] words, uint8_t[:, ::1] heaps, Py_ssize_t at) noexcept nogil

    cdef uint64_t _next(self) noexcept nogil
    cdef uint64_t _below(self, uint64_t stop) noexcept nogil
    @cython.locals(colour=cython.int, cell=cython.int, place=cython.int)
    cdef void _reset(self) noexcept nogil
    cdef void _deal(self) noexcept nogil
    cdef void _set_start(self, int seat) noexcept nogil
    @cython.locals(drawn=uint32_t, rest=uint32_t, face=uint32_t, count=cython.int)
    cdef uint32_t _drawn(self, uint32_t faces, int number) noexcept nogil
    cdef void _give(self, int colour, uint32_t faces) noexcept nogil
    @cython.locals(colour=cython.int, shown=bint, unseen=uint32_t)
    cpdef imagine(self, int seat)

    @cython.locals(upper=uint64_t, lower=uint64_t, colour=cython.int, listed=cython.int, first=cython.int)
    cdef int _list(self) noexcept nogil
    @cython.locals(rack=uint64_t, cells=uint64_t, face=cython.int, move=cython.int)
    cdef Py_ssize_t _list_places(
        self, int colour, int first, Py_ssize_t listed, uint64_t upper, uint64_t lower
    ) noexcept nogil
    @cython.locals(rack=uint64_t, colour=cython.int, listed=cython.int, first=cython.int)
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
    @cython.locals(salt=uint64_t, key=uint64_t, word=uint64_t, colour=cython.int, seat=cython.int)
    cdef uint64_t _key(self) noexcept nogil


@cython.final
cdef class Batch:
    cdef readonly Blockers table
    cdef readonly Py_ssize_t tables
    cdef readonly object masks, seats, over, scores, places, random
    cdef uint64_t[:, ::1] words
    cdef uint8_t[:, ::1] heaps
    cdef uint8_t[:, ::1] masks_view
    cdef uint8_t[::1] seats_view
    cdef uint8_t[::1] over_view
    cdef int32_t[:, ::1] scores_view
    cdef uint8_t[:, ::1] places_view
    cdef uint16_t[::1] random_view

    @cython.locals(at=Py_ssize_t)
    cdef _step(self, uint16_t[::1] moves)
    @cython.locals(at=Py_ssize_t)
    cdef _check(self, uint16_t[::1] moves)
    cdef void _move(self, Py_ssize_t at, int move) noexcept nogil
    @cython.locals(seat=cython.int, other=cython.int)
    cdef void _score(self, Py_ssize_t at) noexcept nogil
    @cython.locals(listed=cython.int)
    cdef void _show(self, Py_ssize_t at) noexcept nogil
