"""An exact solver for the end of Azul with two players on the coloured wall.

Within a round nothing is hidden and nothing is left to chance. The solver finds the largest lead that a seat can force
at the end of the game if the game must end with this round; a round that does not end the game counts as its worst
outcome. So the value is a proved lower bound for that seat, whatever later rounds would bring. Once the end of the game
is certain, the values of both seats add up to zero.

A value is twice the lead in points; with equal points, 1 or -1 for more or fewer complete rows (AZ52).

Positions that play on alike are merged: a line that can no longer be completed only saves tiles of its colour from the
floor, as many as are left, so its length and its row do not matter. The transposition table stores whole positions, not
hashes of them: two positions are never confused. The same file runs as plain Python and, with the types of solver.pxd,
compiled.
"""

from array import array

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from tessella.fast.azul.constants import HIGHS, IN_CENTRE, NOT_FORCED, ONES, ROUNDS
    from tessella.fast.azul.moves import FLOOR, encode_take, pair_colour
    from tessella.fast.bits import GOLDEN, WORD, bits_set, colours_of, lowest, mixed, tile_count
    from tessella.fast.clock import thread_time as thread_seconds

from tessella.fast.azul import constants
from tessella.fast.phases import DRAFTING

DEFAULT_ENTRIES = 1 << 21
"""Default size of the transposition table: 50 MB."""

# Compiled, each is a C array of this module: faster than an array of another one.
COLUMN = constants.COLUMN
LOWEST = constants.LOWEST
PENALTY = constants.PENALTY
RUN = constants.RUN

if not cython.compiled:
    MOST = 1_000
    """More than any value."""
    PLIES = 40
    MOVES = 192
    SETS = 7_776
    """Number of ways in which lines can be complete: each of five is not, or with one of five colours."""
    POWER = [1, 6, 36, 216, 1296]
    BOUNDS = 1 << 14
    """Size of the cache of upper bounds, per seat."""
    BOUND_SHIFT = 50
    """Shift that reduces a 64-bit hash to an index of that cache."""
    ENTRY_WORDS = 3
    OFFSET = 2048
    """Added to a value, so that twelve bits hold it."""
    CLOCK_NODES = 1024
    """Nodes between two clock checks."""
    CLOSED = 7
    """A line that cannot be completed, where other lines have the number of their tiles."""
    SINK = 6
    """As a line of a move: the tiles join a closed line of their colour, where all of them have room."""
    FALLEN_SHIFT = 40
    STATE_SHIFT = 43
    """A board fills the bits below."""
    BIT = 1
    LINE = 63
    NIBBLE = 15
    SINKS = 0x4040404040
    EVERY_CELL = (1 << 25) - 1
    ARRAYS = {
        "moves": MOVES * PLIES,
        "orders": MOVES * PLIES,
        "set_points": 2 * SETS,
        "set_bonus": 2 * SETS,
    }
    ARRAYS |= dict.fromkeys(["centre", "left", "alive", "turn", "marker"], PLIES)
    ARRAYS |= dict.fromkeys(["boards", "possible", "complete", "killers"], 2 * PLIES)
    ARRAYS |= dict.fromkeys(["bound_masks", "bound_points", "bound_bonus"], 2 * BOUNDS)
    ARRAYS |= dict.fromkeys(["factory", "twins", "untaken"], 10)
    ARRAYS |= dict.fromkeys(["ending", "score", "wall", "turned", "taken"], 2)
    ARRAYS |= dict.fromkeys(["enough", "accepted"], 5)


class Solver:
    """A solver with a transposition table; nothing carries over from one position to the next."""

    def __init__(self, entries=DEFAULT_ENTRIES):
        """Allocate the transposition table; its size is a power of two, and an entry takes 24 bytes."""
        if entries < 2 or entries & (entries - 1):
            raise ValueError("the number of entries must be a power of two")
        self.entries = entries
        self.stored = array("Q", bytes(8 * ENTRY_WORDS * entries))
        if not cython.compiled:
            for name, length in ARRAYS.items():
                setattr(self, name, [0] * length)

    def solve(self, table, seat, nodes=0, seconds=0.0):
        """Return the value that a seat can force, within a number of nodes and seconds of CPU time of the thread.

        0 means no limit. If a limit is reached, `stopped` is set, and the value lies from `low` to `high`.
        """
        if table.phase != DRAFTING or table.seats != 2 or table.grey:
            raise ValueError("only drafting with two players on the coloured wall can be solved")
        self._begin(table, seat)
        self.node_limit = nodes if nodes else 1 << 62
        self.deadline = thread_seconds() + seconds if seconds else 0.0
        with cython.nogil:
            self._narrow()
        return self.low

    def is_ending(self):
        """Return whether the game certainly ends with the round of the last position."""
        return self.ends or (self.complete[0] & self.ending[0] | self.complete[1] & self.ending[1]) != 0

    def line(self, table):
        """Return the moves of both seats from the position just solved to the end of the round."""
        found = []
        table = table.copy()
        best = self.best
        ply = 0
        while self.left[ply] and not self.stopped:
            self.root = ply
            self.best = -1
            mine = self.turn[ply] == self.me
            self._search(ply, self.low if mine else self.low + 1)
            if self.best < 0:
                self._list(ply, -1)
                self.best = self.moves[MOVES * ply]
            move = self._to_table(table, self.best)
            found.append(move)
            self._take(ply, self.best)
            table.apply(move)
            ply += 1
        self.root = 0
        self.best = best
        return found

    def best_move(self, table):
        """Return the best move of the position just solved, for the seat to move."""
        return self._to_table(table, self.best) if self.best >= 0 else self.line(table)[0]

    # Positions

    def _begin(self, table, seat):
        self.me = seat
        self.nodes = 0
        self.root = 0
        self.best = self.proved_move = self.refuting_move = -1
        self.stopped = False
        self.ends = table.round >= ROUNDS
        self.factories = table.factories
        self._read_sources(table)
        self._read_boards(table)
        self._clear_caches()
        self._update(0)

    def _read_sources(self, table):
        self.alive[0] = 0
        self.left[0] = self.centre[0] = table.source[table.factories]
        for source in range(table.factories):
            self.factory[source] = table.source[source]
            self.left[0] += table.source[source]
            self.twins[source] = 0
            if table.source[source]:
                self.alive[0] |= 1 << source
                for other in range(source):
                    if table.source[other] == table.source[source]:
                        self.twins[source] |= 1 << other
        self.turn[0] = table.current
        self.marker[0] = 1 if table.marker == IN_CENTRE else 0

    def _read_boards(self, table):
        for seat in range(2):
            fallen = table.fallen[seat] if table.fallen[seat] < 7 else 7
            self.boards[seat] = table.held[seat] | table.hue[seat] << 3 | fallen << FALLEN_SHIFT
            self.score[seat] = table.score[seat]
            self.wall[seat] = table.wall[seat]
            self.turned[seat] = table.turned[seat]
            self.taken[seat] = table.taken[seat]
            self.ending[seat] = 0
            for row in range(5):
                colours = colours_of(~(table.taken[seat] >> row) & ONES)
                self.untaken[5 * seat + row] = colours
                if colours & (colours - 1) == 0:
                    self.ending[seat] |= colours << 5 * row
            self._fill_sets(seat, 0, 0, 0)

    def _fill_sets(self, seat, row, index, points):
        """Store the points and the bonus of every way in which the lines from this one down can be complete."""
        if row == 5:
            self.set_points[SETS * seat + index] = points
            self.set_bonus[SETS * seat + index] = self._bonus(seat)
            return
        self._fill_sets(seat, row + 1, index, points)
        colours = self.untaken[5 * seat + row]
        while colours:
            colour = LOWEST[colours]
            colours &= colours - 1
            column = COLUMN[5 * row + colour]
            gain = RUN[5 * (self.wall[seat] >> 5 * row & 31) + column]
            gain += RUN[5 * (self.turned[seat] >> 5 * column & 31) + row]
            self._flip(seat, row, column, colour)
            self._fill_sets(seat, row + 1, index + (colour + 1) * POWER[row], points + (gain if gain else 1))
            self._flip(seat, row, column, colour)

    def _flip(self, seat, row, column, colour):
        """Place a tile on the wall, or remove it."""
        self.wall[seat] ^= BIT << (5 * row + column)
        self.turned[seat] ^= BIT << (5 * column + row)
        self.taken[seat] ^= BIT << (8 * colour + row)

    def _bonus(self, seat):
        """AZ51: return 2 per complete row, 7 per column, 10 per colour."""
        bonus = 0
        for place in range(5):
            if self.wall[seat] >> 5 * place & 31 == 31:
                bonus += 2
            if self.turned[seat] >> 5 * place & 31 == 31:
                bonus += 7
            if self.taken[seat] >> 8 * place & 31 == 31:
                bonus += 10
        return bonus

    def _clear_caches(self):
        for slot in range(2 * BOUNDS):
            self.bound_masks[slot] = WORD
        for place in range(2 * PLIES):
            self.killers[place] = -1
        for word in range(ENTRY_WORDS * self.entries):
            self.stored[word] = 0

    def _update(self, ply):
        """Close the lines that can no longer be completed, and note what each board has and can complete.

        `possible` and `complete` have a bit per row and colour.
        """
        left = self.left[ply]
        for row in range(5):
            self.enough[row] = colours_of((left + (127 - row) * ONES & HIGHS) >> 7)
        some = (left + 127 * ONES & HIGHS) >> 1
        for seat in range(2):
            board = self.boards[2 * ply + seat]
            possible = 0
            complete = 0
            for row in range(5):
                line = board >> 8 * row & LINE
                held = line & 7
                if held == 0:
                    possible |= (self.enough[row] & self.untaken[5 * seat + row]) << 5 * row
                elif held < CLOSED:
                    colour = line >> 3
                    if held > row:
                        complete |= BIT << (5 * row + colour)
                    elif left >> 8 * colour & 255 > row - held:
                        possible |= BIT << (5 * row + colour)
                    else:
                        board = board & ~(LINE << 8 * row) | CLOSED << 8 * row | BIT << (8 * colour + 6)
            self.boards[2 * ply + seat] = board & (some | ~SINKS)
            self.possible[2 * ply + seat] = possible
            self.complete[2 * ply + seat] = complete

    def _take(self, ply, move):
        """AZ10 to AZ17: write the position after a move to the next ply."""
        pair = move >> 3
        line = move & 7
        colour = pair_colour(pair)
        source = pair // 5
        turn = self.turn[ply]
        board = self.boards[2 * ply + turn]
        fallen = board >> FALLEN_SHIFT
        self.marker[ply + 1] = self.marker[ply]
        if source == self.factories:
            tiles = self.centre[ply]
            number = tiles >> 8 * colour & 255
            self.centre[ply + 1] = tiles - (number << 8 * colour)
            self.alive[ply + 1] = self.alive[ply]
            fallen += self.marker[ply]
            self.marker[ply + 1] = 0
        else:
            tiles = self.factory[source]
            number = tiles >> 8 * colour & 255
            self.centre[ply + 1] = self.centre[ply] + tiles - (number << 8 * colour)
            self.alive[ply + 1] = self.alive[ply] & ~(1 << source)
        self.left[ply + 1] = self.left[ply] - (number << 8 * colour)
        if line < FLOOR:
            held = board >> 8 * line & 7
            laid = line + 1 - held
            if number < laid:
                laid = number
            board = board & ~(LINE << 8 * line) | (held + laid | colour << 3) << 8 * line
            number -= laid
        if line <= FLOOR:
            fallen += number
        if fallen > 7:
            fallen = 7
        board = board & ((BIT << FALLEN_SHIFT) - 1) | fallen << FALLEN_SHIFT
        self.boards[2 * ply + 2 + turn] = board
        self.boards[2 * ply + 3 - turn] = self.boards[2 * ply + 1 - turn]
        self.turn[ply + 1] = 1 - turn
        self._update(ply + 1)

    # Values

    def _index(self, complete):
        """Return the number of a set of complete lines."""
        index = 0
        while complete:
            place = lowest(complete)
            complete &= complete - 1
            index += (place % 5 + 1) * POWER[place // 5]
        return index

    def _points(self, seat, points, bonus, fallen):
        """AZ23, AZ51: return the final points of a seat."""
        total = self.score[seat] + points - PENALTY[fallen]
        return (total if total > 0 else 0) + bonus

    def _final(self, ply):
        """Return the value when nothing is left to take."""
        if not self._has_end(ply):
            return NOT_FORCED
        other = 1 - self.me
        lead = self._least(ply, self.me, 0) - self._least(ply, other, 0)
        if lead:
            return 2 * lead
        rows = self._rows(ply, self.me) - self._rows(ply, other)
        return 1 if rows > 0 else -1 if rows < 0 else 0

    def _rows(self, ply, seat):
        """Return how many rows of its wall a seat completes."""
        return bits_set(self.complete[2 * ply + seat] & self.ending[seat])

    def _has_end(self, ply):
        """Whether the game certainly ends with this round: AZ44, or a line that completes a row is complete."""
        if self.ends:
            return True
        return (self.complete[2 * ply] & self.ending[0] | self.complete[2 * ply + 1] & self.ending[1]) != 0

    def _may_end(self, ply):
        """Whether the game ends with this round, or a seat can still complete a row."""
        if self._has_end(ply):
            return True
        return (self.possible[2 * ply] & self.ending[0] | self.possible[2 * ply + 1] & self.ending[1]) != 0

    def _least(self, ply, seat, falling):
        """Return the final points of a seat that completes no more lines while `falling` more pieces fall."""
        index = SETS * seat + self._index(self.complete[2 * ply + seat])
        fallen = (self.boards[2 * ply + seat] >> FALLEN_SHIFT) + falling
        return self._points(seat, self.set_points[index], self.set_bonus[index], fallen if fallen < 7 else 7)

    def _most(self, ply, seat):
        """Return an upper bound on the final points of a seat: it completes the best lines, and nothing falls."""
        cells = self.possible[2 * ply + seat] | self.complete[2 * ply + seat]
        slot = BOUNDS * seat + ((cells * GOLDEN & WORD) >> BOUND_SHIFT)
        if self.bound_masks[slot] != cells:
            self.most_points = 0
            self.most_bonus = 0
            self._maximise(seat, cells, 0, SETS * seat)
            self.bound_masks[slot] = cells
            self.bound_points[slot] = self.most_points
            self.bound_bonus[slot] = self.most_bonus
        points = self.score[seat] - PENALTY[self.boards[2 * ply + seat] >> FALLEN_SHIFT] + self.bound_points[slot]
        return points if points > self.bound_bonus[slot] else self.bound_bonus[slot]

    def _maximise(self, seat, cells, row, index):
        """Find the most points with bonus, and the most bonus, over one cell of each row that has any."""
        while row < 5 and cells >> 5 * row & 31 == 0:
            row += 1
        if row == 5:
            points = self.set_points[index] + self.set_bonus[index]
            if points > self.most_points:
                self.most_points = points
            if self.set_bonus[index] > self.most_bonus:
                self.most_bonus = self.set_bonus[index]
            return
        colours = cells >> 5 * row & 31
        while colours:
            self._maximise(seat, cells, row + 1, index + (LOWEST[colours] + 1) * POWER[row])
            colours &= colours - 1

    def _falling(self, ply, seat):
        """Return how many more pieces may fall on a board: tiles with a sink do not."""
        sinks = (self.boards[2 * ply + seat] & SINKS) >> 6
        return tile_count(self.left[ply] & ~(sinks * 255)) + self.marker[ply]

    def _upper(self, ply):
        """Return an upper bound on the value."""
        if not self._may_end(ply):
            return NOT_FORCED
        lead = self._most(ply, self.me) - self._least(ply, 1 - self.me, self._falling(ply, 1 - self.me))
        return 2 * lead if lead else 1

    def _lower(self, ply):
        """Return a lower bound on the value."""
        if not self._has_end(ply):
            return NOT_FORCED
        lead = self._least(ply, self.me, self._falling(ply, self.me)) - self._most(ply, 1 - self.me)
        return 2 * lead if lead else -1

    # Search

    def _narrow(self):
        """MTD(f): searches with null windows until the bounds meet."""
        self.low = NOT_FORCED
        self.high = MOST
        bound = 1
        while self.low < self.high:
            value = self._search(0, bound)
            if self.stopped:
                return
            if value >= bound:
                self.low = value
                self.proved_move = self.best
            else:
                self.high = value
                self.refuting_move = self.best
            bound = value if value < bound else value + 1
        self.best = self.proved_move if self.turn[0] == self.me else self.refuting_move

    def _search(self, ply, bound):
        """Return a bound on the value: a lower one if it reaches `bound`, else an upper one."""
        if self.left[ply] == 0:
            return self._final(ply)
        self._count_node()
        if self.stopped:
            return 0
        low = NOT_FORCED
        high = MOST
        if ply != self.root:
            high = self._upper(ply)
            if high < bound:
                return high
            low = self._lower(ply)
            if low >= bound:
                return low
        first = self.boards[2 * ply] | self._packed_alive(ply)
        second = self.boards[2 * ply + 1] | self._packed_centre(ply)
        slot = (mixed(first ^ (second * GOLDEN & WORD)) & (self.entries - 2)) * ENTRY_WORDS
        found = self._find(slot, first, second)
        hash_move = -1
        if found >= 0:
            entry = self.stored[found + 2]
            hash_move = (entry >> 24 & 0xFFFF) - 1
            if ply != self.root:
                low = max(low, (entry & 0xFFF) - OFFSET)
                high = min(high, (entry >> 12 & 0xFFF) - OFFSET)
                if low >= bound:
                    return low
                if high < bound:
                    return high
        began = self.nodes
        value = self._search_moves(ply, bound, hash_move)
        if self.stopped:
            return 0
        if value >= bound:
            low = max(low, value)
        else:
            high = min(high, value)
        self._store(slot, found, first, second, low, high, self.nodes - began)
        return low if value >= bound else high

    def _find(self, slot, first, second):
        """Return where a position is stored, in one of two places; -1 if it is not."""
        if self.stored[slot] == first and self.stored[slot + 1] == second:
            return slot
        if self.stored[slot + 3] == first and self.stored[slot + 4] == second:
            return slot + ENTRY_WORDS
        return -1

    def _packed_alive(self, ply):
        packed = self.alive[ply] | self.turn[ply] << 10 | self.marker[ply] << 11
        return packed << STATE_SHIFT

    def _packed_centre(self, ply):
        heap = self.centre[ply]
        packed = heap & NIBBLE | heap >> 4 & NIBBLE << 4 | heap >> 8 & NIBBLE << 8 | heap >> 12 & NIBBLE << 12
        return (packed | heap >> 16 & NIBBLE << 16) << STATE_SHIFT

    def _store(self, slot, found, first, second, low, high, nodes):
        """Store the bounds of a position, in the place of the one of two that took fewer nodes."""
        if found < 0:
            found = slot
            if self.stored[slot + 2] >> 40 > self.stored[slot + 5] >> 40:
                found = slot + ENTRY_WORDS
        entry = self.cut_move + 1
        entry = entry << 24 | high + OFFSET << 12 | low + OFFSET
        self.stored[found] = first
        self.stored[found + 1] = second
        self.stored[found + 2] = entry | (nodes if nodes < 0xFFFFFF else 0xFFFFFF) << 40

    def _count_node(self):
        """Count a node, and stop at a limit."""
        self.nodes += 1
        if self.nodes > self.node_limit:
            self.stopped = True
        if self.deadline > 0 and self.nodes % CLOCK_NODES == 0:
            self.stopped = self.stopped or thread_seconds() >= self.deadline

    def _search_moves(self, ply, bound, hash_move):
        """Return the best value over all moves; the move that decided stays in `cut_move`."""
        mine = self.turn[ply] == self.me
        best = NOT_FORCED if mine else MOST
        best_move = -1
        listed = self._list(ply, hash_move)
        for place in range(listed):
            move = self._next_move(ply, place, listed)
            self._take(ply, move)
            value = self._search(ply + 1, bound)
            if self.stopped:
                return best
            if (mine and value > best) or (not mine and value < best):
                best = value
                best_move = move
            if (best >= bound) == mine:
                self._remember(ply, move)
                break
        self.cut_move = best_move
        if ply == self.root:
            self.best = best_move
        return best

    def _remember(self, ply, move):
        """Store a killer move."""
        if self.killers[2 * ply] != move:
            self.killers[2 * ply + 1] = self.killers[2 * ply]
            self.killers[2 * ply] = move

    def _next_move(self, ply, place, listed):
        """Bring the untried move with the highest order forward, and return it."""
        first = MOVES * ply
        best = first + place
        for other in range(first + place + 1, first + listed):
            if self.orders[other] > self.orders[best]:
                best = other
        move = self.moves[best]
        order = self.orders[best]
        self.moves[best] = self.moves[first + place]
        self.orders[best] = self.orders[first + place]
        self.moves[first + place] = move
        self.orders[first + place] = order
        return move

    # Moves

    def _list(self, ply, hash_move):
        """List the moves that matter, with their order.

        Of factories that were dealt the same tiles only the first counts. Tiles do not fall if they can join a line of
        their colour, unless that may end the game against the interest of the mover. Closing another line of a colour
        that has a sink is never better than the sink.
        """
        turn = self.turn[ply]
        board = self.boards[2 * ply + turn]
        possible = self.possible[2 * ply + turn]
        self._accept(board, possible, turn, self.left[ply])
        may_complete = EVERY_CELL
        if turn != self.me and not self._has_end(ply):
            may_complete = ~self.ending[turn]
        self.listed = 0
        self.base = SETS * turn + self._index(self.complete[2 * ply + turn])
        for source in range(self.factories + 1):
            tiles = self.centre[ply]
            if source < self.factories:
                if not self.alive[ply] >> source & 1 or self.alive[ply] & self.twins[source]:
                    continue
                tiles = self.factory[source]
            for colour in range(5):
                number = tiles >> 8 * colour & 255
                if number:
                    self._list_pair(ply, source, colour, number, may_complete, hash_move)
        return self.listed

    def _accept(self, board, possible, turn, left):
        """Note the colours that each line accepts; of empty lines that cannot be completed, one of each kind."""
        present = colours_of(left)
        for row in range(5):
            line = board >> 8 * row & LINE
            accepted = 0
            if line == 0:
                accepted = self.untaken[5 * turn + row] & present
                if possible >> 5 * row & 31 == 0:
                    for other in range(row):
                        if (
                            self.accepted[other] == accepted
                            and board >> 8 * other & LINE == 0
                            and possible >> 5 * other & 31 == 0
                        ):
                            accepted = 0
                            break
            else:
                accepted = possible >> 5 * row & 31
            self.accepted[row] = accepted

    def _list_pair(self, ply, source, colour, number, may_complete, hash_move):
        turn = self.turn[ply]
        board = self.boards[2 * ply + turn]
        possible = self.possible[2 * ply + turn]
        sink = board >> (8 * colour + 6) & 1
        falls = not sink
        fallen = board >> FALLEN_SHIFT
        penalty = PENALTY[fallen]
        if source == self.factories:
            fallen += self.marker[ply]
        first = (5 * source + colour) << 3
        for row in range(5):
            if self.accepted[row] >> colour & 1:
                cell = BIT << (5 * row + colour)
                held = board >> 8 * row & 7
                if possible & cell:
                    if held and cell & may_complete:
                        falls = False
                    gain = self._gain(row, colour)
                    missing = row + 1 - held
                    if number >= missing:
                        lost = fallen + number - missing
                        gain = 100 * gain
                    else:
                        lost = fallen
                        gain = 50 * gain * number // missing
                    self._add(ply, first | row, gain - 100 * (PENALTY[lost if lost < 7 else 7] - penalty), hash_move)
                elif not sink:
                    self._add(ply, first | row, 100 * (penalty - PENALTY[fallen if fallen < 7 else 7]) - 20, hash_move)
        if sink:
            self._add(ply, first | SINK, 100 * (penalty - PENALTY[fallen if fallen < 7 else 7]), hash_move)
        elif falls:
            fallen += number
            self._add(ply, first | FLOOR, 100 * (penalty - PENALTY[fallen if fallen < 7 else 7]), hash_move)

    def _gain(self, row, colour):
        """Return the points and the bonus of one more complete line for the mover."""
        after = self.base + (colour + 1) * POWER[row]
        gain = self.set_points[after] + self.set_bonus[after]
        return gain - self.set_points[self.base] - self.set_bonus[self.base]

    def _add(self, ply, move, order, hash_move):
        at = MOVES * ply + self.listed
        self.listed += 1
        self.moves[at] = move
        if move == hash_move:
            order = 1 << 30
        elif move == self.killers[2 * ply] or move == self.killers[2 * ply + 1]:
            order += 300
        self.orders[at] = order

    def _to_table(self, table, move):
        """Return the number of a move at the table; a sink is the first line of its colour that is not full."""
        pair = move >> 3
        colour = pair_colour(pair)
        line = move & 7
        if line == SINK:
            line = 0
            while (
                table.held[table.current] >> 8 * line & 255 in (0, line + 1)
                or table.hue[table.current] >> 8 * line & 255 != colour
            ):
                line += 1
        return encode_take(pair // 5, colour, line)
