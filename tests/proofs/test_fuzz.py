"""Whatever is brought from outside is read or refused, soon, and never an error of ours.

`corpus/` keeps what was ever worth trying: Hypothesis changes it, and whole games, letter by letter. `scripts/fuzz`
goes on for as long as one likes, led by coverage, and adds to it.
"""

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tessella.games import GAMES

from .targets import (
    CORPUS,
    TARGETS,
    corpus,
    positions,
    read_message,
    read_record,
    read_short,
    short_games,
    try_notation,
    whole_games,
)

LONGEST_SECONDS = 0.25
"""Of CPU time for one input, after Python has warmed up: a whole game takes 0.012, and 0.03 while coverage looks on."""

FUZZ = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)


@st.composite
def changed(draw: st.DrawFn, texts: list[str]) -> str:
    """One of the texts with some pieces cut, doubled, moved or exchanged."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 30)))
        piece = draw(st.sampled_from(["", text[start:end] * 2, text[start:end][::-1]]) | st.text(max_size=4))
        text = text[:start] + piece + text[end:]
    return text


def soon(read):
    """What it took of CPU time must be little; a first slow time is forgiven: something may have been made ready."""
    for patience in (1, 0):
        began = time.thread_time()
        read()
        if time.thread_time() - began < LONGEST_SECONDS:
            return
        assert patience, "it takes too long"


@pytest.mark.parametrize("target", [path.stem for path in CORPUS.iterdir()])
def test_what_was_kept_is_read_or_refused(target):
    read, seeds = TARGETS[target]
    texts = [*corpus(target), *seeds()]
    assert len(texts) > 15
    for text in texts:
        soon(lambda text=text: read(text))


@FUZZ
@given(st.data())
def test_a_record_is_read_or_refused(data):
    read_record(data.draw(changed([*corpus("records"), *whole_games()])))


@FUZZ
@given(st.data())
def test_a_short_form_is_unfolded_or_refused(data):
    read_short(data.draw(changed([*corpus("short"), *short_games()])))


@pytest.mark.parametrize("name", GAMES)
@FUZZ
@given(data=st.data())
def test_notation_is_read_or_refused(name, data):
    state = data.draw(st.sampled_from(positions(name)))
    written = GAMES[name].write_state(state)
    try_notation(name, state, data.draw(changed([*corpus("notation"), written])))


@pytest.mark.parametrize("name", GAMES)
def test_kept_notation_is_read_or_refused_at_every_moment(name):
    for state in positions(name):
        for text in corpus("notation"):
            try_notation(name, state, text)


@FUZZ
@given(st.data())
def test_a_socket_message_is_a_request_or_refused(data):
    text = data.draw(changed(corpus("messages")))
    read_message(data.draw(st.sampled_from([text, text.encode("utf-8", "surrogatepass")])))


@pytest.mark.parametrize("depth", [100, 1_000, 100_000])
def test_a_deep_message_is_refused_as_any_other(depth):
    soon(lambda: read_message('{"type":' + "[" * depth))
