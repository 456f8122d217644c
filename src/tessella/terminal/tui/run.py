"""Start the full screen from the command line."""

import argparse
import asyncio
import sys
from collections.abc import Sequence

from textual.screen import Screen

from tessella.core.game import AnyGame
from tessella.core.record import Record
from tessella.terminal.client import LocalClient
from tessella.terminal.http import Server, ServerError
from tessella.terminal.join import is_online, online_game, own_name
from tessella.terminal.saving import SaveFile
from tessella.terminal.setup import local_game
from tessella.terminal.tui.app import Tessella
from tessella.terminal.tui.game_screen import GameScreen
from tessella.terminal.tui.home_screen import HomeScreen
from tessella.terminal.tui.replay_screen import ReplayScreen
from tessella.text.i18n import Translations


def play(options: argparse.Namespace) -> int:
    """Run `tessella play`, locally or on a server, and return the exit code."""
    texts = Translations(options.language)
    save = SaveFile(options.save, texts)
    try:
        first = _first(options, texts, save)
    except ServerError as exc:
        sys.stderr.write(f"tessella: {exc}\n")
        return 2
    except (EOFError, KeyboardInterrupt):  # cancelled while asked for a name
        print()
        return 1
    app = Tessella(first, texts, save=save)
    app.run()
    if save.message:
        print(save.message)
    return 0


def _first(options: argparse.Namespace, texts: Translations, save: SaveFile) -> Screen[None]:
    """Return the first screen: a game if the options name one, else the choice of games."""
    if is_online(options):
        return GameScreen(asyncio.run(online_game(options, texts)))
    if options.server:
        server = Server(options.server)
        return HomeScreen(server, own_name(options, server, texts))
    return GameScreen(LocalClient(local_game(options, texts), save.keep)) if options.game else HomeScreen()


def replay(game: AnyGame, record: Record, names: Sequence[str], options: argparse.Namespace) -> int:
    """Run `tessella replay` and return the exit code."""
    Tessella(ReplayScreen(game, record, tuple(names)), Translations(options.language)).run()
    return 0
