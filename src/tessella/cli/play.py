"""The command `tessella play`."""

import argparse
from importlib.util import find_spec
from pathlib import Path
from string import hexdigits

from tessella.bots import METHODS, Bot, bot
from tessella.cli.options import add_plain, add_rules, is_full_screen, style_for
from tessella.core import record
from tessella.core.game import BadNotation, Seat
from tessella.games import GAMES
from tessella.terminal.console import console
from tessella.terminal.play import LocalGame
from tessella.terminal.setup import set_up_table
from tessella.text.i18n import Translations


def add_play(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tessella play`."""
    games = f"{', '.join(GAMES)}, or a link to a table on a server; if left out, you are asked"
    parser.add_argument("game", nargs="?", default="", type=_playable, help=games)
    players = f"a name per seat; the bots are {', '.join(METHODS)} and the levels of the game, by number or name"
    parser.add_argument("players", nargs="*", help=f"{players}; on a server, open is a seat you invite someone to")
    add_rules(parser)
    parser.add_argument("--server", metavar="URL", default="", help="play on this server")
    parser.add_argument(
        "--pair", type=int, metavar="SEATS", default=0, help="with --server: join a game of SEATS players with anyone"
    )
    parser.add_argument("--seed", type=_seed, help="the seed of the deals: 64 hexadecimal digits")
    parser.add_argument("--save", metavar="FILE", help="write the game to this file at the end")
    add_plain(parser)
    parser.set_defaults(run=_play)


def _play(options: argparse.Namespace) -> int:
    if options.pair and not options.server:
        raise BadNotation("--pair needs --server")
    if is_full_screen(options):
        from tessella.terminal.tui.run import play  # noqa: PLC0415  only this needs Textual

        return play(options)
    texts = Translations(options.language)
    if options.server or "://" in options.game:
        missing = "" if find_spec("textual") else " (pip install 'tessella[terminal]')"
        raise BadNotation(texts("screen.offline_only") + missing)
    if not options.game:
        raise BadNotation(texts("screen.which_game", games=", ".join(GAMES)))
    return _play_plain(options, texts)


def _play_plain(options: argparse.Namespace, texts: Translations) -> int:
    game = GAMES[options.game]
    seed = bytes.fromhex(options.seed) if options.seed else None
    setup = set_up_table(game, options.players or [texts("screen.home.me"), "greedy"], options.option, seed, texts)
    bots: dict[Seat, Bot] = {seat: bot(game, level) for seat, level in setup.bots.items()}
    LocalGame(setup.table, bots, style_for(options, setup.names), console()).play()
    if options.save:
        Path(options.save).write_text(record.write(setup.table.record()), "utf-8")
        print(texts("saved", file=options.save))
    return 0


def _playable(text: str) -> str:
    if text and text not in GAMES and "://" not in text:
        raise argparse.ArgumentTypeError(f"{text!r} is neither {', '.join(GAMES)} nor a link")
    return text


def _seed(text: str) -> str:
    if len(text) != 64 or set(text) - set(hexdigits):
        raise argparse.ArgumentTypeError(f"{text!r} is not a seed; a seed is 64 hexadecimal digits")
    return text
