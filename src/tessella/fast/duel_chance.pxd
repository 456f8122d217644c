# The types with which duel_chance.py is compiled.
cimport cython
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from tessella.fast.duel_table cimport (
    ACT, CHIP, FACE, FILL, FIRST, FRESH, HIDDEN, HIGHS, KEEP, LOOK, NOTHING, ONE, ONES, OPEN, PLATES_OF_KIND, PREPARE,
    REVEAL, SHUFFLE, DuelTable, chip_count, is_single, size, tile_count,
)

cdef extern from *:
    """
    #ifdef _MSC_VER
    #include <intrin.h>
    static __inline int lowest(unsigned __int64 word) { unsigned long at; _BitScanForward64(&at, word); return (int)at; }
    #else
    #define lowest __builtin_ctzll
    #endif
    """
    int lowest(uint64_t word) noexcept nogil


cdef class DuelChance(DuelTable):
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
    cdef void _settle(self) noexcept nogil
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
