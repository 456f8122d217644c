"""The command line `tessella`: a table of commands, each loaded only when it runs."""

import argparse
import sys
from collections.abc import Collection, Mapping, Sequence
from importlib import import_module
from typing import Any

COMMANDS: Mapping[str, tuple[str, str]] = {
    "play": ("tessella.cli.play:add_play", "play in this terminal, with people or against bots"),
    "learn": ("tessella.cli.lessons:add_learn", "learn a game in five minutes, on a real table"),
    "replay": ("tessella.cli.records:add_replay", "replay a recorded game"),
    "verify": ("tessella.cli.records:add_verify", "recompute every deal of a finished game"),
    "perft": ("tessella.cli.records:add_perft", "count move sequences and compare with the expected counts"),
    "arena": ("tessella.arena.commands:add_arena", "run bot-vs-bot matches and report their strength"),
    "benchmark": (
        "tessella.cli.benchmark:add_benchmark",
        "rate a bot against fixed rivals on fixed deals, in a way that anybody can repeat",
    ),
    "engine": ("tessella.cli.engine:add_engine", "speak the engine protocol, or check an engine that does"),
    "bridge": ("tessella.cli.engine:add_bridge", "seat an engine at a server, with the token of a bot account"),
    "train": ("tessella.train.commands:add_train", "train the bots"),
    "dataset": ("tessella.cli.research:add_dataset", "play games and write every decision to a Parquet file"),
    "mcp": (
        "tessella.cli.models:add_mcp",
        "let a language model play: a server of the Model Context Protocol on stdio",
    ),
    "analyse": ("tessella.cli.coach:add_analyse", "review a recorded game: turning points, mistakes and luck"),
    "calibrate": (
        "tessella.cli.coach:add_calibrate",
        "measure how well the coach's win probabilities are calibrated",
    ),
    "puzzles": ("tessella.cli.coach:add_puzzles", "solve puzzles: positions with one clearly best move"),
    "solve": ("tessella.cli.solve:add_solve", "solve the end of Azul exactly: who wins, and how"),
    "serve": ("tessella.cli.server:add_serve", "run a server; by default for this machine, with one database file"),
    "work": ("tessella.cli.server:add_work", "run bot workers only, beside servers on the same database"),
    "admin": (
        "tessella.cli.server:add_admin",
        "manage stored games: list, show, close, export, import, verify, back up …",
    ),
    "completion": ("tessella.cli.completion:add_completion", "print a completion script for your shell"),
}
"""Every command: the function that adds its arguments to a parser, and its line of help."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        return _run(arguments)
    except ModuleNotFoundError as exc:
        from tessella.extras import advice  # noqa: PLC0415  only errors need it

        if (message := advice(exc)) is None:
            raise
        return _fail(message)
    except FileNotFoundError as exc:
        return _fail(str(exc))
    except BrokenPipeError:  # the reader of a pipe closed it early
        sys.stderr.close()
        return 0


def parser(load: Collection[str] = tuple(COMMANDS)) -> argparse.ArgumentParser:
    """Return the parser of all commands, with the arguments of those to load."""
    whole = argparse.ArgumentParser(prog="tessella", description="A home for tile-laying games.")
    whole.add_argument("--version", action=_Version, help="print the version and exit")
    commands = whole.add_subparsers(required=True, metavar="COMMAND")
    for name, (source, about) in COMMANDS.items():
        command = commands.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.")
        if name in load:
            module, _, function = source.partition(":")
            getattr(import_module(module), function)(command)
    return whole


def _run(arguments: Sequence[str]) -> int:
    whole = parser(load=arguments[:1])
    if not arguments:
        whole.print_help()
        return 0
    if not arguments[0].startswith("-") and arguments[0] not in COMMANDS:
        whole.error(_unknown(arguments[0]))
    options = whole.parse_args(arguments)

    from tessella.core.game import BadNotation  # noqa: PLC0415  --help does not need it
    from tessella.games import GAMES  # noqa: PLC0415

    if arguments[0] not in ("serve", "work"):  # they log it
        for name, reason in GAMES.broken.items():
            print(f"tessella: the installed game {name!r} cannot be played: {reason}", file=sys.stderr)
    try:
        code: int = options.run(options)
    except BadNotation as exc:
        return _fail(str(exc))
    return code


def _fail(message: str) -> int:
    print(f"tessella: {message}", file=sys.stderr)
    return 2


def _unknown(word: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415  only this error needs it

    near = get_close_matches(word, COMMANDS, 1)
    return f"unknown command {word!r}; " + (
        f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(COMMANDS)}"
    )


class _Version(argparse.Action):
    """Look the version up only when it is asked for: that loads a tenth of the standard library."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:  # noqa: ANN401
        from tessella import __version__  # noqa: PLC0415

        print(f"tessella {__version__}")
        parser.exit()
