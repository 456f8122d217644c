"""From the command line to the screen."""

import argparse
import asyncio
import sys
from collections.abc import Sequence

from textual.screen import Screen

from tessella.core.game import AnyGame
from tessella.core.record import Record
from tessella.games import GAMES
from tessella.terminal.screen.app import Tessella
from tessella.terminal.screen.home import Home
from tessella.terminal.screen.playing import Playing
from tessella.terminal.screen.replaying import Replaying
from tessella.terminal.screen.server import Refused, Server
from tessella.terminal.screen.start import OPEN, invite, is_link, join, pair
from tessella.terminal.screen.table import Here, Table
from tessella.terminal.setting import set_table
from tessella.terminal.words import Words


def play(options: argparse.Namespace) -> int:
    """`tessella play`: at this keyboard, or at a server."""
    words = Words(options.language)
    try:
        first = _first(options, words)
    except Refused as wrong:
        sys.stderr.write(f"tessella: {wrong}\n")
        return 2
    except (EOFError, KeyboardInterrupt):  # who was asked for a name would rather not
        print()
        return 1
    app = Tessella(first, words, save=options.save or "")
    app.run()
    if app.farewell:
        print(app.farewell)
    return 0


def _first(options: argparse.Namespace, words: Words) -> Screen[None]:
    """The screen to begin with: a table if it is clear which, else the question what to play."""
    link = next((text for text in (options.game, options.server) if is_link(text)), "")
    if link or (options.server and options.game):
        return Playing(asyncio.run(_online(options, link, words)))
    if options.server:
        server = Server(options.server)
        return Home(server, _me(options, server, words))
    return Playing(_here(options, words)) if options.game else Home()


def _here(options: argparse.Namespace, words: Words) -> Table:
    seed = bytes.fromhex(options.seed) if options.seed else None
    players = options.players or [words("screen.home.me"), "greedy"]
    setting = set_table(GAMES[options.game], players, options.option, seed, words)
    return Here(setting.table, setting.bots)


async def _online(options: argparse.Namespace, link: str, words: Words) -> Table:
    if link:
        server = Server(link)
        return await join(server, link, _me(options, server, words), words)
    server, game = Server(options.server), GAMES[options.game]
    if options.pair:
        return await pair(server, game, options.pair, _me(options, server, words), words)
    players = options.players or [_me(options, server, words), OPEN]
    return await invite(server, game, players, options.option, words)


def _me(options: argparse.Namespace, server: Server, words: Words) -> str:
    """What others will call us: as we say, or as we were called at this server before."""
    if options.players:
        return str(options.players[0])
    known = server.known.name or words("screen.home.me")
    return input(f"{words('screen.home.name')} [{known}] ").strip() or known


def replay(game: AnyGame, record: Record, names: Sequence[str], options: argparse.Namespace) -> int:
    """`tessella replay`."""
    Tessella(Replaying(game, record, tuple(names)), Words(options.language)).run()
    return 0
