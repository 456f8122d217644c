"""What the seat to move may know at each table of a batch of Azul, as a row of numbers for learners.

`tessella.research.azul` says which number is what, and reads the same row from a view of the readable game.
"""

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from tessella.fast.azul_words import IN_CENTRE, ONE
    from tessella.fast.uncompiled import put

from tessella.fast.phases import TILING

BYTE = 255
FIVE = [0] * 32
"""Five bits as five bytes."""


def _prepare():
    for bits in range(32):
        FIVE[bits] = 0
        for place in range(5):
            if bits >> place & 1:
                FIVE[bits] |= ONE[place]


_prepare()


class Eyes:
    """The rows of a batch, written anew by each step."""

    def __init__(self, batch):
        """Look at a batch for the first time."""
        import numpy  # noqa: PLC0415  only batches need it

        self.batch = batch
        self.table = batch.table
        self.observations = numpy.zeros((batch.tables, self._width()), numpy.uint8)
        self.view = memoryview(self.observations)
        for at in range(batch.tables):
            self.table._load(self.batch.rows, at)
            self._write(self.table, at)

    def _width(self):
        table = self.table
        return 5 * table.factories + 18 + table.seats * (29 + (125 if table.grey else 25))

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
