"""Reading requests: their sender (caller, session, address, origin), and JSON that can be stored."""

import re

import msgspec
from starlette.requests import HTTPConnection
from starlette.types import Scope

from tessella.server.http import cookies
from tessella.server.people.identity import find_session
from tessella.server.rooms.commands import Caller
from tessella.server.rooms.host import Host
from tessella.server.rooms.room import Room

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What reading JSON raises: not JSON, another type than expected, not text, or nested too deeply."""

ESCAPED_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
"""NUL in a JSON text; after an odd number of backslashes it would be a backslash and letters."""


def address_of(request: HTTPConnection) -> str:
    """Return the IP address of the client; empty if it is unknown."""
    return request.client.host if request.client else ""


def session_id_of(caller: Caller | None) -> str:
    """Return the id of the session of a caller; empty if there is none."""
    return caller.session.id if caller and caller.session else ""


async def find_caller(host: Host, scope: Scope) -> Caller | None:
    """Return who is asking, by cookie or by token."""
    headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
    scheme, _, token = headers.get("authorization", "").partition(" ")
    secret = token if scheme.lower() == "bearer" else cookies.find(scope)
    session = await find_session(host.store, secret) if secret else None
    return Caller(session.person, session) if session else None


def is_same_origin(scope: Scope) -> bool:
    """Return whether a request comes from our own pages or from a program; programs send no cookie by accident."""
    headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host")


def may_watch(room: Room, caller: Caller | None) -> bool:
    """Return whether a caller may watch a table."""
    return room.table.may_watch(room.table.seat_of(caller.person.id_at(room.table)) if caller else None)


def refuse_nul(text: str | bytes | bytearray) -> None:
    r"""Raise `msgspec.ValidationError` if a JSON text contains a NUL, which PostgreSQL cannot store.

    An unescaped NUL is not JSON anyway.

    >>> refuse_nul(r'"a backslash: \\u0000"')
    >>> refuse_nul(r'"a NUL: \u0000"')
    Traceback (most recent call last):
    msgspec.ValidationError: Texts must not contain NUL (\u0000)
    """
    raw = text.encode() if isinstance(text, str) else text
    if rb"\u0000" in raw and ESCAPED_NUL.search(raw):  # most messages hold none, and the first question is cheap
        raise msgspec.ValidationError(r"Texts must not contain NUL (\u0000)")
