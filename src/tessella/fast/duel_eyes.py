"""What the seat to move may know at each table of a batch of Azul Duel, as a row of numbers for learners.

`tessella.research.duel` says which number is what, and reads the same row from a view of the readable game.
"""

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from tessella.fast.duel_table import FACE, FITS, FRESH, HIDDEN, JOKERS, NOBODY, SHIFT, SPECIALS
    from tessella.fast.uncompiled import put

TABLE = 294
BOARD = 526
"""How many numbers tell of the table, and of each board."""
BACKS = 18
BYTE = 255
SIX = [0] * 64
"""Six bits as six bytes."""


def _prepare():
    for bits in range(64):
        byte = 1
        SIX[bits] = 0
        for place in range(6):
            if bits >> place & 1:
                SIX[bits] |= byte
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
        for at in range(batch.tables):
            self.table._load(self.batch.rows, at)
            self._write(self.table, at)

    def step(self, moves):
        """Make a move at each table of the batch, and write what is seen then."""
        self._step(memoryview(moves))

    def _step(self, moves):
        self.batch._check(moves)
        with cython.nogil:
            for at in range(self.batch.tables):
                self.batch._move(at, moves[at])
                self._write(self.table, at)

    def _write(self, table, at):
        viewer = table._seat()
        for place in range(TABLE):
            self.view[at, place] = 0
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
        """What the spaces take, and what lies on them."""
        jokers = specials = 0
        for slot in range(9):
            way = table.dome[9 * seat + slot]
            bits = JOKERS[way]
            jokers |= bits << SHIFT[slot]
            bits = SPECIALS[way]
            specials |= bits << SHIFT[slot]
        others = table.laid[seat]
        for colour in range(5):
            fits = 0
            for slot in range(9):
                bits = FITS[5 * table.dome[9 * seat + slot] + colour]
                fits |= bits << SHIFT[slot]
            self._write_spaces(at, place + 36 * colour, fits)
            self._write_spaces(at, place + 252 + 36 * colour, table.tint[5 * seat + colour])
            others &= ~table.tint[5 * seat + colour]
        self._write_spaces(at, place + 180, jokers)
        self._write_spaces(at, place + 216, specials)
        self._write_spaces(at, place + 432, others)

    def _write_spaces(self, at, place, spaces):
        """A byte for each of 36 spaces."""
        for _ in range(6):
            put(self.view, at, place, SIX[spaces & 63], 6)
            spaces >>= 6
            place += 6
