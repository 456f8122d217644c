"""Retired words stay retired: names, docstrings and log events use the field's words.

`python -m tests.lint.test_plain_words [ROOM …]` lists what is left.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "tessella"

IN_NAMES = {
    "beat": "heartbeat",
    "beats": "heartbeats",
    "blur": "noise",
    "chair": "seat",
    "curiosity": "exploration constant",
    "doors": "session revocation",
    "eyes": "observer",
    "film": "events",
    "foresee": "preview, lookahead",
    "foreseen": "preview",
    "foresight": "preview, lookahead",
    "happening": "event",
    "keeper": "housekeeping",
    "letters": "base64url",
    "mend": "fix",
    "neighbourhood": "subnet",
    "nudge": "turn notification",
    "nudger": "notifier",
    "nudges": "turn notifications",
    "patience": "a duration with its unit",
    "pen": "style",
    "refusal": "error",
    "sight": "observation encoding",
    "sights": "observation encodings",
    "society": "load clients",
    "stain": "tile colours",
    "studies": "expensive requests",
    "tap": "in-process server",
    "tapped": "in-process server",
    "tell": "narrate, render",
    "telling": "narrate, render",
    "thinker": "bot runner",
    "told": "narrate, render",
    "truth": "oracle",
    "who": "player, person",
    "wish": "request, command",
    "wishes": "requests, commands",
    "worth": "heuristic value",
}
"""A retired word, whole, in a name of a function, class, constant or module; and what the field calls it."""

IN_SENTENCES = {
    r"\beyes?\b": "observer, observation",
    r"\bfilm\b": "events",
    r"\bfor ever\b": "always",
    r"\bforesee\w*|\bforesight\b": "preview, lookahead",
    r"\bis let go\b|\blet go\b|\bletting go\b": "disconnect",
    r"\bmend(s|ed|ing)?\b": "fix",
    r"\bnobody\b|\bsomebody\b": "no player, a client, …",
    r"\bnudge\w*": "turn notification",
    r"\brefusals?\b": "error",
    r"\bso (many|long|often)\b": "N, this many, the interval",
    r"\bthinkers?\b": "bot runner",
    r"\bkeepers?\b": "housekeeping",
    r"\btells?\b|\btold\b|\btelling\b": "narrate, render, report, reveal",
    r"(?:^|[.:;] )Who (?!may)\w+|\bwho does not\b": "a subject: a client that, a player who",
    r"\bwish(es|ed)?\b": "request, command",
    r"\bworth\b": "value",
}
"""A retired word or phrase in a docstring or a log event, as a regular expression; and what to say instead."""

ALLOWED: dict[str, frozenset[str]] = {
    "games": frozenset({"LETTERS"}),
    "proofs": frozenset({"_letters"}),
}
"""Names that a room keeps, because they are nouns of the rulebooks: a face of a tile of Blockers! may be a letter."""

LOG_METHODS = {"debug", "info", "warning", "error", "exception", "critical"}


def rooms() -> dict[str, list[Path]]:
    """Return the Python files of every room; the folders of the server are rooms of their own."""
    found: dict[str, list[Path]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        *folders, _ = path.relative_to(PACKAGE).parts
        depth = 2 if folders[:1] == ["server"] else 1
        found.setdefault("/".join(folders[:depth]) or "tessella", []).append(path)
    for name in ("proofs", "bench"):
        found[name] = sorted((ROOT / name).rglob("*.py"))
    return found


def words_of(name: str) -> list[str]:
    """Return the words of an identifier in lower case.

    >>> words_of("_wait_ToStudy"), words_of("HTTPWish")
    (['wait', 'to', 'study'], ['http', 'wish'])
    """
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def names_in(nodes: list[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield the functions, classes and constants that a module defines."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id.isupper():
            yield node.lineno, node.id


def sentences_in(nodes: list[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield docstrings, also those of constants and fields, and the events of log calls."""
    for node in nodes:
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text
            case ast.Call(func=ast.Attribute(attr=method), args=[ast.Constant(value=str(text)), *_]) if (
                method in LOG_METHODS
            ):
                yield node.lineno, text


def retired_in(source: str, module: str = "", allowed: frozenset[str] = frozenset()) -> Iterator[tuple[int, str]]:
    """Yield the line and a description of everything in a module that should be called something else."""
    nodes = list(ast.walk(ast.parse(source)))
    for line, name in [(1, module), *names_in(nodes)]:
        for word in words_of(name):
            if word in IN_NAMES and name not in allowed:
                yield line, f"{name}: {IN_NAMES[word]}"
    for line, text in sentences_in(nodes):
        for pattern, better in IN_SENTENCES.items():
            if found := re.search(pattern, text, re.IGNORECASE if pattern.islower() else 0):
                yield line, f"“{' '.join(found[0].split())}”: {better}"
    for node in nodes:
        if isinstance(node, ast.ExceptHandler) and node.name not in (None, "exc"):
            yield node.lineno, f"{node.name}: exc"


def retired_in_room(room: str) -> list[str]:
    """Return what is left in a room, one line for each."""
    return [
        f"{path.relative_to(ROOT)}:{line}: {what}"
        for path in rooms()[room]
        for line, what in retired_in(path.read_text("utf-8"), path.stem, ALLOWED.get(room, frozenset()))
    ]


@pytest.mark.parametrize("room", rooms())
def test_no_retired_word_is_left_in_a_room(room):
    assert retired_in_room(room) == []


def test_every_room_that_keeps_a_word_exists():
    assert {*ALLOWED} <= {*rooms()}


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("def tell_story(): ...", 1),
        ("class Thinker:\n    '''Return a move.'''", 1),
        ("PATIENCE = 3\n'''Seconds.'''", 1),
        ("def f():\n    '''Who does not read is let go.'''", 2),
        ("log.warning('nobody was there for a while')", 1),
        ("try:\n    f()\nexcept ValueError as wrong:\n    raise", 1),
        ("def teller(): '''Return the whole worthwhile story.'''", 0),
        ("text = 'nobody'", 0),
    ],
)
def test_a_retired_word_is_found(source, count):
    assert len(list(retired_in(source))) == count


def test_a_module_is_named_by_the_fields_word_and_a_kept_word_is_allowed():
    assert list(retired_in("", "duel_eyes")) == [(1, "duel_eyes: observer")]
    assert list(retired_in("class Wish: ...", "messages", frozenset({"Wish"}))) == []


if __name__ == "__main__":
    for name in sys.argv[1:] or rooms():
        left = retired_in_room(name)
        sys.stdout.write("".join(f"{line}\n" for line in left) if sys.argv[1:] else f"{len(left):5} {name}\n")
