"""What the coach says comes true about as often as it says."""

import json

import pytest

from tessella.bots import Budget
from tessella.cli import main
from tessella.coach.calibration import Claim, calibrated, claims
from tessella.games import azul, duel


def test_who_says_what_happens_is_not_off_and_who_boasts_is():
    honest = [Claim(1, 0.25, 1.0), *[Claim(1, 0.25, 0.0)] * 3]
    boasting = [Claim(2, 0.95, 1.0), Claim(2, 0.95, 0.0)]
    assert calibrated(honest, 4).off == 0
    found = calibrated([*honest, *boasting], 4)
    assert found.rounds == {1: 0.0, 2: pytest.approx(0.45)}
    assert found.off == pytest.approx(0.15)
    assert [each.claims for each in found.bins] == [4, 2]


def test_the_shares_of_a_table_are_claimed_for_every_seat():
    found = claims(azul, azul.Config(seats=3), "3", Budget(nodes=100), 4, 1)
    assert len(found) == 12
    assert sum(claim.said for claim in found) == pytest.approx(4)
    assert sum(claim.won for claim in found) == 4


@pytest.mark.parametrize(("game", "config"), [(azul, azul.Config(seats=4)), (duel, duel.Config())])
def test_the_coach_knows_more_than_nothing(game, config):
    found = [claim for seed in range(12) for claim in claims(game, config, "4", Budget(nodes=200), 6, seed)]
    told = calibrated(found, config.seats)
    assert told.brier < 0.95 * told.ignorant


@pytest.mark.slow
@pytest.mark.parametrize("game", [["azul", "--seats", "2"], ["azul", "--seats", "4"], ["duel"]], ids=" ".join)
def test_chances_come_true(game):
    assert main(["calibrate", *game, "--games", "200", "--at-most", "0.06"]) == 0


def test_the_command_says_how_far_to_trust_it(capsys):
    small = ["calibrate", "duel", "--games", "2", "--positions", "2", "--level", "3", "--nodes", "50", "--json"]
    assert main(small) == 0
    *text, last = capsys.readouterr().out.splitlines()
    told = json.loads(last)
    assert told["claims"] == 8
    assert sum(each["claims"] for each in told["bins"]) == 8
    assert any("for who knows nothing" in line for line in text)
    assert main([*small, "--at-most", "0"]) == 1
    assert main(["calibrate", "duel", "--level", "nobody"]) == 2
