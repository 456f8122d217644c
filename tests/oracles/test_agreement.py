"""Our engines agree with the oracles after every act, and the comparison exercises every rule."""

import ast
import json
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from tessella.games import azul, blockers, duel
from tests.oracles import __main__ as command
from tests.oracles.agreement import Agreement, compare
from tests.oracles.compare import NOT_EXERCISED, TITLES, Difference, Pair, compare_game, compare_position, game_number
from tests.oracles.duel import Duel
from tests.oracles.duel_board import is_wasteful, payments, possible_payments
from tests.oracles.positions import POSITIONS, dense_final

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


@pytest.mark.parametrize("name", TITLES)
def test_numbered_games_combine_all_options_and_policies(name):
    title = TITLES[name]
    met = {(config, policy) for config, policy, _ in (game_number(title, number) for number in range(2_000))}
    assert {config for config, _ in met} == {*title.configs}
    assert met >= {(config, policy) for config in title.configs for policy in title.policies}
    assert {policy for _, policy in met} == {*title.policies, *title.long}


def test_rules_that_are_not_compared_are_rules_and_have_a_reason():
    assert not any({*title.rules()} & {*NOT_EXERCISED} for title in TITLES.values())
    assert all(len(reason) > 20 for reason in NOT_EXERCISED.values())


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


def test_a_move_that_is_listed_twice_is_found(monkeypatch):
    faulty("blockers", monkeypatch, "legal_moves", lambda moves: [*moves, *moves[:1]])
    with pytest.raises(Difference, match="moves of seat"):
        compare_game(TITLES["blockers"], 1)


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


def test_a_position_whose_acts_do_not_exercise_its_clauses_is_found():
    with pytest.raises(Difference, match="did not exercise AZ42"):
        compare_position(POSITIONS["azul"][0]._replace(clauses=("AZ42",)), 1)


def test_a_rule_at_zero_or_a_difference_fails_the_command(capsys, monkeypatch):
    assert command.main(["--game", "azul", "--games", "0", "--json"]) == 1
    shown = capsys.readouterr().out
    assert "FAILED  AZ01 was never exercised" in shown
    assert json.loads(shown.splitlines()[-1])["azul"]["missing"] == ["AZ01", "AZ02", "AZ04"]
    agreement = compare("azul", 0)
    complete = dict.fromkeys((*TITLES["azul"].rules(), *TITLES["azul"].oracle.CLAUSES), 1)
    agreement = replace(agreement, exercised=type(agreement.exercised)(complete))
    assert agreement.passed
    assert not replace(agreement, differences=("azul game 7: …",)).passed
    assert not replace(agreement, exercised=agreement.exercised + type(agreement.exercised)({"AZ99": 1})).passed
    monkeypatch.setattr(command, "compare", lambda *_: agreement)
    assert isinstance(agreement, Agreement)
    assert command.main(["--game", "azul"]) == 0


# What the rules leave to the players


def test_DU31_a_payment_that_wastes_a_chip_is_possible_but_not_exact():
    assert possible_payments("kkB", "k", 1) == {"kk", "kkB"}
    assert payments("kkB", "k", 1) == {"kk"}
    assert is_wasteful("kkB", "k", 1)
    assert payments("bkT", "k", 1) == {"bkT"}
    assert payments("kkkkK", "k", 2) == {"kkkk", "kkkK"}


def oracle_of(**changes):
    (state,) = (position.state for position in POSITIONS["duel"] if position.name == "a draw without points")
    return Duel.set_up({**TITLES["duel"].table(state), **changes})


def test_DU22_a_forced_draw_is_free_only_without_another_action_and_is_one_plate():
    assert "d+" in oracle_of(free_draws="always").legal(0)
    forced = oracle_of(free_draws="forced")
    assert "d+" not in forced.legal(0)
    empty = tuple(("", "", chip) for chip in ("", "#", "#", "#", "#"))
    alone = oracle_of(free_draws="forced", open=(), factories=tuple((sun, moon, "") for sun, moon, _ in empty))
    assert alone.legal(0) == {"d+"}
    alone.move(0, "d+")
    assert alone.phase == "keep"


@pytest.mark.parametrize(("reading", "rows"), [(True, 2), (False, 0), ("alone", 1)])
def test_DU51_readings_of_special_tiles_in_a_row(reading, rows):
    state = dense_final(Random(1))
    board = replace(state.boards[0], tiles=("byrk*.", "byrk**", "byr*..", "......", "......", "......"))
    table = TITLES["duel"].table(replace(state, boards=(board, state.boards[1])))
    oracle = Duel.set_up(table)
    assert oracle.boards[0].face_points("colour_rows", reading) == 4 * rows
