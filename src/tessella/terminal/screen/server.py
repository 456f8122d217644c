"""A server, as this client knows it: questions over HTTP, and what must be remembered between two visits.

What is remembered is a small file of the reader's own: the cookie by which the server knows us, and our numbers for
the dice, so that somebody who starts the client again is back in the game.
"""

import asyncio
import os
import secrets
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from tessella.core.game import Seat

TIMEOUT = 20


class Refused(ValueError):
    """The server does not do that; `rule` is its word for why."""

    def __init__(self, rule: str, why: str) -> None:
        super().__init__(why)
        self.rule = rule


class Remembered(Struct):
    """What is kept of one server."""

    cookie: str = ""
    name: str = ""
    """What we were called when we were here last."""
    numbers: dict[str, str] = {}
    """Our numbers for the dice, by game and seat: a promise is kept also by who comes back."""


class Memory:
    """The file in which servers are remembered; only its owner may read it."""

    def __init__(self, path: Path | None = None) -> None:
        home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
        self.path = path or home / "tessella" / "servers.json"

    def read(self) -> dict[str, Remembered]:
        """All servers; a file that cannot be read is as good as none."""
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=dict[str, Remembered])
        except (OSError, msgspec.DecodeError):
            return {}

    def write(self, servers: Mapping[str, Remembered]) -> None:
        """Keep it, for nobody else's eyes."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(f".{secrets.token_hex(4)}")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.encode(servers))
        fresh.replace(self.path)


class Server:
    """A server that we talk to, as a guest with a name."""

    def __init__(self, address: str, memory: Memory | None = None) -> None:
        parts = urlsplit(address if "://" in address else f"http://{address}")
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self._memory = memory or Memory()
        self.known = self._memory.read().get(self.origin) or Remembered()

    @property
    def headers(self) -> dict[str, str]:
        """By what the server knows us."""
        return {"cookie": self.known.cookie} if self.known.cookie else {}

    def socket(self, game: str) -> str:
        """Where the socket of a table is."""
        return f"ws{self.origin.removeprefix('http')}/api/games/{game}/socket"

    def link(self, game: str, secret: str) -> str:
        """What to send to who is invited; it opens in a browser, and `tessella play` takes it too."""
        return f"{self.origin}/join/{game}#{secret}"

    def own_number(self, game: str, seat: Seat) -> str:
        """Our number for the dice of a game: drawn once and kept."""
        name = f"{game}.{seat}"
        if name not in self.known.numbers:
            self.known.numbers[name] = secrets.token_hex(32)
            self._remember()
        return self.known.numbers[name]

    def forget_number(self, game: str, seat: Seat) -> None:
        """Who sits down again promises a new number: the old one has been seen."""
        if self.known.numbers.pop(f"{game}.{seat}", None):
            self._remember()

    async def enter(self, name: str) -> None:
        """Say who we are."""
        self.known.name = name
        await self.ask("POST", "/api/session", {"name": name})

    async def ask(self, method: str, path: str, body: Mapping[str, object] | None = None) -> Any:  # noqa: ANN401
        """Ask, and read the answer; raise `Refused` if there is none, or the server does not do that."""
        return await asyncio.to_thread(self._ask, method, path, body)

    def _ask(self, method: str, path: str, body: Mapping[str, object] | None) -> Any:  # noqa: ANN401
        data = None if body is None else msgspec.json.encode(body)
        headers = self.headers | ({"content-type": "application/json"} if data else {})
        request = urllib.request.Request(self.origin + path, data, headers, method=method)  # noqa: S310  the user's own server
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310
                self._keep_cookie(answer.headers.get("set-cookie", ""))
                return msgspec.json.decode(answer.read())
        except urllib.error.HTTPError as wrong:
            with wrong:
                raise _refusal(wrong.code, wrong.read()) from None
        except (OSError, msgspec.DecodeError) as wrong:
            raise Refused("network", f"{self.origin} does not answer ({wrong})") from None

    def _keep_cookie(self, cookie: str) -> None:
        if cookie:
            self.known.cookie = cookie.partition(";")[0]
            self._remember()

    def _remember(self) -> None:
        self._memory.write({**self._memory.read(), self.origin: self.known})


def _refusal(code: int, body: bytes) -> Refused:
    try:
        said = msgspec.json.decode(body, type=dict[str, str])
    except msgspec.DecodeError:
        return Refused(str(code), f"the server answers {code}")
    return Refused(said.get("rule", str(code)), said.get("why", f"the server answers {code}"))
