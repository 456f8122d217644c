"""Ways to a table at a server: set one and invite, join by a link, or be paired with anybody."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from urllib.parse import urlsplit

from tessella.core.game import AnyGame
from tessella.games import GAMES
from tessella.terminal.screen.online import Online
from tessella.terminal.screen.server import Refused, Server
from tessella.terminal.setting import level_of
from tessella.terminal.words import Words

OPEN = "open"
"""On the command line: a seat for whoever gets its link."""
ASK_AGAIN_SECONDS = 2.0
PACE = "live"


async def invite(server: Server, game: AnyGame, players: Sequence[str], options: Sequence[str], words: Words) -> Online:
    """Set a table: the first player is us, the others are computer players or get a link each."""
    me, *others = players
    await server.enter(me)
    seats = [{"kind": "me"}, *(_seat(level_of(game, name, words)) for name in others)]
    given = {name: value for name, _, value in (option.partition("=") for option in options)}
    made = await server.ask("POST", "/api/games", {"title": game.NAME, "seats": seats, "options": given})
    links = tuple(server.link(made["id"], invitation["secret"]) for invitation in made["invitations"])
    return Online(server, game, words, _known(made["id"]), links)


def _seat(level: str) -> dict[str, str]:
    return {"kind": "bot", "level": level} if level else {"kind": "open"}


async def join(server: Server, link: str, name: str, words: Words) -> Online:
    """Sit down by a link; who sits there already comes back."""
    parts = urlsplit(link)
    table = parts.path.rstrip("/").rpartition("/")[2]
    await server.enter(name)
    seen = await server.ask("GET", f"/api/games/{table}")
    if seen["seat"] is None and parts.fragment:
        await server.ask("POST", f"/api/games/{table}/join", {"secret": parts.fragment})
    if seen["title"] not in GAMES:
        raise Refused("title", f"{seen['title']!r} is not a game that we know")
    return Online(server, GAMES[seen["title"]], words, _known(table))


async def pair(server: Server, game: AnyGame, seats: int, name: str, words: Words) -> Online:
    """Wait for others who want to play the same."""
    await server.enter(name)
    found = await server.ask("POST", "/api/pairing", {"title": game.NAME, "seats": seats, "pace": PACE})

    async def find() -> str:
        nonlocal found
        table.line = "pairing"
        while found["state"] != "found":
            await asyncio.sleep(ASK_AGAIN_SECONDS)
            found = await server.ask("GET", "/api/pairing")
        table.line = "connecting"
        return str(found["game"])

    table = Online(server, game, words, find)
    return table


def is_link(text: str) -> bool:
    """Whether the text leads to a table.

    >>> is_link("https://club.example/join/abc#secret"), is_link("https://club.example"), is_link("azul")
    (True, False, False)
    """
    return "://" in text and urlsplit(text).path.strip("/") != ""


def _known(table: str) -> Callable[[], Awaitable[str]]:
    async def find() -> str:
        return table

    return find
