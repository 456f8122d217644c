"""What is not part of a game is refused with a sentence, by every game alike."""

from random import Random

import pytest

from tessella.core import record
from tessella.core.game import BadNotation
from tessella.games import GAMES, azul, blockers, duel

OTHER = {"azul": duel, "duel": blockers, "blockers": azul}


def each_game(test):
    return pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)(test)


@each_game
def test_what_is_no_act_of_the_game_is_refused(game):
    state = game.setup(game.Config())
    other = OTHER[game.NAME]
    foreign = other.deal(other.setup(other.Config()), Random(0))
    for act in (foreign, None, "3r4", object()):
        with pytest.raises(TypeError, match="is not an act of this game"):
            game.apply(state, act)


@each_game
@pytest.mark.parametrize("seat", [-1, 5, 99])
def test_a_seat_that_is_not_there_has_no_moves_and_no_view(game, seat):
    state = game.setup(game.Config())
    for ask in (game.legal_moves, game.view):
        with pytest.raises(ValueError, match=f"there is no seat {seat}: expected 0 to"):
            ask(state, seat)


@pytest.mark.parametrize(
    ("game", "options", "problem"),
    [
        (azul, {"wall": "purple"}, "wall='purple': expected coloured, grey"),
        (azul, {"seats": 2.0}, "seats=2.0: expected a whole number"),
        (azul, {"seats": 2.5}, "seats=2.5: expected a whole number"),
        (azul, {"seats": True}, "seats=True: expected a whole number"),
        (azul, {"seats": 5}, "Azul is for 2 to 4 players (AZ01)"),
        (blockers, {"scoring": "up"}, "scoring='up': expected blockers, uptown"),
        (blockers, {"seats": "3"}, "seats='3': expected a whole number"),
        (duel, {"special_counts_as_colour": "maybe"}, "special_counts_as_colour='maybe': expected true, false, alone"),
        (duel, {"special_counts_as_colour": 1}, "special_counts_as_colour=1: expected true, false, alone"),
        (duel, {"free_draws": True}, "free_draws=True: expected forced, always"),
        (duel, {"faces": ("rows", "walls", "outer")}, "expected any of rows, colour_rows, columns"),
    ],
)
def test_an_option_that_does_not_exist_is_refused(game, options, problem):
    with pytest.raises(ValueError) as refused:
        game.Config(**options)
    assert problem in str(refused.value)


@pytest.mark.parametrize(
    ("game", "word", "problem"),
    [
        (azul, "wall=purple", "'wall=purple': expected coloured, grey"),
        (azul, "seats=2.5", "'seats=2.5': expected a whole number"),
        (
            azul,
            "walls=grey",
            "'walls=grey' is not an option: expected each once of seats=a whole number; wall=",
        ),
        (azul, "wall", "'wall' is not an option"),
        (duel, "faces=rows,walls", "'faces=rows,walls': expected any of rows, colour_rows"),
        (duel, "free_draws=never", "'free_draws=never': expected forced, always"),
        (duel, "special_counts_as_colour=2", "expected true, false, alone"),
    ],
)
def test_a_word_that_is_no_option_names_the_values(game, word, problem):
    with pytest.raises(BadNotation) as refused:
        record.read_options(game, [word])
    assert problem in str(refused.value)


@each_game
def test_an_option_named_twice_is_refused(game):
    with pytest.raises(BadNotation, match="each once"):
        record.read_options(game, ["seats=2", "seats=2"])


@each_game
@pytest.mark.parametrize("read", ["read_move", "read_deal", "read_state"])
def test_bad_notation_is_echoed_shortened(game, read):
    state = game.setup(game.Config())
    text = "x" * 50_000
    arguments = {"read_move": (state, 0, text), "read_deal": (state, text), "read_state": (text,)}[read]
    with pytest.raises(BadNotation) as refused:
        getattr(game, read)(*arguments)
    assert len(str(refused.value)) < 300
