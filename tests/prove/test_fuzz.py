"""Whatever is brought from outside is read or refused, soon, and never an error of ours.

`corpus/` keeps what was ever worth trying; Hypothesis changes it, and whole games, letter by letter.
"""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tessella.core import record, short
from tessella.core.game import BadNotation, Chance, Choose, IllegalMove
from tessella.games import GAMES
from tessella.prove.shuffle import random_record
from tessella.prove.worlds import configs, random_line
from tessella.server.messages import FromClient, decoder

CORPUS = Path(__file__).with_name("corpus")
LONGEST_SECONDS = 0.05
"""Of CPU time for one input, after Python has warmed up."""

FUZZ = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)


def corpus(name: str) -> list[str]:
    kept: list[str] = json.loads((CORPUS / f"{name}.json").read_text())
    return kept


@cache
def whole_games() -> list[str]:
    return [record.write(random_record(game, game.Config(), Random(7), "game")) for game in GAMES.values()]


@cache
def short_games() -> list[str]:
    """The same games in one line each, none longer than a link may be."""
    return [short.shorten(GAMES[text.partition("/")[0]], record.read(text))[:400] for text in whole_games()]


@cache
def positions(name: str) -> list[object]:
    """Some moments of a game of this title."""
    game = GAMES[name]
    states = [game.setup(configs(game)[0])]
    for act in random_line(game, configs(game)[0], Random(3)).acts:
        states.append(game.apply(states[-1], act)[0])
    return states[::7]


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


def read_record(text: str) -> None:
    with suppress(BadNotation):
        found = record.read(text)
        if found.game in GAMES:
            record.verify(GAMES[found.game], found)


@pytest.mark.parametrize("text", corpus("records"), ids=range(len(corpus("records"))))
def test_a_kept_record_is_read_or_refused(text):
    soon(lambda: read_record(text))


@FUZZ
@given(st.data())
def test_a_record_is_read_or_refused(data):
    read_record(data.draw(changed([*corpus("records"), *whole_games()])))


@FUZZ
@given(st.data())
def test_a_short_form_is_unfolded_or_refused(data):
    text = data.draw(changed(short_games()))
    game = GAMES.get(short.game_of(text), GAMES["azul"])
    with suppress(BadNotation):
        assert short.expand(game, text).game == game.NAME


def try_notation(name: str, state: object, text: str) -> None:
    """A text as a move of each seat, as a deal and as a position."""
    game = GAMES[name]
    turn = game.turn(state)
    seats = turn.seats if isinstance(turn, Choose) else (0,)
    readings: list[Callable[[], object]] = [partial(game.read_move, state, seat, text) for seat in seats]
    readings += [partial(game.read_deal, state, text)] if isinstance(turn, Chance) else []
    for read in readings:
        with suppress(BadNotation, IllegalMove):
            game.apply(state, read())
    with suppress(BadNotation):
        assert game.read_state(game.write_state(game.read_state(text))) is not None


@pytest.mark.parametrize("name", GAMES)
@FUZZ
@given(data=st.data())
def test_notation_is_read_or_refused(name, data):
    state = data.draw(st.sampled_from(positions(name)))
    written = GAMES[name].write_state(state)
    try_notation(name, state, data.draw(changed([*corpus("notation"), written])))


@pytest.mark.parametrize("name", GAMES)
def test_kept_notation_is_read_or_refused(name):
    for state in positions(name):
        for text in corpus("notation"):
            soon(partial(try_notation, name, state, text))


def read_message(text: str | bytes) -> None:
    try:
        assert isinstance(decoder.decode(text), FromClient)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as refused:
        assert not isinstance(refused, RecursionError), "a deep message is not told as such"


@pytest.mark.parametrize("text", corpus("messages"), ids=range(len(corpus("messages"))))
def test_a_kept_message_is_a_wish_or_refused(text):
    soon(lambda: read_message(text))


@FUZZ
@given(st.data())
def test_a_socket_message_is_a_wish_or_refused(data):
    text = data.draw(changed(corpus("messages")))
    read_message(data.draw(st.sampled_from([text, text.encode("utf-8", "surrogatepass")])))
