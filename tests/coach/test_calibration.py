"""What the coach says comes true about as often as it says."""

import json

import pytest

from tessella.bots import Budget
from tessella.cli import main
from tessella.coach.calibration import Prediction, calibrate, predictions
from tessella.games import azul, duel


def test_honest_predictions_are_calibrated_and_overconfident_ones_are_not():
    honest = [Prediction(1, 0.25, 1.0), *[Prediction(1, 0.25, 0.0)] * 3]
    boasting = [Prediction(2, 0.95, 1.0), Prediction(2, 0.95, 0.0)]
    assert calibrate(honest, 4).off == 0
    found = calibrate([*honest, *boasting], 4)
    assert found.rounds == {1: 0.0, 2: pytest.approx(0.45)}
    assert found.off == pytest.approx(0.15)
    assert [each.claims for each in found.bins] == [4, 2]


def test_there_is_a_prediction_for_every_seat():
    found = predictions(azul, azul.Config(seats=3), "3", Budget(nodes=100), 4, 1)
    assert len(found) == 12
    assert sum(claim.predicted for claim in found) == pytest.approx(4, abs=1e-3)
    assert sum(claim.won for claim in found) == 4


@pytest.mark.heavy
@pytest.mark.parametrize(("game", "config"), [(azul, azul.Config(seats=4)), (duel, duel.Config())])
def test_the_coach_beats_a_uniform_guess(game, config):
    found = [claim for seed in range(12) for claim in predictions(game, config, "4", Budget(nodes=200), 6, seed)]
    told = calibrate(found, config.seats)
    assert told.brier < 0.95 * told.ignorant


@pytest.mark.slow
@pytest.mark.parametrize("game", [["azul", "--seats", "2"], ["azul", "--seats", "4"], ["duel"]], ids=" ".join)
def test_win_probabilities_are_calibrated(game):
    assert main(["calibrate", *game, "--games", "200", "--at-most", "0.06"]) == 0


def test_the_command_reports_the_calibration(capsys):
    small = ["calibrate", "duel", "--games", "2", "--positions", "2", "--level", "3", "--nodes", "50", "--json"]
    assert main(small) == 0
    *text, last = capsys.readouterr().out.splitlines()
    told = json.loads(last)
    assert told["claims"] == 8
    assert sum(each["claims"] for each in told["bins"]) == 8
    assert any("for who knows nothing" in line for line in text)
    assert main([*small, "--at-most", "0"]) == 1
    assert main(["calibrate", "duel", "--level", "nobody"]) == 2
