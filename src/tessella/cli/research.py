"""The command `tessella dataset`."""

import argparse
import json
from functools import partial
from pathlib import Path

from tessella.arena.workers import workers
from tessella.bots import Budget, names
from tessella.cli.options import add_json, add_rules, natural, positive
from tessella.core.game import AnyGame, BadNotation
from tessella.core.record import write_rules
from tessella.games import GAMES
from tessella.progress import progress_of
from tessella.terminal.setup import read_config


def add_dataset(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tessella dataset`."""
    parser.add_argument("game", choices=[*GAMES])
    parser.add_argument(
        "players", nargs="+", help="a bot per seat, such as 3 or greedy; 1,2,4 draws one for every game"
    )
    parser.add_argument("--games", type=int, default=1000, help="number of games (1000)")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the deals and the bots (1)")
    parser.add_argument("--nodes", type=int, help="positions a bot may search per move")
    parser.add_argument("--judge", metavar="LEVEL", help="add the move and the expected score of this bot")
    parser.add_argument(
        "--judge-nodes", type=int, default=500, metavar="N", help="positions or games behind each expected score (500)"
    )
    parser.add_argument(
        "--first", type=natural, default=0, metavar="N", help="number of the first game (0), to write a set in parts"
    )
    parser.add_argument("--jobs", type=positive, default=1, help="number of processes (1); the file is the same")
    add_rules(parser)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the file to write")
    add_json(parser)
    parser.set_defaults(run=_dataset)


def _dataset(options: argparse.Namespace) -> int:
    from tessella.research import dataset  # noqa: PLC0415  only this needs NumPy and PyArrow

    game: AnyGame = GAMES[options.game]
    named = [name for names_of_a_seat in options.players for name in names_of_a_seat.split(",")]
    asked = [*named, *([options.judge] if options.judge else [])]
    unknown = [name for name in asked if name not in names(game)]
    if unknown:
        raise BadNotation(f"{unknown[0]!r} is not a bot for {game.NAME}; choose from {', '.join(names(game))}")
    config = read_config(game, len(options.players), options.option)
    plan = dataset.Plan(
        write_rules(game, config),
        tuple(options.players),
        options.seed,
        Budget(nodes=options.nodes),
        options.judge or "",
        options.judge_nodes,
    )
    writer = dataset.Writer(options.out, plan)
    with workers(options.jobs) as spread:
        played = spread(partial(dataset.play, plan), range(options.first, options.first + options.games))
        for rows in progress_of(played, options.games, "games"):
            writer.add(rows)
    writer.close()
    print(f"{writer.rows:,} decisions of {options.games:,} games in {options.out}")
    if options.json:
        print(json.dumps({"games": options.games, "decisions": writer.rows, "bytes": options.out.stat().st_size}))
    return 0
