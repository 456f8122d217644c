"""The rules of Azul on machine words, for millions of moves per second; `tessella.games.azul` is the reference.

state.py explains the representation, moves.py how moves are numbered.

The same file runs as plain Python and, with the types of rules.pxd, compiled. Compiled code does not check bounds.
"""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from tessella.fast.azul.moves import (
        FLOOR,
        encode_pair,
        encode_place,
        first_place,
        pair_colour,
        place_column,
        place_row,
        place_seat,
        take_colour,
        take_line,
        take_source,
    )
    from tessella.fast.azul.state import complete
    from tessella.fast.bits import colours_of, lowest, mixed, tile_count

from tessella.fast.azul import constants
from tessella.fast.azul.constants import (
    ALL_TILES,
    BIT,
    EVERY_COLOUR,
    EVERY_LINE,
    FLOOR_SPACES,
    FLOORS,
    HIGHS,
    IN_CENTRE,
    MARKER_NIBBLE,
    NIBBLES,
    NOWHERE,
    ONES,
    ROUNDS,
    STATE_WORDS,
)
from tessella.fast.azul.state import AzulTable
from tessella.fast.batch import BatchBase
from tessella.fast.bits import GOLDEN, WORD, packed
from tessella.fast.phases import DEALING, DRAFTING, OVER, TILING
from tessella.games.azul.pieces import counts
from tessella.games.azul.state import drafting, next_row

# Compiled, each is a C array of this module: faster than an array of another one.
COLUMN = constants.COLUMN
LINES = constants.LINES
LINE_COUNT = constants.LINE_COUNT
LOWEST = constants.LOWEST
ONE = constants.ONE
PENALTY = constants.PENALTY
RUN = constants.RUN
SET_SIZE = constants.SET_SIZE


class Azul(AzulTable):
    """A mutable table of Azul, with its own random generator for deals and random play."""

    def __init__(self, seats=2, grey=False, seed=0):
        """Set up a table for two to four players, before the first deal."""
        if not 2 <= seats <= 4:
            raise ValueError("Azul is for 2 to 4 players (AZ01)")
        self._clear()
        self.seats = seats
        self.factories = 2 * seats + 1
        self.grey = grey
        self.width = encode_place(self.factories, seats if grey else 0, 0, 0)
        self.random = seed & WORD
        self._reset()

    # Copies

    def copy(self):
        """Return a copy with the same random generator: both would play on alike."""
        new = Azul.__new__(Azul)
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
        for source in range(10):
            self.source[source] = 0
        for seat in range(4):
            self.open[seat] = EVERY_LINE
            self.taken[seat] = 0
            self.held[seat] = 0
            self.hue[seat] = 0
            self.columns[seat] = 0
            self.wall[seat] = 0
            self.turned[seat] = 0
            self.floor[seat] = 0
            self.fallen[seat] = 0
            self.score[seat] = 0
        for row in range(20):
            self.paint[row] = 0
        self.bag = ALL_TILES
        self.lid = 0
        self.present = 0
        self.marker = NOWHERE
        self.round = 0
        self.start = 0
        self.current = 0
        self.phase = DEALING

    def deal(self):
        """AZ03, AZ04, AZ40: fill the factories at random."""
        if self.phase != DEALING:
            raise ValueError("the factories are filled when a round is over and another follows (AZ40)")
        self._deal()

    def _deal(self):
        if self.round == 0:
            self.start = self._below(self.seats)
        bag = self.bag
        present = 0
        for factory in range(self.factories):
            tiles = 0
            for _ in range(4):
                if bag == 0:
                    bag = self.lid
                    self.lid = 0
                    if bag == 0:
                        break
                # per byte: the number of tiles of this colour or an earlier one
                reached = bag * ONES
                number = self._below(reached >> 32 & 255)
                beyond = (reached + (127 - number) * ONES) & HIGHS
                colour = 5 - ((beyond >> 7) * ONES >> 32 & 255)
                bag -= ONE[colour]
                tiles += ONE[colour]
                present |= BIT << (5 * factory + colour)
            self.source[factory] = tiles
        self.bag = bag
        self.present = present
        self._start_round()

    def _fill(self, factory, tiles):
        """AZ40: move a given heap from the bag to a factory; pour in the lid when the bag runs out."""
        if tile_count(self.bag) < 4:
            self.bag += self.lid
            self.lid = 0
        self.bag -= tiles
        self.source[factory] = tiles
        self.present |= colours_of(tiles) << 5 * factory

    def _start_round(self):
        self.marker = IN_CENTRE
        self.round += 1
        self.current = self.start
        self.phase = DRAFTING

    # Drafting

    def _list(self):
        """Write every legal move to `listed`, ascending, and return their number; writes up to 7 entries more."""
        if self.phase != DRAFTING:
            return self._list_places() if self.phase == TILING else 0
        accepted = self.open[self.current] | FLOORS
        listed = 0
        present = self.present
        while present:
            pair = lowest(present)
            present &= present - 1
            lines = accepted >> 8 * pair_colour(pair) & 63
            first = encode_pair(pair, 0)
            for lane in range(8):
                self.listed[listed + lane] = first + LINES[8 * lines + lane]
            listed += LINE_COUNT[lines]
        return listed

    def _list_places(self):
        """AZ31: list the columns for the topmost complete line of every seat that has one."""
        listed = 0
        for seat in range(self.seats):
            row = self._next_row(seat)
            if row < 5:
                columns = self._open_columns(seat, row)
                for column in range(5):
                    if columns >> column & 1:
                        self.listed[listed] = encode_place(self.factories, seat, row, column)
                        listed += 1
        return listed

    def _list_mask(self, masks, at):
        """List the moves of the seat to move, and write them as a row of a mask."""
        width = self.width
        listed = self._list()
        if self.phase == TILING:
            listed = self._own_places(listed)
        for move in range(width):
            masks[at, move] = 0
        for place in range(listed):
            masks[at, self.listed[place]] = 1
        return listed

    def _own_places(self, listed):
        """AZ31: return how many listed columns belong to the first of the seats that choose; they come first."""
        first = encode_place(self.factories, self._seat() + 1, 0, 0)
        while self.listed[listed - 1] >= first:
            listed -= 1
        return listed

    def _is_legal(self, move):
        if move < 0 or move >= self.width:
            return False
        if self.phase == DRAFTING and move < first_place(self.factories):
            colour = take_colour(move)
            lines = self.open[self.current] | FLOORS
            if not self.source[take_source(move)] >> 8 * colour & 255:
                return False
            return lines >> (8 * colour + take_line(move)) & 1 > 0
        if self.phase == TILING and move >= first_place(self.factories):
            seat = place_seat(self.factories, move)
            row = place_row(self.factories, move)
            column = place_column(self.factories, move)
            return row == self._next_row(seat) and self._open_columns(seat, row) >> column & 1 > 0
        return False

    def _apply(self, move):
        """Make a legal move."""
        if self.phase == DRAFTING:
            self._take(move)
            if self.present == 0:
                self._tile_walls()
        else:
            seat = place_seat(self.factories, move)
            self._tile(seat, place_row(self.factories, move), place_column(self.factories, move))
            self._tile_wall(seat)
            self._finish_round()

    def _take(self, move):
        """AZ10 to AZ17: take tiles and lay them, the surplus falls; the turn passes to the next seat."""
        source = take_source(move)
        colour = take_colour(move)
        line = take_line(move)
        seat = self.current
        shift = 8 * colour
        tiles = self.source[source]
        number = tiles >> shift & 255
        tiles -= number * ONE[colour]
        if source == self.factories:
            self.source[source] = tiles
            self.present &= ~(BIT << (5 * source + colour))
            if self.marker == IN_CENTRE:
                self._take_marker(seat)
        else:
            self.source[source] = 0
            self.source[self.factories] += tiles
            self.present = self.present & ~(EVERY_COLOUR << 5 * source) | colours_of(tiles) << 5 * self.factories
        if line < FLOOR:
            held = self.held[seat] >> 8 * line & 255
            laid = line + 1 - held
            if number < laid:
                laid = number
            number -= laid
            self.held[seat] += laid * ONE[line]
            if held == 0:
                self.hue[seat] += colour * ONE[line]
            lines = self.open[seat] & ~(ONES << line)
            if held + laid <= line:
                lines |= ONE[colour] << line
            self.open[seat] = lines
        if number:
            self._fall(seat, colour, number)
        seat += 1
        self.current = 0 if seat == self.seats else seat

    def _take_marker(self, seat):
        """AZ11, AZ12: the marker falls first; beyond the seventh space it costs nothing."""
        self.marker = seat
        self.floor[seat] |= MARKER_NIBBLE << 4 * self.fallen[seat]
        self.fallen[seat] += 1

    def _fall(self, seat, colour, number):
        """AZ17: tiles fall to the floor line from the left, as many as there are spaces."""
        self.lid += number * ONE[colour]
        fallen = self.fallen[seat]
        if fallen < FLOOR_SPACES:
            if number > FLOOR_SPACES - fallen:
                number = FLOOR_SPACES - fallen
            pieces = (colour + 1) * NIBBLES & ((1 << 4 * number) - 1)
            self.floor[seat] |= pieces << 4 * fallen
            self.fallen[seat] = fallen + number

    # Tiling the wall

    def _next_row(self, seat):
        """AZ20: return the topmost complete line; 5 if there is none."""
        held = self.held[seat]
        for row in range(5):
            if held & 255 > row:
                return row
            held >>= 8
        return 5

    def _open_columns(self, seat, row):
        """AZ21, AZ30: return where the tile of a complete line may go, a bit per column."""
        colour = self.hue[seat] >> 8 * row & 255
        if self.grey:
            return ~(self.wall[seat] >> 5 * row | self.columns[seat] >> 8 * colour) & 31
        return 1 << COLUMN[5 * row + colour]

    def _tile_walls(self):
        """AZ20: tile for every player what needs no choice; then wait for the players who have one."""
        self.current = 0
        self.phase = TILING
        if self.marker == IN_CENTRE:
            self.marker = NOWHERE
        for seat in range(self.seats):
            self._tile_wall(seat)
        self._finish_round()

    def _tile_wall(self, seat):
        """AZ20: tile line by line from the top until a choice is needed; after the last line score the floor."""
        held = self.held[seat]
        for row in range(5):
            if held >> 8 * row & 255 > row:
                if self.grey:
                    columns = self._open_columns(seat, row)
                    if SET_SIZE[columns] > 1:
                        return
                    if columns == 0:
                        self._drop(seat, row)
                    else:
                        self._tile(seat, row, LOWEST[columns])
                else:
                    self._tile(seat, row, COLUMN[5 * row + (self.hue[seat] >> 8 * row & 255)])
        self._score_floor(seat)

    def _tile(self, seat, row, column):
        """AZ20, AZ22: one tile of the line goes to the wall and scores; the others go into the lid."""
        colour = self.hue[seat] >> 8 * row & 255
        points = (
            RUN[5 * (self.wall[seat] >> 5 * row & 31) + column] + RUN[5 * (self.turned[seat] >> 5 * column & 31) + row]
        )
        self.score[seat] += points if points else 1
        self.wall[seat] |= 1 << (5 * row + column)
        self.turned[seat] |= 1 << (5 * column + row)
        self.taken[seat] |= ONE[colour] << row
        self.columns[seat] |= ONE[colour] << column
        if self.grey:
            self.paint[5 * seat + row] |= (colour + 1) << 4 * column
        self.lid += row * ONE[colour]
        self._empty_line(seat, row)

    def _drop(self, seat, row):
        """AZ32: no column accepts the tile, so the whole line falls to the floor."""
        self._fall(seat, self.hue[seat] >> 8 * row & 255, row + 1)
        self._empty_line(seat, row)

    def _empty_line(self, seat, row):
        """Reopen the line to the colours that its wall row lacks."""
        self.held[seat] -= (row + 1) * ONE[row]
        self.hue[seat] -= (self.hue[seat] >> 8 * row & 255) * ONE[row]
        self.open[seat] |= ~self.taken[seat] & (ONES << row)

    def _score_floor(self, seat):
        """AZ23, AZ24: subtract the floor penalty, never below 0; the holder of the marker starts."""
        score = self.score[seat] - PENALTY[self.fallen[seat]]
        self.score[seat] = score if score > 0 else 0
        self.floor[seat] = 0
        self.fallen[seat] = 0
        if self.marker == seat:
            self.start = seat
            self.marker = NOWHERE

    # Next round and end

    def _is_better(self, seat, other):
        """AZ52: whether a seat ranks before another at the end: by points, then by complete rows."""
        if self.score[seat] != self.score[other]:
            return self.score[seat] > self.score[other]
        return self._complete_rows(seat) > self._complete_rows(other)

    def _finish_round(self):
        """AZ50, AZ51: without pending choices go to the next deal, or end the game and score the bonuses."""
        if self.grey:
            for seat in range(self.seats):
                if self._next_row(seat) < 5:
                    return
        self.phase = DEALING
        if self._is_ending():
            self.phase = OVER
            for seat in range(self.seats):
                self.score[seat] += self._bonus(seat)

    def _is_ending(self):
        """AZ42, AZ44, AZ50: whether a row is complete, no tile is left to draw, or this was the last round."""
        for seat in range(self.seats):
            if self._complete_rows(seat):
                return True
        return (self.bag == 0 and self.lid == 0) or self.round >= ROUNDS

    def _complete_rows(self, seat):
        return complete(self.wall[seat])

    def _bonus(self, seat):
        """AZ51: return 2 per complete row, 7 per column, 10 per colour."""
        bonus = 2 * complete(self.wall[seat]) + 7 * complete(self.turned[seat])
        for colour in range(5):
            if self.taken[seat] >> 8 * colour & 255 == 31:
                bonus += 10
        return bonus

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
        """Return every legal move, of all seats that may move, ascending."""
        listed = self._list()
        return [self.listed[place] for place in range(listed)]

    def choose(self):
        """Return a legal move at random, all equally likely."""
        listed = self._list()
        if listed == 0:
            raise ValueError("nobody is to move")
        return self.listed[self._below(listed)]

    def seat(self):
        """Return the seat to move; of several that tile their walls, the first."""
        return self._seat()

    def _seat(self):
        if self.phase == TILING:
            for seat in range(self.seats):
                if self._next_row(seat) < 5:
                    return seat
        return self.current

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
                self.met += listed
                self._apply(self.listed[self._below(listed)])
                plies += 1
        return plies

    def playouts(self, games):
        """Play random games from here without the interpreter's lock; the table itself stays as it is.

        Return the sums of moves made, legal moves listed and rounds ended, and of the points of each seat.
        """
        table = self.copy()
        self._next()
        with cython.nogil:
            table._playouts(self, games)
        points = tuple([table.points[seat] for seat in range(table.seats)])
        return table.plies, table.met, table.rounds, points

    def _playouts(self, root, games):
        self.plies = self.met = self.rounds = 0
        for seat in range(4):
            self.points[seat] = 0
        for _ in range(games):
            self._assign(root)
            self.plies += self._playout()
            self.rounds += self.round
            for seat in range(self.seats):
                self.points[seat] += self.score[seat]

    # Hash key

    def key(self):
        """Return a 64-bit hash, equal for positions that play on alike: factories and fallen tiles have no order.

        A move remembered by this key names a factory; the same factory may hold other tiles when the key occurs again.
        """
        return self._key()

    # Conversion from and to the readable game

    def _read_phase(self, state):
        for source in range(self.factories + 1):
            self.present |= colours_of(self.source[source]) << 5 * source
        if drafting(state):
            self.phase = DRAFTING
        elif any([next_row(board) is not None for board in state.boards]):
            self.phase = TILING
        else:
            self.phase = OVER if self.round and self._is_ending() else DEALING

    def deal_these(self, deal):
        """Fill the factories as a deal of the readable game says."""
        if self.phase != DEALING or len(deal.factories) != self.factories or (deal.start is None) != (self.round > 0):
            raise ValueError("this deal is not due now (AZ40)")
        if deal.start is not None:
            self.start = deal.start
        for factory, tiles in enumerate(deal.factories):
            self._fill(factory, packed(counts(tiles)))
        self._start_round()


def from_state(state, seed=0):
    """Return the table of a state of the readable game, with a random generator of this seed."""
    table = Azul(state.config.seats, state.config.wall == "grey", seed)
    table._read(state)
    table._read_phase(state)
    return table


class Batch(BatchBase):
    """Tables of Azul that move together."""

    def __init__(self, tables, seats=2, grey=False, seed=0):
        """Set up and deal the tables; they share one random generator."""
        self.table = Azul(seats, grey, seed)
        self._allocate(tables, seats, self.table.width, STATE_WORDS, 0)
        for at in range(tables):
            self.table._reset()
            self._publish(at)

    def _arguments(self):
        return self.tables, self.table.seats, self.table.grey

    def _load(self, at):
        self.table._load(self.rows, at)

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
            self.scores_view[at, seat] = self.table.score[seat]
            self.places_view[at, seat] = 1
            for other in range(self.table.seats):
                if self.table._is_better(other, seat):
                    self.places_view[at, seat] += 1

    def _publish(self, at):
        """Deal, save a table, and write its seat to move, its legal moves, and one of them at random."""
        if self.table.phase == OVER:
            self.table._reset()
        if self.table.phase == DEALING:
            self.table._deal()
        self.table._save(self.rows, at)
        self.seats_view[at] = self.table._seat()
        self.random_view[at] = self.table.listed[self.table._below(self.table._list_mask(self.masks_view, at))]
