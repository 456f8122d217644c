"""Puzzles: every shipped one is sound and proved, its theme holds, and level 3 does not find the easy ones."""

from datetime import date, timedelta
from random import Random

import pytest

from tessella.bots import Budget, bot
from tessella.coach.certificate import check
from tessella.coach.puzzles import blockers as blockers_puzzles
from tessella.coach.puzzles import duel as duel_puzzles
from tessella.coach.puzzles.find import (
    CLEAR_GAIN,
    MARGIN,
    explain,
    is_confirmed,
    may_hold,
    mine,
    play_games,
    provers,
    themes_of,
)
from tessella.coach.puzzles.prover import Looked
from tessella.coach.puzzles.puzzle import Header, daily, read, shipped, write
from tessella.coach.puzzles.race import LEADERS, Heat, Outcome, race
from tessella.coach.solution import RoundSolver
from tessella.core import record
from tessella.core.game import BadNotation
from tessella.core.record import Record
from tessella.fast import azul as compiled_azul
from tessella.fast import duel as compiled_duel
from tessella.games import GAMES
from tessella.table.replay import replay_acts

LEAST_PROOFS = {"blockers": 20 * 250, "duel": 20 * 600}
"""20 times the search of level 7, in imagined games; Azul is searched to the end of the round."""
EASY = 15
PROVED_AGAIN = {"azul": None, "blockers": 2, "duel": 20}
"""How many are proved again on every change; None means all. In Azul and Azul Duel a new net can make some doubtful."""


def puzzles_of(title):
    return [puzzle for puzzle in shipped().values() if puzzle.title == title]


def state_of(puzzle):
    return GAMES[puzzle.title].read_state(puzzle.position)


@pytest.mark.parametrize("title", GAMES)
def test_at_least_sixty_of_each_game_easy_and_hard_with_several_themes(title):
    puzzles = puzzles_of(title)
    assert len(puzzles) >= 60
    assert sum(puzzle.difficulty == 1 for puzzle in puzzles) >= EASY
    assert {1, 2, 5} <= {puzzle.difficulty for puzzle in puzzles} <= {1, 2, 3, 4, 5}
    assert len({puzzle.reason.theme for puzzle in puzzles}) >= 4
    assert {puzzle.reason.theme for puzzle in puzzles} <= set(themes_of(title))


@pytest.mark.parametrize("title", GAMES)
def test_every_shipped_puzzle_is_sound(title):
    for puzzle in puzzles_of(title):
        game, state = GAMES[title], state_of(puzzle)
        moves = [game.write_move(state, move) for move in game.legal_moves(state, puzzle.seat)]
        assert sorted(puzzle.losses) == sorted(moves), puzzle.id
        right = {move for move, loss in puzzle.losses.items() if not loss}
        assert puzzle.best in right
        assert puzzle.tempting not in right
        assert set(puzzle.replies) == set(moves) - right
        others = [loss for loss in puzzle.losses.values() if loss]
        assert min(others) == pytest.approx(puzzle.margin, abs=2e-4)
        assert puzzle.margin >= MARGIN - 1e-4
        assert puzzle.proof == "exact" if title == "azul" else puzzle.proof >= LEAST_PROOFS[title]


@pytest.mark.parametrize("title", GAMES)
def test_every_line_can_be_played_and_shows_nothing_hidden(title):
    for puzzle in puzzles_of(title):
        game, state = GAMES[title], state_of(puzzle)
        lines = {puzzle.best: puzzle.line[1:], **puzzle.replies}
        for move, acts in lines.items():
            first = record.write_act(game, state, game.read_move(state, puzzle.seat, move))
            steps = replay_acts(game, state, (first, *acts), puzzle.seat)
            assert steps[0].entry.seat == puzzle.seat
            for step in steps:
                for act in step.entry.acts:
                    assert (
                        act is None or not act.startswith("*y:" if puzzle.seat == 0 else "*b:") or title != "blockers"
                    )


@pytest.mark.parametrize("title", GAMES)
def test_moves_that_are_right_are_equivalent(title):
    """Only Azul and Azul Duel have moves that lead to the same table: from factories that hold the same."""
    for puzzle in puzzles_of(title):
        right = [move for move, loss in puzzle.losses.items() if not loss]
        if title == "blockers":
            assert len(right) == 1
        elif len(right) > 1:
            keys = set()
            for move in right:
                state = state_of(puzzle)
                table = (compiled_azul if title == "azul" else compiled_duel).from_state(state)
                table.apply(table.from_move(GAMES[title].read_move(state_of(puzzle), puzzle.seat, move)))
                keys.add(table.key())
            assert len(keys) == 1


@pytest.mark.parametrize("title", GAMES)
def test_level_3_solves_at_most_half_of_the_easy_ones(title):
    game, tries, found = GAMES[title], 0, 0
    for puzzle in puzzles_of(title):
        if puzzle.difficulty == 1:
            view = game.view(state_of(puzzle), puzzle.seat)
            for number in range(100, 104):
                move = bot(game, "3")(view, Budget(), Random(number))
                found += not puzzle.losses[game.write_move(state_of(puzzle), move)]
                tries += 1
    assert 2 * found <= tries, f"{found} of {tries}"


def sample(title, number):
    """The cheapest to prove: those with the fewest moves, and in Azul the ones a small search solves."""
    return sorted(puzzles_of(title), key=lambda puzzle: (puzzle.difficulty, len(puzzle.losses)))[:number]


def result_of(puzzle):
    """Solve a puzzle anew, from its position and its moves alone."""
    looked = Looked({move: Outcome(puzzle.value - loss, 0.0) for move, loss in puzzle.losses.items()}, "exact")
    return provers()[puzzle.title].proved_result(state_of(puzzle), puzzle.seat, looked)


@pytest.mark.heavy
@pytest.mark.parametrize("title", GAMES)
def test_what_is_called_proved_is_solved_again(title):
    """Every puzzle whose round may be the last; a result is never claimed where the solver finds none."""
    proved = [puzzle.proved for puzzle in puzzles_of(title)]
    assert proved == [result_of(puzzle) for puzzle in puzzles_of(title)]
    assert ({"win", "draw"} <= set(proved)) == (title == "azul")


def test_a_proved_win_is_confirmed_by_certificates_and_the_readable_rules():
    wins = [puzzle for puzzle in puzzles_of("azul") if puzzle.proved == "win"]
    puzzle = min(wins, key=lambda puzzle: len(puzzle.line))
    game, state, solver = GAMES["azul"], state_of(puzzle), RoundSolver()
    for text, loss in puzzle.losses.items():
        after, _ = game.apply(state, game.read_move(state, puzzle.seat, text))
        assert check(solver.certify(after, puzzle.seat, "less than" if loss else "at least", 1)) > 0


def test_no_result_is_proved_if_another_move_keeps_it_or_the_best_one_loses():
    puzzle = next(puzzle for puzzle in puzzles_of("azul") if puzzle.proved == "draw")
    worse = {move: loss for move, loss in puzzle.losses.items() if loss}
    without_best = Looked({move: Outcome(puzzle.value - loss, 0.0) for move, loss in worse.items()}, "exact")
    other = min(worse, key=worse.__getitem__)
    twice = Looked({puzzle.best: Outcome(0.5, 0.0), other: Outcome(0.4, 0.0)}, "exact")
    prover = provers()["azul"]
    assert prover.proved_result(state_of(puzzle), puzzle.seat, without_best) == ""
    assert prover.proved_result(state_of(puzzle), puzzle.seat, twice) == "draw"
    reverse = Looked({puzzle.best: Outcome(0.4, 0.0), other: Outcome(0.5, 0.0)}, "exact")
    assert prover.proved_result(state_of(puzzle), puzzle.seat, reverse) == ""


@pytest.mark.heavy
@pytest.mark.parametrize("title", GAMES)
def test_a_sample_is_proved_again_with_other_random_numbers(title):
    assert [puzzle.id for puzzle in sample(title, PROVED_AGAIN[title]) if not is_confirmed(puzzle)] == []


@pytest.mark.slow
@pytest.mark.heavy
@pytest.mark.parametrize("title", GAMES)
def test_all_of_them_are_proved_again_with_other_random_numbers(title):
    assert [puzzle.id for puzzle in puzzles_of(title) if not is_confirmed(puzzle)] == []


@pytest.mark.heavy
@pytest.mark.parametrize("title", GAMES)
def test_the_theme_is_what_the_best_move_gains(title):
    """Azul is played out exactly, so its numbers come out the same; the others are means over other games."""
    prover, game = provers()[title], GAMES[title]
    for puzzle in [each for each in sample(title, 20) if each.reason.best or each.reason.other][:3]:
        state = state_of(puzzle)
        best, tempting = (game.read_move(state, puzzle.seat, move) for move in (puzzle.best, puzzle.tempting))
        if title == "azul":
            assert explain(prover, state, best, tempting, Random(1)) == puzzle.reason
        else:
            theme = puzzle.reason.theme
            gain = prover.account(state, best, Random(1))[theme] - prover.account(state, tempting, Random(1))[theme]
            assert gain > -CLEAR_GAIN[title], (puzzle.id, gain)


def test_every_puzzle_has_its_day():
    for title in GAMES:
        puzzles = puzzles_of(title)
        first = date(2026, 12, 1)
        days = [daily(first + timedelta(days=day), puzzles).id for day in range(len(puzzles))]
        assert sorted(days) == sorted(puzzle.id for puzzle in puzzles)


def test_a_file_of_puzzles_can_be_read_back():
    header, some = Header("ours", 2, 0.06), puzzles_of("duel")[:3]
    assert read(write(header, some)) == (header, some)
    with pytest.raises(BadNotation):
        read("nonsense")
    with pytest.raises(BadNotation):
        read("")


def test_games_for_two_hold_puzzles():
    assert may_hold(Record("azul/1 seats=2 wall=coloured"))
    assert may_hold(Record("blockers/1 seats=2 scoring=blockers"))
    assert not may_hold(Record("azul/1 seats=3 wall=coloured"))


@pytest.mark.heavy
def test_a_mined_puzzle_is_a_position_of_its_game_and_found_again():
    found = puzzles_of("blockers")[0]
    seed, number = (int(part) for part in found.source.split("-")[1:])
    (game,) = play_games("blockers", [number], seed)
    mined = {puzzle.id: puzzle for puzzle in mine(game)}
    assert mined[found.id] == found
    step = next(step for step in record.replay(GAMES["blockers"], game) if step.number == found.number)
    assert GAMES["blockers"].write_state(step.before) == found.position


def test_a_race_drops_moves_that_are_clearly_worse_and_stops_when_two_are_level():
    strength = {1: 0.6, 2: 0.5, 3: 0.1}
    sizes = []

    def evaluate(move, size):
        sizes.append((move, size))
        return Outcome(strength[move], 0.0)

    heats = Heat(10, 0.1, 0.0), Heat(100, 0.0)
    found = race(strength, evaluate, heats, 0.06)
    assert found is not None
    assert {move: outcome.probability for move, outcome in found.outcomes.items()} == pytest.approx(strength)
    assert sizes == [(1, 10), (2, 10), (3, 10), (1, 100), (2, 100)]
    assert found.games == 230
    strength[2] = 0.58
    assert race(strength, evaluate, heats, 0.06) is None


def test_a_move_that_dropped_out_stays_as_far_behind_as_it_was():
    """A larger evaluation finds the opponent's answers, and lowers the win probability of every move."""
    first, later = {1: 0.8, 2: 0.6, 3: 0.5}, {1: 0.5, 2: 0.3}
    found = race(
        first,
        lambda move, size: Outcome((first if size == 10 else later)[move], 0.0),
        (Heat(10, 0.1, 0.0), Heat(20, 0.0)),
        0.06,
    )
    assert found is not None
    assert {move: outcome.probability for move, outcome in found.outcomes.items()} == pytest.approx(
        {1: 0.5, 2: 0.3, 3: 0.2}
    )


def test_the_proofs_are_twenty_times_level_7():
    assert LEADERS * blockers_puzzles.HEATS[-1].size >= LEAST_PROOFS["blockers"]
    assert LEADERS * duel_puzzles.HEATS[-1].size >= LEAST_PROOFS["duel"]
