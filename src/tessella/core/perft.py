"""Perft: count the lines of play from a position, a number that only correct rules reproduce.

    azul/1                                       the game that the file is about
    # five factories of four colours
    2c 1 0>0 byrk,… ; 1 120 ; 2 13680            a position; depth and count

A line of play is a sequence of moves. A line that reaches a deal or the end of the game earlier does not count.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from tessella.core.game import BadNotation, C, Choose, D, E, Game, M, P_co, S, V
from tessella.core.notation import quote


class Case(Struct, frozen=True):
    """A position, and the expected count at each depth."""

    position: str
    counts: Sequence[tuple[int, int]]


def count(game: Game[C, S, M, D, E, V, P_co], state: S, depth: int) -> int:
    """Return the number of lines of exactly `depth` moves."""
    turn = game.turn(state)
    if depth == 0 or not isinstance(turn, Choose):
        return int(depth == 0)
    moves = [move for seat in turn.seats for move in game.legal_moves(state, seat)]
    if depth == 1:
        return len(moves)
    return sum(count(game, game.apply(state, move)[0], depth - 1) for move in moves)


def read(text: str) -> tuple[str, list[Case]]:
    """Parse a perft file; return the name and edition of its game, and its cases."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    if not lines or not re.fullmatch("[a-z]+/[0-9]+", lines[0]):
        raise BadNotation("no game named: a perft file starts with a name and edition, such as azul/1")
    return lines[0], list(map(_read_case, lines[1:]))


def _read_case(line: str) -> Case:
    position, *counts = line.split(" ; ")
    if not counts or not all(re.fullmatch("[0-9]+ [0-9]+", word) for word in counts):
        raise BadNotation(f"{quote(line)} is not a perft case: expected POSITION ; DEPTH COUNT ; …")
    return Case(position, [(int(depth), int(number)) for depth, number in map(str.split, counts)])


def check(game: Game[C, S, M, D, E, V, P_co], case: Case) -> Iterator[tuple[int, int, int]]:
    """Yield for each depth of a case: the depth, the expected count, the actual count."""
    state = game.read_state(case.position)
    for depth, expected in case.counts:
        yield depth, expected, count(game, state, depth)
