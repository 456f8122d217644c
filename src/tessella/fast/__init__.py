"""The same games, compiled, for millions of moves a second; `tessella.games` is the law they are held to.

Where no C compiler was at hand the same files run as plain Python: right, but hundreds of times slower.
"""

import warnings

from tessella.fast import azul, blockers, duel

__all__ = ["COMPILED", "azul", "blockers", "duel"]

COMPILED = not any((module.__file__ or "").endswith(".py") for module in (azul, blockers, duel))
"""Whether the games were compiled when Tessella was installed."""

if not COMPILED:
    warnings.warn(
        "the fast games run as plain Python, hundreds of times slower: to compile them, install a C compiler and then "
        "Tessella again",
        RuntimeWarning,
        stacklevel=2,
    )
