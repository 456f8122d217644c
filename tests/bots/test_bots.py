"""Computer players see a view and choose a legal move."""

from random import Random

import pytest

from tessella.bots import METHODS, Budget, bot
from tessella.core.game import Chance, Over
from tessella.games import azul


def play(names, config, rng):
    bots = [bot(azul, name) for name in names]
    state = azul.setup(config)
    while not isinstance(turn := azul.turn(state), Over):
        if isinstance(turn, Chance):
            state, _ = azul.apply(state, azul.deal(state, rng))
        else:
            seat = turn.seats[-1]
            move = bots[seat](azul.view(state, seat), Budget(), rng)
            assert isinstance(move, azul.Take | azul.Place)
            state, _ = azul.apply(state, move)
    return turn


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("wall", ["coloured", "grey"])
def test_a_bot_plays_a_whole_game(name, wall):
    assert isinstance(play([name] * 3, azul.Config(3, wall), Random(1)), Over)


def test_greedy_beats_random_nearly_always():
    won = [play(["greedy", "random"], azul.Config(2), Random(seed)).places[0] == 1 for seed in range(20)]
    assert sum(won) >= 19
