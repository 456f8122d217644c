"""What can go wrong with a store, whichever it is."""

import sqlite3
from importlib import import_module


class Never(Exception):
    """What cannot go wrong here, for PostgreSQL is not used."""


def _of_postgres(name: str) -> type[Exception]:
    try:
        library = import_module("asyncpg")
    except ModuleNotFoundError:
        return Never
    kind: type[Exception] = getattr(library, name)
    return kind


CLASHES = (
    sqlite3.IntegrityError,
    _of_postgres("IntegrityConstraintViolationError"),
    _of_postgres("DeadlockDetectedError"),
    _of_postgres("SerializationError"),
)
"""Two workers wanted the same row: the second gets one of these, and nothing of what it wrote stays."""

STORE_ERRORS = (sqlite3.Error, _of_postgres("PostgresError"), _of_postgres("InterfaceError"), OSError)
"""When the store does not answer: try again later."""
