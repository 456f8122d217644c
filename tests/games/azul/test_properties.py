"""What holds whatever happens and whatever is typed."""

from random import Random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.core import link, record
from tessella.core.game import BadNotation, Chance, Choose, Over
from tessella.core.laws import check_laws
from tessella.games import azul
from tessella.games.azul.notation import tiles_out_of_bag
from tessella.games.azul.pieces import ALL_TILES, add

from .positions import CONFIGS, board, random_act, table

unhurried = settings(deadline=None)
configs = st.sampled_from(CONFIGS)
seeds = st.integers(0, 2**32)

WRITTEN = "0123456789byrkwmct:/.,>-~=* \n"
"""The characters of which Azul's texts are made."""

texts = st.text() | st.text(WRITTEN)


@st.composite
def damaged(draw: st.DrawFn, whole: str) -> str:
    """A text of which some pieces are cut out or exchanged."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(whole)))
        end = draw(st.integers(start, min(len(whole), start + 6)))
        whole = whole[:start] + draw(st.text(WRITTEN, max_size=4)) + whole[end:]
    return whole


def random_position(config: azul.Config, seed: int, acts: int) -> azul.State:
    """The table after some acts of a random game, or at its end."""
    rng, state = Random(seed), azul.setup(config)
    while acts and (act := random_act(state, rng)) is not None:
        state, _ = azul.apply(state, act)
        acts -= 1
    return state


# Play


@unhurried
@given(config=configs, picks=st.lists(st.integers(0, 2**16), max_size=200))
def test_no_tile_is_ever_lost_and_no_score_is_negative(config, picks):
    state = azul.setup(config)
    for pick in picks:
        match azul.turn(state):
            case Chance():
                state, _ = azul.apply(state, azul.deal(state, Random(pick)))
            case Choose(seats=seats):
                moves = azul.legal_moves(state, seats[pick % len(seats)])
                state, _ = azul.apply(state, moves[pick % len(moves)])
            case Over():
                break
        assert add(state.bag, tiles_out_of_bag(state)) == ALL_TILES
        assert min(state.bag + state.lid) >= 0
        assert min(player.score for player in state.boards) >= 0


@unhurried
@given(config=configs, seed=seeds, acts=st.integers(0, 200))
def test_a_position_is_read_as_it_was_written(config, seed, acts):
    state = random_position(config, seed, acts)
    assert azul.read_state(azul.write_state(state)) == state


@unhurried
@given(config=configs, seed=seeds, acts=st.integers(0, 200), changes=st.data())
def test_a_damaged_position_is_rejected_or_can_be_played_to_its_end(config, seed, acts, changes):
    """What passes the reader is a table at which nobody gets stuck and from which no tile vanishes."""
    text = changes.draw(damaged(azul.write_state(random_position(config, seed, acts))))
    try:
        state = azul.read_state(text)
    except BadNotation:
        return
    assert azul.read_state(azul.write_state(state)) == state
    rng = Random(seed)
    while (act := random_act(state, rng)) is not None:
        state, _ = azul.apply(state, act)
        assert add(state.bag, tiles_out_of_bag(state)) == ALL_TILES


# Reading


@unhurried
@given(text=texts)
def test_any_text_is_a_move_or_bad_notation(text):
    state = table(factories="bbyk")
    try:
        move = azul.read_move(state, 0, text)
    except BadNotation:
        return
    assert azul.write_move(state, move) == text


@unhurried
@given(text=texts | damaged("0:bbyk byrw rrrr kkww bbbw") | damaged("bbyk byrw - kkww b"))
def test_any_text_is_a_deal_or_bad_notation(text):
    state = azul.setup(azul.Config(2))
    try:
        deal = azul.read_deal(state, text)
    except BadNotation:
        return
    assert azul.read_deal(state, azul.write_deal(state, deal)) == deal


@unhurried
@given(text=texts | damaged(f"2c 0 0>0 -,-,-,-,- - 20.20.20.20.20 0.0.0.0.0 {board()} {board()}"))
def test_any_text_is_a_position_or_bad_notation(text):
    try:
        state = azul.read_state(text)
    except BadNotation:
        return
    assert azul.read_state(azul.write_state(state)) == state


GAME = check_laws(azul, azul.Config(2, "grey"), Random(1), every=10**9)
RECORD = record.write(GAME)
LINK = link.shorten(azul, GAME)


@unhurried
@given(text=texts | damaged(RECORD))
def test_any_text_is_a_record_or_bad_notation(text):
    try:
        whole = record.read(text)
        last = [step.after for step in record.replay(azul, whole)]
    except BadNotation:
        return
    assert record.read(record.write(whole)) == whole
    assert len(last) == len(whole.acts)


LINK_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


@unhurried
@given(text=texts | damaged(LINK) | st.text(LINK_LETTERS).map("azul1.".__add__))
def test_any_text_is_a_link_or_bad_notation(text):
    try:
        whole = link.expand(azul, text)
    except BadNotation:
        return
    assert link.expand(azul, link.shorten(azul, whole)) == whole


LONG = 60_000


@pytest.mark.parametrize(
    "text",
    [
        "b" * LONG,
        "-" * LONG,
        "bbyk " * (LONG // 5),
        "bbyk " * (LONG // 5) + "!",
        "- " * (LONG // 2) + "x",
        "0:" * (LONG // 2),
        "2c 3 0>1 " + "-," * (LONG // 2) + " m ~ 0.0.0.0.0",
        "2c 3 0>1 bbyk,-,-,-,- m ~ 0.0.0.0.0 " + "0:-/-/-/-/-:...../...../...../...../.....:- " * (LONG // 50),
        "azul/1" + " a=b" * (LONG // 4),
        "azul/1" + " a=" * (LONG // 3) + "!",
        "azul/1 seats=" + "9" * LONG,
        "azul/1\n" + "id x\n" * (LONG // 5),
        "azul/1\nseed " + "0" * LONG,
        "azul/1 seats=2\n\n" + "1b1\n" * (LONG // 4),
        "azul1." + "_" * 8_000,
        "azul1." + "_" * LONG,
        "\n" * LONG,
        "azul/1" + "\n\n" * (LONG // 2) + "x",
    ],
    ids=lambda text: text[:12],
)
def test_long_texts_are_answered_at_once(text):
    state = table(factories="bbyk")
    began = process_time()
    for read in (
        azul.read_state,
        lambda text: azul.read_move(state, 0, text),
        lambda text: azul.read_deal(state, text),
        lambda text: list(record.replay(azul, record.read(text))),
        lambda text: link.expand(azul, text),
    ):
        try:
            read(text)
        except BadNotation:
            continue
    assert process_time() - began < 1
