"""Dice that are not fair are caught."""

import pytest

from proofs import Ask
from proofs.shuffle import prove
from tessella.core import dice

ASK = Ask(size=2_000)


def test_fair_dice_pass():
    report = prove(ASK)
    assert report.passed, str(report)


def test_a_remainder_without_rejection_is_caught(monkeypatch):
    monkeypatch.setattr(dice.Stream, "randrange", lambda self, stop: next(self._words) % stop)
    assert not prove(ASK).passed


@pytest.mark.nightly
def test_a_bag_that_is_refilled_after_each_draw_is_caught(monkeypatch):
    def draw(counts, rng):
        return dice.draw(list(counts), rng)

    monkeypatch.setattr("proofs.shuffle.draw", draw)
    assert not prove(ASK).passed
