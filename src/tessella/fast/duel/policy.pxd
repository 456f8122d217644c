# C types of policy.py.
cimport cython
from libc.stdint cimport int64_t, uint64_t

from tessella.fast.bits cimport colours_of, lowest
from tessella.fast.duel.moves cimport (
    BROKEN, DRAW_MOVE, LEAVE_CHOICE, MOONS, PAY_CHOICE, PLATE_MOVE, STOP_MOVE, encode_chip, encode_order,
    encode_plate, encode_return, encode_space, encode_take, encode_tiling, placed_plate,
)
from tessella.fast.duel.rules cimport (
    ACT, BIT, BLOCK, CHIP, COLOUR_ROWS_FACE, COLUMNS_FACE, CORNERS_FACE, COST, DIAGONALS_FACE, DRAW,
    EMPTY_SPECIALS_FACE, FACE, FALLING, FIRST, FITS, HIDDEN, JOKERS, JOKERS_FACE, KEEP, LINE_COUNT, MATCHING, NOBODY,
    ONE, OUTER, OUTER_FACE, PREPARE, RETURN, RISING, ROWS_FACE, RUN, SHIFT, SPECIALS, STACK, TILE, Duel, chip_count,
    column_of, orders_of, size,
)

cdef int DEALING, OVER
cdef double NO_SPACE, STARTED, PAID_FOR, WAITING, STUCK, SPACE, JOKER_FRACTION, CHIP_VALUE, MATCHING_CHIP, SPENT_CHIP
cdef double LAST_CHIP, START_COST, FIRST_NEXT, UNSEEN_PLATE, ANOTHER_PLATE, NO_PLATE
cdef double FILLS[6]
cdef double SPECIAL_FRACTION[4]


@cython.final
cdef class RolloutPolicy:
    cdef Duel table
    cdef int64_t moves_made
    cdef int stale, tiles_first, plates_at
    cdef double space[72]
    cdef double best[60]
    cdef int column[6]
    cdef int plate_move[2]
    cdef double plate_value[2]
    cdef int moves[960]
    cdef double values[960]

    @cython.locals(place=cython.int)
    cdef void _copy_from(self, RolloutPolicy other) noexcept nogil
    cdef void _play(self, int move) noexcept nogil
    cdef void _resolve_chance(self) noexcept nogil
    cdef void _mark_stale(self) noexcept nogil
    cdef int _mover(self) noexcept nogil
    @cython.locals(laid=uint64_t, column=cython.int, slot=cython.int, row=cython.int, colour=cython.int)
    cdef void _evaluate_dome(self, int seat) noexcept nogil
    @cython.locals(
        laid=uint64_t, there=cython.int, way=cython.int, common=double, place=cython.int, row=cython.int,
        column=cython.int, across=cython.int, points=cython.int, value=double,
    )
    cdef void _evaluate_slot(self, int seat, int slot) noexcept nogil
    cdef double _special_value(self, int way, int slot) noexcept nogil
    @cython.locals(columns=cython.int, best=double)
    cdef double _best_space(self, int seat, int row, int colour) noexcept nogil
    @cython.locals(colours=cython.int, other=cython.int)
    cdef double _new_colour(self, int seat, int row, int colour) noexcept nogil
    cdef double _later(self) noexcept nogil
    @cython.locals(best=double, missing=cython.int)
    cdef double _line(self, int seat, int row, int colour, int held) noexcept nogil
    @cython.locals(slot=cython.int)
    cdef bint _waits(self, int seat, int row) noexcept nogil
    cdef int _held(self, int seat, int row) noexcept nogil
    cdef int _hue(self, int seat, int row) noexcept nogil
    @cython.locals(seat=cython.int, listed=cython.int, place=cython.int)
    cdef int _evaluate_moves(self) noexcept nogil
    cdef bint _may_draw(self, int seat, int listed) noexcept nogil
    @cython.locals(listed=cython.int, place=cython.int)
    cdef int _evaluate_others(self, int seat) noexcept nogil
    @cython.locals(
        listed=cython.int, source=cython.int, colours=uint64_t, colour=cython.int, number=cython.int, gain=double,
        lines=uint64_t,
    )
    cdef int _evaluate_takes(self, int seat) noexcept nogil
    @cython.locals(number=cython.int, factory=cython.int)
    cdef int _number(self, int source, int colour) noexcept nogil
    cdef bint _brings_start(self, int source, int colour) noexcept nogil
    @cython.locals(held=cython.int, laid=cython.int, value=double)
    cdef double _lay_value(self, int seat, int line, int colour, int number) noexcept nogil
    @cython.locals(broken=cython.int)
    cdef double _break_cost(self, int seat, int number) noexcept nogil
    @cython.locals(orders=cython.int, rest=uint64_t, order=cython.int)
    cdef int _evaluate_orders(self, int seat) noexcept nogil
    @cython.locals(most=double, lines=uint64_t, gain=double)
    cdef double _best_gain(self, int seat, int colour) noexcept nogil
    @cython.locals(factory=cython.int)
    cdef int _evaluate_chips(self, int seat, int listed) noexcept nogil
    @cython.locals(colours=cython.int, row=cython.int)
    cdef int _lines_helped(self, int seat, int chip) noexcept nogil
    @cython.locals(slot=cython.int, way=cython.int)
    cdef int _evaluate_slots(self, int seat, int plate, int listed) noexcept nogil
    @cython.locals(later=double, gain=double, place=cython.int, row=cython.int, spot=uint64_t, space=double)
    cdef double _plate_gain(self, int seat, int way, int slot) noexcept nogil
    @cython.locals(
        row=cython.int, held=cython.int, colour=cython.int, fits=cython.int, at=cython.int, best=double, before=double,
        space=double, gain=double,
    )
    cdef double _room(self, int seat, int way, int slot, int half) noexcept nogil
    @cython.locals(
        row=cython.int, colour=cython.int, listed=cython.int, columns=cython.int, best=double,
        kept=double, payment=cython.int,
    )
    cdef int _evaluate_tiling(self, int seat) noexcept nogil
    cdef double _price(self, uint64_t chips) noexcept nogil
    @cython.locals(seat=cython.int, listed=cython.int)
    cdef int _best_move(self) noexcept nogil
    @cython.locals(best=cython.int, place=cython.int)
    cdef int _best_of(self, int listed) noexcept nogil
    @cython.locals(place=cython.int)
    cdef bint _is_open(self, int move) noexcept nogil
    @cython.locals(first=cython.int, place=cython.int)
    cdef void _find_plate_move(self, int seat, int listed) noexcept nogil
    cdef void _finish(self) noexcept nogil
    cdef bint _is_done(self) noexcept nogil
