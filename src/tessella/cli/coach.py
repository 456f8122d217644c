"""The commands `tessella analyse`, `tessella calibrate` and `tessella puzzles`."""

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from tessella.bots import Budget, names
from tessella.cli.options import add_json, add_language, add_rules, positive, style_for
from tessella.coach.calibration import Calibration, Prediction, calibrate, predictions
from tessella.coach.puzzles import find, puzzle
from tessella.coach.puzzles.puzzle import Header, Puzzle
from tessella.coach.review import assemble, evaluate_acts
from tessella.core import record
from tessella.core.game import BadNotation
from tessella.core.notation import decode_text
from tessella.core.record import Record, write_rules
from tessella.games import GAMES
from tessella.progress import progress, progress_of
from tessella.terminal.console import console, game_files, read_game
from tessella.terminal.puzzles import solve_puzzles
from tessella.terminal.setup import read_config
from tessella.text.i18n import Translations
from tessella.text.review import narrate
from tessella.text.review_page import page

MOST_SEATS = 5

# analyse


def add_analyse(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tessella analyse`."""
    parser.add_argument("file", help="a record, or a game in its one-line form")
    parser.add_argument("--text", action="store_true", help="print the review (the default unless --json is given)")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page with plots, for a browser")
    parser.add_argument("--json", action="store_true", help="end with one line of JSON: the whole review")
    effort = parser.add_mutually_exclusive_group()
    effort.add_argument(
        "--nodes", type=positive, metavar="N", help="positions to search per evaluation (90,000 in Azul)"
    )
    effort.add_argument("--seconds", type=float, metavar="S", help="approximate time for the whole review")
    add_language(parser)
    parser.set_defaults(run=_analyse)


def _analyse(options: argparse.Namespace) -> int:
    game, found = read_game(options.file)
    if not found.acts:
        raise BadNotation("this game has no moves to review")
    judged = 3 * len(found.acts)
    budget = Budget(options.seconds / judged if options.seconds else None, options.nodes)
    parts = list(progress_of(evaluate_acts(game, found, budget), len(found.acts), "acts"))
    report = assemble(game, found, parts, budget)
    style = style_for(options, found.names)
    if options.html:
        options.html.write_text(page(report, style), "utf-8")
    if options.text or not options.json:
        print("\n".join(narrate(report, style)))
    if options.html and not options.json:
        print("\n" + style.texts("coach.written", file=options.html))
    if options.json:
        print(msgspec.json.encode(report).decode())
    return 0


# calibrate


def add_calibrate(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tessella calibrate`."""
    parser.add_argument("game", choices=[*GAMES])
    parser.add_argument("--games", type=positive, default=100, help="number of games (100)")
    parser.add_argument("--positions", type=positive, default=8, help="positions evaluated per game (8)")
    parser.add_argument("--level", default="5", help="the bot that plays (5)")
    parser.add_argument("--seats", type=int, metavar="N", help="number of players")
    add_rules(parser)
    parser.add_argument("--nodes", type=positive, metavar="N", help="positions to search per evaluation")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the games (1)")
    parser.add_argument(
        "--at-most", type=float, metavar="ERROR", help="exit 1 if the mean calibration error is larger, e.g. 0.05"
    )
    add_json(parser)
    parser.set_defaults(run=_calibrate)


def _calibrate(options: argparse.Namespace) -> int:
    game = GAMES[options.game]
    if options.level not in names(game):
        raise BadNotation(f"{options.level!r} is not a bot for {game.NAME}; choose from {', '.join(names(game))}")
    config, budget = read_config(game, options.seats, options.option), Budget(nodes=options.nodes)
    found: list[Prediction] = []
    for number in progress(range(options.games), "games"):
        found += predictions(game, config, options.level, budget, options.positions, options.seed + number)
    calibration = calibrate(found, config.seats)
    print("\n".join(_table(calibration)))
    passed = options.at_most is None or calibration.off <= options.at_most
    if options.json:
        figures: dict[str, object] = msgspec.to_builtins(calibration, str_keys=True)
        print(json.dumps({"rules": write_rules(game, config), "games": options.games, **figures, "passed": passed}))
    return 0 if passed else 1


def _table(calibration: Calibration) -> Iterator[str]:
    yield "said     won   claims"
    for each in calibration.bins:
        yield f"{100 * each.said:3.0f} %   {100 * each.won:3.0f} %   {each.claims:6}"
    yield f"said and won differ by {100 * calibration.off:.1f} % on average"
    yield ", ".join(f"round {number}: {100 * off:.1f} %" for number, off in calibration.rounds.items())
    yield f"squared error {calibration.brier:.4f}; {calibration.ignorant:.4f} for who knows nothing"


# puzzles


def add_puzzles(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tessella puzzles`, which lets one solve them, and of `tessella puzzles find`."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--id", metavar="PUZZLE", help="begin with this puzzle (today's)")
    which.add_argument("--difficulty", type=int, choices=range(1, 6), help="only puzzles of this difficulty")
    parser.add_argument("--game", choices=[*GAMES], help="only puzzles of this game")
    parser.add_argument("--theme", metavar="THEME", help="only puzzles of this theme, such as block")
    parser.add_argument("--file", type=Path, metavar="FILE", help="puzzles that `tessella puzzles find` wrote")
    parser.add_argument("--aloud", action="store_true", help="sentences instead of a drawing, for a screen reader")
    add_language(parser)
    parser.set_defaults(run=_solve)
    about = "find positions with one clearly best move in recorded games"
    commands = parser.add_subparsers(metavar="find")
    _add_find(commands.add_parser("find", help=about, description=f"{about[0].upper()}{about[1:]}."))


def _add_find(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--records", nargs="+", default=[], metavar="FILE", help="recorded games, or folders of them")
    parser.add_argument("--games", type=int, metavar="N", help="play N games between strong bots and search those")
    parser.add_argument("--game", choices=[*GAMES], default="azul", help="the game to play (azul)")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the played games (1)")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the file to write, as JSON lines")
    parser.add_argument("--most", type=int, metavar="N", help="stop after N puzzles")
    margin = f"the least win probability that any other move loses ({find.MARGIN})"
    parser.add_argument("--margin", type=float, default=find.MARGIN, help=margin)
    add_json(parser)
    parser.set_defaults(run=_find)


def _solve(options: argparse.Namespace) -> int:
    found = list(_read_puzzles(options.file).values())
    chosen = [each for each in found if _is_wanted(each, options)]
    if not chosen:
        raise BadNotation("there is no such puzzle in this file")
    first = _first(chosen, options.id)
    rest = sorted((each for each in chosen if each is not first), key=lambda each: each.difficulty)
    texts = Translations(options.language)
    names = [texts("screen.home.person", n=seat + 1) for seat in range(MOST_SEATS)]
    solve_puzzles([first, *rest], style_for(options, names), console())
    return 0


def _is_wanted(found: Puzzle, options: argparse.Namespace) -> bool:
    wanted = (options.difficulty, found.difficulty), (options.game, found.title), (options.theme, found.reason.theme)
    return all(asked in (None, given) for asked, given in wanted)


def _read_puzzles(file: Path | None) -> Mapping[str, Puzzle]:
    if file is None:
        return puzzle.shipped()
    return {each.id: each for each in puzzle.read(decode_text(file.read_bytes(), str(file)))[1]}


def _first(found: Sequence[Puzzle], wanted: str | None) -> Puzzle:
    if wanted is None:
        return puzzle.daily(datetime.now(UTC).date(), found)
    named = [each for each in found if each.id == wanted]
    if not named:
        raise BadNotation(f"there is no puzzle {wanted!r}; they are named like {found[0].id!r}")
    return named[0]


def _find(options: argparse.Namespace) -> int:
    if bool(options.records) == bool(options.games):
        raise BadNotation("give either --records FILE …, or --games N to play some first")
    paths = list(game_files(options.records))
    games = map(_read, paths) if paths else find.play_games(options.game, range(options.games), options.seed)
    every = progress_of(games, len(paths) or options.games, "games")
    found, looked = _mine(every, find.may_hold if paths else find.is_close, options)
    header = Header("Puzzles of Tessella", looked, options.margin, None if paths else options.seed)
    options.out.write_text(puzzle.write(header, found), "utf-8")
    print(f"{len(found)} puzzles from {looked} games are in {options.out}")
    for difficulty in range(1, 6):
        print(f"  difficulty {difficulty}: {sum(each.difficulty == difficulty for each in found)}")
    if options.json:
        print(json.dumps({"puzzles": len(found), "games": looked, "margin": options.margin, "out": str(options.out)}))
    return 0 if found else 1


def _read(path: Path) -> Record:
    return record.read(decode_text(path.read_bytes(), str(path)))


def _mine(
    games: Iterable[Record], may_hold: Callable[[Record], bool], options: argparse.Namespace
) -> tuple[list[Puzzle], int]:
    """Return the puzzles in these games without duplicates, as many as asked for, and the number of games looked at."""
    found: dict[str, Puzzle] = {}
    looked = 0
    for looked, game in enumerate(games, 1):  # noqa: B007
        if may_hold(game):
            found |= {each.id: each for each in find.mine(game, options.margin)}
        if options.most is not None and len(found) >= options.most:
            break
    return list(found.values())[: options.most], looked
