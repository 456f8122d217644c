"""Azul Duel in a few hundred bytes, for millions of moves a second; `tessella.games.duel` is the law.

A move is a small number:

      0  takes: 35 for each sun, then the moons; 7 for each colour; line 0 to 5, then the broken space
    210  the chips of factories 1 to 4
    214  plates: 36 for each plate, 4 for each slot, then quarter turns to the right
    862  draw a plate; 863 stop drawing
    864  the leftover in each of its orders, sorted
    870  plates put under the stack
    888  tiling: 233 for each seat; 6 columns for each row, then 196 payments (the place in the list of the readable
         game, for the line whose turn it is), then to pay nothing

Moves are listed in the order of the readable game.
"""

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from tessella.fast.duel_rules import (
        BROKEN,
        CHIP_MOVE,
        DRAW_MOVE,
        MOONS,
        PLATE_MOVE,
        RETURN_MOVE,
        SEAT_MOVES,
        STACK_MOVE,
        STOP_MOVE,
        TILE_MOVE,
        WIDTH,
        DuelRules,
        orders_of,
    )
    from tessella.fast.duel_table import (
        BIT,
        FACE,
        FILL,
        FRESH,
        HIDDEN,
        LOOK,
        NOBODY,
        NOTHING,
        ONE,
        ONES,
        OPEN,
        REVEAL,
        WORD,
    )
    from tessella.fast.duel_tiling import LEAVE_MOVE, PAY_MOVE

from tessella.fast.duel_table import CHIPS, KIND_NAMES, NUMBERED, STAGES, WAYS, WORDS
from tessella.fast.phases import DEALING, OVER
from tessella.fast.tables import Tables
from tessella.games.duel.notation import read_move, write_move
from tessella.games.duel.pieces import (
    COLOURS,
    EMPTY,
    FACE_DOWN,
    FACE_TILES,
    JOKER,
    PRINTED,
    SPECIAL,
    SPECIAL_TILES,
    counts,
    heap,
)
from tessella.games.duel.scoring import final_places
from tessella.games.duel.state import (
    CHIP_TILE,
    Back,
    Board,
    Config,
    Draw,
    Factory,
    Fill,
    Look,
    Open,
    Pay,
    Place,
    PlacePlate,
    Return,
    Reveal,
    Shuffle,
    Stack,
    State,
    Stop,
    Take,
    TakeChip,
    chips_due,
    tokens_left,
)


class Duel(DuelRules):
    """A table of Azul Duel that changes in place. Its own generator decides for chance and plays at random."""

    def __init__(self, config=None, seed=0):
        """Lay the table before the first deal."""
        self._clear()
        self.config = Config() if config is None else config
        self.width = WIDTH
        self.seats = 2
        self.faces = sum([1 << bit for bit, face in enumerate(FACE_TILES) if face in self.config.faces])
        self.special_colour = self.config.special_counts_as_colour
        self.random = seed & WORD
        self._reset()

    # Copies

    def copy(self):
        """The same table again, its generator too: both would play on alike."""
        new = Duel.__new__(Duel)
        if not cython.compiled:
            new._clear()  # C has done it
        new.config = self.config
        new.random = self.random
        new._assign(self)
        return new

    def assign(self, other):
        """Become the table of another, whatever this one was; the generator stays one's own."""
        self.config = other.config
        self._assign(other)

    # Chance

    def reset(self):
        """Clear the table for another game; the generator runs on."""
        self._reset()

    def deal(self):
        """Decide what chance has to decide now, by the own generator."""
        if self.due == NOTHING:
            raise ValueError("chance decides nothing while somebody is to move (DU40)")
        self._deal()

    def imagine(self, seat=None):
        """Draw anew, by the own generator, what the seat (None: a spectator) cannot see.

        Plates that others have looked at become any of their kind that the seat has not seen; one that the seat has
        seen and lost track of lies anywhere that the seat does not know what lies.
        """
        self._imagine(0 if seat is None else 1 << seat)

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
        """Every legal move, of all seats that may move, in the order of the readable game."""
        listed = self._list()
        return [self.listed[place] for place in range(listed)]

    def choose(self):
        """A legal move, each as likely as another."""
        listed = self._list()
        if listed == 0:
            raise ValueError("nobody is to move")
        return self.listed[self._below(listed)]

    def seat(self):
        """Who is to move; of two that tile their domes, the first."""
        return self._seat()

    def scores(self):
        """The points of each seat."""
        return self.score[0], self.score[1]

    def _is_better(self, seat, other):
        """DU58: whether a seat is before another: by points, and on a tie by the start tile."""
        if self.score[seat] != self.score[other]:
            return self.score[seat] > self.score[other]
        return seat != other and seat == self._favoured()

    def places(self):
        """DU58: the place of each seat, 1 for the best; on a tie the start tile decides."""
        return final_places(self.to_state().boards, self._favoured())

    def playout(self):
        """Play at random until the game is over; give the number of moves."""
        return self._playout()

    def playouts(self, games):
        """Play so many random games from here, without the interpreter's lock; the table itself stays as it is.

        Gives the sums of: moves made, legal moves met, rounds ended; and of the points of each seat.
        """
        table = self.copy()
        self._next()
        with cython.nogil:
            table._playouts(self, games)
        return table.plies, table.met, table.rounds, (table.points[0], table.points[1])

    def _playouts(self, root, games):
        self.plies = self.met = self.rounds = 0
        self.points[0] = self.points[1] = 0
        for _ in range(games):
            self._assign(root)
            self.plies += self._playout()
            self.rounds += self.round
            for seat in range(2):
                self.points[seat] += self.score[seat]

    # The key

    def key(self):
        """A number of 64 bits, the same for positions that play on alike.

        Small factories, open plates and broken tiles have no order, and chips that were spent are forgotten. A move
        remembered by this key may name a factory; that factory may hold something else where the key is met again.
        """
        return self._key()

    # The readable game

    def to_state(self):
        """The same table as the readable game writes it."""
        tower = list(_counts(self.tower))
        boards = (self._board(0), self._board(1))
        for board in boards:
            for colour, number in enumerate(counts(board.broken)):
                tower[colour] -= number
        specials = [board.tiles[row].count(SPECIAL) for board in boards for row in range(6)]
        return State(
            self.config,
            boards,
            bag=_counts(self.bag),
            tower=tuple(tower),
            factories=tuple([self._factory(factory) for factory in range(5)]),
            stack=tuple([_read_back(self.stack[place]) for place in range(self.height - 1, -1, -1)]),
            open=tuple([NUMBERED[self.open[place]] for place in range(self.opened)]),
            hand=tuple([_read_back(self.hand[place]) for place in range(self.drawn)]),
            chips=_chip_names(self.chips),
            specials=SPECIAL_TILES - sum(specials),
            phase=STAGES[self.stage],
            round=self.round,
            start=self.start,
            current=self.current,
            holder=None if self.holder == NOBODY else self.holder,
            stacking=self.stacking,
        )

    def _factory(self, factory):
        if factory == 0:
            return Factory(heap(_counts(self.sun[0])), heap(_counts(self.moon)))
        chip = self.chip[factory]
        name = CHIPS[chip - 2] if chip > HIDDEN else FACE_DOWN if chip else ""
        return Factory(heap(_counts(self.sun[factory])), _tiles(self.moons[factory])[::-1], name)

    def _board(self, seat):
        return Board(
            self.score[seat],
            tuple([self._line(seat, row) for row in range(6)]),
            tuple([WAYS[self.dome[9 * seat + slot]] for slot in range(9)]),
            tuple(["".join([self._space(seat, 6 * row + column) for column in range(6)]) for row in range(6)]),
            _tiles(self.broken[seat]),
            _chip_names(self.mine[seat]),
            _chip_names(self.spent[seat]),
            self.row[seat],
        )

    def _line(self, seat, row):
        paid = self.paid[seat] if row == self.row[seat] else 0
        held = (self.held[seat] >> 8 * row & 255) - paid
        return COLOURS[self.hue[seat] >> 8 * row & 255] * held + CHIP_TILE * paid

    def _space(self, seat, space):
        if not self.laid[seat] >> space & 1:
            return EMPTY
        for colour in range(5):
            if self.tint[5 * seat + colour] >> space & 1:
                return COLOURS[colour]
        return SPECIAL

    def _read(self, state):
        self.bag = _packed(state.bag)
        self.tower = _packed(state.tower)
        self.chips = _packed_chips(state.chips)
        self.round = state.round
        self.start = state.start
        self.current = state.current
        self.holder = NOBODY if state.holder is None else state.holder
        self.stacking = state.stacking
        self.stage = STAGES.index(state.phase)
        self.moon = _packed(counts(state.factories[0].moon))
        for number, factory in enumerate(state.factories):
            self.sun[number] = _packed(counts(factory.sun))
            if number:
                self.moons[number] = _stacked(factory.moon[::-1])
                self.chip[number] = CHIPS.index(factory.chip) + 2 if factory.chip in CHIPS else bool(factory.chip)
        for seat, board in enumerate(state.boards):
            self._read_board(seat, board)
            self.tokens[seat] = tokens_left(state, seat)
            self.owed[seat] = chips_due(state, seat)
        self._read_plates(state)
        self.due = self._find_due()
        self._name_phase()

    def _read_plates(self, state):
        self.height = len(state.stack)
        self.drawn = len(state.hand)
        self.opened = len(state.open)
        for place, back in enumerate(state.stack[::-1]):
            self.stack[place] = _written_back(back)
        for place, back in enumerate(state.hand):
            self.hand[place] = _written_back(back)
        for place, plate in enumerate(state.open):
            self.open[place] = NUMBERED.index(plate)
        seen = {*state.open, *[back.face for back in (*state.stack, *state.hand)]}
        seen |= {PRINTED[plate] for board in state.boards for plate in board.dome if plate}
        self.unseen = sum([1 << number for number, plate in enumerate(NUMBERED) if plate not in seen])

    def _read_board(self, seat, board):
        self.score[seat] = board.score
        self.row[seat] = board.row
        self.mine[seat] = _packed_chips(board.chips)
        self.spent[seat] = _packed_chips(board.spent)
        for piece in board.broken:
            self._shatter(seat, COLOURS.index(piece), 1)
        for slot, plate in enumerate(board.dome):
            self.dome[9 * seat + slot] = WAYS.index(plate)
        for row, tiles in enumerate(board.tiles):
            for column, tile in enumerate(tiles):
                if tile != EMPTY:
                    self.laid[seat] |= BIT << (6 * row + column)
                if tile in COLOURS:
                    self.tint[5 * seat + COLOURS.index(tile)] |= BIT << (6 * row + column)
        for row, tiles in enumerate(board.lines):
            if tiles:
                self._read_line(seat, row, tiles)

    def _read_line(self, seat, row, tiles):
        colour = COLOURS.index(tiles[0])
        self.held[seat] += len(tiles) * ONE[row]
        self.hue[seat] += colour * ONE[row]
        self.lines[seat] &= ~(ONES << row)
        if len(tiles) <= row:
            self.lines[seat] |= ONE[colour] << row
        if CHIP_TILE in tiles:
            self.paid[seat] = tiles.count(CHIP_TILE)

    def deal_these(self, deal):
        """Let chance decide as a deal of the readable game says."""
        if type(deal) is not DEALS[self.due] or len(_decisions(deal)) != self._number_due():
            raise ValueError("this is not what chance decides now (DU40)")
        if isinstance(deal, Fill):
            for factory, tiles in enumerate(deal.factories):
                self.poured[factory] = _packed(counts(tiles))
        else:
            names = CHIPS if isinstance(deal, Reveal) else NUMBERED
            for place, name in enumerate(_decisions(deal)):
                self.shown[place] = names.index(name)
        if isinstance(deal, Shuffle):
            self._shuffle(deal)
        self._settle()
        self._go_on()

    def _shuffle(self, deal):
        if sorted(deal.kinds) != 9 * [SPECIAL] + 9 * [JOKER]:
            raise ValueError("there are nine special plates and nine joker plates (DU03)")
        self.start = deal.start
        for place, kind in enumerate(deal.kinds[::-1]):
            self.stack[place] = FRESH + KIND_NAMES.index(kind)

    def dealt(self):
        """What chance decided last, as a deal of the readable game; to be asked before the next move is made."""
        if self.decided == FILL:
            return Fill(tuple([heap(_counts(self.poured[factory])) for factory in range(5)]))
        shown = [self.shown[place] for place in range(self.showing)]
        if self.decided == REVEAL:
            return Reveal("".join([CHIPS[chip] for chip in shown]))
        plates = tuple([NUMBERED[face] for face in shown])
        if self.decided == LOOK:
            return Look(self.current, plates)
        if self.decided == OPEN:
            return Open(plates)
        if self.decided == NOTHING:
            raise ValueError("chance has decided nothing at this table")
        kinds = "".join([KIND_NAMES[face // 9] for face in shown])
        kinds += "".join([KIND_NAMES[self.stack[place] - FRESH] for place in range(self.height - 1, -1, -1)])
        return Shuffle(self.start, kinds, plates)

    def to_move(self, number):
        """The move of the readable game, made by the seat whose turn it is."""
        if not (0 <= number < STACK_MOVE or self._is_legal(number)):
            raise ValueError(f"move {number} means nothing here")
        seat = self.current
        if number < CHIP_MOVE:
            source, line = number // 35, number % 7
            colour = COLOURS[number % 35 // 7]
            return Take(seat, None if source == MOONS else source, colour, None if line == BROKEN else line)
        if number < PLATE_MOVE:
            return TakeChip(seat, number - CHIP_MOVE + 1)
        if number < DRAW_MOVE:
            plate = number - PLATE_MOVE
            return PlacePlate(seat, WAYS[plate // 36 * 4 + plate % 4 + 1], plate % 36 // 4)
        if number <= STOP_MOVE:
            return Draw(seat) if number == DRAW_MOVE else Stop(seat)
        if number < RETURN_MOVE:
            return self._to_stack(number - STACK_MOVE)
        if number < TILE_MOVE:
            return Return(seat, NUMBERED[number - RETURN_MOVE])
        return self._to_tiling((number - TILE_MOVE) // SEAT_MOVES, (number - TILE_MOVE) % SEAT_MOVES)

    def _to_stack(self, order):
        after = self.copy()
        after._pile(self.stacking, order)
        return Stack(self.current, _tiles(after.moons[self.stacking])[::-1])

    def _to_tiling(self, seat, choice):
        if choice < PAY_MOVE:
            return Place(seat, choice // 6, choice % 6)
        if choice == LEAVE_MOVE:
            return Pay(seat, self.row[seat], "")
        self._list_payments(seat)
        return Pay(seat, self.row[seat], _chip_names(self.payments[choice - PAY_MOVE]))

    def from_move(self, move):
        """The number of a move of the readable game; an order or a payment must be possible now."""
        match move:
            case Take(factory=factory, colour=colour, line=line):
                source = MOONS if factory is None else factory
                return 35 * source + 7 * COLOURS.index(colour) + (BROKEN if line is None else line)
            case TakeChip(factory=factory):
                return CHIP_MOVE - 1 + factory
            case PlacePlate(plate=plate, slot=slot):
                way = WAYS.index(plate) - 1
                return PLATE_MOVE + way // 4 * 36 + 4 * slot + way % 4
            case Draw():
                return DRAW_MOVE
            case Stop():
                return STOP_MOVE
            case Return(plate=plate):
                return RETURN_MOVE + NUMBERED.index(plate)
            case Place(seat=seat, row=row, column=column):
                return TILE_MOVE + SEAT_MOVES * seat + 6 * row + column
            case Pay(seat=seat, chips=""):
                return TILE_MOVE + SEAT_MOVES * seat + LEAVE_MOVE
            case Pay(seat=seat, chips=chips):
                payments = [self.payments[payment] for payment in range(self._list_payments(seat))]
                return TILE_MOVE + SEAT_MOVES * seat + PAY_MOVE + payments.index(_packed_chips(chips))
            case Stack():
                orders = [self._to_stack(order) for order in range(orders_of(self.sun[self.stacking]))]
                return STACK_MOVE + orders.index(move)

    def write_move(self, number):
        """Write a move as a person would: 3r4, mr-, sykk, c3, 5ykt*, d+, d=, uykt*, t24, p3tT or p3-."""
        return write_move(None, self.to_move(number))

    def read_move(self, text):
        """The number of a written move of the seat whose turn it is."""
        return self.from_move(read_move(None, self._seat(), text))


DEALS = (None, Shuffle, Open, Fill, Reveal, Look)


def from_state(state, seed=0):
    """The table of the readable game, with a generator of this seed."""
    table = Duel(state.config, seed)
    table._read(state)
    return table


def _decisions(deal):
    match deal:
        case Fill(factories=decisions) | Reveal(chips=decisions):
            return decisions
        case _:
            return deal.plates


def _counts(tiles):
    return tuple([tiles >> 8 * colour & 255 for colour in range(5)])


def _packed(numbers):
    return sum([number << 8 * colour for colour, number in enumerate(numbers)])


def _tiles(nibbles):
    """The tiles of a stack from the top, or broken tiles from the first."""
    return "".join([COLOURS[(nibbles >> 4 * place & 15) - 1] for place in range(4) if nibbles >> 4 * place])


def _stacked(tiles):
    return sum([COLOURS.index(tile) + 1 << 4 * place for place, tile in enumerate(tiles)])


def _chip_names(chips):
    return "".join([name * (chips >> 4 * chip & 15) for chip, name in enumerate(CHIPS)])


def _packed_chips(chips):
    return sum([1 << 4 * CHIPS.index(chip) for chip in chips])


def _read_back(back):
    face = back & FACE
    if face >= FRESH:
        return Back(KIND_NAMES[face - FRESH])
    return Back(NUMBERED[face], _seats(back >> 5 & 3), _seats(back >> 7))


def _seats(bits):
    return tuple([seat for seat in range(2) if bits >> seat & 1])


def _written_back(back):
    if back.fresh:
        return FRESH + KIND_NAMES.index(back.face)
    known = sum([1 << seat for seat in back.known])
    return NUMBERED.index(back.face) | known << 5 | sum([1 << seat for seat in back.lost]) << 7


class Batch(Tables):
    """Tables of Azul Duel that move together."""

    def __init__(self, tables, config=None, seed=0):
        """Deal so many tables. One generator serves all of them."""
        self.table = Duel(config, seed)
        self._lay_out(tables, 2, WIDTH, WORDS)
        for at in range(tables):
            self.table._reset()
            self._show(at)

    def _move(self, at, move):
        self.table._load(self.rows, at)
        self.table._apply(move)
        self.over_view[at] = 0
        if self.table.phase == OVER:
            self.over_view[at] = 1
            self._score(at)
            self.table._reset()
        self._show(at)

    def _score(self, at):
        """Write the points and the place of each seat."""
        for seat in range(self.table.seats):
            self.scores_view[at, seat] = self.table.score[seat]
            self.places_view[at, seat] = 1
            for other in range(self.table.seats):
                if self.table._is_better(other, seat):
                    self.places_view[at, seat] += 1

    def _show(self, at):
        """Let chance decide, keep the table, and write who is to move, what is legal, and a legal move at random."""
        while self.table.phase == DEALING:
            self.table._deal()
        self.table._save(self.rows, at)
        self.seats_view[at] = self.table._seat()
        listed = self.table._list_mask(self.masks_view, at)
        self.random_view[at] = self.table.listed[self.table._below(listed)]

    def at(self, place):
        """A copy of one table."""
        self._require(place)
        table = self.table.copy()
        table._load(self.rows, place)
        return table
