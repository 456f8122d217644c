"""Every room is on the map, lock files name no registry, and tests are named after what they show."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def the_map() -> str:
    page = (ROOT / "docs" / "concepts" / "architecture.md").read_text()
    (plan,) = re.findall(r"```text\n(src/tessella/\n.*?)```", page, re.DOTALL)
    return str(plan)


def rooms_on_the_map(indent: int) -> set[str]:
    return set(re.findall(rf"^ {{{indent}}}([\w-]+(?:\.py|/))", the_map(), re.MULTILINE))


def rooms_under(folder: Path) -> set[str]:
    known = subprocess.run(["git", "ls-files"], cwd=folder, capture_output=True, text=True, check=True).stdout.split()
    parts = {(name.partition("/")[0], "/" in name or (folder / name).is_dir()) for name in known}
    return {f"{name}/" if is_folder else name for name, is_folder in parts}


def test_every_room_is_on_the_map_and_every_room_of_the_map_is_there():
    assert rooms_on_the_map(2) == {
        room for room in rooms_under(ROOT / "src" / "tessella") if re.match(r"[a-z]+(/|\.py$)", room)
    }
    top = {room for room in rooms_under(ROOT) if room.endswith("/") and not room.startswith(".")}
    assert rooms_on_the_map(0) | {"src/"} == top


def test_every_file_that_the_map_names_is_there():
    kept = {path.name for path in (ROOT / "src" / "tessella").rglob("*.py")}
    assert set(re.findall(r"\b(\w+\.py)\b", the_map())) <= kept


def test_lock_files_name_no_registry():
    locks = [*(ROOT / "requirements").glob("*.txt"), ROOT / "package-lock.json"]
    assert locks
    for lock in locks:
        text = lock.read_text()
        assert "registry" not in text, lock
        text = re.sub(r'"funding": (\{[^}]*\}|\[[^]]*\])', "", text)  # where npm says how to thank authors
        assert not re.search(r"https?://|file://|--index|--find-links|\"resolved\"", text), lock


def test_every_test_is_named_after_what_it_shows():
    numbered = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for line, text in enumerate(path.read_text().splitlines(), 1)
        for name in re.findall(r"def (test_\d\w*)", text)
    ]
    assert numbered == []
