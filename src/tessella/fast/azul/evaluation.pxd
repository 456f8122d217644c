# C types of evaluation.py.
cimport cython
from libc.math cimport exp
from libc.stdint cimport uint32_t, uint64_t

from tessella.fast.azul.rules cimport Azul, COLUMN, LOWEST, ONE, PENALTY, ROUNDS, RUN, SET_SIZE
from tessella.fast.azul.net cimport SLOTS, Net
from tessella.fast.azul.state cimport complete

cdef extern from *:
    """
    #define whole(number) ((int)(number))
    """
    int whole(double number) noexcept nogil

cdef int BAG, COLOUR_OF, COLUMN_OF, LID, LINE, MOST_POINTS, NEXT, ROW, TENS
cdef int WIN_VALUE, NEIGHBOUR_VALUE, INFINITE, START_VALUE
cdef int BONUS_PERCENT[30]
cdef int LATER_PERCENT[5]
cdef int FILL_PERCENT[5]
cdef double SLOPE[5]


cdef class Evaluator:
    cdef Azul table
    cdef Net net
    cdef bint has_net, selective
    cdef uint32_t wall[4]
    cdef uint32_t turned[4]
    cdef uint64_t taken[4]
    cdef uint64_t columns[4]
    cdef int points[4]
    cdef int fallen[4]
    cdef int expected_score[4]
    cdef double win_probability[4]
    cdef int me

    @cython.locals(rounds=cython.int)
    cdef int _evaluate(self) noexcept nogil
    @cython.locals(rounds=cython.int, seat=cython.int, missing=cython.int)
    cdef int _rounds_left(self) noexcept nogil
    @cython.locals(most=cython.int, row=cython.int, tiles=cython.int)
    cdef int _tiles_to_complete_row(self, int seat) noexcept nogil
    cdef int _starter(self) noexcept nogil
    @cython.locals(seat=cython.int)
    cdef int _net_value(self) noexcept nogil
    @cython.locals(lid=uint64_t, seat=cython.int)
    cdef void _encode(self, int rounds) noexcept nogil
    @cython.locals(tiles=uint64_t, row=cython.int)
    cdef uint64_t _tiles_to_lid(self, int seat) noexcept nogil
    @cython.locals(colour=cython.int)
    cdef void _encode_shared(self, int rounds, uint64_t lid) noexcept nogil
    @cython.locals(at=cython.int, points=cython.int, group=cython.int, line=cython.int)
    cdef void _encode_board(self, int seat) noexcept nogil
    @cython.locals(
        row=cython.int, held=cython.int, laid=cython.int, after=cython.int, colour=cython.int, column=cython.int,
    )
    cdef void _encode_line(self, int seat, int line) noexcept nogil
    @cython.locals(points=cython.int)
    cdef int _points_after_floor(self, int seat) noexcept nogil
    @cython.locals(expected=cython.int, group=cython.int)
    cdef int _expected_bonuses(self, int seat, int rounds) noexcept nogil
    @cython.locals(bonus=cython.int, colour=cython.int)
    cdef int _final_bonus(self, int seat) noexcept nogil
    @cython.locals(
        expected=cython.int, row=cython.int, held=cython.int, colour=cython.int, column=cython.int, likely=cython.int,
    )
    cdef int _expected_lines(self, int seat, int rounds) noexcept nogil
    @cython.locals(empty=cython.int, spaces=cython.int, points=cython.int)
    cdef int _mean_points(self, int seat, int row) noexcept nogil
    @cython.locals(points=cython.int)
    cdef int _space_points(self, int seat, int row, int column) noexcept nogil
    @cython.locals(beside=cython.int)
    cdef int _space_value(self, int seat, int row, int column, int colour) noexcept nogil
    @cython.locals(columns=cython.int, best=cython.int, most=cython.int, column=cython.int, value=cython.int)
    cdef int _column(self, int seat, int row, int colour) noexcept nogil
    cdef int _open_columns(self, int seat, int row, int colour) noexcept nogil
    @cython.locals(slope=cython.double, best=cython.int, total=cython.double, seat=cython.int)
    cdef void _set_win_by_expected_score(self, int rounds) noexcept nogil
    @cython.locals(best=cython.int, winners=cython.int, seat=cython.int, rank=cython.int)
    cdef void _set_win_by_place(self) noexcept nogil
    @cython.locals(best=cython.int, seat=cython.int)
    cdef int _lead(self) noexcept nogil
