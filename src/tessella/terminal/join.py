"""Ways to a table on a server: open one and invite, join by a link, or be paired with anyone."""

import asyncio
from argparse import Namespace
from collections.abc import Awaitable, Callable, Sequence
from urllib.parse import urlsplit

from tessella.core.game import AnyGame
from tessella.games import GAMES
from tessella.terminal.http import Server, ServerError
from tessella.terminal.online import OnlineClient
from tessella.terminal.setup import level_of
from tessella.text.i18n import Translations

OPEN = "open"
"""On the command line: a seat that someone is invited to."""
POLL_SECONDS = 2.0
PACE = "live"


async def invite(
    server: Server, game: AnyGame, players: Sequence[str], options: Sequence[str], texts: Translations
) -> OnlineClient:
    """Open a table: the first player is us, the others are bots or get a link each."""
    me, *others = players
    await server.enter(me)
    seats = [{"kind": "me"}, *(_seat(level_of(game, name, texts)) for name in others)]
    given = {name: value for name, _, value in (option.partition("=") for option in options)}
    made = await server.ask("POST", "/api/games", {"title": game.NAME, "seats": seats, "options": given})
    links = tuple(server.link(made["id"], invitation["secret"]) for invitation in made["invitations"])
    return OnlineClient(server, game, texts, _known(made["id"]), links)


def _seat(level: str) -> dict[str, str]:
    return {"kind": "bot", "level": level} if level else {"kind": "open"}


async def join(server: Server, link: str, name: str, texts: Translations) -> OnlineClient:
    """Take the seat of a link, or return to it."""
    parts = urlsplit(link)
    table = parts.path.rstrip("/").rpartition("/")[2]
    await server.enter(name)
    seen = await server.ask("GET", f"/api/games/{table}")
    if seen["seat"] is None and parts.fragment:
        await server.ask("POST", f"/api/games/{table}/join", {"secret": parts.fragment})
    if seen["title"] not in GAMES:
        raise ServerError("title", f"{seen['title']!r} is not a known game")
    return OnlineClient(server, GAMES[seen["title"]], texts, _known(table))


async def pair(server: Server, game: AnyGame, seats: int, name: str, texts: Translations) -> OnlineClient:
    """Wait for others who want to play the same game."""
    await server.enter(name)
    found = await server.ask("POST", "/api/pairing", {"title": game.NAME, "seats": seats, "pace": PACE})

    async def find() -> str:
        nonlocal found
        table.connection = "pairing"
        while found["state"] != "found":
            await asyncio.sleep(POLL_SECONDS)
            found = await server.ask("GET", "/api/pairing")
        table.connection = "connecting"
        return str(found["game"])

    table = OnlineClient(server, game, texts, find)
    return table


def is_link(text: str) -> bool:
    """Return whether the text is a link to a table.

    >>> is_link("https://club.example/join/abc#secret"), is_link("https://club.example"), is_link("azul")
    (True, False, False)
    """
    return "://" in text and urlsplit(text).path.strip("/") != ""


def is_online(options: Namespace) -> bool:
    """Return whether the options of `tessella play` name a game on a server."""
    return bool(_link(options) or (options.server and options.game))


def _link(options: Namespace) -> str:
    return next((text for text in (options.game, options.server) if is_link(text)), "")


async def online_game(options: Namespace, texts: Translations) -> OnlineClient:
    """Return the game on a server that the options of `tessella play` name: by a link, paired, or opened."""
    link = _link(options)
    if link:
        server = Server(link)
        return await join(server, link, own_name(options, server, texts), texts)
    server, game = Server(options.server), GAMES[options.game]
    if options.pair:
        return await pair(server, game, options.pair, own_name(options, server, texts), texts)
    players = options.players or [own_name(options, server, texts), OPEN]
    return await invite(server, game, players, options.option, texts)


def own_name(options: Namespace, server: Server, texts: Translations) -> str:
    """Return the player's name: from the options, or asked for, with the last one as the default."""
    if options.players:
        return str(options.players[0])
    known = server.saved.name or texts("screen.home.me")
    return input(f"{texts('screen.home.name')} [{known}] ").strip() or known


def _known(table: str) -> Callable[[], Awaitable[str]]:
    async def find() -> str:
        return table

    return find
