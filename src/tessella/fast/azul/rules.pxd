# C types of rules.py.
cimport cython
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from tessella.fast.azul.moves cimport (
    FLOOR, encode_pair, encode_place, first_place, pair_colour, place_column, place_row, place_seat, take_colour,
    take_line, take_source,
)
from tessella.fast.azul.state cimport AzulTable, complete
from tessella.fast.batch cimport BatchBase
from tessella.fast.bits cimport colours_of, lowest, mixed, tile_count

cdef int DEALING, DRAFTING, TILING, OVER
cdef uint64_t ALL_TILES, BIT, EVERY_COLOUR, EVERY_LINE, FLOORS, GOLDEN, HIGHS, ONES, WORD
cdef int FLOOR_SPACES, IN_CENTRE, MARKER_NIBBLE, NOWHERE, ROUNDS
cdef uint32_t NIBBLES
cdef uint8_t COLUMN[25]
cdef uint16_t LINES[512]
cdef uint8_t LINE_COUNT[64]
cdef uint8_t LOWEST[32]
cdef uint64_t ONE[5]
cdef uint8_t PENALTY[9]
cdef uint8_t RUN[160]
cdef uint8_t SET_SIZE[32]


@cython.final
cdef class Azul(AzulTable):
    @cython.locals(new=Azul)
    cpdef Azul copy(self)
    cpdef assign(self, Azul other)

    cdef uint64_t _next(self) noexcept nogil
    cdef uint64_t _below(self, uint64_t stop) noexcept nogil
    @cython.locals(source=cython.int, seat=cython.int, row=cython.int)
    cdef void _reset(self) noexcept nogil
    @cython.locals(
        bag=uint64_t, tiles=uint64_t, reached=uint64_t, number=uint64_t, beyond=uint64_t, present=uint64_t,
        factory=cython.int, colour=cython.int,
    )
    cdef void _deal(self) noexcept nogil
    cdef void _fill(self, int factory, uint64_t tiles) noexcept nogil
    cdef void _start_round(self) noexcept nogil

    @cython.locals(
        accepted=uint64_t, present=uint64_t, pair=cython.uint, listed=Py_ssize_t, first=uint16_t, lines=Py_ssize_t,
        lane=Py_ssize_t,
    )
    cdef int _list(self) noexcept nogil
    @cython.locals(listed=cython.int, seat=cython.int, row=cython.int, column=cython.int, columns=cython.int)
    cdef int _list_places(self) noexcept nogil
    @cython.locals(width=Py_ssize_t, listed=Py_ssize_t, move=Py_ssize_t, place=Py_ssize_t)
    cdef int _list_mask(self, uint8_t[:, ::1] masks, Py_ssize_t at) noexcept nogil
    @cython.locals(first=cython.int)
    cdef int _own_places(self, int listed) noexcept nogil
    @cython.locals(colour=cython.int, lines=uint64_t, seat=cython.int, row=cython.int, column=cython.int)
    cdef bint _is_legal(self, int move) noexcept nogil
    @cython.locals(seat=cython.int)
    cdef void _apply(self, int move) noexcept nogil
    @cython.locals(
        source=cython.int, colour=cython.int, line=cython.int, seat=cython.int, shift=cython.int, number=cython.int,
        held=cython.int, laid=cython.int, tiles=uint64_t, lines=uint64_t,
    )
    cdef void _take(self, int move) noexcept nogil
    cdef void _take_marker(self, int seat) noexcept nogil
    @cython.locals(fallen=cython.int, pieces=uint32_t)
    cdef void _fall(self, int seat, int colour, int number) noexcept nogil

    @cython.locals(held=uint64_t, row=cython.int)
    cdef int _next_row(self, int seat) noexcept nogil
    @cython.locals(colour=cython.int)
    cdef int _open_columns(self, int seat, int row) noexcept nogil
    @cython.locals(seat=cython.int)
    cdef void _tile_walls(self) noexcept nogil
    @cython.locals(held=uint64_t, row=cython.int, columns=cython.int)
    cdef void _tile_wall(self, int seat) noexcept nogil
    @cython.locals(colour=cython.int, points=cython.int)
    cdef void _tile(self, int seat, int row, int column) noexcept nogil
    cdef void _drop(self, int seat, int row) noexcept nogil
    cdef void _empty_line(self, int seat, int row) noexcept nogil
    @cython.locals(score=cython.int)
    cdef void _score_floor(self, int seat) noexcept nogil

    cdef bint _is_better(self, int seat, int other) noexcept nogil
    @cython.locals(seat=cython.int)
    cdef void _finish_round(self) noexcept nogil
    @cython.locals(seat=cython.int)
    cdef bint _is_ending(self) noexcept nogil
    cdef int _complete_rows(self, int seat) noexcept nogil
    @cython.locals(bonus=cython.int, colour=cython.int)
    cdef int _bonus(self, int seat) noexcept nogil

    cpdef apply(self, int move)
    cpdef bint is_legal(self, int move)
    @cython.locals(listed=cython.int, place=cython.int)
    cpdef list moves(self)
    @cython.locals(listed=cython.int)
    cpdef int choose(self) except -1
    cpdef int seat(self)
    @cython.locals(seat=cython.int)
    cdef int _seat(self) noexcept nogil
    cpdef long playout(self)
    @cython.locals(plies=long, listed=cython.int)
    cdef long _playout(self) noexcept nogil
    @cython.locals(table=Azul, games=long)
    cpdef tuple playouts(self, long games)
    @cython.locals(seat=cython.int)
    cdef void _playouts(self, Azul root, long games) noexcept nogil

    cpdef uint64_t key(self)


@cython.final
cdef class Batch(BatchBase):
    cdef readonly Azul table

    @cython.locals(seat=cython.int, other=cython.int)
    cdef void _score(self, Py_ssize_t at) noexcept nogil
