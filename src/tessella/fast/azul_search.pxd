# The types with which azul_search.py is compiled.
cimport cython
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from tessella.fast.azul cimport (
    EVERY_COLOUR, FLOOR, FLOORS, GOLDEN, IN_CENTRE, LINE_COUNT, LINES, LOWEST, ONE, PENALTY, ROUNDS, WORD, Azul, lowest,
)
from tessella.fast.azul_boards cimport FAR, FIRST_NEXT, Boards
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
    """
    double thread_seconds() noexcept nogil

cdef int FULL, SECOND, ENDED_SHIFT, DRAFTING, TILING, PLIES, MOVES, KEPT, ENTRIES, PATIENCE, EXACT, AT_LEAST, AT_MOST
cdef int WHOLE
cdef int STARTED


@cython.final
cdef class Search(Boards):
    cdef readonly int64_t nodes
    cdef readonly int depth, value, best
    cdef readonly bint stopped
    cdef bint cut
    cdef int slack, listed
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
    cdef void _lay_out(self, Azul table) noexcept nogil
