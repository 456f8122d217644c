"""Positions of Azul that one could lay out on a table, written short, and what to do with them."""

from collections.abc import Iterator, Sequence
from random import Random
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest

from tessella.core import record
from tessella.core.game import Chance, Choose, IllegalMove, Over
from tessella.games import azul
from tessella.games.azul.events import Event

CONFIGS = [azul.Config(seats, wall) for seats in (2, 3, 4) for wall in ("coloured", "grey")]
EMPTY_WALL = "...../...../...../...../....."
NOTHING = "0.0.0.0.0"

E = TypeVar("E")


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


def play(state: azul.State, *acts: str) -> tuple[azul.State, list[Event]]:
    """Play acts as a record writes them; give the state after the last, and all that happened."""
    happened: list[Event] = []
    for text in acts:
        state, events = azul.apply(state, record.read_act(azul, state, text))
        happened += events
    return state, happened


def only(events: Sequence[Event], kind: type[E]) -> list[E]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def refusal(state: azul.State, act: str | azul.Move | azul.Deal) -> str:
    """The rule that forbids an act, which leaves everything as it was."""
    before = azul.write_state(state)
    with pytest.raises(IllegalMove) as caught:
        azul.apply(state, record.read_act(azul, state, act) if isinstance(act, str) else act)
    assert azul.write_state(state) == before
    assert caught.value.why
    return caught.value.rule


def destinations(state: azul.State, source_and_colour: str) -> list[str]:
    """Where the drafting seat may put a take: the lines, and `-` for the floor."""
    moves = [azul.write_move(state, move) for move in azul.legal_moves(state, state.current)]
    return [move[2] for move in moves if move.startswith(source_and_colour)]


def columns(state: azul.State, seat: int) -> list[str]:
    """The placements that a seat may choose from."""
    return [azul.write_move(state, move) for move in azul.legal_moves(state, seat)]


def changed(**functions: object) -> Any:
    """Azul with some of its functions exchanged."""
    return SimpleNamespace(**{name: getattr(azul, name) for name in azul.__all__} | functions)


def random_act(state: azul.State, rng: Random) -> azul.Move | azul.Deal | None:
    """Any act that may come next; None when the game is over."""
    match azul.turn(state):
        case Chance():
            return azul.deal(state, rng)
        case Choose(seats=seats):
            return rng.choice(azul.legal_moves(state, rng.choice(seats)))
        case Over():
            return None


def random_game(config: azul.Config, rng: Random) -> Iterator[tuple[azul.State, azul.State, Sequence[Event]]]:
    """Each act of a random game: the state before, the state after, and what happened."""
    state = azul.setup(config)
    while (act := random_act(state, rng)) is not None:
        after, events = azul.apply(state, act)
        yield state, after, events
        state = after
