"""What the oracles of all games have in common: texts and plain data in and out, and a count of the rules they used.

An oracle is a second engine, written from the numbered rules alone. It imports nothing of Tessella: moves and deals
come in as notation, the table goes out (and can be set up) as plain data.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

Table: TypeAlias = Mapping[str, Any]
"""Everything that lies on a table, as plain data: numbers, texts, tuples and dictionaries."""

Turn: TypeAlias = tuple[str, tuple[int, ...]]
"""`chance`, `seats` or `over`, and the seats that may move."""

EMPTY = "."
"""A space of a wall or a dome without a tile."""

CHANCE: Turn = ("chance", ())
OVER: Turn = ("over", ())


class RuleBroken(AssertionError):
    """An act that the rules do not allow was given to an oracle."""


class Oracle(ABC):
    """A mutable table of one game."""

    CLAUSES: tuple[str, ...] = ()
    """Parts of rules that a comparison must exercise by themselves: a rule id and a description."""

    def __init__(self) -> None:
        self.exercised: Counter[str] = Counter()
        """How often each rule, and each clause of it, decided something."""

    def note(self, rule: str, *clauses: str) -> None:
        """Count a rule where it decides something, and the clauses of it that did; an empty clause is none."""
        self.exercised[rule] += 1
        for clause in filter(None, clauses):
            self.exercised[f"{rule} {clause}"] += 1

    @abstractmethod
    def turn(self) -> Turn:
        """Return whose turn it is."""

    @abstractmethod
    def legal(self, seat: int) -> set[str]:
        """Return every move of a seat, in notation."""

    @abstractmethod
    def deal(self, text: str) -> None:
        """Apply what chance decided; raise `RuleBroken` if it cannot."""

    @abstractmethod
    def move(self, seat: int, text: str) -> None:
        """Make a legal move, and what follows from it without a choice."""

    @abstractmethod
    def table(self) -> Table:
        """Return everything that lies on the table."""

    @abstractmethod
    def result(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return scores and places at the end of the game."""


def require(condition: bool, rule: str, problem: str) -> None:
    """Raise `RuleBroken` unless the condition holds."""
    if not condition:
        raise RuleBroken(f"{rule}: {problem}")


def heap_of(counted: Counter[str], colours: str) -> str:
    """Return counted tiles as letters, in the order of the colours."""
    return "".join(colour * counted[colour] for colour in colours)


def places_of(ranks: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return each seat's place by its rank, where more is better; equal ranks share a place."""
    order = sorted(ranks, reverse=True)
    return tuple(order.index(rank) + 1 for rank in ranks)


def run(tiles: Sequence[Sequence[str]], row: int, column: int, down: int, right: int) -> int:
    """Return how many tiles follow each other from a space in one direction, that space not counted."""
    length = 0
    while True:
        row, column = row + down, column + right
        if not (0 <= row < len(tiles) and 0 <= column < len(tiles)) or tiles[row][column] == EMPTY:
            return length
        length += 1
