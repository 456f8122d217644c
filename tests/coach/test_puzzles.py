"""Puzzles: each has one best move, what looks best at once is another, and the file that is shipped is sound."""

from datetime import date, timedelta
from random import Random
from typing import cast

import pytest

from tessella.bots import greedy
from tessella.coach.puzzles import Header, daily, may_hold, mine, play_games, read, shipped, write
from tessella.core import record
from tessella.core.game import BadNotation
from tessella.core.record import Record
from tessella.fast.azul import from_state
from tessella.fast.azul.alphabeta import AlphaBeta
from tessella.games import azul


@pytest.fixture(scope="module")
def mined():
    games = list(play_games(2, 1))
    return games, [puzzle for game in games for puzzle in mine(game)]


def after(state, text):
    table = from_state(state)
    table.apply(table.from_move(azul.read_move(state, state.current, text)))
    return table


@pytest.mark.heavy
def test_a_mined_puzzle_is_a_position_of_its_game_with_one_best_move(mined):
    games, puzzles = mined
    assert puzzles
    for puzzle in puzzles:
        source = next(game for game in games if game.id == puzzle.source)
        state = next(step.before for step in record.replay(azul, source) if step.number == puzzle.number)
        assert azul.write_state(state) == puzzle.position
        best = after(state, puzzle.best).key()
        for text, loss in puzzle.losses.items():
            same = after(state, text).key() == best
            assert loss == 0 if same else loss >= puzzle.margin >= 0.06


@pytest.mark.heavy
def test_the_best_move_is_proved_by_exhaustive_search(mined):
    _, puzzles = mined
    puzzle = min(puzzles, key=lambda puzzle: len(puzzle.losses))
    state = azul.read_state(puzzle.position)
    search = AlphaBeta()
    search.think(from_state(state), puzzle.seat)
    assert not search.stopped
    assert search.value / 1e6 == pytest.approx(puzzle.value, abs=1e-4)
    assert from_state(state).write_move(search.best) in puzzle.losses
    assert puzzle.losses[from_state(state).write_move(search.best)] == 0


@pytest.mark.heavy
def test_the_greedy_move_is_wrong(mined):
    for puzzle in [*mined[1], *shipped().values()]:
        state = azul.read_state(puzzle.position)
        tempting = greedy.choose(azul, azul.view(state, puzzle.seat), Random(0))
        assert puzzle.losses[azul.write_move(state, cast("azul.Move", tempting))] >= 0.06


def test_every_shipped_puzzle_is_sound():
    puzzles = shipped().values()
    assert len(puzzles) == 60
    assert {puzzle.difficulty for puzzle in puzzles} == {1, 2, 3, 4, 5}
    for puzzle in puzzles:
        state = azul.read_state(puzzle.position)
        assert (state.current, state.round) == (puzzle.seat, puzzle.round)
        moves = [azul.write_move(state, move) for move in azul.legal_moves(state, puzzle.seat)]
        assert sorted(puzzle.losses) == sorted(moves)
        assert puzzle.line[0] == puzzle.best
        for text in puzzle.line:
            state, _ = azul.apply(state, azul.read_move(state, state.current, text))
        best = after(azul.read_state(puzzle.position), puzzle.best).key()
        right = [text for text, loss in puzzle.losses.items() if not loss]
        assert {after(azul.read_state(puzzle.position), text).key() for text in right} == {best}


def test_every_puzzle_has_its_day():
    puzzles = list(shipped().values())
    first = date(2026, 12, 1)
    days = [daily(first + timedelta(days=day), puzzles).id for day in range(len(puzzles))]
    assert sorted(days) == sorted(shipped())


@pytest.mark.heavy
def test_a_file_of_puzzles_can_be_read_back(mined):
    header = Header("ours", 2, 0.06)
    assert read(write(header, mined[1])) == (header, mined[1])
    with pytest.raises(BadNotation):
        read("nonsense")
    with pytest.raises(BadNotation):
        read("")


def test_only_azul_for_two_holds_puzzles():
    assert may_hold(Record("azul/1 seats=2 wall=grey"))
    assert not may_hold(Record("azul/1 seats=3 wall=coloured"))
    assert not may_hold(Record("blockers/1 seats=2 scoring=blockers"))
