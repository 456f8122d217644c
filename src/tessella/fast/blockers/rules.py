"""The rules of Blockers! on bitboards, for millions of moves per second; `tessella.games.blockers` is the reference.

The tiles of a colour on the board are two words, ten bits per row: the upper word has rows A to F, the lower word rows
E to I. They own rows A to E and F to I; the extra rows let every tile see all its neighbours. All tiles that hold their
group together are then found at once, by a dozen operations on words.

moves.py explains how moves are numbered.

The same file runs as plain Python and, with the types of rules.pxd, compiled. Compiled code does not check bounds.
"""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from tessella.fast.bits import bits_set, lowest, mixed
    from tessella.fast.blockers.moves import ASIDE, HAND_MOVES, encode_move, move_cell, move_face, move_hand
    from tessella.fast.blockers.state import count_groups, euler

from tessella.core.game import places
from tessella.fast.batch import BatchBase
from tessella.fast.bits import GOLDEN, WORD
from tessella.fast.blockers import constants
from tessella.fast.blockers.constants import (
    ALL_FACES,
    FACE_COUNT,
    LOWER_ROWS,
    RACK,
    STATE_BYTES,
    STATE_WORDS,
    STAYING,
    UNKNOWN,
    UPPER_ROWS,
)
from tessella.fast.blockers.state import BlockersTable, set_of
from tessella.fast.phases import DEALING, DRAFTING, OVER
from tessella.games.blockers.pieces import COLOURS, EMPTY, FACES
from tessella.games.blockers.state import DrawStart

# Compiled, each is a C array of this module: faster than an array of another one.
CELL_LOWER = constants.CELL_LOWER
CELL_UPPER = constants.CELL_UPPER
HOUSE_LOWER = constants.HOUSE_LOWER
HOUSE_UPPER = constants.HOUSE_UPPER
LOWER = constants.LOWER
NEAR = constants.NEAR
UPPER = constants.UPPER


class Blockers(BlockersTable):
    """A mutable table of Blockers!, with its own random generator for draws and random play."""

    def __init__(self, seats=4, uptown=False, seed=0):
        """Set up a table for two to five players, before the first deal."""
        if not 2 <= seats <= 5:
            raise ValueError("Blockers! is for 2 to 5 players (BL03, BL30)")
        self._clear()
        self.seats = seats
        self.colours = 4 if seats == 2 else seats
        self.uptown = uptown
        self.width = HAND_MOVES * (2 if seats == 2 else 1)
        self.random = seed & WORD
        self._reset()

    # Copies

    def copy(self):
        """Return a copy with the same random generator: both would play on alike."""
        new = Blockers.__new__(Blockers)
        new._clear()
        new.random = self.random
        new._assign(self)
        return new

    def assign(self, other):
        """Copy another table into this one; keep this random generator."""
        self._assign(other)

    def generator(self):
        """Return the state of the random generator, for `reseed`."""
        return self.random

    def reseed(self, seed):
        """Set the random generator: the same number deals the same."""
        self.random = seed & WORD

    def __reduce__(self):
        return from_state, (self.to_state(), self.random)

    def __deepcopy__(self, memo):
        return self.copy()

    # Chance

    def _next(self):
        """SplitMix64: return 64 random bits."""
        self.random = (self.random + GOLDEN) & WORD
        return mixed(self.random)

    def _below(self, stop):
        return (self._next() >> 32) * stop >> 32

    def reset(self):
        """Start a new game; the random generator runs on."""
        self._reset()

    def _reset(self):
        for colour in range(5):
            self.upper[colour] = self.lower[colour] = 0
            self.upper_stuck[colour] = self.lower_stuck[colour] = 0
            self.rack[colour] = 0
            self.supply[colour] = ALL_FACES
            self.unplayed[colour] = FACE_COUNT
            self.asides[colour] = 0
            self.catches[colour] = 0
        for cell in range(81):
            self.board[cell] = 0
        for place in range(25):
            self.caught_of[place] = 0
        self.start = UNKNOWN
        self.current = 0
        self.plays_left = (FACE_COUNT - STAYING) * self.colours
        self.drawing = 0
        self.phase = DEALING

    def deal(self):
        """BL03, BL16: draw at random: the start player, or the tiles that one rack lacks."""
        if self.phase != DEALING:
            raise ValueError("no draw is due (BL16)")
        self._deal()

    def _deal(self):
        if self.start == UNKNOWN:
            self._set_start(self._below(self.seats))
        else:
            self._give(self.drawing, self._drawn(self.supply[self.drawing], RACK - bits_set(self.rack[self.drawing])))

    def _set_start(self, seat):
        self.start = seat
        self.current = seat

    def _drawn(self, faces, number):
        """Return a random subset of the faces of this size, all equally likely."""
        drawn = 0
        count = bits_set(faces)
        while number:
            rest = faces
            for _ in range(self._below(count)):
                rest &= rest - 1
            face = rest & (0 - rest)
            drawn |= face
            faces ^= face
            count -= 1
            number -= 1
        return drawn

    def _give(self, colour, faces):
        """BL03, BL16: move tiles from a supply to its rack; then the next rack draws, or play goes on."""
        self.rack[colour] |= faces
        self.supply[colour] ^= faces
        self.drawing = 0
        self.phase = DRAFTING
        if self.plays_left == (FACE_COUNT - STAYING) * self.colours and colour + 1 < self.colours:
            self.drawing = colour + 1
            self.phase = DEALING

    def imagine(self, seat):
        """BL40: redraw at random every tile that the seat cannot see: racks and supplies of the others."""
        self._imagine(seat)

    def _imagine(self, seat):
        for colour in range(self.colours):
            shown = self.seats == 2 and self.unplayed[colour] == STAYING
            if self.plays_left and colour % self.seats != seat and not shown:
                unseen = self.rack[colour] | self.supply[colour]
                self.rack[colour] = self._drawn(unseen, bits_set(self.rack[colour]))
                self.supply[colour] = unseen ^ self.rack[colour]

    # A turn

    def _list(self):
        """Write every legal move to `listed`, and return their number."""
        if self.phase != DRAFTING:
            return 0
        upper = lower = 0
        for colour in range(self.colours):
            upper |= self.upper_stuck[colour]
            lower |= self.lower_stuck[colour]
        listed = 0
        hand = 0
        colour = self.current
        while colour < self.colours:
            if self.unplayed[colour] > STAYING:
                listed = self._list_places(colour, hand, listed, upper, lower)
            hand += 1
            colour += self.seats
        return listed if listed else self._list_asides()

    def _list_places(self, colour, hand, listed, upper, lower):
        """BL10 to BL12, BL15: list every tile of the rack on every cell of its face whose tile need not stay."""
        upper = ~(upper | self.upper[colour])
        lower = ~(lower | self.lower[colour])
        rack = self.rack[colour]
        while rack:
            face = lowest(rack)
            rack &= rack - 1
            move = encode_move(hand, face, 0)
            cells = upper & HOUSE_UPPER[face]
            while cells:
                self.listed[listed] = move + CELL_UPPER[lowest(cells)]
                listed += 1
                cells &= cells - 1
            cells = lower & HOUSE_LOWER[face]
            while cells:
                self.listed[listed] = move + CELL_LOWER[lowest(cells)]
                listed += 1
                cells &= cells - 1
        return listed

    def _list_asides(self):
        """BL17: list any tile of the rack, when none can be placed."""
        listed = 0
        hand = 0
        colour = self.current
        while colour < self.colours:
            rack = self.rack[colour]
            while rack and self.unplayed[colour] > STAYING:
                self.listed[listed] = encode_move(hand, lowest(rack), ASIDE)
                listed += 1
                rack &= rack - 1
            hand += 1
            colour += self.seats
        return listed

    def _list_mask(self, masks, at):
        """List the legal moves, and write them as a row of a mask."""
        width = self.width
        listed = self._list()
        for move in range(width):
            masks[at, move] = 0
        for place in range(listed):
            masks[at, self.listed[place]] = 1
        return listed

    def _is_legal(self, move):
        if self.phase != DRAFTING or move < 0 or move >= self.width:
            return False
        colour = self.current + self.seats * move_hand(move)
        face = move_face(move)
        cell = move_cell(move)
        if self.unplayed[colour] <= STAYING or not self.rack[colour] >> face & 1:
            return False
        if cell == ASIDE:
            self._list()
            return move_cell(self.listed[0]) == ASIDE
        upper = self.upper[colour]
        lower = self.lower[colour]
        for other in range(self.colours):
            upper |= self.upper_stuck[other]
            lower |= self.lower_stuck[other]
        return (UPPER[cell] & HOUSE_UPPER[face] & ~upper | LOWER[cell] & HOUSE_LOWER[face] & ~lower) > 0

    def _apply(self, move):
        """Make a legal move."""
        colour = self.current + self.seats * move_hand(move)
        face = move_face(move)
        cell = move_cell(move)
        if cell == ASIDE:
            self.aside[24 * colour + self.asides[colour]] = face
            self.asides[colour] += 1
        else:
            self._place(colour, face, cell)
        self._finish_turn(colour, face)

    def _place(self, colour, face, cell):
        """BL10, BL14: the tile goes from the rack to the cell; a tile that lay there goes to its captor."""
        there = self.board[cell]
        if there:
            self._capture(there - 1, cell)
        self.board[cell] = 1 + FACE_COUNT * colour + face
        self.upper[colour] |= UPPER[cell]
        self.lower[colour] |= LOWER[cell]
        self._find_stuck(colour)

    def _capture(self, tile, cell):
        seat = self.current
        colour = tile // FACE_COUNT
        self.caught[48 * seat + self.catches[seat]] = tile
        self.catches[seat] += 1
        self.caught_of[5 * seat + colour] += 1
        self.upper[colour] ^= UPPER[cell]
        self.lower[colour] ^= LOWER[cell]
        self._find_stuck(colour)

    def _finish_turn(self, colour, face):
        """BL16, BL20: the colour draws if it can; the turn passes; when every colour is finished the game is over."""
        self.rack[colour] ^= 1 << face
        self.unplayed[colour] -= 1
        self.plays_left -= 1
        self.current += 1
        if self.current == self.seats:
            self.current = 0
        if self.supply[colour]:
            self.drawing = colour
            self.phase = DEALING
        elif self.plays_left == 0:
            self.phase = OVER

    # Groups

    def _find_stuck(self, colour):
        """BL12: find the tiles of a colour without which their group would be split."""
        self.upper_stuck[colour] = _stuck(self.upper[colour]) & UPPER_ROWS
        self.lower_stuck[colour] = _stuck(self.lower[colour]) & LOWER_ROWS
        if _encloses(self.upper[colour], self.lower[colour]):
            self._release(colour)

    def _release(self, colour):
        """Check each stuck tile by a flood fill: a group with a hole may be connected the other way round."""
        cells = self.upper_stuck[colour]
        while cells:
            if not self._splits(CELL_UPPER[lowest(cells)]):
                self.upper_stuck[colour] ^= cells & (0 - cells)
            cells &= cells - 1
        cells = self.lower_stuck[colour]
        while cells:
            if not self._splits(CELL_LOWER[lowest(cells)]):
                self.lower_stuck[colour] ^= cells & (0 - cells)
            cells &= cells - 1

    def _splits(self, cell):
        """Whether two neighbours of the tile are disconnected without it."""
        colour = self.board[cell]
        colour = (colour - 1) // FACE_COUNT
        self._unmeet()
        self.met[cell] = 1
        started = False
        for place in range(4):
            near = NEAR[4 * cell + place]
            if self._is_of(near, colour) and not self.met[near]:
                if started:
                    return True
                self._meet(near, colour)
                started = True
        return False

    def _unmeet(self):
        for cell in range(82):
            self.met[cell] = 0

    def _is_of(self, cell, colour):
        if cell == 81:
            return False
        return (UPPER[cell] & self.upper[colour] | LOWER[cell] & self.lower[colour]) > 0

    def _meet(self, cell, colour):
        """Mark all unmarked tiles that are connected to the tile on a cell."""
        self.met[cell] = 1
        self.queue[0] = cell
        queued = 1
        while queued:
            queued -= 1
            cell = self.queue[queued]
            for place in range(4):
                near = NEAR[4 * cell + place]
                if self._is_of(near, colour) and not self.met[near]:
                    self.met[near] = 1
                    self.queue[queued] = near
                    queued += 1

    def _groups(self, colour):
        """BL21: return how many groups a colour has on the board."""
        upper = self.upper[colour]
        lower = self.lower[colour]
        if _corners(upper) | _corners(lower) == 15:
            return count_groups(upper, lower)
        return euler(upper, lower)

    def _score(self, seat):
        """BL21, BL23, BL33: return the groups plus the captured tiles of the most captured colour."""
        score = 0
        most = 0
        colour = seat
        while colour < self.colours:
            score += self._groups(colour)
            colour += self.seats
        if not self.uptown:
            for colour in range(5):
                if self.caught_of[5 * seat + colour] > most:
                    most = self.caught_of[5 * seat + colour]
        return score + most

    # Play

    def apply(self, move):
        """Make a move; raise ValueError if it is not legal."""
        if not self._is_legal(move):
            raise ValueError(f"move {move} is not legal here")
        self._apply(move)

    def is_legal(self, move):
        """Whether the move is legal now."""
        return self._is_legal(move)

    def moves(self):
        """Return every legal move, ascending by colour and face."""
        listed = self._list()
        return [self.listed[place] for place in range(listed)]

    def choose(self):
        """Return a legal move at random, all equally likely."""
        listed = self._list()
        if listed == 0:
            raise ValueError("nobody is to move")
        return self.listed[self._below(listed)]

    def seat(self):
        """Return the seat to move, now or after the draw."""
        return self.current

    def scores(self):
        """Return what each seat would score now; the fewest win."""
        return tuple([self._score(seat) for seat in range(self.seats)])

    def _is_better(self, seat, other):
        """BL22: whether a seat ranks before another: fewest points, then fewest captured tiles."""
        if self._score(seat) != self._score(other):
            return self._score(seat) < self._score(other)
        return self.catches[seat] < self.catches[other]

    def places(self):
        """BL22: return the place of each seat, 1 for the best: fewest points, then fewest captured tiles."""
        return places([(-self._score(seat), -self.catches[seat]) for seat in range(self.seats)])

    def playout(self):
        """Play at random until the game is over, and return the number of moves."""
        return self._playout()

    def _playout(self):
        plies = 0
        while self.phase != OVER:
            if self.phase == DEALING:
                self._deal()
            else:
                listed = self._list()
                self.legal += listed
                self._apply(self.listed[self._below(listed)])
                plies += 1
        return plies

    def playouts(self, games):
        """Play random games from here without the interpreter's lock; the table itself stays as it is.

        Return the sums of moves made, legal moves listed and tiles captured, and of the points of each seat.
        """
        table = self.copy()
        self._next()
        with cython.nogil:
            table._playouts(self, games)
        points = tuple([table.sums[seat] for seat in range(table.seats)])
        return table.plies, table.legal, table.captures, points

    def _playouts(self, root, games):
        self.plies = self.legal = self.captures = 0
        for seat in range(5):
            self.sums[seat] = 0
        for _ in range(games):
            self._assign(root)
            self.plies += self._playout()
            for seat in range(self.seats):
                self.sums[seat] += self._score(seat)
                self.captures += self.catches[seat]

    # Hash key

    def key(self):
        """Return a 64-bit hash, equal for positions that play on alike, with all racks and supplies known."""
        return self._key()

    # Conversion from and to the readable game

    def _read(self, state):
        self.start = UNKNOWN if state.start is None else state.start
        for cell in range(81):
            if state.board.colours[cell] != EMPTY:
                colour = COLOURS.index(state.board.colours[cell])
                self._place(colour, FACES.index(state.board.faces[cell]), cell)
        for colour in range(self.colours):
            self._read_stock(colour, state.stocks[colour])
        for seat in range(self.seats):
            self._read_captured(seat, state.captured[seat])
        self.plays_left = sum([self.unplayed[colour] - STAYING for colour in range(self.colours)])
        if state.start is not None:
            self.current = (state.start - self.plays_left) % self.seats
        self._read_phase()

    def _read_phase(self):
        self.phase = DRAFTING if self.plays_left else OVER
        for colour in range(self.colours - 1, -1, -1):
            if self.start == UNKNOWN or (bits_set(self.rack[colour]) < RACK and self.supply[colour]):
                self.drawing = colour
                self.phase = DEALING

    def deal_these(self, deal):
        """Draw what a deal of the readable game says."""
        if self.phase != DEALING or isinstance(deal, DrawStart) != (self.start == UNKNOWN):
            raise ValueError("this deal is not due now (BL03, BL16)")
        if isinstance(deal, DrawStart):
            self._set_start(deal.start)
            return
        faces = set_of(deal.tiles)
        lacking = RACK - bits_set(self.rack[self.drawing])
        if COLOURS[self.drawing] != deal.colour or len(deal.tiles) != lacking or faces & ~self.supply[self.drawing]:
            raise ValueError("these tiles cannot be drawn now (BL16)")
        self._give(self.drawing, faces)


def from_state(state, seed=0):
    """Return the table of a state of the readable game, with a random generator of this seed."""
    table = Blockers(state.config.seats, state.config.scoring == "uptown", seed)
    table._read(state)
    return table


def _stuck(tiles):
    """Return the tiles whose neighbours are connected only through them, as far as the eight cells around show.

    Around a tile, a run of connected neighbours ends where the next corner or side is missing. Two ends: stuck.
    """
    north = tiles << 10
    south = tiles >> 10
    west = tiles << 1
    east = tiles >> 1
    ends_north = north & ~(east & north >> 1)
    ends_east = east & ~(south & south >> 1)
    ends_south = south & ~(west & south << 1)
    ends_west = west & ~(north & north << 1)
    across = (ends_north | ends_east) & (ends_south | ends_west)
    return tiles & (ends_north & ends_east | ends_south & ends_west | across)


def _corners(tiles):
    """Return which of the four corners that every hole has occur: three tiles of a square, the fourth missing."""
    east = tiles >> 1
    south = tiles >> 10
    east_south = tiles >> 11
    corners = 1 if tiles & east & south & ~east_south else 0
    corners |= 2 if tiles & east & ~south & east_south else 0
    corners |= 4 if tiles & ~east & south & east_south else 0
    return corners | 8 if ~tiles & east & south & east_south else corners


def _encloses(upper, lower):
    """Whether some group has a hole."""
    return _corners(upper) | _corners(lower) == 15 and euler(upper, lower) < count_groups(upper, lower)


class Batch(BatchBase):
    """Tables of Blockers! that move together."""

    def __init__(self, tables, seats=4, uptown=False, seed=0):
        """Set up and deal the tables; they share one random generator."""
        self.table = Blockers(seats, uptown, seed)
        self._allocate(tables, seats, self.table.width, STATE_WORDS, STATE_BYTES)
        for at in range(tables):
            self.table._reset()
            self._publish(at)

    def _arguments(self):
        return self.tables, self.table.seats, self.table.uptown

    def _load(self, at):
        self.table._load(self.rows, self.byte_rows, at)

    def _move(self, at, move):
        self._load(at)
        self.table._apply(move)
        self.over_view[at] = 0
        if self.table.phase == OVER:
            self.over_view[at] = 1
            self._score(at)

    def _score(self, at):
        """Write the points and the place of each seat; ties share a place."""
        for seat in range(self.table.seats):
            self.scores_view[at, seat] = self.table._score(seat)
            self.places_view[at, seat] = 1
            for other in range(self.table.seats):
                if self.table._is_better(other, seat):
                    self.places_view[at, seat] += 1

    def _publish(self, at):
        """Draw, save a table, and write its seat to move, its legal moves, and one of them at random."""
        if self.table.phase == OVER:
            self.table._reset()
        while self.table.phase == DEALING:
            self.table._deal()
        self.table._save(self.rows, self.byte_rows, at)
        self.seats_view[at] = self.table.current
        self.random_view[at] = self.table.listed[self.table._below(self.table._list_mask(self.masks_view, at))]
