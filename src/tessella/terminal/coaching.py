"""The commands `tessella analyse`, `tessella calibrate` and `tessella puzzles`."""

import argparse
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

import msgspec

from tessella.bots import Budget, names
from tessella.coach import puzzles
from tessella.coach.calibration import Calibration, Claim, calibrated, claims
from tessella.coach.puzzles import Header, Puzzle
from tessella.coach.review import look, put_together
from tessella.core import record
from tessella.core.game import BadNotation
from tessella.core.record import Record, write_rules
from tessella.games import GAMES
from tessella.terminal.files import game_files, read_game
from tessella.terminal.pen import Pen, terminal_width, wants_colour
from tessella.terminal.progress import progress, progress_of
from tessella.terminal.report import tell
from tessella.terminal.report_page import page
from tessella.terminal.setting import read_config
from tessella.terminal.words import LANGUAGES, Words, preferred_language

AddParser: TypeAlias = Callable[..., argparse.ArgumentParser]


# analyse


def _analyse(options: argparse.Namespace) -> int:
    game, found = read_game(options.file)
    if not found.acts:
        raise BadNotation("nothing was played in this game")
    judged = 3 * len(found.acts)
    budget = Budget(options.seconds / judged if options.seconds else None, options.nodes)
    parts = list(progress_of(look(game, found, budget), len(found.acts), "acts"))
    report = put_together(game, found, parts, budget)
    pen = Pen(Words(options.language), found.names, colour=wants_colour(), width=terminal_width())
    if options.html:
        options.html.write_text(page(report, pen), "utf-8")
    if options.text or not options.json:
        print("\n".join(tell(report, pen)))
    if options.html and not options.json:
        print("\n" + pen.words("coach.written", file=options.html))
    if options.json:
        print(msgspec.json.encode(report).decode())
    return 0


# calibrate


def _calibrate(options: argparse.Namespace) -> int:
    game = GAMES[options.game]
    if options.level not in names(game):
        raise BadNotation(f"{options.level!r} is no computer player of {game.NAME}; there are {', '.join(names(game))}")
    config, budget = read_config(game, options.seats, options.option), Budget(nodes=options.nodes)
    found: list[Claim] = []
    for number in progress(range(options.games), "games"):
        found += claims(game, config, options.level, budget, options.positions, options.seed + number)
    calibration = calibrated(found, config.seats)
    print("\n".join(_told(calibration)))
    passed = options.at_most is None or calibration.off <= options.at_most
    if options.json:
        told: dict[str, object] = msgspec.to_builtins(calibration, str_keys=True)
        print(json.dumps({"rules": write_rules(game, config), "games": options.games, **told, "passed": passed}))
    return 0 if passed else 1


def _told(calibration: Calibration) -> Iterator[str]:
    yield "said     won   claims"
    for each in calibration.bins:
        yield f"{100 * each.said:3.0f} %   {100 * each.won:3.0f} %   {each.claims:6}"
    yield f"said and won differ by {100 * calibration.off:.1f} % on average"
    yield ", ".join(f"round {number}: {100 * off:.1f} %" for number, off in calibration.rounds.items())
    yield f"squared error {calibration.brier:.4f}; {calibration.ignorant:.4f} for who knows nothing"


# puzzles


def _puzzles(options: argparse.Namespace) -> int:
    if bool(options.records) == bool(options.games):
        raise BadNotation("say where to look: --records FILE or FOLDER …, or --games NUMBER to play some first")
    paths = list(game_files(options.records))
    games = map(_read, paths) if paths else puzzles.play_games(options.games, options.seed)
    found, looked = _mine(progress_of(games, len(paths) or options.games, "games"), options.margin, options.most)
    header = Header("Puzzles of Tessella", looked, options.margin, None if paths else options.seed)
    options.out.write_text(puzzles.write(header, found), "utf-8")
    print(f"{len(found)} puzzles from {looked} games are in {options.out}")
    for difficulty in range(1, 6):
        print(f"  difficulty {difficulty}: {sum(puzzle.difficulty == difficulty for puzzle in found)}")
    if options.json:
        print(json.dumps({"puzzles": len(found), "games": looked, "margin": options.margin, "out": str(options.out)}))
    return 0 if found else 1


def _read(path: Path) -> Record:
    return record.read(path.read_text("utf-8"))


def _mine(games: Iterable[Record], margin: float, most: int | None) -> tuple[list[Puzzle], int]:
    """The puzzles in these games, each once, no more than are wanted; and in how many games we looked."""
    found: dict[str, Puzzle] = {}
    looked = 0
    for looked, game in enumerate(games, 1):  # noqa: B007
        if puzzles.may_hold(game):
            found |= {puzzle.id: puzzle for puzzle in puzzles.mine(game, margin)}
        if most is not None and len(found) >= most:
            break
    return list(found.values())[:most], looked


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def add_commands(command: AddParser) -> None:
    """Add the commands of the coach."""
    analyse = command("analyse", help="what the coach says of a recorded game: its turning points, losses and luck")
    analyse.add_argument("file", help="a record, or the short form of a game")
    analyse.add_argument("--text", action="store_true", help="tell it here (so it is, unless only JSON is wished)")
    analyse.add_argument("--html", type=Path, metavar="FILE", help="write one page with plots, for a browser")
    analyse.add_argument("--json", action="store_true", help="end with one line of JSON: the whole report")
    effort = analyse.add_mutually_exclusive_group()
    effort.add_argument("--nodes", type=_positive, metavar="N", help="positions to read to judge one (120,000 in Azul)")
    effort.add_argument("--seconds", type=float, metavar="S", help="about how long to look at the whole game")
    analyse.add_argument("--language", choices=LANGUAGES, default=preferred_language())
    analyse.set_defaults(run=_analyse)
    _add_calibrate(command)
    mining = command("puzzles", help="find positions with one clearly best move in recorded games")
    mining.add_argument("--records", nargs="+", default=[], metavar="FILE", help="recorded games, or folders of them")
    mining.add_argument(
        "--games", type=int, metavar="N", help="play so many games between good players, and look there"
    )
    mining.add_argument("--seed", type=int, default=1, help="of the games that are played (1)")
    mining.add_argument("--out", type=Path, required=True, metavar="FILE", help="where to write them, as JSON lines")
    mining.add_argument("--most", type=int, metavar="N", help="stop at so many puzzles")
    margin = f"what every other move throws away at least, in win probability ({puzzles.MARGIN})"
    mining.add_argument("--margin", type=float, default=puzzles.MARGIN, help=margin)
    mining.add_argument("--json", action="store_true", help="end with one line of JSON")
    mining.set_defaults(run=_puzzles)


def _add_calibrate(command: AddParser) -> None:
    calibrate = command("calibrate", help="whether the coach's chances come true, in games between computer players")
    calibrate.add_argument("game", choices=[*GAMES])
    calibrate.add_argument("--games", type=_positive, default=100, help="how many are played (100)")
    calibrate.add_argument("--positions", type=_positive, default=8, help="how many are judged in each (8)")
    calibrate.add_argument("--level", default="5", help="who plays (5)")
    calibrate.add_argument("--seats", type=int, metavar="N", help="how many players")
    calibrate.add_argument("-o", "--option", action="append", default=[], metavar="NAME=VALUE", help="e.g. wall=grey")
    calibrate.add_argument("--nodes", type=_positive, metavar="N", help="the effort for a position, as in analyse")
    calibrate.add_argument("--seed", type=int, default=1, help="other games (1)")
    calibrate.add_argument("--at-most", type=float, metavar="OFF", help="exit 1 if said and won differ more, e.g. 0.05")
    calibrate.add_argument("--json", action="store_true", help="end with one line of JSON")
    calibrate.set_defaults(run=_calibrate)
