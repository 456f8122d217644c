"""What the coach says of games: that it adds up, that it sees what was thrown away, and that it says the same twice."""

from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import cast

import pytest
from msgspec.structs import replace

from tessella.bots import greedy
from tessella.bots.interface import Budget
from tessella.coach import azul as coach_azul
from tessella.coach import blockers as coach_blockers
from tessella.coach import duel as coach_duel
from tessella.coach.analysis import Evaluation, sample
from tessella.coach.review import assemble, evaluate_acts, label_of, review
from tessella.core import record
from tessella.core.game import Choose
from tessella.core.local import LocalTable
from tessella.games import GAMES, azul, blockers, duel
from tests.games.azul.positions import board, table

RECORDS = Path(__file__).parents[2] / "records"
QUICK = Budget(nodes=2_000)


def game_of(name):
    whole = record.read((RECORDS / f"{name}.game").read_text())
    return GAMES[whole.game], whole


def floored(seed=bytes(32)):
    """A game for two in which seat 0 throws everything on the floor for a round, and both are greedy otherwise."""
    played, rng = LocalTable(azul, azul.Config(seats=2), seed=seed), Random(1)
    while isinstance(played.turn, Choose):
        seat = played.seats[0]
        careless = played.state.round == 1 and seat == 0
        thrown = next(text for move in played.moves if (text := azul.write_move(played.state, move)).endswith("-"))
        wise = greedy.choose(azul, azul.view(played.state, seat), rng)
        played.play(thrown if careless else azul.write_move(played.state, cast("azul.Move", wise)))
    return played.record()


@pytest.fixture(scope="module", autouse=True)
def few_samples():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coach_azul, "SAMPLES", 8)
        yield


@pytest.fixture(scope="module")
def parts():
    return list(evaluate_acts(azul, floored(), QUICK))


@pytest.fixture(scope="module")
def report(parts):
    return assemble(azul, floored(), parts, QUICK)


@pytest.mark.heavy
def test_a_result_falls_into_luck_losses_and_rest(report):
    for split in report.splits:
        parts = split.luck - split.own_losses + split.others_losses + split.rest
        assert split.result - split.start == pytest.approx(parts, abs=1e-3)
    ours, theirs = report.splits
    assert ours.luck == pytest.approx(-theirs.luck, abs=1e-3)
    assert ours.own_losses == pytest.approx(theirs.others_losses, abs=1e-3)


def test_the_acts_alone_lead_from_the_start_to_the_result(report):
    """The rest is small: what one look says after a move, the next one says before the other's move."""
    assert all(abs(split.rest) < 0.35 for split in report.splits)
    assert report.values[-1] == (0.0, 1.0) or report.values[-1] == (1.0, 0.0)
    assert len(report.values) == len(report.decisions) + len(report.deals)


def test_wasting_tiles_is_a_loss(report):
    first = [decision for decision in report.decisions if decision.round == 1]
    careless, careful = (sum(decision.loss for decision in first if decision.seat == seat) for seat in (0, 1))
    assert careless > max(0.2, 2 * careful)
    assert any(decision.label for decision in first if decision.seat == 0)
    assert report.tallies[0].mean_loss > report.tallies[1].mean_loss


def test_every_marked_move_shows_a_legal_better_one(report):
    steps = list(record.replay(azul, floored()))
    for decision in report.decisions:
        state = steps[decision.number].before
        assert decision.line[0] == decision.best
        assert decision.label or len(decision.line) == 1, "only a marked move has a line"
        for text in decision.line[:2]:
            move = azul.read_move(state, state.current, text)
            assert move in azul.legal_moves(state, move.seat)
            state, _ = azul.apply(state, move)
        if decision.label:
            assert decision.best != decision.played
            assert decision.loss > 2 * decision.noise
            assert decision.shift[decision.seat] == pytest.approx(-decision.loss, abs=1e-3)


@pytest.mark.heavy
def test_a_review_in_pieces_is_the_review_of_the_whole(parts):
    middle = len(parts) // 2
    assert parts[middle:] == list(evaluate_acts(azul, floored(), QUICK, middle))


def test_an_abandoned_game_is_evaluated_as_it_stood():
    whole = floored()
    short = replace(whole, acts=whole.acts[:9], scores=(), places=(), seed=b"", seal=b"")
    given_up = review(azul, short, QUICK)
    assert not given_up.over
    assert given_up.places == ()
    assert given_up.splits[0].result == given_up.values[-1][0]


@pytest.mark.parametrize("name", ["azul/row", "blockers/4-greedy", "duel/three-faces-greedy"])
def test_the_smallest_budget_terminates(name):
    game, whole = game_of(name)
    short = replace(whole, acts=whole.acts[:8], scores=(), places=(), seed=b"", seal=b"")
    assert len(review(game, short, Budget(nodes=1)).values) == 8


@pytest.mark.heavy
@pytest.mark.parametrize(
    "name", ["azul/3-coloured-greedy", "azul/2-grey-greedy", "blockers/3-greedy", "duel/three-faces-greedy"]
)
def test_every_act_of_every_game_is_evaluated(name, monkeypatch):
    monkeypatch.setattr(coach_azul, "MIN_PLAYOUTS", 1)
    monkeypatch.setattr(coach_azul, "SAMPLES", 1)
    monkeypatch.setattr(coach_duel, "SAMPLES", 2)
    monkeypatch.setattr(coach_azul, "PLAYOUT_NODES", {2: (30, 60), 3: (5, 10)})
    game, whole = game_of(name)
    found = review(game, whole, Budget(nodes=40))
    assert len(found.values) == len(whole.acts)
    assert found.places == whole.places
    for shares in (found.start, *found.values):
        assert sum(shares) == pytest.approx(1, abs=1e-3)
    for split in found.splits:
        assert split.result - split.start == pytest.approx(
            split.luck - split.own_losses + split.others_losses + split.rest, abs=2e-3
        )
    assert len(found.tallies) == found.seats


def test_duel_a_move_is_evaluated_by_what_its_maker_knows():
    """Other plates in the stack: the same judgement."""
    game, whole = game_of("duel/three-faces-random")
    analyser = coach_duel.Analyser(2, Budget(nodes=60))
    steps = [step for step in record.replay(game, whole) if step.seat is not None]
    others = [duel.imagine(duel.view(step.before, step.seat), Random(4)) for step in steps]
    step, other = next(pair for pair in zip(steps, others, strict=True) if pair[1] != pair[0].before)
    assert analyser.evaluate(step.before, step.act, Random(1)) == analyser.evaluate(other, step.act, Random(1))
    assert analyser.best(step.before, step.act.seat, Random(1)) == analyser.best(other, step.act.seat, Random(1))


def test_duel_wasting_tiles_is_a_loss_and_a_better_move_is_shown():
    game, whole = game_of("duel/three-faces-random")
    analyser = coach_duel.Analyser(2, Budget(nodes=300))
    thrown = [step for step in record.replay(game, whole) if isinstance(step.act, duel.Take) and step.act.line is None]
    state, seat = thrown[0].before, thrown[0].act.seat
    best = analyser.best(state, seat, Random(1))
    better, worse = (analyser.evaluate(state, move, Random(1)) for move in (best, thrown[0].act))
    assert better.probabilities[seat] > worse.probabilities[seat] + 2 * worse.noise
    assert better.leads[seat] > worse.leads[seat]
    for text in analyser.line(state, best, Random(1)):
        turn = duel.turn(state)
        assert isinstance(turn, Choose)
        state, _ = duel.apply(state, duel.read_move(state, turn.seats[0], text))


def test_duel_two_evaluations_of_a_move_differ_as_much_as_their_noise():
    game, whole = game_of("duel/three-faces-greedy")
    analyser = coach_duel.Analyser(2, Budget())
    moves = [step for step in record.replay(game, whole) if isinstance(step.act, duel.Take)][::12]
    spreads = [
        stdev(analyser.evaluate(step.before, step.act, Random(seed)).probabilities[0] for seed in range(4))
        for step in moves
    ]
    assert fmean(spreads) < 2 * coach_duel.NOISE


def test_a_move_of_blockers_is_evaluated_by_what_its_maker_knows():
    """Other tiles on the racks of others: the same judgement."""
    game, whole = game_of("blockers/3-greedy")
    analyser = coach_blockers.Analyser(3, Budget(nodes=200))
    step = [step for step in record.replay(game, whole) if step.seat is not None][20]
    other = blockers.imagine(blockers.view(step.before, step.seat), Random(4))
    assert other != step.before
    for state in (step.before, other):
        assert blockers.view(state, step.seat) == blockers.view(step.before, step.seat)
    assert analyser.evaluate(step.before, step.act, Random(1)) == analyser.evaluate(other, step.act, Random(1))
    assert analyser.best(step.before, step.act.seat, Random(1)) == analyser.best(other, step.act.seat, Random(1))


def test_a_draw_of_blockers_is_evaluated_by_what_its_owner_knows():
    game, whole = game_of("blockers/3-greedy")
    analyser = coach_blockers.Analyser(3, Budget(nodes=80))
    drawn = [step for step in record.replay(game, whole) if step.seat is None][10]
    other = blockers.imagine(blockers.view(drawn.before, drawn.act.owner), Random(4))
    assert other != drawn.before
    assert analyser.deal(drawn.before, drawn.act, None, Random(1)) == analyser.deal(other, drawn.act, None, Random(1))


def test_azul_equal_factories_make_equal_moves():
    state = table(factories="bbyr bbyr kkkw")
    analyser = coach_azul.Analyser(2, QUICK)
    first, second, other = (azul.read_move(state, 0, text) for text in ("1b2", "2b2", "3w1"))
    assert analyser.same(state, first, second)
    assert not analyser.same(state, first, other)


def test_azul_a_deal_that_cannot_come_differently_is_no_luck():
    """Only blue is left in the bag, and nothing in the lid: every refill is the same."""
    state = azul.read_state("2c 2 0>0 -,-,-,-,- - 20.0.0.0.0 0.20.20.20.20 " + " ".join([board()] * 2))
    dealt = coach_azul.Analyser(2, Budget(nodes=20_000)).deal(state, azul.deal(state, Random(1)), None, Random(1))
    assert abs(dealt.luck[0]) <= 3 * dealt.noise + 0.01


def test_azul_a_round_searched_to_its_end_is_not_searched_again():
    """The value of the best move is that of the search that found it."""
    state = table(factories="bbyr kkkw")
    analyser = coach_azul.Analyser(2, Budget(nodes=100_000))
    best = analyser.best(state, 0, Random(1))
    remembered = analyser.evaluate(state, best, Random(1))
    again = coach_azul.Analyser(2, Budget(nodes=400_000)).evaluate(state, best, Random(1))
    assert remembered.probabilities == pytest.approx(again.probabilities, abs=1e-5)
    assert remembered.noise == 0


def test_samples_end_when_their_mean_is_precise():
    alike, apart = iter([0.5] * 9), iter([0.1, 0.9] * 9)
    assert len(sample(lambda: Evaluation((next(alike),), (0.0,)), 3, 9, 0.01)) == 3
    assert len(sample(lambda: Evaluation((next(apart),), (0.0,)), 3, 9, 0.01)) == 9


def test_a_draw_of_blockers_is_compared_with_its_owners_move_before_it():
    game, whole = game_of("blockers/3-greedy")
    parts = list(evaluate_acts(game, replace(whole, acts=whole.acts[:8], scores=(), places=()), Budget(nodes=20)))
    move, draw = parts[4:6]
    assert (move.luck, draw.decision) == (None, None)
    assert draw.before == move.after
    samples = [part.luck.samples for part in (draw, parts[1]) if part.luck]
    assert samples == [0, coach_blockers.SAMPLES], "before the first draw nobody has moved"


@pytest.mark.parametrize("name", ["azul/2-coloured-greedy", "duel/points", "blockers/3-greedy"])
def test_a_review_can_go_on_at_any_act(name):
    game, whole = game_of(name)
    short = replace(whole, acts=whole.acts[:8], scores=(), places=(), seed=b"", seal=b"")
    parts = list(evaluate_acts(game, short, Budget(nodes=10)))
    for first in range(8):
        assert parts[first:] == list(evaluate_acts(game, short, Budget(nodes=10), first))


@pytest.mark.parametrize(("loss", "label"), [(0.049, ""), (0.05, "inaccuracy"), (0.1, "mistake"), (0.15, "blunder")])
def test_losses_have_names(loss, label):
    assert label_of(loss, 0.0) == label
    assert label_of(loss, loss) == ""


def proving_analyser():
    return coach_azul.Analyser(2, QUICK)


def last_decision(score):
    """A table at which seat 0 ends the game by completing its first row, with this score before."""
    wall = "byrk./wb.../k..../r..../y...."
    return table(board(wall=wall, score=score), board(score=20), factories="wbbb", round=5)


def test_the_coach_says_where_a_result_is_proved():
    state = last_decision(40)
    analyser, rng = proving_analyser(), Random(1)
    best = analyser.best(state, 0, rng)
    assert azul.write_move(state, best) == "1w1"
    won = analyser.evaluate(state, best, rng)
    assert (won.proved, won.probabilities, won.noise) == (True, (1.0, 0.0), 0.0)
    assert won.leads[0] == -won.leads[1] > 20


def test_a_round_after_which_the_game_goes_on_is_not_proved():
    state = table(board(score=40), board(score=20), factories="wbbb", round=5)
    analyser, rng = proving_analyser(), Random(1)
    move = azul.legal_moves(state, 0)[0]
    assert not analyser.evaluate(state, move, rng).proved


def test_a_proved_loss_is_seen_from_both_seats():
    state = last_decision(40)
    after, _ = azul.apply(state, azul.read_move(state, 0, "1w1"))
    assert after.current == 1
    analyser, rng = proving_analyser(), Random(1)
    lost = analyser.evaluate(after, azul.legal_moves(after, 1)[0], rng)
    assert (lost.proved, lost.probabilities) == (True, (1.0, 0.0))
