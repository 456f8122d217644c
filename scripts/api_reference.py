"""Write the pages of docs/reference/api from the signatures and docstrings of the source files, without importing them.

Used by scripts/docs-reference.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from inspect import cleandoc
from pathlib import Path
from typing import TypeAlias

SOURCE = Path(__file__).resolve().parent.parent / "src"
GAMES = ("azul", "duel", "blockers")
LONGEST_LINE = 100
"""Characters of a signature that stays on one line."""

PAGES = {
    "games": (
        "Games",
        "The protocol that every game implements, the games themselves, and the laws that hold them to it. "
        "A game is a module: `from tessella.games import azul`.",
        ("tessella.core.game", "tessella.games", "tessella.core.laws", "tessella.core.wire"),
    ),
    "positions": (
        "States, moves and views",
        "What the functions of each game take and return: the options, the state, the moves and deals, and what a seat "
        "may know. [Games](games.md) has the functions.",
        tuple(f"tessella.games.{game}.{module}" for game in GAMES for module in ("state", "view", "preview")),
    ),
    "records": (
        "Records",
        "A played game as text: reading, writing, replaying and verifying. "
        "[Records](../../concepts/records.md) explains the format.",
        ("tessella.core.record", "tessella.core.link", "tessella.core.dice", "tessella.core.perft"),
    ),
    "tables": (
        "Local tables",
        "Games played in your own process: for programs, at a Python prompt and in a notebook.",
        (
            "tessella.core.local",
            "tessella.local.game",
            "tessella.local.hot_seat",
            "tessella.research.notebook.table",
            "tessella.research.notebook.display",
            "tessella.research.notebook.replay",
        ),
    ),
    "environments": (
        "Environments",
        "Batches over NumPy arrays, PettingZoo, Gymnasium and data sets. [Environments](../environments.md) lists what "
        "every number of an observation means.",
        (
            "tessella.research.batch",
            "tessella.research.pettingzoo",
            "tessella.research.gymnasium",
            "tessella.research.openspiel",
            "tessella.research.encodings",
            "tessella.research.fields",
            "tessella.research.dataset",
        ),
    ),
    "models": (
        "Language models",
        "A game in words for one seat, models that play, and the tools of the server of the Model Context Protocol.",
        (
            "tessella.models.harness",
            "tessella.models.episode",
            "tessella.models.seat",
            "tessella.models.disguise",
            "tessella.models.mcp",
        ),
    ),
    "bots": (
        "Bots",
        "The interface of a bot, the bots of each game, matches between them, and the coach.",
        (
            "tessella.bots.interface",
            "tessella.bots",
            "tessella.arena.contest",
            "tessella.arena.run",
            "tessella.arena.report",
            "tessella.coach.review",
            "tessella.coach.report",
        ),
    ),
}
"""For each page: its title, its introduction and its modules, in the order in which they are shown."""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Field: TypeAlias = tuple[str, str, str]


def pages() -> dict[str, str]:
    """Return every page by its path below docs/reference."""
    return {f"api/{name}.md": _page(*page) for name, page in PAGES.items()}


def _page(title: str, about: str, modules: Sequence[str]) -> str:
    head = f"# {title}\n\n{about}\n\nGenerated from the docstrings by `scripts/docs-reference`.\n"
    return "\n".join([head, *map(_module, modules)])


def _module(name: str) -> str:
    tree = ast.parse(_file(name).read_text("utf-8"))
    parts = [f"## `{name}`\n", _text(ast.get_docstring(tree) or "")]
    constants = [field for field in _fields(tree.body) if field[2]]
    if constants:
        parts.append(_table("name", constants))
    parts += [_class(node) if isinstance(node, ast.ClassDef) else _function(node, 3) for node in _public(tree.body)]
    return "\n".join(part for part in parts if part)


def _file(name: str) -> Path:
    path = SOURCE.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _public(body: Sequence[ast.stmt]) -> Iterator[ast.ClassDef | Function]:
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield node


# Classes and functions


def _class(node: ast.ClassDef) -> str:
    bases = [ast.unparse(base) for base in node.bases]
    line = f"class {node.name}" + (f"({', '.join(bases)})" if bases else "")
    made = [each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"]
    code = "\n\n".join([line, *(_signature(each, node.name) for each in made)])
    parts = [f"### `{node.name}`\n", _code(code), _text(ast.get_docstring(node) or "")]
    fields = [*_fields(node.body), *_properties(node.body)]
    if fields:
        parts.append(_table("attribute", fields))
    methods = [each for each in _public(node.body) if not isinstance(each, ast.ClassDef) and not _is_property(each)]
    parts += [_function(each, 4, f"{node.name}.") for each in methods]
    return "\n".join(part for part in parts if part)


def _function(node: Function, level: int, owner: str = "") -> str:
    name = f"{owner}{node.name}"
    parts = [f"{'#' * level} `{name}`\n", _code(_signature(node, name)), _text(ast.get_docstring(node) or "")]
    return "\n".join(part for part in parts if part)


def _signature(node: Function, name: str) -> str:
    """Write the call as one line, or as one line per argument if it is long."""
    arguments = [each for each in _arguments(node.args) if each not in ("self", "cls")]
    returns = f" -> {ast.unparse(node.returns)}" if node.returns and node.name != "__init__" else ""
    line = f"{name}({', '.join(arguments)}){returns}"
    if len(line) <= LONGEST_LINE:
        return line
    return "\n".join([f"{name}(", *(f"    {each}," for each in arguments), f"){returns}"])


def _arguments(given: ast.arguments) -> Iterator[str]:
    places = [*given.posonlyargs, *given.args]
    required: list[ast.expr | None] = [None] * (len(places) - len(given.defaults))
    for number, (argument, default) in enumerate(zip(places, [*required, *given.defaults], strict=True), 1):
        yield _argument(argument, default)
        if number == len(given.posonlyargs):
            yield "/"
    if given.vararg or given.kwonlyargs:
        yield f"*{ast.unparse(given.vararg) if given.vararg else ''}"
    for argument, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        yield _argument(argument, default)
    if given.kwarg:
        yield f"**{ast.unparse(given.kwarg)}"


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    text = ast.unparse(argument)
    if default is None:
        return text
    return f"{text}{' = ' if argument.annotation else '='}{ast.unparse(default)}"


# Fields, properties and constants


def _fields(body: Sequence[ast.stmt]) -> Iterator[Field]:
    """Every public annotated name: its type, and the docstring below it."""
    for node, below in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and not node.target.id.startswith("_"):
            yield node.target.id, _type(node), _docstring(below)


def _type(node: ast.AnnAssign) -> str:
    kind = ast.unparse(node.annotation)
    return ast.unparse(node.value) if kind == "TypeAlias" and node.value else kind


def _docstring(node: ast.stmt | None) -> str:
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return cleandoc(text)
        case _:
            return ""


def _properties(body: Sequence[ast.stmt]) -> Iterator[Field]:
    for node in _public(body):
        if isinstance(node, ast.FunctionDef) and _is_property(node):
            yield node.name, ast.unparse(node.returns) if node.returns else "", ast.get_docstring(node) or ""


def _is_property(node: Function) -> bool:
    return any(ast.unparse(each).endswith("property") for each in node.decorator_list)


# Markdown


def _table(name: str, rows: Sequence[Field]) -> str:
    lines = [f"| {name} | type | what it is |", "| --- | --- | --- |"]
    lines += [f"| `{each}` | `{_cell(kind)}` | {_cell(about)} |" for each, kind, about in rows]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|")


def _code(lines: str, language: str = "py") -> str:
    return f"```{language}\n{lines}\n```\n"


def _text(docstring: str) -> str:
    """Write a docstring as Markdown: doctests and indented parts become blocks."""
    paragraphs = re.split(r"\n{2,}(?! )", docstring.strip())
    return "\n".join(map(_paragraph, paragraphs)) if docstring else ""


def _paragraph(text: str) -> str:
    before, prompt, after = text.partition(">>> ")
    if prompt:
        return f"{before}{_code(prompt + after, 'pycon')}"
    before, indent, after = text.partition("\n    ")
    if indent:
        return f"{before.rstrip()}\n\n{_code(cleandoc('    ' + after), 'text')}"
    return f"{text}\n"
