"""Azul in a few machine words, for millions of moves a second; `tessella.games.azul` is the law.

A heap of tiles is one word with a byte for each colour, so heaps are poured together by adding. What each colour may
still do (in which lines it may be laid, in which rows and columns it lies on the wall) is a word of the same shape,
with five bits in each byte. The lid here already holds what lies on the floor lines: it is not drawn from before
they are cleared.

A move is a small number. Takes come first: 30 for each source, the centre last; 6 for each colour; line 0 to 4, then
the floor. Then the columns chosen on a grey wall: 25 for each seat, 5 for each row. Ascending numbers are the order
in which the readable game lists its moves.

The same file runs as it is and, with the types of azul.pxd, compiled. Compiled code checks no bounds.
"""

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from tessella.fast.uncompiled import lowest

from tessella.fast.phases import DEALING, DRAFTING, OVER, TILING
from tessella.games.azul.notation import write_move
from tessella.games.azul.pieces import COLOURS, EMPTY, FLOOR_COSTS, LAST_ROUND, MARKER, SIZE, counts, heap
from tessella.games.azul.scoring import final_places
from tessella.games.azul.state import Board, Config, Deal, Place, State, Take, drafting, next_row

FLOOR = 5
"""The line of a move to the floor."""
FLOOR_SPACES = 7
MARKER_NIBBLE = 6
"""The marker on a floor line, where the colours are 1 to 5."""
IN_CENTRE = 7
NOWHERE = 8
"""Where the marker is between rounds; else it is in the centre, or with a seat."""
ROUNDS = LAST_ROUND
WORDS = 78
"""The length of a row in which a table is kept."""

# Words; compiled, a name is what gives a large number its type.
WORD = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB
BIT = 1
EVERY_COLOUR = 31
NIBBLES = 0x1111111

# A byte for each colour.
ONES = 0x0101010101
HIGHS = 0x8080808080
SEVENS = 0x7F7F7F7F7F
EVERY_LINE = 0x1F1F1F1F1F
FLOORS = 0x2020202020
ALL_TILES = 0x1414141414
GATHER = 0x102040810
"""Times a word with at most the lowest bit of five bytes set: those bits, next to each other, from bit 32."""

# Tables, filled below.
ONE = [0] * 5
"""A tile of each colour, as a heap."""
LINES = [0] * 512
"""Eight for each set of lines: its lines in order. Eight, because a machine copies eight as fast as one."""
LINE_COUNT = [0] * 64
RUN = [0] * 160
"""Five for each row of the wall: the points of a run through each space, its own tile included."""
SET_SIZE = [0] * 32
LOWEST = [0] * 32
COLUMN = [0] * 25
"""Five for each row: where a colour lies on the coloured wall."""
PENALTY = [0] * 9


def _prepare():
    for colour, tile in enumerate([1, 1 << 8, 1 << 16, 1 << 24, 1 << 32]):
        ONE[colour] = tile
    for lines in range(64):
        members = [line for line in range(6) if lines >> line & 1]
        LINE_COUNT[lines] = len(members)
        for place, line in enumerate(members):
            LINES[8 * lines + place] = line
    for row in range(32):
        SET_SIZE[row] = LINE_COUNT[row]
        LOWEST[row] = LINES[8 * row]
        for space in range(5):
            RUN[5 * row + space] = _run_points(row, space)
    for row in range(5):
        for colour in range(5):
            COLUMN[5 * row + colour] = (row + colour) % 5
    for pieces in range(9):
        PENALTY[pieces] = sum(FLOOR_COSTS[:pieces])


def _run_points(row, space):
    first = last = space
    while first > 0 and row >> (first - 1) & 1:
        first -= 1
    while last < 4 and row >> (last + 1) & 1:
        last += 1
    return last - first + 1 if last > first else 0


_prepare()


class Azul:
    """A table of Azul that changes in place. Its own generator shakes the bag and plays at random."""

    def __init__(self, seats=2, grey=False, seed=0):
        """Lay the table for two to four players, before the first deal."""
        if not 2 <= seats <= 4:
            raise ValueError("Azul is for 2 to 4 players (AZ01)")
        self._clear()
        self.seats = seats
        self.factories = 2 * seats + 1
        self.grey = grey
        self.width = 30 * (self.factories + 1) + (25 * seats if grey else 0)
        self.random = seed & WORD
        self._reset()

    # Copies

    def copy(self):
        """The same table again, its generator too: both would play on alike."""
        new = Azul.__new__(Azul)
        new._clear()
        new.random = self.random
        new._assign(self)
        return new

    def assign(self, other):
        """Become the table of another, whatever this one was; the generator stays one's own."""
        self._assign(other)

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
        """Write the table as a row of words, its generator not among them."""
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
        """Become the table that was saved from one with as many seats and the same wall."""
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

    # Chance

    def _next(self):
        """SplitMix64: 64 random bits."""
        self.random = (self.random + GOLDEN) & WORD
        return _mixed(self.random)

    def _below(self, stop):
        return (self._next() >> 32) * stop >> 32

    def reset(self):
        """Clear the table for another game; the generator runs on."""
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
        """AZ03, AZ04, AZ40: fill the factories by the own generator."""
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
                # byte by byte: how many tiles have this colour or one before it
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
        """AZ40: a given heap goes from the bag to a factory; the lid is poured in when the bag runs out."""
        if self.bag * ONES >> 32 & 255 < 4:
            self.bag += self.lid
            self.lid = 0
        self.bag -= tiles
        self.source[factory] = tiles
        self.present |= _colours(tiles) << 5 * factory

    def _start_round(self):
        self.marker = IN_CENTRE
        self.round += 1
        self.current = self.start
        self.phase = DRAFTING

    # Drafting

    def _list(self):
        """Write every legal move to `listed`, ascending; give their number. Some places behind them are overwritten."""
        if self.phase != DRAFTING:
            return self._list_places() if self.phase == TILING else 0
        accepted = self.open[self.current] | FLOORS
        listed = 0
        present = self.present
        while present:
            pair = lowest(present)
            present &= present - 1
            lines = accepted >> 8 * (pair % 5) & 63
            first = 6 * pair
            for lane in range(8):
                self.listed[listed + lane] = first + LINES[8 * lines + lane]
            listed += LINE_COUNT[lines]
        return listed

    def _list_places(self):
        """AZ31: the columns for the topmost complete line of every seat that has one."""
        listed = 0
        for seat in range(self.seats):
            row = self._next_row(seat)
            if row < 5:
                columns = self._open_columns(seat, row)
                for column in range(5):
                    if columns >> column & 1:
                        self.listed[listed] = 30 * (self.factories + 1) + 25 * seat + 5 * row + column
                        listed += 1
        return listed

    def _list_mask(self, masks, at):
        """List the moves of the seat that is to move, and write a row of a mask: 1 for each of them, 0 for others."""
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
        """AZ31: how many of the listed columns are for the first of the seats that choose; theirs are listed first."""
        first = 30 * (self.factories + 1) + 25 * (self._seat() + 1)
        while self.listed[listed - 1] >= first:
            listed -= 1
        return listed

    def _is_legal(self, move):
        if move < 0 or move >= self.width:
            return False
        placing = move - 30 * (self.factories + 1)
        if self.phase == DRAFTING and placing < 0:
            colour = move % 30 // 6
            lines = self.open[self.current] | FLOORS
            return self.source[move // 30] >> 8 * colour & 255 > 0 and lines >> (8 * colour + move % 6) & 1 > 0
        if self.phase == TILING and placing >= 0:
            seat = placing // 25
            row = placing % 25 // 5
            return row == self._next_row(seat) and self._open_columns(seat, row) >> placing % 5 & 1 > 0
        return False

    def _apply(self, move):
        """Make a legal move."""
        if self.phase == DRAFTING:
            self._take(move)
            if self.present == 0:
                self._tile_walls()
        else:
            placing = move - 30 * (self.factories + 1)
            seat = placing // 25
            self._tile(seat, placing % 25 // 5, placing % 5)
            self._tile_wall(seat)
            self._finish_round()

    def _take(self, move):
        """AZ10 to AZ17: take tiles, lay them, let the surplus fall; the turn passes to the next seat."""
        source = move // 30
        colour = move % 30 // 6
        line = move % 6
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
            self.present = self.present & ~(EVERY_COLOUR << 5 * source) | _colours(tiles) << 5 * self.factories
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
        """AZ17: tiles fall to the floor line from the left, as many as find a space."""
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
        """AZ20: the topmost complete line; 5 if there is none."""
        held = self.held[seat]
        for row in range(5):
            if held & 255 > row:
                return row
            held >>= 8
        return 5

    def _open_columns(self, seat, row):
        """AZ21, AZ30: where the tile of a complete line may go, a bit for each column."""
        colour = self.hue[seat] >> 8 * row & 255
        if self.grey:
            return ~(self.wall[seat] >> 5 * row | self.columns[seat] >> 8 * colour) & 31
        return 1 << COLUMN[5 * row + colour]

    def _tile_walls(self):
        """AZ20: every player tiles what needs no choice; who has a choice to make is asked for it."""
        self.current = 0
        self.phase = TILING
        if self.marker == IN_CENTRE:
            self.marker = NOWHERE
        for seat in range(self.seats):
            self._tile_wall(seat)
        self._finish_round()

    def _tile_wall(self, seat):
        """AZ20: line by line from the top, as far as no choice is needed; after the last line the floor is scored."""
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
        """AZ32: no column takes the tile, so the whole line falls to the floor."""
        self._fall(seat, self.hue[seat] >> 8 * row & 255, row + 1)
        self._empty_line(seat, row)

    def _empty_line(self, seat, row):
        """The line is open again to the colours that its wall row lacks."""
        self.held[seat] -= (row + 1) * ONE[row]
        self.hue[seat] -= (self.hue[seat] >> 8 * row & 255) * ONE[row]
        self.open[seat] |= ~self.taken[seat] & (ONES << row)

    def _score_floor(self, seat):
        """AZ23, AZ24: the floor costs its points, never below 0; who has the marker starts."""
        score = self.score[seat] - PENALTY[self.fallen[seat]]
        self.score[seat] = score if score > 0 else 0
        self.floor[seat] = 0
        self.fallen[seat] = 0
        if self.marker == seat:
            self.start = seat
            self.marker = NOWHERE

    # The next round, and the end

    def _is_better(self, seat, other):
        """AZ52: whether a seat is before another when the game is over: by points, then by complete rows."""
        if self.score[seat] != self.score[other]:
            return self.score[seat] > self.score[other]
        return self._complete_rows(seat) > self._complete_rows(other)

    def _finish_round(self):
        """AZ50, AZ51: when nobody has a choice left the next deal comes, or the game ends and bonuses are scored."""
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
        """AZ42, AZ44, AZ50: a complete row, no tile left to draw, or the last round."""
        for seat in range(self.seats):
            if self._complete_rows(seat):
                return True
        return (self.bag == 0 and self.lid == 0) or self.round >= ROUNDS

    def _complete_rows(self, seat):
        return _complete(self.wall[seat])

    def _bonus(self, seat):
        """AZ51: 2 for each complete row, 7 for each column, 10 for each colour."""
        bonus = 2 * _complete(self.wall[seat]) + 7 * _complete(self.turned[seat])
        for colour in range(5):
            if self.taken[seat] >> 8 * colour & 255 == 31:
                bonus += 10
        return bonus

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
        """Every legal move, of all seats that may move, ascending."""
        listed = self._list()
        return [self.listed[place] for place in range(listed)]

    def choose(self):
        """A legal move, each as likely as another."""
        listed = self._list()
        if listed == 0:
            raise ValueError("nobody is to move")
        return self.listed[self._below(listed)]

    def seat(self):
        """Who is to move; of several that tile their walls, the first."""
        return self._seat()

    def _seat(self):
        if self.phase == TILING:
            for seat in range(self.seats):
                if self._next_row(seat) < 5:
                    return seat
        return self.current

    def scores(self):
        """The points of each seat."""
        return tuple([self.score[seat] for seat in range(self.seats)])

    def places(self):
        """AZ52: the place of each seat, 1 for the best; equal points and rows share one."""
        return final_places(self.to_state().boards)

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
                self.met += listed
                self._apply(self.listed[self._below(listed)])
                plies += 1
        return plies

    def playouts(self, games):
        """Play so many random games from here, without the interpreter's lock; the table itself stays as it is.

        Gives the sums of: moves made, legal moves met, rounds ended; and of the points of each seat.
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

    # The key

    def key(self):
        """A number of 64 bits, the same for positions that play on alike: factories and fallen tiles have no order.

        A move remembered by this key names a factory; that factory may hold other tiles where the key is met again.
        """
        return self._key()

    def _key(self):
        key = _mixed(self.bag + GOLDEN) + _mixed(self.lid ^ MIX_1) + _mixed(self.source[self.factories] ^ MIX_2)
        for factory in range(self.factories):
            if self.source[factory]:
                key += _mixed(self.source[factory])
        salt = self.round | self.start << 8 | self.current << 10 | self.marker << 12 | self.phase << 16
        salt = salt | self.seats << 18 | self.grey << 21
        key += _mixed((salt << 32) & WORD)
        for seat in range(self.seats):
            salt = (salt + GOLDEN) & WORD
            key += _mixed((self.held[seat] + 8 * self.hue[seat]) ^ salt)
            board = self.score[seat]
            board = board << 30 | self.fallen[seat] << 25 | self.wall[seat]
            salt = (salt + GOLDEN) & WORD
            key += _mixed(board ^ salt)
            if self.grey:
                for row in range(5 * seat, 5 * seat + 5):
                    salt = (salt + GOLDEN) & WORD
                    key += _mixed(self.paint[row] ^ salt)
        return key & WORD

    # The readable game

    def to_state(self):
        """The same table as the readable game writes it."""
        boards = tuple([self._board(seat) for seat in range(self.seats)])
        lid = list(_counts(self.lid))
        for board in boards:
            for colour, number in enumerate(counts(board.floor)):
                lid[colour] -= number
        marker = MARKER if self.marker == IN_CENTRE else ""
        return State(
            Config(self.seats, "grey" if self.grey else "coloured"),
            boards,
            bag=_counts(self.bag),
            lid=tuple(lid),
            factories=tuple([heap(_counts(self.source[factory])) for factory in range(self.factories)]),
            centre=marker + heap(_counts(self.source[self.factories])),
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

    def _read(self, state):
        self.bag = _packed(state.bag)
        self.lid = _packed(state.lid)
        self.round = state.round
        self.start = state.start
        self.current = state.current
        for factory, tiles in enumerate(state.factories):
            self.source[factory] = _packed(counts(tiles))
        self.source[self.factories] = _packed(counts(state.centre))
        for source in range(self.factories + 1):
            self.present |= _colours(self.source[source]) << 5 * source
        self.marker = IN_CENTRE if MARKER in state.centre else NOWHERE
        for seat, board in enumerate(state.boards):
            self._read_board(seat, board)
        self._read_phase(state)

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
            if piece == MARKER:
                self._take_marker(seat)
            else:
                self._fall(seat, COLOURS.index(piece), 1)

    def _read_space(self, seat, row, column, colour):
        self.wall[seat] |= 1 << (5 * row + column)
        self.turned[seat] |= 1 << (5 * column + row)
        self.taken[seat] |= ONE[colour] << row
        self.columns[seat] |= ONE[colour] << column
        if self.grey:
            self.paint[5 * seat + row] |= (colour + 1) << 4 * column

    def _read_phase(self, state):
        if drafting(state):
            self.phase = DRAFTING
        elif any([next_row(board) is not None for board in state.boards]):
            self.phase = TILING
        else:
            self.phase = OVER if self.round and self._is_ending() else DEALING

    def deal_these(self, deal):
        """Fill the factories as a deal of the readable game says."""
        if self.phase != DEALING or len(deal.factories) != self.factories or (deal.start is None) != (self.round > 0):
            raise ValueError("no such deal comes now (AZ40)")
        if deal.start is not None:
            self.start = deal.start
        for factory, tiles in enumerate(deal.factories):
            self._fill(factory, _packed(counts(tiles)))
        self._start_round()

    def dealt(self):
        """The factories as they lie, as a deal of the readable game; the first deal says who starts."""
        tiles = tuple([heap(_counts(self.source[factory])) for factory in range(self.factories)])
        return Deal(tiles, self.start if self.round == 1 else None)

    def to_move(self, number):
        """The move of the readable game, made by the seat whose turn it is."""
        placing = number - 30 * (self.factories + 1)
        if placing >= 0:
            return Place(placing // 25, placing % 25 // 5, placing % 5)
        source, line = number // 30, number % 6
        return Take(
            self._seat(),
            None if source == self.factories else source,
            COLOURS[number % 30 // 6],
            None if line == FLOOR else line,
        )

    def from_move(self, move):
        """The number of a move of the readable game, legal or not."""
        if isinstance(move, Place):
            return 30 * (self.factories + 1) + 25 * move.seat + 5 * move.row + move.column
        source = self.factories if move.source is None else move.source
        return 30 * source + 6 * COLOURS.index(move.colour) + (FLOOR if move.line is None else move.line)

    def write_move(self, number):
        """Write a move as a person would: 3r4, ck- or t24."""
        return write_move(None, self.to_move(number))


def from_state(state, seed=0):
    """The table of the readable game, with a generator of this seed."""
    table = Azul(state.config.seats, state.config.wall == "grey", seed)
    table._read(state)
    return table


def _counts(tiles):
    return tuple([tiles >> 8 * colour & 255 for colour in range(5)])


def _packed(numbers):
    return sum([number << 8 * colour for colour, number in enumerate(numbers)])


def _mixed(word):
    """The mixing of SplitMix64: every bit of the word stirs every bit of the result."""
    word = ((word ^ word >> 30) * MIX_1) & WORD
    word = ((word ^ word >> 27) * MIX_2) & WORD
    return word ^ word >> 31


def _colours(tiles):
    """The colours in a heap, a bit for each."""
    return (((tiles + SEVENS) & HIGHS) >> 7) * GATHER >> 32 & 31


def _complete(wall):
    """How many of five groups of five bits are full."""
    complete = 0
    for _ in range(5):
        if wall & 31 == 31:
            complete += 1
        wall >>= 5
    return complete


class Batch:
    """Many tables that move together, over NumPy arrays, without the interpreter's lock.

    A table that is over starts anew at once; `over`, `scores` and `places` tell of the game that has ended.
    """

    def __init__(self, tables, seats=2, grey=False, seed=0):
        """Deal so many tables. One generator serves all of them."""
        import numpy  # noqa: PLC0415  only batches need it

        self.table = Azul(seats, grey, seed)
        self.tables = tables
        self.masks = numpy.zeros((tables, self.table.width), numpy.uint8)
        self.seats = numpy.zeros(tables, numpy.uint8)
        self.over = numpy.zeros(tables, numpy.uint8)
        self.scores = numpy.zeros((tables, seats), numpy.int32)
        self.places = numpy.zeros((tables, seats), numpy.uint8)
        self.random = numpy.zeros(tables, numpy.uint16)
        self.rows = memoryview(numpy.zeros((tables, WORDS), numpy.uint64))
        self.masks_view = memoryview(self.masks)
        self.seats_view = memoryview(self.seats)
        self.over_view = memoryview(self.over)
        self.scores_view = memoryview(self.scores)
        self.places_view = memoryview(self.places)
        self.random_view = memoryview(self.random)
        for at in range(tables):
            self.table._reset()
            self.table._deal()
            self._show(at)

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
            if moves[at] >= self.table.width or not self.masks_view[at, moves[at]]:
                raise ValueError(f"move {moves[at]} is not legal at table {at}")

    def _move(self, at, move):
        self.table._load(self.rows, at)
        self.table._apply(move)
        self.over_view[at] = 0
        if self.table.phase == OVER:
            self.over_view[at] = 1
            self._score(at)
            self.table._reset()
        if self.table.phase == DEALING:
            self.table._deal()
        self._show(at)

    def _score(self, at):
        """Write the points and the place of each seat; equal ones share a place."""
        for seat in range(self.table.seats):
            self.scores_view[at, seat] = self.table.score[seat]
            self.places_view[at, seat] = 1
            for other in range(self.table.seats):
                if self.table._is_better(other, seat):
                    self.places_view[at, seat] += 1

    def _show(self, at):
        """Keep a table, and write who is to move there, what is legal, and a legal move taken at random."""
        self.table._save(self.rows, at)
        self.seats_view[at] = self.table._seat()
        listed = self.table._list_mask(self.masks_view, at)
        self.random_view[at] = self.table.listed[self.table._below(listed)]

    def at(self, place):
        """A copy of one table."""
        if not 0 <= place < self.tables:
            raise IndexError(place)
        table = self.table.copy()
        table._load(self.rows, place)
        return table
