"""The command `tessella dataset`."""

import argparse
import json
from pathlib import Path

from tessella.bots import Budget, names
from tessella.cli.options import add_json, add_rules
from tessella.core.game import AnyGame, BadNotation
from tessella.games import GAMES
from tessella.progress import progress
from tessella.terminal.setup import read_config


def add_dataset(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tessella dataset`."""
    parser.add_argument("game", choices=[*GAMES])
    parser.add_argument("players", nargs="+", help="a bot per seat, such as 3 or greedy")
    parser.add_argument("--games", type=int, default=1000, help="number of games (1000)")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the deals and the bots (1)")
    parser.add_argument("--nodes", type=int, help="positions a bot may search per move")
    parser.add_argument("--judge", metavar="LEVEL", help="add the move and the expected score of this bot")
    parser.add_argument(
        "--judge-nodes", type=int, default=500, metavar="N", help="positions or games behind each expected score (500)"
    )
    add_rules(parser)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the file to write")
    add_json(parser)
    parser.set_defaults(run=_dataset)


def _dataset(options: argparse.Namespace) -> int:
    from tessella.research import dataset  # noqa: PLC0415  only this needs NumPy and PyArrow

    game: AnyGame = GAMES[options.game]
    asked = [*options.players, *([options.judge] if options.judge else [])]
    unknown = [name for name in asked if name not in names(game)]
    if unknown:
        raise BadNotation(f"{unknown[0]!r} is not a bot for {game.NAME}; choose from {', '.join(names(game))}")
    config = read_config(game, len(options.players), options.option)
    judge = dataset.Annotator(game, config.seats, options.judge, options.judge_nodes) if options.judge else None
    writer = dataset.Writer(options.out, game, config, options.players, judge)
    for number in progress(range(options.games), "games"):
        writer.play(number, options.seed * 1_000_003 + number, Budget(nodes=options.nodes))
    writer.close()
    print(f"{writer.rows:,} decisions of {options.games:,} games in {options.out}")
    if options.json:
        print(json.dumps({"games": options.games, "decisions": writer.rows, "bytes": options.out.stat().st_size}))
    return 0
