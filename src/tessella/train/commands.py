"""The command `tessella train`."""

import argparse
import json
from pathlib import Path

from tessella.arena.workers import workers
from tessella.bots.azul.net import file_name
from tessella.bots.azul.policy import FILE as POLICY_FILE
from tessella.bots.azul.policy import write as write_policy
from tessella.bots.blockers.net import file_name as blockers_file_name
from tessella.bots.blockers.weights import FILE as BLOCKERS_FILE
from tessella.bots.duel.net import FILE
from tessella.bots.netfile import find
from tessella.core.game import BadNotation
from tessella.games import azul
from tessella.progress import progress_of
from tessella.train.card import Trained, card, numbers

LEAST_GAMES = 20
"""Fewer teach nothing."""


def _train(options: argparse.Namespace) -> int:
    from tessella.train import azul as azul_school  # noqa: PLC0415  NumPy is only needed here
    from tessella.train import duel as duel_school  # noqa: PLC0415

    if options.games < LEAST_GAMES * options.generations:
        raise BadNotation(f"a generation needs at least {LEAST_GAMES} games")
    how_long = options.seed, options.games, options.generations, options.nodes, options.epochs
    start = options.start.read_bytes() if options.start else None
    with workers(options.jobs) as spread:
        if options.game == "duel":
            return _written(options, FILE, duel_school.train(duel_school.Plan(*how_long, start), spread, progress_of))
        plan = azul_school.Plan(azul.Config(options.seats, options.wall), *how_long, start, options.narrow)
        return _written(options, file_name(options.seats, options.wall), azul_school.train(plan, spread, progress_of))


def _train_blockers(options: argparse.Namespace) -> int:
    from tessella.train import blockers as school  # noqa: PLC0415  NumPy is only needed here

    plan = school.Plan(options.seed, options.games, options.steps)
    with workers(options.jobs) as spread:
        learned = school.train(plan, spread, progress_of)
    options.out.mkdir(parents=True, exist_ok=True)
    weights: Path = options.out / BLOCKERS_FILE
    weights.write_bytes(school.file(learned))
    command = f"tessella train blockers --seed {plan.seed} --games {plan.games} --steps {plan.steps}"
    written = "\n".join(school.card(plan, learned, command)) + "\n"
    _write_card(weights, written)
    if options.json:
        print(json.dumps({**school.numbers(plan, learned), "file": str(weights)}))
    return 0 if all(one.passed for one in learned) else 1


def _train_blockers_net(options: argparse.Namespace) -> int:
    from tessella.train import blockers_net as school  # noqa: PLC0415  NumPy is only needed here

    if options.games < LEAST_GAMES * options.generations:
        raise BadNotation(f"a generation needs at least {LEAST_GAMES} games")
    how_long = options.seed, options.games, options.generations, options.nodes, options.epochs
    with workers(options.jobs) as spread:
        trained = school.train(school.Plan(options.seats, *how_long), spread, progress_of)
    return _written(options, blockers_file_name(options.seats), trained)


def _train_azul_policy(options: argparse.Namespace) -> int:
    from tessella.train import azul_policy as school  # noqa: PLC0415  NumPy is only needed here

    net = options.net.read_bytes() if options.net else find(file_name(2, "coloured"))
    assert net is not None
    plan = school.Plan(options.seed, options.games, options.generations, options.nodes, net)
    with workers(options.jobs) as spread:
        trained = school.train(plan, spread, progress_of)
    options.out.mkdir(parents=True, exist_ok=True)
    weights: Path = options.out / POLICY_FILE
    weights.write_bytes(write_policy(trained.policy))
    command = f"tessella train azul-policy --seed {plan.seed} --games {plan.games} --generations {plan.generations}"
    given = f" --net {options.net.name}" if options.net else ""
    _write_card(weights, "\n".join(school.card(plan, trained, f"{command} --nodes {plan.nodes}{given}")) + "\n")
    if options.json:
        print(json.dumps({**school.numbers(plan, trained), "file": str(weights)}))
    return 0 if trained.passed else 1


def _write_card(file: Path, card: str) -> None:
    file.with_suffix(".md").write_text(card, "utf-8")
    print(card)
    print(f"written to {file}; TESSELLA_NETS={file.parent} lets the levels play with it")


def _written(options: argparse.Namespace, name: str, trained: Trained) -> int:
    net: Path = options.out / name
    options.out.mkdir(parents=True, exist_ok=True)
    net.write_bytes(trained.file)
    _write_card(net, card(trained, _command(options)))
    if options.json:
        print(json.dumps({**numbers(trained), "file": str(net)}))
    return 0 if trained.passed else 1


def _command(options: argparse.Namespace) -> str:
    """What was asked for, so that anybody can ask for it again."""
    asked = ("seats", "wall", "seed", "games", "generations", "nodes", "epochs")
    given = " ".join(f"--{name} {getattr(options, name)}" for name in asked if hasattr(options, name))
    if getattr(options, "start", None):
        given += f" --start {options.start.name}"
    if getattr(options, "narrow", False):
        given += " --narrow"
    return f"tessella train {options.game} {given}"


def add_train(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands of `tessella train`."""
    games = parser.add_subparsers(required=True, metavar="GAME")
    train = games.add_parser("azul", help="train the net that evaluates boards between two rounds")
    train.add_argument("--seats", type=int, choices=range(2, 5), default=2, help="number of players (2)")
    train.add_argument("--wall", choices=["coloured", "grey"], default="coloured", help="side of the wall (coloured)")
    train.add_argument("--nodes", type=int, default=150, help="positions searched per move (150)")
    train.add_argument("--start", type=Path, metavar="FILE", help="net to start from (random weights)")
    train.add_argument("--narrow", action="store_true", help="search narrowly, with the shipped move policy")
    _add_teaching(train, "azul", games=90_000, generations=3, epochs=6)
    train = games.add_parser("azul-policy", help="train the order in which moves are searched")
    train.add_argument("--games", type=int, default=700, help="games to take positions from (700)")
    train.add_argument(
        "--generations", type=int, default=2, help="each is judged with the policy of the one before (2)"
    )
    train.add_argument("--nodes", type=int, default=60_000, help="positions that the judge searches (60000)")
    train.add_argument("--net", type=Path, metavar="FILE", help="net of the games (the shipped one)")
    _add_place(train)
    train.set_defaults(run=_train_azul_policy)
    train = games.add_parser("duel", help="train the nets that evaluate boards, one after each round")
    train.add_argument("--nodes", type=int, default=30, help="rollouts per move (30)")
    train.add_argument("--start", type=Path, metavar="FILE", help="nets for the first games (none)")
    _add_teaching(train, "duel", games=3_000, generations=2, epochs=60)
    train = games.add_parser("blockers", help="train the weights of the rollout policy, per number of players")
    train.add_argument("--games", type=int, default=600, help="games per match (600)")
    train.add_argument("--steps", type=int, default=60, help="training steps, of twenty trial changes each (60)")
    _add_place(train)
    train.set_defaults(run=_train_blockers, game="blockers")
    train = games.add_parser("blockers-net", help="train the net that evaluates positions in the middle of a game")
    train.add_argument("--seats", type=int, choices=range(2, 6), default=4, help="number of players (4)")
    train.add_argument("--nodes", type=int, default=12, help="moves weighed per turn (12)")
    _add_teaching(train, "blockers-net", games=48_000, generations=8, epochs=8)
    train.set_defaults(run=_train_blockers_net)


def _add_teaching(train: argparse.ArgumentParser, game: str, *, games: int, generations: int, epochs: int) -> None:
    train.add_argument("--games", type=int, default=games, help=f"number of games, over all generations ({games})")
    each = f"number of generations; each plays with the net of the one before ({generations})"
    train.add_argument("--generations", type=int, default=generations, help=each)
    train.add_argument("--epochs", type=int, default=epochs, help=f"passes over the data ({epochs})")
    _add_place(train)
    train.set_defaults(run=_train, game=game)


def _add_place(train: argparse.ArgumentParser) -> None:
    train.add_argument("--seed", type=int, default=1, help="random seed (1)")
    train.add_argument("--jobs", type=int, default=2, help="number of processes (2)")
    train.add_argument("--out", type=Path, default=Path("nets"), metavar="FOLDER", help="folder for the net (nets)")
    train.add_argument("--json", action="store_true", help="end with one line of JSON")
