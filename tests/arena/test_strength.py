"""The arithmetic of strength, against values that are known."""

import doctest
import math
from random import Random

import pytest

from tessella.arena import contest, report, strength
from tessella.arena.strength import Sprt, _pentanomial, elo, expected, mean_of_groups, orders, share_of_groups, wilson


@pytest.mark.parametrize("module", [contest, report, strength], ids=lambda module: module.__name__)
def test_the_examples_in_the_text_are_true(module):
    found = doctest.testmod(module)
    assert found.attempted
    assert not found.failed


@pytest.mark.parametrize(
    ("won", "games", "low", "high"), [(10, 10, 0.7225, 1.0), (0, 10, 0.0, 0.2775), (498, 500, 0.9855, 0.9989)]
)
def test_wilson_as_in_the_tables(won, games, low, high):
    found = wilson(won / games, games)
    assert found.low == pytest.approx(low, abs=2e-4)
    assert found.high == pytest.approx(high, abs=2e-4)


def test_single_games_are_groups_of_one():
    found = share_of_groups([[1.0]] * 70 + [[0.0]] * 30)
    assert found.low == pytest.approx(wilson(0.7, 100).low, abs=1e-3)


def test_pairs_that_cancel_count_for_more_games_but_within_a_bound():
    paired = share_of_groups([[1.0, 0.0]] * 100)
    assert paired.low == wilson(0.5, 400).low
    assert wilson(0.5, 200).low < paired.low < 0.5


def test_one_deal_proves_nothing():
    found = share_of_groups([[1.0, 1.0]])
    assert found.low < 0.25


def test_an_interval_holds_the_truth_95_times_in_100():
    """Pairs with a deal in common: half of them are decided by the deal alone."""
    rng = Random(7)
    held = 0
    for _ in range(400):
        groups = []
        for _ in range(60):
            luck = rng.random()
            groups.append([float((luck if rng.random() < 0.5 else rng.random()) < 0.7) for _ in range(2)])
        held += (found := share_of_groups(groups)).low <= 0.7 <= found.high
    assert 0.92 <= held / 400 <= 0.98


def test_the_mean_of_one_group_has_no_interval():
    assert math.isinf(mean_of_groups([3.0]).high)


# The sequential test


def test_the_ratio_of_won_and_lost_pairs_is_bernoullis():
    """If no pair is split, the pentanomial model is that of a coin."""
    share0, share1 = expected(0), expected(50)
    coin = 30 * math.log(share1 / share0) + 20 * math.log((1 - share1) / (1 - share0))
    assert _pentanomial([20, 0, 0, 0, 30], share0, share1) == pytest.approx(coin)


def test_the_ratio_is_nearly_that_of_a_normal_mean():
    pairs = [0.0] * 120 + [0.25] * 180 + [0.5] * 400 + [0.75] * 190 + [1.0] * 150
    mean = sum(pairs) / len(pairs)
    spread = sum((pair - mean) ** 2 for pair in pairs) / len(pairs)
    share0, share1 = expected(0), expected(10)
    normal = len(pairs) * (share1 - share0) * (2 * mean - share0 - share1) / (2 * spread)
    assert Sprt(0, 10).ratio(pairs) == pytest.approx(normal, rel=0.01)


def test_swapping_sides_swaps_the_verdict():
    pairs = [1.0] * 40 + [0.5] * 30 + [0.0] * 10
    assert Sprt(-50, 50).ratio(pairs) == pytest.approx(-Sprt(-50, 50).ratio([1 - pair for pair in pairs]))


def test_a_clear_case_is_decided_soon_and_an_even_one_is_not():
    assert Sprt(0, 50).verdict([1.0] * 40) == "elo1"
    assert Sprt(0, 50).verdict([0.0] * 40) == "elo0"
    assert Sprt(0, 50).verdict([0.5, 0.75, 0.25] * 2) is None


def test_the_wrong_verdict_is_rare():
    """Between equals, a lead of 100 Elo is believed at most about 5 times in 100."""
    rng, wrong = Random(3), 0
    for _ in range(100):
        pairs: list[float] = []
        while not (verdict := Sprt(0, 100).verdict(pairs)) and len(pairs) < 300:
            pairs.append((rng.randrange(2) + rng.randrange(2)) / 2)
        wrong += verdict == "elo1"
    assert wrong <= 10


# One scale


def test_bradley_and_terry_find_the_truth_again():
    rng = Random(11)
    truth = {"a": 700.0, "greedy": 1000.0, "c": 1150.0, "d": 1400.0, "e": 1450.0}
    names = list(truth)
    games = []
    for _ in range(8000):
        one, other = rng.sample(names, 2)
        won = rng.random() < expected(truth[one] - truth[other])
        games.append(orders([one, other], [1, 2] if won else [2, 1]))
    found = elo(games, "greedy")
    for name, points in truth.items():
        assert found[name].low - 15 <= points <= found[name].high + 15
        assert found[name].value == pytest.approx(points, abs=40)
    assert found["greedy"].value == found["greedy"].low == 1000


def test_plackett_and_luce_find_the_truth_again():
    rng = Random(5)
    truth = {"a": 900.0, "b": 1000.0, "c": 1200.0, "d": 1250.0}
    games = []
    for _ in range(3000):
        left, order = dict(truth), []
        while left:
            (first,) = rng.choices([*left], [10 ** (points / 400) for points in left.values()])
            order.append(first)
            del left[first]
        games.append(orders(order, [1, 2, 3, 4]))
    found = elo(games, "b")
    for name, points in truth.items():
        assert found[name].value == pytest.approx(points, abs=25)


def test_a_draw_is_half_a_win():
    drawn = elo([orders(["a", "b"], [1, 1])] * 50, "a")
    assert drawn["b"].value == 1000


def test_a_player_who_always_wins_is_far_ahead_but_by_a_finite_lead():
    found = elo([orders(["a", "b"], [1, 2])] * 400, "b")["a"].value
    assert found == pytest.approx(1000 + 400 * math.log10(400.5 / 0.5), abs=1)


def test_equals_at_one_table_are_one_player():
    found = elo([orders(["a", "b", "b", "b"], [1, 2, 3, 4]), orders(["b", "b", "a", "b"], [1, 2, 3, 4])] * 20, "b")
    assert set(found) == {"a", "b"}
    assert found["a"].value > 1000
