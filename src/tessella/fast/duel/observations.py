"""Observations of the seat to move at each table of a batch of Azul Duel, as rows of bytes.

`tessella.research.encodings.duel` documents the layout, and builds the same row from a view of the readable game.
"""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from tessella.fast.bits import clear, copy, put
    from tessella.fast.duel.constants import FACE, FITS, FRESH, HIDDEN, JOKERS, NOBODY, SHIFT, SPECIALS

from tessella.fast import bits
from tessella.fast.batch import ObserverBase

TABLE = 294
BOARD = 526
"""Bytes that describe the table, and each board."""
BACKS = 18
BYTE = 255
PRINTED = 252
"""Bytes that describe what the spaces of a dome accept."""
EIGHT = bits.EIGHT


class Observer(ObserverBase):
    """The observations of a batch, rewritten by each step."""

    def __init__(self, batch):
        """Encode the first observation of every table."""
        import numpy  # noqa: PLC0415  only batches need it

        self.table = batch.table
        self.domes = memoryview(numpy.zeros((4 * batch.tables, 9), numpy.uint8))
        self.printed = memoryview(numpy.zeros((4 * batch.tables, PRINTED), numpy.uint8))
        self._allocate(batch, TABLE + 2 * BOARD)

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
        clear(self.view, at, TABLE)
        place = self._write_factories(table, at)
        place = self._write_supplies(table, at, place)
        self._write_backs(table, at, place, viewer)
        self._write_board(table, at, TABLE, viewer)
        self._write_board(table, at, TABLE + BOARD, 1 - viewer)

    def _write_factories(self, table, at):
        for factory in range(5):
            put(self.view, at, 5 * factory, table.sun[factory], 5)
        put(self.view, at, 25, table.moon, 5)
        for factory in range(4):
            place = 30 + 20 * factory
            moons = table.moons[factory + 1]
            while moons:
                self.view[at, place + (moons & 15) - 1] = 1
                moons >>= 4
                place += 5
            if table.chip[factory + 1]:
                self.view[at, 110 + 11 * factory + table.chip[factory + 1] - HIDDEN] = 1
        self.view[at, 154] = table.holder == NOBODY
        return 155

    def _write_supplies(self, table, at, place):
        put(self.view, at, place, table.bag, 5)
        put(self.view, at, place + 5, table.tower, 5)
        place = self._write_chips(at, place + 10, table.chips)
        for number in range(table.opened):
            self.view[at, place + table.open[number]] = 1
        self.view[at, place + 18 + table.stage] = 1
        self.view[at, place + 27] = table.round
        self.view[at, place + 28] = table.stacking
        return place + 29

    def _write_chips(self, at, place, chips):
        for chip in range(10):
            self.view[at, place + chip] = chips >> 4 * chip & 15
        return place + 10

    def _write_backs(self, table, at, place, viewer):
        """Write the plates that lie face down, in the stack from its top and in the hand; then those lost track of."""
        lost = place + 4 * BACKS
        for number in range(table.height):
            self._write_back(at, place + number, lost, table.stack[table.height - 1 - number], viewer)
        for number in range(table.drawn):
            self._write_back(at, place + 2 * BACKS + number, lost, table.hand[number], viewer)

    def _write_back(self, at, place, lost, back, viewer):
        """Write the kind of a plate; its number plus one, if the viewer knows it."""
        plate = back & FACE
        if plate >= FRESH:
            self.view[at, place] = plate - FRESH + 1
            return
        self.view[at, place] = 1 if plate < BACKS // 2 else 2
        if back >> (5 + viewer) & 1:
            self.view[at, place + BACKS] = plate + 1
        if back >> (7 + viewer) & 1:
            self.view[at, lost + plate] = 1

    def _write_board(self, table, at, place, seat):
        score = table.score[seat]
        self.view[at, place] = score if score < BYTE else BYTE
        self.view[at, place + 1] = table.start == seat
        self.view[at, place + 2] = table.holder == seat
        self.view[at, place + 3] = table.tokens[seat]
        self.view[at, place + 4] = table.owed[seat]
        self.view[at, place + 5] = table.row[seat]
        self.view[at, place + 6] = table.paid[seat]
        self.view[at, place + 7] = table.fallen[seat]
        place += 8
        for row in range(6):
            held = table.held[seat] >> 8 * row & BYTE
            if row == table.row[seat]:
                held -= table.paid[seat]
            put(self.view, at, place, held << 8 * (table.hue[seat] >> 8 * row & BYTE), 5)
            place += 5
        place = self._write_chips(at, place, table.mine[seat])
        place = self._write_chips(at, place, table.spent[seat])
        self._write_dome(table, at, place, seat)

    def _write_dome(self, table, at, place, seat):
        """Write what the spaces accept, recomputed only when a plate was placed, and what lies on them."""
        row = 2 * at + seat
        changed = 0
        for slot in range(9):
            changed |= self.domes[row, slot] ^ table.dome[9 * seat + slot]
            self.domes[row, slot] = table.dome[9 * seat + slot]
        if changed:
            self._read_plates(table, row, seat)
        copy(self.view, at, place, self.printed, row, PRINTED)
        others = table.laid[seat]
        for colour in range(5):
            self._write_spaces(self.view, at, place + PRINTED + 36 * colour, table.tint[5 * seat + colour])
            others &= ~table.tint[5 * seat + colour]
        self._write_spaces(self.view, at, place + PRINTED + 180, others)

    def _read_plates(self, table, row, seat):
        """Recompute what the spaces accept: each colour, any colour, a special tile."""
        jokers = specials = 0
        for slot in range(9):
            way = table.dome[9 * seat + slot]
            bits = JOKERS[way]
            jokers |= bits << SHIFT[slot]
            bits = SPECIALS[way]
            specials |= bits << SHIFT[slot]
        for colour in range(5):
            fits = 0
            for slot in range(9):
                bits = FITS[5 * table.dome[9 * seat + slot] + colour]
                fits |= bits << SHIFT[slot]
            self._write_spaces(self.printed, row, 36 * colour, fits)
        self._write_spaces(self.printed, row, 180, jokers)
        self._write_spaces(self.printed, row, 216, specials)

    def _write_spaces(self, view, at, place, spaces):
        """Write a byte per space, 36 in all."""
        for _ in range(4):
            put(view, at, place, EIGHT[spaces & 255], 8)
            spaces >>= 8
            place += 8
        put(view, at, place, EIGHT[spaces & 15], 4)
