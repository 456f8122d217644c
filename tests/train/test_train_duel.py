"""Teaching Azul Duel: what is played can be played again, and what is learned is more than nothing."""

from random import Random

import numpy as np

from tessella.bots.duel_net import read, write
from tessella.fast.duel_value import INPUT_NUMBERS, WEIGHTS
from tessella.train.duel import Boundaries, Task, foreseen, gathered, learn, main, nets_of, play, play_task, surprise


def test_a_game_shows_four_boundaries():
    boundaries = gathered(play(7, Random(1), 2, None))
    assert boundaries.round.tolist() == [1, 2, 3, 4]
    assert {*boundaries.game.tolist()} == {7}
    assert len({*boundaries.margin.tolist()}) == 1
    assert boundaries.first.shape == boundaries.other.shape == (4, INPUT_NUMBERS)
    assert float(np.abs(boundaries.first).max()) < 10


def test_the_same_task_is_the_same_games():
    task = Task(3, 2, 2, None)
    assert play_task(task) == play_task(task)


def better_boards(number: int, seed: int = 1) -> Boundaries:
    """Invented boundaries: who has more points (the first input) wins."""
    rng = np.random.default_rng(seed)
    boards = rng.random((2, number, INPUT_NUMBERS))
    margin = 30 * (boards[0, :, 0] - boards[1, :, 0])
    games = np.repeat(np.arange(number // 4), 4)
    rounds = np.tile(np.arange(1, 5), number // 4)
    return Boundaries(games, rounds, boards[0], boards[1], margin, (margin > 0).astype(np.float64))


def test_what_decides_is_learned():
    net = learn(better_boards(4000), 40, np.random.default_rng(2))
    assert len(net) == WEIGHTS
    assert max(surprise(net, better_boards(800, seed=5))) < 0.4


def test_both_seats_are_seen_alike():
    boundaries = better_boards(40)
    swapped = Boundaries(
        boundaries.game, boundaries.round, boundaries.other, boundaries.first, -boundaries.margin, 1 - boundaries.won
    )
    for weights in nets_of(learn(better_boards(400), 2, np.random.default_rng(2))):
        assert np.allclose(foreseen(weights, boundaries) + foreseen(weights, swapped), 1)


def test_the_command_writes_a_net_that_can_play_on(tmp_path, capsys):
    first, second = tmp_path / "one.net", tmp_path / "two.net"
    main(["--games", "20", "--descents", "2", "--out", str(first)])
    main(["--games", "20", "--descents", "2", "--net", str(first), "--out", str(second), "--json"])
    assert len(read(second.read_bytes())) == WEIGHTS
    assert write(read(second.read_bytes())) == second.read_bytes()
    assert '"surprise"' in capsys.readouterr().out.splitlines()[-1]
