"""What is listed may be done; everything else is refused and says why."""

import re
from itertools import product
from random import Random

import pytest

from tessella.core.game import Choose, IllegalMove
from tessella.games import azul

from .positions import CONFIGS, board, random_acts, table

TAKES = list(product([None, *range(10)], "byrkwm", [None, *range(5)]))
STRANGE_TAKES = list(product([None, -1, 0, 10], ["b", "g", "", "bb"], [None, -1, 0, 5]))
PLACES = list(product(range(-1, 6), range(-1, 6)))


def everything(seats: int) -> list[azul.Move]:
    """Every move that can be written, and many that cannot."""
    chairs = range(-1, seats + 1)
    takes = [azul.Take(seat, *take) for seat in chairs for take in [*TAKES, *STRANGE_TAKES]]
    return [*takes, *(azul.Place(seat, *place) for seat in chairs for place in PLACES)]


@pytest.mark.heavy
@pytest.mark.no_cover
@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_a_move_is_listed_and_applies_or_is_illegal(config):
    moves, rng = everything(config.seats), Random(3)
    for _ in range(2):
        states = [azul.setup(config), *(after for _, _, after, _ in random_acts(azul.setup(config), rng))]
        for state in (states[0], *rng.sample(states, len(states) // 20), states[-1]):
            before = azul.write_state(state)
            seats = turn.seats if isinstance(turn := azul.turn(state), Choose) else ()
            listed = {move for seat in seats for move in azul.legal_moves(state, seat)}
            assert {move for move in moves if applies(state, move)} == listed
            assert azul.write_state(state) == before


def applies(state: azul.State, move: azul.Move) -> bool:
    try:
        azul.apply(state, move)
    except IllegalMove as refused:
        assert re.fullmatch("AZ[0-9]{2}", refused.rule)
        assert str(refused) == f"{refused.why} ({refused.rule})"
        return False
    return True


def test_moves_are_listed_by_source_colour_and_line():
    state = table(board("b/-/-/-/-"), factories="bbyk - r", centre="mw")
    listed = " ".join(azul.write_move(state, move) for move in azul.legal_moves(state, 0))
    assert listed == (
        "1b2 1b3 1b4 1b5 1b- 1y2 1y3 1y4 1y5 1y- 1k2 1k3 1k4 1k5 1k- 3r2 3r3 3r4 3r5 3r- cw2 cw3 cw4 cw5 cw-"
    )
