"""Copies, chance, keys and refusals of the fast games, beyond being the same games."""

from random import Random
from threading import Thread

import pytest
from msgspec.structs import replace

from tessella.core.game import AnyGame, Chance
from tessella.fast.phases import DEALING, OVER
from tessella.games import azul, blockers
from tessella.games.blockers.pieces import COLOURS

from .twins import CASES, TWINS, Twin

NAMES = {"azul": "Azul", "blockers": "Blockers"}
FINGERPRINT = {"plies": 70.3, "rounds": 6.60, "legal moves": 23.15, "score": 2.96}


def tables(name: str, seats: int, *, other: bool, seed: int) -> list[Twin]:
    """A compiled and a plain table."""
    return [getattr(module, NAMES[name])(seats, other, seed) for module in TWINS[name]]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("other", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_plays_the_same_game_compiled_and_plain(name, seats, other):
    compiled, plain = tables(name, seats, other=other, seed=2**63 + 5)
    assert compiled.playout() == plain.playout()
    assert compiled.to_state() == plain.to_state()
    assert compiled.scores() == plain.scores()


@pytest.mark.heavy
@pytest.mark.parametrize(("game", "config"), CASES, ids=str)
def test_deals_of_the_own_generator_are_deals_of_the_readable_game(game: AnyGame, config):
    """What lies on the table after a deal could have been dealt: the readable game reads the position as sound."""
    module = TWINS[game.NAME][0]
    table = module.from_state(game.setup(config), 9)
    deals = 0
    while table.phase != OVER:
        if table.phase == DEALING:
            assert game.turn(table.to_state()) == Chance()
            table.deal()
            deals += 1
        else:
            table.apply(table.choose())
        text = game.write_state(table.to_state())
        assert game.read_state(text) == table.to_state()
    assert deals > 4


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_plays_on_alike_and_an_assigned_table_by_its_own_dice(name):
    table = tables(name, 3, other=False, seed=1)[0]
    table.deal()
    copy = table.copy()
    third = tables(name, 2, other=True, seed=2)[0]
    third.assign(table)
    assert table.to_state() == copy.to_state() == third.to_state()
    for each in (table, copy, third):
        each.playout()
    assert table.to_state() == copy.to_state() != third.to_state()


@pytest.mark.heavy
@pytest.mark.parametrize("which", [0, 1], ids=["compiled", "plain"])
@pytest.mark.parametrize(("game", "config"), CASES, ids=str)
def test_a_position_that_is_read_offers_the_moves_of_the_table_that_played_there(game: AnyGame, config, which):
    module = TWINS[game.NAME][which]
    table = module.from_state(game.setup(config), 11)
    while table.phase != OVER:
        if table.phase == DEALING:
            table.deal()
        else:
            assert sorted(module.from_state(table.to_state()).moves()) == sorted(table.moves())
            table.apply(table.choose())


@pytest.mark.parametrize(("game", "config"), CASES, ids=str)
def test_exactly_the_listed_moves_are_legal(game: AnyGame, config):
    for module in TWINS[game.NAME]:
        table = module.from_state(game.setup(config), 4)
        for step in range(60):
            while table.phase == DEALING:
                table.deal()
            if table.phase == OVER:
                break
            if step % 12 == 0:
                legal = [move for move in range(-2, table.width + 2) if table.is_legal(move)]
                assert legal == sorted(table.moves())
                refused = next(move for move in range(table.width) if move not in legal)
                before = table.to_state()
                with pytest.raises(ValueError, match="not legal"):
                    table.apply(refused)
                assert table.to_state() == before
            table.apply(table.choose())


@pytest.mark.parametrize(("game", "config"), CASES, ids=str)
def test_moves_are_written_as_the_readable_game_writes_them(game: AnyGame, config):
    table = TWINS[game.NAME][0].from_state(game.setup(config), 3)
    while table.phase == DEALING:
        table.deal()
    state, seat = table.to_state(), table.seat()
    moves = game.legal_moves(state, seat)
    assert [table.to_move(number) for number in table.moves()] == moves
    assert [table.write_move(number) for number in table.moves()] == [game.write_move(state, move) for move in moves]


@pytest.mark.heavy
def test_random_play_has_the_published_fingerprint():
    games = 100_000
    plies, legal, rounds, points = TWINS["azul"][0].Azul(2, seed=11).playouts(games)
    assert abs(plies / games - FINGERPRINT["plies"]) < 0.15
    assert abs(rounds / games - FINGERPRINT["rounds"]) < 0.03
    assert abs(legal / plies - FINGERPRINT["legal moves"]) < 0.03
    assert abs(sum(points) / 2 / games - FINGERPRINT["score"]) < 0.04


def test_the_key_of_azul_knows_no_order_of_factories():
    state = azul.read_state(
        "2c 1 0>0 byrk,bbyy,wwww,rrkk,byrw m ~ 0.0.0.0.0" + " 0:-/-/-/-/-:...../...../...../...../.....:-" * 2
    )
    turned = replace(state, factories=state.factories[::-1])
    other = replace(state, current=1)
    keys = [TWINS["azul"][0].from_state(each).key() for each in (state, turned, other)]
    assert keys[0] == keys[1] != keys[2]


@pytest.mark.heavy
@pytest.mark.parametrize("name", NAMES)
def test_different_positions_have_different_keys(name):
    table = tables(name, 2, other=True, seed=8)[0]
    keys: dict[int, str] = {}
    for _ in range(20):
        table.reset()
        while table.phase != OVER:
            keys.setdefault(table.key(), repr(table.to_state()))
            table.deal() if table.phase == DEALING else table.apply(table.choose())
    assert len(keys) > 20 * 60


@pytest.mark.parametrize("colours", [1, 2, 3])
def test_BL12_tiles_that_hold_dense_groups_together_are_found(colours):
    """Large groups that enclose cells, as random play never makes them: many tiles of few colours."""
    rng = Random(colours)
    for tiles in range(8, 80, 3):
        board = "".join(rng.choice(COLOURS[1 : 1 + colours]) if cell < tiles else "." for cell in range(81))
        board = "".join(rng.sample(board, 81))
        state = blockers.State(
            blockers.Config(5),
            stocks=(blockers.Stock("ABCDw", "", ""), *[blockers.Stock("ABCDE", "", "")] * 4),
            captured=("",) * 5,
            board=blockers.Board(board, board.translate(str.maketrans(COLOURS, "w" * 5))),
            start=0,
        )
        moves = blockers.legal_moves(state, 0)
        for module in TWINS["blockers"]:
            table = module.from_state(state)
            assert table.moves() == [table.from_move(move) for move in moves]
            assert table.scores() == tuple(tally.score for tally in blockers.view(state, None).tallies)


@pytest.mark.heavy
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_BL40_an_imagined_table_is_one_that_the_seat_could_not_tell_from_the_true_one(seats):
    table = TWINS["blockers"][0].Blockers(seats, seed=seats)
    changed = 0
    while table.phase != OVER:
        table.deal() if table.phase == DEALING else table.apply(table.choose())
        for seat in range(seats):
            imagined = table.copy()
            imagined.imagine(seat)
            assert blockers.view(imagined.to_state(), seat) == blockers.view(table.to_state(), seat)
            changed += imagined.to_state() != table.to_state()
    assert changed > 100


@pytest.mark.parametrize("name", NAMES)
def test_no_deal_comes_while_somebody_is_to_move(name):
    table = tables(name, 2, other=False, seed=0)[0]
    while table.phase == DEALING:
        table.deal()
    with pytest.raises(ValueError, match=r"AZ40|BL16"):
        table.deal()


@pytest.mark.parametrize("name", NAMES)
def test_playouts_leave_the_interpreter_to_others(name):
    table = tables(name, 4, other=False, seed=0)[0]
    thread = Thread(target=table.playouts, args=(2_000,))
    thread.start()
    turns = 0
    while thread.is_alive():
        turns += 1
    assert turns > 100
