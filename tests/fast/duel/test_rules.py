"""Chance, copies, imagined tables, keys and batches of fast Azul Duel, beyond being the same game."""

from collections import Counter
from random import Random
from typing import Any, TypeAlias

import numpy
import pytest
from msgspec.structs import replace

from tessella.core.game import Chance, Over
from tessella.fast.duel.moves import PAY_CHOICE, encode_order, encode_tiling
from tessella.fast.phases import DEALING, OVER
from tessella.games import duel
from tessella.games.duel.chance import undecided
from tessella.games.duel.pieces import ALL_CHIPS, PLATES_OF, PRINTED
from tests.fast.twins import DUEL, TWINS, Twin

COMPILED, PLAIN = TWINS["duel"]
SAMPLES = 3_000
Fact: TypeAlias = Any
"""A part of what chance decided, to be counted."""


def go_on(table: Twin) -> None:
    """One act at random."""
    table.deal() if table.phase == DEALING else table.apply(table.choose())


def state_where(wanted, seed=0) -> duel.State:
    """The first position of random games that is wanted."""
    rng = Random(seed)
    while True:
        state = duel.setup(duel.Config())
        while not isinstance(turn := duel.turn(state), Over):
            if wanted(state):
                return state
            if isinstance(turn, Chance):
                state, _ = duel.apply(state, duel.deal(state, rng))
            else:
                state, _ = duel.apply(state, rng.choice(duel.legal_moves(state, turn.seats[0])))


# Chance


@pytest.mark.parametrize("config", DUEL, ids=str)
def test_the_same_seed_plays_the_same_game_compiled_and_plain(config):
    compiled, plain = (module.Duel(config, 2**63 + 5) for module in TWINS["duel"])
    assert compiled.playout() == plain.playout()
    assert compiled.to_state() == plain.to_state()
    assert compiled.playouts(0) == plain.playouts(0) == (0, 0, 0, (0, 0))
    fresh = [module.Duel(config, 3).playouts(2) for module in TWINS["duel"]]
    assert fresh[0] == fresh[1]


@pytest.mark.heavy
@pytest.mark.parametrize("config", DUEL, ids=str)
def test_what_the_own_generator_decides_is_a_deal_of_the_readable_game(config):
    table = COMPILED.Duel(config, 9)
    for _ in range(20):
        table.reset()
        state = duel.setup(config)
        while table.phase != OVER:
            assert (table.phase == DEALING) == isinstance(duel.turn(state), Chance)
            if table.phase == DEALING:
                table.deal()
                act = table.dealt()
            else:
                number = table.choose()
                act = table.to_move(number)
                table.apply(number)
            state, _ = duel.apply(state, act)
            assert table.to_state() == state


def few_colours(bag, tower) -> duel.State:
    """Before a fill that may have to be drawn again (DU11)."""
    state = state_where(lambda state: state.phase == "prepare" and state.round == 2 and len(state.open) == 3)
    return replace(state, bag=bag, tower=tower)


DUE = {
    "DU12 shuffle": lambda: duel.setup(duel.Config()),
    "DU12 open": lambda: state_where(lambda state: state.phase == "first" and len(state.open) == 2),
    "DU20 look": lambda: state_where(
        lambda state: state.phase == "keep" and len(state.hand) > 2 and isinstance(duel.turn(state), Chance)
    ),
    "DU26 reveal": lambda: state_where(
        lambda state: state.phase == "act" and isinstance(duel.turn(state), Chance) and len(state.chips) < 12
    ),
    "DU40 fill": lambda: state_where(lambda state: state.phase == "prepare" and sum(state.bag) < 15),
    "DU11 again": lambda: few_colours((9, 1, 0, 0, 0), (0, 5, 5, 5, 5)),
    "DU11 pour": lambda: few_colours((6, 0, 0, 0, 0), (3, 5, 5, 0, 0)),
    "DU11 one colour": lambda: few_colours((7, 0, 0, 0, 0), (4, 0, 0, 0, 0)),
}


def facts(deal) -> list[Fact]:
    """What a deal says, in parts that can be counted."""
    match deal:
        case duel.Shuffle(start=start, kinds=kinds, plates=plates):
            return [start, *enumerate(kinds), *enumerate(plates)]
        case duel.Fill(factories=factories):
            return [(number, tiles) for number, tiles in enumerate(factories) if number < 2]
        case duel.Reveal(chips=parts) | duel.Open(plates=parts) | duel.Look(plates=parts):
            return [*enumerate(parts)]
        case _:
            raise AssertionError(deal)


@pytest.mark.heavy
@pytest.mark.parametrize("due", DUE)
def test_chance_is_as_likely_as_in_the_readable_game(due):
    state = DUE[due]()
    rng, table = Random(5), COMPILED.from_state(state, 5)
    readable, fast = Counter[Fact](), Counter[Fact]()
    for _ in range(SAMPLES):
        readable.update(facts(duel.deal(state, rng)))
        dealt = table.copy()
        dealt.deal()
        fast.update(facts(dealt.dealt()))
        table.playouts(0)  # turns the generator on
    require_alike(readable, fast)


def require_alike(one: Counter[Fact], other: Counter[Fact]) -> None:
    """Five standard deviations of the difference of two counts."""
    for fact in one | other:
        assert abs(one[fact] - other[fact]) <= 5 * (one[fact] + other[fact]) ** 0.5 + 3, fact


def test_DU40_only_what_is_due_is_dealt():
    table = COMPILED.Duel(seed=1)
    with pytest.raises(ValueError, match="DU40"):
        table.deal_these(duel.Open(("ykt*",)))
    with pytest.raises(ValueError, match="DU03"):
        table.deal_these(duel.Shuffle(0, "*" * 18, ("ykt*", "k*tr", "*krb")))
    with pytest.raises(ValueError, match="nothing"):
        table.dealt()
    assert table.to_state() == duel.setup(duel.Config())
    while table.phase == DEALING:
        table.deal()
    with pytest.raises(ValueError, match="DU40"):
        table.deal()
    with pytest.raises(ValueError, match="DU40"):
        table.deal_these(duel.Reveal("b"))


# What a seat cannot see


@pytest.mark.heavy
@pytest.mark.parametrize("seat", [0, 1, None])
def test_DU60_an_imagined_table_is_one_that_the_seat_could_not_tell_from_the_true_one(seat):
    table = COMPILED.Duel(seed=4)
    changed = 0
    for _ in range(12):
        table.reset()
        while table.phase != OVER:
            go_on(table)
            imagined = table.copy()
            imagined.imagine(seat)
            state = imagined.to_state()
            assert duel.view(state, seat) == duel.view(table.to_state(), seat)
            assert imagined.key() == COMPILED.from_state(state).key()
            changed += state != table.to_state()
    assert changed > 100


def remembered(kind: str) -> duel.State:
    """Of four plates of a kind in the stack, seat 0 has seen the first three and seat 1 three; one of them it lost.

    Nobody has seen the first plate of the kind, nor the last.
    """
    ends = {min(PLATES_OF[kind]), max(PLATES_OF[kind])}

    def fits(state: duel.State) -> bool:
        unseen = state.phase == "act" and ends <= {*undecided(state)[kind]}
        return unseen and sum(back.face == kind for back in state.stack) > 4

    state = state_where(fits)
    seen = [((0,), (1,)), ((0,), ()), ((0, 1), ()), ((1,), ())]
    plates = iter([plate for plate in undecided(state)[kind] if plate not in ends])
    fresh = [place for place, back in enumerate(state.stack) if back.face == kind]
    stack = list(state.stack)
    for place, (known, lost) in zip(fresh, seen, strict=False):
        stack[place] = duel.Back(next(plates), known, lost)
    return replace(state, stack=tuple(stack))


@pytest.mark.heavy
@pytest.mark.parametrize("which", [0, 1], ids=["compiled", "plain"])
@pytest.mark.parametrize("seat", [0, 1, None])
@pytest.mark.parametrize("kind", ["?", "*"], ids=["joker", "special"])
def test_DU60_every_imagined_table_is_as_likely_as_in_the_readable_game(kind, seat, which):
    state = remembered(kind)
    rng, table = Random(5), TWINS["duel"][which].from_state(state, 5)
    view = duel.view(state, seat)
    readable, fast = Counter[Fact](), Counter[Fact]()
    for _ in range(SAMPLES // 3):
        readable.update(enumerate(duel.imagine(view, rng).stack))
        table.imagine(seat)
        fast.update(enumerate(table.to_state().stack))
    require_alike(readable, fast)
    assert len(fast) > len(state.stack)


@pytest.mark.heavy
@pytest.mark.parametrize("which", [0, 1], ids=["compiled", "plain"])
@pytest.mark.parametrize("kind", ["?", "*"], ids=["joker", "special"])
def test_DU03_no_plate_comes_twice_at_a_table_that_was_imagined(kind, which):
    for seed in range(30):
        table = TWINS["duel"][which].from_state(remembered(kind), seed)
        table.imagine(None)
        while table.phase != OVER:
            go_on(table)
            plates = plates_seen(table.to_state())
            assert len(plates) == len({*plates})


def plates_seen(state: duel.State) -> list[str]:
    """Every plate whose face somebody has seen, wherever it lies."""
    printed = [PRINTED[plate] for board in state.boards for plate in board.dome if plate]
    faces = [*state.open, *(back.face for back in (*state.stack, *state.hand)), *printed]
    return [face for face in faces if len(face) > 1]


# Moves


@pytest.mark.parametrize("which", [0, 1], ids=["compiled", "plain"])
def test_exactly_the_listed_moves_are_legal(which):
    table = TWINS["duel"][which].Duel(seed=4)
    stages = set()
    while table.phase != OVER:
        if table.phase != DEALING and table.stage not in stages:
            stages.add(table.stage)
            legal = [move for move in range(-2, table.width + 2) if table.is_legal(move)]
            assert legal == sorted(table.moves())
            before = table.to_state()
            with pytest.raises(ValueError, match="not legal"):
                table.apply(next(move for move in range(table.width) if move not in legal))
            assert table.to_state() == before
        go_on(table)
    assert len(stages) > 4


@pytest.mark.parametrize("which", [0, 1], ids=["compiled", "plain"])
def test_numbers_are_moves_and_moves_are_numbers(which):
    table = TWINS["duel"][which].Duel(seed=7)
    kinds = set()
    while table.phase != OVER:
        if table.phase != DEALING:
            state = table.to_state()
            for number in table.moves():
                move = table.to_move(number)
                kinds.add(type(move))
                assert table.from_move(move) == number
                assert table.write_move(number) == duel.write_move(state, move)
                assert move.seat != table.seat() or table.read_move(table.write_move(number)) == number
        go_on(table)
    assert len(kinds) > 7


def test_an_order_or_a_payment_that_is_not_possible_has_no_number_and_no_meaning():
    table = COMPILED.Duel(seed=7)
    while table.phase == DEALING:
        table.deal()
    for move in (duel.Stack(0, "bk"), duel.Pay(0, 0, "bb")):
        with pytest.raises(ValueError, match="not in list"):
            table.from_move(move)
    for number in (encode_order(0), encode_order(5), encode_tiling(0, PAY_CHOICE), encode_tiling(1, 40)):
        with pytest.raises(ValueError, match="means nothing"):
            table.to_move(number)


@pytest.mark.heavy
def test_DU31_the_longest_list_of_payments_is_listed():
    """One chip of each face and two missing tiles: 196 ways to pay, or not to."""
    payer = duel.Board(
        lines=("", "", "", "bb", "", ""), dome=("", "", "", "trb?", *[""] * 5), chips=ALL_CHIPS[::2], row=3
    )
    state = replace(
        duel.setup(duel.Config()),
        boards=(payer, duel.Board(row=6)),
        round=5,
        phase="tile",
        stack=(),
        open=(),
        chips="",
    )
    moves = duel.legal_moves(state, 0)
    assert len(moves) == 197
    for module in TWINS["duel"]:
        table = module.from_state(state)
        assert [table.to_move(number) for number in table.moves()] == moves
        assert [table.from_move(move) for move in moves] == table.moves()
        assert table.moves()[-2] == table.moves()[-1] - 1, "the last payment has the last number"


# Copies and keys


def test_a_copy_plays_on_alike_and_an_assigned_table_by_its_own_dice():
    table = COMPILED.Duel(DUEL[1], 1)
    for _ in range(30):
        go_on(table)
    copy = table.copy()
    third = COMPILED.Duel(DUEL[2], 2)
    third.assign(table)
    assert table.to_state() == copy.to_state() == third.to_state()
    for each in (table, copy, third):
        each.playout()
    assert table.to_state() == copy.to_state() != third.to_state()


@pytest.mark.heavy
def test_different_positions_have_different_keys():
    table = COMPILED.Duel(seed=8)
    keys: dict[int, duel.State] = {}
    for _ in range(25):
        table.reset()
        while table.phase != OVER:
            assert keys.setdefault(table.key(), table.to_state()) == table.to_state()
            go_on(table)
    assert len(keys) > 25 * 120


def is_in_some_order(state: duel.State) -> bool:
    """Broken tiles of two colours, two open plates, and a stack that is another one when turned over."""
    broken = any(len({*board.broken}) > 1 for board in state.boards)
    return broken and len(state.open) > 1 and state.stack != state.stack[::-1] and not state.stacking


def test_the_key_knows_no_order_of_small_factories_open_plates_or_broken_tiles():
    state = state_where(is_in_some_order)
    large, *small = state.factories
    boards = tuple(replace(board, broken=board.broken[::-1]) for board in state.boards)
    turned = replace(state, factories=(large, *small[::-1]), open=state.open[::-1], boards=boards)
    assert COMPILED.from_state(turned).key() == COMPILED.from_state(state).key()
    others = [
        replace(state, current=1 - state.current),
        replace(state, boards=state.boards[::-1]),
        replace(state, stack=state.stack[::-1]),
        replace(state, bag=state.tower, tower=state.bag),
        replace(state, config=DUEL[1]),
    ]
    assert len({COMPILED.from_state(each).key() for each in (state, *others)}) == 6


# Batches


@pytest.mark.heavy
@pytest.mark.parametrize("which", [0, 1], ids=["compiled", "plain"])
def test_a_batch_moves_each_table_as_the_table_alone_would(which):
    batch = TWINS["duel"][which].Batch(4, seed=3)
    ended = 0
    for _ in range(320 if which == 0 else 160):
        before = [batch.at(place) for place in range(4)]
        moves = batch.random.copy()
        for place, table in enumerate(before):
            own = [move for move in table.moves() if table.to_move(move).seat == table.seat()]
            assert [int(move) for move in batch.masks[place].nonzero()[0]] == sorted(own)
            assert batch.seats[place] == table.seat()
        batch.step(moves)
        for place, table in enumerate(before):
            table.apply(int(moves[place]))
            assert bool(batch.over[place]) == (table.phase == OVER)
            if table.phase == OVER:
                assert tuple(batch.scores[place]) == table.scores()
                assert tuple(batch.places[place]) == table.places()
                ended += 1
            elif table.phase != DEALING:
                assert batch.at(place).to_state() == table.to_state()
    assert ended >= 4


def test_a_batch_refuses_what_a_table_would():
    batch = COMPILED.Batch(3)
    good = batch.random.copy()
    bad = good.copy()
    for refused in (next(move for move in range(batch.table.width) if not batch.masks[1, move]), 65_535):
        bad[1] = refused
        with pytest.raises(ValueError, match="table 1"):
            batch.step(bad)
    with pytest.raises(ValueError, match="3 tables"):
        batch.step(good[:2])
    with pytest.raises((ValueError, TypeError)):
        batch.step(good.astype(numpy.float64))
    with pytest.raises(IndexError):
        batch.at(3)
