"""Tree search for Azul Duel is the same compiled and plain, and uses only what a seat may know."""

from random import Random
from typing import Any

import pytest

from tessella.bots.duel.net import learned
from tessella.fast import duel as compiled_duel
from tessella.fast.duel import mcts as compiled_search
from tessella.fast.duel.constants import STAGES
from tessella.fast.duel.moves import DRAW_MOVE, PLATE_MOVE
from tessella.fast.phases import DEALING, OVER
from tessella.games.duel.pieces import Face
from tessella.games.duel.state import Config
from tests.fast.twins import PLAIN

NEVER = 2**62
ACT = STAGES.index("act")
FACE_SETS: tuple[tuple[Face, ...], ...] = (
    ("rows", "columns", "diagonals"),
    ("colour_rows", "outer", "corners", "jokers"),
    ("rows", "outer", "diagonals", "empty_specials"),
)


@pytest.fixture(scope="module")
def twins():
    """The compiled table and search, and both as plain Python."""
    return [(compiled_duel, compiled_search), (PLAIN["duel.rules"], PLAIN["duel.mcts"])]


def positions(module: Any, faces: tuple[Face, ...], seed: int) -> Any:
    """Every position of a random game in which somebody is to move."""
    table = module.Duel(Config(faces=faces), seed)
    while table.phase != OVER:
        if table.phase == DEALING:
            table.deal()
        else:
            yield table
            table.apply(table.choose())


def chosen(
    search: Any, table: Any, seed: int, descents: int, net: Any = None
) -> tuple[int, list[tuple[int, int, float]]]:
    thinker = search.OpenLoopTree(table, table.seat(), seed, descents + 1, net)
    return thinker.choose(descents, NEVER), thinker.tried()


@pytest.mark.parametrize("net", [None, learned()], ids=["heuristic", "net"])
@pytest.mark.parametrize("faces", FACE_SETS, ids=",".join)
def test_the_same_rounds_are_tried_compiled_and_plain(twins, faces, net):
    (game, search), (plain_game, plain_search) = twins
    both = zip(positions(game, faces, 3), positions(plain_game, faces, 3), strict=True)
    for number, (table, same) in enumerate(both):
        if number % 20 == 0:
            assert chosen(search, table, number, 12, net) == chosen(plain_search, same, number, 12, net)


def test_a_move_is_evaluated_alike_compiled_and_plain(twins):
    both = zip(*(positions(game, FACE_SETS[0], 3) for game, _ in twins), strict=True)
    for number, tables in enumerate(both):
        if number % 30 == 0:
            found = []
            for (_, search), table in zip(twins, tables, strict=True):
                move = table.moves()[-1]
                tree = search.OpenLoopTree(table, table.to_move(move).seat, number, 13, learned())
                found.append(tree.evaluate(move, 12))
            assert found[0] == found[1]
            assert 0 <= found[0][0] <= 1


@pytest.mark.parametrize("faces", FACE_SETS, ids=",".join)
def test_in_every_position_a_legal_move_is_found(faces):
    for seed in range(3):
        for number, table in enumerate(positions(compiled_duel, faces, seed)):
            before = table.to_state()
            assert table.is_legal(chosen(compiled_search, table, number, 30)[0])
            assert table.to_state() == before


def test_both_players_who_tile_find_moves_of_their_own():
    found = 0
    for seed in range(30):
        for table in positions(compiled_duel, FACE_SETS[0], seed):
            moves = table.moves()
            if {table.to_move(move).seat for move in moves} == {0, 1}:
                for seat in range(2):
                    move = compiled_search.OpenLoopTree(table, seat, 1, 30).choose(20, NEVER)
                    assert move in moves
                    assert table.to_move(move).seat == seat
                    found += 1
    assert found > 10


@pytest.mark.heavy
def test_a_search_stops_when_no_other_move_can_overtake():
    """The descents left out could not change the result."""
    ended = 0
    for number, table in enumerate(positions(compiled_duel, FACE_SETS[0], 6)):
        move, tried = chosen(compiled_search, table, 1, 640)
        rest = 640 - sum(visits for _, visits, _ in tried)
        most, *others = sorted((visits for _, visits, _ in tried), reverse=True) or [0]
        if number % 9 == 0 and others and rest:
            ended += 1
            assert most - others[0] > rest
            assert (move, most) in [(other, visits) for other, visits, _ in tried]
    assert ended > 3


def test_every_descent_is_one_round_also_when_the_memory_is_full():
    table = next(iter(positions(compiled_duel, FACE_SETS[0], 1)))
    for nodes in (20, 64):
        thinker = compiled_search.OpenLoopTree(table, table.seat(), 1, nodes)
        assert table.is_legal(thinker.choose(60, NEVER))
        assert sum(visits for _, visits, _ in thinker.tried()) == 60


def test_plates_that_the_seat_has_not_seen_make_no_difference():
    rng = Random(2)
    different = 0
    for seed in range(10):
        for table in positions(compiled_duel, FACE_SETS[0], seed):
            other = table.copy()
            for _ in range(rng.randrange(3)):
                other.choose()
            other.imagine(other.seat())
            if other.to_state() != table.to_state():
                different += 1
                assert chosen(compiled_search, table, 9, 20) == chosen(compiled_search, other, 9, 20)
    assert different > 20


def test_a_seat_that_is_not_to_move_is_refused():
    table = compiled_duel.Duel()
    with pytest.raises(ValueError, match="not to move"):
        compiled_search.OpenLoopTree(table, 0)
    while table.phase == DEALING:
        table.deal()
    with pytest.raises(ValueError, match="not to move"):
        compiled_search.OpenLoopTree(table, 1 - table.seat())


def test_a_plate_that_must_be_laid_is_laid_however_little_it_brings(monkeypatch):
    """DU22: here the player can take neither tiles nor a chip, and no plate is left to draw."""
    rules = PLAIN["duel.policy"]
    monkeypatch.setattr(rules, "UNSEEN_PLATE", 100.0)
    policy, must_lay = rules.RolloutPolicy(), 0
    for table in positions(PLAIN["duel.rules"], ("outer", "diagonals", "jokers"), 906426167774):
        moves = table.moves()
        if table.stage == ACT and min(moves) >= PLATE_MOVE and max(moves) < DRAW_MOVE:
            policy.table._assign(table)
            policy.stale = 3
            must_lay += 1
            assert policy._best_move() in moves
    assert must_lay
