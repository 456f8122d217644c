"""The command `tessella train`."""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from tessella.arena.workers import workers
from tessella.bots.nets import named
from tessella.core.game import BadNotation
from tessella.games import azul
from tessella.terminal.progress import progress_of

AddParser: TypeAlias = Callable[..., argparse.ArgumentParser]

LEAST_GAMES = 20
"""Fewer teach nothing."""


def _train(options: argparse.Namespace) -> int:
    try:
        from tessella.train import azul as teaching  # noqa: PLC0415  NumPy is only needed here
        from tessella.train.card import card, numbers  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        if missing.name != "numpy":
            raise
        sys.stderr.write("tessella: numpy is not installed; pip install 'tessella[research]' brings it\n")
        return 2
    if options.games < LEAST_GAMES * options.generations:
        raise BadNotation(f"a generation needs at least {LEAST_GAMES} games")
    config = azul.Config(options.seats, options.wall)
    plan = teaching.Plan(config, options.seed, options.games, options.generations, options.nodes, options.epochs)
    with workers(options.jobs) as spread:
        trained = teaching.train(plan, spread, progress_of)
    net: Path = options.out / named(options.seats, options.wall)
    options.out.mkdir(parents=True, exist_ok=True)
    net.write_bytes(trained.file)
    written = card(trained, _command(options))
    net.with_suffix(".md").write_text(written, "utf-8")
    print(written)
    print(f"written to {net}; TESSELLA_NETS={options.out} lets the levels play with it")
    if options.json:
        print(json.dumps({**numbers(trained), "file": str(net)}))
    return 0 if trained.passed else 1


def _command(options: argparse.Namespace) -> str:
    """What was asked for, so that anybody can ask for it again."""
    named_options = ("seats", "wall", "seed", "games", "generations", "nodes", "epochs")
    return "tessella train azul " + " ".join(f"--{name} {getattr(options, name)}" for name in named_options)


def add_commands(command: AddParser) -> None:
    """Give the command line its school."""
    games = command("train", help="teach the computer players").add_subparsers(required=True, metavar="GAME")
    train = games.add_parser("azul", help="a net that knows what boards are worth between two rounds")
    train.add_argument("--seats", type=int, choices=range(2, 5), default=2, help="how many play (2)")
    train.add_argument("--wall", choices=["coloured", "grey"], default="coloured", help="(coloured)")
    train.add_argument("--seed", type=int, default=1, help="other games, another net (1)")
    train.add_argument("--games", type=int, default=90_000, help="how many games, of all generations together (90000)")
    train.add_argument("--generations", type=int, default=3, help="each plays with the net of the one before (3)")
    train.add_argument("--nodes", type=int, default=150, help="positions that are read for a move (150)")
    train.add_argument("--epochs", type=int, default=6, help="how often everything is learned (6)")
    train.add_argument("--jobs", type=int, default=2, help="processes (2)")
    train.add_argument("--out", type=Path, default=Path("nets"), metavar="FOLDER", help="where the net goes (nets)")
    train.add_argument("--json", action="store_true", help="end with one line of JSON")
    train.set_defaults(run=_train)
