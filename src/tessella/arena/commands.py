"""The command `tessella arena`."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from itertools import chain, pairwise
from pathlib import Path

from msgspec import Struct

from tessella.arena import plot
from tessella.arena.contest import Contest, read_player, require_player
from tessella.arena.gauntlet import RIVALS, Meeting, hardest, meeting_of
from tessella.arena.play import Result
from tessella.arena.report import Report, elo_of, percent, report, step_gate
from tessella.arena.results import ResultFile
from tessella.arena.run import Group, run
from tessella.arena.strength import Interval, Sprt
from tessella.arena.workers import Map, workers
from tessella.bots import Budget, ladder
from tessella.core.game import BadNotation
from tessella.core.record import read_options, write_rules
from tessella.games import GAMES
from tessella.progress import progress_of


class LadderReport(Struct, frozen=True):
    """Results of a ladder: each level against the one below, and all on one Elo scale."""

    steps: tuple[Report, ...]
    ratings: dict[str, Interval]

    @property
    def passed(self) -> bool:
        """Whether every level passed its gate against the one below."""
        return all(step.passed for step in self.steps)


def _arena(options: argparse.Namespace) -> int:
    try:
        with workers(options.jobs, options.ray) as spread:
            asked = _run_ladder if options.ladder else _run_gauntlet if options.gauntlet else _match
            return asked(options, spread)
    except KeyboardInterrupt:
        again = "; run the same command again to resume" if options.out else ""
        sys.stderr.write(f"\ntessella: stopped{again}\n")
        return 130


def _match(options: argparse.Namespace, spread: Map) -> int:
    if options.game is None:
        raise BadNotation("no game given: name a game and its players, or use --ladder GAME")
    names = [*options.players, *([options.field] if options.field else [])]
    contest = _contest(options, options.game, names)
    sprt = Sprt(*options.sprt) if options.sprt else None
    if sprt and (len(contest.players) != 2 or sprt.elo0 >= sprt.elo1):
        raise BadNotation("--sprt needs two seats, and ELO0 below ELO1")
    groups = _play(contest, ResultFile(options.out), spread, sprt)
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
            f"--gauntlet needs one player of {' or '.join(RIVALS)}, as in: tessella arena azul 8 --gauntlet"
        )
    file = ResultFile(options.out)
    meetings: list[Meeting] = []
    for rival in options.rivals or RIVALS[options.game]:
        contest = _contest(options, options.game, [options.players[0], rival])
        groups = _play(contest, file, spread)
        meetings.append(meeting_of(rival, report(contest, groups), groups))
        print(meetings[-1])
    least = hardest(meetings).report.standings[0].share
    print(f"lowest win share: {percent(least)}")
    passed = options.at_least is None or least.value >= options.at_least
    if options.json:
        numbers = {meeting.rival: meeting.numbers() for meeting in meetings}
        print(json.dumps({"least": least.value, "meetings": numbers, "passed": passed}))
    return 0 if passed else 1


def _run_ladder(options: argparse.Namespace, spread: Map) -> int:
    if options.game or options.field or options.sprt:
        raise BadNotation("--ladder takes no game, players, --field or --sprt")
    file = ResultFile(options.out)
    steps: list[Report] = []
    results: list[Result] = []
    for below, above in pairwise(ladder(GAMES[options.ladder])):
        contest = _contest(options, options.ladder, [above, below])
        groups = _play(contest, file, spread)
        gate = step_gate(len(contest.players)) if options.at_least is None else options.at_least
        steps.append(report(contest, groups, gate))
        results += chain.from_iterable(groups)
        print(steps[-1], end="\n\n")
    names = list(dict.fromkeys(name for step in reversed(steps) for name in step.contest.players))
    found = LadderReport(tuple(steps), elo_of(results, names))
    for name in names:
        print(f"{name:20} {found.ratings[name].value:6.0f} Elo")
    if options.plot:
        options.plot.write_text(plot.ladder(found.steps, found.ratings), "utf-8")
    if options.json:
        print(_json(found))
    return 0 if found.passed else 1


def _json(found: LadderReport) -> str:
    elo = {name: [rating.value, rating.low, rating.high] for name, rating in found.ratings.items()}
    return json.dumps({"elo": elo, "steps": [step.numbers() for step in found.steps], "passed": found.passed})


def _contest(options: argparse.Namespace, game_name: str, names: Sequence[str]) -> Contest:
    """Return the contest described by the options; the last player fills the remaining seats."""
    game = GAMES[game_name]
    usual = Budget(options.seconds, options.nodes)
    players = [str(read_player(name, usual)) for name in names]
    if len({*players}) < 2:
        raise BadNotation("the arena needs at least two different players")
    for player in players:
        require_player(game, read_player(player))
    seats = options.seats or len(players)
    if seats < len(players):
        raise BadNotation(f"too many players: {len(players)} for {seats} seats")
    rules = write_rules(game, read_options(game, [f"seats={seats}", *options.option]))
    return Contest(rules, options.seed, (*players, *players[-1:] * (seats - len(players))), options.games)


def _play(contest: Contest, file: ResultFile, spread: Map, sprt: Sprt | None = None) -> list[Group]:
    label = f"{contest.players[0]} against {contest.players[1]}"
    deals = sum(1 for _ in contest.groups())
    return list(progress_of(run(contest, file, spread, sprt), deals, label))


# The command line


def add_arena(arena: argparse.ArgumentParser) -> None:
    """Add the arguments of `tessella arena`."""
    arena.add_argument("game", nargs="?", choices=[*GAMES])
    players = (
        "NAME, MODULE:MAKER for your own, or 'cmd:COMMAND' for an engine; NAME@0.1s or NAME@1000n sets a budget; "
        "the last fills the seats"
    )
    arena.add_argument("players", nargs="*", help=players)
    arena.add_argument("--ladder", choices=[*GAMES], help="play each level of a game against the one below")
    arena.add_argument("--gauntlet", action="store_true", help="play one bot against rivals of every kind")
    arena.add_argument("--rivals", nargs="+", metavar="PLAYER", help="the rivals of the gauntlet")
    arena.add_argument("--games", type=_positive, default=400, help="number of games; --sprt may stop earlier (400)")
    arena.add_argument("--seats", type=int, choices=range(2, 6), help="seats per table (the number of players)")
    arena.add_argument("--field", metavar="PLAYER", help="the bot in all other seats")
    arena.add_argument(
        "-o", "--option", action="append", default=[], metavar="NAME=VALUE", help="a rule variant, e.g. -o wall=grey"
    )
    _add_budget(arena)
    _add_judgement(arena)
    _add_work(arena)
    arena.set_defaults(run=_arena)


def _add_budget(arena: argparse.ArgumentParser) -> None:
    arena.add_argument("--seconds", type=_seconds, help="CPU time per move, unless NAME@… sets a budget")
    arena.add_argument("--nodes", type=_positive, help="positions searched per move, unless NAME@… sets one")


def _add_judgement(arena: argparse.ArgumentParser) -> None:
    arena.add_argument("--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"), help="stop once this test is decided")
    arena.add_argument("--at-least", type=float, metavar="RATE", help="exit 1 if the first player wins less, e.g. 0.6")
    arena.add_argument("--plot", type=_picture, metavar="FILE.svg", help="write a chart of the result")
    arena.add_argument("--json", action="store_true", help="end with one line of JSON")


def _add_work(arena: argparse.ArgumentParser) -> None:
    arena.add_argument("--seed", type=int, default=1, help="random seed of the deals and the bots (1)")
    arena.add_argument("--out", type=Path, metavar="FILE.csv", help="record every game; an existing file is resumed")
    arena.add_argument(
        "--jobs", type=_positive, default=1, help=f"number of processes (1); this machine has {os.cpu_count()} cores"
    )
    arena.add_argument("--ray", metavar="ADDRESS", help="run on this Ray cluster; local starts one here")


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
        raise argparse.ArgumentTypeError(f"{text!r} is not an .svg file")
    return Path(text)
