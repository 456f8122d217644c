"""What the documentation says is so: commands are ours, links lead somewhere, the grammar is that of the notation."""

import re
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessella import cli
from tessella.core import record
from tessella.core.game import AnyGame, BadNotation
from tessella.games import GAMES, azul, blockers, duel
from tests.pages import PAGES, ROOT, SCRIPTS, WITH_COMMANDS, blocks, commands, scripts


@pytest.mark.parametrize("path", WITH_COMMANDS, ids=lambda path: path.name)
def test_a_shell_understands_every_block(path):
    for block in blocks(path, "sh"):
        done = subprocess.run(["bash", "-n"], input=block, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", WITH_COMMANDS, ids=lambda path: path.name)
def test_every_command_and_script_is_one_of_ours(path):
    for arguments in commands(path):
        assert cli.parser().parse_args(arguments).run
    for name, *arguments in scripts(path):
        assert is_understood(SCRIPTS[name].parser(), arguments)
    for script in re.findall(r"(?<![\w/])scripts/[\w/-]*\w(?:\.py)?", path.read_text()):
        assert (ROOT / script).exists(), script


def is_understood(parser, arguments) -> bool:
    """Whether the options are parsed, or ask for help."""
    try:
        return bool(parser.parse_args(arguments))
    except SystemExit as exc:
        return exc.code == 0


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
        with pytest.raises(BadNotation, match="write x if"):
            blockers.read_move(state, 0, text)
