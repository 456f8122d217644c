"""What the seat to move may know at each table of a batch of Azul Duel, as a row of numbers for learners.

`tessella.research.duel` says which number is what, and reads the same row from a view of the readable game.
"""

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from tessella.fast.duel_table import FACE, FITS, FRESH, HIDDEN, JOKERS, NOBODY, SHIFT, SPECIALS
    from tessella.fast.uncompiled import clear, copy, put

TABLE = 294
BOARD = 526
"""How many numbers tell of the table, and of each board."""
BACKS = 18
BYTE = 255
PRINTED = 252
"""How many numbers tell what the spaces of a dome take."""
EIGHT = [0] * 256
"""Eight bits as eight bytes."""


def _prepare():
    for bits in range(256):
        byte = 1
        EIGHT[bits] = 0
        for place in range(8):
            if bits >> place & 1:
                EIGHT[bits] |= byte
            byte = byte << 8


_prepare()


class Eyes:
    """The rows of a batch, written anew by each step."""

    def __init__(self, batch):
        """Look at a batch for the first time."""
        import numpy  # noqa: PLC0415  only batches need it

        self.batch = batch
        self.table = batch.table
        self.observations = numpy.zeros((batch.tables, TABLE + 2 * BOARD), numpy.uint8)
        self.view = memoryview(self.observations)
        self.domes = memoryview(numpy.zeros((2 * batch.tables, 9), numpy.uint8))
        self.printed = memoryview(numpy.zeros((2 * batch.tables, PRINTED), numpy.uint8))
        for at in range(batch.tables):
            self.table._load(self.batch.rows, at)
            self._write(self.table, at)

    def step(self, moves):
        """Make a move at each table of the batch, and write what is seen then."""
        self._step(memoryview(moves))

    def look(self, table):
        """Write into the first row what the seat to move at another table sees and may do."""
        self._write(table, 0)
        self._list(table)

    def _list(self, table):
        table._list_mask(self.batch.masks_view, 0)

    def _step(self, moves):
        self.batch._check(moves)
        with cython.nogil:
            for at in range(self.batch.tables):
                self.batch._move(at, moves[at])
                self._write(self.table, at)

    def _write(self, table, at):
        viewer = table._seat()
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
        """Plates that lie face down, in the stack from its top and in the hand; then those lost track of."""
        lost = place + 4 * BACKS
        for number in range(table.height):
            self._write_back(at, place + number, lost, table.stack[table.height - 1 - number], viewer)
        for number in range(table.drawn):
            self._write_back(at, place + 2 * BACKS + number, lost, table.hand[number], viewer)

    def _write_back(self, at, place, lost, back, viewer):
        """Its kind; its number and one, if the viewer knows it."""
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
        """What the spaces take, worked out anew only when a plate was laid, and what lies on them."""
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
        """What the spaces take: each colour, any colour, a special tile."""
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
        """A byte for each of 36 spaces."""
        for _ in range(4):
            put(view, at, place, EIGHT[spaces & 255], 8)
            spaces >>= 8
            place += 8
        put(view, at, place, EIGHT[spaces & 15], 4)
