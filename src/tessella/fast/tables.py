"""Many tables that move together, over NumPy arrays: what the batches of all games share."""

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython


class Tables:
    """Tables that move together, without the interpreter's lock.

    A table that is over starts anew at once; `over`, `scores` and `places` tell of the game that has ended.
    """

    def _lay_out(self, tables, seats, width, words):
        """Make room for so many tables, with so many seats, moves and words each."""
        import numpy  # noqa: PLC0415  only batches need it

        self.tables = tables
        self.masks = numpy.zeros((tables, width), numpy.uint8)
        self.seats = numpy.zeros(tables, numpy.uint8)
        self.over = numpy.zeros(tables, numpy.uint8)
        self.scores = numpy.zeros((tables, seats), numpy.int32)
        self.places = numpy.zeros((tables, seats), numpy.uint8)
        self.random = numpy.zeros(tables, numpy.uint16)
        self.rows = memoryview(numpy.zeros((tables, words), numpy.uint64))
        self.masks_view = memoryview(self.masks)
        self.seats_view = memoryview(self.seats)
        self.over_view = memoryview(self.over)
        self.scores_view = memoryview(self.scores)
        self.places_view = memoryview(self.places)
        self.random_view = memoryview(self.random)

    def _bytes(self, length):
        """Room for so many bytes more of each table."""
        import numpy  # noqa: PLC0415  only batches need it

        return memoryview(numpy.zeros((self.tables, length), numpy.uint8))

    def step(self, moves):
        """Make a move at each table (`uint16`). If one is not legal, nothing is moved anywhere."""
        self._step(memoryview(moves))

    def _step(self, moves):
        self._check(moves)
        with cython.nogil:
            for at in range(self.tables):
                self._move(at, moves[at])

    def _check(self, moves):
        if len(moves) != self.tables:
            raise ValueError(f"there are {self.tables} tables, and {len(moves)} moves")
        for at in range(self.tables):
            if moves[at] >= self.masks_view.shape[1] or not self.masks_view[at, moves[at]]:
                raise ValueError(f"move {moves[at]} is not legal at table {at}")

    def _require(self, place):
        if not 0 <= place < self.tables:
            raise IndexError(place)

    def _move(self, at, move):
        """Make a move at one table: each game has its own way."""
