"""The commands of a host: serve, work, admin. What they need is loaded only when they run."""

import argparse
import os
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TypeAlias

from tessella.server.extras import advice
from tessella.server.settings import add_settings, read

AddParser: TypeAlias = Callable[..., argparse.ArgumentParser]
Options: TypeAlias = argparse.Namespace


def add_commands(command: AddParser) -> None:
    """Give the command line what a host needs."""
    serve = command("serve", help="run a server: by default here, for this machine, with one file")
    add_settings(serve, "serve")
    serve.set_defaults(run=_guarded(_serve))
    work = command("work", help="run bot workers only, beside servers on the same database")
    add_settings(work, "work")
    work.set_defaults(run=_guarded(_work))
    admin = command("admin", help="look after stored games: list, show, close, export, import, verify, back up …")
    _add_admin(admin.add_subparsers(required=True, metavar="WHAT").add_parser)


def _guarded(run: Callable[[Options], int]) -> Callable[[Options], int]:
    """What goes wrong is told in a sentence."""

    def guarded(options: Options) -> int:
        try:
            return run(options)
        except ModuleNotFoundError as missing:
            if (words := advice(missing)) is None:
                raise
            wrong = words
        except (ValueError, OSError, RuntimeError) as error:
            wrong = str(error)
        sys.stderr.write(f"tessella: {wrong}\n")
        return 2

    return guarded


def _serve(options: Options) -> int:
    from tessella.server.serve import serve  # noqa: PLC0415

    return serve(read("serve", vars(options), os.environ))


def _work(options: Options) -> int:
    from tessella.server.serve import work  # noqa: PLC0415

    return work(read("work", vars(options), os.environ))


def _admin(options: Options) -> int:
    from tessella.server.administer import administer  # noqa: PLC0415

    return administer(read("admin", vars(options), os.environ), options)


def _add_admin(command: AddParser) -> None:
    def add(name: str, words: str) -> argparse.ArgumentParser:
        parser = command(name, help=words, description=words)
        add_settings(parser, "admin")
        parser.add_argument("--json", action="store_true", help="one line of JSON instead of text")
        parser.set_defaults(run=_guarded(_admin), what=name)
        return parser

    listing = add("list", "count the games by status, and name the latest")
    listing.add_argument("status", nargs="?", default="", choices=["", "open", "dice", "playing", "paused", "over"])
    listing.add_argument("--most", type=int, default=20, help="how many to name (20)")
    add("show", "tell how a game stands, without what its players hide").add_argument("game")
    add("close", "end a game without a result").add_argument("game")
    export = add("export", "write games to files GAME.game")
    _add_games(export)
    export.add_argument("--folder", type=Path, default=Path(), help="where to write them (here)")
    export.add_argument("--private", action="store_true", help="also running games, with all that players hide")
    add("import", "store finished games from files; each is verified, and stored once").add_argument(
        "files", nargs="+", type=Path
    )
    _add_games(add("verify", "replay stored games and compute every deal again; exit 1 if any is wrong"))
    _add_upkeep(add)


def _add_upkeep(add: Callable[[str, str], argparse.ArgumentParser]) -> None:
    add("migrate", "bring the tables of the database up to date")
    grant = add("grant", "give a role of PostgreSQL the rights of a worker, and no others")
    grant.add_argument("role")
    grant.add_argument("--bots", action="store_true", help="those of a bot worker, which knows nothing of accounts")
    add("backup", "write everything to one file, while the server runs").add_argument("file", type=Path)
    add("restore", "fill an empty database from such a file, and verify it").add_argument("file", type=Path)
    archive = add("archive", "write all games that ended on a day, as records and as Parquet")
    archive.add_argument("day", type=date.fromisoformat, help="such as 2026-12-24")
    archive.add_argument("folder", type=Path)


def _add_games(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--all", action="store_true", help="all games")
