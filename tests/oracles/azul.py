"""Azul from its numbered rules: an engine that shares nothing with `tessella.games.azul`."""

from collections import Counter
from collections.abc import Iterable

from tests.oracles.oracle import CHANCE, EMPTY, OVER, Oracle, Table, Turn, heap_of, places_of, require, run

COLOURS = "byrkw"
FLOOR_COSTS = (1, 1, 2, 2, 2, 3, 3)
COLOURED_WALL = ("byrkw", "wbyrk", "kwbyr", "rkwby", "yrkwb")
"""AZ21: the printed wall, row by row."""

LAST_ROUND = 50
MARKER = "m"


class Board:
    """The board of one player; rows count from the top."""

    def __init__(
        self, score: int = 0, lines: Iterable[str] = ("",) * 5, wall: Iterable[str] = (EMPTY * 5,) * 5, floor: str = ""
    ) -> None:
        self.score = score
        self.lines = list(lines)
        self.wall = [list(row) for row in wall]
        self.floor = floor
        """From the left. The marker may lie behind the seventh space, where it costs nothing (AZ12)."""

    def table(self) -> Table:
        """Return the board as plain data."""
        return {
            "score": self.score,
            "lines": tuple(self.lines),
            "wall": tuple(map("".join, self.wall)),
            "floor": self.floor,
        }

    def complete_line(self) -> int | None:
        """AZ20: return the topmost complete line."""
        return next((row for row in range(5) if len(self.lines[row]) == row + 1), None)

    def closed_by(self, row: int, colour: str) -> str:
        """AZ14, AZ15: return why a line does not accept a colour; nothing if it does."""
        line = self.lines[row]
        if len(line) == row + 1:
            return "AZ14 full line"
        if line and line[0] != colour:
            return "AZ14 another colour"
        return "AZ15 colour on the wall" if colour in self.wall[row] else ""

    def complete_rows(self) -> int:
        """Return the number of rows of five tiles."""
        return sum(EMPTY not in row for row in self.wall)

    def complete_columns(self) -> int:
        """Return the number of columns of five tiles."""
        return sum(all(row[column] != EMPTY for row in self.wall) for column in range(5))

    def complete_colours(self) -> int:
        """Return the number of colours with five tiles on the wall."""
        return sum(sum(row.count(colour) for row in self.wall) == 5 for colour in COLOURS)


class Azul(Oracle):
    """A table of Azul."""

    CLAUSES = (
        "AZ10 from a factory",
        "AZ10 from the centre",
        "AZ12 the marker lies alone in the centre",
        "AZ12 free beyond a full floor",
        "AZ13 surplus",
        "AZ14 full line",
        "AZ14 another colour",
        "AZ15 on the coloured wall",
        "AZ15 on the grey wall",
        "AZ17 straight to the lid",
        "AZ20 an incomplete line stays",
        "AZ22 alone",
        "AZ22 one run",
        "AZ22 two runs",
        "AZ22 ten points",
        "AZ23 forgiven",
        "AZ24 the marker's holder starts",
        "AZ31 a choice",
        "AZ31 one column",
        "AZ31 several players at once",
        "AZ31 binds a later line",
        "AZ32 some tiles to the lid",
        "AZ40 the lid in the middle of a factory",
        "AZ40 the lid between two factories",
        "AZ41 fewer tiles",
        "AZ41 an empty factory",
        "AZ51 row",
        "AZ51 column",
        "AZ51 colour",
        "AZ52 points",
        "AZ52 rows",
        "AZ52 shared",
    )

    def __init__(self, seats: int, wall: str) -> None:
        """AZ01, AZ02: set up empty boards and factories; all tiles are in the bag."""
        super().__init__()
        self.seats = seats
        self.wall = wall
        self.bag = Counter(dict.fromkeys(COLOURS, 20))
        self.lid: Counter[str] = Counter()
        self.factories = [""] * {2: 5, 3: 7, 4: 9}[seats]
        self.centre = ""
        self.boards = [Board() for _ in range(seats)]
        self.round = self.start = self.current = 0
        self.is_over = False
        self.note("AZ01")
        self.note("AZ02")

    @classmethod
    def set_up(cls, table: Table) -> "Azul":
        """Return a table with everything where `table` has it."""
        new = cls(table["seats"], table["wall"])
        new.exercised.clear()
        new.round, new.start, new.current = table["round"], table["start"], table["current"]
        new.bag, new.lid = Counter(table["bag"]), Counter(table["lid"])
        new.factories, new.centre = list(table["factories"]), table["centre"]
        new.boards = [Board(**board) for board in table["boards"]]
        return new

    def table(self) -> Table:
        """Return everything that lies on the table."""
        return {
            "seats": self.seats,
            "wall": self.wall,
            "round": self.round,
            "start": self.start,
            "current": self.current,
            "bag": heap_of(self.bag, COLOURS),
            "lid": heap_of(self.lid, COLOURS),
            "factories": tuple(self.factories),
            "centre": self.centre,
            "boards": tuple(board.table() for board in self.boards),
        }

    def turn(self) -> Turn:
        """AZ10, AZ31: return the drafting seat, or all seats that choose a column."""
        if self.is_over:
            return OVER
        if self._is_drafting():
            return "seats", (self.current,)
        choosing = tuple(seat for seat, board in enumerate(self.boards) if board.complete_line() is not None)
        return ("seats", choosing) if choosing else CHANCE

    def _is_drafting(self) -> bool:
        return any(self.factories) or self.centre.strip(MARKER) != ""

    # Filling the factories

    def deal(self, text: str) -> None:
        """AZ03, AZ04, AZ40: fill the factories; the first deal also names the start player."""
        start, colon, heaps = text.rpartition(":")
        require(bool(colon) == (self.round == 0), "AZ04", f"{text!r} names a start player too often or too late")
        if colon:
            self.note("AZ04")
            self.start = int(start)
        else:
            self.note("AZ40")
        filled = [heap.strip("-") for heap in heaps.split(" ")]
        require(len(filled) == len(self.factories), "AZ01", f"there are {len(self.factories)} factories")
        for heap in filled:
            self._fill(Counter(heap))
        self.factories, self.centre = filled, MARKER
        self.round += 1
        self.current = self.start

    def _fill(self, heap: Counter[str]) -> None:
        """AZ03, AZ40, AZ41: move four tiles from the bag to a factory; the lid refills an empty bag."""
        if self.bag.total() < 4 and self.lid:
            require(self.bag <= heap, "AZ40", "the last tiles of the bag are drawn before the lid is poured in")
            place = "in the middle of a factory" if self.bag else "between two factories"
            self.note("AZ40", f"the lid {place}")
            self.bag, self.lid = self.bag + self.lid, Counter()
        require(heap <= self.bag, "AZ03", "these tiles are not in the bag")
        require(heap.total() == min(4, self.bag.total()), "AZ03", "a factory gets four tiles while there are any")
        self.bag -= heap
        if heap.total() == 4:
            self.note("AZ03")
        else:
            self.note("AZ41", "fewer tiles" if heap else "an empty factory")

    # Drafting

    def legal(self, seat: int) -> set[str]:
        """Return the takes of the drafting seat, or the columns that a seat may choose from."""
        if seat not in self.turn()[1]:
            return set()
        board = self.boards[seat]
        if self._is_drafting():
            return self._takes(board)
        row = board.complete_line()
        assert row is not None
        return {f"t{row + 1}{column + 1}" for column in self._columns(board, row, board.lines[row][0])}

    def _takes(self, board: Board) -> set[str]:
        if self.centre == MARKER:
            self.note("AZ12", "the marker lies alone in the centre")
        sources = {str(number): heap for number, heap in enumerate(self.factories, 1)} | {"c": self.centre}
        offered = {colour for heap in sources.values() for colour in heap} - {MARKER}
        lines = {colour: "".join(self._open_lines(board, colour)) for colour in offered}
        return {
            f"{source}{colour}{line}"
            for source, heap in sources.items()
            for colour in set(heap) - {MARKER}
            for line in lines[colour] + "-"
        }

    def _open_lines(self, board: Board, colour: str) -> Iterable[str]:
        """AZ14, AZ15: yield the lines that accept a colour, and count the rules that close the others."""
        for row in range(5):
            closed = board.closed_by(row, colour)
            if not closed:
                yield str(row + 1)
            elif closed.startswith("AZ15"):
                self.note("AZ15", f"on the {self.wall} wall")
            else:
                self.note(*closed.split(" ", 1))

    def move(self, seat: int, text: str) -> None:
        """Make a legal move: a take, as in 3r4 or ck-, or a choice of a column, as in t24."""
        if self._is_drafting():
            source, colour, line = list(text)
            self._take(self.boards[seat], seat, source, colour, line)
        else:
            self._choose(seat, int(text[1]) - 1, int(text[2]) - 1)

    def _take(self, board: Board, seat: int, source: str, colour: str, line: str) -> None:
        """AZ10, AZ13, AZ16: take the tiles of a colour, and put them in one line or on the floor."""
        tiles = self._from_centre(board, colour) if source == "c" else self._from_factory(int(source) - 1, colour)
        if line != "-":
            tiles = self._lay(board, int(line) - 1, tiles)
        elif not all(board.closed_by(row, colour) for row in range(5)):
            self.note("AZ16")
        self._fall(board, tiles)
        self.current = (seat + 1) % self.seats
        if not self._is_drafting():
            self._end_drafting()

    def _from_factory(self, number: int, colour: str) -> str:
        """AZ10: take all tiles of the colour; the rest moves to the centre."""
        self.note("AZ10", "from a factory")
        heap = self.factories[number]
        self.factories[number] = ""
        centre = self.centre + heap.replace(colour, "")
        self.centre = MARKER * (MARKER in centre) + heap_of(Counter(centre), COLOURS)
        return colour * heap.count(colour)

    def _from_centre(self, board: Board, colour: str) -> str:
        """AZ10 to AZ12: take all tiles of the colour; the first player to do so takes the marker before them."""
        self.note("AZ10", "from the centre")
        number = self.centre.count(colour)
        if MARKER in self.centre:
            if len(board.floor) < 7:
                self.note("AZ11")
            else:
                self.note("AZ12", "free beyond a full floor")
            board.floor += MARKER
        self.centre = self.centre.replace(MARKER, "").replace(colour, "")
        return colour * number

    def _lay(self, board: Board, row: int, tiles: str) -> str:
        """AZ13: fill the line; return the surplus."""
        if self.wall == "grey" and not self._columns(board, row, tiles[0]):
            self.note("AZ33")
        room = row + 1 - len(board.lines[row])
        board.lines[row] += tiles[:room]
        self.note("AZ13", "surplus" if tiles[room:] else "")
        return tiles[room:]

    def _fall(self, board: Board, tiles: str) -> int:
        """AZ17: put tiles on the floor line from the left; return how many go to the lid instead."""
        spilt = 0
        for tile in tiles:
            if len(board.floor) < 7:
                self.note("AZ17")
                board.floor += tile
            else:
                self.note("AZ17", "straight to the lid")
                self.lid[tile] += 1
                spilt += 1
        return spilt

    # Tiling the wall

    def _end_drafting(self) -> None:
        """AZ18, AZ20, AZ43: all tiles are taken, so every player tiles; an untouched marker changes nothing."""
        self.note("AZ18")
        if MARKER in self.centre:
            self.note("AZ43")
        self.centre, self.current = "", 0
        for seat in range(self.seats):
            self._tile(seat)
        if len(self.turn()[1]) > 1:
            self.note("AZ31", "several players at once")
        self._finish_round()

    def _tile(self, seat: int) -> None:
        """AZ20, AZ31, AZ32: tile from top to bottom up to the first choice; then pay for the floor."""
        board = self.boards[seat]
        while (row := board.complete_line()) is not None:
            columns = self._columns(board, row, board.lines[row][0])
            if self.wall == "grey":
                self._note_columns(board, row, columns)
            if len(columns) > 1:
                return
            if columns:
                self._place(board, row, columns[0])
            else:
                self._drop(board, row)
        if any(board.lines):
            self.note("AZ20", "an incomplete line stays")
        self._pay_floor(seat)

    def _columns(self, board: Board, row: int, colour: str) -> list[int]:
        """AZ21, AZ30: return the columns for a tile of this colour."""
        if self.wall == "coloured":
            return [COLOURED_WALL[row].index(colour)]
        if colour in board.wall[row]:
            return []
        taken = {column for tiles in board.wall for column in range(5) if tiles[column] == colour}
        return [column for column in range(5) if board.wall[row][column] == EMPTY and column not in taken]

    def _note_columns(self, board: Board, row: int, columns: list[int]) -> None:
        if len(columns) < board.wall[row].count(EMPTY):
            self.note("AZ30")
        if columns:
            self.note("AZ31", "a choice" if len(columns) > 1 else "one column")

    def _choose(self, seat: int, row: int, column: int) -> None:
        """AZ31: place the tile in the chosen column, and tile on."""
        board = self.boards[seat]
        colour = board.lines[row][0]
        if any(len(board.lines[later]) == later + 1 and board.lines[later][0] == colour for later in range(row + 1, 5)):
            self.note("AZ31", "binds a later line")
        self._place(board, row, column)
        self._tile(seat)
        self._finish_round()

    def _place(self, board: Board, row: int, column: int) -> None:
        """AZ20, AZ21: move a tile to the wall and score it; the others of its line go to the lid."""
        colour = board.lines[row][0]
        self.note("AZ20")
        if self.wall == "coloured":
            self.note("AZ21")
        board.wall[row][column] = colour
        board.lines[row] = ""
        board.score += self._points(board, row, column)
        if row:
            self.lid[colour] += row

    def _points(self, board: Board, row: int, column: int) -> int:
        """AZ22: return 1 for a tile alone, else the lengths of its runs of more than one."""
        across = 1 + run(board.wall, row, column, 0, 1) + run(board.wall, row, column, 0, -1)
        down = 1 + run(board.wall, row, column, 1, 0) + run(board.wall, row, column, -1, 0)
        runs = [length for length in (across, down) if length > 1]
        ten = "ten points" if sum(runs) == 10 else ""
        self.note("AZ22", ("alone", "one run", "two runs")[len(runs)], ten)
        return sum(runs) or 1

    def _drop(self, board: Board, row: int) -> None:
        """AZ32: no column is possible, so the whole line falls to the floor."""
        tiles, board.lines[row] = board.lines[row], ""
        spilt = self._fall(board, tiles)
        self.note("AZ32", "some tiles to the lid" if spilt else "")

    def _pay_floor(self, seat: int) -> None:
        """AZ23, AZ24: lose the points of the floor, never below 0; its tiles go to the lid, the marker decides."""
        board = self.boards[seat]
        if not board.floor:
            return
        cost = sum(FLOOR_COSTS[: len(board.floor)])
        self.note("AZ23", "forgiven" if cost > board.score else "")
        board.score = max(0, board.score - cost)
        if MARKER in board.floor:
            self.start = seat
        self.note("AZ24", "the marker's holder starts" if MARKER in board.floor else "")
        self.lid += Counter(board.floor.replace(MARKER, ""))
        board.floor = ""

    # The next round, and the end

    def _finish_round(self) -> None:
        """AZ42, AZ44, AZ50: end the game if every player has tiled and one of the reasons holds."""
        if self.turn() != CHANCE:
            return
        reason = self._reason_to_end()
        if reason:
            self.note(reason)
            self.is_over = True
            for board in self.boards:
                self._score_bonuses(board)
            self._note_winner()

    def _reason_to_end(self) -> str:
        if any(board.complete_rows() for board in self.boards):
            return "AZ50"
        if not self.bag.total() + self.lid.total():
            return "AZ42"
        return "AZ44" if self.round == LAST_ROUND else ""

    def _score_bonuses(self, board: Board) -> None:
        """AZ51: add 2 for each complete row, 7 for each column, 10 for each colour."""
        bonuses = (
            ("row", 2, board.complete_rows()),
            ("column", 7, board.complete_columns()),
            ("colour", 10, board.complete_colours()),
        )
        for name, points, number in bonuses:
            if number:
                self.note("AZ51", name)
                board.score += points * number

    def _note_winner(self) -> None:
        scores, places = self.result()
        if places.count(1) > 1:
            self.note("AZ52", "shared")
        else:
            self.note("AZ52", "rows" if scores.count(max(scores)) > 1 else "points")

    def result(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """AZ52: return scores and places: most points, then most complete rows; further ties share a place."""
        ranks = [(board.score, board.complete_rows()) for board in self.boards]
        return tuple(score for score, _ in ranks), places_of(ranks)
