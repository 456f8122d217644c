"""Positions of Azul Duel that one could lay out on a table, written short, and what to do with them."""

from collections.abc import Sequence
from copy import deepcopy
from functools import partial
from random import Random
from typing import Literal

from tessella.games import duel
from tessella.games.duel.pieces import ALL_CHIPS, PLATES, PRINTED, without
from tests.games import playing

play = partial(playing.play, duel)
refusal = partial(playing.refusal, duel)
moves = partial(playing.moves, duel)
random_acts = partial(playing.random_acts, duel)

READINGS: list[tuple[bool, Literal["forced", "always"]]] = [(True, "forced"), (False, "always")]
"""Of DU51 and DU22."""

CONFIGS = [
    duel.Config(faces=faces, special_counts_as_colour=special, free_draws=free)
    for special, free in READINGS
    for faces in (
        ("rows", "columns", "diagonals"),
        ("colour_rows", "outer", "corners", "jokers"),
        ("rows", "outer", "diagonals", "empty_specials"),
        ("colour_rows", "columns", "corners"),
    )
]
EMPTY_ROWS = "....../....../....../....../....../......"
NOTHING = "0.0.0.0.0"


class Board:
    """A board in short: plates are a slot and the spaces as they lie, as in `1ykt* 5?btk`."""

    def __init__(
        self,
        lines: str = "-/-/-/-/-/-",
        plates: str = "",
        tiles: str = EMPTY_ROWS,
        broken: str = "",
        chips: str = "",
        spent: str = "",
        score: int = 5,
        row: int = 0,
    ) -> None:
        self.lines, self.tiles, self.broken, self.score, self.row = lines, tiles, broken, score, row
        self.chips, self.spent = chips, spent
        self.plates = {int(word[0]): word[1:] for word in plates.split()}

    def __str__(self) -> str:
        slots = ",".join(self.plates.get(slot, "-") for slot in range(1, 10))
        heaps = ":".join(heap or "-" for heap in (self.broken, self.chips, self.spent))
        return f"{self.score}:{self.lines}:{slots}:{self.tiles}:{heaps}:{self.row}"


def table(
    *boards: Board,
    stage: str = "1act",
    order: str = "0>0",
    holder: str = "-",
    factories: str = "bbykt bbyk bbyk bbyk bbyk",
    open: str = "",
    stack: str = "~",
    hand: str = "-",
    chips: str = "~",
    bag: str = "~",
    tower: str = NOTHING,
    faces: str = "rows,columns,diagonals:special:forced",
    tokens: tuple[int, int] = (2, 2),
    due: tuple[int, int] = (2, 2),
) -> duel.State:
    """A position; what is not mentioned is empty, or its rest.

    Plates from the end of the list go to the last free slots until each player has the tokens left that are asked
    for, and spent chips are added until each has that many chips to take. Bag or tower `~`: all other tiles.
    """
    laid = [deepcopy(board) for board in (*boards, Board(), Board())[:2]]
    number = int(stage[0])
    if number and "first" not in stage:
        for board, left, missing in zip(laid, tokens, due, strict=True):
            _add_plates(board, laid, f"{open} {stack} {hand}", 1 + 2 * min(number, 4) - (left if number < 5 else 0))
            _add_chips(board, laid, factories, 2 * number - missing)
    filled = ",".join(_factory(place, word) for place, word in enumerate(factories.split()))
    known = [faces, stage, order, f"m{holder}", filled, open.replace(" ", ",") or "-", stack, hand, chips]
    if tower == "~":
        others = duel.read_state(" ".join([*known, "~", NOTHING, *map(str, laid)]))
        tower = ".".join(str(all - int(some)) for all, some in zip(others.bag, bag.split("."), strict=True))
    return duel.read_state(" ".join([*known, bag, tower, *map(str, laid)]))


def _add_plates(board: Board, boards: Sequence[Board], elsewhere: str, number: int) -> None:
    used = {PRINTED[plate] for each in boards for plate in each.plates.values()}
    free = [plate for plate in PLATES if plate not in used and plate not in elsewhere]
    slots = [slot for slot in range(9, 0, -1) if slot not in board.plates]
    for slot, plate in list(zip(slots, reversed(free), strict=False))[: max(0, number - len(board.plates))]:
        board.plates[slot] = plate


def _add_chips(board: Board, boards: Sequence[Board], factories: str, number: int) -> None:
    shown = [word.split("/")[2] for word in factories.split() if word.count("/") == 2]
    used = "".join([*shown, *(each.chips + each.spent for each in boards)])
    free = without(ALL_CHIPS, used)
    board.spent += free[: max(0, number - len(board.chips + board.spent))]


def _factory(place: int, word: str) -> str:
    """`bbyk` is a sun, `-/yk` a moon, each on a small factory above an unrevealed chip; `-` is an empty factory."""
    parts = word.split("/")
    if place == 0:
        return "/".join((*parts, "-")[:2])
    return "/".join((*parts, "-", "-")[:3]) if word == "-" or len(parts) == 3 else "/".join((*parts, "-")[:2]) + "/#"


EMPTY_FACTORIES = "- - - - -"
LAST_CHIP = "- - - - -/-/b"


def end_of_phase_1(mover: Board, other: Board | None = None, **words: str) -> duel.State:
    """Seat 0 takes the last chip, a blue one, by `c4`; all tokens are placed. Chips that are not given are spent."""
    return table(mover, other or Board(), tokens=(0, 0), due=(1, 0), factories=LAST_CHIP, **words)


class Always(Random):
    """Dice that always fall the same way: on the first."""

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        return 0


CROWDED = (
    Board("b/yy/rrr/kkkk/bbbbb/yyyyyy", "1ybk* 2?btk", "ybkb../k*.k../....../....../....../......"),
    Board("y/yy/bbb/rrrr/kkkkk/rrrrrr", "1yr?b 2r?bk", "y...../.bbk../....../....../....../......"),
)
"""Boards on which all tiles lie but the 13 turquoise ones."""


def between_rounds(*boards: Board, round: int = 1, open: str = "trb? kyr? k*tr", **words: str) -> duel.State:
    """The factories are to be filled for the next round."""
    stage = f"{round}prepare"
    return table(*boards, stage=stage, open=open, factories=EMPTY_FACTORIES, tokens=(0, 0), due=(0, 0), **words)
