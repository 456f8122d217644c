"""Our engines agree with the oracles after every act, and the comparison exercises every rule."""

import ast
import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from tessella.games import azul, blockers, duel
from tests.oracles import __main__ as command
from tests.oracles.agreement import Agreement, compare
from tests.oracles.compare import TITLES, Difference, Pair, compare_game

FOLDER = Path(__file__).parent
GAMES = {"azul": 60, "blockers": 56, "duel": 84}
"""Every combination of options and policies once; for Azul and Azul Duel every policy at least twice."""


@pytest.mark.heavy
@pytest.mark.parametrize("name", TITLES)
def test_our_engine_and_the_oracle_agree_and_every_rule_is_exercised(name):
    agreement = compare(name, GAMES[name])
    assert agreement.passed, str(agreement)


@pytest.mark.slow
@pytest.mark.parametrize("name", TITLES)
def test_two_thousand_games_agree(name):
    agreement = compare(name, 2_000)
    assert agreement.passed, str(agreement)


@pytest.mark.parametrize("file", ["oracle.py", "azul.py", "blockers.py", "duel.py", "duel_board.py"])
def test_an_oracle_imports_nothing_of_ours(file):
    nodes = [*ast.walk(ast.parse((FOLDER / file).read_text()))]
    modules = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    modules |= {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    assert not any(module.startswith("tessella") for module in modules)
    assert {module for module in modules if module.startswith("tests")} <= {
        "tests.oracles.oracle",
        "tests.oracles.duel_board",
    }


# The comparison can fail


def faulty(name, monkeypatch, function, changed):
    """Replace a function of our engine by one with a fault."""
    game = {"azul": azul, "blockers": blockers, "duel": duel}[name]
    original = getattr(game, function)
    monkeypatch.setattr(game, function, lambda *arguments: changed(original(*arguments)))


def test_a_move_that_is_missing_is_found(monkeypatch):
    faulty("azul", monkeypatch, "legal_moves", lambda moves: moves[:-1])
    with pytest.raises(Difference, match=r"moves of seat \d: only ours: \[\], only the oracle's: \['.*-'\]"):
        compare_game(TITLES["azul"], 1)


def test_a_wrong_score_is_found(monkeypatch):
    def raised(outcome):
        state, events = outcome
        board = replace(state.boards[1], score=state.boards[1].score + 1)
        return replace(state, boards=(state.boards[0], board)), events

    faulty("duel", monkeypatch, "apply", raised)
    with pytest.raises(Difference, match=r"boards\[1\].score: ours 6, the oracle's 5"):
        compare_game(TITLES["duel"], 1)


def test_a_deal_against_the_rules_is_found():
    title = TITLES["duel"]
    pair = Pair.at_start(title, title.configs[0], "one colour")
    pair.deal(duel.deal(pair.state, Random(1)))
    with pytest.raises(Difference, match="DU11"):
        pair.deal(duel.Fill(("bbbbb", "byyk", "byrk", "kktt", "yyrr")))


def test_a_rule_at_zero_or_a_difference_fails(capsys):
    assert command.main(["--game", "azul", "--games", "0", "--json"]) == 1
    shown = capsys.readouterr().out
    assert "FAILED  AZ01 was never exercised" in shown
    assert json.loads(shown.splitlines()[-1])["azul"]["missing"] == ["AZ01", "AZ02", "AZ04"]
    complete = Counter([*TITLES["azul"].rules(), *TITLES["azul"].oracle.CLAUSES])
    assert Agreement("azul", 1, 0, (), complete).passed
    assert not Agreement("azul", 1, 0, ("azul game 7: …",), complete).passed
    assert not Agreement("azul", 1, 0, (), complete + Counter(["AZ99"])).passed
