"""HTTP requests to a server, and what is saved about it between two sessions.

A small file holds the session cookie and the numbers for the dice, so that a player who restarts the client is back
in the game.
"""

import asyncio
import os
import secrets
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from tessella.core.game import Seat

TIMEOUT_SECONDS = 20


class ServerError(ValueError):
    """The server rejected a request, or did not answer; `rule` is its error code, `status` that of HTTP, if any."""

    def __init__(self, rule: str, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.rule = rule
        self.status = status

    @property
    def is_passing(self) -> bool:
        """Whether the same request may succeed later: no answer, an overloaded server, or a rate limit."""
        return self.status in (0, 429) or self.status >= 500


class SavedServer(Struct):
    """What is saved about one server."""

    cookie: str = ""
    name: str = ""
    """The name used last on this server."""
    numbers: dict[str, str] = {}
    """The numbers for the dice, by game and seat: a commitment must survive a restart."""


class SavedServers:
    """The file of saved servers, readable only by its owner."""

    def __init__(self, path: Path | None = None) -> None:
        given = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")  # the latter on Windows
        home = Path(given) if given else Path.home() / ".local" / "share"
        self.path = path or home / "tessella" / "servers.json"

    def read(self) -> dict[str, SavedServer]:
        """Return the saved servers; none if the file cannot be read."""
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=dict[str, SavedServer])
        except (OSError, msgspec.DecodeError):
            return {}

    def write(self, servers: Mapping[str, SavedServer]) -> None:
        """Replace the file, readable only by its owner."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(f".{secrets.token_hex(4)}")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.encode(servers))
        fresh.replace(self.path)


class Server:
    """A server that this client plays on, as a guest with a name."""

    def __init__(self, address: str, file: SavedServers | None = None) -> None:
        parts = urlsplit(address if "://" in address else f"http://{address}")
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self._file = file or SavedServers()
        self.saved = self._file.read().get(self.origin) or SavedServer()

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers that identify the session."""
        return {"cookie": self.saved.cookie} if self.saved.cookie else {}

    def socket(self, game: str) -> str:
        """Return the address of a table's socket."""
        return f"ws{self.origin.removeprefix('http')}/api/games/{game}/socket"

    def link(self, game: str, secret: str) -> str:
        """Return an invitation link for a browser or for `tessella play`."""
        return f"{self.origin}/join/{game}#{secret}"

    def own_number(self, game: str, seat: Seat) -> str:
        """Return the number for the dice of a game, drawn once and saved."""
        name = f"{game}.{seat}"
        if name not in self.saved.numbers:
            self.saved.numbers[name] = secrets.token_hex(32)
            self._save()
        return self.saved.numbers[name]

    def forget_number(self, game: str, seat: Seat) -> None:
        """Forget the number: a new game at this seat needs a new one, since the old one was revealed."""
        if self.saved.numbers.pop(f"{game}.{seat}", None):
            self._save()

    async def enter(self, name: str) -> None:
        """Log in as a guest."""
        self.saved.name = name
        await self.ask("POST", "/api/session", {"name": name})

    async def ask(self, method: str, path: str, body: Mapping[str, object] | None = None) -> Any:  # noqa: ANN401
        """Return the answer to a request; raise `ServerError` if it was rejected or not answered."""
        return await asyncio.to_thread(self._ask, method, path, body)

    def _ask(self, method: str, path: str, body: Mapping[str, object] | None) -> Any:  # noqa: ANN401
        headers, answer = send(self.origin, method, path, self.headers, body)
        self._save_cookie(headers.get("set-cookie", ""))
        try:
            return msgspec.json.decode(answer)
        except msgspec.DecodeError as exc:
            raise ServerError("network", f"{self.origin} does not answer ({exc})") from None

    def _save_cookie(self, cookie: str) -> None:
        if cookie:
            self.saved.cookie = cookie.partition(";")[0]
            self._save()

    def _save(self) -> None:
        self._file.write({**self._file.read(), self.origin: self.saved})


def send(
    origin: str, method: str, path: str, headers: Mapping[str, str], body: object | None
) -> tuple[Mapping[str, str], bytes]:
    """Return the headers and the body of the answer; raise `ServerError` if the request is rejected or not answered."""
    data = None if body is None else msgspec.json.encode(body)
    sent = {**headers, **({"content-type": "application/json"} if data else {})}
    request = urllib.request.Request(origin + path, data, sent, method=method)  # noqa: S310  the user's own server
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310
            return answer.headers, answer.read()
    except urllib.error.HTTPError as exc:
        with exc:
            raise _error(exc.code, exc.read()) from None
    except (OSError, HTTPException) as exc:
        raise ServerError("network", f"{origin} does not answer ({exc})") from None


def _error(code: int, body: bytes) -> ServerError:
    try:
        fields = msgspec.json.decode(body, type=dict[str, str])
    except msgspec.DecodeError:
        return ServerError(str(code), f"the server answers {code}", code)
    return ServerError(fields.get("rule", str(code)), fields.get("message", f"the server answers {code}"), code)
