"""The benchmark as somebody uses it: repeatable games, a rating that can be trusted, and honest counts."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from tessella import cli
from tessella.arena import benchmark
from tessella.arena.benchmark import RIVALS, Score, fingerprint, games_to_review, rating
from tessella.arena.contest import Fixture
from tessella.arena.play import Result
from tessella.arena.strength import expected
from tessella.bots import Budget
from tessella.bots.rivals import rivals_of
from tessella.cli import benchmark as command
from tessella.coach.review import ANALYSERS

ROOT = Path(__file__).parents[2]
TITLES = ("azul", "duel", "blockers")


@pytest.fixture(autouse=True)
def _rogues_are_found(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)


def run(capsys, *words):
    code = cli.main(["benchmark", *map(str, words), "--json"])
    out = capsys.readouterr().out
    return code, json.loads(out.splitlines()[-1]), out


# The rating


def results(elo, rng, deals=20):
    """Return what a player of this strength reaches by chance."""
    strengths = (1000.0, 1300.0, 1600.0)
    return [
        Score(strength, tuple(float(rng.random() < expected(elo - strength)) for _ in range(2)))
        for strength in strengths
        for _ in range(deals)
    ]


def test_the_interval_holds_the_true_strength_as_often_as_it_says():
    rng = Random(5)
    found = [rating(results(1400.0, rng), rng) for _ in range(100)]
    assert 88 <= sum(each.low <= 1400 <= each.high for each in found) <= 100
    assert all(each.high - each.low < 300 for each in found)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_player_that_wins_or_loses_everything_has_a_finite_rating_and_a_wide_interval(share):
    found = rating([Score(1000.0, (share, share))] * 20, Random(1))
    assert abs(found.value - 1000) > 400
    assert found.high - found.low > 400


def test_the_same_deal_twice_counts_as_one():
    """Two games on one deal that always end alike say less than independent ones."""
    rng = Random(2)
    alike = [Score(1000.0, (share, share)) for share in (rng.choice((0.0, 1.0)) for _ in range(40))]
    apart = [Score(1000.0, (0.0, 1.0))] * 40
    wide, narrow = (rating(each, Random(1)) for each in (alike, apart))
    assert wide.high - wide.low > 1.2 * (narrow.high - narrow.low)


# The suite


@pytest.mark.parametrize("title", TITLES)
def test_rivals_play_as_when_they_were_measured(title):
    rivals = rivals_of(title)
    assert [rival.player for rival in rivals] == [*RIVALS]
    assert [rival.elo for rival in rivals] == sorted(rival.elo for rival in rivals)
    assert {rival.player: fingerprint(title, rival.player) for rival in rivals[:4]} == {
        rival.player: rival.fingerprint for rival in rivals[:4]
    }


def test_a_result_can_be_repeated(capsys, tmp_path):
    words = ("azul", "random", "--deals", 1, "--reviews", 0, "--out", tmp_path / "azul-random.json")
    code, first, _ = run(capsys, *words)
    again = run(capsys, *words)[1]
    assert code == 0
    assert first | {"move_milliseconds": 0} == again | {"move_milliseconds": 0}
    assert first["games"] == 12
    assert first["illegal"] == first["forfeits"] == 0
    assert json.loads((tmp_path / "azul-random.json").read_text()) | {"move_milliseconds": 0} == first | {
        "move_milliseconds": 0
    }
    assert run(capsys, *words, "--seed", 2)[1]["moves"] != first["moves"]


def test_illegal_moves_and_exceptions_are_counted(capsys):
    _, cheat, _ = run(capsys, "azul", "tests.arena.rogues:cheat", "--deals", 1, "--reviews", 0)
    assert cheat["illegal"] == cheat["forfeits"] == cheat["games"]
    _, crash, _ = run(capsys, "azul", "tests.arena.rogues:crash", "--deals", 1, "--reviews", 0)
    assert crash["illegal"] == 0
    assert crash["forfeits"] == crash["games"]


def test_an_engine_in_a_process_of_its_own_is_rated(capsys):
    engine = f"cmd:{sys.executable} {ROOT / 'examples' / 'engines' / 'engine.py'}"
    _, found, _ = run(capsys, "azul", engine, "--deals", 1, "--reviews", 0)
    assert found["player"] == engine
    assert found["forfeits"] == 0
    assert found["moves"] > 0
    assert cli.main(["benchmark", "azul", f"cmd:{sys.executable} -c pass"]) == 2
    assert "is not an engine" in capsys.readouterr().err


def test_a_rival_that_plays_differently_is_named(capsys, monkeypatch):
    others = tuple(replace(rival, fingerprint="0") for rival in rivals_of("azul"))
    monkeypatch.setattr(command, "rivals_of", lambda _: others)
    code, _, out = run(capsys, "azul", "random", "--deals", 1, "--reviews", 0)
    assert code == 1
    assert "level 3 plays differently from the suite's" in out


def test_the_coach_sees_that_random_moves_cost_more(capsys, monkeypatch):
    quick = {title: lambda seats, _, make=make: make(seats, Budget(nodes=64)) for title, make in ANALYSERS.items()}
    monkeypatch.setattr(benchmark, "ANALYSERS", quick)
    losses = [
        run(capsys, "azul", player, "--deals", 1, "--reviews", 3)[1]["mean_loss"]["value"] for player in ("random", "5")
    ]
    assert losses[0] > 2 * losses[1]


def test_reviewed_games_are_spread_over_the_rivals():
    def game(rival, deal, *, swapped):
        return Result(Fixture("", 1, deal, (rival, "me") if swapped else ("me", rival)), (1, 2))

    played = [
        (rival, [game(rival, deal, swapped=swapped) for swapped in (False, True)])
        for rival in "abc"
        for deal in range(4)
    ]
    chosen = [(result.fixture.players, result.fixture.deal) for result in games_to_review(played, 5)]
    assert chosen == [(("me", "a"), 0), (("me", "b"), 0), (("me", "c"), 0), (("a", "me"), 1), (("b", "me"), 1)]


# The leaderboard


def test_the_leaderboard_is_made_from_the_files():
    done = subprocess.run(
        [sys.executable, "scripts/gen/leaderboard", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_page_of_the_learners_is_made_from_the_files():
    done = subprocess.run(
        [sys.executable, "scripts/gen/learners", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
