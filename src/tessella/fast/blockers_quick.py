"""Quick players of Blockers!, who play an imagined game from the position as it is to its end.

What a tile is worth on a cell is a sum: for each mark that the cell bears, the weight of that mark. A mark is a set of
cells, found for all cells at once in the words of `tessella.fast.blockers`: where a tile would touch a group of its
colour or join several, what it would capture, whom it would block. A weight has two numbers, for the beginning of a
game and for its end; between them it moves with the plays that are left. The weights are learned (`tessella.train`).

The same file runs as it is and, with the types of blockers_quick.pxd, compiled. Compiled code checks no bounds.
"""

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from tessella.fast.blockers_table import beside
    from tessella.fast.blockers_words import (
        ASIDE,
        BOTH_ROWS,
        CELL_LOWER,
        CELL_UPPER,
        FACE_COUNT,
        HOUSE_LOWER,
        HOUSE_UPPER,
        LOWER_ROWS,
        STAYING,
        UNKNOWN,
        UPPER_ROWS,
        WORD,
    )
    from tessella.fast.phases import DEALING, OVER
    from tessella.fast.uncompiled import lowest

UPPER_ALL = sum([0x1FF << 10 * row for row in range(6)])
LOWER_ALL = sum([0x1FF << 10 * row for row in range(5)])
"""All rows that a word shows."""
WILD = 27
PLAYS = 24

MARKS = (
    "touch", "join", "near", "bridge", "catch", "costly", "lone", "block", "open", "room", "lost", "choices", "wild",
)  # fmt: skip
"""What is weighed, in the order of the weights."""
TOUCH, JOIN, NEAR, BRIDGE, CATCH, COSTLY, LONE, BLOCK = 0, 1, 2, 3, 4, 5, 6, 7
SETS = 8
"""The marks so far are sets of cells; the others are counted."""
OPEN, ROOM, LOST, CHOICES, SPENT = 8, 9, 10, 11, 12
WEIGHTS = 13

MOVES = 8
"""How many moves are considered, after the first."""
MARGIN = 0.5
"""How much of a reward is for being near the win or far ahead; the rest is for the win."""
FINE = 10
GRAIN = 1 << FINE
"""How much a point is: worths are whole numbers."""
MANY = 4
"""More choices than these make no difference."""
STEP = 6364136223846793005
WHIM = 127
"""By how much a quick player may misjudge a move, so that no two games are the same."""


class BlockersQuick:
    """A table of Blockers! at which one imagines how a game goes on, over and over from the same position."""

    def __init__(self, table, weights, seed):
        """Start from the position of a table; for each mark there is a weight at the beginning and one at the end."""
        if len(weights) != 2 * WEIGHTS:
            raise ValueError(f"there are {2 * WEIGHTS} weights")
        self.root = table.copy()
        self.table = table.copy()
        self.table.random = seed
        self._clear()
        for seat in range(5):
            self.teach(seat, weights)
        self._survey_all()

    def _clear(self):
        self.narrow = True
        self.taught = [0.0] * 130
        self.weights = [0] * 13
        self.groups = [0] * 5
        self.touch_upper = [0] * 5
        self.touch_lower = [0] * 5
        self.join_upper = [0] * 5
        self.join_lower = [0] * 5
        self.bridge_upper = 0
        self.bridge_lower = 0
        self.first_groups = [0] * 5
        self.first_touch_upper = [0] * 5
        self.first_touch_lower = [0] * 5
        self.first_join_upper = [0] * 5
        self.first_join_lower = [0] * 5
        self.marks_upper = [0] * 16
        self.marks_lower = [0] * 16
        self.cells_upper = [0] * 2
        self.cells_lower = [0] * 2
        self.open_upper = [0] * 2
        self.open_lower = [0] * 2
        self.free_upper = 0
        self.free_lower = 0
        self.choices = [0] * 28
        self.gains = [0] * 28
        self.moves = [0] * 260
        self.worths = [0] * 260
        self.rewards = [0.0] * 5
        self.keys = [0.0] * 5

    def teach(self, seat, weights):
        """Give one seat weights of its own."""
        for place in range(2 * WEIGHTS):
            self.taught[2 * WEIGHTS * seat + place] = weights[place]

    # Quick players

    def _restart(self):
        self.table._assign(self.root)
        for colour in range(5):
            self.groups[colour] = self.first_groups[colour]
            self.touch_upper[colour] = self.first_touch_upper[colour]
            self.touch_lower[colour] = self.first_touch_lower[colour]
            self.join_upper[colour] = self.first_join_upper[colour]
            self.join_lower[colour] = self.first_join_lower[colour]

    def _finish(self):
        """Play on to the end, and say what each seat has won."""
        while self.table.phase != OVER:
            if self.table.phase == DEALING:
                self.table._deal()
            else:
                self._play(self._pick())
        self._reward()

    def _pick(self):
        """The move that is worth most, more or less."""
        listed = self._list(self.narrow)
        if listed == 0:
            return self.table.listed[self.table._below(self.table._list())]
        best = 0
        most = -1000 * GRAIN
        whim = self.table._next()
        for place in range(listed):
            worth = self.worths[place] + (whim >> 32 & WHIM)
            whim = whim * STEP + 1 & WORD
            if worth > most:
                most = worth
                best = self.moves[place]
        return best

    def _chance(self):
        return (self.table._next() >> 11) * (1.0 / 9007199254740992.0)

    def _play(self, move):
        """Make a move, and look again at the groups that it changes."""
        colour = self.table.current + self.table.seats * (move // 2296)
        cell = move % 82
        there = self.table.board[cell] if cell != ASIDE else 0
        self.table._apply(move)
        if cell != ASIDE:
            self._survey(colour)
        if there:
            self._survey((there - 1) // FACE_COUNT)

    # Moves and what they are worth

    def _consider(self, wanted):
        """So many of the moves that are worth most, the best before all; give their number."""
        listed = self._list(False)
        return self._put_first(listed, wanted) if listed else self._list_asides(wanted)

    def _list(self, narrow):
        """Every move with a tile of the rack, and what it is worth; give their number.

        Narrowly, a colour that can lay a tile beside its groups without a capture is only laid beside its groups.
        """
        self._weigh_marks()
        self._find_free()
        listed = 0
        hand = 0
        colour = self.table.current
        while colour < self.table.colours:
            if self.table.unplayed[colour] > STAYING:
                self._mark(colour, hand)
                if narrow and self._touches(colour):
                    self.cells_upper[hand] &= self.touch_upper[colour]
                    self.cells_lower[hand] &= self.touch_lower[colour]
                listed = self._list_hand(colour, hand, listed)
            hand += 1
            colour += self.table.seats
        return listed

    def _touches(self, colour):
        """Whether a tile of the rack finds a free cell beside a group."""
        faces = self.table.rack[colour]
        while faces:
            if self.choices[lowest(faces)]:
                return True
            faces &= faces - 1
        return False

    def _weigh_marks(self):
        """What each mark weighs at this moment for the seat to move."""
        later = 1.0 * self.table.plays_left / (PLAYS * self.table.colours)
        first = 2 * WEIGHTS * self.table.current
        for mark in range(WEIGHTS):
            early = self.taught[first + 2 * mark]
            late = self.taught[first + 2 * mark + 1]
            self.weights[mark] = int(GRAIN * (late + later * (early - late)))

    def _list_hand(self, colour, hand, listed):
        faces = self.table.rack[colour]
        while faces:
            face = lowest(faces)
            faces &= faces - 1
            worth = self.weights[SPENT] if face == WILD else self.weights[CHOICES] * self.choices[face]
            upper = self.cells_upper[hand] & HOUSE_UPPER[face]
            lower = self.cells_lower[hand] & HOUSE_LOWER[face]
            opened = self.open_upper[hand]
            listed = self._list_cells(self.marks_upper, hand, face, upper, CELL_UPPER, opened, worth, listed)
            opened = self.open_lower[hand]
            listed = self._list_cells(self.marks_lower, hand, face, lower, CELL_LOWER, opened, worth, listed)
        return listed

    def _list_cells(self, marks, hand, face, cells, cell_of, opened, worth, listed):
        """Add up what the marks of each cell weigh."""
        while cells:
            place = lowest(cells)
            cell = cell_of[place]
            total = worth
            for mark in range(SETS):
                total += self.weights[mark] & 0 - (marks[SETS * hand + mark] >> place & 1)
            if (marks[SETS * hand + TOUCH] & ~marks[SETS * hand + CATCH]) >> place & 1:
                total -= (self.weights[LOST] * (self._room(cell) - self.gains[face])) >> FINE
            near = cells & (0 - cells)  # then `beside`, written out, as it is another module
            near = (near << 10 | near >> 10 | near << 1 | near >> 1) & opened
            while near:
                total += self.weights[OPEN] + (self.weights[ROOM] * self._room(cell_of[lowest(near)]) >> FINE)
                near &= near - 1
            self.moves[listed] = 2296 * hand + 82 * face + cell
            self.worths[listed] = total
            listed += 1
            cells &= cells - 1
        return listed

    def _put_first(self, listed, wanted):
        """Put so many of the listed moves first, the best before all; give how many there are."""
        wanted = listed if listed < wanted else wanted
        for rank in range(wanted):
            best = rank
            for place in range(rank + 1, listed):
                if self.worths[place] > self.worths[best]:
                    best = place
            move = self.moves[best]
            worth = self.worths[best]
            self.moves[best] = self.moves[rank]
            self.worths[best] = self.worths[rank]
            self.moves[rank] = move
            self.worths[rank] = worth
        return wanted

    def _list_asides(self, wanted):
        listed = self.table._list()
        listed = listed if listed < wanted else wanted
        for place in range(listed):
            self.moves[place] = self.table.listed[place]
            self.worths[place] = 0
        return listed

    # Marks

    def _find_free(self):
        upper = lower = 0
        for colour in range(self.table.colours):
            upper |= self.table.upper[colour]
            lower |= self.table.lower[colour]
        self.free_upper = UPPER_ALL & ~upper
        self.free_lower = LOWER_ALL & ~lower

    def _mark(self, colour, hand):
        """Find the cells with each mark, for one colour of the seat to move."""
        self._survey(colour)
        self._mark_groups(colour, hand)
        self._find_room(colour)
        self._mark_captures(colour, hand)
        self._mark_others(SETS * hand)

    def _mark_groups(self, colour, hand):
        """Where a tile touches groups, joins them, or comes near."""
        at = SETS * hand
        upper = self.touch_upper[colour] & self.free_upper
        lower = self.touch_lower[colour] & self.free_lower
        upper |= (lower & BOTH_ROWS) << 40
        lower |= upper >> 40 & BOTH_ROWS
        self.open_upper[hand] = self.free_upper & ~upper
        self.open_lower[hand] = self.free_lower & ~lower
        self.marks_upper[at + TOUCH] = self.touch_upper[colour]
        self.marks_lower[at + TOUCH] = self.touch_lower[colour]
        self.marks_upper[at + JOIN] = self.join_upper[colour]
        self.marks_lower[at + JOIN] = self.join_lower[colour]
        self.marks_upper[at + NEAR] = beside(upper) & ~self.touch_upper[colour]
        self.marks_lower[at + NEAR] = beside(lower) & ~self.touch_lower[colour]
        self.marks_upper[at + BRIDGE] = self.bridge_upper & ~self.join_upper[colour]
        self.marks_lower[at + BRIDGE] = self.bridge_lower & ~self.join_lower[colour]

    def _find_room(self, colour):
        """For each tile still to come, how many cells it finds beside a group, and how much another would help.

        The first cell that a tile finds counts half, the next a quarter, and so on.
        """
        for face in range(FACE_COUNT):
            self.choices[face] = 0
        self._count_homes(self.touch_upper[colour] & self.free_upper, CELL_UPPER)
        self._count_homes(self.touch_lower[colour] & self.free_lower, CELL_LOWER)
        faces = self.table.rack[colour] | self.table.supply[colour]
        for face in range(WILD):
            if self.choices[face] > MANY:
                self.choices[face] = MANY
            self.gains[face] = GRAIN // 2 >> self.choices[face] if faces >> face & 1 else 0

    def _count_homes(self, cells, cell_of):
        while cells:
            cell = cell_of[lowest(cells)]
            cells &= cells - 1
            self.choices[cell // 9] += 1
            self.choices[9 + cell % 9] += 1
            self.choices[18 + cell // 27 * 3 + cell % 9 // 3] += 1

    def _room(self, cell):
        """How much it would help the tiles still to come, if the cell were beside a group."""
        return self.gains[cell // 9] + self.gains[9 + cell % 9] + self.gains[18 + cell // 27 * 3 + cell % 9 // 3]

    def _mark_captures(self, colour, hand):
        """What may be captured, where that costs a point, and where it rids another of a group."""
        upper = lower = costly_upper = costly_lower = lone_upper = lone_lower = 0
        most = self._most_caught()
        for other in range(self.table.colours):
            if other != colour:
                taken_upper = self.table.upper[other] & ~self.table.upper_stuck[other]
                taken_lower = self.table.lower[other] & ~self.table.lower_stuck[other]
                upper |= taken_upper
                lower |= taken_lower
                if self.table.caught_of[5 * self.table.current + other] == most:
                    costly_upper |= taken_upper
                    costly_lower |= taken_lower
                lone_upper |= taken_upper & ~beside(self.table.upper[other])
                lone_lower |= taken_lower & ~beside(self.table.lower[other])
        at = SETS * hand
        self.cells_upper[hand] = (self.free_upper | upper) & UPPER_ROWS
        self.cells_lower[hand] = (self.free_lower | lower) & LOWER_ROWS
        self.marks_upper[at + CATCH] = upper
        self.marks_lower[at + CATCH] = lower
        self.marks_upper[at + COSTLY] = costly_upper
        self.marks_lower[at + COSTLY] = costly_lower
        self.marks_upper[at + LONE] = lone_upper
        self.marks_lower[at + LONE] = lone_lower

    def _mark_others(self, at):
        """Where others would join groups."""
        upper = lower = 0
        for other in range(self.table.colours):
            if other % self.table.seats != self.table.current and self.table.unplayed[other] > STAYING:
                upper |= self.join_upper[other]
                lower |= self.join_lower[other]
        self.marks_upper[at + BLOCK] = upper
        self.marks_lower[at + BLOCK] = lower

    def _most_caught(self):
        """How many captured tiles count against the seat to move: one more of such a colour would cost a point."""
        if self.table.uptown:
            return UNKNOWN
        most = 0
        for colour in range(self.table.colours):
            if self.table.caught_of[5 * self.table.current + colour] > most:
                most = self.table.caught_of[5 * self.table.current + colour]
        return most

    # Groups

    def _survey_all(self):
        self._find_free()
        for colour in range(self.table.colours):
            self._survey(colour)
            self.first_groups[colour] = self.groups[colour]
            self.first_touch_upper[colour] = self.touch_upper[colour]
            self.first_touch_lower[colour] = self.touch_lower[colour]
            self.first_join_upper[colour] = self.join_upper[colour]
            self.first_join_lower[colour] = self.join_lower[colour]

    def _survey(self, colour):
        """Count the groups of a colour; find the cells that touch one, join several, or bring two within one cell."""
        upper = self.table.upper[colour]
        lower = self.table.lower[colour]
        touch_upper = touch_lower = join_upper = join_lower = 0
        bridge_upper = bridge_lower = rings_upper = rings_lower = 0
        left_upper = upper
        left_lower = lower
        groups = 0
        while left_upper | left_lower:
            grown_upper = left_upper & (0 - left_upper)
            grown_lower = 0 if left_upper else left_lower & (0 - left_lower)
            group_upper = group_lower = near_upper = near_lower = 0
            while grown_upper != group_upper or grown_lower != group_lower:
                group_upper = grown_upper | (grown_lower & BOTH_ROWS) << 40
                group_lower = grown_lower | group_upper >> 40 & BOTH_ROWS
                near_upper = beside(group_upper)
                near_lower = beside(group_lower)
                grown_upper = group_upper | near_upper & upper
                grown_lower = group_lower | near_lower & lower
            near_upper &= UPPER_ROWS
            near_lower &= LOWER_ROWS
            free_upper = near_upper & self.free_upper
            free_lower = near_lower & self.free_lower
            ring_upper = beside(free_upper | (free_lower & BOTH_ROWS) << 40)
            ring_lower = beside(free_lower | free_upper >> 40 & BOTH_ROWS)
            bridge_upper |= ring_upper & touch_upper | rings_upper & near_upper
            bridge_lower |= ring_lower & touch_lower | rings_lower & near_lower
            rings_upper |= ring_upper
            rings_lower |= ring_lower
            join_upper |= touch_upper & near_upper
            join_lower |= touch_lower & near_lower
            touch_upper |= near_upper
            touch_lower |= near_lower
            left_upper &= ~group_upper
            left_lower &= ~group_lower
            groups += 1
        self.groups[colour] = groups
        self.touch_upper[colour] = touch_upper & ~upper
        self.touch_lower[colour] = touch_lower & ~lower
        self.join_upper[colour] = join_upper & ~upper
        self.join_lower[colour] = join_lower & ~lower
        self.bridge_upper = bridge_upper
        self.bridge_lower = bridge_lower

    # What was won

    def _reward(self):
        for seat in range(self.table.seats):
            self.keys[seat] = self._standing(seat)
        self._share_out()

    def _share_out(self):
        """The part of the win, and a little for being near it."""
        least = 1e9
        winners = 0
        for seat in range(self.table.seats):
            if self.keys[seat] < least:
                least = self.keys[seat]
                winners = 0
            winners += self.keys[seat] == least
        for seat in range(self.table.seats):
            self.rewards[seat] = MARGIN * self._nearness(seat)
            if self.keys[seat] == least:
                self.rewards[seat] += (1.0 - MARGIN) / winners

    def _standing(self, seat):
        """BL21, BL22: points, then captured tiles; the fewest win."""
        points = 0
        most = 0
        colour = seat
        while colour < self.table.colours:
            points += self.groups[colour]
            colour += self.table.seats
        for colour in range(5):
            if self.table.caught_of[5 * seat + colour] > most:
                most = self.table.caught_of[5 * seat + colour]
        points += 0 if self.table.uptown else most
        return points + self.table.catches[seat] / 64.0

    def _nearness(self, seat):
        """How far the best of the others is behind, from 0 to 1."""
        best = 1e9
        for other in range(self.table.seats):
            if other != seat and self.keys[other] < best:
                best = self.keys[other]
        lead = 0.5 + (best - self.keys[seat]) / 12.0
        return 0.0 if lead < 0 else 1.0 if lead > 1 else lead

    # Contests

    def contest(self, games):
        """Play so many games from the table as it is; give what each seat has won of them, and been rewarded.

        Here every move is looked at: who learns from it learns what all of them are worth.
        """
        self.narrow = False
        won = [0.0] * self.table.seats
        rewards = [0.0] * self.table.seats
        for _ in range(games):
            self._restart()
            self._finish()
            for seat in range(self.table.seats):
                rewards[seat] += self.rewards[seat]
                won[seat] += (self.rewards[seat] - MARGIN * self._nearness(seat)) / (1.0 - MARGIN)
        return won, rewards
