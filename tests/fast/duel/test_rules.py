"""Chance, copies, imagined tables, keys and batches of fast Azul Duel, beyond being the same game."""

from collections import Counter
from random import Random
from typing import Any, TypeAlias

import pytest
from msgspec.structs import replace

from tessella.core.game import Chance, Over
from tessella.fast.duel.moves import PAY_CHOICE, encode_order, encode_tiling
from tessella.fast.phases import DEALING, OVER
from tessella.games import duel
from tessella.games.duel.chance import undecided
from tessella.games.duel.pieces import ALL_CHIPS, PLATES_OF, PRINTED
from tests.fast.twins import DUEL, TWINS, go_on

COMPILED, PLAIN = TWINS["duel"]
SAMPLES = 3_000
Fact: TypeAlias = Any
"""A part of what chance decided, to be counted."""


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
def test_a_written_move_is_read_as_its_number(which):
    table = TWINS["duel"][which].Duel(seed=7)
    kinds = set()
    while table.phase != OVER:
        if table.phase != DEALING:
            own = [number for number in table.moves() if table.to_move(number).seat == table.seat()]
            kinds |= {type(table.to_move(number)) for number in own}
            assert [table.read_move(table.write_move(number)) for number in own] == own
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


# Keys


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
