"""What runs every night instead of on every commit."""

import pytest


def nightly(*values: object) -> list[object]:
    """Return parameters that repeat a test with another game, language, size or the like."""
    return [pytest.param(value, marks=pytest.mark.nightly) for value in values]


def nightly_cases(*cases: tuple[object, ...]) -> list[object]:
    """Return the same for a test with several parameters."""
    return [pytest.param(*case, marks=pytest.mark.nightly) for case in cases]
