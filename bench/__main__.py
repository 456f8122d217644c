"""The command `scripts/bench`."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence

from bench import games
from bench.rivals import RIVALS
from tessella import cli
from tessella.games import GAMES
from tessella.terminal.setup import read_config

POSTGRES = "postgresql://postgres@127.0.0.1:5432/postgres"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one benchmark; the exit code is 1 if it misses its gate."""
    whole = parser()
    options, rest = whole.parse_known_args(arguments)
    if rest and options.run is not _gauntlet:
        whole.error(f"unrecognized arguments: {' '.join(rest)}")
    options.rest = rest
    code: int = options.run(options)
    return code


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line, with one subcommand per benchmark."""
    whole = argparse.ArgumentParser(prog="scripts/bench", description="Measure speed.")
    bench = whole.add_subparsers(required=True, metavar="WHAT")
    games = bench.add_parser("games", help="random moves per second of a readable engine")
    games.add_argument("game", choices=GAMES)
    games.add_argument("-o", "--option", action="append", default=[], metavar="NAME=VALUE", help="e.g. -o wall=grey")
    _add_options(games, _bench_games, 5, "CPU time to spend")
    fast = bench.add_parser("fast", help="moves per second of the compiled games, against C and the readable games")
    fast.add_argument("--plot", action="store_true", help="draw the speeds")
    _add_options(fast, _bench_fast, 30)
    bots = bench.add_parser("bots", help="moves per second in the bots' searches, and in bare engines")
    _add_options(bots, _bench_bots, 30)
    losses = bench.add_parser("losses", help="what a move of level 8 of Azul costs, by ply, against a longer search")
    losses.add_argument("--times", type=float, default=100, help="how many times as long the judge searches (100)")
    losses.add_argument("--positions", type=int, default=40, help="positions per ply (40)")
    losses.add_argument("--seed", type=int, default=1, help="seed of the games that positions are taken from (1)")
    _add_options(losses, _bench_losses, 0.1, "CPU time per move")
    research = bench.add_parser("research", help="steps per second of the reinforcement-learning environments")
    _add_options(research, _bench_research, 30)
    server = bench.add_parser("server", help="the cost of moves, messages, views and idle sockets")
    server.add_argument("--database", default=POSTGRES, help=f"server on which to create a database ({POSTGRES})")
    _add_options(server, _bench_server, 60)
    gauntlet = bench.add_parser("gauntlet", help="a bot against every rival in bench/rivals")
    gauntlet.add_argument("player", help="a level, or MODULE:MAKER")
    gauntlet.add_argument("--game", choices=RIVALS, default="azul", help="the game (azul)")
    gauntlet.set_defaults(run=_gauntlet)
    return whole


def _add_options(
    parser: argparse.ArgumentParser,
    run: Callable[[argparse.Namespace], int],
    seconds: float,
    meaning: str = "approximate duration in seconds",
) -> None:
    parser.add_argument("--seconds", type=float, default=seconds, help=f"{meaning} ({seconds:g})")
    parser.add_argument("--json", action="store_true", help="end with one line of JSON")
    parser.set_defaults(run=run)


def _bench_games(options: argparse.Namespace) -> int:
    game = GAMES[options.game]
    speed = games.measure(game, read_config(game, None, options.option), options.seconds)
    print(f"{game.NAME}: {speed.moves_per_s:,.0f} random moves per second of CPU time")
    print(
        f"  {speed.moves:,} moves in {speed.games:,} games; the gate is {speed.gate:,}{speed.gates.mark('moves_per_s')}"
    )
    if options.json:
        figures = {"moves_per_s": round(speed.moves_per_s), "moves": speed.moves, "gate": speed.gate}
        print(json.dumps({**figures, **speed.gates.json_fields()}))
    return speed.gates.exit_status


def _bench_server(options: argparse.Namespace) -> int:
    from bench import server  # noqa: PLC0415  only this benchmark needs the server's dependencies

    try:
        report = server.run(options.database, options.seconds)
    except ConnectionError as exc:
        print(f"bench: cannot connect to PostgreSQL: {exc}; start it, or name another with --database", file=sys.stderr)
        return 2
    except OSError as exc:
        print(f"bench: {exc}", file=sys.stderr)
        return 2
    print(report)
    if options.json:
        print(report.json())
    return report.gates.exit_status


def _bench_fast(options: argparse.Namespace) -> int:
    from bench import fast  # noqa: PLC0415  only this benchmark needs NumPy

    report = fast.run(options.seconds)
    print(report)
    if options.plot:
        print(report.plot())
    if options.json:
        print(report.json())
    return report.gates.exit_status


def _bench_bots(options: argparse.Namespace) -> int:
    from bench import bots  # noqa: PLC0415  only this benchmark needs NumPy

    report = bots.run(options.seconds)
    print(report)
    if options.json:
        print(report.json())
    return 0


def _bench_losses(options: argparse.Namespace) -> int:
    from bench import losses  # noqa: PLC0415  only this benchmark needs the nets

    report = losses.run(options.seconds, options.times, options.positions, options.seed)
    print(report)
    if options.json:
        print(report.json())
    return report.gates.exit_status


def _bench_research(options: argparse.Namespace) -> int:
    from bench import research  # noqa: PLC0415  only this benchmark needs Gymnasium and NumPy

    report = research.run(options.seconds)
    print(report)
    if options.json:
        print(report.json())
    return report.gates.exit_status


def _gauntlet(options: argparse.Namespace) -> int:
    """Run the arena's gauntlet with our rivals; other options are passed on to the arena."""
    rivals = ["--rivals", *RIVALS[options.game]]
    return cli.main(["arena", options.game, options.player, "--gauntlet", *rivals, *options.rest])


if __name__ == "__main__":
    sys.exit(main())
