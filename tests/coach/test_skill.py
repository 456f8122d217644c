"""Strength by points: margins, and what a filter makes of them."""

from contextlib import suppress
from itertools import product
from random import Random

import pytest

from tessella.coach.skill import MOST, SPREADS, Strength, margins, updated
from tessella.games import GAMES


def test_every_game_has_a_spread_for_every_number_of_seats():
    allowed = set()
    for (name, game), seats in product(GAMES.items(), range(1, 9)):
        with suppress(ValueError):
            allowed.add((name, game.Config(seats).seats))
    assert allowed == set(SPREADS)


def test_margins_are_taken_against_the_mean_of_the_others():
    assert margins("azul", (50, 40, 30)) == pytest.approx([15 / 17.2, 0.0, -15 / 17.2])


def test_where_the_fewest_points_win_fewer_are_better():
    first, second = margins("blockers", (3, 6))
    assert first == -second > 0


def test_a_lost_cause_counts_no_more_than_a_clear_defeat():
    assert margins("azul", (120, 2)) == [MOST, -MOST]


@pytest.mark.parametrize("true", [0.0, 0.4, 1.5])
def test_the_estimate_comes_close_to_the_truth_and_knows_its_error(true):
    rng, far = Random(1), 0
    for _ in range(40):
        players = [Strength(), Strength()]
        for _ in range(150):
            margin = rng.gauss(true)
            players = updated(players, [margin, -margin])
        found = players[0].mean - players[1].mean
        far += abs(found - true) > 2 * (players[0].variance + players[1].variance) ** 0.5
    assert far <= 6


def test_an_upset_moves_a_newcomer_more_than_a_regular():
    newcomer, regular = Strength(), Strength(0.0, 0.05)
    after = updated([newcomer, regular], [2.0, -2.0])
    assert after[0].mean - newcomer.mean > 5 * (regular.mean - after[1].mean) > 0


def test_a_game_of_four_moves_nobody_if_all_goes_as_expected():
    before = [Strength(mean, 0.2) for mean in (0.6, 0.2, -0.2, -0.6)]
    expected = [one.mean - sum(other.mean for other in before if other is not one) / 3 for one in before]
    after = updated(before, expected)
    assert [one.mean for one in after] == pytest.approx([one.mean for one in before])
    assert all(now.variance < was.variance for now, was in zip(after, before, strict=True))
