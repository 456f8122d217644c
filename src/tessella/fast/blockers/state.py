"""The state of Blockers! in words and bytes: copies, saved rows, hash key, conversion to the readable game."""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from tessella.fast.bits import bits_set, mixed
    from tessella.fast.blockers.moves import ASIDE, encode_move, move_cell, move_face, move_hand

from tessella.fast.bits import GOLDEN, WORD
from tessella.fast.blockers.constants import (
    BOTH_ROWS,
    FACE_COUNT,
    LOWER_ROWS,
    UNKNOWN,
    UPPER_ROWS,
)
from tessella.games.blockers.notation import write_move
from tessella.games.blockers.pieces import COLOURS, EMPTY, FACES
from tessella.games.blockers.state import Board, Config, Place, PutAside, State, Stock


def faces_of(tiles):
    """Return the faces in a set."""
    return "".join([FACES[face] for face in range(28) if tiles >> face & 1])


def set_of(faces):
    """Return faces as a set: a bit per face."""
    return sum([1 << FACES.index(face) for face in faces])


def euler(upper, lower):
    """Return the Euler number: groups minus holes, as tiles minus adjacent pairs plus full squares."""
    return euler_of(upper, UPPER_ROWS) + euler_of(lower, LOWER_ROWS)


def euler_of(tiles, rows):
    """Return the same for the rows that a word owns."""
    east = tiles >> 1
    south = tiles >> 10
    own = tiles & rows
    return bits_set(own) - bits_set(own & east) - bits_set(own & south) + bits_set(own & east & south & tiles >> 11)


def count_groups(upper, lower):
    """Return how many groups some cells form."""
    groups = 0
    while upper | lower:
        grown_upper = upper & (0 - upper)
        grown_lower = 0 if upper else lower & (0 - lower)
        group_upper = group_lower = 0
        while grown_upper != group_upper or grown_lower != group_lower:
            group_upper = grown_upper | (grown_lower & BOTH_ROWS) << 40
            group_lower = grown_lower | group_upper >> 40 & BOTH_ROWS
            grown_upper = group_upper | beside(group_upper) & upper
            grown_lower = group_lower | beside(group_lower) & lower
        upper &= ~group_upper
        lower &= ~group_lower
        groups += 1
    return groups


def beside(cells):
    """Return the cells edge to edge with some cells; the caller masks what falls off the board."""
    return cells << 10 | cells >> 10 | cells << 1 | cells >> 1


class BlockersTable:
    """The state of a table; `Blockers` adds the rules."""

    # Copies

    def _clear(self):
        self.upper = [0] * 5
        self.lower = [0] * 5
        self.upper_stuck = [0] * 5
        self.lower_stuck = [0] * 5
        self.rack = [0] * 5
        self.supply = [0] * 5
        self.unplayed = [0] * 5
        self.board = [0] * 82
        self.aside = [0] * 120
        self.asides = [0] * 5
        self.caught = [0] * 240
        self.catches = [0] * 5
        self.caught_of = [0] * 25
        self.listed = [0] * 260
        self.met = [0] * 82
        self.queue = [0] * 82
        self.sums = [0] * 8
        self.plies = self.legal = self.captures = 0

    def _assign(self, other):
        self.seats = other.seats
        self.colours = other.colours
        self.uptown = other.uptown
        self.width = other.width
        self.start = other.start
        self.current = other.current
        self.plays_left = other.plays_left
        self.drawing = other.drawing
        self.phase = other.phase
        for colour in range(5):
            self.upper[colour] = other.upper[colour]
            self.lower[colour] = other.lower[colour]
            self.upper_stuck[colour] = other.upper_stuck[colour]
            self.lower_stuck[colour] = other.lower_stuck[colour]
            self.rack[colour] = other.rack[colour]
            self.supply[colour] = other.supply[colour]
            self.unplayed[colour] = other.unplayed[colour]
            self.asides[colour] = other.asides[colour]
            self.catches[colour] = other.catches[colour]
        for cell in range(81):
            self.board[cell] = other.board[cell]
        for place in range(120):
            self.aside[place] = other.aside[place]
        for place in range(240):
            self.caught[place] = other.caught[place]
        for place in range(25):
            self.caught_of[place] = other.caught_of[place]

    def _save(self, words, byte_rows, at):
        """Write the table as a row of words and one of bytes, without its random generator."""
        words[at, 0] = self.start + 1
        words[at, 1] = self.current
        words[at, 2] = self.plays_left
        words[at, 3] = self.drawing
        words[at, 4] = self.phase
        for colour in range(5):
            words[at, 5 + colour] = self.upper[colour]
            words[at, 10 + colour] = self.lower[colour]
            words[at, 15 + colour] = self.upper_stuck[colour]
            words[at, 20 + colour] = self.lower_stuck[colour]
            words[at, 25 + colour] = self.rack[colour]
            words[at, 30 + colour] = self.supply[colour]
            words[at, 35 + colour] = self.unplayed[colour]
            words[at, 40 + colour] = self.asides[colour]
            words[at, 45 + colour] = self.catches[colour]
        for cell in range(81):
            byte_rows[at, cell] = self.board[cell]
        for place in range(120):
            byte_rows[at, 81 + place] = self.aside[place]
        for place in range(240):
            byte_rows[at, 201 + place] = self.caught[place]
        for place in range(25):
            byte_rows[at, 441 + place] = self.caught_of[place]

    def _load(self, words, byte_rows, at):
        """Load rows that were saved from a table with as many seats."""
        self.start = words[at, 0] - 1
        self.current = words[at, 1]
        self.plays_left = words[at, 2]
        self.drawing = words[at, 3]
        self.phase = words[at, 4]
        for colour in range(5):
            self.upper[colour] = words[at, 5 + colour]
            self.lower[colour] = words[at, 10 + colour]
            self.upper_stuck[colour] = words[at, 15 + colour]
            self.lower_stuck[colour] = words[at, 20 + colour]
            self.rack[colour] = words[at, 25 + colour]
            self.supply[colour] = words[at, 30 + colour]
            self.unplayed[colour] = words[at, 35 + colour]
            self.asides[colour] = words[at, 40 + colour]
            self.catches[colour] = words[at, 45 + colour]
        for cell in range(81):
            self.board[cell] = byte_rows[at, cell]
        for place in range(120):
            self.aside[place] = byte_rows[at, 81 + place]
        for place in range(240):
            self.caught[place] = byte_rows[at, 201 + place]
        for place in range(25):
            self.caught_of[place] = byte_rows[at, 441 + place]

    # Hash key

    def _key(self):
        salt = self.start + 1 | self.current << 4 | self.plays_left << 8 | self.drawing << 16 | self.phase << 20
        salt = salt | self.seats << 24 | self.uptown << 28
        key = mixed((salt << 32) & WORD)
        for colour in range(self.colours):
            salt = (salt + GOLDEN) & WORD
            key += mixed(self.upper[colour] ^ salt)
            salt = (salt + GOLDEN) & WORD
            key += mixed(self.lower[colour] ^ salt)
            word = self.rack[colour]
            word = word << 28 | self.supply[colour]
            salt = (salt + GOLDEN) & WORD
            key += mixed(word ^ salt)
        for seat in range(self.seats):
            word = 0
            for colour in range(self.colours):
                word = word << 8 | self.caught_of[5 * seat + colour]
            salt = (salt + GOLDEN) & WORD
            key += mixed(word ^ salt)
        return key & WORD

    # Conversion from and to the readable game

    def to_state(self):
        """Return the state of the readable game."""
        tiles = [self.board[cell] for cell in range(81)]
        return State(
            Config(self.seats, "uptown" if self.uptown else "blockers"),
            stocks=tuple([self._stock(colour) for colour in range(self.colours)]),
            captured=tuple([self._captured(seat) for seat in range(self.seats)]),
            board=Board(
                "".join([COLOURS[(tile - 1) // 28] if tile else EMPTY for tile in tiles]),
                "".join([FACES[(tile - 1) % 28] if tile else EMPTY for tile in tiles]),
            ),
            start=None if self.start == UNKNOWN else self.start,
        )

    def _stock(self, colour):
        aside = "".join([FACES[self.aside[24 * colour + place]] for place in range(self.asides[colour])])
        return Stock(faces_of(self.rack[colour]), faces_of(self.supply[colour]), aside)

    def _captured(self, seat):
        tiles = [self.caught[48 * seat + place] for place in range(self.catches[seat])]
        return "".join([COLOURS[tile // 28] + FACES[tile % 28] for tile in tiles])

    def to_move(self, number):
        """Return the move of the readable game, made by the seat to move."""
        colour = COLOURS[self.current + self.seats * move_hand(number)]
        face = FACES[move_face(number)]
        if move_cell(number) == ASIDE:
            return PutAside(self.current, colour, face)
        return Place(self.current, colour, face, move_cell(number))

    def write_move(self, number):
        """Return the notation of a move: 7@D7, 7@D7x or 7@-."""
        return write_move(self.to_state(), self.to_move(number))

    def from_move(self, move):
        """Return the number of a move of the readable game, legal or not."""
        cell = move.cell if isinstance(move, Place) else ASIDE
        return encode_move(COLOURS.index(move.colour) // self.seats, FACES.index(move.face), cell)

    def _read_stock(self, colour, stock):
        self.rack[colour] = set_of(stock.rack)
        self.supply[colour] = set_of(stock.supply)
        self.unplayed[colour] = len(stock.rack) + len(stock.supply)
        for place in range(len(stock.aside)):
            self.aside[24 * colour + place] = FACES.index(stock.aside[place])
        self.asides[colour] = len(stock.aside)

    def _read_captured(self, seat, tiles):
        for place in range(len(tiles) // 2):
            colour = COLOURS.index(tiles[2 * place])
            self.caught[48 * seat + place] = FACE_COUNT * colour + FACES.index(tiles[2 * place + 1])
            self.caught_of[5 * seat + colour] += 1
        self.catches[seat] = len(tiles) // 2
