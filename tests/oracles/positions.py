"""Positions where play seldom goes, to compare engines from: each with acts that exercise a rare rule.

A position may hold what no play leads to, such as a dome that is fuller than the tiles allow: the rules say what
follows from it all the same.
"""

from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from tessella.games import azul, duel
from tessella.games.azul.pieces import NO_TILES
from tessella.games.duel.pieces import COLOURS, EMPTY, FACE_TILES, JOKER, PLATES, SPECIAL, SPECIAL_TILES, TURNS
from tests.games.azul.positions import ALL_BUT_ONE, board, end_of_round
from tests.games.azul.positions import table as azul_table
from tests.games.blockers.positions import ARCHES, lay
from tests.games.duel.positions import CROWDED, EMPTY_FACTORIES, Board, between_rounds, end_of_phase_1
from tests.games.duel.positions import table as duel_table


class Position(NamedTuple):
    """A position, and the acts to play from it, as a record writes them."""

    game: str
    name: str
    state: Any
    acts: tuple[str, ...]


# Azul

FULL_FLOOR = "bbyykkw"
ROW_BUT_WHITE = "byrk./...../...../...../....."
CROSS_BUT_WHITE = "byrk./....k/....r/....y/....b"
WHITE_WITHOUT_A_COLUMN = ".byrk/w..../...../...../....."

AZUL = [
    Position("azul", *position)
    for position in (
        (
            "a marker beyond a full floor",
            azul_table(board(floor=FULL_FLOOR, score=20), order="1>0", centre="mr"),
            ("cr1",),
        ),
        (
            "tiles after a marker beyond a full floor",
            azul_table(board(floor=FULL_FLOOR), factories="y", centre="mrr"),
            ("cr-",),
        ),
        (
            "the marker alone in the centre",
            azul_table(factories="bbbb yyyy", centre="m", order="1>1"),
            ("1b4", "2y4", "*bbbb yyyy rrrr kkkk wwww"),
        ),
        (
            "a round of three without the centre",
            azul_table(kind="3g", factories="bbbb yyyy rrrr", order="2>2"),
            ("1b4", "2y4", "3r5"),
        ),
        ("no tile for a new round", azul_table(*ALL_BUT_ONE, kind="4c", order="0>1", factories="k"), ("1k4",)),
        ("one tile for a new round", azul_table(*ALL_BUT_ONE, kind="4c"), ("*k - - - - - - - -",)),
        ("round 49", end_of_round(board(score=7), round=49), ("1w5",)),
        ("round 50", end_of_round(board(score=7), round=50), ("1w5",)),
        ("round 50 of four", end_of_round(board(score=7), kind="4g", round=50), ("1w5",)),
        ("ten points for a tile", end_of_round(board(wall=CROSS_BUT_WHITE)), ("1w1",)),
        ("a tie that rows decide", end_of_round(board(wall=ROW_BUT_WHITE), board(score=7)), ("1w1",)),
        (
            "a shared victory",
            end_of_round(board(wall=ROW_BUT_WHITE), board(wall=ROW_BUT_WHITE, lines="w/-/-/-/-")),
            ("1w1",),
        ),
        (
            "a line without a column, and a full floor",
            azul_table(board(wall=WHITE_WITHOUT_A_COLUMN, floor=FULL_FLOOR), kind="2g", factories="w"),
            ("1w1",),
        ),
        (
            "a fifth line without a column",
            azul_table(board("-/-/-/-/wwww", "w..../...../...../...../.byrk", floor="bb"), kind="2g", factories="w"),
            ("1w5",),
        ),
        (
            "a lid that is poured after exactly four tiles",
            azul_table(bag="4.0.0.0.0", lid="~"),
            ("*bbbb yyyy rrrr kkkk wwww",),
        ),
        (
            "a lid that is poured in the middle of a factory",
            azul_table(bag="4.2.0.0.0", lid="~"),
            ("*bbbb yyrr rrrr kkkk wwww",),
        ),
    )
]

# Blockers!

RING = "y1@A1 y2@A2 yA@A3 yB@B1 ys@B3 yC@C1 yw@C2 y3@C3"
THREE_GROUPS = "bA@A1 b4@C4 b7@E7 yI@I9 yG@G7 y5@G5 r1@E1 r2@G2 r3@I3"
FOURTH_COLOUR = "gD@D5 g9@F9 gB@B8"
LAST_RACKS = {"b": "1BCDE", "y": "9ABCD", "r": "IABCD", "g": "5ACEF"}
LAST_ROUND = ("1@B1", "9@H9", "I@I4")
LAST_ROUND_OF_TWO = ("b1@B1", "y9@H9", "rI@I4", "g5@E5")

BLOCKERS = [
    Position("blockers", *position)
    for position in (
        ("no placement at all", lay(ARCHES, {"b": "ABCsh"}), ("C@-", "*b:D")),
        ("no placement in the last round", lay(ARCHES, {"b": "ABCsh"}, played=23), ("C@-",)),
        ("a capture that must be", lay(ARCHES.replace("yc@D9 ", ""), {"b": "ABCsh"}), ("C@C9x",)),
        ("a ring", lay(RING, {"b": "A247w"}), ("A@A2x",)),
        ("a ring that was opened", lay(RING.replace("y2@A2 ", "b2@A2 "), {"b": "A347w"}), ("7@D7",)),
        ("no capture at all", lay(THREE_GROUPS, LAST_RACKS, played=23), LAST_ROUND),
        ("two colours captured equally often", lay(THREE_GROUPS, LAST_RACKS, "", "b2r4", played=23), LAST_ROUND),
        ("a tie that captures decide", lay(THREE_GROUPS, LAST_RACKS, "y1r4", "b2", "b3b5", played=23), LAST_ROUND),
        ("a shared victory", lay(THREE_GROUPS, LAST_RACKS, "y1", "b2", "b3", played=23), LAST_ROUND),
        (
            "a tie of Uptown that captures decide",
            lay(THREE_GROUPS, LAST_RACKS, "y1", "b2b3", "", table="3u", played=23),
            LAST_ROUND,
        ),
        (
            "a shared victory of Uptown",
            lay(THREE_GROUPS, LAST_RACKS, "", "b2b3", "", table="3u", played=23),
            LAST_ROUND,
        ),
        ("violet captured most", lay(THREE_GROUPS, LAST_RACKS, "v1v2y2", "v4v5g1", table="5b", played=23), LAST_ROUND),
        (
            "a tie of two players that captures decide",
            lay(f"{THREE_GROUPS} {FOURTH_COLOUR}", LAST_RACKS, "y1", "b2b3r4", table="2b", played=23),
            LAST_ROUND_OF_TWO,
        ),
        (
            "a shared victory of two players",
            lay(f"{THREE_GROUPS} {FOURTH_COLOUR}", LAST_RACKS, "y1", "b2", table="2b", played=23),
            LAST_ROUND_OF_TWO,
        ),
        (
            "two players with equal scores and other captures",
            lay(f"{THREE_GROUPS} {FOURTH_COLOUR}", LAST_RACKS, "y1g1", "b2", table="2b", played=23),
            LAST_ROUND_OF_TWO,
        ),
        (
            "the own other colour captured most",
            lay(f"{THREE_GROUPS} {FOURTH_COLOUR}", LAST_RACKS, "r4r5y1", "", table="2b", played=23),
            LAST_ROUND_OF_TWO,
        ),
    )
]

# Azul Duel

FILL = "*yyrkt bbyk byrk kktt yyrr"
NO_BLUE_BESIDE = "{}ykt* {}k*tr {}y*kr"
SPECIAL_PLATES = " ".join(f"{slot}{plate}" for slot, plate in enumerate((p for p in PLATES if SPECIAL in p), 1))
JOKER_PLATES = " ".join(f"{slot}{plate}" for slot, plate in enumerate((p for p in PLATES if JOKER in p), 1))

DUEL = [
    Position("duel", *position)
    for position in (
        ("a bag of one colour", between_rounds(bag="7.0.0.0.0", tower="~"), (FILL,)),
        ("a bag of one colour before round 5", between_rounds(round=4, open="", bag="0.7.0.0.0", tower="~"), (FILL,)),
        # With 13 tiles of a colour the small factories need the tower too: only a larger bag shows when it came.
        (
            "a bag of one colour that is enough for the whole round",
            replace(between_rounds(), bag=(30, 0, 0, 0, 0), tower=(0, 3, 3, 3, 3)),
            ("*yyrkt bbbb bbbb bbbb bbbb",),
        ),
        ("the last tiles of one colour, which go back", between_rounds(bag="2.0.0.0.0", tower="~"), (FILL,)),
        ("an empty bag", between_rounds(bag="0.0.0.0.0", tower="~"), (FILL,)),
        (
            "bag and tower of one colour",
            between_rounds(*CROWDED, bag="0.0.0.0.6", tower="~"),
            ("*ttttt tttt tttt - -", "*rY", "0t-"),
        ),
        (
            "bag and tower of one colour before round 5",
            between_rounds(*CROWDED, round=4, open="", bag="0.0.0.0.6", tower="~", order="1>0"),
            ("*ttttt tttt tttt - -", "*KT", "0t-"),
        ),
        ("few tiles of one colour", replace(between_rounds(*CROWDED), bag=(0, 0, 0, 0, 3)), ("*ttt - - - -",)),
        (
            "a large sun of one colour in round 5",
            duel_table(stage="5act", factories="bbb bbyk bbyk bbyk bbyk", order="1>1", tokens=(0, 0)),
            ("0b3",),
        ),
        (
            "no tile at all",
            replace(between_rounds(order="1>0"), bag=NO_TILES),
            ("*- - - - -", "*ktBY", "c1", "c2", "c3", "c4", "1trb?", "1kyr?", "2k*tr", "d+", "d=", "*ykt*", "2ykt*"),
        ),
        (
            "a line of six that breaks",
            end_of_phase_1(Board("-/-/-/-/-/bbbbbb", NO_BLUE_BESIDE.format(7, 8, 9), score=20)),
            ("c4",),
        ),
        (
            "an incomplete line that breaks",
            end_of_phase_1(Board("-/-/bb/-/-/-", NO_BLUE_BESIDE.format(4, 5, 6), broken="kkk", chips="b", score=20)),
            ("c4",),
        ),
        (
            "a draw without points",
            duel_table(
                Board(score=0),
                stack="*,?,*,?,*,?,*,?,*,?,*,?,*",
                open="trb? kyr? k*tr",
                faces="rows,columns,diagonals:special",
            ),
            ("d+", "d+", "d="),
        ),
        ("a forced draw without points", duel_table(Board(score=0), factories=EMPTY_FACTORIES, due=(0, 0)), ("d+",)),
        ("no draw without points", duel_table(Board(score=0), open="trb? kyr? k*tr"), ("0b1",)),
        ("a tie without a holder, seat 0 began", end_of_phase_1(Board(), stage="5act", order="0>0"), ("c4",)),
        ("a tie without a holder, seat 1 began", end_of_phase_1(Board(), stage="5act", order="1>0"), ("c4",)),
        ("a tie with a holder", end_of_phase_1(Board(score=10), Board(score=12), stage="5act", holder="1"), ("c4",)),
        (
            "a dome without a joker space",
            end_of_phase_1(
                Board(plates=SPECIAL_PLATES),
                Board(plates=JOKER_PLATES),
                stage="5act",
                faces="rows,columns,diagonals,jokers:special",
            ),
            ("c4",),
        ),
    )
]

POSITIONS: dict[str, list[Position]] = {"azul": AZUL, "blockers": BLOCKERS, "duel": DUEL}


# Positions in numbers


def scarce_supply(rng: Random) -> duel.State:
    """Return a table of Azul Duel to be filled from a bag and a tower of few tiles and colours (DU11, DU40)."""
    colours = rng.sample(range(5), rng.randint(1, 3))
    bag, tower = [0] * 5, [0] * 5
    for colour in colours:
        bag[colour] = rng.choice((0, 0, 1, 3, 5, 7))
        tower[colour] = rng.choice((0, 0, 2, 4, 6))
    late = rng.random() < 0.5
    state = between_rounds(round=4, open="") if late else between_rounds()
    b, y, r, k, t = bag
    return replace(state, bag=(b, y, r, k, t), tower=tuple(tower), start=rng.randrange(2))


def scarce_lid(rng: Random) -> azul.State:
    """Return a table of Azul to be filled from a bag and a lid of few tiles (AZ40, AZ41)."""
    seats = rng.randint(2, 4)
    bag, lid = (tuple(rng.choice((0, 0, 1, 2, 5)) for _ in range(5)) for _ in range(2))
    state = azul_table(kind=f"{seats}{rng.choice('cg')}", round=rng.choice((3, 48, 49)))
    return replace(state, bag=bag, lid=lid if any(bag + lid) else (1, 0, 0, 0, 0), start=rng.randrange(seats))


DENSITIES = (0.6, 0.9, 0.97, 1.0)
ALL_SHOWN = "bbyyrrkktt"


def dense_final(rng: Random) -> duel.State:
    """Return the last choice of a game of Azul Duel on dense domes: seat 0 may complete its line 6 with chips."""
    plates = rng.sample(PLATES, 18)
    domes = [[rng.choice(TURNS[plate]) for plate in some] for some in (plates[:9], plates[9:])]
    first, second = (_dense_tiles(dome, rng) for dome in domes)
    column = rng.choice([column for column in range(6) if _space(domes[0], 5, column) in COLOURS])
    first[5][column] = EMPTY
    line = _space(domes[0], 5, column) * 5
    scores = [rng.choice((0, 2, 30)) for _ in range(2)]
    boards = (
        _final_board(scores[0], domes[0], first, lines=("",) * 5 + (line,), chips=ALL_SHOWN, row=5),
        _final_board(scores[1], domes[1], second, spent=ALL_SHOWN.upper(), row=6),
    )
    return duel.State(
        duel.Config(faces=_any_faces(rng), special_counts_as_colour=rng.choice((True, False, "alone"))),
        boards,
        bag=NO_TILES,
        tower=NO_TILES,
        factories=(duel.Factory(),) * 5,
        stack=(),
        chips="",
        specials=SPECIAL_TILES - sum(row.count(SPECIAL) for each in boards for row in each.tiles),
        phase="tile",
        round=5,
        start=rng.randrange(2),
        holder=rng.choice((0, 1, None)),
    )


def _space(dome: list[str], row: int, column: int) -> str:
    return dome[row // 2 * 3 + column // 2][row % 2 * 2 + column % 2]


def _dense_tiles(dome: list[str], rng: Random) -> list[list[str]]:
    density = rng.choice(DENSITIES)
    tiles = [[EMPTY] * 6 for _ in range(6)]
    for row in range(6):
        for column in range(6):
            space = _space(dome, row, column)
            if space != SPECIAL and rng.random() < density:
                tiles[row][column] = rng.choice(COLOURS) if space == JOKER else space
    return tiles


def _final_board(score: int, dome: list[str], tiles: list[list[str]], **fields: Any) -> duel.Board:
    """Return a board with a special tile on each plate whose other spaces are filled (DU34)."""
    for row in range(6):
        for column in range(6):
            if _space(dome, row, column) == SPECIAL:
                top, left = row // 2 * 2, column // 2 * 2
                others = [(r, c) for r in (top, top + 1) for c in (left, left + 1) if (r, c) != (row, column)]
                if all(tiles[r][c] != EMPTY for r, c in others):
                    tiles[row][column] = SPECIAL
    return duel.Board(score=score, dome=tuple(dome), tiles=tuple(map("".join, tiles)), **fields)


def _any_faces(rng: Random) -> tuple[Any, ...]:
    """Return the faces of three or all four scoring tiles (DU05)."""
    tiles = "ABCD" if rng.random() < 0.5 else rng.sample("ABCD", 3)
    chosen = [rng.choice([face for face, tile in FACE_TILES.items() if tile == each]) for each in tiles]
    return tuple(face for face in FACE_TILES if face in chosen)
