"""The pages of the documentation and the commands in their code blocks."""

import re
import shlex
from pathlib import Path

from bench import __main__ as bench
from proofs import __main__ as proofs
from proofs.mutation import __main__ as mutation

ROOT = Path(__file__).parents[1]
SCRIPTS = {"scripts/bench": bench, "scripts/mutate": mutation, "scripts/prove": proofs}
"""Scripts of ours with their own command line: modules with `main` and `parser`."""
PAGES = [*sorted(ROOT.glob("*.md")), ROOT / "web" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(path: Path, language: str) -> list[str]:
    """Return the contents of the blocks in a language on a page."""
    return re.findall(rf"```{language}\n(.*?)```", path.read_text(), re.DOTALL)


WITH_COMMANDS = [path for path in PAGES if blocks(path, "sh")]


def lines_of(path: Path) -> list[str]:
    """Return the lines of the shell blocks of a page; continued lines are joined."""
    return "\n".join(blocks(path, "sh")).replace("\\\n", " ").splitlines()


def read_line(line: str) -> tuple[dict[str, str], list[str]]:
    """Return the variables that a line sets and the words of its first command."""
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
    """Whether the words are a `tessella` command."""
    return bool(words) and Path(words[0]).name == "tessella"


def is_script(words: list[str]) -> bool:
    """Whether the words run a benchmark, a proof or mutants."""
    return bool(words) and words[0] in SCRIPTS


def commands(path: Path) -> list[list[str]]:
    """Return the arguments of every `tessella …` in the shell blocks of a page."""
    return [words[1:] for _, words in map(read_line, lines_of(path)) if is_ours(words)]


def scripts(path: Path) -> list[list[str]]:
    """Return the words of every `scripts/bench …` and `scripts/prove …` in the shell blocks of a page."""
    return [words for _, words in map(read_line, lines_of(path)) if is_script(words)]
