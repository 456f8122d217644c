"""The commands of the workbench."""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from tessella.bots import Budget, names
from tessella.core import record
from tessella.core.game import AnyGame, BadNotation, Config
from tessella.games import GAMES
from tessella.terminal.progress import progress

AddParser: TypeAlias = Callable[..., argparse.ArgumentParser]


def add_commands(command: AddParser) -> None:
    """Give the command line the workbench."""
    dataset = command("dataset", help="play games and write every decision to a Parquet file, for learners")
    dataset.add_argument("game", choices=[*GAMES])
    dataset.add_argument("players", nargs="+", help="a computer player for each seat, such as 3 or greedy")
    dataset.add_argument("--games", type=int, default=1000, help="how many (1000)")
    dataset.add_argument("--seed", type=int, default=1, help="other deals, other choices (1)")
    dataset.add_argument("--nodes", type=int, help="positions that a player may read for a move")
    dataset.add_argument("--judge", metavar="LEVEL", help="add what this computer player would play, and expects")
    dataset.add_argument(
        "--judge-nodes",
        type=int,
        default=500,
        metavar="N",
        help="positions or games that go into what is expected (500)",
    )
    dataset.add_argument("-o", "--option", action="append", default=[], metavar="NAME=VALUE", help="e.g. -o wall=grey")
    dataset.add_argument("--out", type=Path, required=True, metavar="FILE", help="the file to write")
    dataset.add_argument("--json", action="store_true", help="end with one line of JSON")
    dataset.set_defaults(run=_dataset)


def _dataset(options: argparse.Namespace) -> int:
    from tessella.research import dataset  # noqa: PLC0415  only this needs NumPy and PyArrow

    game: AnyGame = GAMES[options.game]
    asked = [*options.players, *([options.judge] if options.judge else [])]
    unknown = [name for name in asked if name not in names(game)]
    if unknown:
        raise BadNotation(f"{unknown[0]!r} is no computer player of {game.NAME}: {', '.join(names(game))}")
    config = _config(game, options)
    judge = dataset.Judge(game, config.seats, options.judge, options.judge_nodes) if options.judge else None
    writer = dataset.Writer(options.out, game, config, options.players, judge)
    for number in progress(range(options.games), "games"):
        writer.play(number, options.seed * 1_000_003 + number, Budget(nodes=options.nodes))
    writer.close()
    print(f"{writer.rows:,} decisions of {options.games:,} games in {options.out}")
    if options.json:
        print(json.dumps({"games": options.games, "decisions": writer.rows, "bytes": options.out.stat().st_size}))
    return 0


def _config(game: AnyGame, options: argparse.Namespace) -> Config:
    words = [f"{game.NAME}/{game.EDITION}", f"seats={len(options.players)}", *options.option]
    config: Config = record.read_rules(game, " ".join(words))
    return config
