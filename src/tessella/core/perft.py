"""Perft: how many lines of play there are from a position, a number that only correct rules give.

    azul/1                                       the game that the file is about
    # five factories of four colours
    2c 1 0>0 byrk,… ; 1 120 ; 2 13680            a position; depth and count

A line of play is a sequence of moves; it ends, and counts nothing more, where chance or the end of the game comes.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from tessella.core.game import BadNotation, C, Choose, D, E, Game, M, P_co, S, V


class Case(Struct, frozen=True):
    """A position, and the count at each depth."""

    position: str
    counts: Sequence[tuple[int, int]]


def count(game: Game[C, S, M, D, E, V, P_co], state: S, depth: int) -> int:
    """The number of lines of exactly `depth` moves."""
    turn = game.turn(state)
    if depth == 0 or not isinstance(turn, Choose):
        return int(depth == 0)
    moves = [move for seat in turn.seats for move in game.legal_moves(state, seat)]
    if depth == 1:
        return len(moves)
    return sum(count(game, game.apply(state, move)[0], depth - 1) for move in moves)


def read(text: str) -> tuple[str, list[Case]]:
    """The name and edition of the game, and the cases, of a perft file."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    if not lines or not re.fullmatch("[a-z]+/[0-9]+", lines[0]):
        raise BadNotation("a perft file starts with the name of a game and its edition, as in azul/1")
    return lines[0], list(map(_read_case, lines[1:]))


def _read_case(line: str) -> Case:
    position, *counts = line.split(" ; ")
    if not counts or not all(re.fullmatch("[0-9]+ [0-9]+", word) for word in counts):
        raise BadNotation(f"{line!r} is not a position with depths and counts")
    return Case(position, [(int(depth), int(number)) for depth, number in map(str.split, counts)])


def check(game: Game[C, S, M, D, E, V, P_co], case: Case) -> Iterator[tuple[int, int, int]]:
    """For each depth of a case: the depth, the count that must be, the count that is."""
    state = game.read_state(case.position)
    for depth, expected in case.counts:
        yield depth, expected, count(game, state, depth)
