"""Positions of Azul that one could lay out on a table, written short, and what to do with them."""

from functools import partial

from tessella.games import azul
from tests.games import playing

play = partial(playing.play, azul)
refusal = partial(playing.refusal, azul)
moves = partial(playing.moves, azul)
random_acts = partial(playing.random_acts, azul)
changed = partial(playing.changed, azul)

CONFIGS = [azul.Config(seats, wall) for seats in (2, 3, 4) for wall in ("coloured", "grey")]
EMPTY_WALL = "...../...../...../...../....."
NOTHING = "0.0.0.0.0"


def board(lines: str = "-/-/-/-/-", wall: str = EMPTY_WALL, floor: str = "-", score: int = 0) -> str:
    """A board in notation."""
    return f"{score}:{lines}:{wall}:{floor}"


FULL = [
    board("-/w/kk/rrr/yyyy", ".yrkw/.byrk/.wbyr/.kwby/.rkwb", score=40),
    board("-/b/ww/kk/-", "b.rkw/w.yrk/k.byr/r.wby/y.kwb", score=40),
    board("-/-/bb/w/-", "by.kw/wb.rk/kw.yr/rk.by/yr.wb", score=41),
    board("-/r/-/b/-", "byr.w/wby.k/kwb.r/rkw.y/yrk.b", score=39),
]
"""Four boards that hold all hundred tiles: every wall lacks one column, and no line is complete."""
ALL_BUT_ONE = [FULL[0], FULL[1].replace("/kk/-", "/k/-"), *FULL[2:]]
"""The same without a black tile."""
ALL_BUT_SIX = [FULL[0].replace("yyyy:", "-:"), FULL[1], FULL[2].replace("/w/", "/-/"), FULL[3].replace("-/r/", "-/-/")]
"""The same without four yellow tiles, a white and a red one."""


def table(
    *boards: str,
    kind: str = "2c",
    round: int = 2,
    order: str = "0>0",
    factories: str = "",
    centre: str = "",
    bag: str = "~",
    lid: str = NOTHING,
) -> azul.State:
    """A position: what is not mentioned is empty, and in drafting an unmentioned marker lies in the centre.

    Bag or lid `~`: all tiles that are nowhere else.
    """
    seats = int(kind[0])
    filled = [*factories.split(), *["-"] * (2 * seats + 1 - len(factories.split()))]
    laid = [*boards, *[board()] * (seats - len(boards))]
    centre = centre or ("m" if factories and "m" not in "".join(boards) else "-")
    known = [kind, str(round), order, ",".join(filled), centre]
    if lid == "~":
        others = azul.read_state(" ".join([*known, "~", bag, *laid]))
        lid = ".".join(map(str, others.bag))
    return azul.read_state(" ".join([*known, bag, lid, *laid]))


def end_of_round(mover: str, *others: str, kind: str = "2c", round: int = 2, tile: str = "w") -> azul.State:
    """Seat 0 takes the last tile, alone in factory 1; the marker stays in the centre and costs nobody anything."""
    return table(mover, *others, kind=kind, round=round, factories=tile)


def destinations(state: azul.State, source_and_colour: str) -> list[str]:
    """Where the drafting seat may put a take: the lines, and `-` for the floor."""
    return [move[2] for move in moves(state, state.current) if move.startswith(source_and_colour)]
