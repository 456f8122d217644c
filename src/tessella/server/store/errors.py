"""The exceptions that stores raise, for either database."""

import sqlite3
from importlib import import_module


class Never(Exception):
    """Stands for the exceptions of PostgreSQL where its driver is not installed; never raised."""


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
"""Raised when two workers write the same row: the second one is rolled back."""

STORE_ERRORS = (sqlite3.Error, _of_postgres("PostgresError"), _of_postgres("InterfaceError"), OSError)
"""Raised when the store is unavailable: try again later."""
