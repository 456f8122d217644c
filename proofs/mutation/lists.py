"""The two lists kept by hand: planted changes, and mutants that behave exactly like the program."""

import ast
import tomllib
from collections.abc import Iterable, Mapping

from msgspec import Struct, convert
from msgspec.structs import replace

from proofs.mutation.mutant import ROOT, Edit, Mutant, apply_edit

FOLDER = ROOT / "proofs" / "mutation"


class Planted(Struct, frozen=True):
    """A change chosen by hand."""

    id: str
    file: str
    breaks: str
    old: str
    new: str


class Equivalent(Struct, frozen=True):
    """A mutant that behaves like the program, with the reason; it is named by the lines that it changes."""

    file: str
    scope: str
    before: str
    after: str
    reason: str


class Control(Struct, frozen=True):
    """A planted change that must survive, because it says the same in other words."""

    id: str
    reason: str


def planted_in(name: str) -> list[Mutant]:
    """Return the planted mutants of a target; raise `ValueError` if a text no longer occurs exactly once."""
    path = FOLDER / "planted" / f"{name}.toml"
    found = convert(tomllib.loads(path.read_text()), dict[str, list[Planted]])["planted"]
    return [_plant(each) for each in found]


def _plant(planted: Planted) -> Mutant:
    source = (ROOT / planted.file).read_bytes()
    old = planted.old.encode()
    if source.count(old) != 1:
        raise ValueError(f"planted {planted.id}: its text occurs {source.count(old)} times in {planted.file}, not once")
    start = source.index(old)
    first = source.count(b"\n", 0, start) + 1
    lines = _statement(source, first), first + old.rstrip(b"\n").count(b"\n")
    made = apply_edit(planted.file, source, Edit(start, start + len(old), planted.new, "planted", lines=lines))
    return replace(made, planted=planted.id, breaks=planted.breaks)


def _statement(source: bytes, line: int) -> int:
    """Return the first line of the innermost statement at a line: what runs is counted there."""
    statements = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)]
    return max(node.lineno for node in statements if node.lineno <= line <= (node.end_lineno or node.lineno))


def equivalents() -> list[Equivalent]:
    """Return the generated mutants that no test can kill."""
    return convert(_read_equivalents().get("equivalent", []), list[Equivalent])


def controls() -> dict[str, str]:
    """Return the planted mutants that no test can kill, with the reason."""
    return {control.id: control.reason for control in convert(_read_equivalents().get("control", []), list[Control])}


def _read_equivalents() -> Mapping[str, object]:
    return tomllib.loads((FOLDER / "equivalents.toml").read_text())


def reasons_for(mutants: Iterable[Mutant]) -> dict[str, str]:
    """Return, by key, why some mutants are equivalent to the program."""
    listed = {(each.file, each.scope, each.before, each.after): each.reason for each in equivalents()}
    by_id = controls()
    found: dict[str, str] = {}
    for mutant in mutants:
        reason = by_id.get(mutant.planted) or listed.get((mutant.file, mutant.scope, mutant.before, mutant.after))
        if reason:
            found[mutant.key] = reason
    return found
