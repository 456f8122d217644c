"""The command `tessella`."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from secrets import token_hex
from typing import TypeAlias

from tessella.bench import games as bench_games
from tessella.bots import METHODS, Bot, bot
from tessella.core import perft, playthrough, record, short
from tessella.core.game import AnyGame, BadNotation, Config, Seat
from tessella.games import GAMES
from tessella.server.commands import add_commands
from tessella.terminal.console import console
from tessella.terminal.pen import Pen, terminal_width, wants_colour
from tessella.terminal.play import Game
from tessella.terminal.progress import progress
from tessella.terminal.replay import Replay
from tessella.terminal.words import LANGUAGES, Words, preferred_language

AddParser: TypeAlias = Callable[..., argparse.ArgumentParser]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code says whether all is well."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
    except (BadNotation, FileNotFoundError) as wrong:
        print(f"tessella: {wrong}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # whoever read our output has seen enough
        sys.stderr.close()
        return 0
    return code


# play


def _play(options: argparse.Namespace) -> int:
    game = GAMES[options.game]
    names: list[str] = options.players or ["You", "greedy"]
    config = _config(game, len(names), options.option)
    seed = bytes.fromhex(options.seed) if options.seed else None
    shown = _distinct(names)
    table = record.Table(game, config, seed=seed, id="seeded" if seed else token_hex(8), names=shown)
    bots: dict[Seat, Bot] = {seat: bot(game, name) for seat, name in enumerate(names) if name in METHODS}
    Game(table, bots, _pen(options, shown), console()).play()
    if options.save:
        Path(options.save).write_text(record.write(table.record()), "utf-8")
        print(Words(options.language)("saved", file=options.save))
    return 0


def _distinct(names: Sequence[str]) -> list[str]:
    """Names that can be told apart.

    >>> _distinct(["Ann", "greedy", "greedy"])
    ['Ann', 'greedy', 'greedy 2']
    """
    earlier = [names[:seat].count(name) for seat, name in enumerate(names)]
    return [f"{name} {count + 1}" if count else name for name, count in zip(names, earlier, strict=True)]


def _config(game: AnyGame, seats: int | None, words: Sequence[str]) -> Config:
    given = [*([f"seats={seats}"] if seats else []), *words]
    config: Config = record.read_rules(game, " ".join([f"{game.NAME}/{game.EDITION}", *given]))
    return config


# replay, verify, perft


def _read(path: str) -> tuple[AnyGame, record.Record]:
    """A record from a file, or from the short form of a game."""
    if not Path(path).exists() and short.game_of(path) in GAMES and "." in path:
        game = GAMES[short.game_of(path)]
        return game, short.expand(game, path)
    found = record.read(Path(path).read_text("utf-8"))
    if found.game not in GAMES:
        raise BadNotation(f"{found.game!r} is not a game that we know")
    return GAMES[found.game], found


def _replay(options: argparse.Namespace) -> int:
    game, found = _read(options.file)
    if options.seen:
        print(playthrough.write(game, found), end="")
        return 0
    if options.short:
        print(short.shorten(game, found))
        return 0
    names = found.names or [f"Seat {seat}" for seat in range(record.read_rules(game, found.rules).seats)]
    viewer = Replay(game, found, _pen(options, names), console())
    if options.at is not None:
        viewer.show(min(options.at, len(found.acts) - 1))
    elif viewer.console.watched:
        viewer.browse()
    else:
        viewer.show_all()
    return 0


def _verify(options: argparse.Namespace) -> int:
    game, found = _read(options.file)
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
    speed = bench_games.measure(game, _config(game, None, options.option), options.seconds)
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


# The command line


def _pen(options: argparse.Namespace, names: Sequence[str]) -> Pen:
    return Pen(Words(options.language), names, colour=wants_colour(), width=terminal_width())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tessella", description="A home for tile-laying games.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_play(commands.add_parser)
    _add_records(commands.add_parser)
    _add_bench(commands.add_parser)
    add_commands(commands.add_parser)
    return parser


def _add_play(command: AddParser) -> None:
    play = command("play", help="play at this keyboard, with people or against the computer")
    play.add_argument("game", choices=GAMES)
    bots = " or ".join(METHODS)
    play.add_argument("players", nargs="*", help=f"a name for each seat; {bots} is a computer player (You greedy)")
    _add_option(play)
    play.add_argument("--seed", help="play these dice: 64 hexadecimal digits")
    play.add_argument("--save", metavar="FILE", help="write the game to this file at the end")
    _add_language(play)
    play.set_defaults(run=_play)


def _add_records(command: AddParser) -> None:
    replay = command("replay", help="watch a recorded game")
    replay.add_argument("file", help="a record, or the short form of a game")
    replay.add_argument("--at", type=int, metavar="ACT", help="show the table after this act")
    replay.add_argument("--seen", action="store_true", help="write what each seat saw")
    replay.add_argument("--short", action="store_true", help="write the whole game in one line")
    _add_language(replay)
    replay.set_defaults(run=_replay)
    verify = command("verify", help="compute every deal of a finished game again")
    verify.add_argument("file")
    verify.set_defaults(run=_verify)
    perfts = command("perft", help="count lines of play, as the files say they must be")
    perfts.add_argument("files", nargs="+")
    perfts.set_defaults(run=_perft)


def _add_bench(command: AddParser) -> None:
    bench = command("bench", help="measure speed").add_subparsers(required=True, metavar="WHAT")
    games = bench.add_parser("games", help="random moves a second of a readable engine")
    games.add_argument("game", choices=GAMES)
    _add_option(games)
    games.add_argument("--seconds", type=float, default=5.0, help="CPU time to spend (5)")
    games.add_argument("--json", action="store_true", help="end with one line of JSON")
    games.set_defaults(run=_bench_games)
    server = bench.add_parser("server", help="what moves, messages, views and idle sockets cost")
    here = "postgresql://postgres@127.0.0.1:5432/postgres"
    server.add_argument("--database", default=here, help=f"where to make a database for a while ({here})")
    server.add_argument("--seconds", type=float, default=60.0, help="about how long to measure (60)")
    server.add_argument("--json", action="store_true", help="end with one line of JSON")
    server.set_defaults(run=_bench_server)


def _add_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--option", action="append", default=[], metavar="NAME=VALUE", help="e.g. -o wall=grey")


def _add_language(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--language", choices=LANGUAGES, default=preferred_language())
