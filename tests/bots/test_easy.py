"""What the easy levels overlook."""

from random import Random

from tessella.bots.easy import best_of, noticed


def test_a_hasty_player_notices_a_share_of_the_moves_and_never_none():
    found = [noticed(range(100), 0.3, Random(seed)) for seed in range(200)]
    assert 0.28 < sum(map(len, found)) / 20_000 < 0.32
    assert {len(noticed(range(3), 0.0, Random(seed))) for seed in range(50)} == {1}
    assert noticed(range(5), 1.0, Random(1)) == [0, 1, 2, 3, 4]


def test_ties_are_broken_at_random():
    found = [best_of([1, 2, 3, 4], lambda move: move % 2, Random(seed)) for seed in range(60)]
    assert {*found} == {1, 3}
