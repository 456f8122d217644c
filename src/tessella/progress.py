"""A progress bar on the error stream, shown only on a terminal."""

import sys
import time
from collections.abc import Collection, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

BAR_COLUMNS = 30


def progress(items: Collection[T], label: str) -> Iterator[T]:
    """Yield the items while showing the progress."""
    return progress_of(items, len(items), label)


def progress_of(items: Iterable[T], total: int, label: str) -> Iterator[T]:
    """Yield the items of an iterable of at most `total` items while showing the progress."""
    shown = sys.stderr.isatty()
    start = time.monotonic()
    for done, item in enumerate(items):
        if shown:
            _show(label, done, total, time.monotonic() - start)
        yield item
    if shown:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def _show(label: str, done: int, total: int, seconds: float) -> None:
    filled = BAR_COLUMNS * done // total
    left = f"{seconds / done * (total - done):.0f} s left" if done else ""
    sys.stderr.write(f"\r\x1b[K{label} [{'#' * filled}{'.' * (BAR_COLUMNS - filled)}] {done}/{total} {left}")
    sys.stderr.flush()
