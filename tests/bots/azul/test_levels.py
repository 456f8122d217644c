"""The levels of Azul: legal, repeatable, blind to what they may not see, and each stronger than greedy at its time."""

from random import Random

import pytest

from tessella.bots import Budget, bot, ladder, names
from tessella.bots.azul.levels import LEVELS, search
from tessella.core.game import Chance, Choose, Over
from tessella.games import azul, blockers, duel
from tessella.games.azul.state import Take
from tests.games.azul.positions import CONFIGS, board, table

FEW = Budget(nodes=200)


def positions(config, seed, most=1000):
    """The views of one game, of every seat that may move, with their legal moves."""
    rng = Random(seed)
    state = azul.setup(config)
    while not isinstance(turn := azul.turn(state), Over) and most:
        if isinstance(turn, Chance):
            state, _ = azul.apply(state, azul.deal(state, rng))
            continue
        seat = rng.choice(turn.seats)
        moves = azul.legal_moves(state, seat)
        yield azul.view(state, seat), moves
        state, _ = azul.apply(state, rng.choice(moves))
        most -= 1


def test_levels_are_a_ladder_and_old_names_still_play():
    for game in (azul, blockers, duel):
        assert ladder(game) == ("1", "2", "3", "4", "5", "6", "7", "8")
        assert names(game) == (*ladder(game), "random", "greedy")
        with pytest.raises(KeyError):
            bot(game, "9")


@pytest.mark.heavy
@pytest.mark.parametrize("config", CONFIGS, ids=str)
@pytest.mark.parametrize("name", LEVELS)
def test_a_level_moves_legally_and_the_same_for_the_same_seed(name, config):
    choose = bot(azul, name)
    for view, moves in positions(config, 5, 40):
        move = choose(view, FEW, Random(1))
        assert move in moves
        assert bot(azul, name)(view, FEW, Random(1)) == move


@pytest.mark.parametrize("name", LEVELS)
def test_equal_views_give_equal_moves_whatever_the_bag_would_have_dealt(name):
    """The true state is thrown away: only what a seat could tell is left."""
    for view, _ in positions(azul.Config(2), 8, 25):
        one, other = (azul.view(azul.imagine(view, Random(seed)), view.seat) for seed in (1, 2))
        assert one == other == view
        assert bot(azul, name)(one, FEW, Random(3)) == bot(azul, name)(other, FEW, Random(3))


def test_level_1_fills_a_line_if_it_notices_one_and_forgets_what_falls():
    state = table(board("-/-/-/-/-"), board(), factories="bbbb kkkk yyyy rrrr wwww")
    view = azul.view(state, 0)
    moves = [bot(azul, "1")(view, Budget(), Random(seed)) for seed in range(100)]
    lines = [move.line for move in moves if isinstance(move, Take)]
    assert lines.count(3) > 50, "four tiles fill the fourth line"
    assert 2 in lines, "and the third, while one falls, if that is all it notices"


@pytest.mark.heavy
def test_level_2_plays_as_greedy_does_when_it_notices_the_move():
    for view, moves in positions(azul.Config(2), 2, 20):
        found = {bot(azul, "2")(view, Budget(), Random(seed)) for seed in range(40)}
        best = {bot(azul, "greedy")(view, Budget(), Random(seed)) for seed in range(10)}
        assert found & best
        assert len(found) > 1 or len(moves) < 4


def test_a_budget_of_fewer_nodes_is_kept():
    """Level 6 with the nodes of level 4 is level 4."""
    for view, _ in positions(azul.Config(2), 2, 30):
        small = bot(azul, "6")(view, Budget(nodes=100), Random(1))
        assert small == bot(azul, "4")(view, Budget(), Random(1)) == search(azul)(view, Budget(nodes=100), Random(1))


def play(config, choosers, seed):
    """The places after a game on the deals of a seed."""
    deals, rng = Random(seed), Random(seed + 1)
    state = azul.setup(config)
    while isinstance(turn := azul.turn(state), Chance | Choose):
        if isinstance(turn, Chance):
            state, _ = azul.apply(state, azul.deal(state, deals))
        else:
            seat = turn.seats[0]
            state, _ = azul.apply(state, choosers[seat](azul.view(state, seat), Budget(), rng))
    return turn.places


@pytest.mark.heavy
@pytest.mark.parametrize("wall", ["coloured", "grey"])
def test_level_5_beats_greedy(wall):
    reader, greedy = bot(azul, "5"), bot(azul, "greedy")
    pairs = [
        (play(azul.Config(2, wall), seats, seed), seats)
        for seed in range(4)
        for seats in ((reader, greedy), (greedy, reader))
    ]
    won = sum(places[seats.index(reader)] == 1 for places, seats in pairs)
    assert won >= 7


@pytest.mark.heavy
def test_level_5_wins_more_than_par_among_four():
    reader, greedy = bot(azul, "5"), bot(azul, "greedy")
    won = 0
    for seed in range(8):
        seats = [greedy] * 4
        seats[seed % 4] = reader
        won += play(azul.Config(4), seats, seed)[seed % 4] == 1
    assert won >= 5
