"""Start the full screen from the command line."""

import argparse
import asyncio
import sys
from collections.abc import Sequence

from textual.screen import Screen

from tessella.core.game import AnyGame
from tessella.core.record import Record
from tessella.games import GAMES
from tessella.terminal.setup import set_up_table
from tessella.terminal.tui.app import Tessella
from tessella.terminal.tui.client import GameClient, LocalClient
from tessella.terminal.tui.game_screen import GameScreen
from tessella.terminal.tui.home_screen import HomeScreen
from tessella.terminal.tui.http import Server, ServerError
from tessella.terminal.tui.join import OPEN, invite, is_link, join, pair
from tessella.terminal.tui.replay_screen import ReplayScreen
from tessella.text.i18n import Translations


def play(options: argparse.Namespace) -> int:
    """Run `tessella play`, locally or on a server, and return the exit code."""
    texts = Translations(options.language)
    try:
        first = _first(options, texts)
    except ServerError as exc:
        sys.stderr.write(f"tessella: {exc}\n")
        return 2
    except (EOFError, KeyboardInterrupt):  # cancelled while asked for a name
        print()
        return 1
    app = Tessella(first, texts, save=options.save or "")
    app.run()
    if app.farewell:
        print(app.farewell)
    return 0


def _first(options: argparse.Namespace, texts: Translations) -> Screen[None]:
    """Return the first screen: a game if the options name one, else the choice of games."""
    link = next((text for text in (options.game, options.server) if is_link(text)), "")
    if link or (options.server and options.game):
        return GameScreen(asyncio.run(_online(options, link, texts)))
    if options.server:
        server = Server(options.server)
        return HomeScreen(server, _own_name(options, server, texts))
    return GameScreen(_local(options, texts)) if options.game else HomeScreen()


def _local(options: argparse.Namespace, texts: Translations) -> GameClient:
    seed = bytes.fromhex(options.seed) if options.seed else None
    players = options.players or [texts("screen.home.me"), "greedy"]
    setup = set_up_table(GAMES[options.game], players, options.option, seed, texts)
    return LocalClient(setup.table, setup.bots)


async def _online(options: argparse.Namespace, link: str, texts: Translations) -> GameClient:
    if link:
        server = Server(link)
        return await join(server, link, _own_name(options, server, texts), texts)
    server, game = Server(options.server), GAMES[options.game]
    if options.pair:
        return await pair(server, game, options.pair, _own_name(options, server, texts), texts)
    players = options.players or [_own_name(options, server, texts), OPEN]
    return await invite(server, game, players, options.option, texts)


def _own_name(options: argparse.Namespace, server: Server, texts: Translations) -> str:
    """Return the player's name: from the options, or asked for, with the last one as the default."""
    if options.players:
        return str(options.players[0])
    known = server.saved.name or texts("screen.home.me")
    return input(f"{texts('screen.home.name')} [{known}] ").strip() or known


def replay(game: AnyGame, record: Record, names: Sequence[str], options: argparse.Namespace) -> int:
    """Run `tessella replay` and return the exit code."""
    Tessella(ReplayScreen(game, record, tuple(names)), Translations(options.language)).run()
    return 0
