"""Reading and setting our cookies."""

from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Scope

SESSION = "tessella"
DEVICE = "tessella-device"
"""The cookie of a browser that has logged in before."""

TLS_PREFIX = "__Host-"
"""Browsers accept a cookie with this prefix only from this host over TLS, so no other site can set one."""

YEAR_SECONDS = 31_536_000


def find(scope: Scope, name: str = SESSION) -> str:
    """Return the value of one of our cookies, or an empty text.

    Headers are split as in RFC 6265 and never rejected, because other sites of the domain may set anything. Of two
    cookies with the same name the first counts.
    """
    wanted = _full_name(scope, name)
    for header in (value for key, value in scope["headers"] if key == b"cookie"):
        for pair in header.decode("latin-1").split(";"):
            found, _, value = pair.partition("=")
            if found.strip() == wanted:
                return str(value.strip())
    return ""


def set_on(response: Response, connection: HTTPConnection, value: str, name: str = SESSION) -> None:
    """Add one of our cookies to a response."""
    wanted, secure = _full_name(connection.scope, name), _is_secure(connection.scope)
    response.set_cookie(wanted, value, max_age=YEAR_SECONDS, httponly=True, secure=secure, samesite="lax", path="/")


def _full_name(scope: Scope, name: str) -> str:
    return TLS_PREFIX + name if _is_secure(scope) else name


def _is_secure(scope: Scope) -> bool:
    return scope["scheme"] in ("https", "wss")
