"""The commands serve, work and admin; their dependencies are loaded when they run."""

import argparse
import os
import sys
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import TypeAlias

from tessella.extras import advice
from tessella.server.settings import add_settings, read

AddParser: TypeAlias = Callable[..., argparse.ArgumentParser]
AddCommand: TypeAlias = Callable[[str, str], argparse.ArgumentParser]
Options: TypeAlias = argparse.Namespace

PEOPLE = "find people, rename, ban or delete them, hand out links to sign up or for a new password, name moderators"
PERSON, WHOM = "person", "id, user name, or name if only one person has it"


def add_serve(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tessella serve`."""
    add_settings(parser, "serve")
    parser.set_defaults(run=_guarded(_serve))


def add_work(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tessella work`."""
    add_settings(parser, "work")
    parser.set_defaults(run=_guarded(_work))


def add_admin(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands of `tessella admin`."""
    _add_admin(parser.add_subparsers(required=True, metavar="WHAT").add_parser)


def _guarded(run: Callable[[Options], int]) -> Callable[[Options], int]:
    """Return a command that prints an expected error as one line and exits with 2."""

    def guarded(options: Options) -> int:
        try:
            return run(options)
        except ModuleNotFoundError as exc:
            if (how_to_install := advice(exc)) is None:
                raise
            message = how_to_install
        except (ValueError, OSError, RuntimeError) as exc:
            message = str(exc)
        sys.stderr.write(f"tessella: {message}\n")
        return 2

    return guarded


def _serve(options: Options) -> int:
    from tessella.server.serve import serve  # noqa: PLC0415

    return serve(read("serve", vars(options), os.environ))


def _work(options: Options) -> int:
    from tessella.server.serve import work  # noqa: PLC0415

    return work(read("work", vars(options), os.environ))


def _admin(options: Options) -> int:
    from tessella.server.admin.commands import administer  # noqa: PLC0415

    return administer(read("admin", vars(options), os.environ), options)


def _adder(command: AddParser, group: str = "") -> AddCommand:
    """Return the function that adds a subcommand of `tessella admin`, or of a group of them."""

    def add(name: str, text: str) -> argparse.ArgumentParser:
        parser = command(name, help=text, description=text)
        add_settings(parser, "admin")
        parser.add_argument("--json", action="store_true", help="print one line of JSON instead of text")
        parser.set_defaults(run=_guarded(_admin), what=f"{group} {name}".strip())
        return parser

    return add


def _add_admin(command: AddParser) -> None:
    add = _adder(command)
    listing = add("list", "count the games by status, up to 10,000 each, and list the latest")
    listing.add_argument(
        "status", nargs="?", default="", choices=["", "open", "dice", "playing", "paused", "over", "closed"]
    )
    listing.add_argument("--most", type=int, default=20, help="how many to list (20)")
    add("show", "show the state of a game, without hidden information").add_argument("game")
    _add_close(add("close", "end games without a result: those that are named, or all that meet the conditions"))
    export = add("export", "write games to files GAME.game")
    _add_games(export)
    export.add_argument("--folder", type=Path, default=Path(), help="output folder (current folder)")
    export.add_argument("--private", action="store_true", help="also running games, with hidden information")
    add("import", "store finished games from files, after verification; duplicates are skipped").add_argument(
        "files", nargs="+", type=Path
    )
    _add_games(add("verify", "replay stored games and recompute every deal; exit 1 if any check fails"))
    _add_upkeep(add)
    people = command("people", help=PEOPLE, description=PEOPLE)
    _add_people(_adder(people.add_subparsers(required=True, metavar="WHAT").add_parser, "people"))


def _add_close(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--idle-days", type=float, help="tables at which nothing happened for this many days")
    parser.add_argument("--owner", default="", metavar="ID", help="tables that this person opened")
    parser.add_argument("--unstarted", action="store_true", help="tables whose game has not started")
    parser.add_argument("--dry-run", action="store_true", help="only say which")


def _add_people(add: AddCommand) -> None:
    find = add("find", "find people by name, user name or id; names that look alike are found too")
    find.add_argument("text")
    find.add_argument("--most", type=int, default=50, help="how many to list (50)")
    add("show", "show a person: how they log in, their tables, and reports about them").add_argument(
        PERSON, metavar="PERSON", help=WHOM
    )
    rename = add("rename", "rename a person from now on; games keep the name that was used there")
    rename.add_argument(PERSON, metavar="PERSON", help=WHOM)
    rename.add_argument("name")
    reset = add("reset", "print a link with which a member sets a new password, once")
    reset.add_argument(PERSON, metavar="PERSON", help=WHOM)
    reset.add_argument("--login", default="", metavar="NAME", help="user name for a member who has none")
    reset.add_argument("--days", type=float, default=1.0, help="how long the link works (1)")
    add("end-sessions", "log a person out everywhere, and revoke their tokens").add_argument(
        PERSON, metavar="PERSON", help=WHOM
    )
    ban = add("ban", "ban a person and their bots; their games go on as if they had left")
    ban.add_argument(PERSON, metavar="PERSON", help=WHOM)
    ban.add_argument("--reason", default="", help="for the log")
    add("unban", "let a banned person in again").add_argument(PERSON, metavar="PERSON", help=WHOM)
    delete = add("delete", "delete a person for good, as they could do it themselves")
    delete.add_argument(PERSON, metavar="PERSON", help=WHOM)
    delete.add_argument("--yes", action="store_true", help="do it")
    merge = add("merge", "give a member the games of a guest, who is then no longer a person of their own")
    merge.add_argument("guest")
    merge.add_argument("member")
    invite = add("invite", "print links with which people sign up, each once")
    invite.add_argument("--count", type=int, default=1, help="how many links (1)")
    invite.add_argument("--days", type=float, default=14.0, help="how long they work (14)")
    moderator = add("moderator", "make a member a moderator, who can handle reports in the browser")
    moderator.add_argument(PERSON, metavar="PERSON", help=WHOM)
    moderator.add_argument("--remove", action="store_true", help="no longer")
    add("log", "list what moderators and the host did about people and tables, the newest first").add_argument(
        "--most", type=int, default=50, help="how many to list (50)"
    )


def _add_upkeep(add: AddCommand) -> None:
    add("migrate", "migrate the database to this version")
    grant = add("grant", "grant a PostgreSQL role the rights of a worker and no others")
    grant.add_argument("role")
    grant.add_argument("--bots", action="store_true", help="the rights of a bot worker, without access to accounts")
    add("backup", "write the whole database to one file, while the server runs").add_argument("file", type=Path)
    add("restore", "restore a backup into an empty database, and verify it").add_argument("file", type=Path)
    sealing = add("seal", "pack the logs of finished games into one small row each, all of them now")
    sealing.add_argument("--days", type=float, help="days since the last entry (as the setting seal-days)")
    add("reports", "list what players report about others, the newest first").add_argument(
        "--most", type=int, default=50, help="how many to list (50)"
    )
    archive = add("archive", "write all games that ended on a day, as records and as Parquet")
    archive.add_argument("day", type=date.fromisoformat, help="for example 2026-12-24")
    archive.add_argument("folder", type=Path)
    _add_events(add("events", "list the tournaments and leagues, put new ones on the schedule, or cancel one"))
    clubs = add("clubs", "list the clubs, the newest first, or end one")
    clubs.add_argument("--end", metavar="CLUB", help="end a club; its events stay")
    clubs.add_argument("--most", type=int, default=50, help="how many to list (50)")


def _add_events(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--add", metavar="NAME", help="create an event, or a series of them")
    what.add_argument("--cancel", metavar="EVENT", help="cancel an event that has not started")
    what.add_argument("--end-weekly", metavar="SCHEDULE", help="let a weekly event repeat no longer")
    parser.add_argument("--title", default="azul", help="game (azul)")
    parser.add_argument("--format", default="swiss", choices=["swiss", "round-robin", "knockout"])
    parser.add_argument("--seats", type=int, default=2, help="players at a table (2)")
    parser.add_argument("--rounds", type=int, default=0, help="number of rounds (as many as the field needs)")
    parser.add_argument("--starts", type=datetime.fromisoformat, help="for example 2026-12-24T20:00+01:00 (now)")
    parser.add_argument("--duplicate", action="store_true", help="the same deals at all tables of a round")
    parser.add_argument(
        "--fill", default="bot", choices=["bot", "bye"], help="what absent players are replaced by (bot)"
    )
    parser.add_argument("--most", type=int, default=64, help="entrants at most (64)")
    parser.add_argument("--days", type=float, help="days per move (15 minutes and 10 seconds per move)")
    parser.add_argument("--bots", type=int, default=0, help="bots that take part (0)")
    parser.add_argument("--count", type=int, default=1, help="how many events (1)")
    parser.add_argument("--every-days", type=float, default=7.0, help="days between them (7)")
    parser.add_argument(
        "--weekly", metavar="TIME", default="", help="repeat the event every week, for example 'monday 19:00', in UTC"
    )


def _add_games(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--all", action="store_true", help="all games")
