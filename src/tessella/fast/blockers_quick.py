"""Quick players of Blockers!, who play an imagined game from the position as it is to its end.

They sort the cells into classes, all cells of a class at once in the words of `tessella.fast.blockers`: would a tile
join groups there, touch one or stand alone; is the cell empty, and if not, does the capture cost a point?

The same file runs as it is and, with the types of blockers_quick.pxd, compiled. Compiled code checks no bounds.
"""

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from tessella.fast.blockers_table import beside, count_groups
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
    )
    from tessella.fast.phases import DEALING, OVER
    from tessella.fast.uncompiled import bits_set, lowest

UPPER_ALL = sum([0x1FF << 10 * row for row in range(6)])
LOWER_ALL = sum([0x1FF << 10 * row for row in range(5)])
"""All rows that a word shows."""
WILD = 27
TAME = 2**27 - 1
"""All faces but the wild."""

CLASSES = 12
JOIN_BLOCK, JOIN, JOIN_CATCH, TOUCH_BLOCK, TOUCH, TOUCH_CATCH = 0, 1, 2, 3, 4, 5
JOIN_COSTLY, NEAR, NEAR_CATCH, ALONE, TOUCH_COSTLY, WORST = 6, 7, 8, 9, 10, 11
CLASS_WORTH = [1.2, 1.0, 0.9, 0.2, 0.0, -0.1, -0.2, -0.6, -0.7, -1.0, -1.1, -1.9]
"""What a tile on a cell of each class is worth in points, best first; BLOCK: another would have joined groups there."""

MOVES = 8
"""How many moves are considered, after the first."""
MARGIN = 0.5
"""How much of a reward is for being near the win or far ahead; the rest is for the win."""
WHIM = 4
TROUBLE, HOPE, ROOM, CAPTURE, WILD_LATER = 0.3, 0.5, 0.1, 0.1, 3.0
"""As in `tessella.bots.blockers_worth`."""
PLAYS = 24


class BlockersQuick:
    """A table of Blockers! at which one imagines how a game goes on, over and over from the same position."""

    def __init__(self, table, seed):
        """Start from the position of a table."""
        self.root = table.copy()
        self.table = table.copy()
        self.table.random = seed
        self._clear()
        self._survey_all()

    def _clear(self):
        self.groups = [0] * 5
        self.touch_upper = [0] * 5
        self.touch_lower = [0] * 5
        self.join_upper = [0] * 5
        self.join_lower = [0] * 5
        self.first_groups = [0] * 5
        self.first_touch_upper = [0] * 5
        self.first_touch_lower = [0] * 5
        self.first_join_upper = [0] * 5
        self.first_join_lower = [0] * 5
        self.class_upper = [0] * 24
        self.class_lower = [0] * 24
        self.open_upper = [0] * 2
        self.open_lower = [0] * 2
        self.moves = [0] * 260
        self.worths = [0.0] * 260
        self.rewards = [0.0] * 5
        self.keys = [0.0] * 5

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
        """A move of the best class that the rack reaches; the wild only where it gains what it is worth later."""
        hands = self._classify()
        later = WILD_LATER * self.table.plays_left / (PLAYS * self.table.colours)
        kind = 0
        while kind < CLASSES and not self._reaches(hands, kind, TAME):
            kind += 1
        enough = later + (CLASS_WORTH[kind] if kind < CLASSES else -100.0)
        other = 0
        while other < CLASSES and CLASS_WORTH[other] > enough:
            if self._reaches(hands, other, 1 << WILD):
                return self._pick_from(hands, other, 1 << WILD)
            other += 1
        if kind == CLASSES:
            return self.table.listed[self.table._below(self.table._list())]
        return self._pick_from(hands, kind, TAME)

    def _reaches(self, hands, kind, among):
        """Whether some of these tiles, if they are on the rack, may be laid on a cell of the class."""
        for hand in range(hands):
            upper = self.class_upper[CLASSES * hand + kind]
            lower = self.class_lower[CLASSES * hand + kind]
            faces = self.table.rack[self.table.current + self.table.seats * hand] & among if upper | lower else 0
            while faces:
                face = lowest(faces)
                faces &= faces - 1
                if upper & HOUSE_UPPER[face] | lower & HOUSE_LOWER[face]:
                    return True
        return False

    def _pick_from(self, hands, kind, among):
        """The move of a class that opens most room, more or less."""
        best = -1
        most = -1
        for hand in range(hands):
            faces = self.table.rack[self.table.current + self.table.seats * hand] & among
            while faces:
                face = lowest(faces)
                faces &= faces - 1
                first = 2296 * hand + 82 * face
                cells = self.class_upper[CLASSES * hand + kind] & HOUSE_UPPER[face]
                while cells:
                    room = self._opens(beside(cells & (0 - cells)) & self.open_upper[hand])
                    if room > most:
                        most = room
                        best = first + CELL_UPPER[lowest(cells)]
                    cells &= cells - 1
                cells = self.class_lower[CLASSES * hand + kind] & HOUSE_LOWER[face]
                while cells:
                    room = self._opens(beside(cells & (0 - cells)) & self.open_lower[hand])
                    if room > most:
                        most = room
                        best = first + CELL_LOWER[lowest(cells)]
                    cells &= cells - 1
        return best

    def _opens(self, cells):
        """How much room a move opens, with a whim, so that no two games are the same."""
        return WHIM * bits_set(cells) + self.table._below(WHIM)

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

    # Moves worth a thought

    def _consider(self):
        """The best moves of the best classes, for a seat in the tree; give their number."""
        hands = self._classify()
        later = WILD_LATER * self.table.plays_left / (PLAYS * self.table.colours)
        listed = 0
        kind = 0
        while kind < CLASSES and listed < MOVES:
            listed = self._list_class(hands, kind, TAME, CLASS_WORTH[kind], listed)
            kind += 1
        other = 0
        while other < CLASSES and (listed < MOVES or CLASS_WORTH[other] - later > CLASS_WORTH[kind - 1]):
            listed = self._list_class(hands, other, 1 << WILD, CLASS_WORTH[other] - later, listed)
            other += 1
        return self._put_first(listed, MOVES) if listed else self._consider_asides()

    def _list_class(self, hands, kind, among, worth, listed):
        """Every move of a class with these tiles; what opens room is worth a little more."""
        for hand in range(hands):
            faces = self.table.rack[self.table.current + self.table.seats * hand] & among
            listed = self._list_hand(hand, CLASSES * hand + kind, faces, worth, listed)
        return listed

    def _list_hand(self, hand, at, faces, worth, listed):
        while faces:
            face = lowest(faces)
            faces &= faces - 1
            first = 2296 * hand + 82 * face
            cells = self.class_upper[at] & HOUSE_UPPER[face]
            while cells:
                self.moves[listed] = first + CELL_UPPER[lowest(cells)]
                self.worths[listed] = worth + ROOM * bits_set(beside(cells & (0 - cells)) & self.open_upper[hand])
                listed += 1
                cells &= cells - 1
            cells = self.class_lower[at] & HOUSE_LOWER[face]
            while cells:
                self.moves[listed] = first + CELL_LOWER[lowest(cells)]
                self.worths[listed] = worth + ROOM * bits_set(beside(cells & (0 - cells)) & self.open_lower[hand])
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

    def _consider_asides(self):
        listed = self.table._list()
        listed = listed if listed < MOVES else MOVES
        for place in range(listed):
            self.moves[place] = self.table.listed[place]
            self.worths[place] = 0.0
        return listed

    # Classes of cells

    def _classify(self):
        """Sort the cells for each colour of the seat to move; give the number of colours."""
        colour = self.table.current
        hand = 0
        while colour < self.table.colours:
            for kind in range(CLASSES):
                self.class_upper[CLASSES * hand + kind] = 0
                self.class_lower[CLASSES * hand + kind] = 0
            if self.table.unplayed[colour] > STAYING:
                self._classify_for(colour, CLASSES * hand)
            hand += 1
            colour += self.table.seats
        return hand

    def _classify_for(self, colour, at):
        upper = lower = catch_upper = catch_lower = costly_upper = costly_lower = block_upper = block_lower = 0
        most = self._most_caught()
        for other in range(self.table.colours):
            upper |= self.table.upper[other]
            lower |= self.table.lower[other]
            if other != colour and self.table.caught_of[5 * self.table.current + other] == most:
                costly_upper |= self.table.upper[other] & ~self.table.upper_stuck[other]
                costly_lower |= self.table.lower[other] & ~self.table.lower_stuck[other]
            elif other != colour:
                catch_upper |= self.table.upper[other] & ~self.table.upper_stuck[other]
                catch_lower |= self.table.lower[other] & ~self.table.lower_stuck[other]
            if other % self.table.seats != self.table.current:
                block_upper |= self.join_upper[other]
                block_lower |= self.join_lower[other]
        touch_upper = self.touch_upper[colour]
        touch_lower = self.touch_lower[colour]
        # the neighbours of free neighbours: a second tile would join what is laid there
        around_upper = touch_upper & ~upper
        around_lower = touch_lower & ~lower
        around_upper |= (around_lower & BOTH_ROWS) << 40
        around_lower |= around_upper >> 40 & BOTH_ROWS
        self.open_upper[at // CLASSES] = UPPER_ALL & ~(upper | around_upper)
        self.open_lower[at // CLASSES] = LOWER_ALL & ~(lower | around_lower)
        self._fill(
            self.class_upper, at, UPPER_ROWS & ~upper, catch_upper & UPPER_ROWS, costly_upper & UPPER_ROWS,
            block_upper, touch_upper, self.join_upper[colour], beside(around_upper),
        )  # fmt: skip
        self._fill(
            self.class_lower, at, LOWER_ROWS & ~lower, catch_lower & LOWER_ROWS, costly_lower & LOWER_ROWS,
            block_lower, touch_lower, self.join_lower[colour], beside(around_lower),
        )  # fmt: skip

    def _fill(self, classes, at, free, catch, costly, block, touch, join, near):
        """Every cell in one class."""
        single = touch & ~join
        near &= ~touch
        classes[at + JOIN_BLOCK] = join & free & block
        classes[at + JOIN] = join & free & ~block
        classes[at + JOIN_CATCH] = join & catch
        classes[at + TOUCH_BLOCK] = single & free & block
        classes[at + TOUCH] = single & free & ~block
        classes[at + TOUCH_CATCH] = single & catch
        classes[at + JOIN_COSTLY] = join & costly
        classes[at + NEAR] = near & free
        classes[at + NEAR_CATCH] = near & catch
        classes[at + ALONE] = free & ~(touch | near)
        classes[at + TOUCH_COSTLY] = single & costly | catch & ~(touch | near)
        classes[at + WORST] = costly & ~touch

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
        for colour in range(self.table.colours):
            self._survey(colour)
            self.first_groups[colour] = self.groups[colour]
            self.first_touch_upper[colour] = self.touch_upper[colour]
            self.first_touch_lower[colour] = self.touch_lower[colour]
            self.first_join_upper[colour] = self.join_upper[colour]
            self.first_join_lower[colour] = self.join_lower[colour]

    def _survey(self, colour):
        """Count the groups of a colour, and find the cells that touch one, and those that would join several."""
        upper = self.table.upper[colour]
        lower = self.table.lower[colour]
        touch_upper = touch_lower = join_upper = join_lower = 0
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
            join_upper |= touch_upper & near_upper
            join_lower |= touch_lower & near_lower
            touch_upper |= near_upper
            touch_lower |= near_lower
            left_upper &= ~group_upper
            left_lower &= ~group_lower
            groups += 1
        self.groups[colour] = groups
        self.touch_upper[colour] = touch_upper & ~upper & UPPER_ROWS
        self.touch_lower[colour] = touch_lower & ~lower & LOWER_ROWS
        self.join_upper[colour] = join_upper & ~upper & UPPER_ROWS
        self.join_lower[colour] = join_lower & ~lower & LOWER_ROWS

    def _groups_to_come(self, colour, free_upper, free_lower, later):
        """The groups of a colour; those that can still be joined count for less, the more so the earlier it is."""
        upper = self.touch_upper[colour] & free_upper
        lower = self.touch_lower[colour] & free_lower
        upper |= (lower & BOTH_ROWS) << 40
        lower |= upper >> 40 & BOTH_ROWS
        joined = count_groups(self.table.upper[colour] | upper, self.table.lower[colour] | lower)
        return self.groups[colour] - HOPE * later * (self.groups[colour] - joined)

    def _room(self, colour, free_upper, free_lower):
        """How many tiles still to come would find a cell beside the own groups; a second cell is half as good."""
        room = 0.0
        faces = self.table.rack[colour] | self.table.supply[colour]
        while faces:
            face = lowest(faces)
            faces &= faces - 1
            cells = bits_set(self.touch_upper[colour] & free_upper & HOUSE_UPPER[face])
            cells += bits_set(self.touch_lower[colour] & free_lower & HOUSE_LOWER[face])
            room += 1.0 - 1.0 / (1 << (cells if cells < 30 else 30))
        return room

    # At first sight

    def _worth(self, move):
        """What the move leaves, as greedy sees it: few groups of one's own, many of the others, room to grow."""
        colour = self.root.current + self.table.seats * (move // 2296)
        later = 1.0 * self.root.plays_left / (PLAYS * self.root.colours)
        worth = -WILD_LATER * later if move % 2296 // 82 == WILD else 0.0
        if move % 82 == ASIDE:
            return worth
        self._restart()
        worth -= self._capture_cost(move % 82)
        self._play(move)
        upper = lower = 0
        for other in range(self.table.colours):
            upper |= self.table.upper[other]
            lower |= self.table.lower[other]
        for other in range(self.table.colours):
            share = -1.0 if other % self.table.seats == self.root.current else TROUBLE
            worth += share * self._groups_to_come(other, ~upper, ~lower, later)
        return worth + ROOM * self._room(colour, ~upper, ~lower)

    def _capture_cost(self, cell):
        """BL21, BL23, BL33: a captured tile costs a point if no colour was captured more often."""
        tile = self.table.board[cell]
        if tile == 0:
            return 0.0
        return CAPTURE + (self.table.caught_of[5 * self.root.current + (tile - 1) // FACE_COUNT] == self._most_caught())

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
