"""The state of Azul in machine words: copies, saved rows, the hash key, and conversion from and to the readable game.

A heap of tiles is one word with a byte per colour, so heaps are combined by adding. What each colour may still do
(lines that accept it, rows and columns where it lies on the wall) is a word of the same shape, with five bits in each
byte. The lid already includes the tiles on the floor lines: it is not drawn from before they are cleared.
"""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from tessella.fast.azul.moves import (
        FLOOR,
        encode_place,
        encode_take,
        first_place,
        place_column,
        place_row,
        place_seat,
        take_colour,
        take_line,
        take_source,
    )
    from tessella.fast.bits import mixed

from tessella.fast.azul.constants import IN_CENTRE, MARKER_NIBBLE, NOWHERE, ONE, ONES
from tessella.fast.bits import GOLDEN, MIX_1, MIX_2, WORD, counted, packed
from tessella.games.azul.notation import write_move
from tessella.games.azul.pieces import COLOURS, EMPTY, MARKER, SIZE, counts, heap
from tessella.games.azul.scoring import final_places
from tessella.games.azul.state import Board, Config, Deal, Place, State, Take


def complete(wall):
    """Return how many of five groups of five bits are full."""
    complete = 0
    for _ in range(5):
        if wall & 31 == 31:
            complete += 1
        wall >>= 5
    return complete


class AzulTable:
    """The state of a table; `Azul` adds the rules."""

    # Copies

    def _clear(self):
        self.source = [0] * 10
        self.open = [0] * 4
        self.taken = [0] * 4
        self.held = [0] * 4
        self.hue = [0] * 4
        self.columns = [0] * 4
        self.wall = [0] * 4
        self.turned = [0] * 4
        self.paint = [0] * 20
        self.floor = [0] * 4
        self.fallen = [0] * 4
        self.score = [0] * 4
        self.listed = [0] * 336
        self.points = [0] * 4
        self.plies = self.met = self.rounds = 0

    def _assign(self, other):
        self.seats = other.seats
        self.factories = other.factories
        self.grey = other.grey
        self.width = other.width
        self.bag = other.bag
        self.lid = other.lid
        self.present = other.present
        self.marker = other.marker
        self.round = other.round
        self.start = other.start
        self.current = other.current
        self.phase = other.phase
        for source in range(10):
            self.source[source] = other.source[source]
        for seat in range(4):
            self.open[seat] = other.open[seat]
            self.taken[seat] = other.taken[seat]
            self.held[seat] = other.held[seat]
            self.hue[seat] = other.hue[seat]
            self.columns[seat] = other.columns[seat]
            self.wall[seat] = other.wall[seat]
            self.turned[seat] = other.turned[seat]
            self.floor[seat] = other.floor[seat]
            self.fallen[seat] = other.fallen[seat]
            self.score[seat] = other.score[seat]
        if self.grey:
            for row in range(20):
                self.paint[row] = other.paint[row]

    def _save(self, rows, at):
        """Write the table as a row of words, without its random generator."""
        rows[at, 0] = self.bag
        rows[at, 1] = self.lid
        rows[at, 2] = self.present
        rows[at, 3] = self.marker
        rows[at, 4] = self.round
        rows[at, 5] = self.start
        rows[at, 6] = self.current
        rows[at, 7] = self.phase
        word = 8
        for source in range(self.factories + 1):
            rows[at, word + source] = self.source[source]
        word += self.factories + 1
        for seat in range(self.seats):
            rows[at, word] = self.open[seat]
            rows[at, word + 1] = self.taken[seat]
            rows[at, word + 2] = self.held[seat]
            rows[at, word + 3] = self.hue[seat]
            rows[at, word + 4] = self.columns[seat]
            rows[at, word + 5] = self.wall[seat]
            rows[at, word + 6] = self.turned[seat]
            rows[at, word + 7] = self.floor[seat]
            rows[at, word + 8] = self.fallen[seat]
            rows[at, word + 9] = self.score[seat]
            word += 10
        if self.grey:
            for row in range(5 * self.seats):
                rows[at, word + row] = self.paint[row]

    def _load(self, rows, at):
        """Load a row that was saved from a table with as many seats and the same wall."""
        self.bag = rows[at, 0]
        self.lid = rows[at, 1]
        self.present = rows[at, 2]
        self.marker = rows[at, 3]
        self.round = rows[at, 4]
        self.start = rows[at, 5]
        self.current = rows[at, 6]
        self.phase = rows[at, 7]
        word = 8
        for source in range(self.factories + 1):
            self.source[source] = rows[at, word + source]
        word += self.factories + 1
        for seat in range(self.seats):
            self.open[seat] = rows[at, word]
            self.taken[seat] = rows[at, word + 1]
            self.held[seat] = rows[at, word + 2]
            self.hue[seat] = rows[at, word + 3]
            self.columns[seat] = rows[at, word + 4]
            self.wall[seat] = rows[at, word + 5]
            self.turned[seat] = rows[at, word + 6]
            self.floor[seat] = rows[at, word + 7]
            self.fallen[seat] = rows[at, word + 8]
            self.score[seat] = rows[at, word + 9]
            word += 10
        if self.grey:
            for row in range(5 * self.seats):
                self.paint[row] = rows[at, word + row]

    # Hash key

    def _key(self):
        key = mixed(self.bag + GOLDEN) + mixed(self.lid ^ MIX_1) + mixed(self.source[self.factories] ^ MIX_2)
        for factory in range(self.factories):
            if self.source[factory]:
                key += mixed(self.source[factory])
        salt = self.round | self.start << 8 | self.current << 10 | self.marker << 12 | self.phase << 16
        salt = salt | self.seats << 18 | self.grey << 21
        key += mixed((salt << 32) & WORD)
        for seat in range(self.seats):
            salt = (salt + GOLDEN) & WORD
            key += mixed((self.held[seat] + 8 * self.hue[seat]) ^ salt)
            board = self.score[seat]
            board = board << 30 | self.fallen[seat] << 25 | self.wall[seat]
            salt = (salt + GOLDEN) & WORD
            key += mixed(board ^ salt)
            if self.grey:
                for row in range(5 * seat, 5 * seat + 5):
                    salt = (salt + GOLDEN) & WORD
                    key += mixed(self.paint[row] ^ salt)
        return key & WORD

    # Conversion from and to the readable game

    def to_state(self):
        """Return the state of the readable game."""
        boards = tuple([self._board(seat) for seat in range(self.seats)])
        lid = list(counted(self.lid))
        for board in boards:
            for colour, number in enumerate(counts(board.floor)):
                lid[colour] -= number
        marker = MARKER if self.marker == IN_CENTRE else ""
        return State(
            Config(self.seats, "grey" if self.grey else "coloured"),
            boards,
            bag=counted(self.bag),
            lid=tuple(lid),
            factories=tuple([heap(counted(self.source[factory])) for factory in range(self.factories)]),
            centre=marker + heap(counted(self.source[self.factories])),
            round=self.round,
            start=self.start,
            current=self.current,
        )

    def _board(self, seat):
        lines = tuple(
            [COLOURS[self.hue[seat] >> 8 * row & 255] * (self.held[seat] >> 8 * row & 255) for row in range(5)]
        )
        wall = tuple(["".join([self._space(seat, row, column) for column in range(5)]) for row in range(5)])
        pieces = "".join([(COLOURS + MARKER)[(self.floor[seat] >> 4 * at & 15) - 1] for at in range(self.fallen[seat])])
        return Board(self.score[seat], lines, wall, pieces)

    def _space(self, seat, row, column):
        if not self.wall[seat] >> (5 * row + column) & 1:
            return EMPTY
        if self.grey:
            return COLOURS[(self.paint[5 * seat + row] >> 4 * column & 15) - 1]
        return COLOURS[(column - row) % SIZE]

    def dealt(self):
        """Return the factories as a deal of the readable game; the first deal names the start player."""
        tiles = tuple([heap(counted(self.source[factory])) for factory in range(self.factories)])
        return Deal(tiles, self.start if self.round == 1 else None)

    def scores(self):
        """Return the points of each seat."""
        return tuple([self.score[seat] for seat in range(self.seats)])

    def places(self):
        """AZ52: return the place of each seat, 1 for the best; equal points and rows share one."""
        return final_places(self.to_state().boards)

    def to_move(self, number):
        """Return the move of the readable game, made by the seat to move."""
        factories = self.factories
        if number >= first_place(factories):
            return Place(place_seat(factories, number), place_row(factories, number), place_column(factories, number))
        source, line = take_source(number), take_line(number)
        return Take(
            self.seat(),
            None if source == factories else source,
            COLOURS[take_colour(number)],
            None if line == FLOOR else line,
        )

    def write_move(self, number):
        """Return the notation of a move: 3r4, ck- or t24."""
        return write_move(None, self.to_move(number))

    def from_move(self, move):
        """Return the number of a move of the readable game, legal or not."""
        if isinstance(move, Place):
            return encode_place(self.factories, move.seat, move.row, move.column)
        source = self.factories if move.source is None else move.source
        return encode_take(source, COLOURS.index(move.colour), FLOOR if move.line is None else move.line)

    def _read(self, state):
        self.bag = packed(state.bag)
        self.lid = packed(state.lid)
        self.round = state.round
        self.start = state.start
        self.current = state.current
        for factory, tiles in enumerate(state.factories):
            self.source[factory] = packed(counts(tiles))
        self.source[self.factories] = packed(counts(state.centre))
        self.marker = IN_CENTRE if MARKER in state.centre else NOWHERE
        for seat, board in enumerate(state.boards):
            self._read_board(seat, board)

    def _read_board(self, seat, board):
        self.score[seat] = board.score
        for row in range(5):
            for column in range(5):
                if board.wall[row][column] != EMPTY:
                    self._read_space(seat, row, column, COLOURS.index(board.wall[row][column]))
        for row in range(5):
            tiles = board.lines[row]
            self.open[seat] &= ~(self.taken[seat] & ONES << row)
            if tiles:
                colour = COLOURS.index(tiles[0])
                self.held[seat] += len(tiles) * ONE[row]
                self.hue[seat] += colour * ONE[row]
                self.open[seat] &= ~(ONES << row)
                if len(tiles) <= row:
                    self.open[seat] |= ONE[colour] << row
        for piece in board.floor:
            nibble = MARKER_NIBBLE if piece == MARKER else COLOURS.index(piece) + 1
            self.floor[seat] |= nibble << 4 * self.fallen[seat]
            self.fallen[seat] += 1
            if piece == MARKER:
                self.marker = seat
            else:
                self.lid += ONE[COLOURS.index(piece)]

    def _read_space(self, seat, row, column, colour):
        self.wall[seat] |= 1 << (5 * row + column)
        self.turned[seat] |= 1 << (5 * column + row)
        self.taken[seat] |= ONE[colour] << row
        self.columns[seat] |= ONE[colour] << column
        if self.grey:
            self.paint[5 * seat + row] |= (colour + 1) << 4 * column
