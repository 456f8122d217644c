"""What holds whatever happens and whatever is typed."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import islice
from random import Random
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessella.core import link, record
from tessella.core.game import BadNotation
from tessella.core.laws import check_laws
from tessella.games import azul
from tessella.games.azul.notation import tiles_out_of_bag
from tessella.games.azul.pieces import ALL_TILES, add

from .positions import CONFIGS, random_acts, table

WRITTEN = "0123456789byrkwmct:/.,>-~=* \n"
"""The characters of which Azul's texts are made."""


@st.composite
def damaged(draw: st.DrawFn, whole: str) -> str:
    """A text of which some pieces are cut out or exchanged."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(whole)))
        end = draw(st.integers(start, min(len(whole), start + 6)))
        whole = whole[:start] + draw(st.text(WRITTEN, max_size=4)) + whole[end:]
    return whole


@given(config=st.sampled_from(CONFIGS), seed=st.integers(0, 2**32), acts=st.integers(0, 200), changes=st.data())
def test_a_damaged_position_is_rejected_or_can_be_played_to_its_end(config, seed, acts, changes):
    """What passes the reader is a table at which nobody gets stuck and from which no tile vanishes."""
    rng = Random(seed)
    played = [azul.setup(config), *(after for _, _, after, _ in islice(random_acts(azul.setup(config), rng), acts))]
    text = changes.draw(damaged(azul.write_state(played[-1])))
    try:
        state = azul.read_state(text)
    except BadNotation:
        return
    assert azul.read_state(azul.write_state(state)) == state
    for _, _, after, _ in random_acts(state, rng):
        assert add(after.bag, tiles_out_of_bag(after)) == ALL_TILES


# Reading

STATE = table(factories="bbyk")
GAME = check_laws(azul, azul.Config(2, "grey"), Random(1), every=10**9)
LINK_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def replay(text: str) -> record.Record:
    whole = record.read(text)
    assert len(list(record.replay(azul, whole))) == len(whole.acts)
    return whole


READERS: dict[str, tuple[Callable[[str], Any], Callable[[Any], str], st.SearchStrategy[str]]] = {
    "move": (partial(azul.read_move, STATE, 0), partial(azul.write_move, STATE), st.nothing()),
    "deal": (
        partial(azul.read_deal, STATE),
        partial(azul.write_deal, STATE),
        damaged("0:bbyk byrw rrrr kkww bbbw") | damaged("bbyk byrw - kkww b"),
    ),
    "position": (azul.read_state, azul.write_state, damaged(azul.write_state(azul.setup(azul.Config(2, "grey"))))),
    "record": (replay, record.write, damaged(record.write(GAME))),
    "link": (
        partial(link.expand, azul),
        partial(link.shorten, azul),
        damaged(link.shorten(azul, GAME)) | st.text(LINK_LETTERS).map("azul1.".__add__),
    ),
}
"""By kind: how a text is read, how it is written, and texts that are nearly one."""


@pytest.mark.parametrize("kind", READERS)
@given(data=st.data())
def test_any_text_is_bad_notation_or_read_as_it_is_written_again(kind, data):
    read, write, nearly = READERS[kind]
    text = data.draw(st.text() | st.text(WRITTEN) | nearly)
    try:
        found = read(text)
    except BadNotation:
        return
    assert read(write(found)) == found


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
    began = process_time()
    for read, _, _ in READERS.values():
        with suppress(BadNotation):
            read(text)
    assert process_time() - began < 1
