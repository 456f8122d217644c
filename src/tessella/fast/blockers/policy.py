"""The rollout policy of Blockers!, which plays a game from a position to its end.

The value of a tile on a cell is a linear function of features. Most features are sets of cells, found for all cells at
once on the bitboards of `tessella.fast.blockers`: where a tile would touch a group of its colour or join several, what
it would capture, whom it would block. Each weight is interpolated between the beginning and the end of a game by the
plays left. The weights are learned (`tessella.train`).

The same file runs as plain Python and, with the types of policy.pxd, compiled. Compiled code does not check bounds.
"""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from tessella.fast.bits import WORD, bits_set, lowest
    from tessella.fast.blockers.constants import (
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
    )
    from tessella.fast.blockers.moves import ASIDE, encode_move, move_cell, move_hand
    from tessella.fast.blockers.state import beside
    from tessella.fast.phases import DEALING, OVER

UPPER_ALL = sum([0x1FF << 10 * row for row in range(6)])
LOWER_ALL = sum([0x1FF << 10 * row for row in range(5)])
"""All rows that a word contains."""
WILD = 27
PLAYS = 24

FEATURES = (
    "touch", "join", "near", "bridge", "catch", "costly", "lone", "block", "open", "room", "lost", "choices", "wild",
)  # fmt: skip
"""Names of the features, in the order of the weights."""
TOUCH, JOIN, NEAR, BRIDGE, CATCH, COSTLY, LONE, BLOCK = 0, 1, 2, 3, 4, 5, 6, 7
SETS = 8
"""The features so far are sets of cells; the others are counted."""
OPEN, ROOM, LOST, CHOICES, SPENT = 8, 9, 10, 11, 12
WEIGHTS = 13

TREE_MOVES = 8
"""Moves per node of a search tree, below the root."""
MARGIN = 0.5
"""Part of a reward that depends on the lead; the rest is for the win."""
FRACTION_BITS = 10
UNITS_PER_POINT = 1 << FRACTION_BITS
"""Fixed-point scale of values, which are integers."""
MAX_CHOICES = 4
"""More choices than this count the same."""
TIGHT_ROOM = 3
"""A group with fewer free cells beside it is tight."""
STEP = 6364136223846793005
NOISE = 127
"""Maximum noise added to a value, so that no two rollouts are the same."""


class RolloutPolicy:
    """A table on which rollouts are played, over and over from the same position."""

    def __init__(self, table, weights, seed):
        """Start from the position of a table; each feature has a weight at the beginning and one at the end."""
        if len(weights) != 2 * WEIGHTS:
            raise ValueError(f"expected {2 * WEIGHTS} weights, got {len(weights)}")
        self.root = table.copy()
        self.table = table.copy()
        self.table.random = seed
        self._clear()
        for seat in range(5):
            self.set_weights(seat, weights)
        self._update_all_groups()

    def _clear(self):
        self.narrow = True
        self.seat_weights = [0.0] * 130
        self.weights = [0] * 13
        self.counts_room = False
        self.dead = 0
        self.tight = 0
        self.largest = 0
        self.groups = [0] * 5
        self.touch_upper = [0] * 5
        self.touch_lower = [0] * 5
        self.join_upper = [0] * 5
        self.join_lower = [0] * 5
        self.bridge_upper = 0
        self.bridge_lower = 0
        self.root_groups = [0] * 5
        self.root_touch_upper = [0] * 5
        self.root_touch_lower = [0] * 5
        self.root_join_upper = [0] * 5
        self.root_join_lower = [0] * 5
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
        self.values = [0] * 260
        self.rewards = [0.0] * 5
        self.keys = [0.0] * 5

    def set_weights(self, seat, weights):
        """Set the weights of one seat."""
        for place in range(2 * WEIGHTS):
            self.seat_weights[2 * WEIGHTS * seat + place] = weights[place]

    # Rollouts

    def _restart(self):
        self.table._assign(self.root)
        for colour in range(5):
            self.groups[colour] = self.root_groups[colour]
            self.touch_upper[colour] = self.root_touch_upper[colour]
            self.touch_lower[colour] = self.root_touch_lower[colour]
            self.join_upper[colour] = self.root_join_upper[colour]
            self.join_lower[colour] = self.root_join_lower[colour]

    def _copy_from(self, other):
        """Take over the position of another policy, with its groups."""
        self.table._assign(other.table)
        for colour in range(5):
            self.groups[colour] = other.groups[colour]
            self.touch_upper[colour] = other.touch_upper[colour]
            self.touch_lower[colour] = other.touch_lower[colour]
            self.join_upper[colour] = other.join_upper[colour]
            self.join_lower[colour] = other.join_lower[colour]

    def _finish(self):
        """Play to the end, and set the rewards."""
        while self.table.phase != OVER:
            if self.table.phase == DEALING:
                self.table._deal()
            else:
                self._play(self._choose_move())
        self._reward()

    def _choose_move(self):
        """Return the move of greatest value, after adding noise."""
        listed = self._list(self.narrow)
        if listed == 0:
            return self.table.listed[self.table._below(self.table._list())]
        best = 0
        most = -1000 * UNITS_PER_POINT
        noise = self.table._next()
        for place in range(listed):
            value = self.values[place] + (noise >> 32 & NOISE)
            noise = noise * STEP + 1 & WORD
            if value > most:
                most = value
                best = self.moves[place]
        return best

    def _uniform(self):
        return (self.table._next() >> 11) * (1.0 / 9007199254740992.0)

    def _play(self, move):
        """Make a move, and update the groups that it changes."""
        colour = self.table.current + self.table.seats * move_hand(move)
        cell = move_cell(move)
        there = self.table.board[cell] if cell != ASIDE else 0
        self.table._apply(move)
        if cell != ASIDE:
            self._update_groups(colour)
        if there:
            self._update_groups((there - 1) // FACE_COUNT)

    # Moves and their values

    def _list_best(self, wanted):
        """List the moves of greatest value first, and return how many, at most `wanted`."""
        listed = self._list(False)
        return self._move_best_first(listed, wanted) if listed else self._list_asides(wanted)

    def _list(self, narrow):
        """List every move with a tile of the rack and its value, and return their number.

        If `narrow`, a colour that can place a tile beside its groups without a capture is only placed there.
        """
        self._interpolate_weights()
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
        """Whether a tile of the rack fits a free cell beside a group."""
        faces = self.table.rack[colour]
        while faces:
            if self.choices[lowest(faces)]:
                return True
            faces &= faces - 1
        return False

    def _interpolate_weights(self):
        """Set the current weight of each feature for the seat to move."""
        progress = 1.0 * self.table.plays_left / (PLAYS * self.table.colours)
        first = 2 * WEIGHTS * self.table.current
        for mark in range(WEIGHTS):
            early = self.seat_weights[first + 2 * mark]
            late = self.seat_weights[first + 2 * mark + 1]
            self.weights[mark] = int(UNITS_PER_POINT * (late + progress * (early - late)))

    def _list_hand(self, colour, hand, listed):
        faces = self.table.rack[colour]
        while faces:
            face = lowest(faces)
            faces &= faces - 1
            value = self.weights[SPENT] if face == WILD else self.weights[CHOICES] * self.choices[face]
            upper = self.cells_upper[hand] & HOUSE_UPPER[face]
            lower = self.cells_lower[hand] & HOUSE_LOWER[face]
            opened = self.open_upper[hand]
            listed = self._list_cells(self.marks_upper, hand, face, upper, CELL_UPPER, opened, value, listed)
            opened = self.open_lower[hand]
            listed = self._list_cells(self.marks_lower, hand, face, lower, CELL_LOWER, opened, value, listed)
        return listed

    def _list_cells(self, marks, hand, face, cells, cell_of, opened, value, listed):
        """Add up the weighted features of each cell."""
        while cells:
            place = lowest(cells)
            cell = cell_of[place]
            total = value
            for mark in range(SETS):
                total += self.weights[mark] & 0 - (marks[SETS * hand + mark] >> place & 1)
            if (marks[SETS * hand + TOUCH] & ~marks[SETS * hand + CATCH]) >> place & 1:
                total -= (self.weights[LOST] * (self._room(cell) - self.gains[face])) >> FRACTION_BITS
            near = cells & (0 - cells)  # `beside` is written out below: a call into another module is slower
            near = (near << 10 | near >> 10 | near << 1 | near >> 1) & opened
            while near:
                total += self.weights[OPEN] + (self.weights[ROOM] * self._room(cell_of[lowest(near)]) >> FRACTION_BITS)
                near &= near - 1
            self.moves[listed] = encode_move(hand, face, cell)
            self.values[listed] = total
            listed += 1
            cells &= cells - 1
        return listed

    def _move_best_first(self, listed, wanted):
        """Move the best of the listed moves to the front, sorted, and return how many, at most `wanted`."""
        wanted = listed if listed < wanted else wanted
        for rank in range(wanted):
            best = rank
            for place in range(rank + 1, listed):
                if self.values[place] > self.values[best]:
                    best = place
            move = self.moves[best]
            value = self.values[best]
            self.moves[best] = self.moves[rank]
            self.values[best] = self.values[rank]
            self.moves[rank] = move
            self.values[rank] = value
        return wanted

    def _list_asides(self, wanted):
        listed = self.table._list()
        listed = listed if listed < wanted else wanted
        for place in range(listed):
            self.moves[place] = self.table.listed[place]
            self.values[place] = 0
        return listed

    # Features

    def _find_free(self):
        upper = lower = 0
        for colour in range(self.table.colours):
            upper |= self.table.upper[colour]
            lower |= self.table.lower[colour]
        self.free_upper = UPPER_ALL & ~upper
        self.free_lower = LOWER_ALL & ~lower

    def _mark(self, colour, hand):
        """Find the cells with each feature, for one colour of the seat to move."""
        self._update_groups(colour)
        self._mark_groups(colour, hand)
        self._find_room(colour)
        self._mark_captures(colour, hand)
        self._mark_others(SETS * hand)

    def _mark_groups(self, colour, hand):
        """Find where a tile touches groups, joins them, or comes near."""
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
        """Count for each tile still to come the cells beside a group that it fits, and the gain of one more.

        The first such cell counts half, the next a quarter, and so on.
        """
        for face in range(FACE_COUNT):
            self.choices[face] = 0
        self._count_homes(self.touch_upper[colour] & self.free_upper, CELL_UPPER)
        self._count_homes(self.touch_lower[colour] & self.free_lower, CELL_LOWER)
        faces = self.table.rack[colour] | self.table.supply[colour]
        for face in range(WILD):
            if self.choices[face] > MAX_CHOICES:
                self.choices[face] = MAX_CHOICES
            self.gains[face] = UNITS_PER_POINT // 2 >> self.choices[face] if faces >> face & 1 else 0

    def _count_homes(self, cells, cell_of):
        while cells:
            cell = cell_of[lowest(cells)]
            cells &= cells - 1
            self.choices[cell // 9] += 1
            self.choices[9 + cell % 9] += 1
            self.choices[18 + cell // 27 * 3 + cell % 9 // 3] += 1

    def _room(self, cell):
        """Return the gain for the tiles still to come if the cell were beside a group."""
        return self.gains[cell // 9] + self.gains[9 + cell % 9] + self.gains[18 + cell // 27 * 3 + cell % 9 // 3]

    def _mark_captures(self, colour, hand):
        """Find what may be captured, where that costs a point, and where it removes a group of another seat."""
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
        """Find where other seats would join groups."""
        upper = lower = 0
        for other in range(self.table.colours):
            if other % self.table.seats != self.table.current and self.table.unplayed[other] > STAYING:
                upper |= self.join_upper[other]
                lower |= self.join_lower[other]
        self.marks_upper[at + BLOCK] = upper
        self.marks_lower[at + BLOCK] = lower

    def _most_caught(self):
        """Return how many captured tiles count against the seat to move: one more of such a colour costs a point."""
        if self.table.uptown:
            return UNKNOWN
        most = 0
        for colour in range(self.table.colours):
            if self.table.caught_of[5 * self.table.current + colour] > most:
                most = self.table.caught_of[5 * self.table.current + colour]
        return most

    # Groups

    def _update_all_groups(self):
        self._find_free()
        for colour in range(self.table.colours):
            self._update_groups(colour)
            self.root_groups[colour] = self.groups[colour]
            self.root_touch_upper[colour] = self.touch_upper[colour]
            self.root_touch_lower[colour] = self.touch_lower[colour]
            self.root_join_upper[colour] = self.join_upper[colour]
            self.root_join_lower[colour] = self.join_lower[colour]

    def _update_groups(self, colour):
        """Count the groups of a colour; find the cells that touch one, join several, or bring two within one cell."""
        upper = self.table.upper[colour]
        lower = self.table.lower[colour]
        touch_upper = touch_lower = join_upper = join_lower = 0
        bridge_upper = bridge_lower = rings_upper = rings_lower = 0
        left_upper = upper
        left_lower = lower
        groups = 0
        self.dead = self.tight = self.largest = 0
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
            if self.counts_room:
                self._count_room(group_upper, group_lower, free_upper, free_lower)
        self.groups[colour] = groups
        self.touch_upper[colour] = touch_upper & ~upper
        self.touch_lower[colour] = touch_lower & ~lower
        self.join_upper[colour] = join_upper & ~upper
        self.join_lower[colour] = join_lower & ~lower
        self.bridge_upper = bridge_upper
        self.bridge_lower = bridge_lower

    def _count_room(self, upper, lower, free_upper, free_lower):
        """Count a group if it is dead (no free cell beside it) or tight (one or two), and keep the largest size."""
        room = bits_set(free_upper) + bits_set(free_lower)
        size = bits_set(upper & UPPER_ROWS) + bits_set(lower & LOWER_ROWS)
        self.dead += room == 0
        self.tight += 0 < room < TIGHT_ROOM
        self.largest = max(self.largest, size)

    # Rewards

    def _reward(self):
        for seat in range(self.table.seats):
            self.keys[seat] = self._standing(seat)
        self._set_rewards()

    def _set_rewards(self):
        """Set each seat's reward: its part of the win, and a part that depends on the lead."""
        least = 1e9
        winners = 0
        for seat in range(self.table.seats):
            if self.keys[seat] < least:
                least = self.keys[seat]
                winners = 0
            winners += self.keys[seat] == least
        for seat in range(self.table.seats):
            self.rewards[seat] = MARGIN * self._margin(seat)
            if self.keys[seat] == least:
                self.rewards[seat] += (1.0 - MARGIN) / winners

    def _standing(self, seat):
        """BL21, BL22: return points, then captured tiles as a fraction; the lowest wins."""
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

    def _margin(self, seat):
        """Return the lead over the best of the others, scaled to 0 to 1."""
        best = 1e9
        for other in range(self.table.seats):
            if other != seat and self.keys[other] < best:
                best = self.keys[other]
        lead = 0.5 + (best - self.keys[seat]) / 12.0
        return 0.0 if lead < 0 else 1.0 if lead > 1 else lead

    # Whole games

    def play_games(self, games):
        """Play games from the current position; return each seat's wins and rewards.

        Every move is considered, not only narrow ones, so that learning sees the value of all of them.
        """
        self.narrow = False
        won = [0.0] * self.table.seats
        rewards = [0.0] * self.table.seats
        for _ in range(games):
            self._restart()
            self._finish()
            for seat in range(self.table.seats):
                rewards[seat] += self.rewards[seat]
                won[seat] += (self.rewards[seat] - MARGIN * self._margin(seat)) / (1.0 - MARGIN)
        return won, rewards
