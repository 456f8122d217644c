"""Play written acts and random games of any game."""

from collections.abc import Iterator, Sequence
from random import Random
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest

from tessella.core import record
from tessella.core.game import AnyGame, Chance, Choose, IllegalMove, Over

E = TypeVar("E")

MANY_GAMES = pytest.param(1_000, 40, marks=pytest.mark.slow)
"""Games in which the laws are checked every night, and how seldom in each."""


def play(game: AnyGame, state: Any, *acts: str) -> tuple[Any, list[Any]]:
    """Play acts as a record writes them; give the state after the last, and all that happened."""
    happened: list[Any] = []
    for text in acts:
        state, events = game.apply(state, record.read_act(game, state, text))
        happened += events
    return state, happened


def only(events: Sequence[object], kind: type[E]) -> list[E]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def refusal(game: AnyGame, state: Any, act: Any) -> str:
    """The rule that forbids an act, which leaves everything as it was."""
    before = game.write_state(state)
    with pytest.raises(IllegalMove) as caught:
        game.apply(state, record.read_act(game, state, act) if isinstance(act, str) else act)
    assert game.write_state(state) == before
    assert caught.value.why
    return caught.value.rule


def moves(game: AnyGame, state: Any, seat: int | None = None) -> list[str]:
    """The legal moves of a seat, written; of the one whose turn it is if none is given."""
    if seat is None:
        turn = game.turn(state)
        assert isinstance(turn, Choose)
        seat = turn.seats[0]
    return [game.write_move(state, move) for move in game.legal_moves(state, seat)]


def random_acts(game: AnyGame, state: Any, rng: Random) -> Iterator[tuple[Any, Any, Any, Sequence[Any]]]:
    """Play on at random to the end: the state before each act, the act, the state after it, and what happened."""
    while not isinstance(turn := game.turn(state), Over):
        if isinstance(turn, Chance):
            act = game.deal(state, rng)
        else:
            act = rng.choice([move for seat in turn.seats for move in game.legal_moves(state, seat)])
        after, events = game.apply(state, act)
        yield state, act, after, events
        state = after


def changed(game: Any, **functions: object) -> Any:
    """The game with some of its functions exchanged."""
    return SimpleNamespace(**{name: getattr(game, name) for name in game.__all__} | functions)
