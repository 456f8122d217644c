"""The games compiled, for millions of moves per second; `tessella.games` is the reference they are tested against.

Without a C compiler the same files run as plain Python: correct, but hundreds of times slower.
"""

import warnings

from tessella.fast import azul, blockers, duel
from tessella.fast.azul import rules as azul_rules
from tessella.fast.blockers import rules as blockers_rules
from tessella.fast.duel import rules as duel_rules

__all__ = ["COMPILED", "azul", "blockers", "duel"]

COMPILED = not any(
    (module.__file__ or "").endswith((".py", ".pyc")) for module in (azul_rules, blockers_rules, duel_rules)
)
"""Whether the games were compiled when Tessella was installed."""

if not COMPILED:
    warnings.warn(
        "the fast games run as plain Python, hundreds of times slower: to compile them, install a C compiler and then "
        "Tessella again",
        RuntimeWarning,
        stacklevel=2,
    )
