"""The state of an Azul Duel table, and the acts that change it.

What no player can know yet is not stored: a plate of the stack is only its kind until a player looks at it, and an
unrevealed chip has no face. How many tokens and chips a player may still use this round follows from what lies on
the board.
"""

from collections.abc import Mapping
from typing import ClassVar, Literal, TypeAlias

from msgspec import Struct

from tessella.core import game
from tessella.core.game import Public, Seat
from tessella.games.duel.pieces import (
    ALL_CHIPS,
    CHIP_COLOURS,
    CHIPS_PER_ROUND,
    COLOUR_NAMES,
    EMPTY,
    FACE_DOWN,
    FACE_TILES,
    JOKER,
    PLATE_ROUNDS,
    PLATES_PER_ROUND,
    SEATS,
    SIZE,
    SLOTS,
    SPECIAL,
    SPECIAL_TILES,
    START_SCORE,
    Chip,
    Chips,
    Colour,
    Counts,
    Face,
    Kind,
    Plate,
    Tiles,
    add,
    counts,
    kind_of,
)

Phase: TypeAlias = Literal["prepare", "first", "act", "stack", "draw", "keep", "return", "tile", "over"]
"""What happens next.

    prepare   plates are opened and factories filled (DU10, DU40)
    first     each player places a first plate (DU12)
    act       `current` takes one of the four actions (DU20, DU23, DU24, DU26)
    stack     … stacks the leftover of a small factory (DU23)
    draw      … has drawn plates and draws another or stops (DU20)
    keep      … looks at the drawn plates and keeps one
    return    … puts the other plates under the stack, one by one
    tile      both players tile their domes (DU30)
    over      the game has ended (DU58)
"""

CHIP_TILE = "+"
"""DU31: stands for a tile paid with chips, in the line they completed."""


class Config(game.Config, frozen=True):
    """The options of a game of Azul Duel: the scoring faces, and how DU51 and DU22 are interpreted."""

    seats: int = SEATS
    faces: tuple[Face, ...] = ("rows", "columns", "diagonals")
    special_counts_as_colour: bool | Literal["alone"] = True
    """DU51: special tiles count as one more colour of their row, or not; or one does, and a row with two scores 0."""
    free_draws: Literal["forced", "always"] = "forced"
    """DU22: a player without points draws only when there is nothing else to do, or whenever they like."""

    ADDED: ClassVar[Mapping[str, str]] = {"free_draws": "always"}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.seats != SEATS:
            raise ValueError("Azul Duel is for 2 players (DU01)")
        if self.faces != tuple(face for face in FACE_TILES if face in self.faces):
            raise ValueError(f"scoring faces are named once, in this order: {', '.join(FACE_TILES)} (DU05)")
        if len(self.faces) not in (3, 4) or len({FACE_TILES[face] for face in self.faces}) < len(self.faces):
            raise ValueError("a game uses 3 or 4 scoring tiles, one face of each (DU05)")


class Board(Public, frozen=True):
    """The open board of one player. Rows and lines count from the top, columns from the left."""

    score: int = START_SCORE
    lines: tuple[Tiles, ...] = ("",) * SIZE
    dome: tuple[Plate, ...] = ("",) * SLOTS
    """Nine slots in reading order, each with a plate as it lies or empty."""
    tiles: tuple[Tiles, ...] = (EMPTY * SIZE,) * SIZE
    """The tiles on the dome, row by row."""
    broken: Tiles = ""
    chips: Chips = ""
    spent: Chips = ""
    """Chips already paid; they lie face down and cannot be used again."""
    row: int = 0
    """In phase 2, the line whose turn it is; after the last line, 6."""


class Factory(Public, frozen=True):
    """A factory: tiles on its sun, tiles on its moon (of a small one: bottom first), and a chip on a small one."""

    sun: Tiles = ""
    moon: Tiles = ""
    chip: Chip = ""
    """Empty, `FACE_DOWN`, or the revealed chip."""


class Back(Struct, frozen=True):
    """A plate that lies face down, in the stack or before the player who drew it.

    A plate that a player has looked at is `known` to the seats that know which one lies here, and `lost` to a seat
    that has seen it but no longer knows where it lies, because the other player had it in hand with one of its kind.
    """

    face: Plate | Kind
    """Its kind until a player has looked at it; then the plate."""
    known: tuple[Seat, ...] = ()
    lost: tuple[Seat, ...] = ()

    @property
    def kind(self) -> Kind:
        """The kind that the back shows."""
        return kind_of(self.face)

    @property
    def fresh(self) -> bool:
        """Whether no player has looked at it yet, so that its face is still undecided."""
        return len(self.face) == 1


class State(Struct, frozen=True):
    """The whole table.

    `round` is 0 before the first tiles are dealt; `start` is the seat that starts this round or, once decided, the
    next; `current` is the seat to act in phase 1, and 0 otherwise; `holder` has the start tile, which otherwise
    lies on the large factory.
    """

    config: Config
    boards: tuple[Board, ...]
    bag: Counts
    tower: Counts
    factories: tuple[Factory, ...]
    stack: tuple[Back, ...]
    """From the top."""
    open: tuple[Plate, ...] = ()
    hand: tuple[Back, ...] = ()
    """The plates that `current` has drawn and not yet kept or returned; sorted by kind once looked at."""
    chips: Chips = ALL_CHIPS
    """The chips that are still to be revealed, on factories and in the supply."""
    specials: int = SPECIAL_TILES
    """The supply of special tiles."""
    phase: Phase = "prepare"
    round: int = 0
    start: Seat = 0
    current: Seat = 0
    holder: Seat | None = None
    stacking: int = 0
    """The small factory whose leftover is to be stacked; 0 while there is none."""


# Moves


class Take(game.Move, frozen=True):
    """DU23, DU24, DU27: take tiles of a colour from the sun of a factory, or (None) from the moons of all.

    They go to a line or (None) to the broken space.
    """

    factory: int | None
    colour: Colour
    line: int | None


class Stack(game.Move, frozen=True):
    """DU23: put the leftover of a small factory on its chip in this order, the bottom tile first."""

    tiles: Tiles


class TakeChip(game.Move, frozen=True):
    """DU26: take the revealed chip of a small factory."""

    factory: int


class PlacePlate(game.Move, frozen=True):
    """DU12, DU20: take an open plate, or keep a drawn one, and lay it in a slot; `plate` is its orientation."""

    plate: Plate
    slot: int


class Draw(game.Move, frozen=True):
    """DU20: pay a point and draw the top plate of the stack, unseen."""


class Stop(game.Move, frozen=True):
    """DU20: stop drawing, and look at the plates."""


class Return(game.Move, frozen=True):
    """DU20: put a plate under the stack. Only its owner may read this."""

    plate: Plate


class Place(game.Move, frozen=True):
    """DU30: choose the column for the tile of a complete line."""

    row: int
    column: int


class Pay(game.Move, frozen=True):
    """DU31: complete a line with these chips, or leave it incomplete if there are none."""

    row: int
    chips: Chips


Move: TypeAlias = Take | Stack | TakeChip | PlacePlate | Draw | Stop | Return | Place | Pay


# Deals


class Shuffle(game.Deal, frozen=True):
    """DU10, DU12: the start player, the kinds of all plates from the top of the stack, and the first open plates."""

    start: Seat
    kinds: str
    plates: tuple[Plate, ...]


class Open(game.Deal, frozen=True):
    """DU12, DU40: the plates that are opened, from the top of the stack."""

    plates: tuple[Plate, ...]


class Fill(game.Deal, frozen=True):
    """DU10, DU40: the new tiles of every factory, the large one first."""

    factories: tuple[Tiles, ...]


class Reveal(game.Deal, frozen=True):
    """DU26: the chips of all factories that have just become empty, in their order."""

    chips: str


class Look(game.Deal, frozen=True):
    """DU20: the plates that their owner has drawn, in the order of drawing. Only the owner may read this."""

    owner: Seat
    plates: tuple[Plate, ...]


Deal: TypeAlias = Shuffle | Open | Fill | Reveal | Look


# What follows from the state


def with_board(boards: tuple[Board, ...], seat: Seat, board: Board) -> tuple[Board, ...]:
    """Return the boards with one replaced."""
    return (*boards[:seat], board, *boards[seat + 1 :])


def with_row(rows: tuple[Tiles, ...], row: int, tiles: Tiles) -> tuple[Tiles, ...]:
    """Return the lines of a board, or the rows of its dome, with one replaced."""
    return (*rows[:row], tiles, *rows[row + 1 :])


def with_factory(factories: tuple[Factory, ...], number: int, factory: Factory) -> tuple[Factory, ...]:
    """Return the factories with one replaced."""
    return (*factories[:number], factory, *factories[number + 1 :])


def slot_of(row: int, column: int) -> int:
    """DU02: return the slot that a space of the dome belongs to."""
    return row // 2 * 3 + column // 2


def spaces_beside(board: Board, row: int) -> str:
    """Return the six spaces of a dome row; `.` where no plate lies."""
    first, half = slot_of(row, 0), row % 2 * 2
    return "".join(plate[half : half + 2] or EMPTY * 2 for plate in board.dome[first : first + 3])


def free_columns(board: Board, row: int, colour: Colour) -> list[int]:
    """DU30: return the columns for a tile of this colour: free spaces of the colour in the row, and free jokers."""
    spaces, tiles = spaces_beside(board, row), board.tiles[row]
    return [column for column in range(SIZE) if spaces[column] in (colour, JOKER) and tiles[column] == EMPTY]


def plates_on(board: Board) -> int:
    """Return how many plates a player has placed."""
    return SLOTS - board.dome.count("")


def tokens_left(state: State, seat: Seat) -> int:
    """DU20, DU21: return how many dome tokens a player has left to place; the first plate (DU12) needs none."""
    drawing = state.current == seat and state.phase in ("draw", "keep")
    placed = max(0, plates_on(state.boards[seat]) - 1) + drawing
    return PLATES_PER_ROUND * min(state.round, PLATE_ROUNDS) - placed


def chips_due(state: State, seat: Seat) -> int:
    """DU26: return how many chips a player has left to take this round."""
    board = state.boards[seat]
    return CHIPS_PER_ROUND * state.round - len(board.chips) - len(board.spent)


# The inventory


def tiles_out_of_bag(state: State) -> Counts:
    """Return the counts of all tiles that are not in the bag."""
    heaps = [factory.sun + factory.moon for factory in state.factories]
    for board in state.boards:
        heaps += [*board.lines, *board.tiles, board.broken]
    return add(state.tower, counts(heaps))


def chips_out_of_supply(state: State) -> str:
    """Return every chip that has been revealed."""
    shown = [factory.chip for factory in state.factories if factory.chip != FACE_DOWN]
    return "".join([*shown, *(board.chips + board.spent for board in state.boards)])


def plates_out_of_stack(state: State) -> list[Plate]:
    """Return every plate that lies open or in a dome, as it lies."""
    return [*state.open, *(plate for board in state.boards for plate in board.dome if plate)]


def inventory(state: State) -> Mapping[str, int]:
    """Return counts of all components: 13 tiles per colour, 9 special tiles, 9 plates per kind, 2 chips per face."""
    tiles = add(state.bag, tiles_out_of_bag(state))
    specials = sum(row.count(SPECIAL) for board in state.boards for row in board.tiles)
    chips = state.chips + chips_out_of_supply(state)
    plates = [*plates_out_of_stack(state), *(back.face for back in (*state.stack, *state.hand))]
    return {
        **{f"{name} tiles": number for name, number in zip(COLOUR_NAMES.values(), tiles, strict=True)},
        "special tiles": state.specials + specials,
        "special plates": sum(SPECIAL in plate for plate in plates),
        "joker plates": sum(JOKER in plate for plate in plates),
        **{f"{chip} chips": chips.count(chip) for chip in CHIP_COLOURS},
    }
