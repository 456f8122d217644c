"""Tessella: a home for tile-laying games, for players, hosts and researchers."""


def __getattr__(name: str) -> str:
    """Return `__version__`, looked up only when it is asked for: that loads a tenth of the standard library."""
    if name != "__version__":
        raise AttributeError(f"module 'tessella' has no attribute {name!r}")

    from importlib.metadata import version  # noqa: PLC0415

    return version("tessella")
