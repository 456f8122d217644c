"""The page docs/measurements/oracles.md, from what `python -m tests.oracles --json` printed."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.oracles.compare import NOT_EXERCISED, TITLES

PAGE = Path(__file__).parents[2] / "docs" / "measurements" / "oracles.md"
HEAD = """# Oracles: last figures

Three engines that were written from the numbered rules and import nothing of ours (`tests/oracles/`) play beside the
readable games: after every act the positions, the legal moves and the errors must be the same. Written by
`python -m tests.oracles --write-docs OUTPUT …` from the output of `python -m tests.oracles --games 2000 --json`.

| game | games | positions set up | differences | rules | clauses |
| --- | --- | --- | --- | --- | --- |
"""


def write_page(outputs: Iterable[Path]) -> None:
    """Write the page from saved outputs, each of one title or of several."""
    found: dict[str, Any] = {}
    for output in outputs:
        found |= json.loads(output.read_text("utf-8").splitlines()[-1])
    lines = [HEAD.rstrip(), *map(_row, found.items()), ""]
    for name, figures in found.items():
        lines += [f"## {TITLES[name].game.NAME}", "", *_table(figures["exercised"]), ""]
    lines += [f"`{rule}` is not compared: it {reason}." for rule, reason in NOT_EXERCISED.items()]
    PAGE.write_text("\n".join(lines) + "\n", "utf-8")


def _row(item: tuple[str, Mapping[str, Any]]) -> str:
    name, figures = item
    rules = [rule for rule in figures["exercised"] if " " not in rule]
    clauses = len(figures["exercised"]) - len(rules)
    counts = (figures["games"], figures["positions"], len(figures["differences"]), len(rules), clauses)
    return f"| {name} | " + " | ".join(f"{count:,}" for count in counts) + " |"


def _table(exercised: Mapping[str, int]) -> Iterator[str]:
    yield from ("| rule or clause | times |", "| --- | --- |")
    yield from (f"| {rule} | {times:,} |" for rule, times in exercised.items())
