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
    rooms: tuple[str, ...] = ("core", "games", "fast")
    """Folders of the program: after a change in one of them, the tests' lines are counted anew."""


OF_EVERY_GAME = ("tests/games/test_says_no.py", "tests/games/test_events.py")

ASKED_ONLY = {
    "tests/server/cluster/test_heartbeats.py": "src/tessella/server/rooms/host.py",
    "tests/server/http/test_daily.py": "src/tessella/server/rooms/daily.py",
    "tests/server/http/test_invitations.py": "src/tessella/server/rooms/lifecycle.py",
    "tests/server/http/test_lists.py": "src/tessella/server/rooms/listing.py",
}
"""Test files that are asked only about one source file, because they take long."""

TARGETS = {
    "azul": Target(("games/azul/*.py",), ("tests/games/azul", *OF_EVERY_GAME)),
    "blockers": Target(("games/blockers/*.py",), ("tests/games/blockers", *OF_EVERY_GAME)),
    "duel": Target(("games/duel/*.py",), ("tests/games/duel", *OF_EVERY_GAME)),
    "core": Target(("core/*.py",), ("tests/core", "tests/games")),
    "fast": Target(("fast/*/rules.py", "fast/*/state.py"), ("tests/fast",), loads=("tests.fast.twins",), sample=120),
    "table": Target(
        ("table/*.py",),
        (
            "tests/table",
            "tests/local/test_game.py",
            "tests/server/rooms/test_away.py",
            "tests/server/rooms/test_follow_ups.py",
        ),
        sample=150,
        rooms=("core", "games", "fast", "table", "local", "server"),
    ),
    "rooms": Target(
        ("server/rooms/*.py",),
        ("tests/server/rooms", *ASKED_ONLY),
        sample=150,
        rooms=("core", "games", "fast", "table", "server"),
    ),
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


def files_of_tests(target: Target) -> list[Path]:
    """Return the test files that are asked, in order; raise `ValueError` if a file or folder is gone."""
    paths = [ROOT / name for name in target.tests]
    if gone := [str(path.relative_to(ROOT)) for path in paths if not path.exists()]:
        raise ValueError(f"no such tests: {', '.join(gone)}; name the new ones in proofs/mutation/targets.py")
    found = {path for where in paths for path in (where.rglob("test_*.py") if where.is_dir() else [where])}
    return sorted(path for path in found if may_kill(str(path.relative_to(ROOT))))


def may_kill(test: str) -> bool:
    """Return whether a test is asked."""
    return not test.startswith(tuple(NOT_ASKED))


def is_asked_about(test: str, file: str) -> bool:
    """Return whether a test is asked about the changes of a source file."""
    return ASKED_ONLY.get(test.partition("::")[0], file) == file


def digest(paths: Iterable[Path]) -> str:
    """Return a digest of the content of files."""
    whole = sha256()
    for path in sorted(paths):
        whole.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return whole.hexdigest()[:16]


def helpers_of(target: Target) -> list[Path]:
    """Return the files that the tests of a target share: positions, players, fixtures."""
    tests = ROOT / "tests"
    above = {folder for path in files_of_tests(target) for folder in path.parents if tests in folder.parents}
    found = {path for folder in above for path in folder.glob("*.py") if not path.name.startswith("test_")}
    return [tests / "conftest.py", *sorted(found)]
