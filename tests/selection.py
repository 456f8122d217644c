"""Leave out the expensive tests whose inputs have not changed since they last passed on this machine.

`python -m tests.selection TIER FILE` prints an `--ignore=…` option for each test file that may be left out, and writes
into the file the records to `touch` once the others have passed. A digest covers everything that a test file imports,
directly or not, whole folders that it names, and `ALWAYS`. Without a record, or with any doubt, a test runs.
"""

import ast
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[1]
STORE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "tessella" / "passed"

RELEASED = (
    *("src", "web", "docs/reference", "deploy", "records", "compose.yaml", "LICENSE", "MANIFEST.in"),
    *("README.md", "CHANGELOG.md", "CITATION.cff", "SECURITY.md"),
)
SELECTABLE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("tests/arena", "tests/bots", "tests/coach", "tests/fast", "tests/research", "tests/train"), ()),
    **dict.fromkeys(("tests/local/test_parity.py", "tests/test_commands.py", "tests/test_examples.py"), ()),
    "tests/server/test_host_guides.py": (),
    "tests/package": RELEASED,
}
"""Bots, training and compiled games, commands, examples and the package, with what they read but do not name."""

ALWAYS = (".ci", "pyproject.toml", "requirements", "scripts", "setup.py", "tests/conftest.py", "tests/selection.py")
"""A change of one of these runs everything."""

CODE = {"bench": "bench", "proofs": "proofs", "tessella": "src/tessella", "tests": "tests"}
"""Our packages of Python, and where they are."""
SEPARATE = {"-m", "tessella"}
"""Words of a command that starts our program in a process of its own: the whole package is an input."""


@cache
def tracked() -> frozenset[str]:
    """Return every file of the checkout that git knows or would add."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    output = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return frozenset(name for name in output.splitlines() if (ROOT / name).is_file())


@cache
def below(folder: str) -> frozenset[str]:
    """Return the tracked files of a folder, or the file itself."""
    return frozenset(name for name in tracked() if name == folder or name.startswith(f"{folder}/"))


def inputs(test: str) -> frozenset[str]:
    """Return every file that a test file depends on, directly or not."""
    read = [path for prefix, paths in SELECTABLE.items() if test.startswith(prefix) for path in paths]
    found: set[str] = {name for path in (*ALWAYS, *read) for name in below(path)}
    waiting = {test, *_fixtures_of(test)}
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting |= _direct_inputs(name) - found
    return frozenset(found)


def _fixtures_of(test: str) -> Iterator[str]:
    for folder in Path(test).parents:
        if f"{folder}/conftest.py" in tracked():
            yield f"{folder}/conftest.py"


@cache
def _direct_inputs(name: str) -> frozenset[str]:
    """Return what a file of Python imports or names, and the data beside it."""
    if not name.endswith(".py"):
        return frozenset()
    folder = str(Path(name).parent)
    beside = {other for other in below(folder) if not other.endswith(".py")} if name.startswith("src/") else set()
    nodes = list(ast.walk(ast.parse((ROOT / name).read_bytes())))
    modules = {found for node in nodes for module in _modules(name, node) for found in _files_of(module)}
    named = {found for node in nodes for text in _texts(node) for found in _named(name, text)}
    return frozenset(modules | named | beside)


def _modules(name: str, node: ast.AST) -> Iterator[str]:
    """Yield the full names of the modules, or of what is in them, that a statement of a file imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        around = Path(name.removeprefix("src/")).parts[: -node.level] if node.level else ()
        module = ".".join((*around, *filter(None, [node.module])))
        yield from (f"{module}.{alias.name}" for alias in node.names)


def _files_of(module: str) -> frozenset[str]:
    """Return the file of a module, or of the module that has the name, with the packages around it."""
    package, *parts = module.split(".")
    if package not in CODE:
        return frozenset()
    files, place = set(), CODE[package]
    for part in ("", *parts):
        place = f"{place}/{part}" if part else place
        files |= {f"{place}/__init__.py", f"{place}.py"} & tracked()
    return frozenset(files)


def _texts(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def _named(name: str, text: str) -> frozenset[str]:
    """Return the files that a text may name: a module to import, our program to start, or a folder to read."""
    if text in SEPARATE and not name.startswith("src/"):
        return below("src/tessella")
    if re.fullmatch(rf"({'|'.join(CODE)})(\.\w+)+\.?", text):
        place = "/".join([CODE[text.partition(".")[0]], *text.rstrip(".").split(".")[1:]])
        return below(place) | _files_of(text.rstrip("."))
    top = text.partition("/")[0]
    is_path = not name.startswith("src/") and re.fullmatch(r"[\w./-]+", text) and top not in ("src", "tests", ".")
    return below(top) if is_path else frozenset()


@cache
def content(name: str) -> bytes:
    """Return a digest of a file."""
    return sha256((ROOT / name).read_bytes()).digest()


def digest(test: str, tier: str) -> str:
    """Return a digest of everything that decides whether a test file passes in a tier."""
    whole = sha256(f"{tier} {test} {sys.version} {platform.platform()}".encode())
    for name in sorted(inputs(test)):
        whole.update(name.encode() + b"\0" + content(name))
    return whole.hexdigest()


def selectable() -> list[str]:
    """Return the test files that may be left out."""
    found = (name for prefix in SELECTABLE for name in below(prefix))
    return sorted(name for name in found if Path(name).name.startswith("test_"))


def main(tier: str, passed: str) -> None:
    """Print what may be left out, and write which records to make once the rest has passed."""
    STORE.mkdir(parents=True, exist_ok=True)
    marks = {test: STORE / digest(test, tier) for test in selectable()}
    Path(passed).write_text("".join(f"{mark}\n" for mark in marks.values()))
    options = (f"--ignore={test}\n" for test, mark in marks.items() if mark.exists())
    sys.stdout.writelines(options)


if __name__ == "__main__":
    main(*sys.argv[1:])
