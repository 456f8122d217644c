"""Where a person reads and types: a terminal, a pipe, or a test."""

import sys
from collections.abc import Callable

from msgspec import Struct


class Console(Struct, frozen=True):
    """How to ask and how to say. `watched` is whether a person sits there who can be asked twice."""

    ask: Callable[[str], str]
    say: Callable[[str], None]
    watched: bool

    def clear(self) -> None:
        """Take away what the next person must not see."""
        self.say("\x1b[2J\x1b[3J\x1b[H" if self.watched else "\n" * 3)


def console() -> Console:
    """The console of this process."""
    return Console(ask=input, say=print, watched=sys.stdin.isatty() and sys.stdout.isatty())
