# C types of rules.py.
cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from tessella.fast.batch cimport BatchBase
from tessella.fast.bits cimport colours_of, lowest, mixed, tile_count
from tessella.fast.duel.moves cimport (
    BROKEN, CHIP_MOVE, DRAW_MOVE, LEAVE_CHOICE, MOONS, PAY_CHOICE, PLATE_MOVE, RETURN_MOVE, STACK_MOVE, STOP_MOVE,
    TILE_MOVE, WIDTH, chip_factory, encode_chip, encode_order, encode_plate, encode_return, encode_space,
    encode_take, encode_tiling, placed_plate, placed_slot, placed_way, returned_plate, space_column, space_row,
    stacked_order, take_colour, take_line, take_source, tiling_choice, tiling_seat,
)
from tessella.fast.duel.state cimport DuelTable

cdef int DEALING, DRAFTING, TILING, OVER
cdef uint64_t WORD, GOLDEN, BIT, ONES, HIGHS, PAIRS, ALL_LINES, ALL_TILES, ALL_CHIPS
cdef uint32_t ALL_PLATES, PLATES_OF_KIND
cdef int PREPARE, FIRST, ACT, STACK, DRAW, KEEP, RETURN, TILE, END
cdef int NOTHING, SHUFFLE, OPEN, FILL, REVEAL, LOOK
cdef int NOBODY, HIDDEN, FRESH, FACE, BLOCK, BROKEN_ROOM
cdef int ROWS_FACE, COLOUR_ROWS_FACE, COLUMNS_FACE, OUTER_FACE
cdef int DIAGONALS_FACE, CORNERS_FACE, JOKERS_FACE, EMPTY_SPECIALS_FACE
cdef uint64_t ROW, COLUMN, OUTER, FALLING, RISING
cdef uint64_t ONE[6]
cdef uint64_t CHIP[10]
cdef uint64_t MATCHING[5]
cdef uint8_t KINDS[80]
cdef uint16_t LINES[1024]
cdef uint8_t LINE_COUNT[128]
cdef uint8_t RUN[384]
cdef uint8_t FITS[365]
cdef uint8_t JOKERS[73]
cdef uint8_t SPECIALS[73]
cdef uint8_t SHIFT[9]
cdef uint8_t PRINTED_KIND[18]
cdef uint8_t COST[5]

@cython.locals(colours=uint64_t)
cdef bint is_single(uint64_t tiles) noexcept nogil
cdef int chip_count(uint64_t chips) noexcept nogil
@cython.locals(size=cython.int)
cdef int size(uint64_t spaces) noexcept nogil
@cython.locals(colours=uint64_t)
cdef int orders_of(uint64_t tiles) noexcept nogil
cdef bint covers(uint64_t laid, uint64_t spaces) noexcept nogil
@cython.locals(tiles=cython.int, row=cython.int)
cdef int column_of(uint64_t laid, int column) noexcept nogil


@cython.final
cdef class Duel(DuelTable):
    @cython.locals(new=Duel)
    cpdef Duel copy(self)
    cpdef assign(self, Duel other)
    cdef uint64_t _next(self) noexcept nogil
    cdef uint64_t _below(self, uint64_t stop) noexcept nogil
    @cython.locals(factory=cython.int, place=cython.int, seat=cython.int)
    cdef void _reset(self) noexcept nogil
    cdef void _reset_seat(self, int seat) noexcept nogil
    cdef void _deal(self) noexcept nogil
    @cython.locals(factory=cython.int, place=cython.int)
    cdef int _find_due(self) noexcept nogil
    cdef bint _is_to_reveal(self, int factory) noexcept nogil
    @cython.locals(number=cython.int, factory=cython.int)
    cdef int _number_due(self) noexcept nogil
    cdef void _decide(self) noexcept nogil
    @cython.locals(special=cython.uint, place=cython.int)
    cdef void _draw_kinds(self) noexcept nogil
    @cython.locals(unseen=uint32_t, place=cython.int, face=cython.int)
    cdef void _draw_plates(self) noexcept nogil
    @cython.locals(number=cython.int)
    cdef int _pick(self, uint64_t plates) noexcept nogil
    @cython.locals(chips=uint64_t, number=uint64_t, place=cython.int, factory=cython.int, chip=cython.int)
    cdef void _draw_chips(self) noexcept nogil
    @cython.locals(bag=uint64_t, tower=uint64_t, again=cython.bint, factory=cython.int)
    cdef void _draw_factories(self) noexcept nogil
    @cython.locals(bag=uint64_t, tiles=uint64_t, reached=uint64_t, number=uint64_t, beyond=uint64_t, colour=cython.int)
    cdef void _draw_tiles(self, int factory) noexcept nogil
    @cython.locals(place=cython.int)
    cdef void _resolve(self) noexcept nogil
    @cython.locals(place=cython.int)
    cdef void _open_plates(self) noexcept nogil
    @cython.locals(place=cython.int, factory=cython.int)
    cdef void _reveal(self) noexcept nogil
    @cython.locals(factory=cython.int, seat=cython.int)
    cdef void _fill(self) noexcept nogil
    cdef void _fill_factory(self, int factory) noexcept nogil
    @cython.locals(colour=cython.int)
    cdef bint _may_draw_again(self) noexcept nogil
    @cython.locals(
        seat=cython.int, kinds=cython.int, place=cython.int, last=cython.int, face=cython.int, known=cython.int,
        others=cython.int, back=uint16_t,
    )
    cdef void _look(self) noexcept nogil
    @cython.locals(
        kind=cython.int, free=uint32_t, lost=uint32_t, chosen=uint32_t, places=cython.int, place=cython.int,
        number=cython.int, face=cython.int, back=cython.int,
    )
    cdef void _imagine(self, int viewer) noexcept nogil
    @cython.locals(known=cython.int)
    cdef bint _is_hidden(self, int place, int kind, int viewer) noexcept nogil
    @cython.locals(seat=cython.int, listed=cython.int, factory=cython.int, place=cython.int)
    cdef int _list(self) noexcept nogil
    cdef bint _can_afford_draw(self, int seat) noexcept nogil
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
    @cython.locals(row=cython.int, columns=cython.int, payment=cython.int)
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
    cdef void _shatter(self, int seat, int colour, int number) noexcept nogil
    cdef void _stack_leftover(self, int order) noexcept nogil
    @cython.locals(rest=uint64_t, colour=cython.int, orders=cython.int)
    cdef void _pile(self, int factory, int order) noexcept nogil
    cdef void _take_chip(self, int factory) noexcept nogil
    cdef void _end_turn(self) noexcept nogil
    cdef void _go_on(self) noexcept nogil
    cdef void _name_phase(self) noexcept nogil
    @cython.locals(revealed=cython.int, factory=cython.int)
    cdef bint _can_act(self, int seat) noexcept nogil
    @cython.locals(row=cython.int, held=cython.int, columns=cython.int)
    cdef void _tile_dome(self, int seat) noexcept nogil
    cdef int _free_columns(self, int seat, int row) noexcept nogil
    @cython.locals(columns=cython.int, place=cython.int, fits=cython.int)
    cdef int _columns_for(self, int seat, int row, int colour) noexcept nogil
    @cython.locals(row=cython.int, colour=cython.int, laid=uint64_t, points=cython.int)
    cdef void _place(self, int seat, int column) noexcept nogil
    @cython.locals(left=uint64_t)
    cdef void _place_special(self, int seat, int slot) noexcept nogil
    @cython.locals(row=cython.int, held=cython.int, slot=cython.int, plated=cython.bint)
    cdef void _leave(self, int seat) noexcept nogil
    cdef void _empty_line(self, int seat, int row) noexcept nogil
    @cython.locals(score=cython.int)
    cdef void _score_broken(self, int seat) noexcept nogil
    @cython.locals(row=cython.int, missing=cython.int, chips=uint64_t, matching=cython.int, others=cython.int)
    cdef bint _can_pay(self, int seat) noexcept nogil
    @cython.locals(row=cython.int, missing=cython.int, matching=cython.int, more=cython.int)
    cdef int _list_payments(self, int seat) noexcept nogil
    @cython.locals(number=cython.int, wanted=cython.int)
    cdef void _gather(self, int at, int matching, int more, uint64_t chips, uint64_t payment) noexcept nogil
    @cython.locals(row=cython.int)
    cdef void _choose_tiling(self, int seat, int choice) noexcept nogil
    @cython.locals(seat=cython.int)
    cdef void _finish_round(self) noexcept nogil
    cdef int _favoured(self) noexcept nogil
    cdef bint _is_better(self, int seat, int other) noexcept nogil
    @cython.locals(laid=uint64_t, points=cython.int, row=cython.int, column=cython.int)
    cdef int _face_points(self, int seat) noexcept nogil
    @cython.locals(spaces=uint64_t, slot=cython.int)
    cdef uint64_t _joker_spaces(self, int seat) noexcept nogil
    @cython.locals(spaces=uint64_t, slot=cython.int)
    cdef uint64_t _special_spaces(self, int seat) noexcept nogil
    @cython.locals(rows=cython.int, row=cython.int)
    cdef int _colour_rows(self, int seat) noexcept nogil
    @cython.locals(special=uint64_t, colours=cython.int, colour=cython.int)
    cdef int _colours_of_row(self, int seat, int row) noexcept nogil
    cpdef apply(self, int move)
    cpdef bint is_legal(self, int move)
    @cython.locals(listed=cython.int, place=cython.int)
    cpdef list moves(self)
    @cython.locals(listed=cython.int)
    cpdef int choose(self) except -1
    cpdef int seat(self)
    cdef int _seat(self) noexcept nogil
    cpdef long playout(self)
    @cython.locals(plies=long, listed=cython.int)
    cdef long _playout(self) noexcept nogil
    @cython.locals(table=Duel, games=long)
    cpdef tuple playouts(self, long games)
    @cython.locals(seat=cython.int)
    cdef void _playouts(self, Duel root, long games) noexcept nogil
    cpdef uint64_t key(self)
    cpdef to_move(self, int number)
    @cython.locals(after=Duel)
    cdef _to_stack(self, int order)


@cython.final
cdef class Batch(BatchBase):
    cdef readonly Duel table

    @cython.locals(seat=cython.int, other=cython.int)
    cdef void _score(self, Py_ssize_t at) noexcept nogil
