# C types of alphabeta.py.
cimport cython
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from tessella.fast.azul.evaluation cimport INFINITE, START_VALUE, Evaluator
from tessella.fast.azul.moves cimport (
    FLOOR, encode_pair, encode_place, pair_colour, pair_source, take_source,
)
from tessella.fast.azul.net cimport PAIR, SLOTS, Net
from tessella.fast.azul.rules cimport (
    EVERY_COLOUR, GOLDEN, IN_CENTRE, LOWEST, ONE, ROUNDS, WORD, Azul,
)
from tessella.fast.azul.rules cimport PENALTY as PENALTIES
from tessella.fast.bits cimport bits_set, lowest

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


cdef inline uint64_t encode_entry(int64_t value, int move, int depth, int bound) noexcept nogil:
    return <uint64_t>(value + INFINITE) << 32 | <uint64_t>move << 16 | depth << 8 | bound


cdef inline int entry_value(uint64_t entry) noexcept nogil:
    return <int>(<int64_t>(entry >> 32) - INFINITE)


cdef inline int entry_move(uint64_t entry) noexcept nogil:
    return entry >> 16 & 0xFFFF


cdef inline int entry_depth(uint64_t entry) noexcept nogil:
    return entry >> 8 & 0xFF


cdef inline int entry_bound(uint64_t entry) noexcept nogil:
    return entry & 0xFF


cdef int FULL_DEPTH_MOVES, REDUCED_MOVES, CACHE_SHIFT, DRAFTING, TILING, PLIES, MOVES, UNDO_WORDS, ENTRIES, CLOCK_NODES, EXACT, AT_LEAST, AT_MOST
cdef enum: # weights of policy.py
    FLOOR_WEIGHT = 75
    FULL = 81
    PART = 86
    ROUND = 91
    PENALTY = 121
    MARKER = 122
    ELSEWHERE = 123
    EARLY = 126
    NEVER = 127
    WEIGHTS = 128
    PENALTY_WEIGHT = -100

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
    cdef uint64_t entries[262144]
    cdef int32_t policy[128]
    cdef int32_t weights[128]
    cdef int32_t line_scores[4000]
    cdef int32_t floor_scores[8]
    cdef int32_t penalty_scores[8]
    cdef bint has_policy
    cdef uint64_t tiles
    cdef int colour, number, elsewhere, floor, base, early_score
    cdef uint64_t cached_keys[1024]
    cdef uint64_t cached_lids[1024]
    cdef uint8_t cached_rounds[1024]
    cdef int16_t cached_sums[131072]

    cpdef int think(self, Azul table, int seat, int64_t nodes=*, double seconds=*) except -1
    cpdef int value_of(self, Azul table, int seat)
    cdef int _compare_moves(self, int slack) noexcept nogil
    @cython.locals(one=cython.int)
    cdef void _begin(self, Azul table, int seat) noexcept nogil
    cdef void _search_root(self) noexcept nogil
    @cython.locals(value=cython.int)
    cdef void _deepen(self) noexcept nogil
    @cython.locals(
        key=uint64_t, entry=uint64_t, slot=Py_ssize_t, hash_move=cython.int, was_truncated=cython.bint,
        value=cython.int, bound=cython.int,
    )
    cdef int _search(self, int ply, int depth, int low, int high) noexcept nogil
    cdef void _count_node(self) noexcept nogil
    cdef bint _is_cutoff(self, uint64_t entry, int low, int high) noexcept nogil
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
        present=uint64_t, at=cython.int, pair=cython.int, lines=uint64_t, line=cython.int, listed=cython.int,
    )
    cdef int _list(self, int ply, int hash_move) noexcept nogil
    @cython.locals(first=cython.int, at=cython.int)
    cdef void _put_forward(self, int ply, int listed, int hash_move) noexcept nogil
    @cython.locals(bonus=cython.int)
    cdef int _bonus(self, int ply, int move) noexcept nogil
    @cython.locals(present=uint64_t, tiles=uint64_t, factory=cython.int, other=cython.int)
    cdef uint64_t _different(self) noexcept nogil
    @cython.locals(
        present=uint64_t, best=cython.int, pair=cython.int, lines=uint64_t, line=cython.int, score=cython.int,
    )
    cdef int _best_static_move(self) noexcept nogil
    @cython.locals(source=cython.int)
    cdef inline void _count_tiles(self) noexcept nogil
    @cython.locals(seat=cython.int, source=cython.int)
    cdef inline void _look_at(self, int pair) noexcept nogil
    @cython.locals(
        seat=cython.int, held=cython.int, surplus=cython.int, first=cython.int, score=cython.int, floor=cython.int,
    )
    cdef inline int _line_score(self, int line) noexcept nogil
    @cython.locals(floor=cython.int, score=cython.int)
    cdef inline int _floor_score(self) noexcept nogil
    @cython.locals(place=cython.int, floor=cython.int, number=cython.int)
    cdef void _choose_weights(self) noexcept nogil
    cdef inline int _round_weights(self) noexcept nogil
    @cython.locals(
        row=cython.int, colour=cython.int, column=cython.int, value=cython.int, held=cython.int, first=cython.int,
        number=cython.int,
    )
    cdef void _score_lines(self, int seat) noexcept nogil
    @cython.locals(score=cython.int)
    cdef int _learned_score(self, int row, int held, int number, int value) noexcept nogil
    cdef int _heuristic_score(self, int row, int held, int number, int value) noexcept nogil
    @cython.locals(at=cython.int, value=cython.int)
    cdef int _rollout(self, int ply) noexcept nogil

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
