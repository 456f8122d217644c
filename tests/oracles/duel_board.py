"""The board of an Azul Duel player, from the numbered rules: lines, dome, chips, and the points they bring."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import combinations

from tests.oracles.oracle import EMPTY, Table, run

COLOURS = "byrkt"
SPECIAL = "*"
JOKER = "?"
PAID = "+"
"""A tile that chips stand for, in a line that they completed (DU31)."""

PRINT = "GKT* ?BTK TRB? KGR? K*TR TG?K *KRB GBK* TRB* GR?B G*KR TKR? BK*T RTG? TB?G *TGB R?BK *GBR"
"""DU03: the plates as the rules list them; yellow is a G there."""

PLATES = tuple(PRINT.lower().replace("g", "y").split(" "))
CHIPS = {"b": "b", "y": "y", "r": "r", "k": "k", "t": "t", "B": "br", "Y": "yk", "R": "rt", "K": "kb", "T": "ty"}
"""DU04: the colours of each chip."""

BROKEN_COSTS = (0, 1, 3, 6, 10)

Note = Callable[..., None]
"""Count a rule and the clauses of it that decided something."""


def turns(plate: str) -> list[str]:
    """DU03: return a plate in its four orientations, each a quarter turn to the right of the one before."""
    ways = [plate]
    for _ in range(3):
        upper_left, upper_right, lower_left, lower_right = list(ways[-1])
        ways.append(lower_left + upper_left + lower_right + upper_right)
    return ways


PRINTED = {way: plate for plate in PLATES for way in turns(plate)}


def kind_of(plate: str) -> str:
    """DU03: return what the back of a plate shows."""
    return SPECIAL if SPECIAL in plate else JOKER


# Payments


def pays(chips: Iterable[str], colour: str, missing: int) -> bool:
    """DU31: return whether the chips, all of them used, can be cut into pairs of the colour and sets of three."""
    all_chips = list(chips)
    matching = sum(colour in CHIPS[chip] for chip in all_chips)
    return any(
        2 * pairs + 3 * (missing - pairs) == len(all_chips) and matching >= 2 * pairs for pairs in range(missing + 1)
    )


@lru_cache(maxsize=4096)
def possible_payments(chips: str, colour: str, missing: int) -> frozenset[str]:
    """DU31: return every set of chips that pays for the missing tiles, wasteful or not."""
    sizes = range(2 * missing, min(3 * missing, len(chips)) + 1)
    sets = {"".join(some) for size in sizes for some in combinations(sorted(chips, key=order_of_chip), size)}
    return frozenset(some for some in sets if pays(some, colour, missing))


def is_wasteful(payment: str, colour: str, missing: int) -> bool:
    """Return whether a payment still pays without one of its chips."""
    return any(pays(payment[:at] + payment[at + 1 :], colour, missing) for at in range(len(payment)))


@lru_cache(maxsize=4096)
def payments(chips: str, colour: str, missing: int) -> frozenset[str]:
    """DU31: return every set of chips that pays exactly: it pays, and no chip of it is too many."""
    return frozenset(
        some for some in possible_payments(chips, colour, missing) if not is_wasteful(some, colour, missing)
    )


def order_of_chip(chip: str) -> int:
    """Return the place of a chip in the order in which chips are written."""
    return list(CHIPS).index(chip)


# The board


class Board:
    """Lines and rows count from the top, columns from the left, slots in reading order."""

    def __init__(
        self,
        note: Note,
        score: int = 5,
        lines: Iterable[str] = ("",) * 6,
        dome: Iterable[str] = ("",) * 9,
        tiles: Iterable[str] = (EMPTY * 6,) * 6,
        broken: str = "",
        chips: str = "",
        spent: str = "",
        row: int = 0,
    ) -> None:
        self.note = note
        self.score = score
        self.lines = list(lines)
        self.dome = list(dome)
        self.tiles = [list(row) for row in tiles]
        self.broken = broken
        self.chips = Counter(chips)
        self.spent = Counter(spent)
        self.row = row
        """In phase 2, the line whose turn it is; 6 after the last one."""

    def table(self) -> Table:
        """Return the board as plain data."""
        return {
            "score": self.score,
            "lines": tuple(self.lines),
            "dome": tuple(self.dome),
            "tiles": tuple(map("".join, self.tiles)),
            "broken": self.broken,
            "chips": "".join(sorted(self.chips.elements(), key=order_of_chip)),
            "spent": "".join(sorted(self.spent.elements(), key=order_of_chip)),
            "row": self.row,
        }

    def plates(self) -> int:
        """Return how many plates lie in the dome."""
        return sum(plate != "" for plate in self.dome)

    def space(self, row: int, column: int) -> str:
        """DU02: return what is printed on a space of the dome; nothing where no plate lies."""
        plate = self.dome[row // 2 * 3 + column // 2]
        return plate[row % 2 * 2 + column % 2] if plate else ""

    def free_columns(self, row: int, colour: str) -> list[int]:
        """DU30: return the columns of a row with a free space of the colour, or a free joker space."""
        return [
            column
            for column in range(6)
            if self.space(row, column) in (colour, JOKER) and self.tiles[row][column] == EMPTY
        ]

    def missing(self, row: int) -> int:
        """Return how many tiles a line lacks."""
        return row + 1 - len(self.lines[row])

    def payments(self, row: int) -> frozenset[str]:
        """DU31: return the sets of chips that complete a line."""
        return payments(self.table()["chips"], self.lines[row][0], self.missing(row))

    # Points for a tile

    def place(self, row: int, column: int, colour: str) -> None:
        """DU33: put a tile on the dome and score it."""
        self.tiles[row][column] = colour
        across = 1 + run(self.tiles, row, column, 0, 1) + run(self.tiles, row, column, 0, -1)
        down = 1 + run(self.tiles, row, column, 1, 0) + run(self.tiles, row, column, -1, 0)
        runs = [length for length in (across, down) if length > 1]
        beside = "beside a special tile" if SPECIAL in self._neighbours(row, column) else ""
        self.note("DU33", ("alone", "one run", "two runs")[len(runs)], beside)
        self.score += sum(runs) or 1

    def _neighbours(self, row: int, column: int) -> list[str]:
        near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return [self.tiles[r][c] for r, c in near if 0 <= r < 6 and 0 <= c < 6]

    def place_special(self, row: int, column: int) -> bool:
        """DU34: place the special tile of the plate under a space once its three other spaces are filled."""
        spaces = self._spaces_of(row // 2 * 3 + column // 2)
        special = [(r, c) for r, c in spaces if self.space(r, c) == SPECIAL]
        others = [self.tiles[r][c] for r, c in spaces if self.space(r, c) != SPECIAL]
        if not special or EMPTY in others:
            return False
        ((special_row, special_column),) = special
        self.tiles[special_row][special_column] = SPECIAL
        self.score += special_row + 1
        self.note("DU34")
        return True

    @staticmethod
    def _spaces_of(slot: int) -> list[tuple[int, int]]:
        top, left = slot // 3 * 2, slot % 3 * 2
        return [(top, left), (top, left + 1), (top + 1, left), (top + 1, left + 1)]

    # The faces of the scoring tiles

    def face_points(self, face: str, special_counts_as_colour: bool | str) -> int:
        """DU50 to DU57: return the points of a face."""
        if face == "colour_rows":
            return self._colour_rows(special_counts_as_colour)
        scoring: dict[str, Callable[[], int]] = {
            "rows": self._rows,
            "columns": self._columns,
            "outer": self._outer,
            "diagonals": self._diagonals,
            "corners": self._corners,
            "jokers": self._jokers,
            "empty_specials": self._empty_specials,
        }
        return scoring[face]()

    def _full(self, spaces: Sequence[tuple[int, int]]) -> bool:
        return all(self.tiles[row][column] != EMPTY for row, column in spaces)

    def _rows(self) -> int:
        """DU50: return 3 for each complete row."""
        return self._each("DU50", 3, sum(self._full([(row, column) for column in range(6)]) for row in range(6)))

    def _colour_rows(self, special_counts_as_colour: bool | str) -> int:
        """DU51: return 4 for each row of five colours or more, with special tiles as the players agreed."""
        rows = 0
        for row in self.tiles:
            colours, specials = len({tile for tile in row if tile in COLOURS}), row.count(SPECIAL)
            if special_counts_as_colour == "alone" and specials > 1:
                self.note("DU51", "two special tiles in a row")
                continue
            counted = 1 if specials and special_counts_as_colour else 0
            if colours < 5 <= colours + bool(specials):
                self.note("DU51", "by a special tile" if counted else "not by a special tile")
            rows += colours + counted >= 5
        return self._each("DU51", 4, rows)

    def _columns(self) -> int:
        """DU52: return 7 for each complete column."""
        return self._each("DU52", 7, sum(self._full([(row, column) for row in range(6)]) for column in range(6)))

    def _outer(self) -> int:
        """DU53: return 1 for each tile along the border."""
        border = [(row, column) for row in range(6) for column in range(6) if {row, column} & {0, 5}]
        return self._each("DU53", 1, sum(self.tiles[row][column] != EMPTY for row, column in border))

    def _diagonals(self) -> int:
        """DU54: return 10 for each complete diagonal."""
        falling = self._full([(place, place) for place in range(6)])
        rising = self._full([(place, 5 - place) for place in range(6)])
        return self._each("DU54", 10, falling, "falling") + self._each("DU54", 10, rising, "rising")

    def _corners(self) -> int:
        """DU55: return 3 for each full upper corner plate, and 8 for each full lower one."""
        corners = ((0, 3, "upper left"), (2, 3, "upper right"), (6, 8, "lower left"), (8, 8, "lower right"))
        return sum(
            self._each("DU55", points, self._full(self._spaces_of(slot)), name) for slot, points, name in corners
        )

    def _jokers(self) -> int:
        """DU56: return 2 for each joker space if all of them are filled."""
        jokers = [(row, column) for row in range(6) for column in range(6) if self.space(row, column) == JOKER]
        if not jokers:
            self.note("DU56", "no joker space")
        elif not self._full(jokers):
            self.note("DU56", "not all filled")
        return self._each("DU56", 2, len(jokers) if self._full(jokers) else 0, "all filled")

    def _empty_specials(self) -> int:
        """DU57: return −3 for each empty special space."""
        spaces = [(row, column) for row in range(6) for column in range(6) if self.space(row, column) == SPECIAL]
        return self._each("DU57", -3, sum(self.tiles[row][column] == EMPTY for row, column in spaces))

    def _each(self, rule: str, points: int, number: int, clause: str = "") -> int:
        if number:
            self.note(rule, clause)
        return points * number
