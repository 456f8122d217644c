# The types with which duel_rules.py is compiled.
cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint64_t

from tessella.fast.duel_table cimport (
    ACT, BIT, CHIP, DRAW, END, FACE, FIRST, HIDDEN, KEEP, LINES, LINE_COUNT, NOBODY, NOTHING, ONE, ONES, PREPARE,
    RETURN, STACK, TILE, colours_of, is_single, tile_count,
)
from tessella.fast.duel_tiling cimport LEAVE_MOVE, PAY_MOVE, DuelTiling

cdef extern from *:
    """
    #ifdef _MSC_VER
    #include <intrin.h>
    static __inline int lowest(unsigned __int64 word) { unsigned long at; _BitScanForward64(&at, word); return (int)at; }
    #else
    #define lowest __builtin_ctzll
    #endif
    """
    int lowest(uint64_t word) noexcept nogil

cdef int DEALING, DRAFTING, OVER, TILING
cdef int CHIP_MOVE, PLATE_MOVE, DRAW_MOVE, STOP_MOVE, STACK_MOVE, RETURN_MOVE, TILE_MOVE, SEAT_MOVES, WIDTH
cdef int MOONS, BROKEN

@cython.locals(colours=uint64_t)
cdef int orders_of(uint64_t tiles) noexcept nogil


cdef class DuelRules(DuelTiling):
    @cython.locals(seat=cython.int, listed=cython.int, factory=cython.int, place=cython.int)
    cdef int _list(self) noexcept nogil
    @cython.locals(
        listed=Py_ssize_t, source=cython.int, colours=uint64_t, colour=cython.int, lines=Py_ssize_t, first=uint16_t,
        lane=Py_ssize_t,
    )
    cdef int _list_takes(self, int seat) noexcept nogil
    @cython.locals(colours=uint64_t, factory=cython.int)
    cdef uint64_t _moon_colours(self) noexcept nogil
    @cython.locals(slot=cython.int, way=cython.int)
    cdef int _list_slots(self, int seat, int plate, int listed) noexcept nogil
    @cython.locals(listed=cython.int, place=cython.int)
    cdef int _list_others(self, int seat) noexcept nogil
    @cython.locals(row=cython.int, first=cython.int, columns=cython.int, payment=cython.int)
    cdef int _list_tiling(self, int seat, int listed) noexcept nogil
    @cython.locals(listed=cython.int, move=Py_ssize_t, place=cython.int)
    cdef int _list_mask(self, uint8_t[:, ::1] masks, Py_ssize_t at) noexcept nogil
    @cython.locals(place=cython.int)
    cdef bint _is_legal(self, int move) noexcept nogil
    cdef void _apply(self, int move) noexcept nogil
    @cython.locals(seat=cython.int, place=cython.int)
    cdef void _place_plate(self, int plate, int slot, int way) noexcept nogil
    @cython.locals(seat=cython.int)
    cdef void _draw(self) noexcept nogil
    cdef void _stop(self) noexcept nogil
    @cython.locals(back=uint16_t, place=cython.int)
    cdef void _return(self, int plate) noexcept nogil
    cdef void _return_rest(self) noexcept nogil
    @cython.locals(back=uint16_t, place=cython.int)
    cdef uint16_t _drop_from_hand(self, int plate) noexcept nogil
    @cython.locals(seat=cython.int, number=cython.int, held=cython.int, laid=cython.int)
    cdef void _take(self, int source, int colour, int line) noexcept nogil
    @cython.locals(number=cython.int, rest=uint64_t)
    cdef int _take_sun(self, int factory, int colour) noexcept nogil
    @cython.locals(number=cython.int, factory=cython.int)
    cdef int _take_moons(self, int colour) noexcept nogil
    cdef void _stack_leftover(self, int order) noexcept nogil
    @cython.locals(rest=uint64_t, colour=cython.int, orders=cython.int)
    cdef void _pile(self, int factory, int order) noexcept nogil
    cdef void _take_chip(self, int factory) noexcept nogil
    cdef void _end_turn(self) noexcept nogil
    cdef void _deal(self) noexcept nogil
    cdef void _go_on(self) noexcept nogil
    cdef void _name_phase(self) noexcept nogil
    @cython.locals(revealed=cython.int, factory=cython.int)
    cdef bint _can_act(self, int seat) noexcept nogil
    @cython.locals(seat=cython.int)
    cdef void _finish_round(self) noexcept nogil
    cdef int _favoured(self) noexcept nogil
    cdef int _seat(self) noexcept nogil
    @cython.locals(plies=long, listed=cython.int)
    cdef long _playout(self) noexcept nogil
