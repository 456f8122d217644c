"""A mutant: the running program with one guard switched off."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct


class Mutant(Struct, frozen=True):
    """A guard that is switched off, and the proof that must notice it."""

    guard: str
    proof: str
    size: int
    """A size at which the proof notices it."""
    plant: Callable[[], None]
    """Switches the guard off. It imports what it patches, so that nothing has bound the guard by name before."""


def patch(where: object, name: str, make: Callable[[Any], Any]) -> None:
    """Replace an attribute by what `make` returns for it."""
    setattr(where, name, make(getattr(where, name)))
