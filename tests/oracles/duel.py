"""Azul Duel from its numbered rules: an engine that shares nothing with `tessella.games.duel`.

Chance decides as late as the notation has it: a plate of the stack is only its kind until a player looks at it, and a
player who knows all plates of a hand already looks at them without a deal (DU60).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations

from tests.oracles.duel_board import (
    BROKEN_COSTS,
    CHIPS,
    COLOURS,
    PAID,
    PLATES,
    PRINTED,
    SPECIAL,
    Board,
    kind_of,
    order_of_chip,
    possible_payments,
    turns,
)
from tests.oracles.oracle import CHANCE, OVER, Oracle, Table, Turn, heap_of, require

FACTORY_TILES = (5, 4, 4, 4, 4)
FACE_DOWN = "#"
LAST_ROUND = 5


PLAIN = ("faces", "special_counts_as_colour", "free_draws", "phase", "round", "start", "current", "holder", "stacking")
"""Fields of a table that are plain data already; the first three are the options."""


class Back:
    """A plate that lies face down, and the seats that know which one it is."""

    def __init__(self, face: str, known: Sequence[int] = ()) -> None:
        self.face = face
        """Its kind until a player has looked at it."""
        self.known = set(known)

    def table(self) -> tuple[str, tuple[int, ...]]:
        """Return the plate as plain data."""
        return self.face, tuple(sorted(self.known))


class Factory:
    """The tiles on the sun and on the moon of a factory (of a small one: bottom first), and the chip of a small one."""

    def __init__(self, sun: str = "", moon: str = "", chip: str = "") -> None:
        self.sun, self.moon, self.chip = sun, moon, chip

    def table(self) -> tuple[str, str, str]:
        """Return the factory as plain data."""
        return self.sun, self.moon, self.chip

    def is_empty(self) -> bool:
        """Return whether no tile is left."""
        return not self.sun and not self.moon


class Duel(Oracle):
    """A table of Azul Duel."""

    CLAUSES = (
        "DU04 a chip of two colours",
        "DU11 the tower is poured first",
        "DU11 one colour stays",
        "DU12 the other player",
        "DU12 the start player",
        "DU20 an open plate",
        "DU20 a drawn plate",
        "DU20 the rest in a chosen order",
        "DU21 no action A in round 5",
        "DU21 both tokens are placed",
        "DU22 free",
        "DU22 not by choice",
        "DU22 the stack is empty",
        "DU23 stacked in a chosen order",
        "DU23 stacked without a choice",
        "DU23 the rest of the large factory",
        "DU23 nothing is left",
        "DU24 several moons",
        "DU24 one tile of a stack",
        "DU25 with the first tile of the large moon",
        "DU25 a later tile of the large moon",
        "DU25 a sun of one colour",
        "DU25 a sun of one colour in round 5",
        "DU26 a chip is revealed",
        "DU26 an empty factory's chip at once",
        "DU26 never a third chip",
        "DU27 surplus",
        "DU27 another colour",
        "DU27 full line",
        "DU27 a colour without a space",
        "DU28 to the tower",
        "DU29 passes",
        "DU29 the end of the phase",
        "DU30 a choice",
        "DU30 one space",
        "DU30 a joker space",
        "DU31 pairs",
        "DU31 any three",
        "DU31 mixed",
        "DU31 not by choice",
        "DU31 not without a space",
        "DU32 stays beside an empty slot",
        "DU32 stays with a space",
        "DU32 breaks complete",
        "DU32 breaks incomplete",
        "DU32 breaks with several tiles",
        "DU32 some tiles to the tower",
        "DU33 alone",
        "DU33 one run",
        "DU33 two runs",
        "DU33 beside a special tile",
        "DU35 one broken tile",
        "DU35 two broken tiles",
        "DU35 three broken tiles",
        "DU35 four broken tiles",
        "DU35 the start tile",
        "DU35 never below 0",
        "DU40 the tower in the middle of a factory",
        "DU40 the tower between two factories",
        "DU40 fewer tiles",
        "DU40 an empty factory",
        "DU41 the holder starts",
        "DU41 no holder",
        "DU51 by a special tile",
        "DU51 not by a special tile",
        "DU51 two special tiles in a row",
        "DU54 falling",
        "DU54 rising",
        "DU55 upper left",
        "DU55 upper right",
        "DU55 lower left",
        "DU55 lower right",
        "DU56 all filled",
        "DU56 not all filled",
        "DU56 no joker space",
        "DU57 never below 0",
        "DU58 points",
        "DU58 tie with a holder",
        "DU58 tie without a holder",
        "DU60 known plates",
        "DU60 track is lost",
    )

    def __init__(
        self,
        faces: Sequence[str],
        special_counts_as_colour: bool | str = True,
        free_draws: str = "always",
    ) -> None:
        """DU01 to DU06: set up empty boards, a full bag, and a stack of eighteen plates.

        `special_counts_as_colour` may also be `alone`: a row with two special tiles or more brings nothing (DU51). With
        `free_draws` = `forced` a player without points draws only when no other action is left, and one plate (DU22).
        """
        super().__init__()
        self.faces, self.special_counts_as_colour, self.free_draws = faces, special_counts_as_colour, free_draws
        self.bag = Counter(dict.fromkeys(COLOURS, 13))
        self.tower: Counter[str] = Counter()
        self.factories = [Factory() for _ in FACTORY_TILES]
        self.boards = [Board(self.note), Board(self.note)]
        self.stack = [Back(kind_of(plate)) for plate in PLATES]
        self.open: list[str] = []
        self.hand: list[Back] = []
        self.chips = Counter(dict.fromkeys(CHIPS, 2))
        self.phase = "prepare"
        self.round = self.start = self.current = self.stacking = 0
        self.holder: int | None = None
        for rule in ("DU01", "DU02", "DU03", "DU04", "DU05", "DU06"):
            self.note(rule)

    @classmethod
    def set_up(cls, table: Table) -> "Duel":
        """Return a table with everything where `table` has it."""
        new = cls(*(table[name] for name in PLAIN[:3]))
        new.exercised.clear()
        for name in PLAIN[3:]:
            setattr(new, name, table[name])
        new.bag, new.tower, new.chips = Counter(table["bag"]), Counter(table["tower"]), Counter(table["chips"])
        new.open = list(table["open"])
        new.stack, new.hand = ([Back(*back) for back in table[name]] for name in ("stack", "hand"))
        new.factories = [Factory(*factory) for factory in table["factories"]]
        new.boards = [Board(new.note, **board) for board in table["boards"]]
        return new

    def table(self) -> Table:
        """Return everything that lies on the table."""
        return {
            **{name: getattr(self, name) for name in PLAIN},
            "bag": heap_of(self.bag, COLOURS),
            "tower": heap_of(self.tower, COLOURS),
            "chips": "".join(sorted(self.chips.elements(), key=order_of_chip)),
            "open": tuple(self.open),
            "stack": tuple(back.table() for back in self.stack),
            "hand": tuple(back.table() for back in self.hand),
            "factories": tuple(factory.table() for factory in self.factories),
            "boards": tuple(board.table() for board in self.boards),
        }

    # Whose turn it is

    def turn(self) -> Turn:
        """Return chance while something is to be dealt; in phase 2 both seats may choose at the same time."""
        if self.phase == "over":
            return OVER
        if self._due():
            return CHANCE
        if self.phase == "tile":
            return "seats", tuple(seat for seat in (0, 1) if self.boards[seat].row < 6)
        return "seats", (self.current,)

    def _due(self) -> str:
        """Return what chance decides next, if anything."""
        if self.phase == "prepare" and not self.round and not self.open:
            return "shuffle"
        if self.phase in ("prepare", "first") and len(self.open) < 3 and self.stack:
            return "open"
        if self.phase == "prepare":
            return "fill"
        if self.phase == "act" and self._unrevealed():
            return "reveal"
        unknown = any(self.current not in back.known for back in self.hand)
        return "look" if self.phase == "keep" and unknown else ""

    def _unrevealed(self) -> list[Factory]:
        """DU26: return the empty factories whose chip lies face down."""
        return [factory for factory in self.factories if factory.chip == FACE_DOWN and factory.is_empty()]

    def _tokens(self, seat: int) -> int:
        """DU20, DU21: return how many tokens are left: two per round, none in round 5; the first plate needs none."""
        used = self.boards[seat].plates() - 1 + (self.phase in ("draw", "keep") and seat == self.current)
        return 2 * min(self.round, 4) - max(0, used)

    def _chips_due(self, seat: int) -> int:
        """DU26: return how many chips the player still takes this round."""
        board = self.boards[seat]
        return 2 * self.round - board.chips.total() - board.spent.total()

    # Chance

    def deal(self, text: str) -> None:
        """Apply what chance decided."""
        due = self._due()
        if due == "shuffle":
            self._shuffle(text)
        elif due == "open":
            self._open(text.split(" "))
        elif due == "fill":
            self._fill(text.split(" "))
        elif due == "reveal":
            self._reveal(text)
        else:
            require(due == "look", "DU40", "nothing is to be dealt")
            self._turn_over(text.split(" "))
        self._go_on()

    def _shuffle(self, text: str) -> None:
        """DU03, DU10, DU12: draw the start player and the order of the kinds; open three plates."""
        start, _, rest = text.partition(":")
        kinds, *plates = rest.split(" ")
        require(sorted(kinds) == sorted(map(kind_of, PLATES)), "DU03", "there are nine plates of each kind")
        self.start = int(start)
        self.stack = [Back(kind) for kind in kinds]
        self._open(plates)

    def _open(self, plates: Sequence[str]) -> None:
        """DU10, DU12, DU40: turn over the top plates of the stack until three are open."""
        require(len(plates) == min(3 - len(self.open), len(self.stack)), "DU10", "three plates lie open")
        for plate in plates:
            self._give_face(self.stack[0], plate)
            self.stack.pop(0)
            self.open.append(plate)
        self.note("DU12" if self.phase == "first" else "DU40" if self.round else "DU10")
        if self.phase == "first" and all(board.plates() for board in self.boards):
            self.phase = "act"

    def _give_face(self, back: Back, plate: str) -> None:
        """DU03: an unseen plate becomes any unseen one of its kind; one that was looked at is known."""
        if len(back.face) == 1:
            seen = {*self.open, *(other.face for other in (*self.stack, *self.hand))}
            seen |= {PRINTED[laid] for board in self.boards for laid in board.dome if laid}
            require(plate in PLATES and plate not in seen, "DU03", f"{plate} is not an unseen plate")
            require(kind_of(plate) == back.face, "DU03", f"{plate} has another back")
        else:
            require(plate == back.face, "DU60", f"{back.face} lies here, not {plate}")
        back.face = plate

    def _turn_over(self, plates: Sequence[str]) -> None:
        """DU20: give the drawn plates their faces; their owner looks at them."""
        require(len(plates) == len(self.hand), "DU20", f"{len(self.hand)} plates were drawn")
        for back, plate in zip(self.hand, plates, strict=True):
            self._give_face(back, plate)
        self._look()

    def _reveal(self, chips: str) -> None:
        """DU26: turn over the chips of the empty factories."""
        empty = self._unrevealed()
        require(len(chips) == len(empty), "DU26", f"{len(empty)} chips are revealed")
        require(Counter(chips) <= self.chips, "DU04", f"{chips!r} are not all unrevealed")
        for factory, chip in zip(empty, chips, strict=True):
            factory.chip = chip
            self.note("DU26", "a chip is revealed")
        self.chips -= Counter(chips)

    # Filling the factories

    def _fill(self, heaps: Sequence[str]) -> None:
        """DU10, DU11, DU40: fill the large factory, then the small ones, and lay a chip on each of those."""
        require(len(heaps) == 5, "DU10", "there are five factories")
        for number, text in enumerate(heaps):
            heap = Counter(text.strip("-"))
            self._pour(number, heap)
            self._move_tiles(number, heap)
            self.factories[number] = Factory(text.strip("-"), chip=FACE_DOWN if number else "")
            if number and not heap:
                self.note("DU26", "an empty factory's chip at once")
        self.round += 1
        self.note("DU10" if self.round == 1 else "DU40")
        self.current = 1 - self.start if self.round == 1 else self.start
        self.phase = "first" if self.round == 1 else "act"
        if self.round == LAST_ROUND:
            self.note("DU21", "no action A in round 5")

    def _pour(self, number: int, heap: Counter[str]) -> None:
        """DU11, DU40: pour the tower into the bag if the bag is too small, or has one colour for the large factory."""
        if not self.tower:
            return
        again = number == 0 and self._is_drawn_again()
        if self.bag.total() < FACTORY_TILES[number]:
            require(again or self.bag <= heap, "DU40", "the last tiles of the bag are drawn before the tower is poured")
            self.note("DU40", f"the tower {'in the middle of a factory' if self.bag else 'between two factories'}")
        elif again:
            self.note("DU11", "the tower is poured first")
        else:
            return
        self.bag, self.tower = self.bag + self.tower, Counter()

    def _is_drawn_again(self) -> bool:
        """DU11: return whether five tiles of the only colour in the bag may come, and go back."""
        return len(self.bag) == 1 and all(self.bag[colour] + self.tower[colour] >= 5 for colour in self.bag)

    def _move_tiles(self, number: int, heap: Counter[str]) -> None:
        """DU10, DU11, DU40: move a heap from the bag to a factory; the large one shows two colours if it can."""
        size = FACTORY_TILES[number]
        require(heap <= self.bag, "DU10", "these tiles are not in the bag")
        require(heap.total() == min(size, self.bag.total()), "DU10", f"factory {number} gets {size} tiles")
        if number == 0 and len(heap) == 1:
            require(len(self.bag) == 1, "DU11", "the large factory shows two colours if the tiles allow it")
            self.note("DU11", "one colour stays")
        if heap.total() < size:
            self.note("DU40", "fewer tiles" if heap else "an empty factory")
        self.bag -= heap

    # Legal moves

    def legal(self, seat: int) -> set[str]:
        """Return every move of a seat."""
        if seat not in self.turn()[1]:
            return set()
        board = self.boards[seat]
        if self.phase == "act":
            return set(self._actions(seat))
        if self.phase == "first":
            return set(self._placements(board, self.open))
        if self.phase == "keep":
            return set(self._placements(board, [back.face for back in self.hand]))
        if self.phase == "draw":
            return {"d+", "d="}
        if self.phase == "return":
            return {f"u{back.face}" for back in self.hand}
        if self.phase == "stack":
            return {"s" + "".join(order) for order in permutations(self.factories[self.stacking].sun)}
        return self._tilings(board)

    @staticmethod
    def _placements(board: Board, plates: Sequence[str]) -> Iterator[str]:
        """DU12, DU20: yield each plate on each empty slot in each orientation."""
        for slot in range(9):
            if not board.dome[slot]:
                yield from (f"{slot + 1}{way}" for plate in plates for way in turns(plate))

    def _actions(self, seat: int) -> Iterator[str]:
        """DU20 to DU27: yield the four actions of phase 1."""
        board = self.boards[seat]
        other = [*self._takes(board), *self._chip_takes(seat)]
        if self._tokens(seat):
            other += self._placements(board, self.open)
            if not self.stack:
                self.note("DU22", "the stack is empty")
            elif board.score or self.free_draws == "always" or not other:
                yield "d+"
            else:
                self.note("DU22", "not by choice")
        yield from other

    def _takes(self, board: Board) -> Iterator[str]:
        """DU23, DU24, DU27: yield each colour of a sun, or on top of the moons, with each line that accepts it."""
        large, *small = self.factories
        tops = large.moon + "".join(factory.moon[-1:] for factory in small)
        sources = {str(number): factory.sun for number, factory in enumerate(self.factories)} | {"m": tops}
        for colour in COLOURS:
            offering = [source for source, tiles in sources.items() if colour in tiles]
            lines = [*self._open_lines(board, colour), "-"] if offering else []
            yield from (f"{source}{colour}{line}" for source in offering for line in lines)

    def _open_lines(self, board: Board, colour: str) -> Iterator[str]:
        """DU27: yield the lines with room that are empty or hold the colour."""
        for row, line in enumerate(board.lines):
            if len(line) == row + 1:
                self.note("DU27", "full line")
            elif line and line[0] != colour:
                self.note("DU27", "another colour")
            else:
                yield str(row + 1)

    def _chip_takes(self, seat: int) -> Iterator[str]:
        """DU26: yield the revealed chips, if the player has some left to take."""
        shown = [number for number, factory in enumerate(self.factories) if factory.chip not in ("", FACE_DOWN)]
        if self._chips_due(seat):
            yield from (f"c{number}" for number in shown)
        elif shown:
            self.note("DU26", "never a third chip")

    def _tilings(self, board: Board) -> set[str]:
        """DU30, DU31: return the spaces for the tile of the line, or the payments for it and leaving it."""
        row = board.row
        if board.missing(row):
            return {f"p{row + 1}{chips}" for chips in board.payments(row)} | {f"p{row + 1}-"}
        return {f"t{row + 1}{column + 1}" for column in board.free_columns(row, board.lines[row][0])}

    # Moves

    def move(self, seat: int, text: str) -> None:
        """Make a legal move, and what follows from it without a choice."""
        if self.phase == "tile":
            self._choose(self.boards[seat], text)
            self._tile(seat)
        elif text == "d+":
            self._draw()
        elif text == "d=":
            self._stop()
        elif text[0] == "u":
            self._put_back(text[1:])
        elif text[0] == "s":
            self._stack_rest(text[1:])
        elif text[0] == "c":
            self._take_chip(int(text[1]))
        elif len(text) == 5:
            self._place_plate(text[1:], int(text[0]) - 1)
        else:
            self._take(text[0], text[1], text[2])
        self._go_on()

    def _end_turn(self) -> None:
        self.phase, self.current = "act", 1 - self.current

    # Action A: a dome plate

    def _place_plate(self, way: str, slot: int) -> None:
        """DU03, DU12, DU20: lay an open or drawn plate on an empty slot."""
        self.note("DU03")
        self.boards[self.current].dome[slot] = way
        if self.phase == "keep":
            self.note("DU20", "a drawn plate")
            self.hand = [back for back in self.hand if back.face != PRINTED[way]]
            self.phase = "return"
            self._return_rest()
            return
        self.open.remove(PRINTED[way])
        if self.phase == "first":
            self.note("DU12", "the start player" if self.current == self.start else "the other player")
            self.current = self.start
        else:
            self.note("DU20", "an open plate")
            self._note_token()
            self._end_turn()

    def _note_token(self) -> None:
        self.note("DU21", "" if self._tokens(self.current) else "both tokens are placed")

    def _draw(self) -> None:
        """DU20, DU22: pay a point, if there is one, for the top plate; without a further draw the player looks."""
        board = self.boards[self.current]
        self.note("DU20")
        if self.phase == "act":
            self.phase = "draw"
            self._note_token()
        if not board.score:
            self.note("DU22", "free")
        board.score = max(0, board.score - 1)
        self.hand.append(self.stack.pop(0))
        if not self.stack or (self.free_draws == "forced" and not board.score):
            self._stop()

    def _stop(self) -> None:
        """DU20: stop drawing; a player who knows all drawn plates looks at them at once."""
        self.phase = "keep"
        if not self._due():
            self.note("DU60", "known plates")
            self._look()

    def _look(self) -> None:
        """DU60: the owner knows the plates now; the other seat knows one only if no other in the hand has its kind."""
        kinds = Counter(kind_of(back.face) for back in self.hand)
        other = 1 - self.current
        for back in self.hand:
            if other in back.known and kinds[kind_of(back.face)] > 1:
                self.note("DU60", "track is lost")
                back.known.discard(other)
            back.known.add(self.current)
        self.hand.sort(key=lambda back: (kind_of(back.face) != SPECIAL, back.face))

    def _put_back(self, plate: str) -> None:
        """DU20: put a plate that is not kept under the stack."""
        self.note("DU20", "the rest in a chosen order")
        (back,) = (back for back in self.hand if back.face == plate)
        self.hand.remove(back)
        self.stack.append(back)
        self._return_rest()

    def _return_rest(self) -> None:
        """DU20: the last plate goes under the stack without a choice, and the turn ends."""
        if len(self.hand) < 2:
            self.stack += self.hand
            self.hand = []
            self._end_turn()

    # Actions B and C: tiles

    def _take(self, source: str, colour: str, line: str) -> None:
        """DU23, DU24, DU27: take tiles, and put them in one line or in the broken space."""
        board = self.boards[self.current]
        number = self._from_moons(colour) if source == "m" else self._from_sun(int(source), colour)
        if line != "-":
            number = self._lay(board, int(line) - 1, colour, number)
        self._break(board, colour * number)
        if self.stacking:
            self.phase = "stack"
        else:
            self._end_turn()

    def _from_sun(self, number: int, colour: str) -> int:
        """DU23, DU25: take the tiles of a sun; the rest goes to the moon."""
        factory = self.factories[number]
        taken, rest = factory.sun.count(colour), factory.sun.replace(colour, "")
        if number and len(set(rest)) > 1:
            factory.sun, self.stacking = rest, number
            return taken
        factory.sun, factory.moon = "", rest
        if not rest:
            self.note("DU23", "nothing is left")
        else:
            self.note("DU23", "stacked without a choice" if number else "the rest of the large factory")
        if not number and not rest:
            self.note(
                "DU25", "a sun of one colour", "a sun of one colour in round 5" if self.round == LAST_ROUND else ""
            )
            self.holder = self.current
        return taken

    def _from_moons(self, colour: str) -> int:
        """DU24, DU25: take the top tile of each small stack that shows the colour, and all of the large moon."""
        large, *small = self.factories
        taken = large.moon.count(colour)
        if taken and self.holder is None:
            self.note("DU25", "with the first tile of the large moon")
            self.holder = self.current
        elif taken:
            self.note("DU25", "a later tile of the large moon")
        large.moon = large.moon.replace(colour, "")
        showing = [factory for factory in small if factory.moon[-1:] == colour]
        for factory in showing:
            factory.moon = factory.moon[:-1]
        if any(factory.moon[-1:] == colour for factory in showing):
            self.note("DU24", "one tile of a stack")
        self.note("DU24", "several moons" if len(showing) + bool(taken) > 1 else "")
        return taken + len(showing)

    def _stack_rest(self, tiles: str) -> None:
        """DU23: stack the rest of a small factory on its chip."""
        self.note("DU23", "stacked in a chosen order")
        self.factories[self.stacking].sun, self.factories[self.stacking].moon = "", tiles
        self.stacking = 0
        self._end_turn()

    def _lay(self, board: Board, row: int, colour: str, number: int) -> int:
        """DU27: fill a line, whether or not its dome row has a space for the colour; return the surplus."""
        if not board.free_columns(row, colour):
            self.note("DU27", "a colour without a space")
        laid = min(number, board.missing(row))
        board.lines[row] += colour * laid
        self.note("DU27", "surplus" if number > laid else "")
        return number - laid

    def _break(self, board: Board, tiles: str) -> int:
        """DU28: put tiles in the broken space; return how many go to the tower, free of charge."""
        spilt = 0
        for tile in tiles:
            if len(board.broken) < 4:
                self.note("DU28")
                board.broken += tile
            else:
                self.note("DU28", "to the tower")
                self.tower[tile] += 1
                spilt += 1
        return spilt

    # Action D: a chip

    def _take_chip(self, number: int) -> None:
        """DU26: take a revealed chip."""
        self.note("DU26")
        self.boards[self.current].chips[self.factories[number].chip] += 1
        self.factories[number].chip = ""
        self._end_turn()

    # What follows without a choice

    def _go_on(self) -> None:
        """DU29: a player who can do nothing passes; when neither can act, both tile."""
        if self.phase == "act" and not self._due() and not self._can_act(self.current):
            if self._can_act(1 - self.current):
                self.note("DU29", "passes")
                self.current = 1 - self.current
            else:
                self._end_acquiring()
        if self.phase == "tile" and all(board.row == 6 for board in self.boards):
            self._finish_round()

    def _can_act(self, seat: int) -> bool:
        """DU29: return whether the player has an action: tiles for all, then chips and plates still to take."""
        if not all(factory.is_empty() for factory in self.factories):
            return True
        chips = any(factory.chip not in ("", FACE_DOWN) for factory in self.factories)
        plates = self.open or self.stack
        return bool((chips and self._chips_due(seat)) or (plates and self._tokens(seat)))

    def _end_acquiring(self) -> None:
        """DU29, DU30: no tile, chip or token is left; both players tile what needs no choice."""
        require(not any(map(self._tokens, (0, 1))), "DU21", "each player uses both tokens")
        require(not any(map(self._chips_due, (0, 1))), "DU26", "each player takes two chips")
        self.note("DU29", "the end of the phase")
        self.phase, self.current = "tile", 0
        for seat in (0, 1):
            self._tile(seat)

    # Phase 2

    def _tile(self, seat: int) -> None:
        """DU30 to DU32: work through the lines from top to bottom up to the first choice; then pay for what broke."""
        board = self.boards[seat]
        while board.row < 6:
            if not self._tile_line(board):
                return
        self._pay_broken(board, seat)

    def _tile_line(self, board: Board) -> bool:
        """Deal with the line whose turn it is; return False if its player has to choose."""
        row, line = board.row, board.lines[board.row]
        columns = board.free_columns(row, line[0]) if line else []
        if not line:
            board.row += 1
        elif not columns or (board.missing(row) and not board.payments(row)):
            self._leave(board)
        elif board.missing(row):
            return False
        else:
            self.note("DU30", "a choice" if len(columns) > 1 else "one space")
            if len(columns) > 1:
                return False
            self._place(board, columns[0])
        return True

    def _choose(self, board: Board, text: str) -> None:
        """DU30, DU31: place a tile, complete a line with chips, or leave it."""
        if text[0] == "t":
            self._place(board, int(text[2]) - 1)
        elif text[2:] == "-":
            self.note("DU31", "not by choice")
            self._leave(board)
        else:
            self._pay(board, text[2:])

    def _pay(self, board: Board, chips: str) -> None:
        """DU31: complete the line with chips, which never enter the tower."""
        missing, colour = board.missing(board.row), board.lines[board.row][0]
        pairs = 3 * missing - len(chips)
        self.note("DU31", "pairs" if pairs == missing else "mixed" if pairs else "any three")
        if pairs and any(len(CHIPS[chip]) == 2 and colour in CHIPS[chip] for chip in chips):
            self.note("DU04", "a chip of two colours")
        board.chips -= Counter(chips)
        board.spent += Counter(chips)
        board.lines[board.row] += PAID * missing

    def _place(self, board: Board, column: int) -> None:
        """DU30, DU33, DU34: move a tile to the dome; the rest of its line goes to the tower, chips do not."""
        row, line = board.row, board.lines[board.row]
        if board.space(row, column) == "?":
            self.note("DU30", "a joker space")
        self.tower += Counter(line[1:].replace(PAID, ""))
        board.lines[row] = ""
        board.row += 1
        board.place(row, column, line[0])
        board.place_special(row, column)

    def _leave(self, board: Board) -> None:
        """DU32: leave the line, unless its three slots have plates and none has a space for its colour."""
        row, line = board.row, board.lines[board.row]
        board.row += 1
        if board.free_columns(row, line[0]):
            self.note("DU32", "stays with a space")
        elif "" in board.dome[row // 2 * 3 : row // 2 * 3 + 3]:
            self.note("DU32", "stays beside an empty slot")
        else:
            self._break_line(board, row)
        missing = row + 1 - len(line)
        if missing and not board.free_columns(row, line[0]):
            chips = board.table()["chips"]
            if possible_payments(chips, line[0], missing):
                self.note("DU31", "not without a space")

    def _break_line(self, board: Board, row: int) -> None:
        line, board.lines[row] = board.lines[row], ""
        self.note(
            "DU32",
            "breaks complete" if len(line) == row + 1 else "breaks incomplete",
            "breaks with several tiles" if len(line) > 1 else "",
            "some tiles to the tower" if self._break(board, line) else "",
        )

    def _pay_broken(self, board: Board, seat: int) -> None:
        """DU35: pay for broken tiles and the start tile, never below 0; the broken tiles go to the tower."""
        start_tile = 2 if self.holder == seat else 0
        cost = BROKEN_COSTS[len(board.broken)] + start_tile
        if cost:
            self.note(
                "DU35",
                ("", "one broken tile", "two broken tiles", "three broken tiles", "four broken tiles")[
                    len(board.broken)
                ],
                "the start tile" if start_tile else "",
                "never below 0" if cost > board.score else "",
            )
        board.score = max(0, board.score - cost)
        self.tower += Counter(board.broken)
        board.broken = ""

    # Phase 3, and the end

    def _finish_round(self) -> None:
        """DU41: the holder of the start tile starts the next round; after round 5 the faces are scored."""
        for board in self.boards:
            board.row = 0
        if self.round == LAST_ROUND:
            self._finish_game()
            return
        self.note("DU41", "no holder" if self.holder is None else "the holder starts")
        self.start = self._favoured()
        self.holder = None
        self.phase = "prepare"

    def _favoured(self) -> int:
        """DU41, DU58: return the holder of the start tile; if there is none, the start player."""
        return self.start if self.holder is None else self.holder

    def _finish_game(self) -> None:
        """DU50 to DU57: add the points of all faces; then a total below 0 becomes 0."""
        for board in self.boards:
            board.score += sum(board.face_points(face, self.special_counts_as_colour) for face in self.faces)
            if board.score < 0:
                self.note("DU57", "never below 0")
            board.score = max(0, board.score)
        self.phase = "over"
        if self.boards[0].score != self.boards[1].score:
            self.note("DU58", "points")
        else:
            self.note("DU58", f"tie {'without' if self.holder is None else 'with'} a holder")

    def result(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """DU58: return scores and places: most points, and on a tie the holder of the start tile."""
        first, second = (board.score for board in self.boards)
        if first == second:
            return (first, second), ((1, 2) if self._favoured() == 0 else (2, 1))
        return (first, second), ((1, 2) if first > second else (2, 1))
