# C types of solver.py.
cimport cython
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from tessella.fast.azul.alphabeta cimport thread_seconds
from tessella.fast.azul.moves cimport FLOOR, encode_take, pair_colour
from tessella.fast.azul.rules cimport IN_CENTRE, ROUNDS, Azul
from tessella.fast.bits cimport bits_set, colours_of, lowest, mixed, tile_count

cdef extern from *:
    """
    #define SOLVER_BIT ((uint64_t)1)
    #define SOLVER_LINE ((uint64_t)63)
    #define SOLVER_CLOSED ((uint64_t)7)
    #define SOLVER_NIBBLE ((uint64_t)15)
    #define SOLVER_ONES ((uint64_t)0x0101010101)
    #define SOLVER_HIGHS ((uint64_t)0x8080808080)
    #define SOLVER_SINKS ((uint64_t)0x4040404040)
    #define SOLVER_GOLDEN ((uint64_t)0x9E3779B97F4A7C15)
    #define SOLVER_WORD (~(uint64_t)0)
    static const int SOLVER_POWER[] = {1, 6, 36, 216, 1296};
    """
    const uint64_t BIT "SOLVER_BIT"
    const uint64_t LINE "SOLVER_LINE"
    const uint64_t CLOSED "SOLVER_CLOSED"
    const uint64_t NIBBLE "SOLVER_NIBBLE"
    const uint64_t ONES "SOLVER_ONES"
    const uint64_t HIGHS "SOLVER_HIGHS"
    const uint64_t SINKS "SOLVER_SINKS"
    const uint64_t GOLDEN "SOLVER_GOLDEN"
    const uint64_t WORD "SOLVER_WORD"
    const int* POWER "SOLVER_POWER"

cdef enum:
    NOT_FORCED = -1000
    MOST = 1000
    PLIES = 40
    MOVES = 192
    SETS = 7776
    BOUNDS = 16384
    BOUND_SHIFT = 50
    ENTRY_WORDS = 3
    OFFSET = 2048
    CLOCK_NODES = 1024
    SINK = 6
    FALLEN_SHIFT = 40
    EVERY_CELL = 33554431
    STATE_SHIFT = 43

cdef int DRAFTING
cdef uint8_t COLUMN[25]
cdef uint8_t LOWEST[32]
cdef uint8_t PENALTY[9]
cdef uint8_t RUN[160]


@cython.final
cdef class Solver:
    cdef readonly int64_t nodes
    cdef readonly int low, high
    cdef readonly bint stopped
    cdef bint ends
    cdef int me, root, best, proved_move, refuting_move, cut_move, factories, listed, base, most_points, most_bonus
    cdef int64_t node_limit, entries
    cdef double deadline
    cdef uint64_t[::1] stored
    cdef uint64_t boards[80]
    cdef uint32_t possible[80]
    cdef uint32_t complete[80]
    cdef uint64_t centre[40]
    cdef uint64_t left[40]
    cdef int alive[40]
    cdef int turn[40]
    cdef int marker[40]
    cdef uint16_t moves[7680]
    cdef int32_t orders[7680]
    cdef int killers[80]
    cdef uint64_t factory[10]
    cdef int twins[10]
    cdef uint32_t untaken[10]
    cdef uint32_t ending[2]
    cdef int score[2]
    cdef uint32_t wall[2]
    cdef uint32_t turned[2]
    cdef uint64_t taken[2]
    cdef int16_t set_points[15552]
    cdef int16_t set_bonus[15552]
    cdef uint64_t bound_masks[32768]
    cdef int16_t bound_points[32768]
    cdef int16_t bound_bonus[32768]
    cdef uint32_t enough[5]
    cdef uint32_t accepted[5]

    cpdef int solve(self, Azul table, int seat, int64_t nodes=*, double seconds=*) except? -1
    cpdef bint is_ending(self)
    @cython.locals(ply=cython.int, mine=cython.bint, move=cython.int, best=cython.int)
    cpdef list line(self, Azul table)
    cpdef int best_move(self, Azul table) except -1

    cdef void _begin(self, Azul table, int seat) noexcept nogil
    @cython.locals(source=cython.int, other=cython.int)
    cdef void _read_sources(self, Azul table) noexcept nogil
    @cython.locals(seat=cython.int, fallen=uint64_t, row=cython.int, colours=uint32_t)
    cdef void _read_boards(self, Azul table) noexcept nogil
    @cython.locals(colours=uint32_t, colour=cython.int, column=cython.int, gain=cython.int)
    cdef void _fill_sets(self, int seat, int row, int index, int points) noexcept nogil
    cdef void _flip(self, int seat, int row, int column, int colour) noexcept nogil
    @cython.locals(bonus=cython.int, place=cython.int)
    cdef int _bonus(self, int seat) noexcept nogil
    @cython.locals(slot=cython.int, place=cython.int, word=int64_t)
    cdef void _clear_caches(self) noexcept nogil
    @cython.locals(
        left=uint64_t, some=uint64_t, board=uint64_t, possible=uint32_t, complete=uint32_t, row=cython.int,
        seat=cython.int, line=uint64_t, held=cython.int, colour=cython.int,
    )
    cdef void _update(self, int ply) noexcept nogil
    @cython.locals(
        pair=cython.uint, line=cython.int, colour=cython.int, source=cython.int, turn=cython.int, board=uint64_t,
        fallen=uint64_t, tiles=uint64_t, number=uint64_t, held=uint64_t, laid=uint64_t,
    )
    cdef void _take(self, int ply, int move) noexcept nogil

    @cython.locals(index=cython.int, place=cython.int)
    cdef int _index(self, uint32_t complete) noexcept nogil
    @cython.locals(total=cython.int)
    cdef int _points(self, int seat, int points, int bonus, int fallen) noexcept nogil
    @cython.locals(other=cython.int, lead=cython.int, rows=cython.int)
    cdef int _final(self, int ply) noexcept nogil
    cdef int _rows(self, int ply, int seat) noexcept nogil
    cdef bint _has_end(self, int ply) noexcept nogil
    cdef bint _may_end(self, int ply) noexcept nogil
    @cython.locals(index=cython.int, fallen=cython.int)
    cdef int _least(self, int ply, int seat, int falling) noexcept nogil
    @cython.locals(cells=uint64_t, slot=cython.int, points=cython.int)
    cdef int _most(self, int ply, int seat) noexcept nogil
    @cython.locals(points=cython.int, colours=uint32_t)
    cdef void _maximise(self, int seat, uint32_t cells, int row, int index) noexcept nogil
    @cython.locals(sinks=uint64_t)
    cdef int _falling(self, int ply, int seat) noexcept nogil
    @cython.locals(lead=cython.int)
    cdef int _upper(self, int ply) noexcept nogil
    @cython.locals(lead=cython.int)
    cdef int _lower(self, int ply) noexcept nogil

    @cython.locals(bound=cython.int, value=cython.int)
    cdef void _narrow(self) noexcept nogil
    @cython.locals(
        low=cython.int, high=cython.int, first=uint64_t, second=uint64_t, slot=int64_t, found=int64_t,
        hash_move=cython.int, entry=int64_t, began=int64_t, value=cython.int,
    )
    cdef int _search(self, int ply, int bound) noexcept nogil
    cdef int64_t _find(self, int64_t slot, uint64_t first, uint64_t second) noexcept nogil
    @cython.locals(packed=uint64_t)
    cdef uint64_t _packed_alive(self, int ply) noexcept nogil
    @cython.locals(heap=uint64_t, packed=uint64_t)
    cdef uint64_t _packed_centre(self, int ply) noexcept nogil
    @cython.locals(entry=uint64_t)
    cdef void _store(
        self, int64_t slot, int64_t found, uint64_t first, uint64_t second, int low, int high, int64_t nodes
    ) noexcept nogil
    cdef void _count_node(self) noexcept nogil
    @cython.locals(
        mine=cython.bint, best=cython.int, best_move=cython.int, listed=cython.int, place=cython.int, move=cython.int,
        value=cython.int,
    )
    cdef int _search_moves(self, int ply, int bound, int hash_move) noexcept nogil
    cdef void _remember(self, int ply, int move) noexcept nogil
    @cython.locals(first=cython.int, best=cython.int, other=cython.int, move=cython.int, order=cython.int)
    cdef int _next_move(self, int ply, int place, int listed) noexcept nogil

    @cython.locals(
        turn=cython.int, board=uint64_t, possible=uint32_t, may_complete=uint32_t, source=cython.int, tiles=uint64_t,
        colour=cython.int, number=cython.int,
    )
    cdef int _list(self, int ply, int hash_move) noexcept nogil
    @cython.locals(present=uint32_t, row=cython.int, line=uint64_t, accepted=uint32_t, other=cython.int)
    cdef void _accept(self, uint64_t board, uint32_t possible, int turn, uint64_t left) noexcept nogil
    @cython.locals(
        turn=cython.int, board=uint64_t, possible=uint32_t, sink=cython.bint, falls=cython.bint, fallen=cython.int,
        penalty=cython.int, first=cython.int, row=cython.int, cell=uint32_t, held=cython.int, gain=cython.int,
        missing=cython.int, lost=cython.int,
    )
    cdef void _list_pair(
        self, int ply, int source, int colour, int number, uint32_t may_complete, int hash_move
    ) noexcept nogil
    @cython.locals(after=cython.int, gain=cython.int)
    cdef int _gain(self, int row, int colour) noexcept nogil
    @cython.locals(at=cython.int)
    cdef void _add(self, int ply, int move, int order, int hash_move) noexcept nogil
    @cython.locals(pair=cython.uint, colour=cython.int, line=cython.int)
    cdef int _to_table(self, Azul table, int move) noexcept
