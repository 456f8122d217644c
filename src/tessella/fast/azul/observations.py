"""Observations of the seat to move at each table of a batch of Azul, as rows of bytes.

`tessella.research.encodings.azul` documents the layout, and builds the same row from a view of the readable game.
"""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from tessella.fast.azul.constants import IN_CENTRE
    from tessella.fast.bits import put

from tessella.fast import bits
from tessella.fast.batch import ObserverBase
from tessella.fast.phases import TILING

BYTE = 255
FIVE = bits.EIGHT[:32]
"""Five bits as five bytes."""


class Observer(ObserverBase):
    """The observations of a batch, rewritten by each step."""

    def __init__(self, batch):
        """Encode the first observation of every table."""
        self.table = batch.table
        self._allocate(batch, self._width())

    def _width(self):
        table = self.table
        return 5 * table.factories + 18 + table.seats * (29 + (125 if table.grey else 25))

    def _encode(self, at):
        self._write(self.table, at, self.table._seat())

    def _encode_final(self, at, viewer):
        self._write(self.table, self.batch.tables + at, viewer)

    def _observe(self, table):
        self._write_first(table)

    def _write_first(self, table):
        self._write(table, 0, table._seat())
        table._list_mask(self.batch.masks_view, 0)

    def _write(self, table, at, viewer):
        place = 0
        for source in range(table.factories + 1):
            put(self.view, at, place, table.source[source], 5)
            place += 5
        self.view[at, place] = table.marker == IN_CENTRE
        put(self.view, at, place + 1, table.bag, 5)
        put(self.view, at, place + 6, table.lid, 5)
        self.view[at, place + 11] = table.round
        self.view[at, place + 12] = table.phase == TILING
        place += 13
        for turn in range(table.seats):
            seat = (viewer + turn) % table.seats
            self.view[at, place] = table.start == seat
            place = self._write_board(table, at, place + 1, seat)

    def _write_board(self, table, at, place, seat):
        score = table.score[seat]
        self.view[at, place] = score if score < BYTE else BYTE
        self.view[at, place + 1] = table.fallen[seat]
        self.view[at, place + 2] = table.marker == seat
        place += 3
        held = table.held[seat]
        hue = table.hue[seat]
        for _ in range(5):
            put(self.view, at, place, (held & BYTE) << 8 * (hue & BYTE), 5)
            held >>= 8
            hue >>= 8
            place += 5
        if table.grey:
            return self._write_painted(table, at, place, seat)
        wall = table.wall[seat]
        for _ in range(5):
            put(self.view, at, place, FIVE[wall & 31], 5)
            wall >>= 5
            place += 5
        return place

    def _write_painted(self, table, at, place, seat):
        for row in range(5):
            paint = table.paint[5 * seat + row]
            for _ in range(5):
                put(self.view, at, place, FIVE[1 << (paint & 15) >> 1], 5)
                paint >>= 4
                place += 5
        return place
