"""Blockers! in bits, for millions of moves a second; `tessella.games.blockers` is the law.

The tiles of a colour on the board are two words, ten bits for a row: the upper one has rows A to F, the lower one rows
E to I. Each speaks for its own rows only, A to E and F to I; the other row is there so that every tile sees all its
neighbours. All tiles that hold their group together are then found at once, by a dozen operations on words.

A move is a small number: 2296 for each colour of the seat, 82 for each face, then the cell; cell 81 is: put aside.
Ascending numbers are the order of colours and faces in which the readable game lists its moves.

The same file runs as it is and, with the types of blockers.pxd, compiled. Compiled code checks no bounds.
"""

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from tessella.fast.blockers_table import count_groups, euler, mixed
    from tessella.fast.uncompiled import bits_set, lowest

from tessella.core.game import places
from tessella.fast import blockers_words as words
from tessella.fast.blockers_table import BlockersTable, set_of
from tessella.fast.blockers_words import (
    ALL_FACES,
    ASIDE,
    FACE_COUNT,
    GOLDEN,
    HEAPS,
    LOWER_ROWS,
    RACK,
    STAYING,
    UNKNOWN,
    UPPER_ROWS,
    WORD,
    WORDS,
)
from tessella.fast.phases import DEALING, DRAFTING, OVER
from tessella.fast.tables import Tables
from tessella.games.blockers.pieces import COLOURS, EMPTY, FACES
from tessella.games.blockers.state import DrawStart

# Compiled, each becomes an array of this module: looked up where it lies.
CELL_LOWER = words.CELL_LOWER
CELL_UPPER = words.CELL_UPPER
HOUSE_LOWER = words.HOUSE_LOWER
HOUSE_UPPER = words.HOUSE_UPPER
LOWER = words.LOWER
NEAR = words.NEAR
UPPER = words.UPPER


class Blockers(BlockersTable):
    """A table of Blockers! that changes in place. Its own generator draws tiles and plays at random."""

    def __init__(self, seats=4, uptown=False, seed=0):
        """Lay the table for two to five players, before the first deal."""
        if not 2 <= seats <= 5:
            raise ValueError("Blockers! is for 2 to 5 players (BL03, BL30)")
        self._clear()
        self.seats = seats
        self.colours = 4 if seats == 2 else seats
        self.uptown = uptown
        self.width = 4592 if seats == 2 else 2296
        self.random = seed & WORD
        self._reset()

    # Copies

    def copy(self):
        """The same table again, its generator too: both would play on alike."""
        new = Blockers.__new__(Blockers)
        new._clear()
        new.random = self.random
        new._assign(self)
        return new

    def assign(self, other):
        """Become the table of another, whatever this one was; the generator stays one's own."""
        self._assign(other)

    # Chance

    def _next(self):
        """SplitMix64: 64 random bits."""
        self.random = (self.random + GOLDEN) & WORD
        return mixed(self.random)

    def _below(self, stop):
        return (self._next() >> 32) * stop >> 32

    def reset(self):
        """Clear the table for another game; the generator runs on."""
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
        """BL03, BL16: draw by the own generator: the start player, or what one rack lacks."""
        if self.phase != DEALING:
            raise ValueError("nobody has to draw (BL16)")
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
        """So many of the faces, every set as likely as another."""
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
        """BL03, BL16: tiles go from a supply to its rack; then the next rack that lacks some, or play goes on."""
        self.rack[colour] |= faces
        self.supply[colour] ^= faces
        self.drawing = 0
        self.phase = DRAFTING
        if self.plays_left == (FACE_COUNT - STAYING) * self.colours and colour + 1 < self.colours:
            self.drawing = colour + 1
            self.phase = DEALING

    def imagine(self, seat):
        """BL40: deal anew, by the own generator, every tile that the seat cannot see: rack and supply of others."""
        for colour in range(self.colours):
            shown = self.seats == 2 and self.unplayed[colour] == STAYING
            if self.plays_left and colour % self.seats != seat and not shown:
                unseen = self.rack[colour] | self.supply[colour]
                self.rack[colour] = self._drawn(unseen, bits_set(self.rack[colour]))
                self.supply[colour] = unseen ^ self.rack[colour]

    # A turn

    def _list(self):
        """Write every legal move to `listed`; give their number."""
        if self.phase != DRAFTING:
            return 0
        upper = lower = 0
        for colour in range(self.colours):
            upper |= self.upper_stuck[colour]
            lower |= self.lower_stuck[colour]
        listed = 0
        first = 0
        colour = self.current
        while colour < self.colours:
            if self.unplayed[colour] > STAYING:
                listed = self._list_places(colour, first, listed, upper, lower)
            first += 2296
            colour += self.seats
        return listed if listed else self._list_asides()

    def _list_places(self, colour, first, listed, upper, lower):
        """BL10 to BL12, BL15: every tile of the rack on every cell where it belongs, unless a tile there must stay."""
        upper = ~(upper | self.upper[colour])
        lower = ~(lower | self.lower[colour])
        rack = self.rack[colour]
        while rack:
            face = lowest(rack)
            rack &= rack - 1
            move = first + 82 * face
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
        """BL17: any tile of the rack, when none can be placed."""
        listed = 0
        first = 0
        colour = self.current
        while colour < self.colours:
            rack = self.rack[colour]
            while rack and self.unplayed[colour] > STAYING:
                self.listed[listed] = first + 82 * lowest(rack) + ASIDE
                listed += 1
                rack &= rack - 1
            first += 2296
            colour += self.seats
        return listed

    def _list_mask(self, masks, at):
        """List the legal moves, and write a row of a mask: 1 for each of them, 0 for any other."""
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
        colour = self.current + self.seats * (move // 2296)
        face = move % 2296 // 82
        cell = move % 82
        if self.unplayed[colour] <= STAYING or not self.rack[colour] >> face & 1:
            return False
        if cell == ASIDE:
            self._list()
            return self.listed[0] % 82 == ASIDE
        upper = self.upper[colour]
        lower = self.lower[colour]
        for other in range(self.colours):
            upper |= self.upper_stuck[other]
            lower |= self.lower_stuck[other]
        return (UPPER[cell] & HOUSE_UPPER[face] & ~upper | LOWER[cell] & HOUSE_LOWER[face] & ~lower) > 0

    def _apply(self, move):
        """Make a legal move."""
        colour = self.current + self.seats * (move // 2296)
        face = move % 2296 // 82
        cell = move % 82
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
        """BL12: the tiles of a colour without which their group would be split."""
        self.upper_stuck[colour] = _stuck(self.upper[colour]) & UPPER_ROWS
        self.lower_stuck[colour] = _stuck(self.lower[colour]) & LOWER_ROWS
        if _encloses(self.upper[colour], self.lower[colour]):
            self._release(colour)

    def _release(self, colour):
        """A group that encloses something may hold together the other way round: ask for every tile by itself."""
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
        """Whether a neighbour of the tile cannot be reached from another, without the tile."""
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
        """Mark all tiles that are connected to the tile on a cell and not marked yet."""
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
        """BL21: how many groups a colour has on the board."""
        upper = self.upper[colour]
        lower = self.lower[colour]
        if _corners(upper) | _corners(lower) == 15:
            return count_groups(upper, lower)
        return euler(upper, lower)

    def _score(self, seat):
        """BL21, BL23, BL33: the groups, and the captured tiles of the colour that one has most of."""
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
        """Make a move; refuse one that is not legal."""
        if not self._is_legal(move):
            raise ValueError(f"move {move} is not legal here")
        self._apply(move)

    def is_legal(self, move):
        """Whether the move may be made now."""
        return self._is_legal(move)

    def moves(self):
        """Every legal move, ascending by colour and face."""
        listed = self._list()
        return [self.listed[place] for place in range(listed)]

    def choose(self):
        """A legal move, each as likely as another."""
        listed = self._list()
        if listed == 0:
            raise ValueError("nobody is to move")
        return self.listed[self._below(listed)]

    def seat(self):
        """Who is to move, now or after the draw."""
        return self.current

    def scores(self):
        """What each seat would score now; the fewest win."""
        return tuple([self._score(seat) for seat in range(self.seats)])

    def _is_better(self, seat, other):
        """BL22: whether a seat is before another: fewest points, then fewest captured tiles."""
        if self._score(seat) != self._score(other):
            return self._score(seat) < self._score(other)
        return self.catches[seat] < self.catches[other]

    def places(self):
        """BL22: the place of each seat, 1 for the best: fewest points, then fewest captured tiles."""
        return places([(-self._score(seat), -self.catches[seat]) for seat in range(self.seats)])

    def playout(self):
        """Play at random until the game is over; give the number of moves."""
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
        """Play so many random games from here, without the interpreter's lock; the table itself stays as it is.

        Gives the sums of: moves made, legal moves met, tiles captured; and of the points of each seat.
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

    # The key

    def key(self):
        """A number of 64 bits, the same for positions that play on alike, with all racks and supplies known."""
        return self._key()

    # The readable game

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
            raise ValueError("no such deal comes now (BL03, BL16)")
        if isinstance(deal, DrawStart):
            self._set_start(deal.start)
            return
        faces = set_of(deal.tiles)
        lacking = RACK - bits_set(self.rack[self.drawing])
        if COLOURS[self.drawing] != deal.colour or len(deal.tiles) != lacking or faces & ~self.supply[self.drawing]:
            raise ValueError("no such tiles are drawn now (BL16)")
        self._give(self.drawing, faces)


def from_state(state, seed=0):
    """The table of the readable game, with a generator of this seed."""
    table = Blockers(state.config.seats, state.config.scoring == "uptown", seed)
    table._read(state)
    return table


def _stuck(tiles):
    """The tiles whose neighbours are connected through themselves only, as far as the eight cells around show.

    Going round a tile, a run of connected neighbours ends where the next corner or side is missing. Two ends: stuck.
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
    """Which of the four corners that every enclosed space has occur: three tiles of a square, the fourth missing."""
    east = tiles >> 1
    south = tiles >> 10
    east_south = tiles >> 11
    corners = 1 if tiles & east & south & ~east_south else 0
    corners |= 2 if tiles & east & ~south & east_south else 0
    corners |= 4 if tiles & ~east & south & east_south else 0
    return corners | 8 if ~tiles & east & south & east_south else corners


def _encloses(upper, lower):
    """Whether some group goes round something that is not its own."""
    return _corners(upper) | _corners(lower) == 15 and euler(upper, lower) < count_groups(upper, lower)


class Batch(Tables):
    """Tables of Blockers! that move together."""

    def __init__(self, tables, seats=4, uptown=False, seed=0):
        """Deal so many tables. One generator serves all of them."""
        self.table = Blockers(seats, uptown, seed)
        self._lay_out(tables, seats, self.table.width, WORDS)
        self.heaps = self._bytes(HEAPS)
        for at in range(tables):
            self.table._reset()
            self._show(at)

    def _move(self, at, move):
        self.table._load(self.rows, self.heaps, at)
        self.table._apply(move)
        self.over_view[at] = 0
        if self.table.phase == OVER:
            self.over_view[at] = 1
            self._score(at)
            self.table._reset()
        self._show(at)

    def _score(self, at):
        """Write the points and the place of each seat; equal ones share a place."""
        for seat in range(self.table.seats):
            self.scores_view[at, seat] = self.table._score(seat)
            self.places_view[at, seat] = 1
            for other in range(self.table.seats):
                if self.table._is_better(other, seat):
                    self.places_view[at, seat] += 1

    def _show(self, at):
        """Draw, keep a table, and write who is to move there, what is legal, and a legal move taken at random."""
        while self.table.phase == DEALING:
            self.table._deal()
        self.table._save(self.rows, self.heaps, at)
        self.seats_view[at] = self.table.current
        listed = self.table._list_mask(self.masks_view, at)
        self.random_view[at] = self.table.listed[self.table._below(listed)]

    def at(self, place):
        """A copy of one table."""
        self._require(place)
        table = self.table.copy()
        table._load(self.rows, self.heaps, place)
        return table
