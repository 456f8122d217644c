"""What a player may know (AZ60)."""

from random import Random

import pytest

from tessella.core.game import AnyGame
from tessella.games import azul

from .positions import CONFIGS, random_acts


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_AZ60_a_view_shows_everything_but_the_order_of_the_bag(config):
    """So there is one state to imagine behind it, from every seat."""
    rng = Random(60)
    for _, _, after, events in random_acts(azul.setup(config), rng):
        for seat in (*range(config.seats), None):
            assert azul.imagine(azul.view(after, seat), rng) == after
        assert [azul.witness(event, None) for event in events] == list(events)


def test_AZ60_no_act_is_private():
    game: AnyGame = azul
    assert game.owner(azul.Take(0, 0, "b", 0)) is None
    assert game.owner(azul.Place(0, 0, 0)) is None
    assert game.owner(azul.Deal(("bbyk",))) is None
