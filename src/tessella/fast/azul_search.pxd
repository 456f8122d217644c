# The types with which azul_search.py is compiled.
cimport cython
from libc.math cimport exp
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from tessella.fast.azul cimport Azul, lowest
from tessella.fast.azul_table cimport complete
from tessella.fast.azul cimport (
    COLUMN, EVERY_COLOUR, FLOOR, FLOORS, GOLDEN, IN_CENTRE, LINE_COUNT, LINES, LOWEST, ONE, PENALTY, ROUNDS, RUN,
    SET_SIZE, WORD,
)

from tessella.fast.azul_net cimport PAIR, SLOTS, Net

cdef extern from *:
    """
    #ifdef _WIN32
    #include <windows.h>
    static double thread_seconds(void) {
        FILETIME made, ended, kernel, user;
        GetThreadTimes(GetCurrentThread(), &made, &ended, &kernel, &user);
        return 1e-7 * (4294967296.0 * ((double)kernel.dwHighDateTime + user.dwHighDateTime)
                       + (double)kernel.dwLowDateTime + user.dwLowDateTime);
    }
    #else
    #include <time.h>
    static double thread_seconds(void) {
        struct timespec now;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    }
    #endif
    #define whole(number) ((int)(number))
    """
    double thread_seconds() noexcept nogil
    int whole(double number) noexcept nogil

cdef int FULL, SECOND, ENDED_SHIFT, DRAFTING, TILING, PLIES, MOVES, KEPT, ENTRIES, PATIENCE, EXACT, AT_LEAST, AT_MOST, WHOLE, FAR, WIN
cdef int BAG, COLOUR_OF, COLUMN_OF, LID, LINE, MOST_POINTS, NEXT, ROW, TENS
cdef int STARTED, BESIDE, FIRST_NEXT
cdef int CHANCE[30]
cdef int LATER[5]
cdef int FILLED[5]
cdef double SLOPE[5]


@cython.final
cdef class Search:
    cdef Azul table
    cdef Net net
    cdef bint learned, selective
    cdef readonly int64_t nodes
    cdef readonly int depth, value, best
    cdef readonly bint stopped
    cdef bint cut
    cdef int me, slack, listed
    cdef int32_t looked[336]
    cdef int64_t most
    cdef double until
    cdef uint64_t salt
    cdef uint64_t kept[360]
    cdef int played[40]
    cdef uint16_t moves[13440]
    cdef int32_t orders[13440]
    cdef uint64_t keys[131072]
    cdef int32_t values[131072]
    cdef int16_t hints[131072]
    cdef uint8_t depths[131072]
    cdef uint8_t bounds[131072]
    cdef int worths[100]
    cdef uint32_t wall[4]
    cdef uint32_t turned[4]
    cdef uint64_t taken[4]
    cdef uint64_t columns[4]
    cdef int points[4]
    cdef int fallen[4]
    cdef int promise[4]
    cdef double share[4]
    cdef uint64_t ended_keys[1024]
    cdef uint64_t ended_lids[1024]
    cdef uint8_t ended_rounds[1024]
    cdef int16_t ended_sums[65536]

    cpdef int think(self, Azul table, int seat, int64_t nodes=*, double seconds=*) except -1
    cpdef int worth(self, Azul table, int seat)
    cdef int _compare(self, int slack) noexcept nogil
    @cython.locals(one=cython.int)
    cdef void _begin(self, Azul table, int seat) noexcept nogil
    cdef void _decide(self) noexcept nogil
    @cython.locals(value=cython.int)
    cdef void _deepen(self) noexcept nogil
    @cython.locals(key=uint64_t, slot=Py_ssize_t, hint=cython.int, was_cut=cython.bint, value=cython.int)
    cdef int _read(self, int ply, int depth, int low, int high) noexcept nogil
    cdef void _count(self) noexcept nogil
    cdef bint _settles(self, Py_ssize_t slot, int low, int high) noexcept nogil
    @cython.locals(
        mine=cython.bint, best=cython.int, best_move=cython.int, listed=cython.int, place=cython.int, move=cython.int,
        value=cython.int,
    )
    cdef int _read_moves(self, int ply, int depth, int low, int high, int hint) noexcept nogil
    @cython.locals(less=cython.int, value=cython.int)
    cdef int _read_move(self, int ply, int depth, int low, int high, int place) noexcept nogil
    @cython.locals(first=cython.int, best=cython.int, other=cython.int, move=cython.int, order=cython.int)
    cdef int _next_move(self, int ply, int place, int listed) noexcept nogil
    @cython.locals(seat=cython.int, at=cython.int)
    cdef void _take(self, int ply, int move) noexcept nogil
    @cython.locals(seat=cython.int, at=cython.int)
    cdef void _take_back(self, int ply) noexcept nogil

    @cython.locals(
        accepted=uint64_t, present=uint64_t, at=cython.int, pair=cython.int, lines=cython.int,
        place=cython.int, move=cython.int,
    )
    cdef int _list(self, int ply, int hint) noexcept nogil
    @cython.locals(present=uint64_t, tiles=uint64_t, factory=cython.int, other=cython.int)
    cdef uint64_t _different(self) noexcept nogil
    @cython.locals(
        seat=cython.int, source=cython.int, colour=cython.int, line=cython.int, number=cython.int,
        fallen=cython.int, gain=cython.int, held=cython.int, worth=cython.int, missing=cython.int,
    )
    cdef int _first_sight(self, int move) noexcept nogil
    @cython.locals(row=cython.int, colour=cython.int, column=cython.int)
    cdef void _look(self, int seat) noexcept nogil
    @cython.locals(beside=cython.int)
    cdef int _space_worth(self, int seat, int row, int column, int colour) noexcept nogil
    @cython.locals(points=cython.int)
    cdef int _space_points(self, int seat, int row, int column) noexcept nogil
    @cython.locals(columns=cython.int, best=cython.int, most=cython.int, column=cython.int, worth=cython.int)
    cdef int _column(self, int seat, int row, int colour) noexcept nogil
    cdef int _open_columns(self, int seat, int row, int colour) noexcept nogil
    @cython.locals(at=cython.int, value=cython.int)
    cdef int _play_out(self, int ply) noexcept nogil
    @cython.locals(
        accepted=uint64_t, present=uint64_t, best=cython.int, most=cython.int, pair=cython.int,
        lines=cython.int, place=cython.int, move=cython.int, gain=cython.int,
    )
    cdef int _best_at_sight(self) noexcept nogil

    @cython.locals(seat=cython.int, row=cython.int)
    cdef void _choose_column(self) noexcept nogil
    @cython.locals(
        seat=cython.int, colour=cython.int, columns=cython.int, fallen=cython.int, value=cython.int, best=cython.int,
        best_column=cython.int, column=cython.int, points=cython.int,
    )
    cdef int _best_columns(self, int row) noexcept nogil
    cdef void _lay(self, int seat) noexcept nogil
    @cython.locals(row=cython.int, colour=cython.int, column=cython.int)
    cdef void _tile(self, int seat) noexcept nogil
    cdef void _put(self, int seat, int row, int column, int colour) noexcept nogil

    cdef int _value(self) noexcept nogil
    @cython.locals(lid=uint64_t, rounds=cython.int, seat=cython.int, ended=Py_ssize_t, place=Py_ssize_t)
    cdef int _learned_value(self) noexcept nogil
    @cython.locals(key=uint64_t, ended=Py_ssize_t, place=Py_ssize_t)
    cdef Py_ssize_t _ended(self, int seat) noexcept nogil
    @cython.locals(rounds=cython.int)
    cdef int _weigh(self) noexcept nogil
    @cython.locals(rounds=cython.int, seat=cython.int, missing=cython.int)
    cdef int _coming(self) noexcept nogil
    @cython.locals(most=cython.int, row=cython.int, tiles=cython.int)
    cdef int _missing(self, int seat) noexcept nogil
    cdef int _starter(self) noexcept nogil
    @cython.locals(seat=cython.int)
    cdef int _net_value(self) noexcept nogil
    cdef void _lay_out(self, Azul table) noexcept nogil
    @cython.locals(lid=uint64_t, seat=cython.int)
    cdef void _show(self, int rounds) noexcept nogil
    @cython.locals(tiles=uint64_t, row=cython.int)
    cdef uint64_t _given_back(self, int seat) noexcept nogil
    @cython.locals(colour=cython.int)
    cdef void _show_shared(self, int rounds, uint64_t lid) noexcept nogil
    @cython.locals(at=cython.int, points=cython.int, group=cython.int, line=cython.int)
    cdef void _show_board(self, int seat) noexcept nogil
    @cython.locals(
        row=cython.int, held=cython.int, laid=cython.int, after=cython.int, colour=cython.int, column=cython.int,
    )
    cdef void _show_line(self, int seat, int line) noexcept nogil
    @cython.locals(points=cython.int)
    cdef int _settled(self, int seat) noexcept nogil
    @cython.locals(hope=cython.int, group=cython.int)
    cdef int _bonuses(self, int seat, int rounds) noexcept nogil
    @cython.locals(bonus=cython.int, colour=cython.int)
    cdef int _earned(self, int seat) noexcept nogil
    @cython.locals(
        hope=cython.int, row=cython.int, held=cython.int, colour=cython.int, column=cython.int, likely=cython.int,
    )
    cdef int _rows(self, int seat, int rounds) noexcept nogil
    @cython.locals(empty=cython.int, spaces=cython.int, points=cython.int)
    cdef int _usual_points(self, int seat, int row) noexcept nogil
    @cython.locals(slope=cython.double, best=cython.int, total=cython.double, seat=cython.int)
    cdef void _share_by_promise(self, int rounds) noexcept nogil
    @cython.locals(best=cython.int, winners=cython.int, seat=cython.int, rank=cython.int)
    cdef void _share_by_place(self) noexcept nogil
    @cython.locals(best=cython.int, seat=cython.int)
    cdef int _lead(self) noexcept nogil
