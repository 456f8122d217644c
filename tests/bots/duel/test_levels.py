"""The levels of Azul Duel: legal, steady, blind to hidden plates, and each in its place."""

import time
from random import Random

import pytest

from tessella.bots import Budget, bot, ladder
from tessella.bots.duel.heuristic import START_VALUE, careless_value, move_value
from tessella.bots.duel.levels import LEVELS, by_hand, search
from tessella.core.game import Chance, Over
from tessella.games import duel
from tessella.games.duel.pieces import Face
from tessella.games.duel.state import Take

FACE_SETS: tuple[tuple[Face, ...], ...] = (
    ("rows", "columns", "diagonals"),
    ("colour_rows", "outer", "corners", "jokers"),
)


def play(bots, config, seed, budget):
    """A game; gives its end."""
    dice, rngs = Random(seed), [Random(f"{seed} {seat}") for seat in range(2)]
    state = duel.setup(config)
    while not isinstance(turn := duel.turn(state), Over):
        if isinstance(turn, Chance):
            act = duel.deal(state, dice)
        else:
            seat = turn.seats[-1]
            act = bots[seat](duel.view(state, seat), budget, rngs[seat])
            assert act in duel.legal_moves(state, seat)
        state, _ = duel.apply(state, act)
    return turn


def positions(seed):
    """Every position of a random game in which a seat is to move."""
    rng = Random(seed)
    state = duel.setup(duel.Config())
    while not isinstance(turn := duel.turn(state), Over):
        if isinstance(turn, Chance):
            state, _ = duel.apply(state, duel.deal(state, rng))
        else:
            seat = turn.seats[-1]
            yield state, seat
            state, _ = duel.apply(state, rng.choice(duel.legal_moves(state, seat)))


def test_levels_are_numbered_from_the_weakest_up():
    assert ladder(duel) == tuple(LEVELS) == tuple("12345678")


@pytest.mark.heavy
@pytest.mark.parametrize("faces", FACE_SETS, ids=",".join)
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_legal_moves_to_the_end(level, faces):
    assert play([bot(duel, level), bot(duel, "1")], duel.Config(faces=faces), 1, Budget(nodes=12))


def test_the_handcrafted_evaluation_plays_legal_moves_that_differ_from_the_net():
    for player in (by_hand(duel), search(duel)):
        assert play([player, bot(duel, "1")], duel.Config(), 1, Budget(nodes=12))
    seen = [(duel.view(state, seat), number) for number, (state, seat) in enumerate(positions(2))][::8]
    moves = [
        [player(view, Budget(nodes=40), Random(n)) for view, n in seen] for player in (by_hand(duel), search(duel))
    ]
    assert moves[0] != moves[1]


def test_level_1_forgets_what_broken_tiles_and_the_start_tile_cost():
    compared = 0
    for state, seat in list(positions(4))[::5]:
        for move in duel.legal_moves(state, seat):
            careless, careful = careless_value(state, move), move_value(state, move)
            compared += isinstance(move, Take)
            assert careless >= careful - START_VALUE if isinstance(move, Take) else careless == careful
    assert compared > 100


def test_the_same_seed_and_number_of_rounds_give_the_same_move():
    for state, seat in list(positions(2))[::7]:
        view = duel.view(state, seat)
        one, other = (search(duel)(view, Budget(nodes=60), Random(5)) for _ in range(2))
        assert one == other


def hidden_pairs(pairs):
    """Positions, and the same with other plates wherever the seat to move cannot see."""
    found = seed = 0
    while found < pairs:
        for state, seat in positions(seed):
            other = duel.imagine(duel.view(state, seat), Random(found))
            if other != state and found < pairs:
                found += 1
                yield state, other, seat
        seed += 1


def require_equal_moves(pairs, level):
    for state, other, seat in hidden_pairs(pairs):
        moves = [bot(duel, level)(duel.view(each, seat), Budget(nodes=30), Random(7)) for each in (state, other)]
        assert moves[0] == moves[1]


@pytest.mark.heavy
@pytest.mark.parametrize("level", LEVELS)
def test_equal_views_give_equal_moves_whatever_is_hidden(level):
    require_equal_moves(20, level)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["7", "8"])
def test_a_thousand_equal_views_give_equal_moves(level):
    require_equal_moves(1000, level)


@pytest.mark.heavy
def test_a_short_search_beats_the_greedy_player():
    """Expected nearly always; of so few games we ask only for what an equal player would hardly reach."""
    thinker, greedy = bot(duel, "6"), bot(duel, "greedy")
    won = 0
    for seed in range(6):
        bots = [thinker, greedy] if seed % 2 else [greedy, thinker]
        over = play(bots, duel.Config(faces=FACE_SETS[seed // 2 % 2]), seed, Budget())
        won += over.places[seed % 2 == 0] == 1
    assert won >= 5


def test_thinking_takes_the_time_it_is_given_and_not_twice_that():
    took = []
    for state, seat in list(positions(3))[2:100:12]:
        began = time.thread_time()
        bot(duel, "8")(duel.view(state, seat), Budget(seconds=0.05), Random(1))
        took.append(time.thread_time() - began)
    assert max(took) > 0.04
    assert max(took) < 0.12


def test_the_move_that_wins_the_game_is_found():
    """The last choice of the last round: nobody answers, and nothing is left to chance."""
    decided = 0
    for seed in range(40):
        state, seat = list(positions(seed))[-1]
        moves = duel.legal_moves(state, seat)
        ends = [duel.turn(duel.apply(state, move)[0]) for move in moves]
        wins = [isinstance(end, Over) and end.places[seat] == 1 for end in ends]
        if any(wins) and all(isinstance(end, Over) for end in ends):
            decided += 1
            chosen = search(duel)(duel.view(state, seat), Budget(nodes=200), Random(1))
            assert wins[moves.index(chosen)]
    assert decided > 5
