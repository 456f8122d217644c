"""What the documentation says is so: commands run, links lead somewhere, and the grammar is that of the notation."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessella import cli
from tessella.core import record
from tessella.core.game import AnyGame, BadNotation
from tessella.games import GAMES, azul, blockers, duel

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), ROOT / "web" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", path.read_text(), re.DOTALL)


WITH_COMMANDS = [path for path in PAGES if blocks(path, "sh")]


def words_of(line: str) -> list[str]:
    """The words of a command, without what is set before it and what comes after it."""
    words = shlex.split(line, comments=True)
    while words and (words[0] == "sudo" or re.match(r"\w+=", words[0])):
        words = words[3:] if words[0] == "sudo" else words[1:]
    ends = [place for place, word in enumerate(words) if word in ("|", "&&", ";", ">")]
    return words[: ends[0]] if ends else words


def commands(path: Path) -> list[list[str]]:
    """The arguments of every `tessella …` in the shell blocks of a page."""
    lines = "\n".join(blocks(path, "sh")).replace("\\\n", " ").splitlines()
    split = [words for words in map(words_of, lines) if words]
    return [words[1:] for words in split if Path(words[0]).name == "tessella"]


@pytest.mark.parametrize("path", WITH_COMMANDS, ids=lambda path: path.name)
def test_a_shell_understands_every_block(path):
    for block in blocks(path, "sh"):
        done = subprocess.run(["bash", "-n"], input=block, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", WITH_COMMANDS, ids=lambda path: path.name)
def test_every_command_and_script_is_one_of_ours(path):
    for arguments in commands(path):
        assert cli.parser().parse_args(arguments).run
    for script in re.findall(r"(?<![\w/])scripts/[\w-]+(?:\.py)?", path.read_text()):
        assert (ROOT / script).exists(), script


def test_a_command_that_is_not_ours_would_be_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```sh\nFOO=1 tessella arena azul \\\n    greedy --gaems 4   # a slip\n```\n")
    assert commands(page) == [["arena", "azul", "greedy", "--gaems", "4"]]
    with pytest.raises(SystemExit):
        cli.parser().parse_args(commands(page)[0])


# Commands that need no server and no cluster are run, with less effort where they would take long

SMALLER = {
    "arena": ["--games", "2", "--nodes", "2", "--jobs", "1"],
    "dataset": ["--games", "1"],
}
ELSEWHERE = {"admin", "analyse", "bench", "puzzles", "serve", "train", "work"}
"""Commands that take long, or need what only a host has; they have tests of their own."""


def may_run(arguments: list[str]) -> bool:
    online = any(word.startswith("--server") or "://" in word for word in arguments)
    long = {"--gauntlet", "--ladder", "--ray", "--records"} & set(arguments)
    own = any(":" in word for word in arguments)
    asks = arguments == ["play"]  # which needs a whole screen
    return arguments[0] not in ELSEWHERE and not (asks or online or long or own)


@pytest.mark.parametrize("path", WITH_COMMANDS, ids=lambda path: path.name)
def test_every_command_that_needs_nothing_else_runs(path, tmp_path, monkeypatch, capsys):
    def end_of_input(_prompt=""):
        raise EOFError

    monkeypatch.setattr("builtins.input", end_of_input)
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("records").symlink_to(ROOT / "records")
    finished = (ROOT / "records" / "azul" / "row.game").read_text()
    for arguments in filter(may_run, commands(path)):
        for name in ("friday.game", "game.game"):  # what was begun above has come to its end
            tmp_path.joinpath(name).write_text(finished)
        names = [str(found) for name in arguments for found in (sorted(tmp_path.glob(name)) if "*" in name else [name])]
        if names[0] == "perft":
            names = ["perft", *(name for name in names if "first-move" in name)]
        assert cli.main([*names, *SMALLER.get(names[0], [])]) in (0, 1), names
    assert "Traceback" not in capsys.readouterr().err


# Links


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path):
    text = re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" not in target and not target.startswith(("#", "mailto:")):
            assert (path.parent / target.partition("#")[0]).exists(), target


# The grammar of the notation

TOKEN = re.compile(r'"([^"])"\.\."([^"])"|"([^"]*)"|(\w+)|(\{[\d,]+\}|[|()?*])|\s+')


def grammars() -> dict[str, dict[str, str]]:
    """The lists of names on the page, by game."""
    text = (ROOT / "docs" / "reference" / "notation.md").read_text()
    parts = dict(re.findall(r"^## (.+?)\n\n```text\n(.*?)```", text, re.MULTILINE | re.DOTALL))
    names = {"Azul": "azul", "Azul Duel": "duel", "Blockers!": "blockers"}
    return {names[title]: dict(re.findall(r"^(\w+) += (.+)$", part, re.MULTILINE)) for title, part in parts.items()}


def pattern(rules: dict[str, str], name: str) -> str:
    """The grammar of a name as a regular expression."""
    found, at = "", 0
    while at < len(rules[name]):
        token = TOKEN.match(rules[name], at)
        assert token, rules[name][at:]
        first, last, literal, other, sign = token.groups()
        found += f"[{first}-{last}]" if first else ""
        found += f"(?:{re.escape(literal)})" if literal else ""
        found += f"(?:{pattern(rules, other)})" if other else ""
        found += {"(": "(?:"}.get(sign, sign) if sign else ""
        at = token.end()
    return found


def test_every_game_has_a_grammar_in_which_every_name_is_used():
    assert grammars().keys() == GAMES.keys()
    for rules in grammars().values():
        used = set(re.findall(r"(?<!\")\b[a-z]{2,}\b(?!\")", " ".join(rules.values())))
        assert used | {"move", "deal"} >= rules.keys()


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.NAME)
def test_every_act_of_every_record_fits_the_grammar(game):
    rules = grammars()[game.NAME]
    move, deal = (re.compile(pattern(rules, name)) for name in ("move", "deal"))
    acts = [act for path in (ROOT / "records" / game.NAME).glob("*.game") for act in record.read(path.read_text()).acts]
    assert len(acts) > 100
    for act in acts:
        fits = deal.fullmatch(act[1:]) if act.startswith("*") else move.fullmatch(re.sub(r"^\d:", "", act))
        assert fits, act


def reads(game: AnyGame, state: object, text: str) -> bool:
    try:
        return game.write_move(state, game.read_move(state, 0, text)) == text
    except BadNotation:
        return False


MOVES = {name: re.compile(pattern(rules, "move")) for name, rules in grammars().items()}


@given(st.from_regex(MOVES["azul"], fullmatch=True))
def test_what_fits_the_grammar_of_azul_is_read_as_a_move(text):
    assert reads(azul, azul.setup(azul.Config()), text)


@given(st.from_regex(MOVES["duel"], fullmatch=True))
def test_what_fits_the_grammar_of_azul_duel_is_read_as_a_move(text):
    state = duel.setup(duel.Config())
    assert duel.read_move(state, 0, text).seat == 0


@given(st.from_regex(MOVES["blockers"], fullmatch=True))
def test_what_fits_the_grammar_of_blockers_is_read_as_a_move(text):
    seats = 2 if text.index("@") == 2 else 3
    state = blockers.setup(blockers.Config(seats))
    if not text.endswith("x"):  # no tile lies there
        assert reads(blockers, state, text)
    else:
        with pytest.raises(BadNotation, match="x is written"):
            blockers.read_move(state, 0, text)
