"""The command `tessella`."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from string import hexdigits
from typing import TypeAlias

from tessella import shell
from tessella.arena.commands import add_commands as add_arena
from tessella.bench import games as bench_games
from tessella.bots import METHODS, Bot, bot
from tessella.core import perft, playthrough, record, short
from tessella.core.game import BadNotation, Seat
from tessella.games import GAMES
from tessella.prove.commands import add_commands as add_prove
from tessella.server.commands import add_commands
from tessella.server.extras import advice
from tessella.terminal.coaching import add_commands as add_coaching
from tessella.terminal.console import console
from tessella.terminal.files import read_game
from tessella.terminal.pen import Pen, terminal_width, wants_colour
from tessella.terminal.play import Game
from tessella.terminal.progress import progress
from tessella.terminal.replay import Replay
from tessella.terminal.setting import read_config, set_table
from tessella.terminal.words import LANGUAGES, Words, preferred_language
from tessella.train.commands import add_commands as add_train

AddParser: TypeAlias = Callable[..., argparse.ArgumentParser]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code says whether all is well."""
    options = parser().parse_args(arguments)
    try:
        code: int = options.run(options)
    except (BadNotation, FileNotFoundError) as wrong:
        print(f"tessella: {wrong}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as missing:
        if (words := advice(missing)) is None:
            raise
        print(f"tessella: {words}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # whoever read our output has seen enough
        sys.stderr.close()
        return 0
    return code


# play


def _play(options: argparse.Namespace) -> int:
    if options.pair and not options.server:
        raise BadNotation("--pair needs --server")
    if _full_screen(options):
        from tessella.terminal.screen.run import play  # noqa: PLC0415  only this needs Textual

        return play(options)
    words = Words(options.language)
    if options.server or "://" in options.game:
        missing = "" if find_spec("textual") else " (pip install 'tessella[terminal]')"
        raise BadNotation(words("screen.offline_only") + missing)
    if not options.game:
        raise BadNotation(words("screen.which_game", games=", ".join(GAMES)))
    game = GAMES[options.game]
    seed = bytes.fromhex(options.seed) if options.seed else None
    setting = set_table(game, options.players or [words("screen.home.me"), "greedy"], options.option, seed, words)
    bots: dict[Seat, Bot] = {seat: bot(game, level) for seat, level in setting.bots.items()}
    Game(setting.table, bots, _pen(options, setting.names), console()).play()
    if options.save:
        Path(options.save).write_text(record.write(setting.table.record()), "utf-8")
        print(words("saved", file=options.save))
    return 0


def _full_screen(options: argparse.Namespace) -> bool:
    """Whether to use the whole screen: on a terminal, with Textual, unless plain text is wanted."""
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return on_terminal and not (options.plain or options.aloud) and find_spec("textual") is not None


# replay, verify, perft


def _replay(options: argparse.Namespace) -> int:
    game, found = read_game(options.file)
    if options.seen:
        print(playthrough.write(game, found), end="")
        return 0
    if options.short:
        print(short.shorten(game, found))
        return 0
    names = found.names or [f"Seat {seat}" for seat in range(record.read_rules(game, found.rules).seats)]
    if _full_screen(options) and options.at is None:
        from tessella.terminal.screen.run import replay  # noqa: PLC0415  only this needs Textual

        return replay(game, found, names, options)
    viewer = Replay(game, found, _pen(options, names), console())
    if options.at is not None:
        viewer.show(min(options.at, len(found.acts) - 1))
    elif viewer.console.watched:
        viewer.browse()
    else:
        viewer.show_all()
    return 0


def _verify(options: argparse.Namespace) -> int:
    game, found = read_game(options.file)
    deals = record.verify(game, found)
    print(f"All {deals} deals, and the result, are what the seed and the rules make them.\n")
    print(f"commitment  {found.commitment.hex()}\nseed        {found.seed.hex()}\n")
    print(
        "This proves: the seed that was shown at the end is the one that was promised before the game by its digest;\n"
        "every deal follows from it and from the numbers that the players added; every move was legal; the score is\n"
        "right. If one player's number was random, the deals were.\n"
        "It does not prove that the host did not look at the seed during the game, nor who made the moves. Compare\n"
        "the commitment with the one that you saw before the game: a record that was made up afterwards has another."
    )
    return 0


def _perft(options: argparse.Namespace) -> int:
    wrong = 0
    for path in options.files:
        rules, cases = perft.read(Path(path).read_text("utf-8"))
        game = GAMES[rules.partition("/")[0]]
        for case in progress(cases, Path(path).name):
            for depth, expected, found in perft.check(game, case):
                wrong += expected != found
                mark = "ok" if expected == found else f"WRONG, must be {expected}"
                print(f"{Path(path).name}  depth {depth}  {found:>12,}  {mark}")
    return 1 if wrong else 0


# bench


def _bench_games(options: argparse.Namespace) -> int:
    game = GAMES[options.game]
    speed = bench_games.measure(game, read_config(game, None, options.option), options.seconds)
    print(f"{game.NAME}: {speed.moves_per_s:,.0f} random moves a second of CPU time")
    print(f"  {speed.moves:,} moves in {speed.games:,} games; the gate is {speed.gate:,}")
    if options.json:
        print(json.dumps({"moves_per_s": round(speed.moves_per_s), "moves": speed.moves, "gate": speed.gate}))
    return 0 if speed.passed else 1


def _bench_server(options: argparse.Namespace) -> int:
    from tessella.bench import server  # noqa: PLC0415  only this needs all that a server needs

    try:
        report = server.run(options.database, options.seconds)
    except OSError as wrong:
        print(f"tessella: {wrong}", file=sys.stderr)
        return 2
    print(report)
    if options.json:
        print(report.json())
    return 0 if report.passed else 1


def _bench_fast(options: argparse.Namespace) -> int:
    from tessella.bench import fast  # noqa: PLC0415  only this needs NumPy

    report = fast.run(options.seconds)
    print(report)
    if options.plot:
        print(report.plot())
    if options.json:
        print(report.json())
    return 0 if report.passed else 1


def _bench_bots(options: argparse.Namespace) -> int:
    from tessella.bench import bots  # noqa: PLC0415  only this needs NumPy

    report = bots.run(options.seconds)
    print(report)
    if options.json:
        print(report.json())
    return 0


def _bench_research(options: argparse.Namespace) -> int:
    from tessella.bench import research  # noqa: PLC0415  only this needs Gymnasium and NumPy

    report = research.run(options.seconds)
    print(report)
    if options.json:
        print(report.json())
    return 0 if report.passed else 1


# dataset, completion


def _lack_numpy(_: argparse.Namespace) -> int:
    raise ModuleNotFoundError(name="numpy")


def _completion(options: argparse.Namespace) -> int:
    print(shell.complete(shell.command(parser()), options.shell))
    return 0


# The command line


def _pen(options: argparse.Namespace, names: Sequence[str]) -> Pen:
    words, width = Words(options.language), terminal_width()
    return Pen(words, names, colour=wants_colour(), width=width, aloud=options.aloud)


def parser() -> argparse.ArgumentParser:
    """Every command with its options."""
    whole = argparse.ArgumentParser(prog="tessella", description="A home for tile-laying games.")
    whole.add_argument("--version", action="version", version=f"%(prog)s {version('tessella')}")
    commands = whole.add_subparsers(required=True, metavar="COMMAND")
    _add_play(commands.add_parser)
    _add_records(commands.add_parser)
    _add_bench(commands.add_parser)
    add_arena(commands.add_parser)
    add_train(commands.add_parser)
    _add_research(commands.add_parser)
    add_prove(commands.add_parser)
    add_coaching(commands.add_parser)
    add_commands(commands.add_parser)
    _add_shell(commands.add_parser)
    return whole


def _add_play(command: AddParser) -> None:
    play = command("play", help="play at this keyboard, with people or against the computer")
    games = f"{', '.join(GAMES)}; or a link to a table at a server; without it you are asked"
    play.add_argument("game", nargs="?", default="", type=_playable, help=games)
    bots = ", ".join(METHODS)
    players = f"a name for each seat; computer players are {bots} and the levels of the game, by number or name"
    play.add_argument("players", nargs="*", help=f"{players}; online, open is a seat for whoever gets its link")
    _add_option(play)
    play.add_argument("--server", metavar="URL", default="", help="play at this server")
    play.add_argument(
        "--pair", type=int, metavar="SEATS", default=0, help="with --server: with anybody, so many in all"
    )
    _add_plain(play)
    play.add_argument("--seed", type=_seed, help="play these dice: 64 hexadecimal digits")
    play.add_argument("--save", metavar="FILE", help="write the game to this file at the end")
    _add_language(play)
    play.set_defaults(run=_play)


def _add_records(command: AddParser) -> None:
    replay = command("replay", help="watch a recorded game")
    replay.add_argument("file", help="a record, or the short form of a game")
    replay.add_argument("--at", type=int, metavar="ACT", help="show the table after this act")
    _add_plain(replay)
    replay.add_argument("--seen", action="store_true", help="write what each seat saw")
    replay.add_argument("--short", action="store_true", help="write the whole game in one line")
    _add_language(replay)
    replay.set_defaults(run=_replay)
    verify = command("verify", help="compute every deal of a finished game again")
    verify.add_argument("file", help="a record, or the short form of a game")
    verify.set_defaults(run=_verify)
    perfts = command("perft", help="count lines of play, as the files say they must be")
    perfts.add_argument("files", nargs="+", help="files such as records/azul/*.perft")
    perfts.set_defaults(run=_perft)


def _add_bench(command: AddParser) -> None:
    bench = command("bench", help="measure speed").add_subparsers(required=True, metavar="WHAT")
    games = bench.add_parser("games", help="random moves a second of a readable engine")
    games.add_argument("game", choices=GAMES)
    _add_option(games)
    games.add_argument("--seconds", type=float, default=5.0, help="CPU time to spend (5)")
    games.add_argument("--json", action="store_true", help="end with one line of JSON")
    games.set_defaults(run=_bench_games)
    fast = bench.add_parser("fast", help="moves a second of the compiled games, against C and the readable games")
    fast.add_argument("--seconds", type=float, default=30.0, help="about how long to measure (30)")
    fast.add_argument("--plot", action="store_true", help="draw the speeds")
    fast.add_argument("--json", action="store_true", help="end with one line of JSON")
    fast.set_defaults(run=_bench_fast)
    thinking = bench.add_parser(
        "bots", help="moves a second in the searches of the computer players, and in bare engines"
    )
    thinking.add_argument("--seconds", type=float, default=30.0, help="about how long to measure (30)")
    thinking.add_argument("--json", action="store_true", help="end with one line of JSON")
    thinking.set_defaults(run=_bench_bots)
    research = bench.add_parser("research", help="steps a second of the environments for learners")
    research.add_argument("--seconds", type=float, default=30.0, help="about how long to measure (30)")
    research.add_argument("--json", action="store_true", help="end with one line of JSON")
    research.set_defaults(run=_bench_research)
    server = bench.add_parser("server", help="what moves, messages, views and idle sockets cost")
    here = "postgresql://postgres@127.0.0.1:5432/postgres"
    server.add_argument("--database", default=here, help=f"where to make a database for a while ({here})")
    server.add_argument("--seconds", type=float, default=60.0, help="about how long to measure (60)")
    server.add_argument("--json", action="store_true", help="end with one line of JSON")
    server.set_defaults(run=_bench_server)


def _add_research(command: AddParser) -> None:
    """The workbench; where its arrays are missing, a word on how to get them."""
    if find_spec("numpy"):
        from tessella.research.commands import add_commands as add_research  # noqa: PLC0415  it needs NumPy

        add_research(command)
    else:
        lacking = command("dataset", help="for learners: pip install 'tessella[research]' brings it")
        lacking.add_argument("arguments", nargs=argparse.REMAINDER)
        lacking.set_defaults(run=_lack_numpy)


def _add_shell(command: AddParser) -> None:
    completion = command("completion", help="print a script by which your shell completes this command")
    completion.add_argument(
        "shell", choices=shell.SHELLS, help='for instance eval "$(tessella completion bash)" in .bashrc'
    )
    completion.set_defaults(run=_completion)


def _add_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--option", action="append", default=[], metavar="NAME=VALUE", help="e.g. -o wall=grey")


def _playable(text: str) -> str:
    if text and text not in GAMES and "://" not in text:
        raise argparse.ArgumentTypeError(f"{text!r} is neither {', '.join(GAMES)} nor a link")
    return text


def _seed(text: str) -> str:
    if len(text) != 64 or set(text) - set(hexdigits):
        raise argparse.ArgumentTypeError("a seed is 64 hexadecimal digits")
    return text


def _add_plain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--plain", action="store_true", help="plain text, as in a pipe")
    parser.add_argument("--aloud", action="store_true", help="plain text in sentences, for a screen reader")


def _add_language(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--language", choices=LANGUAGES, default=preferred_language(), help="what to speak")
