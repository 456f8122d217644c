# C types of net.py.
cimport cython
from libc.math cimport exp
from libc.stdint cimport int16_t, int32_t

cdef enum:
    HIDDEN = 64
    PAIR = 128
    SLOTS = 24

cdef int BOARD_INPUTS, ROUNDS_LEFT, POINTS, ROUND, SHARED_INPUTS, TURN, WEIGHTS


@cython.final
cdef class Net:
    cdef int16_t board[94848]
    cdef int16_t common[1728]
    cdef int16_t bias[64]
    cdef int16_t last[128]
    cdef double win_unit, margin_unit
    cdef int16_t inputs[96]
    cdef int16_t points[4]
    cdef int16_t shared_inputs[13]
    cdef int16_t base[64]
    cdef int16_t sums[512]
    cdef int16_t hidden[64]
    cdef double win[4]
    cdef double margin[4]

    @cython.locals(new=Net)
    cpdef Net copy(self)
    @cython.locals(place=Py_ssize_t)
    cdef void _assign(self, Net other) noexcept nogil
    @cython.locals(seat=cython.int)
    cdef void _evaluate(self, int seats) noexcept nogil
    @cython.locals(place=Py_ssize_t, shared=cython.int, seat=cython.int)
    cdef void _evaluate_sums(self, int seats) noexcept nogil
    @cython.locals(first=Py_ssize_t, place=Py_ssize_t)
    cdef void _add_shared(self, int shared, int16_t times) noexcept nogil
    @cython.locals(mine=Py_ssize_t, first=Py_ssize_t, place=Py_ssize_t, slot=cython.int, times=int16_t)
    cdef void _add_board(self, int seat) noexcept nogil
    @cython.locals(place=Py_ssize_t)
    cdef void _add_input(self, Py_ssize_t mine, Py_ssize_t first) noexcept nogil
    @cython.locals(
        turn=cython.int, first=Py_ssize_t, mine=Py_ssize_t, place=Py_ssize_t, other=cython.int, win=int32_t,
        margin=int32_t, number=int16_t,
    )
    cdef void _run_output(self, int seat, int seats) noexcept nogil
    @cython.locals(best=cython.double, total=cython.double, seat=cython.int)
    cdef void _normalise(self, int seats) noexcept nogil
