"""What runs every night instead of on every commit."""

import pytest


def nightly(*values: object) -> list[object]:
    """Return parameters, or tuples of them, that repeat a test with another game, language, size or the like."""
    cases = [value if isinstance(value, tuple) else (value,) for value in values]
    return [pytest.param(*case, marks=pytest.mark.nightly) for case in cases]
