"""Heuristic values are the same in every version of Python: since 3.12 `sum` rounds sums of floats differently."""

from math import fsum
from random import Random
from typing import Any

import pytest

from tessella.bots.azul import heuristic as of_azul
from tessella.bots.blockers import heuristic as of_blockers
from tessella.bots.duel import heuristic as of_duel
from tessella.core.game import Chance, Over
from tessella.games import azul, blockers, duel


def sum_one_by_one(values):
    total: Any = 0
    for value in values:
        total += value
    return total


def sum_rounded_once(values):
    listed = list(values)
    return fsum(listed) if any(isinstance(value, float) for value in listed) else sum(listed)


def values_of(game, heuristic, seeds):
    """The value of every legal move in some random games."""
    for seed in range(seeds):
        rng = Random(seed)
        state = game.setup(game.Config())
        while not isinstance(turn := game.turn(state), Over):
            if isinstance(turn, Chance):
                state, _ = game.apply(state, game.deal(state, rng))
                continue
            moves = game.legal_moves(state, turn.seats[0])
            yield from (heuristic.move_value(state, move) for move in moves)
            state, _ = game.apply(state, rng.choice(moves))


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("game", "heuristic", "seeds"), [(azul, of_azul, 6), (blockers, of_blockers, 1), (duel, of_duel, 4)]
)
def test_values_do_not_depend_on_how_a_version_of_python_adds_floats(game, heuristic, seeds, monkeypatch):
    monkeypatch.setattr(heuristic, "sum", sum_one_by_one, raising=False)
    old = list(values_of(game, heuristic, seeds))
    monkeypatch.setattr(heuristic, "sum", sum_rounded_once)
    assert list(values_of(game, heuristic, seeds)) == old
