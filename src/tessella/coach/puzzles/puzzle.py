"""A puzzle as a value, the files of puzzles, and those that come with Tessella.

A file is JSON lines: the first says how the puzzles were found, every other one is a puzzle. One file per game is
shipped.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from tessella.core.game import BadNotation, Seat
from tessella.games import GAMES

Proof: TypeAlias = Literal["exact"] | int
"""How the best move was proved: every line to its end, or with this many imagined games in each of two looks."""

ProvedResult: TypeAlias = Literal["", "win", "draw"]
"""The result that the best move keeps; empty if the game was not solved."""


class Header(Struct, frozen=True):
    """How a file of puzzles was made; without a seed, from given games."""

    about: str
    records: int
    margin: float
    seed: int | None = None


class Reason(Struct, frozen=True):
    """Why the best move is best: what it changes most, compared with the move that looks best at once.

    `best` and `other` are the points (in Blockers! the groups or captures) in that respect once both moves are played
    on: after the best move, and after the tempting one. Both are 0 if the gain is not in the points of the account.
    """

    theme: str
    best: float
    other: float


class Puzzle(Struct, frozen=True, omit_defaults=True):
    """Find the best move for a seat. `losses` is the win probability that each legal move loses; 0 for the best.

    `margin` is what the second-best move loses, in win probability; `points` is about the same in points. `tempting`
    is the move of level 3. `line` plays the best move out; `replies` has, for every other move, how it is punished.
    `proved` says that the game was solved: the best move keeps this result, and every other move leads to a worse one.
    `difficulty` is from 1 to 5. `source` is the game in which it was found, and `number` the act played there.
    """

    id: str
    title: str
    rules: str
    position: str
    seat: Seat
    round: int
    best: str
    tempting: str
    reason: Reason
    proof: Proof
    line: tuple[str, ...]
    value: float
    margin: float
    points: float
    difficulty: int
    losses: Mapping[str, float]
    replies: Mapping[str, tuple[str, ...]]
    source: str
    number: int
    proved: ProvedResult = ""


def write(header: Header, puzzles: Iterable[Puzzle]) -> str:
    """Return the content of a file of puzzles."""
    return "".join(f"{msgspec.json.encode(thing).decode()}\n" for thing in (header, *puzzles))


def read(text: str) -> tuple[Header, list[Puzzle]]:
    """Parse what `write` wrote; raise `BadNotation` if it is not a file of puzzles."""
    try:
        first, *others = text.splitlines()
        return msgspec.json.decode(first, type=Header), [msgspec.json.decode(line, type=Puzzle) for line in others]
    except (ValueError, msgspec.DecodeError) as exc:
        raise BadNotation(f"not a file of puzzles: {exc}") from None


@cache
def shipped() -> Mapping[str, Puzzle]:
    """Return the puzzles in the package, by id, game by game."""
    found = (files("tessella.coach.puzzles").joinpath(f"{title}.jsonl") for title in GAMES)
    return {puzzle.id: puzzle for file in found if file.is_file() for puzzle in read(file.read_text("utf-8"))[1]}


def daily(day: date, puzzles: Sequence[Puzzle]) -> Puzzle:
    """Return the puzzle of a day; each comes once before any is repeated."""
    return puzzles[day.toordinal() % len(puzzles)]
