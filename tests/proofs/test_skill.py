"""The proof of strength by points finds what the model predicts, and notices a wrong spread."""

from math import pi
from random import Random

import pytest

from proofs import Ask, skill
from tessella.arena.play import Result
from tessella.coach.skill import SPREADS, margins

ASK = Ask(size=600)


def play_at_random(rng: Random):
    """A game whose margin is drawn for a player who is stronger by a third of a spread."""

    def play(fixture):
        lead = round(rng.gauss(SPREADS["azul", 2] / 3, SPREADS["azul", 2]))
        ahead = fixture.players.index(skill.PLAYERS[0])
        scores = (50 + lead, 50) if ahead == 0 else (50, 50 + lead)
        places = tuple(1 + (score < max(scores)) for score in scores)
        return Result(fixture, places, scores)

    return play


@pytest.fixture(autouse=True)
def games_at_random(monkeypatch):
    monkeypatch.setattr(skill, "play", play_at_random(Random(1)))


def test_margins_as_the_model_expects_them_are_unbiased_and_miss_the_goal():
    report = skill.prove(ASK)
    figures = {figure.name: figure.value for figure in report.figures}
    assert figures["of_plain"] == pytest.approx(2 / pi, abs=0.12)
    assert list(report.gates.missed) == ["of_plain"], str(report)


def test_a_spread_that_is_half_of_the_truth_is_bias(monkeypatch):
    real = margins
    monkeypatch.setattr(skill, "margins", lambda *given: [2 * margin for margin in real(*given)])
    assert "bias" in skill.prove(ASK).gates.missed


def test_few_deals_judge_nothing_but_bias():
    assert skill.prove(Ask(size=20)).passed is None
