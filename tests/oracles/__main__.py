"""Compare our engines with the oracles: `python -m tests.oracles --games 2000`."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.oracles.agreement import compare
from tests.oracles.compare import NOT_EXERCISED, TITLES
from tests.oracles.page import write_page


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare one title, or all; the exit code is 1 if engines differ or a rule was not exercised."""
    options = parser().parse_args(arguments)
    if options.write_docs:
        write_page(options.write_docs)
        return 0
    names = [options.game] if options.game else list(TITLES)
    found = []
    for name in names:
        found.append(compare(name, options.games, options.first))
        print(found[-1])
    print("\n".join(f"{rule} is not compared: it {reason}" for rule, reason in NOT_EXERCISED.items()))
    if options.json:
        print(json.dumps({each.name: each.figures() for each in found}, ensure_ascii=False))
    return 0 if all(each.passed for each in found) else 1


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    whole = argparse.ArgumentParser(prog="python -m tests.oracles", description=__doc__)
    whole.add_argument("--game", choices=TITLES, help="one title instead of all")
    whole.add_argument("--games", type=int, default=100, help="games of each title (100)")
    whole.add_argument("--first", type=int, default=0, help="number of the first game: other games (0)")
    whole.add_argument("--json", action="store_true", help="end with one line of JSON")
    whole.add_argument(
        "--write-docs", nargs="+", type=Path, metavar="OUTPUT", help="write docs/measurements/oracles.md from outputs"
    )
    return whole


if __name__ == "__main__":
    sys.exit(main())
