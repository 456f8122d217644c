"""Positions of Blockers! that one could lay out on a table, written short, and what to do with them."""

from collections.abc import Iterator, Mapping
from functools import partial
from random import Random

from tessella.core.game import Choose
from tessella.games import blockers
from tessella.games.blockers import State
from tessella.games.blockers.pieces import EMPTY, FACES, LETTERS, NUMBERS, RACK_SIZE
from tessella.games.blockers.state import colours_of_game
from tests.games import playing

play = partial(playing.play, blockers)
refusal = partial(playing.refusal, blockers)
moves = partial(playing.moves, blockers)
random_acts = partial(playing.random_acts, blockers)

CONFIGS = [blockers.Config(seats, scoring) for seats in (2, 3, 4, 5) for scoring in ("blockers", "uptown")]
NOTHING: Mapping[str, str] = {}

ARCHES = (
    "y1@A1 y2@A2 y3@A3 y4@A4 y5@A5 y6@A6 y7@A7 y8@A8 y9@A9 yB@B1 yC@C1 yD@D1 ya@B9 yw@C9 yc@D9 "
    "r2@B2 r3@B3 r4@B4 r5@B5 r6@B6 r7@B7 r8@B8 rC@C2 rD@D2 ra@C8 rc@D8 "
    "b3@C3 b4@C4 b5@C5 b6@C6 b7@C7"
)
"""Rows A to C are full, and only the feet of the yellow and the red arch, in row D, may be captured by blue."""


def lay(
    tiles: str = "",
    racks: Mapping[str, str] = NOTHING,
    *captured: str,
    table: str = "3b",
    start: int = 0,
    played: int = 0,
) -> State:
    """A position, from its tiles `y7@D7 bA@A3 …`, its racks and each seat's captured tiles.

    What does not matter is made up: other racks, and tiles put aside, so that every colour was played equally often
    (as often as is shown, or `played` times) and the start player is next.
    """
    seats = int(table[0])
    colours = colours_of_game(blockers.Config(seats))
    on_board = {cell: tile for tile, cell in (word.split("@") for word in tiles.split())}
    out = {colour: [tile[1] for tile in on_board.values() if tile[0] == colour] for colour in colours}
    for heap in captured:
        for place in range(0, len(heap), 2):
            out[heap[place]].append(heap[place + 1])
    played = max(played, *map(len, out.values()))
    rows = ["".join(on_board.get(row + column, EMPTY) for column in NUMBERS) for row in LETTERS]
    stocks = [_stock(out[colour], racks.get(colour, ""), played) for colour in colours]
    heaps = [heap or "-" for heap in captured] + ["-"] * (seats - len(captured))
    return blockers.read_state(" ".join([table, str(start), "/".join(rows), *stocks, *heaps]))


def _stock(out: list[str], rack: str, played: int) -> str:
    free = [face for face in FACES if face not in [*out, *rack]]
    aside = [free.pop() for _ in range(played - len(out))]
    return f"{rack or ''.join(free[:RACK_SIZE])}:~:{''.join(aside) or '-'}"


def positions(config: blockers.Config, seed: int) -> Iterator[tuple[State, int]]:
    """Every position of a random game in which a seat is to move, and that seat."""
    for _, _, state, _ in random_acts(blockers.setup(config), Random(seed)):
        if isinstance(turn := blockers.turn(state), Choose):
            yield state, turn.seats[0]
