"""The command `scripts/prove`."""

import argparse
import sys
from collections.abc import Sequence

from proofs import NATS, POSTGRES, PROOFS, Ask, proving

ALL = "all"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one proof, or all of them; the exit code is 1 if a promise is broken."""
    options = parser().parse_args(arguments)
    names = list(PROOFS) if options.proof == ALL else [options.proof]
    return max([_prove(name, options) for name in names])


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line, with one subcommand per proof."""
    whole = argparse.ArgumentParser(prog="scripts/prove", description="Try to break a promise that Tessella makes.")
    proofs = whole.add_subparsers(required=True, metavar="PROMISE", dest="proof")
    for name, proof in PROOFS.items():
        _add_options(one := proofs.add_parser(name, help=proof.promise))
        size = one.add_mutually_exclusive_group()
        size.add_argument("--full", action="store_true", help=f"at length: {proof.full:,} {proof.unit}")
        size.add_argument("--size", type=_positive, help=f"number of {proof.unit} ({proof.usual:,})")
    _add_options(every := proofs.add_parser(ALL, help="every promise, one after the other"))
    every.add_argument("--full", action="store_true", help="each at length")
    every.set_defaults(size=None)
    return whole


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=1, help="other random choices (1)")
    parser.add_argument("--database", default=POSTGRES, help=f"server on which to create databases ({POSTGRES})")
    parser.add_argument("--bus", default=NATS, help=f"NATS server ({NATS})")
    parser.add_argument("--json", action="store_true", help="end with one line of JSON per proof")


def _prove(name: str, options: argparse.Namespace) -> int:
    proof = PROOFS[name]
    size: int = proof.full if options.full else options.size or proof.usual
    report = proving(name)(Ask(size, options.seed, options.database, options.bus))
    print(f"{proof.promise}: {size:,} {proof.unit}, seed {options.seed}")
    print(report)
    if report.passed is False:
        print(f"again: scripts/prove {name} --size {size} --seed {options.seed}")
    if options.json:
        print(report.json(name))
    return 1 if report.passed is False else 0


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


if __name__ == "__main__":
    sys.exit(main())
