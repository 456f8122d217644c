"""The layout of an observation: fields with named axes, one after the other.

An observation is a row of small integers. Boards and colours are ordered from the observing seat: its own come
first, then those of the next seats in turn. It contains nothing that the seat may not know.
"""

from collections.abc import Iterator, Sequence
from math import prod

from msgspec import Struct


class Field(Struct, frozen=True):
    """Numbers of an observation that belong together, from 0 to `most`."""

    name: str
    axes: tuple[tuple[str, int], ...]
    most: int
    about: str

    @property
    def size(self) -> int:
        """The number of values."""
        return prod(length for _, length in self.axes)


def size(fields: Sequence[Field]) -> int:
    """Return the length of an observation."""
    return sum(field.size for field in fields)


def places(fields: Sequence[Field]) -> Iterator[tuple[Field, slice]]:
    """Yield each field with its slice of an observation."""
    first = 0
    for field in fields:
        yield field, slice(first, first + field.size)
        first += field.size


def most(fields: Sequence[Field]) -> list[int]:
    """Return the maximum of each number of an observation: divide by it to scale to 0 … 1."""
    return [field.most for field in fields for _ in range(field.size)]
