"""What runs every night instead of on every commit."""

import pytest


def nightly(*values: object) -> list[object]:
    """Return parameters that repeat in another game, language, size or the like what the first ones cover."""
    return [pytest.param(value, marks=pytest.mark.nightly) for value in values]
