"""A progress bar for anything that takes longer than a second; silent where nobody watches."""

import sys
import time
from collections.abc import Collection, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

WIDTH = 30


def progress(things: Collection[T], label: str) -> Iterator[T]:
    """Go through the things and show on the error stream how far we are."""
    return progress_of(things, len(things), label)


def progress_of(things: Iterable[T], total: int, label: str) -> Iterator[T]:
    """The same for things that come one by one, of which there will be at most so many."""
    shown = sys.stderr.isatty()
    began = time.monotonic()
    for done, thing in enumerate(things):
        if shown:
            _show(label, done, total, time.monotonic() - began)
        yield thing
    if shown:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def _show(label: str, done: int, total: int, seconds: float) -> None:
    filled = WIDTH * done // total
    left = f"{seconds / done * (total - done):.0f} s left" if done else ""
    sys.stderr.write(f"\r\x1b[K{label} [{'#' * filled}{'.' * (WIDTH - filled)}] {done}/{total} {left}")
    sys.stderr.flush()
