"""Public ids of games and matches."""

from hashlib import sha256
from secrets import token_bytes

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
"""Characters that are not easily confused with one another."""

ID_LENGTH = 10


def fresh_id() -> str:
    """Return a random public id for a game or a match."""
    return _spell(token_bytes(ID_LENGTH))


def rematch_id(game_id: str) -> str:
    """Return the id of the one rematch that a game can have, the same everywhere.

    >>> rematch_id("abc") == rematch_id("abc") != rematch_id("abd")
    True
    """
    return _spell(sha256(f"rematch {game_id}".encode()).digest()[:ID_LENGTH])


def event_table_id(event: str, number: int, table: int | None = None) -> str:
    """Return the id of a table of a round of an event, or of the round itself; the same everywhere.

    >>> event_table_id("abc", 1, 2) == event_table_id("abc", 1, 2) != event_table_id("abc", 1)
    True
    """
    return _spell(sha256(f"event {event} {number} {table}".encode()).digest()[:ID_LENGTH])


def scheduled_event_id(schedule: str, starts: float) -> str:
    """Return the id of the event of a schedule that starts at a time; the same everywhere.

    >>> scheduled_event_id("abc", 60.0) == scheduled_event_id("abc", 60.4) != scheduled_event_id("abc", 120.0)
    True
    """
    return _spell(sha256(f"schedule {schedule} {starts:.0f}".encode()).digest()[:ID_LENGTH])


def _spell(data: bytes) -> str:
    return "".join(_ALPHABET[byte % len(_ALPHABET)] for byte in data)
