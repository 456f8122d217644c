"""What a game is: turns, refusals, stories, places."""

import pytest

from tessella.core import wire
from tessella.core.game import (
    AnyGame,
    Chance,
    Choose,
    Over,
    Public,
    Steps,
    Turn,
    collect,
    places,
)
from tessella.games import GAMES


def test_a_story_is_heard_to_its_end():
    def story() -> Steps[Turn, int]:
        yield Chance()
        yield Choose((1,))
        return 7

    assert collect(story()) == (7, [Chance(), Choose((1,))])


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        ([], ()),
        ([(5,)], (1,)),
        ([(1,), (2,), (3,)], (3, 2, 1)),
        ([(2,), (2,), (1,)], (1, 1, 3)),
        ([(30, 1), (41, 0), (30, 1), (30, 2)], (3, 1, 3, 2)),
    ],
)
def test_equal_ranks_share_a_place(ranks, expected):
    assert places(ranks) == expected


class Told(Public, frozen=True):
    """A turn of any kind."""

    turn: Turn


@pytest.mark.parametrize("turn", [Chance(), Choose((0, 2)), Over((41, 36), (1, 2))])
def test_json_distinguishes_the_kinds_of_turn(turn):
    assert wire.decode(wire.encode(Told(turn)), Told) == Told(turn)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_registered_by_name_and_states_its_seats(name):
    game: AnyGame = GAMES[name]
    assert name == game.NAME
    assert game.EDITION >= 1
    assert game.view(game.setup(game.Config()), None).config.seats >= 2
