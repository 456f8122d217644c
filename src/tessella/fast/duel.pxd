# The types with which duel.py is compiled.
cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint64_t

from tessella.fast.duel_rules cimport (
    BROKEN, CHIP_MOVE, DRAW_MOVE, MOONS, PLATE_MOVE, RETURN_MOVE, SEAT_MOVES, STACK_MOVE, STOP_MOVE, TILE_MOVE, WIDTH,
    DuelRules, orders_of,
)
from tessella.fast.duel_table cimport (
    BIT, FACE, FILL, FRESH, HIDDEN, LOOK, NOBODY, NOTHING, ONE, ONES, OPEN, REVEAL, WORD,
)
from tessella.fast.tables cimport Tables
from tessella.fast.duel_tiling cimport LEAVE_MOVE, PAY_MOVE

cdef int DEALING, OVER


@cython.final
cdef class Duel(DuelRules):
    @cython.locals(new=Duel)
    cpdef Duel copy(self)
    cpdef assign(self, Duel other)
    cdef bint _is_better(self, int seat, int other) noexcept nogil
    cpdef apply(self, int move)
    cpdef bint is_legal(self, int move)
    @cython.locals(listed=cython.int, place=cython.int)
    cpdef list moves(self)
    @cython.locals(listed=cython.int)
    cpdef int choose(self) except -1
    cpdef int seat(self)
    cpdef long playout(self)
    @cython.locals(table=Duel, games=long)
    cpdef tuple playouts(self, long games)
    @cython.locals(seat=cython.int)
    cdef void _playouts(self, Duel root, long games) noexcept nogil
    cpdef uint64_t key(self)
    cpdef to_move(self, int number)
    @cython.locals(after=Duel)
    cdef _to_stack(self, int order)


@cython.final
cdef class Batch(Tables):
    cdef readonly Duel table

    @cython.locals(seat=cython.int, other=cython.int)
    cdef void _score(self, Py_ssize_t at) noexcept nogil
    @cython.locals(listed=cython.int)
    cdef void _show(self, Py_ssize_t at) noexcept nogil
