"""The lines of the engine protocol: what is written is read back, and everything else is an error that helps."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessella.bots import Budget
from tessella.core.game import BadNotation
from tessella.engine import messages
from tessella.engine.messages import read_answer, read_command, write_answer, write_command

WORDS = st.from_regex(messages.WORD, fullmatch=True)
TEXTS = st.text(st.characters(categories=("L", "N", "P")), min_size=1, max_size=40)
LINES = st.lists(WORDS, min_size=1, max_size=5).map(tuple)
DECIMALS = st.integers(1, 10**6).map(lambda number: number / 1000)
BUDGETS = st.builds(Budget, st.none() | DECIMALS, st.none() | st.integers(1, 10**9))
COMMANDS = st.one_of(
    st.builds(messages.Hello, st.integers(0, 999)),
    st.builds(messages.SetOption, WORDS, WORDS),
    st.builds(messages.NewGame, TEXTS),
    st.builds(messages.SetView, TEXTS.map(lambda text: f"{{{text}}}")),
    st.builds(messages.SetPosition, st.integers(0, 4), TEXTS),
    st.builds(messages.SetRecord, WORDS),
    st.builds(messages.SetMoves, LINES),
    st.builds(messages.Go, BUDGETS),
    st.just(messages.Stop()),
    st.just(messages.Quit()),
)
ANSWERS = st.one_of(
    st.builds(messages.Name, TEXTS),
    st.builds(messages.Author, TEXTS),
    st.builds(messages.Title, st.from_regex("[a-z]+/[0-9]+", fullmatch=True)),
    st.builds(messages.Option, WORDS, WORDS, st.lists(WORDS, max_size=4).map(tuple)),
    st.builds(
        messages.Info,
        st.none() | st.integers(0, 10**9),
        st.none() | DECIMALS,
        st.none() | st.integers(0, 1000).map(lambda number: number / 1000),
        st.just(()) | LINES,
    ),
    st.just(messages.Ok()),
    st.builds(messages.Chosen, WORDS),
    st.builds(messages.Failed, TEXTS),
)


@given(COMMANDS)
def test_a_command_is_read_back(command):
    assert read_command(write_command(command)) == command


@given(ANSWERS)
def test_an_answer_is_read_back(answer):
    assert read_answer(write_answer(answer)) == answer


@given(st.text(max_size=60))
def test_any_line_is_read_or_is_bad_notation(line):
    for read in (read_command, read_answer):
        try:
            read(line)
        except BadNotation:
            continue


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", "is not a command: expected tessella, option, new"),
        ("tessella one", "tessella VERSION"),
        ("view 3", "view JSON"),
        ("go seconds 0", "more than 0 seconds"),
        ("go nodes 0", "more than 0 seconds"),
        ("go nodes 5 seconds 1", "go [seconds S] [nodes N]"),
        ("quit now", "is not a command"),
        ("moves", "moves MOVE …"),
        ("x" * 70_000, "at most 65536"),
    ],
)
def test_an_error_says_what_was_expected(line, expected):
    with pytest.raises(BadNotation, match=re.escape(expected)):
        read_command(line)


@pytest.mark.parametrize(
    "line", ["move", "move a b", "info value 2", "info nodes x", "info line", "title Azul", "okay"]
)
def test_a_malformed_answer_is_an_error(line):
    with pytest.raises(BadNotation):
        read_answer(line)
