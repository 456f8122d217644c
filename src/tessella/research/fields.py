"""What the numbers of an observation mean: fields with named axes, one after the other.

An observation is a row of small whole numbers. Boards and colours are written from the seat that looks: its own come
first, then those of the next seats in turn. Nothing that the seat may not know is in it.
"""

from collections.abc import Iterator, Sequence
from math import prod

from msgspec import Struct


class Field(Struct, frozen=True):
    """Some numbers that belong together, none of them above `most`."""

    name: str
    axes: tuple[tuple[str, int], ...]
    most: int
    about: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(length for _, length in self.axes)


def size(fields: Sequence[Field]) -> int:
    """The length of an observation."""
    return sum(field.size for field in fields)


def places(fields: Sequence[Field]) -> Iterator[tuple[Field, slice]]:
    """Each field, and where it lies in an observation."""
    first = 0
    for field in fields:
        yield field, slice(first, first + field.size)
        first += field.size


def most(fields: Sequence[Field]) -> list[int]:
    """The greatest that each number of an observation can be: divide by it for numbers up to 1."""
    return [field.most for field in fields for _ in range(field.size)]
