"""What nobody chooses in Azul Duel: the start player, the plates, the tiles on the factories, the chips.

First chance decides (`shown` plates or chips, tiles `poured`), by the generator of the table or as a deal of the
readable game says; then that is done. And `imagine`: what a seat cannot see is decided anew.
"""

try:
    import cython
except ImportError:
    from tessella.fast import uncompiled as cython

if not cython.compiled:
    from tessella.fast.duel_table import (
        ACT,
        CHIP,
        FACE,
        FILL,
        FIRST,
        FRESH,
        HIDDEN,
        HIGHS,
        KEEP,
        LOOK,
        NOTHING,
        ONE,
        ONES,
        OPEN,
        PLATES_OF_KIND,
        PREPARE,
        REVEAL,
        SHUFFLE,
        DuelTable,
        chip_count,
        is_single,
        size,
        tile_count,
    )
    from tessella.fast.uncompiled import lowest


class DuelChance(DuelTable):
    """A table at which chance can act."""

    # What is to be decided

    def _find_due(self):
        """What chance decides now, if anything: as late as it can, when somebody may first know it."""
        if self.stage == ACT:
            for factory in range(1, 5):
                if self._is_to_reveal(factory):
                    return REVEAL
        elif self.stage == KEEP:
            for place in range(self.drawn):
                if not self.hand[place] >> (5 + self.current) & 1:
                    return LOOK
        elif self.stage <= FIRST:
            if self.round == 0 and self.opened == 0:
                return SHUFFLE
            if self.opened < 3 and self.height:
                return OPEN
            return FILL if self.stage == PREPARE else NOTHING
        return NOTHING

    def _is_to_reveal(self, factory):
        """DU26: the chip of an empty factory is turned over."""
        return self.chip[factory] == HIDDEN and self.sun[factory] == 0 and self.moons[factory] == 0

    def _number_due(self):
        """How many factories are filled, chips revealed or plates turned over."""
        if self.due == FILL:
            return 5
        if self.due == LOOK:
            return self.drawn
        if self.due != REVEAL:
            return 3 - self.opened if self.height > 3 - self.opened else self.height
        number = 0
        for factory in range(1, 5):
            if self._is_to_reveal(factory):
                number += 1
        return number

    # Shaking

    def _decide(self):
        """Decide what is due: the only use of random numbers in the rules."""
        if self.due == FILL:
            self._draw_factories()
        elif self.due == REVEAL:
            self._draw_chips()
        else:
            if self.due == SHUFFLE:
                self._draw_kinds()
            self._draw_plates()

    def _draw_kinds(self):
        """DU12: who starts, and the kinds of all plates of the stack."""
        self.start = self._below(2)
        special = 9
        for place in range(18):
            if self._below(18 - place) < special:
                self.stack[place] = FRESH
                special -= 1
            else:
                self.stack[place] = FRESH + 1

    def _draw_plates(self):
        """Which plates are turned over: of those that nobody has looked at, any of the kind."""
        unseen = self.unseen
        for place in range(self._number_due()):
            face = (self.hand[place] if self.due == LOOK else self.stack[self.height - 1 - place]) & FACE
            if face >= FRESH:
                face = self._pick(unseen & PLATES_OF_KIND << 9 * (face - FRESH))
                unseen &= ~(1 << face)
            self.shown[place] = face

    def _pick(self, plates):
        """One of a set of plates, each as likely as another."""
        number = self._below(size(plates))
        while number:
            plates &= plates - 1
            number -= 1
        return lowest(plates)

    def _draw_chips(self):
        """DU26: the chips of all factories that have just become empty."""
        chips = self.chips
        place = 0
        for factory in range(1, 5):
            if self._is_to_reveal(factory):
                number = self._below(chip_count(chips))
                chip = 0
                while number >= (chips >> 4 * chip & 15):
                    number -= chips >> 4 * chip & 15
                    chip += 1
                chips -= CHIP[chip]
                self.shown[place] = chip
                place += 1

    def _draw_factories(self):
        """DU10, DU11, DU40: what the factories get; a large one of a single colour is drawn again."""
        bag = self.bag
        tower = self.tower
        self._draw_tiles(0)
        if is_single(self.poured[0]):
            self.bag += self.poured[0]
            if is_single(self.bag):
                self.bag += self.tower
                self.tower = 0
            again = not is_single(self.bag)
            self._draw_tiles(0)
            while again and is_single(self.poured[0]):
                self.bag += self.poured[0]
                self._draw_tiles(0)
        for factory in range(1, 5):
            self._draw_tiles(factory)
        self.bag = bag
        self.tower = tower

    def _draw_tiles(self, factory):
        """DU40: from the bag and, whenever it is empty, the tower; fewer when both are empty."""
        bag = self.bag
        tiles = 0
        for _ in range(4 if factory else 5):
            if bag == 0:
                bag = self.tower
                self.tower = 0
                if bag == 0:
                    break
            # byte by byte: how many tiles have this colour or one before it
            reached = bag * ONES
            number = self._below(reached >> 32 & 255)
            beyond = (reached + (127 - number) * ONES) & HIGHS
            colour = 5 - ((beyond >> 7) * ONES >> 32 & 255)
            bag -= ONE[colour]
            tiles += ONE[colour]
        self.bag = bag
        self.poured[factory] = tiles

    # What has been decided

    def _settle(self):
        """Do what chance decided: `shown` plates or chips, or tiles `poured` on the factories."""
        self.decided = self.due
        self.showing = self._number_due()
        if self.due == FILL:
            self._fill()
        elif self.due == REVEAL:
            self._reveal()
        elif self.due == LOOK:
            for place in range(self.drawn):
                self.hand[place] = self.hand[place] & ~FACE | self.shown[place]
                self.unseen &= ~(1 << self.shown[place])
            self._look()
        else:
            self._open_plates()

    def _open_plates(self):
        """DU10, DU12, DU40: the top plates of the stack fill up the open ones."""
        for place in range(self.showing):
            self.open[self.opened] = self.shown[place]
            self.opened += 1
            self.unseen &= ~(1 << self.shown[place])
        self.height -= self.showing
        if self.stage == FIRST and self._has_plate(0) and self._has_plate(1):
            self.stage = ACT

    def _reveal(self):
        place = 0
        for factory in range(1, 5):
            if self._is_to_reveal(factory):
                self.chip[factory] = self.shown[place] + 2
                self.chips -= CHIP[self.shown[place]]
                place += 1

    def _fill(self):
        """DU10, DU40: a new round, with new tiles and chips on the factories, and new tokens."""
        for factory in range(5):
            self._fill_factory(factory)
        self.round += 1
        for seat in range(2):
            self.owed[seat] += 2
            if self.round < 5:
                self.tokens[seat] += 2
        self.current = self.start
        self.stage = ACT
        if self.round == 1:
            self.current = 1 - self.start
            self.stage = FIRST

    def _fill_factory(self, factory):
        """DU10, DU11, DU40: tiles from the bag and, when that is empty or shows one colour only, from the tower."""
        if tile_count(self.bag) < (4 if factory else 5) or (factory == 0 and self._may_draw_again()):
            self.bag += self.tower
            self.tower = 0
        self.bag -= self.poured[factory]
        self.sun[factory] = self.poured[factory]
        self.moons[factory] = 0
        self.chip[factory] = HIDDEN if factory else 0

    def _may_draw_again(self):
        """DU11: whether five tiles of the only colour in the bag may come first, to be drawn again from everything."""
        if not is_single(self.bag):
            return False
        for colour in range(5):
            if self.bag >> 8 * colour & 255 and (self.bag + self.tower) >> 8 * colour & 255 >= 5:
                return True
        return False

    def _look(self):
        """DU20, DU60: the player looks, and from now on knows these plates; the other may lose track of some."""
        seat = self.current
        kinds = 0
        for place in range(self.drawn):
            kinds += 1 << 8 * ((self.hand[place] & FACE) // 9)
        for place in range(self.drawn):
            face = self.hand[place] & FACE
            known = self.hand[place] >> 5 & 3
            others = (known | self.hand[place] >> 7) & 2 - seat
            known = known & 2 - seat if kinds >> 8 * (face // 9) & 255 == 1 else 0
            self.hand[place] = face | (known | 1 << seat) << 5 | (others & ~known) << 7
        for last in range(1, self.drawn):
            back = self.hand[last]
            place = last
            while place > 0 and self.hand[place - 1] & FACE > back & FACE:
                self.hand[place] = self.hand[place - 1]
                place -= 1
            self.hand[place] = back

    # What a seat cannot see

    def _imagine(self, viewer):
        for kind in range(2):
            free = self.unseen & PLATES_OF_KIND << 9 * kind
            lost = 0
            places = 0
            for place in range(self.height + self.drawn):
                if self._is_hidden(place, kind, viewer):
                    self.places_of[places] = place
                    places += 1
                    if self._back(place) >> 7 & viewer:
                        lost |= 1 << (self._back(place) & FACE)
                    else:
                        free |= 1 << (self._back(place) & FACE)
            chosen = lost
            for _ in range(places - size(lost)):
                chosen |= 1 << self._pick(free & ~chosen)
            self.unseen = self.unseen & ~(PLATES_OF_KIND << 9 * kind) | free & ~chosen
            for number in range(places):
                face = self._pick(chosen)
                chosen &= ~(1 << face)
                back = self._back(self.places_of[number]) & 3 << 5 | face
                self._put_back(self.places_of[number], back | viewer << 7 if lost >> face & 1 else back)

    def _is_hidden(self, place, kind, viewer):
        """Whether a plate of the kind lies here that somebody has looked at, but that the viewer does not know."""
        known = self._back(place) >> 5 & 3
        return known and not known & viewer and (self._back(place) & FACE) // 9 == kind
