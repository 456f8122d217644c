"""The command `tessella train`."""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from tessella.arena.workers import workers
from tessella.bots.blockers_weights import FILE as BLOCKERS_FILE
from tessella.bots.duel_net import FILE
from tessella.bots.nets import named
from tessella.core.game import BadNotation
from tessella.games import azul
from tessella.terminal.progress import progress_of
from tessella.train.card import Trained, card, numbers

AddParser: TypeAlias = Callable[..., argparse.ArgumentParser]

LEAST_GAMES = 20
"""Fewer teach nothing."""


def _train(options: argparse.Namespace) -> int:
    try:
        from tessella.train import azul as azul_school  # noqa: PLC0415  NumPy is only needed here
        from tessella.train import duel as duel_school  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        return _without(missing)
    if options.games < LEAST_GAMES * options.generations:
        raise BadNotation(f"a generation needs at least {LEAST_GAMES} games")
    how_long = options.seed, options.games, options.generations, options.nodes, options.epochs
    with workers(options.jobs) as spread:
        if options.game == "duel":
            return _written(options, FILE, duel_school.train(duel_school.Plan(*how_long), spread, progress_of))
        plan = azul_school.Plan(azul.Config(options.seats, options.wall), *how_long)
        return _written(options, named(options.seats, options.wall), azul_school.train(plan, spread, progress_of))


def _train_blockers(options: argparse.Namespace) -> int:
    try:
        from tessella.train import blockers as school  # noqa: PLC0415  NumPy is only needed here
    except ModuleNotFoundError as missing:
        return _without(missing)
    plan = school.Plan(options.seed, options.games, options.steps)
    with workers(options.jobs) as spread:
        learned = school.train(plan, spread, progress_of)
    options.out.mkdir(parents=True, exist_ok=True)
    weights: Path = options.out / BLOCKERS_FILE
    weights.write_bytes(school.file(learned))
    told = f"tessella train blockers --seed {plan.seed} --games {plan.games} --steps {plan.steps}"
    written = "\n".join(school.card(plan, learned, told)) + "\n"
    _tell(weights, written)
    if options.json:
        print(json.dumps({**school.numbers(plan, learned), "file": str(weights)}))
    return 0 if all(one.passed for one in learned) else 1


def _without(missing: ModuleNotFoundError) -> int:
    if missing.name != "numpy":
        raise missing
    sys.stderr.write("tessella: numpy is not installed; pip install 'tessella[research]' brings it\n")
    return 2


def _tell(file: Path, card: str) -> None:
    file.with_suffix(".md").write_text(card, "utf-8")
    print(card)
    print(f"written to {file}; TESSELLA_NETS={file.parent} lets the levels play with it")


def _written(options: argparse.Namespace, name: str, trained: Trained) -> int:
    net: Path = options.out / name
    options.out.mkdir(parents=True, exist_ok=True)
    net.write_bytes(trained.file)
    _tell(net, card(trained, _command(options)))
    if options.json:
        print(json.dumps({**numbers(trained), "file": str(net)}))
    return 0 if trained.passed else 1


def _command(options: argparse.Namespace) -> str:
    """What was asked for, so that anybody can ask for it again."""
    asked = ("seats", "wall", "seed", "games", "generations", "nodes", "epochs")
    told = " ".join(f"--{name} {getattr(options, name)}" for name in asked if hasattr(options, name))
    return f"tessella train {options.game} {told}"


def add_commands(command: AddParser) -> None:
    """Give the command line its school."""
    games = command("train", help="teach the computer players").add_subparsers(required=True, metavar="GAME")
    train = games.add_parser("azul", help="a net that knows what boards are worth between two rounds")
    train.add_argument("--seats", type=int, choices=range(2, 5), default=2, help="how many play (2)")
    train.add_argument("--wall", choices=["coloured", "grey"], default="coloured", help="(coloured)")
    train.add_argument("--nodes", type=int, default=150, help="positions that are read for a move (150)")
    _add_teaching(train, "azul", games=90_000, generations=3, epochs=6)
    train = games.add_parser("duel", help="nets that know what boards are worth, one after each round")
    train.add_argument("--nodes", type=int, default=30, help="rounds that are tried for a move (30)")
    _add_teaching(train, "duel", games=3_000, generations=2, epochs=60)
    train = games.add_parser("blockers", help="weights by which quick players judge a move, by the number of players")
    train.add_argument("--games", type=int, default=600, help="in each contest (600)")
    train.add_argument("--steps", type=int, default=60, help="each tries twenty changes and their opposites (60)")
    _add_place(train)
    train.set_defaults(run=_train_blockers, game="blockers")


def _add_teaching(train: argparse.ArgumentParser, game: str, *, games: int, generations: int, epochs: int) -> None:
    train.add_argument("--games", type=int, default=games, help=f"how many, of all generations together ({games})")
    each = f"each plays with the net of the one before ({generations})"
    train.add_argument("--generations", type=int, default=generations, help=each)
    train.add_argument("--epochs", type=int, default=epochs, help=f"how often everything is learned ({epochs})")
    _add_place(train)
    train.set_defaults(run=_train, game=game)


def _add_place(train: argparse.ArgumentParser) -> None:
    train.add_argument("--seed", type=int, default=1, help="other games, another net (1)")
    train.add_argument("--jobs", type=int, default=2, help="processes (2)")
    train.add_argument("--out", type=Path, default=Path("nets"), metavar="FOLDER", help="where the net goes (nets)")
    train.add_argument("--json", action="store_true", help="end with one line of JSON")
