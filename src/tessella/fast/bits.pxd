# C types of bits.py: inline functions, so a module that cimports them needs no call.
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

cdef extern from *:
    """
    #ifdef _MSC_VER
    #include <intrin.h>
    static __inline int lowest(unsigned __int64 word) { unsigned long at; _BitScanForward64(&at, word); return (int)at; }
    #define bits_set (int)__popcnt64
    #else
    #define lowest __builtin_ctzll
    #define bits_set __builtin_popcountll
    #endif
    """
    int lowest(uint64_t word) noexcept nogil
    int bits_set(uint64_t word) noexcept nogil


cdef inline uint64_t mixed(uint64_t word) noexcept nogil:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9ULL
    word = (word ^ word >> 27) * 0x94D049BB133111EBULL
    return word ^ word >> 31


cdef inline uint64_t colours_of(uint64_t tiles) noexcept nogil:
    return (((tiles + 0x7F7F7F7F7FULL) & 0x8080808080ULL) >> 7) * 0x102040810ULL >> 32 & 31


cdef inline int tile_count(uint64_t tiles) noexcept nogil:
    return tiles * 0x0101010101ULL >> 32 & 255


cdef inline void put(
    uint8_t[:, ::1] view, Py_ssize_t at, Py_ssize_t place, uint64_t word, size_t length
) noexcept nogil:
    """Write the lowest bytes of a word, little-endian: the byte order of every supported machine."""
    memcpy(&view[at, place], &word, length)


cdef inline void clear(uint8_t[:, ::1] view, Py_ssize_t at, size_t length) noexcept nogil:
    memset(&view[at, 0], 0, length)


cdef inline void copy(
    uint8_t[:, ::1] view, Py_ssize_t at, Py_ssize_t place, uint8_t[:, ::1] other, Py_ssize_t row, size_t length
) noexcept nogil:
    memcpy(&view[at, place], &other[row, 0], length)
