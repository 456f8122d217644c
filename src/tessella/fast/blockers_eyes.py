"""What the seat to move may know at each table of a batch of Blockers!, as a row of numbers for learners.

`tessella.research.blockers` says which number is what, and reads the same row from a view of the readable game.
"""

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from tessella.fast.blockers_words import STAYING
    from tessella.fast.uncompiled import bits_set, put

EIGHT = [0] * 256
"""Eight bits as eight bytes."""
A_COLOUR = 139
"""Numbers for a colour: how many tiles are on the rack and in the supply, the rack, the unseen tiles, the board."""


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
        self.observations = numpy.zeros((batch.tables, self._width()), numpy.uint8)
        self.view = memoryview(self.observations)
        for at in range(batch.tables):
            self.table._load(self.batch.rows, self.batch.heaps, at)
            self._write(self.table, at)

    def _width(self):
        return self.table.colours * (A_COLOUR + self.table.seats) + self.table.seats

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
        viewer = table.current
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
        shown = own or (table.seats == 2 and table.unplayed[colour] == STAYING)
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
        """A byte for each of 28 faces."""
        for _ in range(3):
            put(self.view, at, place, EIGHT[faces & 255], 8)
            faces >>= 8
            place += 8
        put(self.view, at, place, EIGHT[faces & 15], 4)
