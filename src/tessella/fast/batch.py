"""Base classes of the batches, many tables that move together, and of their observers, over NumPy arrays."""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

from tessella.fast.phases import OVER


class BatchBase:
    """Tables that move together, without the interpreter's lock.

    A finished table restarts at once; `over`, `scores` and `places` describe the game that has ended.
    """

    def _allocate(self, tables, seats, width, words, length):
        """Allocate arrays for the tables, by the number of seats, moves, state words and state bytes of each."""
        import numpy  # noqa: PLC0415  only batches need it

        self.tables = tables
        self.masks = numpy.zeros((tables, width), numpy.uint8)
        self.seats = numpy.zeros(tables, numpy.uint8)
        self.over = numpy.zeros(tables, numpy.uint8)
        self.scores = numpy.zeros((tables, seats), numpy.int32)
        self.places = numpy.zeros((tables, seats), numpy.uint8)
        self.rewards = numpy.zeros((tables, seats), numpy.float32)
        self.random = numpy.zeros(tables, numpy.uint16)
        self.words = numpy.zeros((tables, words), numpy.uint64)
        self.bytes = numpy.zeros((tables, length), numpy.uint8)
        self.rows = memoryview(self.words)
        self.byte_rows = memoryview(self.bytes)
        self.masks_view = memoryview(self.masks)
        self.seats_view = memoryview(self.seats)
        self.over_view = memoryview(self.over)
        self.scores_view = memoryview(self.scores)
        self.places_view = memoryview(self.places)
        self.rewards_view = memoryview(self.rewards)
        self.random_view = memoryview(self.random)

    def step(self, moves):
        """Make a move at each table (`uint16`); if any is not legal, raise ValueError and move nothing."""
        self._step(memoryview(moves))

    def _step(self, moves):
        self._check(moves)
        with cython.nogil:
            for at in range(self.tables):
                self._advance(at, moves[at])
                self._publish(at)

    def _advance(self, at, move):
        """Make a move at one table and write its rewards, which are zero unless it ends the game."""
        seats = self.rewards_view.shape[1]
        if self.over_view[at]:
            for seat in range(seats):
                self.rewards_view[at, seat] = 0
        self._move(at, move)
        if self.over_view[at]:
            self._reward(at)

    def _reward(self, at):
        """Write 1 for the winner and −1 split by the others; ties share."""
        seats = self.rewards_view.shape[1]
        winners = 0
        for seat in range(seats):
            winners += self.places_view[at, seat] == 1
        for seat in range(seats):
            share = 1.0 / winners if self.places_view[at, seat] == 1 else 0.0
            self.rewards_view[at, seat] = (seats * share - 1.0) / (seats - 1.0)

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

    def put(self, place, table):
        """Replace one table by a copy of another of the same rules, dealt if a deal is due; keep the generator."""
        self._require(place)
        if table.to_state().config != self.table.to_state().config:
            raise ValueError("the table has other rules than the batch")
        if table.phase == OVER:
            raise ValueError("the game at this table is over: no seat is to move")
        self.table.assign(table)
        self.over[place] = 0
        self.rewards[place] = 0
        self._publish(place)

    def save(self):
        """Return all positions as an array of bytes, a row per table, for `load`."""
        import numpy  # noqa: PLC0415  only batches need it

        return numpy.hstack([self.words.view(numpy.uint8), self.bytes])

    def load(self, rows):
        """Replace every table by a row that a batch of the same rules has saved; keep the generator."""
        self._write_rows(rows)
        self.over.fill(0)
        self.rewards.fill(0)
        for at in range(self.tables):
            self._load(at)
            self._publish(at)

    def _write_rows(self, rows):
        width = 8 * self.words.shape[1]
        if rows.dtype != "uint8" or rows.shape != (self.tables, width + self.bytes.shape[1]):
            raise ValueError(f"expected {self.tables} saved rows of {width + self.bytes.shape[1]} bytes")
        self.words[:] = rows[:, :width].copy().view("uint64")
        self.bytes[:] = rows[:, width:]

    def __reduce__(self):
        return type(self), self._arguments(), (self.table.generator(), self.save(), self._arrays())

    def __setstate__(self, state):
        generator, rows, arrays = state
        self.table.reseed(generator)
        self._write_rows(rows)
        for array, saved in zip(self._arrays(), arrays, strict=True):
            array[:] = saved

    def _arrays(self):
        return self.masks, self.seats, self.over, self.scores, self.places, self.rewards, self.random

    def _arguments(self):
        """Return the arguments that make a batch of the same size and rules; implemented by each game."""

    def _load(self, at):
        """Load one table; implemented by each game."""

    def _move(self, at, move):
        """Make a move at one table, which stays loaded; implemented by each game."""

    def _publish(self, at):
        """Restart the loaded table if its game is over, deal if due, save and describe it; implemented by each game."""


class ObserverBase:
    """The observations of a batch, rewritten by each step: a row of bytes for the seat to move at each table.

    `final` has a row per table too: what the seat that ended the last game there saw at its end.
    """

    def _allocate(self, batch, width):
        """Allocate the rows, and encode the first observation of every table."""
        import numpy  # noqa: PLC0415  only batches need it

        self.batch = batch
        rows = numpy.zeros((2 * batch.tables, width), numpy.uint8)
        self.observations = rows[: batch.tables]
        self.final = rows[batch.tables :]
        self.view = memoryview(rows)
        self.encode()

    def encode(self):
        """Encode the observation of every table anew, after tables were put or loaded."""
        for at in range(self.batch.tables):
            self.batch._load(at)
            self._encode(at)

    def __reduce__(self):
        return type(self), (self.batch,), self.final

    def __setstate__(self, final):
        self.final[:] = final

    def step(self, moves):
        """Make a move at each table of the batch, and encode the new observations."""
        self._step(memoryview(moves))

    def _step(self, moves):
        self.batch._check(moves)
        with cython.nogil:
            for at in range(self.batch.tables):
                mover = self.batch.seats_view[at]
                self.batch._advance(at, moves[at])
                if self.batch.over_view[at]:
                    self._encode_final(at, mover)
                self.batch._publish(at)
                self._encode(at)

    def observe(self, table):
        """Write the observation and the mask of the seat to move at another table into the first row."""
        self._observe(table)

    def _encode(self, at):
        """Write the row of the table that is loaded; implemented by each game."""

    def _encode_final(self, at, viewer):
        """Write the final row of the table that is loaded, for a seat; implemented by each game."""

    def _observe(self, table):
        """Write the first row and the first mask from a table; implemented by each game."""
