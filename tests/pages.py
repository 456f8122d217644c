"""The pages of the documentation, and the commands in their blocks, for tests."""

import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), ROOT / "web" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(path: Path, language: str) -> list[str]:
    """What stands in the blocks of a language on a page."""
    return re.findall(rf"```{language}\n(.*?)```", path.read_text(), re.DOTALL)


WITH_COMMANDS = [path for path in PAGES if blocks(path, "sh")]


def lines_of(path: Path) -> list[str]:
    """The lines of the shell blocks of a page; one that goes on below is one."""
    return "\n".join(blocks(path, "sh")).replace("\\\n", " ").splitlines()


def read_line(line: str) -> tuple[dict[str, str], list[str]]:
    """What a line sets before its command, and the words of the command, without what comes after it."""
    words = shlex.split(line, comments=True)
    if words[:2] == ["sudo", "-u"]:
        words = words[3:]
    variables = {}
    while words and (found := re.fullmatch(r"(\w+)=(.*)", words[0])):
        variables[found[1]] = found[2]
        words = words[1:]
    ends = [place for place, word in enumerate(words) if word in ("|", "&&", ";", ">")]
    return variables, words[: ends[0]] if ends else words


def is_ours(words: list[str]) -> bool:
    """Whether it is a command of ours."""
    return bool(words) and Path(words[0]).name == "tessella"


def commands(path: Path) -> list[list[str]]:
    """The arguments of every `tessella …` in the shell blocks of a page."""
    return [words[1:] for _, words in map(read_line, lines_of(path)) if is_ours(words)]
