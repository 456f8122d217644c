"""The greedy player of Azul Duel."""

from random import Random
from time import thread_time

import pytest

from tessella.bots import Budget, bot
from tessella.bots.duel.heuristic import move_value
from tessella.core.game import Chance, Choose, Over
from tessella.games import duel
from tessella.games.duel.pieces import Face

FACE_SETS: tuple[tuple[Face, ...], ...] = (
    ("rows", "columns", "diagonals"),
    ("colour_rows", "outer", "corners", "jokers"),
    ("rows", "outer", "diagonals", "empty_specials"),
)
NO_TILES = "....../....../....../....../....../......"


def play(names, config, rng):
    bots = [bot(duel, name) for name in names]
    state = duel.setup(config)
    while not isinstance(turn := duel.turn(state), Over):
        if isinstance(turn, Chance):
            state, _ = duel.apply(state, duel.deal(state, rng))
        else:
            seat = turn.seats[-1]
            move = bots[seat](duel.view(state, seat), Budget(), rng)
            assert isinstance(move, duel.Move)
            state, _ = duel.apply(state, move)
    return turn


@pytest.mark.heavy
@pytest.mark.parametrize("faces", FACE_SETS, ids=",".join)
def test_greedy_beats_random_nearly_always(faces):
    games = [
        play(["greedy", "random"] if seed % 2 else ["random", "greedy"], duel.Config(faces=faces), Random(seed))
        for seed in range(10)
    ]
    assert sum(game.places[seed % 2 == 0] == 1 for seed, game in enumerate(games)) >= 9
    assert sum(game.scores[seed % 2 == 0] for seed, game in enumerate(games)) / len(games) > 30


def test_a_greedy_game_takes_less_than_two_seconds():
    start = thread_time()
    play(["greedy", "greedy"], duel.Config(faces=FACE_SETS[1]), Random(1))
    assert thread_time() - start < 2


def best_take(large="-/-", small="-/-/r", lines="-/-/-/-/-/-", broken="-", start_tile="m1"):
    """What greedy would take with three plates in the upper rows of the dome."""
    state = duel.read_state(
        f"rows,columns,diagonals:special 2act 0>0 {start_tile} {large},{small},-/-/r,-/-/k,-/-/k - ~ - ~ ~ 0.0.0.0.0 "
        f"5:{lines}:ykt*,?btk,trb?,-,-,-,-,-,-:{NO_TILES}:{broken}:by:-:0 "
        f"5:-/-/-/-/-/-:kyr?,k*tr,ty?k,-,-,-,-,-,-:{NO_TILES}:-:BY:-:0"
    )
    moves = [move for move in duel.legal_moves(state, 0) if isinstance(move, duel.Take)]
    return duel.write_move(state, max(moves, key=lambda move: move_value(state, move)))


def test_a_line_that_can_be_placed_comes_first():
    assert best_take(large="bbykt/-", lines="k/t/-/-/-/-", start_tile="m-") == "0t2"


def test_what_does_not_fit_is_left_to_others():
    assert best_take(small="bbbk/-/#", lines="y/tt/kk/y/r/k", broken="rr") == "1k3"


def test_the_least_is_broken_where_something_must_be():
    assert best_take(small="bbbk/-/#", lines="y/tt/rrr/yyyy/rrrrr/tttttt") == "1k-"


def test_hidden_information_changes_nothing():
    """The value of a move is the same in every state that the seat can imagine."""
    rng = Random(3)
    state = duel.setup(duel.Config())
    for _ in range(120):
        turn = duel.turn(state)
        if isinstance(turn, Chance):
            state, _ = duel.apply(state, duel.deal(state, rng))
            continue
        assert isinstance(turn, Choose)
        seat = turn.seats[-1]
        worlds = [duel.imagine(duel.view(state, seat), Random(seed)) for seed in range(3)]
        moves = duel.legal_moves(state, seat)
        values = [[move_value(world, move) for move in moves] for world in worlds]
        assert values[0] == values[1] == values[2] == [move_value(state, move) for move in moves]
        state, _ = duel.apply(state, moves[rng.randrange(len(moves))])
