"""Seeds of games: repeatable once a seed was given, fresh from the operating system until then."""

import secrets
from collections.abc import Sequence
from random import Random


class Seeds:
    """The seeds of an environment's games.

    Until a seed is given, each comes from the operating system: processes, copies and pickles never repeat each other.

    >>> one, two = Seeds(), Seeds()
    >>> one.next() != two.next(), one.next(7) == two.next(7), one.next() == two.next()
    (True, True, True)
    """

    def __init__(self) -> None:
        self._rng: Random | None = None

    def next(self, seed: int | Sequence[int | None] | None = None) -> int:
        """Return the seed of the next game, 64 bits; `seed` starts a sequence that can be repeated."""
        if seed is not None:
            self._rng = Random(repr(seed))  # noqa: S311
        return self._rng.getrandbits(64) if self._rng else secrets.randbits(64)
