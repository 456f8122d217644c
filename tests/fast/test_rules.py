"""Copies, chance, keys and refusals of the fast games, beyond being the same games."""

from random import Random
from threading import Thread
from time import perf_counter

import pytest
from msgspec.structs import replace

from tessella.core.game import AnyGame, Chance
from tessella.fast.phases import DEALING, OVER
from tessella.games import azul, blockers, duel
from tessella.games.blockers.pieces import COLOURS

from .twins import CASES, TWINS, Twin, go_on

FINGERPRINT = {"plies": 70.3, "rounds": 6.60, "legal moves": 23.15, "score": 2.96}

each_case = pytest.mark.parametrize(("game", "config"), CASES, ids=str)
each_game = pytest.mark.parametrize("game", [azul, blockers, duel], ids=TWINS)
compiled_and_plain = pytest.mark.parametrize("which", [0, 1], ids=["compiled", "plain"])


def new_table(game: AnyGame, config=None, *, seed: int = 0, which: int = 0) -> Twin:
    """A table that is not dealt yet."""
    return TWINS[game.NAME][which].from_state(game.setup(config or game.Config()), seed)


@each_case
def test_the_same_seed_plays_the_same_game_compiled_and_plain(game: AnyGame, config):
    compiled, plain = (new_table(game, config, seed=2**63 + 5, which=which) for which in (0, 1))
    assert compiled.playout() == plain.playout()
    assert compiled.to_state() == plain.to_state()
    assert compiled.scores() == plain.scores()
    assert new_table(game, config, seed=3).playouts(2) == new_table(game, config, seed=3, which=1).playouts(2)


@pytest.mark.heavy
@each_case
def test_deals_of_the_own_generator_are_deals_of_the_readable_game(game: AnyGame, config):
    """What lies on the table after a deal could have been dealt: the readable game reads the position as sound."""
    table = new_table(game, config, seed=9)
    deals = 0
    while table.phase != OVER:
        if table.phase == DEALING:
            assert game.turn(table.to_state()) == Chance()
            deals += 1
        go_on(table)
        text = game.write_state(table.to_state())
        assert game.read_state(text) == table.to_state()
    assert deals > 4


@each_game
def test_a_copy_plays_on_alike_and_an_assigned_table_by_its_own_dice(game: AnyGame):
    configs = [config for other, config in CASES if other is game]
    table = new_table(game, configs[1], seed=1)
    for _ in range(30):
        go_on(table)
    copy, third = table.copy(), new_table(game, configs[2], seed=2)
    third.assign(table)
    assert table.to_state() == copy.to_state() == third.to_state()
    for each in (table, copy, third):
        each.playout()
    assert table.to_state() == copy.to_state() != third.to_state()


@pytest.mark.heavy
@compiled_and_plain
@each_case
def test_a_position_that_is_read_offers_the_moves_of_the_table_that_played_there(game: AnyGame, config, which):
    table = new_table(game, config, seed=11, which=which)
    while table.phase != OVER:
        if table.phase != DEALING:
            read = TWINS[game.NAME][which].from_state(table.to_state())
            assert sorted(read.moves()) == sorted(table.moves())
        go_on(table)


@pytest.mark.heavy
@compiled_and_plain
@each_case
def test_listed_moves_alone_are_legal_and_written_as_in_the_readable_game(game: AnyGame, config, which):
    """At each stage of Azul Duel, and at a few positions of the other games."""
    table, met = new_table(game, config, seed=4, which=which), set()
    for step in range(400):
        if table.phase not in (DEALING, OVER) and (stage := getattr(table, "stage", step // 20)) not in met:
            met.add(stage)
            state, numbers = table.to_state(), table.moves()
            assert [move for move in range(-2, table.width + 2) if table.is_legal(move)] == sorted(numbers)
            with pytest.raises(ValueError, match="not legal"):
                table.apply(next(move for move in range(table.width) if move not in numbers))
            assert table.to_state() == state
            moves = [table.to_move(number) for number in numbers]
            assert [table.from_move(move) for move in moves] == numbers
            assert [table.write_move(number) for number in numbers] == [game.write_move(state, move) for move in moves]
        if table.phase != OVER:
            go_on(table)
    assert len(met) > 2


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
@each_game
def test_different_positions_have_different_keys(game: AnyGame):
    table = new_table(game, seed=8)
    keys: set[int] = set()
    for _ in range(20):
        table.reset()
        while table.phase != OVER:
            keys.add(table.key())
            go_on(table)
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


HIDING = [(blockers, blockers.Config(seats), seat) for seats in (2, 3, 4, 5) for seat in (0, seats - 1)]


@pytest.mark.heavy
@pytest.mark.parametrize(("game", "config", "seat"), [*HIDING, *((duel, duel.Config(), seat) for seat in (0, 1, None))])
def test_BL40_DU60_an_imagined_table_is_one_that_the_seat_could_not_tell_from_the_true_one(game: AnyGame, config, seat):
    table = new_table(game, config, seed=4)
    changed = 0
    for _ in range(12 if game is duel else 1):
        table.reset()
        while table.phase != OVER:
            go_on(table)
            imagined = table.copy()
            imagined.imagine(seat)
            state = imagined.to_state()
            assert game.view(state, seat) == game.view(table.to_state(), seat)
            assert imagined.key() == TWINS[game.NAME][0].from_state(state).key()
            changed += state != table.to_state()
    assert changed > 50


@each_game
def test_no_deal_comes_while_somebody_is_to_move(game: AnyGame):
    table = new_table(game)
    while table.phase == DEALING:
        table.deal()
    with pytest.raises(ValueError, match=r"AZ40|BL16|DU40"):
        table.deal()


@each_game
def test_playouts_leave_the_interpreter_to_others(game: AnyGame):
    """If they did not, others could run only when the games are over."""
    table, times, seen = new_table(game), list[float](), list[float]()

    def play() -> None:
        times.append(perf_counter())
        table.playouts(10_000)
        times.append(perf_counter())

    thread = Thread(target=play)
    thread.start()
    while thread.is_alive():
        seen.append(perf_counter())
    began, ended = times
    assert any(began < time < (began + ended) / 2 for time in seen)
