"""Compile the standard library and our packages, inside the Python that will run them; `pack.mjs` calls it."""

import ast
import re
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc  # type: ignore[attr-defined]  # no public function writes one
from pathlib import Path

WHEN = (1980, 1, 1, 0, 0, 0)
"""The date of every file: the same input gives the same archive."""


def compiled(name: str, source: bytes) -> bytes:
    """Return the bytes of a .pyc that is never checked against its source; without docstrings, and with asserts."""
    code = compile(_bare(ast.parse(source)), name, "exec", dont_inherit=True, optimize=0)
    return bytes(_code_to_hash_pyc(code, b"\0" * 8, checked=False))


def _bare(tree: ast.Module) -> ast.Module:
    """Empty all docstrings."""
    for node in ast.walk(tree):
        match node:
            case ast.Module(body=body) | ast.ClassDef(body=body) | ast.FunctionDef(body=body):
                _empty_docstring(body)
            case ast.AsyncFunctionDef(body=body):
                _empty_docstring(body)
            case _:
                pass
    return tree


def _empty_docstring(body: list[ast.stmt]) -> None:
    match body:
        case [ast.Expr(value=ast.Constant(value=str()) as text), *_]:
            text.value = ""
        case _:
            pass


def add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    """Add a file to an archive; a Python file is compiled."""
    if name.endswith(".py"):
        name, data = name + "c", compiled(name, data)
    archive.writestr(zipfile.ZipInfo(name, WHEN), data, zipfile.ZIP_DEFLATED, 9)


def pack_library(unused: str) -> None:
    """Write the standard library without the parts that are never imported."""
    with zipfile.ZipFile("/in.zip") as whole, zipfile.ZipFile("/python_stdlib.zip", "w") as packed:
        for name in sorted(whole.namelist()):
            if not name.endswith("/") and not re.match(unused, name):
                add(packed, name, whole.read(name))


def pack_ours() -> None:
    """Write our packages and the libraries of the wheel."""
    with zipfile.ZipFile("/in.whl") as wheel, zipfile.ZipFile("/tessella.zip", "w") as packed:
        for name in sorted(wheel.namelist()):
            if not name.endswith((".pyi", "/")) and ".dist-info/" not in name:
                add(packed, name, wheel.read(name))
        for path in sorted(Path("/in").rglob("*")):
            if path.is_file():
                add(packed, str(path.relative_to("/in")), path.read_bytes())
        for game in sorted(Path("/games").iterdir()):
            add_game(packed, game)


def add_game(packed: zipfile.ZipFile, path: Path) -> None:
    """Add a game that another package brings, with the entry point by which it is found."""
    with zipfile.ZipFile(path) as wheel:
        for name in sorted(wheel.namelist()):
            if not name.endswith(("/", "/RECORD")):
                add(packed, name, wheel.read(name))


pack_library(UNUSED)  # noqa: F821  given by the caller  # type: ignore[name-defined]
pack_ours()
