"""What is mutated, and which tests are asked to notice."""

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from proofs.mutation.mutant import ROOT

SOURCE = "src/tessella/"


class Target(Struct, frozen=True):
    """Some source files, and the tests that must notice a change of them."""

    files: tuple[str, ...]
    """Patterns below `src/tessella`."""
    tests: tuple[str, ...]
    """Folders and files."""
    loads: tuple[str, ...] = ()
    """Modules that load the files in their own way."""
    sample: int | None = None
    """How many of the generated mutants are tried; None: all."""


OF_EVERY_GAME = ("tests/games/test_says_no.py", "tests/games/test_events.py")

TARGETS = {
    "azul": Target(("games/azul/*.py",), ("tests/games/azul", *OF_EVERY_GAME)),
    "blockers": Target(("games/blockers/*.py",), ("tests/games/blockers", *OF_EVERY_GAME)),
    "duel": Target(("games/duel/*.py",), ("tests/games/duel", *OF_EVERY_GAME)),
    "core": Target(("core/*.py",), ("tests/core", "tests/games")),
    "fast": Target(("fast/*/rules.py", "fast/*/state.py"), ("tests/fast",), loads=("tests.fast.twins",), sample=120),
}

NOT_ASKED = {
    "tests/test_records.py": "replays stored games of our own engine",
    "tests/fast/test_rules.py::test_random_play_has_the_published_fingerprint": (
        "compares averages of many games, which no rule states"
    ),
    "tests/fast/test_equal.py::test_perft_files_agree": "compares with counts that our own engine stored",
    "tests/fast/test_records.py": "replays stored games of our own engine",
    "tests/fast/test_build.py": "compiles, and says nothing about the rules",
}
"""Tests that may not kill, with the reason: most compare with a pinned outcome, so they notice any change, right or
wrong. A rule is tested only if a test written from the rulebook notices."""


def files_of(target: Target) -> list[str]:
    """Return the source files of a target, relative to the checkout."""
    found = {path for pattern in target.files for path in (ROOT / SOURCE).glob(pattern)}
    return sorted(str(path.relative_to(ROOT)) for path in found)


def modules_of(target: Target) -> list[str]:
    """Return the modules whose import runs the files of a target."""
    names = [file.removeprefix("src/").removesuffix(".py").replace("/", ".") for file in files_of(target)]
    return [*(name.removesuffix(".__init__") for name in names), *target.loads]


def folders_of(target: Target) -> list[str]:
    """Return the folders of tests that are there."""
    return [folder for folder in target.tests if (ROOT / folder).is_dir()]


def files_of_tests(target: Target) -> list[Path]:
    """Return the test files that are asked, in order."""
    found = {path for folder in folders_of(target) for path in (ROOT / folder).rglob("test_*.py")}
    found |= {ROOT / name for name in target.tests if (ROOT / name).is_file()}
    return sorted(path for path in found if may_kill(str(path.relative_to(ROOT))))


def may_kill(test: str) -> bool:
    """Return whether a test is asked."""
    return not test.startswith(tuple(NOT_ASKED))


def digest(paths: Iterable[Path]) -> str:
    """Return a digest of the content of files."""
    whole = sha256()
    for path in sorted(paths):
        whole.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return whole.hexdigest()[:16]


def helpers_of(target: Target) -> list[Path]:
    """Return the files that the tests of a target share: positions, players, fixtures."""
    found = [path for folder in folders_of(target) for path in (ROOT / folder).rglob("*.py")]
    return [ROOT / "tests" / "conftest.py", *(path for path in found if not path.name.startswith("test_"))]
