"""Base classes of the batches, many tables that move together, and of their observers, over NumPy arrays."""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython


class BatchBase:
    """Tables that move together, without the interpreter's lock.

    A finished table restarts at once; `over`, `scores` and `places` describe the game that has ended.
    """

    def _allocate(self, tables, seats, width, words):
        """Allocate arrays for the tables, by the number of seats, moves and state words of each."""
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

    def _allocate_bytes(self, length):
        """Return a byte array with a row of this length per table."""
        import numpy  # noqa: PLC0415  only batches need it

        return memoryview(numpy.zeros((self.tables, length), numpy.uint8))

    def step(self, moves):
        """Make a move at each table (`uint16`); if any is not legal, raise ValueError and move nothing."""
        self._step(memoryview(moves))

    def _step(self, moves):
        self._check(moves)
        with cython.nogil:
            for at in range(self.tables):
                self._move(at, moves[at])

    def _check(self, moves):
        if len(moves) != self.tables:
            raise ValueError(f"expected one move for each of {self.tables} tables, got {len(moves)}")
        for at in range(self.tables):
            if moves[at] >= self.masks_view.shape[1] or not self.masks_view[at, moves[at]]:
                raise ValueError(f"move {moves[at]} is not legal at table {at}")

    def _require(self, place):
        if not 0 <= place < self.tables:
            raise IndexError(place)

    def at(self, place):
        """Return a copy of one table."""
        self._require(place)
        self._load(place)
        return self.table.copy()

    def _load(self, at):
        """Load one table; implemented by each game."""

    def _move(self, at, move):
        """Make a move at one table; implemented by each game."""


class ObserverBase:
    """The observations of a batch, rewritten by each step: a row of bytes for the seat to move at each table."""

    def _allocate(self, batch, width):
        """Allocate the rows, and encode the first observation of every table."""
        import numpy  # noqa: PLC0415  only batches need it

        self.batch = batch
        self.observations = numpy.zeros((batch.tables, width), numpy.uint8)
        self.view = memoryview(self.observations)
        for at in range(batch.tables):
            batch._load(at)
            self._encode(at)

    def step(self, moves):
        """Make a move at each table of the batch, and encode the new observations."""
        self._step(memoryview(moves))

    def _step(self, moves):
        self.batch._check(moves)
        with cython.nogil:
            for at in range(self.batch.tables):
                self.batch._move(at, moves[at])
                self._encode(at)

    def observe(self, table):
        """Write the observation and the mask of the seat to move at another table into the first row."""
        self._observe(table)

    def _encode(self, at):
        """Write the row of the table that is loaded; implemented by each game."""

    def _observe(self, table):
        """Write the first row and the first mask from a table; implemented by each game."""
