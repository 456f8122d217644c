"""Reading the rest of a round of Azul: alpha-beta over everything that the players may still take.

Inside a round nothing is hidden and nothing left to chance, so a search looks as far as the round's end and no further.
Where it must stop earlier, everybody takes what looks best at once until nothing is left. Then the lines are tiled and
the boards are weighed, by a net if there is one (`azul_net`), else by hand: their points, what walls and started lines
promise, who starts next; and from what all boards promise, the chance to win. Of two and three others all are taken to
play against the searcher, which is too dark a view where many moves are left; `azul_tree` is for them.

Promises are in hundredths of a point, values in millionths of a win. The same file runs as it is and, with the types of
azul_search.pxd, compiled.
"""

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from time import thread_time as thread_seconds

    from tessella.fast.azul_boards import FAR, FIRST_NEXT
    from tessella.fast.azul_inputs import PAIR
    from tessella.fast.azul_words import (
        EVERY_COLOUR,
        FLOOR,
        FLOORS,
        GOLDEN,
        IN_CENTRE,
        LINE_COUNT,
        LINES,
        LOWEST,
        ONE,
        PENALTY,
        ROUNDS,
        WORD,
    )
    from tessella.fast.uncompiled import lowest

from tessella.fast.azul import Azul
from tessella.fast.azul_boards import Boards
from tessella.fast.phases import DRAFTING, TILING

PLIES = 40
"""More than any round has moves: each takes at least one of at most 36 tiles."""
MOVES = 336
KEPT = 9
"""The words that a take changes."""
ENTRIES = 1 << 17
"""Remembered positions."""
PATIENCE = 64
"""The clock is read every so many nodes."""
EXACT = 0
AT_LEAST = 1
AT_MOST = 2
ENDED = 1 << 10
"""Remembered boards at the end of the round."""
ENDED_SHIFT = 54
"""What is left of a word when it is divided by so many bits is one of them."""
FULL = 4
"""So many moves of a position are read as far as can be, the next ones first a move less far, later ones two."""
SECOND = 12
WHOLE = 99
"""The depth of a position that was read to the end of the round."""

# What looks good at once, in hundredths of a point.
STARTED = 50
"""A started line counts for half of its share: it may never be completed."""

if not cython.compiled:
    ROOM = {"kept": KEPT * PLIES, "played": PLIES, "moves": MOVES * PLIES, "orders": MOVES * PLIES, "looked": MOVES}
    ROOM |= dict.fromkeys(["keys", "values", "hints", "depths", "bounds"], ENTRIES)
    ROOM |= dict.fromkeys(["wall", "turned", "taken", "columns", "points", "fallen", "promise", "share"], 4)
    ROOM |= dict.fromkeys(["ended_keys", "ended_lids", "ended_rounds"], ENDED)
    ROOM |= {"worths": 100, "ended_sums": PAIR * ENDED}


class Search(Boards):
    """A reader of rounds, with its memory of positions. It carries nothing over from one search to the next."""

    def __init__(self, net=None):
        """Take a table to think at, and a net that knows what boards are worth; else they are weighed by hand."""
        self.table = Azul(2)
        self.learned = self.selective = net is not None
        self.net = net.copy() if self.learned else None
        self.salt = 0
        if not cython.compiled:
            for name, length in ROOM.items():
                setattr(self, name, [0] * length)

    def think(self, table, seat, nodes=0, seconds=0.0):
        """The best move that is found for a seat within so many positions and so much CPU time of the thread.

        0 is no limit: then the round is read to its end.
        """
        if table.phase not in (DRAFTING, TILING):
            raise ValueError("nobody is to move")
        self._begin(table, seat)
        self.most = nodes if nodes else 1 << 62
        self.until = thread_seconds() + seconds if seconds else 0.0
        with cython.nogil:
            self._decide()
        return self.best

    def worth(self, table, seat):
        """The value of a table for a seat where nothing is left to take, before the walls are tiled."""
        self._begin(table, seat)
        return self._value()

    def _compare(self, slack):
        """Read a round again that was read to its end, so that moves nearly as good as the best have their values too.

        Gives the number of moves; they are in `moves`, and what they are worth in `looked`.
        """
        self.slack = slack
        self._read(0, WHOLE, -FAR, FAR)
        self.slack = 0
        return self.listed

    def _begin(self, table, seat):
        self.table._assign(table)
        self.me = seat
        self.nodes = self.depth = self.value = self.slack = 0
        self.best = -1
        self.stopped = False
        self.salt = (self.salt + GOLDEN) & WORD
        for one in range(table.seats):
            self._look(one)

    def _decide(self):
        if self.table.phase == TILING:
            self._choose_column()
        else:
            self._deepen()

    # Alpha-beta

    def _deepen(self):
        """Read one move further each time, until the round is read to its end or the limit is reached."""
        while not self.stopped:
            self.cut = False
            value = self._read(0, self.depth + 1, -FAR, FAR)
            if self.stopped:
                return
            self.value = value
            self.depth += 1
            if not self.cut:
                return

    def _read(self, ply, depth, low, high):
        """The value of the position, as far as it matters between low and high."""
        if self.table.present == 0:
            return self._value()
        self._count()
        if self.stopped:
            return 0
        if depth == 0:
            self.cut = True
            return self._play_out(ply)
        key = self.table._key() ^ self.salt
        slot = key & (ENTRIES - 1)
        hint = -1
        if self.keys[slot] == key:
            hint = self.hints[slot]
            if ply and self.depths[slot] >= depth and self._settles(slot, low, high):
                if self.depths[slot] < WHOLE:
                    self.cut = True
                return self.values[slot]
        was_cut = self.cut
        self.cut = False
        value = self._read_moves(ply, depth, low, high, hint)
        if not self.stopped:
            self.keys[slot] = key
            self.hints[slot] = self.played[ply]
            self.values[slot] = value
            self.depths[slot] = depth if self.cut else WHOLE
            self.bounds[slot] = AT_MOST if value <= low else AT_LEAST if value >= high else EXACT
        self.cut = self.cut or was_cut
        return value

    def _count(self):
        """One position more, and maybe one too many."""
        self.nodes += 1
        if self.nodes > self.most:
            self.stopped = True
        if self.until > 0 and self.nodes % PATIENCE == 0:
            self.stopped = self.stopped or thread_seconds() >= self.until

    def _settles(self, slot, low, high):
        """Whether what is remembered is all that one wants to know."""
        if self.bounds[slot] == EXACT:
            return True
        if self.bounds[slot] == AT_LEAST:
            return self.values[slot] >= high
        return self.values[slot] <= low

    def _read_moves(self, ply, depth, low, high, hint):
        """The best value over all moves, for whoever is to move; the move stays in `played`."""
        mine = self.table.current == self.me
        best = -FAR if mine else FAR
        best_move = -1
        listed = self._list(ply, hint)
        if ply == 0:
            self.listed = listed
            if self.best < 0:
                self.best = self._next_move(0, 0, listed)
        for place in range(listed):
            move = self._next_move(ply, place, listed)
            self._take(ply, move)
            value = self._read_move(ply, depth, low, high, place)
            self._take_back(ply)
            if self.stopped:
                return best
            if (mine and value > best) or (not mine and value < best):
                best = value
                best_move = move
                if ply == 0:
                    self.best = move
            if ply == 0:
                self.looked[place] = value
                low = best - self.slack
            elif mine and best > low:
                low = best
            elif not mine and best < high:
                high = best
            if low >= high:
                break
        self.played[ply] = best_move
        return best

    def _read_move(self, ply, depth, low, high, place):
        """The value of the position after a move.

        With a net, moves that do not look good are first read less far, only to see whether they are better than the
        best so far; those that are, are read as far as the others.
        """
        if self.selective and place >= FULL and depth > 2:
            less = depth - 2 if place < SECOND or depth == 3 else depth - 3
            if self.table.current != self.me:
                # the turn has passed: this was a move of the searcher
                value = self._read(ply + 1, less, low, low + 1)
                if value <= low or self.stopped:
                    return value
            else:
                value = self._read(ply + 1, less, high - 1, high)
                if value >= high or self.stopped:
                    return value
        return self._read(ply + 1, depth - 1, low, high)

    def _next_move(self, ply, place, listed):
        """The most promising of the moves that have not been tried, brought forward."""
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

    def _take(self, ply, move):
        """Make a move that can be taken back; after the last one, walls are not yet tiled."""
        seat = self.table.current
        at = KEPT * ply
        self.played[ply] = move
        self.kept[at] = self.table.source[move // 30]
        self.kept[at + 1] = self.table.source[self.table.factories]
        self.kept[at + 2] = self.table.present
        self.kept[at + 3] = self.table.lid
        self.kept[at + 4] = self.table.held[seat]
        self.kept[at + 5] = self.table.hue[seat]
        self.kept[at + 6] = self.table.open[seat]
        self.kept[at + 7] = self.table.floor[seat]
        self.kept[at + 8] = self.table.fallen[seat] | self.table.marker << 8 | seat << 16
        self.table._take(move)

    def _take_back(self, ply):
        at = KEPT * ply
        seat = self.kept[at + 8] >> 16
        self.table.current = seat
        self.table.source[self.played[ply] // 30] = self.kept[at]
        self.table.source[self.table.factories] = self.kept[at + 1]
        self.table.present = self.kept[at + 2]
        self.table.lid = self.kept[at + 3]
        self.table.held[seat] = self.kept[at + 4]
        self.table.hue[seat] = self.kept[at + 5]
        self.table.open[seat] = self.kept[at + 6]
        self.table.floor[seat] = self.kept[at + 7]
        self.table.fallen[seat] = self.kept[at + 8] & 255
        self.table.marker = self.kept[at + 8] >> 8 & 255

    # Moves, and what looks good at once

    def _list(self, ply, hint):
        """List the moves of a ply with what each is worth at first sight; of equal factories only the first counts."""
        accepted = self.table.open[self.table.current] | FLOORS
        present = self._different()
        at = MOVES * ply
        while present:
            pair = lowest(present)
            present &= present - 1
            lines = accepted >> 8 * (pair % 5) & 63
            for place in range(LINE_COUNT[lines]):
                move = 6 * pair + LINES[8 * lines + place]
                self.moves[at] = move
                self.orders[at] = FAR if move == hint else self._first_sight(move)
                at += 1
        return at - MOVES * ply

    def _different(self):
        """What is present, without factories that hold the same as one before them."""
        present = self.table.present
        for factory in range(1, self.table.factories):
            tiles = self.table.source[factory]
            if tiles:
                for other in range(factory):
                    if self.table.source[other] == tiles:
                        present &= ~(EVERY_COLOUR << 5 * factory)
                        break
        return present

    def _first_sight(self, move):
        """What a take adds to its line, less what falls; the marker costs a space and brings the first turn."""
        seat = self.table.current
        source = move // 30
        colour = move % 30 // 6
        line = move % 6
        number = self.table.source[source] >> 8 * colour & 255
        fallen = self.table.fallen[seat]
        gain = 100 * PENALTY[fallen]
        if source == self.table.factories and self.table.marker == IN_CENTRE:
            fallen += 1
            gain += FIRST_NEXT
        if line < FLOOR:
            held = self.table.held[seat] >> 8 * line & 255
            worth = self.worths[25 * seat + 5 * line + colour]
            missing = line + 1 - held
            if number >= missing:
                number -= missing
                gain += worth - STARTED * held * worth // (100 * (line + 1))
            else:
                gain += STARTED * number * worth // (100 * (line + 1))
                number = 0
        fallen += number
        return gain - 100 * PENALTY[fallen if fallen < 7 else 7]

    def _look(self, seat):
        """What a tile of each colour would be worth in each row, as the wall is now."""
        self._lay(seat)
        for row in range(5):
            for colour in range(5):
                column = self._column(seat, row, colour)
                self.worths[25 * seat + 5 * row + colour] = (
                    0 if column == 5 else self._space_worth(seat, row, column, colour)
                )

    def _play_out(self, ply):
        """The value if from here on everybody takes what looks best at once."""
        at = ply
        while self.table.present:
            self._take(at, self._best_at_sight())
            at += 1
        value = self._value()
        while at > ply:
            at -= 1
            self._take_back(at)
        return value

    def _best_at_sight(self):
        accepted = self.table.open[self.table.current] | FLOORS
        present = self.table.present
        best = -1
        most = -FAR
        while present:
            pair = lowest(present)
            present &= present - 1
            lines = accepted >> 8 * (pair % 5) & 63
            for place in range(LINE_COUNT[lines]):
                move = 6 * pair + LINES[8 * lines + place]
                gain = self._first_sight(move)
                if gain > most:
                    most = gain
                    best = move
        return best

    # Tiling

    def _choose_column(self):
        """AZ31: try every column for each of one's complete lines; the others tile as looks best."""
        for seat in range(self.table.seats):
            self._lay(seat)
            if seat != self.me:
                self._tile(seat)
        row = self.table._next_row(self.me)
        self.value = self._best_columns(row)
        self.best = 30 * (self.table.factories + 1) + 25 * self.me + 5 * row + self.played[row]

    def _best_columns(self, row):
        """The value of the best columns for the lines from this one down; the column stays in `played`."""
        seat = self.me
        while row < 5 and self.table.held[seat] >> 8 * row & 255 <= row:
            row += 1
        if row == 5:
            self.nodes += 1
            return self._weigh()
        colour = self.table.hue[seat] >> 8 * row & 255
        columns = self._open_columns(seat, row, colour)
        fallen = self.fallen[seat]
        if columns == 0:
            self.fallen[seat] = fallen + row + 1
            value = self._best_columns(row + 1)
            self.fallen[seat] = fallen
            return value
        best = -FAR
        best_column = 0
        while columns:
            column = LOWEST[columns]
            columns &= columns - 1
            points = self.points[seat]
            self._put(seat, row, column, colour)
            value = self._best_columns(row + 1)
            self._put(seat, row, column, colour)
            self.points[seat] = points
            if value > best:
                best = value
                best_column = column
        self.played[row] = best_column
        return best

    def _lay(self, seat):
        """Lay a board beside the table, to be tiled there."""
        self.wall[seat] = self.table.wall[seat]
        self.turned[seat] = self.table.turned[seat]
        self.taken[seat] = self.table.taken[seat]
        self.columns[seat] = self.table.columns[seat]
        self.points[seat] = self.table.score[seat]
        self.fallen[seat] = self.table.fallen[seat]

    def _tile(self, seat):
        """AZ20: complete lines go to the wall, from the top; AZ32: or they fall."""
        for row in range(5):
            if self.table.held[seat] >> 8 * row & 255 > row:
                colour = self.table.hue[seat] >> 8 * row & 255
                column = self._column(seat, row, colour)
                if column == 5:
                    self.fallen[seat] += row + 1
                else:
                    self._put(seat, row, column, colour)

    def _put(self, seat, row, column, colour):
        """A tile goes to the wall and scores; put again, it is gone, but not its points."""
        self.points[seat] += self._space_points(seat, row, column)
        self.wall[seat] ^= 1 << (5 * row + column)
        self.turned[seat] ^= 1 << (5 * column + row)
        self.taken[seat] ^= ONE[colour] << row
        self.columns[seat] ^= ONE[colour] << column

    # Weighing the boards after a round

    def _value(self):
        """The value of the table when its walls have been tiled."""
        if self.learned:
            return self._learned_value()
        for seat in range(self.table.seats):
            self._lay(seat)
            self._tile(seat)
        return self._weigh()

    def _learned_value(self):
        """The same with a net, to which each board is shown only once in a search."""
        lid = self.table.lid
        rounds = 5
        for seat in range(self.table.seats):
            ended = self._ended(seat)
            lid += self.ended_lids[ended]
            if self.ended_rounds[ended] < rounds:
                rounds = self.ended_rounds[ended]
            for place in range(PAIR):
                self.net.sums[PAIR * seat + place] = self.ended_sums[PAIR * ended + place]
        if rounds == 0 or self.table.round >= ROUNDS:
            for seat in range(self.table.seats):
                self._lay(seat)
                self._tile(seat)
            return self._weigh()
        self._show_shared(rounds, lid)
        self.net._say(self.table.seats)
        return self._net_value()

    def _ended(self, seat):
        """Where it is remembered how the net sees a board that is tiled as it lies."""
        key = self.table.fallen[seat] | seat << 4
        key = (key << 40 | self.table.held[seat] + 8 * self.table.hue[seat]) ^ self.salt
        ended = (key * GOLDEN & WORD) >> ENDED_SHIFT
        if self.ended_keys[ended] != key:
            self._lay(seat)
            self._tile(seat)
            self._show_board(seat)
            self.net._add_board(seat)
            self.ended_keys[ended] = key
            self.ended_lids[ended] = self._given_back(seat)
            self.ended_rounds[ended] = self._missing(seat)
            for place in range(PAIR):
                self.ended_sums[PAIR * ended + place] = self.net.sums[PAIR * seat + place]
        return ended

    def _lay_out(self, table):
        """Show the net a table between two rounds."""
        self._begin(table, 0)
        self._show(self._coming())
