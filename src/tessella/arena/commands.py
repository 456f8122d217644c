"""The command `tessella arena`."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from tessella.arena import plot
from tessella.arena.contest import Contest, make, read_player
from tessella.arena.gauntlet import RIVALS, Meeting, hardest, met
from tessella.arena.play import Result
from tessella.arena.report import Report, elo_of, percent, report, step_gate
from tessella.arena.results import Book
from tessella.arena.run import Group, run
from tessella.arena.strength import Interval, Sprt
from tessella.arena.workers import Map, workers
from tessella.bots import Budget, ladder
from tessella.core.game import BadNotation
from tessella.core.record import read_rules, write_rules
from tessella.games import GAMES
from tessella.terminal.progress import progress_of

AddParser: TypeAlias = Callable[..., argparse.ArgumentParser]


class Climb(Struct, frozen=True):
    """A whole ladder: each level against the one below, and all on one scale."""

    steps: tuple[Report, ...]
    ratings: dict[str, Interval]

    @property
    def passed(self) -> bool:
        """Whether every level is well above the one below."""
        return all(step.passed for step in self.steps)


def _arena(options: argparse.Namespace) -> int:
    try:
        with workers(options.jobs, options.ray) as spread:
            asked = _climb if options.ladder else _run_gauntlet if options.gauntlet else _match
            return asked(options, spread)
    except ModuleNotFoundError as missing:
        if missing.name != "ray":
            raise
        sys.stderr.write("tessella: ray is not installed; pip install 'tessella[cluster]' brings it\n")
        return 2
    except KeyboardInterrupt:
        again = "; the same command goes on from here" if options.out else ""
        sys.stderr.write(f"\ntessella: stopped{again}\n")
        return 130


def _match(options: argparse.Namespace, spread: Map) -> int:
    if options.game is None:
        raise BadNotation("name a game and its players, or --ladder GAME")
    names = [*options.players, *([options.field] if options.field else [])]
    contest = _contest(options, options.game, names)
    sprt = Sprt(*options.sprt) if options.sprt else None
    if sprt and (len(contest.players) != 2 or sprt.elo0 >= sprt.elo1):
        raise BadNotation("a sequential test is for two seats and goes from the lower Elo to the higher")
    groups = _play(contest, Book(options.out), spread, sprt)
    found = report(contest, groups, options.at_least, sprt)
    print(found)
    if options.plot:
        options.plot.write_text(plot.contest(found, groups), "utf-8")
    if options.json:
        print(found.json())
    return 0 if found.passed else 1


def _run_gauntlet(options: argparse.Namespace, spread: Map) -> int:
    if options.game not in RIVALS or len(options.players) != 1 or options.field or options.sprt:
        raise BadNotation(
            f"a gauntlet is run by one player, in {' or '.join(RIVALS)}: tessella arena azul 8 --gauntlet"
        )
    book = Book(options.out)
    meetings: list[Meeting] = []
    for rival in RIVALS[options.game]:
        contest = _contest(options, options.game, [options.players[0], rival])
        groups = _play(contest, book, spread)
        meetings.append(met(rival, report(contest, groups), groups))
        print(meetings[-1])
    least = hardest(meetings).report.standings[0].share
    print(f"the least: {percent(least)}")
    passed = options.at_least is None or least.value >= options.at_least
    if options.json:
        told = {meeting.rival: meeting.numbers() for meeting in meetings}
        print(json.dumps({"least": least.value, "meetings": told, "passed": passed}))
    return 0 if passed else 1


def _climb(options: argparse.Namespace, spread: Map) -> int:
    if options.game or options.field or options.sprt:
        raise BadNotation("a ladder is climbed alone: no game, players, field or test beside --ladder")
    book = Book(options.out)
    steps: list[Report] = []
    results: list[Result] = []
    for below, above in pairwise(ladder(GAMES[options.ladder])):
        contest = _contest(options, options.ladder, [above, below])
        groups = _play(contest, book, spread)
        gate = step_gate(len(contest.players)) if options.at_least is None else options.at_least
        steps.append(report(contest, groups, gate))
        results += chain.from_iterable(groups)
        print(steps[-1], end="\n\n")
    names = list(dict.fromkeys(name for step in reversed(steps) for name in step.contest.players))
    climb = Climb(tuple(steps), elo_of(results, names))
    for name in names:
        print(f"{name:20} {climb.ratings[name].value:6.0f} Elo")
    if options.plot:
        options.plot.write_text(plot.ladder(climb.steps, climb.ratings), "utf-8")
    if options.json:
        print(_json(climb))
    return 0 if climb.passed else 1


def _json(climb: Climb) -> str:
    told = {name: [rating.value, rating.low, rating.high] for name, rating in climb.ratings.items()}
    return json.dumps({"elo": told, "steps": [step.numbers() for step in climb.steps], "passed": climb.passed})


def _contest(options: argparse.Namespace, game_name: str, names: Sequence[str]) -> Contest:
    """The contest that was asked for; the last player fills the seats that are left."""
    game = GAMES[game_name]
    usual = Budget(options.seconds, options.nodes)
    players = [str(read_player(name, usual)) for name in names]
    if len({*players}) < 2:
        raise BadNotation("an arena needs two different players")
    for player in players:
        make(game, read_player(player))
    seats = options.seats or len(players)
    if seats < len(players):
        raise BadNotation(f"{len(players)} players do not fit on {seats} seats")
    words = [f"{game.NAME}/{game.EDITION}", f"seats={seats}", *options.option]
    rules = write_rules(game, read_rules(game, " ".join(words)))
    return Contest(rules, options.seed, (*players, *players[-1:] * (seats - len(players))), options.games)


def _play(contest: Contest, book: Book, spread: Map, sprt: Sprt | None = None) -> list[Group]:
    label = f"{contest.players[0]} against {contest.players[1]}"
    deals = sum(1 for _ in contest.groups())
    return list(progress_of(run(contest, book, spread, sprt), deals, label))


# The command line


def add_commands(command: AddParser) -> None:
    """Give the command line the arena."""
    arena = command("arena", help="let computer players play each other, and say who is the stronger")
    arena.add_argument("game", nargs="?", choices=[*GAMES])
    players = "NAME, MODULE:MAKER for your own; NAME@0.1s or NAME@1000n with a budget; the last fills the seats"
    arena.add_argument("players", nargs="*", help=players)
    arena.add_argument("--ladder", choices=[*GAMES], help="every level of this game against the level below")
    arena.add_argument("--gauntlet", action="store_true", help="the player against rivals of every kind")
    arena.add_argument("--games", type=_positive, default=400, help="how many, at most if a test decides earlier (400)")
    arena.add_argument("--seats", type=int, choices=range(2, 6), help="how many sit at a table (as many as players)")
    arena.add_argument("--field", metavar="PLAYER", help="who sits in all the other seats")
    arena.add_argument("-o", "--option", action="append", default=[], metavar="NAME=VALUE", help="e.g. -o wall=grey")
    _add_budget(arena)
    _add_judgement(arena)
    _add_work(arena)
    arena.set_defaults(run=_arena)


def _add_budget(arena: argparse.ArgumentParser) -> None:
    arena.add_argument("--seconds", type=_seconds, help="CPU time for a move, for players who do not bring their own")
    arena.add_argument("--nodes", type=_positive, help="positions for a move, likewise")


def _add_judgement(arena: argparse.ArgumentParser) -> None:
    arena.add_argument("--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"), help="stop when the lead is decided")
    arena.add_argument("--at-least", type=float, metavar="SHARE", help="exit 1 if the first player wins less, e.g. 0.6")
    arena.add_argument("--plot", type=_picture, metavar="FILE.svg", help="draw it")
    arena.add_argument("--json", action="store_true", help="end with one line of JSON")


def _add_work(arena: argparse.ArgumentParser) -> None:
    arena.add_argument("--seed", type=int, default=1, help="other deals, other random choices (1)")
    arena.add_argument(
        "--out", type=Path, metavar="FILE.csv", help="keep every game; a file that is there is continued"
    )
    arena.add_argument(
        "--jobs", type=_positive, default=1, help=f"processes (1); this machine has {os.cpu_count()} cores"
    )
    arena.add_argument("--ray", metavar="ADDRESS", help="play on this Ray cluster; local starts one here")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 1e-6 <= seconds < 3600:
        raise ValueError(text)
    return seconds


def _picture(text: str) -> Path:
    if not text.endswith(".svg"):
        raise argparse.ArgumentTypeError("pictures are drawn as .svg")
    return Path(text)
