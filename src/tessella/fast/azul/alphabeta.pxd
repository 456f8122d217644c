# C types of alphabeta.py.
cimport cython
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from tessella.fast.azul.evaluation cimport INFINITE, START_VALUE, Evaluator
from tessella.fast.azul.moves cimport (
    FLOOR, encode_pair, encode_place, pair_colour, take_colour, take_line, take_source,
)
from tessella.fast.azul.net cimport PAIR, SLOTS, Net
from tessella.fast.azul.rules cimport (
    EVERY_COLOUR, FLOORS, GOLDEN, IN_CENTRE, LINE_COUNT, LINES, LOWEST, ONE, PENALTY, ROUNDS, WORD, Azul,
)
from tessella.fast.bits cimport lowest

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

cdef int FULL_DEPTH_MOVES, REDUCED_MOVES, CACHE_SHIFT, DRAFTING, TILING, PLIES, MOVES, UNDO_WORDS, ENTRIES, CLOCK_NODES, EXACT, AT_LEAST, AT_MOST
cdef int COMPLETE, NARROW_DEPTH, FEWEST_MOVES, MORE_MOVES, CUTOFF_VALUE, MOST_CUTOFFS
cdef int STARTED_PERCENT


@cython.final
cdef class AlphaBeta(Evaluator):
    cdef readonly int64_t nodes
    cdef readonly int depth, value, best
    cdef readonly bint stopped
    cdef bint truncated
    cdef bint narrow
    cdef int slack, listed
    cdef int32_t killers[80]
    cdef int32_t cutoffs[672]
    cdef int32_t root_values[336]
    cdef int64_t node_limit
    cdef double deadline
    cdef uint64_t salt
    cdef uint64_t undo[360]
    cdef int played[40]
    cdef uint16_t moves[13440]
    cdef int32_t orders[13440]
    cdef uint64_t keys[131072]
    cdef int32_t values[131072]
    cdef int16_t hash_moves[131072]
    cdef uint8_t depths[131072]
    cdef uint8_t bounds[131072]
    cdef int space_values[100]
    cdef uint64_t cached_keys[1024]
    cdef uint64_t cached_lids[1024]
    cdef uint8_t cached_rounds[1024]
    cdef int16_t cached_sums[65536]

    cpdef int think(self, Azul table, int seat, int64_t nodes=*, double seconds=*) except -1
    cpdef int value_of(self, Azul table, int seat)
    cdef int _compare_moves(self, int slack) noexcept nogil
    @cython.locals(one=cython.int)
    cdef void _begin(self, Azul table, int seat) noexcept nogil
    cdef void _search_root(self) noexcept nogil
    @cython.locals(value=cython.int)
    cdef void _deepen(self) noexcept nogil
    @cython.locals(key=uint64_t, slot=Py_ssize_t, hash_move=cython.int, was_truncated=cython.bint, value=cython.int)
    cdef int _search(self, int ply, int depth, int low, int high) noexcept nogil
    cdef void _count_node(self) noexcept nogil
    cdef bint _is_cutoff(self, Py_ssize_t slot, int low, int high) noexcept nogil
    @cython.locals(
        mine=cython.bint, best=cython.int, best_move=cython.int, listed=cython.int, place=cython.int, move=cython.int,
        value=cython.int,
    )
    cdef int _search_moves(self, int ply, int depth, int low, int high, int hash_move) noexcept nogil
    @cython.locals(width=cython.int)
    cdef int _width(self, int ply, int depth, int listed) noexcept nogil
    cdef void _remember_cutoff(self, int ply, int depth, int move) noexcept nogil
    @cython.locals(place=cython.int)
    cdef void _forget_cutoffs(self) noexcept nogil
    @cython.locals(less=cython.int, value=cython.int)
    cdef int _search_move(self, int ply, int depth, int low, int high, int place) noexcept nogil
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
    cdef int _list(self, int ply, int hash_move) noexcept nogil
    @cython.locals(bonus=cython.int)
    cdef int _bonus(self, int ply, int move) noexcept nogil
    @cython.locals(present=uint64_t, tiles=uint64_t, factory=cython.int, other=cython.int)
    cdef uint64_t _different(self) noexcept nogil
    @cython.locals(
        seat=cython.int, source=cython.int, colour=cython.int, line=cython.int, number=cython.int,
        fallen=cython.int, gain=cython.int, held=cython.int, value=cython.int, missing=cython.int,
    )
    cdef int _static_score(self, int move) noexcept nogil
    @cython.locals(row=cython.int, colour=cython.int, column=cython.int)
    cdef void _evaluate_spaces(self, int seat) noexcept nogil
    @cython.locals(at=cython.int, value=cython.int)
    cdef int _rollout(self, int ply) noexcept nogil
    @cython.locals(
        accepted=uint64_t, present=uint64_t, best=cython.int, most=cython.int, pair=cython.int,
        lines=cython.int, place=cython.int, move=cython.int, gain=cython.int,
    )
    cdef int _best_static_move(self) noexcept nogil

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
    @cython.locals(lid=uint64_t, rounds=cython.int, seat=cython.int, cached=Py_ssize_t, place=Py_ssize_t)
    cdef int _cached_net_value(self) noexcept nogil
    @cython.locals(key=uint64_t, cached=Py_ssize_t, place=Py_ssize_t)
    cdef Py_ssize_t _cached_board(self, int seat) noexcept nogil
    cdef void _encode_table(self, Azul table) noexcept nogil
