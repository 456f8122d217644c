"""The command `tessella prove`."""

import argparse
from collections.abc import Callable
from typing import TypeAlias

from tessella.prove import NATS, POSTGRES, PROOFS, Ask, proving

AddParser: TypeAlias = Callable[..., argparse.ArgumentParser]


def add_commands(command: AddParser) -> None:
    """Give the command line the proofs."""
    rooms = command("prove", help="try to break the promises that Tessella makes")
    proofs = rooms.add_subparsers(required=True, metavar="PROMISE", dest="proof")
    for name, proof in PROOFS.items():
        _add_proof(proofs.add_parser(name, help=proof.promise), name)


def _add_proof(parser: argparse.ArgumentParser, name: str) -> None:
    proof = PROOFS[name]
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--full", action="store_true", help=f"at length: {proof.full:,} {proof.unit}")
    size.add_argument("--size", type=_positive, help=f"so many {proof.unit} ({proof.usual:,})")
    parser.add_argument("--seed", type=int, default=1, help="other random choices (1)")
    parser.add_argument("--database", default=POSTGRES, help=f"beside which to make databases for a while ({POSTGRES})")
    parser.add_argument("--bus", default=NATS, help=f"a NATS server ({NATS})")
    parser.add_argument("--json", action="store_true", help="end with one line of JSON")
    parser.set_defaults(run=_prove)


def _prove(options: argparse.Namespace) -> int:
    name: str = options.proof
    proof = PROOFS[name]
    size: int = proof.full if options.full else options.size or proof.usual
    report = proving(name)(Ask(size, options.seed, options.database, options.bus))
    print(f"{proof.promise}: {size:,} {proof.unit}, seed {options.seed}")
    print(report)
    if not report.passed:
        print(f"again: tessella prove {name} --size {size} --seed {options.seed}")
    if options.json:
        print(report.json(name))
    return 0 if report.passed else 1


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number
