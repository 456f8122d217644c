"""Observations of the seat to move at each table of a batch of Blockers!, as rows of bytes.

`tessella.research.encodings.blockers` documents the layout, and builds the same row from a view of the readable game.
"""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from tessella.fast.bits import bits_set, put
    from tessella.fast.blockers.constants import STAYING

from tessella.fast import bits
from tessella.fast.batch import ObserverBase
from tessella.fast.phases import OVER

A_COLOUR = 139
"""Bytes per colour: tiles on the rack and in the supply, the rack, the unseen tiles, the board."""
EIGHT = bits.EIGHT


class Observer(ObserverBase):
    """The observations of a batch, rewritten by each step."""

    def __init__(self, batch):
        """Encode the first observation of every table."""
        self.table = batch.table
        self._allocate(batch, self._width())

    def _width(self):
        return self.table.colours * (A_COLOUR + self.table.seats) + self.table.seats

    def _encode(self, at):
        self._write(self.table, at, self.table.current)

    def _encode_final(self, at, viewer):
        self._write(self.table, self.batch.tables + at, viewer)

    def _observe(self, table):
        self._write_first(table)

    def _write_first(self, table):
        self._write(table, 0, table.current)
        table._list_mask(self.batch.masks_view, 0)

    def _write(self, table, at, viewer):
        place = 0
        for turn in range(table.seats):
            seat = (viewer + turn) % table.seats
            self.view[at, place] = table.start == seat
            place += 1
            for other in range(table.seats):
                colour = (viewer + other) % table.seats
                while colour < table.colours:
                    self.view[at, place] = table.caught_of[5 * seat + colour]
                    colour += table.seats
                    place += 1
        for turn in range(table.seats):
            colour = (viewer + turn) % table.seats
            while colour < table.colours:
                place = self._write_colour(table, at, place, colour, turn == 0)
                colour += table.seats

    def _write_colour(self, table, at, place, colour, own):
        shown = own or table.phase == OVER or (table.seats == 2 and table.unplayed[colour] == STAYING)
        self.view[at, place] = bits_set(table.rack[colour])
        self.view[at, place + 1] = bits_set(table.supply[colour])
        self._write_faces(at, place + 2, table.rack[colour] if shown else 0)
        self._write_faces(at, place + 30, table.supply[colour] | (0 if shown else table.rack[colour]))
        place += 58
        for row in range(9):
            tiles = table.upper[colour] >> 10 * row if row < 5 else table.lower[colour] >> 10 * (row - 4)
            put(self.view, at, place, EIGHT[tiles & 255], 8)
            self.view[at, place + 8] = tiles >> 8 & 1
            place += 9
        return place

    def _write_faces(self, at, place, faces):
        """Write a byte per face, 28 in all."""
        for _ in range(3):
            put(self.view, at, place, EIGHT[faces & 255], 8)
            faces >>= 8
            place += 8
        put(self.view, at, place, EIGHT[faces & 15], 4)
