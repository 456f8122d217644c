"""The command `tessella play`."""

import argparse
import asyncio
from pathlib import Path
from string import hexdigits

from tessella.bots import METHODS
from tessella.cli.options import add_plain, add_rules, is_full_screen, style_for
from tessella.core.game import BadNotation
from tessella.games import GAMES
from tessella.terminal.console import console
from tessella.terminal.play import PlainGame
from tessella.terminal.saving import SaveFile
from tessella.terminal.setup import local_game
from tessella.text.i18n import Translations


def add_play(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tessella play`."""
    games = f"{', '.join(GAMES)}, a file of --save to go on with, or a link to a table; if left out, you are asked"
    parser.add_argument("game", nargs="?", default="", type=_playable, help=games)
    players = f"a name per seat; the bots are {', '.join(METHODS)} and the levels of the game, by number or name"
    parser.add_argument("players", nargs="*", help=f"{players}; on a server, open is a seat you invite someone to")
    add_rules(parser)
    parser.add_argument("--server", metavar="URL", default="", help="play on this server")
    parser.add_argument(
        "--pair", type=int, metavar="SEATS", default=0, help="with --server: join a game of SEATS players with anyone"
    )
    parser.add_argument("--seed", type=_seed, help="the seed of the deals: 64 hexadecimal digits")
    parser.add_argument("--save", metavar="FILE", default="", help="keep the game in this file, after every move")
    add_plain(parser)
    parser.set_defaults(run=_play)


def _play(options: argparse.Namespace) -> int:
    if options.game not in GAMES and _is_file(options.game):
        options.save = options.save or options.game
    if options.pair and not options.server:
        raise BadNotation("--pair needs --server")
    if is_full_screen(options):
        from tessella.terminal.tui.run import play  # noqa: PLC0415  only this needs Textual

        return play(options)
    texts = Translations(options.language)
    if not options.game:
        raise BadNotation(texts("screen.which_game", games=", ".join(GAMES)))
    if options.server or "://" in options.game:
        return _play_online(options, texts)
    return _play_plain(options, texts)


def _play_online(options: argparse.Namespace, texts: Translations) -> int:
    from tessella.terminal.http import ServerError  # noqa: PLC0415  only this needs a network
    from tessella.terminal.join import online_game  # noqa: PLC0415
    from tessella.terminal.play_online import play_online  # noqa: PLC0415

    save = SaveFile(options.save, texts)
    try:
        client = asyncio.run(online_game(options, texts))
    except ServerError as exc:
        raise BadNotation(str(exc)) from None
    except (EOFError, KeyboardInterrupt):  # cancelled while asked for a name
        print()
        return 1
    play_online(client, style_for(options, ()), console())
    if (played := client.record()) is not None:
        save.keep(played)
    if save.message:
        print(save.message)
    return 0


def _play_plain(options: argparse.Namespace, texts: Translations) -> int:
    save, local = SaveFile(options.save, texts), local_game(options, texts)
    PlainGame(local, style_for(options, local.record().names), console(), save.keep).play()
    if save.message:
        print(save.message)
    return 0


def _playable(text: str) -> str:
    if text and text not in GAMES and "://" not in text and not _is_file(text):
        raise argparse.ArgumentTypeError(f"{text!r} is neither {', '.join(GAMES)}, nor a saved game, nor a link")
    return text


def _is_file(text: str) -> bool:
    return Path(text).suffix == ".game" or Path(text).is_file()


def _seed(text: str) -> str:
    if len(text) != 64 or set(text) - set(hexdigits):
        raise argparse.ArgumentTypeError(f"{text!r} is not a seed; a seed is 64 hexadecimal digits")
    return text
