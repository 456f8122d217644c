"""The notation of moves and deals of Azul Duel; moves have two to twelve characters.

    3r4       take red from the sun of factory 3 into line 4; factory 0 is the large one
    mr-       take red from the moons and break it                    sykk      stack the leftover, yellow below
    c3        take the chip of factory 3
    5ykt*     lay this plate in slot 5: its spaces as it lies (upper left, upper right, lower left, lower right)
    d+        draw a plate from the stack      d=        stop drawing      uykt*     put this plate under the stack
    t24       put the tile of line 2 in column 4
    p3tT      complete line 3 with these chips                        p3-       leave line 3 incomplete

    1:*??*… ykt* …          the first deal: seat 1 starts, the kinds of the stack from the top, the open plates
    bbykt bbyk byrk - …     the tiles of the factories, the large one first; `-` is an empty one
    ykt* ?btk               plates that are opened or looked at      tT        chips that are revealed

Colours are b, y, r, k, t; a chip of two colours is a capital letter: B shows blue and red, Y yellow and black, R red
and turquoise, K black and blue, T turquoise and yellow.
"""

import re

from tessella.core.game import BadNotation, Seat
from tessella.core.notation import quote
from tessella.games.duel.chance import due
from tessella.games.duel.pieces import counts, heap, sorted_chips
from tessella.games.duel.state import (
    Deal,
    Draw,
    Fill,
    Look,
    Move,
    Open,
    Pay,
    Place,
    PlacePlate,
    Return,
    Reveal,
    Shuffle,
    Stack,
    State,
    Stop,
    Take,
    TakeChip,
)

PLATE = "[byrkt*?]{4}"
PLATES = f"({PLATE}(?: {PLATE})*)"
CHIP = "[byrktBYRKT]"
MOVE = re.compile(
    rf"""(?P<take>[0-4m][byrkt][1-6-]) | (?P<stack>s[byrkt]{{2,3}}) | (?P<chip>c[1-4])
    | (?P<plate>[1-9]{PLATE}) | (?P<draw>d[+=]) | (?P<under>u{PLATE})
    | (?P<place>t[1-6][1-6]) | (?P<pay>p[1-6](?:-|{CHIP}{{2,10}}))""",
    re.VERBOSE,
)

EXPECTED: dict[type[Deal] | None, str] = {
    Shuffle: "the start player, the kinds of 18 plates and three open plates, as in 1:*??*… ykt* ?btk trb?",
    Open: "the plates that are opened, as in ykt* ?btk",
    Look: "the plates that are looked at, as in ykt* ?btk",
    Fill: "the tiles of five factories, as in bbykt bbyk byrk - ykt",
    Reveal: "the chips that are revealed, as in tT",
}
"""What `read_deal` expects when a deal of each type is due."""

# Moves


def write_move(state: State, move: Move) -> str:  # noqa: ARG001, PLR0911
    """Return the notation of a move: two to twelve characters."""
    match move:
        case Take(factory=factory, colour=colour, line=line):
            return f"{'m' if factory is None else factory}{colour}{'-' if line is None else line + 1}"
        case Stack(tiles=tiles):
            return f"s{tiles}"
        case TakeChip(factory=factory):
            return f"c{factory}"
        case PlacePlate(plate=plate, slot=slot):
            return f"{slot + 1}{plate}"
        case Draw():
            return "d+"
        case Stop():
            return "d="
        case Return(plate=plate):
            return f"u{plate}"
        case Place(row=row, column=column):
            return f"t{row + 1}{column + 1}"
        case Pay(row=row, chips=chips):
            return f"p{row + 1}{chips or '-'}"


def read_move(state: State, seat: Seat, text: str) -> Move:  # noqa: ARG001, PLR0911
    """Parse a move, legal or not."""
    found = MOVE.fullmatch(text)
    match found and found.lastgroup:
        case "take":
            factory = None if text[0] == "m" else int(text[0])
            return Take(seat, factory, text[1], None if text[2] == "-" else int(text[2]) - 1)
        case "stack":
            return Stack(seat, text[1:])
        case "chip":
            return TakeChip(seat, int(text[1]))
        case "plate":
            return PlacePlate(seat, text[1:], int(text[0]) - 1)
        case "draw":
            return Draw(seat) if text == "d+" else Stop(seat)
        case "under":
            return Return(seat, text[1:])
        case "place":
            return Place(seat, int(text[1]) - 1, int(text[2]) - 1)
        case "pay":
            return Pay(seat, int(text[1]) - 1, sorted_chips(text[2:].strip("-")))
        case _:
            raise BadNotation(
                f"{quote(text)} is not a move: write it as 3r4, mr-, sykk, c3, 5ykt*, d+, d=, uykt*, t24, p3tT or p3-"
            )


# Deals


def write_deal(state: State, deal: Deal) -> str:  # noqa: ARG001
    """Return the notation of a deal."""
    match deal:
        case Shuffle(start=start, kinds=kinds, plates=plates):
            return f"{start}:{kinds} {' '.join(plates)}"
        case Open(plates=plates) | Look(plates=plates):
            return " ".join(plates)
        case Fill(factories=factories):
            return " ".join(tiles or "-" for tiles in factories)
        case Reveal(chips=chips):
            return chips


def read_deal(state: State, text: str) -> Deal:
    """Parse a deal of the type that is due, possible or not."""
    kind = due(state)
    if kind is Shuffle and (found := re.fullmatch(rf"([01]):([*?]{{18}}) {PLATES}", text)):
        return Shuffle(int(found[1]), found[2], tuple(found[3].split(" ")))
    if kind is Open and re.fullmatch(PLATES, text):
        return Open(tuple(text.split(" ")))
    if kind is Look and re.fullmatch(PLATES, text):
        return Look(state.current, tuple(text.split(" ")))
    if kind is Fill and re.fullmatch(r"(?:[byrkt]{1,5}|-)(?: (?:[byrkt]{1,4}|-)){4}", text):
        return Fill(tuple(heap(counts(tiles)) for tiles in text.split(" ")))
    if kind is Reveal and re.fullmatch(f"{CHIP}{{1,4}}", text):
        return Reveal(text)
    raise BadNotation(f"{quote(text)} is not the deal that is due: expected {EXPECTED.get(kind, 'none')}")
