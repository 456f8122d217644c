"""Blockers! from its numbered rules: an engine that shares nothing with `tessella.games.blockers`."""

from collections import Counter
from functools import lru_cache

from tests.oracles.oracle import CHANCE, OVER, Oracle, Table, Turn, places_of, require

COLOURS = "byrgv"
LETTERS = "ABCDEFGHI"
NUMBERS = "123456789"
SYMBOLS = "shapdcmto"
"""BL01: sun, heart, star / spade, diamond, club / moon, triangle, circle, block by block."""

FACES = LETTERS + NUMBERS + SYMBOLS + "w"
CELLS = tuple(letter + number for letter in LETTERS for number in NUMBERS)
PLAYS = 24
"""BL16: how often a colour is played."""


def block_of(cell: str) -> str:
    """BL01: return the symbol of the block in which a cell lies."""
    return SYMBOLS[LETTERS.index(cell[0]) // 3 * 3 + NUMBERS.index(cell[1]) // 3]


def belongs(face: str, cell: str) -> bool:
    """BL10: return whether a face may go to a cell: a letter in its row, a number in its column, the wild anywhere."""
    return face == "w" or face in cell or face == block_of(cell)


HOMES = {face: tuple(cell for cell in CELLS if belongs(face, cell)) for face in FACES}


def neighbours(cell: str) -> list[str]:
    """BL12: return the cells edge to edge with a cell."""
    row, column = LETTERS.index(cell[0]), NUMBERS.index(cell[1])
    near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [LETTERS[r] + NUMBERS[c] for r, c in near if 0 <= r < 9 and 0 <= c < 9]


NEIGHBOURS = {cell: neighbours(cell) for cell in CELLS}


@lru_cache(maxsize=20_000)
def number_of_groups(cells: frozenset[str]) -> int:
    """BL12, BL21: return how many groups these cells form: each joins its neighbours in one set (union-find)."""
    parent = {cell: cell for cell in cells}

    def root(cell: str) -> str:
        while parent[cell] != cell:
            cell = parent[cell]
        return cell

    for cell in cells:
        for near in NEIGHBOURS[cell]:
            if near in parent:
                parent[root(near)] = root(cell)
    return sum(parent[cell] == cell for cell in cells)


class Blockers(Oracle):
    """A table of Blockers!."""

    CLAUSES = (
        "BL10 letter",
        "BL10 number",
        "BL10 symbol",
        "BL10 wild",
        "BL11 on an empty cell",
        "BL11 on a captured tile's cell",
        "BL12 would split",
        "BL12 stands alone",
        "BL12 at the edge of a group",
        "BL12 connected another way",
        "BL13 captures by choice",
        "BL13 must capture",
        "BL16 the supply is empty",
        "BL21 no capture",
        "BL21 two colours equally often",
        "BL22 fewer captures",
        "BL22 shared",
        "BL23 fewer captures",
        "BL23 shared",
        "BL31 an opponent's tile",
        "BL31 the own other colour",
        "BL31 the same colour",
        "BL32 the other colour goes on",
        "BL32 the end",
        "BL33 the own other colour",
        "BL33 fewer captures",
        "BL33 shared",
    )

    def __init__(self, seats: int, scoring: str) -> None:
        """BL02, BL03, BL30: set up an empty board; two players have two colours each."""
        super().__init__()
        self.seats = seats
        self.scoring = scoring
        self.colours = COLOURS[: 4 if seats == 2 else seats]
        self.supplies = {colour: set(FACES) for colour in self.colours}
        self.racks: dict[str, set[str]] = {colour: set() for colour in self.colours}
        self.aside = dict.fromkeys(self.colours, "")
        self.board: dict[str, str] = {}
        self.captured = [""] * seats
        self.start: int | None = None
        self.note("BL01")
        self.note("BL02")

    @classmethod
    def set_up(cls, table: Table) -> "Blockers":
        """Return a table with everything where `table` has it."""
        new = cls(table["seats"], table["scoring"])
        new.exercised.clear()
        new.start, new.board, new.captured = table["start"], dict(table["board"]), list(table["captured"])
        new.racks = {colour: set(faces) for colour, faces in table["racks"].items()}
        new.supplies = {colour: set(faces) for colour, faces in table["supplies"].items()}
        new.aside = dict(table["aside"])
        return new

    def table(self) -> Table:
        """Return everything that lies on the table."""
        return {
            "seats": self.seats,
            "scoring": self.scoring,
            "start": self.start,
            "board": dict(self.board),
            "racks": {colour: frozenset(faces) for colour, faces in self.racks.items()},
            "supplies": {colour: frozenset(faces) for colour, faces in self.supplies.items()},
            "aside": dict(self.aside),
            "captured": tuple(self.captured),
        }

    # Whose turn it is

    def _owner(self, colour: str) -> int:
        return COLOURS.index(colour) % self.seats

    def _played(self, colour: str) -> int:
        return len(FACES) - len(self.racks[colour]) - len(self.supplies[colour])

    def _drawing(self) -> str | None:
        """BL03, BL16: return the first colour whose rack must be filled to five."""
        short = (colour for colour in self.colours if len(self.racks[colour]) < 5 and self.supplies[colour])
        return next(short, None)

    def _is_finished(self, colour: str) -> bool:
        """BL16, BL32: return whether a colour was played 24 times."""
        return self._played(colour) == PLAYS

    def turn(self) -> Turn:
        """BL03, BL20, BL32: turns go clockwise from the start player until every colour is finished."""
        if self.start is None or self._drawing():
            return CHANCE
        if all(map(self._is_finished, self.colours)):
            return OVER
        return "seats", ((self.start + sum(map(self._played, self.colours))) % self.seats,)

    # Drawing

    def deal(self, text: str) -> None:
        """BL03, BL16: draw the start player, or what a rack lacks."""
        if text.startswith("start "):
            require(self.start is None, "BL03", "there is a start player already")
            self.note("BL03")
            self.start = int(text[6:])
            return
        colour, faces = text.split(":")
        require(self.start is not None and colour == self._drawing(), "BL16", f"{colour} has nothing to draw")
        require(len(set(faces)) == 5 - len(self.racks[colour]), "BL16", "a rack is filled to five tiles")
        require(set(faces) <= self.supplies[colour], "BL02", "these tiles are not in the supply")
        self.note("BL16" if self.racks[colour] else "BL03")
        self.racks[colour] |= set(faces)
        self.supplies[colour] -= set(faces)
        if self.seats > 2 and not any(self.supplies.values()):
            self.note("BL20")

    # A turn

    def legal(self, seat: int) -> set[str]:
        """BL10 to BL17: return all placements; if there are none, the tiles that may be put aside."""
        if self.turn() != ("seats", (seat,)):
            return set()
        racks = {colour: self.racks[colour] for colour in self._playable(seat)}
        placements = {
            f"{self._name(colour, face)}@{cell}{'x' if cell in self.board else ''}"
            for colour, rack in racks.items()
            for cell in self._cells(colour, rack)
            for face in rack
            if belongs(face, cell)
        }
        if not placements:
            self.note("BL17")
            return {f"{self._name(colour, face)}@-" for colour, rack in racks.items() for face in rack}
        if all(text.endswith("x") for text in placements):
            self.note("BL13", "must capture")
        return placements

    def _playable(self, seat: int) -> list[str]:
        """BL30, BL32: return the colours of a seat that are not finished."""
        own = [colour for colour in self.colours if self._owner(colour) == seat]
        playable = [colour for colour in own if not self._is_finished(colour)]
        if len(playable) < len(own):
            self.note("BL32", "the other colour goes on")
        return playable

    def _name(self, colour: str, face: str) -> str:
        return colour + face if self.seats == 2 else face

    def _cells(self, colour: str, rack: set[str]) -> list[str]:
        """BL11: return the cells where tiles of a rack belong that are empty or may be captured."""
        homes = {cell for face in rack for cell in HOMES[face]}
        return [cell for cell in homes if cell not in self.board or self._may_capture(colour, cell)]

    def _may_capture(self, colour: str, cell: str) -> bool:
        """BL12, BL15, BL31: never the same colour, and never a tile that holds its group together."""
        other = self.board[cell][0]
        if other == colour:
            self.note(*(("BL31", "the same colour") if self.seats == 2 else ("BL15", "")))
            return False
        cells = frozenset(place for place, tile in self.board.items() if tile[0] == other)
        connected = sum(near in cells for near in NEIGHBOURS[cell])
        if number_of_groups(cells - {cell}) > number_of_groups(cells):
            self.note("BL12", "would split")
            return False
        self.note("BL12", ("stands alone", "at the edge of a group", "connected another way")[min(connected, 2)])
        return True

    def move(self, seat: int, text: str) -> None:
        """BL10, BL14, BL17: place a tile, capturing the one that lies there, or put it aside."""
        tile, cell = text.split("@")
        colour, face = list(tile) if self.seats == 2 else (self.colours[seat], tile)
        if self.seats == 2:
            self.note("BL30")
        if cell == "-":
            self.aside[colour] += face
        else:
            self._place(seat, colour, face, cell)
        self.racks[colour].remove(face)
        if not self.supplies[colour]:
            self.note("BL16", "the supply is empty")
        if self.turn() == OVER:
            self._note_end()

    def _place(self, seat: int, colour: str, face: str, cell: str) -> None:
        """BL10, BL14: put the tile on its cell; a tile that lies there goes to the captor."""
        kinds = {"letter": LETTERS, "number": NUMBERS, "symbol": SYMBOLS, "wild": "w"}
        self.note("BL10", next(name for name, faces in kinds.items() if face in faces))
        if face in SYMBOLS:
            self.note("BL01")
        if cell.endswith("x"):
            cell = cell[:2]
            self._capture(seat, colour, cell)
        else:
            self.note("BL11", "on an empty cell")
        self.board[cell] = colour + face

    def _capture(self, seat: int, colour: str, cell: str) -> None:
        """BL14: lay the tile that lies on a cell open in front of its captor."""
        tile = self.board.pop(cell)
        self.captured[seat] += tile
        self.note("BL11", "on a captured tile's cell")
        self.note("BL14")
        if any(free not in self.board for face in self.racks[colour] for free in HOMES[face] if free != cell):
            self.note("BL13", "captures by choice")
        if self.seats == 2:
            self.note("BL31", "the own other colour" if self._owner(tile[0]) == seat else "an opponent's tile")

    # The end

    def _captures(self, seat: int) -> Counter[str]:
        return Counter(self.captured[seat][::2])

    def _groups(self, colour: str) -> int:
        return number_of_groups(frozenset(cell for cell, tile in self.board.items() if tile[0] == colour))

    def _score(self, seat: int) -> int:
        """BL21, BL23, BL33: return the groups and, unless Uptown is played, the colour captured most."""
        groups = sum(self._groups(colour) for colour in self.colours if self._owner(colour) == seat)
        return groups + (0 if self.scoring == "uptown" else max(self._captures(seat).values(), default=0))

    def result(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """BL21 to BL23, BL33: return scores and places: fewest points, then fewest captured tiles."""
        scores = tuple(map(self._score, range(self.seats)))
        totals = [self._captures(seat).total() for seat in range(self.seats)]
        return scores, places_of([(-score, -total) for score, total in zip(scores, totals, strict=True)])

    def _note_end(self) -> None:
        self.note(*(("BL32", "the end") if self.seats == 2 else ("BL20", "")))
        rule = "BL23" if self.scoring == "uptown" else "BL33" if self.seats == 2 else "BL21"
        for seat in range(self.seats):
            self._note_score(rule, seat)
        scores, places = self.result()
        if places.count(1) > 1:
            self.note("BL22" if rule == "BL21" else rule, "shared")
        elif scores.count(min(scores)) > 1:
            self.note("BL22" if rule == "BL21" else rule, "fewer captures")

    def _note_score(self, rule: str, seat: int) -> None:
        captures = self._captures(seat)
        most = sorted(captures, key=lambda colour: -captures[colour])[:2]
        own = [colour for colour in most[:1] if self._owner(colour) == seat]
        if rule == "BL33" and own:
            self.note(rule, "the own other colour")
        elif rule == "BL21" and len(most) == 2 and captures[most[0]] == captures[most[1]]:
            self.note(rule, "two colours equally often")
        else:
            self.note(rule, "no capture" if rule == "BL21" and not most else "")
