"""The commands that read recorded games and counts: `tessella replay`, `verify` and `perft`."""

import argparse
from pathlib import Path

from tessella.cli.options import add_plain, is_full_screen, style_for
from tessella.core import link, perft, playthrough, record
from tessella.core.notation import decode_text
from tessella.games import GAMES
from tessella.progress import progress
from tessella.terminal.console import console, read_game

# replay


def add_replay(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tessella replay`."""
    _add_file(parser)
    parser.add_argument("--at", type=int, metavar="ACT", help="show the table after this act")
    parser.add_argument("--seen", action="store_true", help="write what each seat saw")
    parser.add_argument("--short", action="store_true", help="write the whole game in one line")
    add_plain(parser)
    parser.set_defaults(run=_replay)


def _replay(options: argparse.Namespace) -> int:
    from tessella.terminal.replay import Replay  # noqa: PLC0415  verify and perft need no renderer

    game, found = read_game(options.file)
    if options.seen:
        print(playthrough.write(game, found), end="")
        return 0
    if options.short:
        print(link.shorten(game, found))
        return 0
    names = found.names or [f"Seat {seat}" for seat in range(record.read_rules(game, found.rules).seats)]
    if is_full_screen(options) and options.at is None:
        from tessella.terminal.tui.run import replay  # noqa: PLC0415  only this needs Textual

        return replay(game, found, names, options)
    viewer = Replay(game, found, style_for(options, names), console())
    if options.at is not None:
        viewer.show(min(options.at, len(found.acts) - 1))
    elif viewer.console.watched:
        viewer.browse()
    else:
        viewer.show_all()
    return 0


# verify


def add_verify(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tessella verify`."""
    _add_file(parser)
    parser.set_defaults(run=_verify)


def _verify(options: argparse.Namespace) -> int:
    game, found = read_game(options.file)
    deals = record.verify(game, found)
    print(f"All {deals} deals and the result follow from the seed and the rules.\n")
    print(f"commitment  {found.commitment.hex()}\nseed        {found.seed.hex()}\n")
    print(
        "This proves that the seed revealed at the end matches the digest published before the game, that every deal\n"
        "follows from it and from the numbers the players added, that every move was legal, and that the score is\n"
        "right. If at least one player's number was random, so were the deals.\n"
        "It does not prove that the host did not look at the seed during the game, nor who made the moves. Compare\n"
        "the commitment with the one you saw before the game: a record forged afterwards has a different one."
    )
    return 0


def _add_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a record, or a game in its one-line form")


# perft


def add_perft(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tessella perft`."""
    parser.add_argument("files", nargs="+", help="files such as records/azul/*.perft")
    parser.set_defaults(run=_perft)


def _perft(options: argparse.Namespace) -> int:
    wrong = 0
    for path in options.files:
        rules, cases = perft.read(decode_text(Path(path).read_bytes(), path))
        game = GAMES[rules.partition("/")[0]]
        for case in progress(cases, Path(path).name):
            for depth, expected, found in perft.check(game, case):
                wrong += expected != found
                mark = "ok" if expected == found else f"WRONG, expected {expected}"
                print(f"{Path(path).name}  depth {depth}  {found:>12,}  {mark}")
    return 1 if wrong else 0
