"""What the coach says of games: that it adds up, that it sees what was thrown away, and that it says the same twice."""

from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import cast

import pytest
from msgspec.structs import replace
from tests.games.azul.positions import board, table

from tessella.bots import greedy
from tessella.bots.budget import Budget
from tessella.coach import azul as coach_azul
from tessella.coach import blockers as coach_blockers
from tessella.coach import duel as coach_duel
from tessella.coach.review import label_of, look, put_together, review
from tessella.core import record
from tessella.core.game import Choose
from tessella.games import GAMES, azul, blockers, duel

RECORDS = Path(__file__).parents[2] / "records"
QUICK = Budget(nodes=2_000)


def game_of(name):
    whole = record.read((RECORDS / f"{name}.game").read_text())
    return GAMES[whole.game], whole


def floored(seed=bytes(32)):
    """A game for two in which seat 0 throws everything on the floor for a round, and both are greedy otherwise."""
    played, rng = record.Table(azul, azul.Config(seats=2), seed=seed), Random(1)
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
    return list(look(azul, floored(), QUICK))


@pytest.fixture(scope="module")
def report(parts):
    return put_together(azul, floored(), parts, QUICK)


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


def test_who_throws_tiles_away_is_blamed_for_it(report):
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
        for text in decision.line[:2]:
            move = azul.read_move(state, state.current, text)
            assert move in azul.legal_moves(state, move.seat)
            state, _ = azul.apply(state, move)
        if decision.label:
            assert decision.best != decision.played
            assert decision.loss > 2 * decision.noise
            assert decision.shift[decision.seat] == pytest.approx(-decision.loss, abs=1e-3)


def test_a_review_in_pieces_is_the_review_of_the_whole(parts):
    middle = len(parts) // 2
    assert parts[middle:] == list(look(azul, floored(), QUICK, middle))


def test_a_game_that_was_given_up_is_judged_as_it_stood():
    whole = floored()
    short = replace(whole, acts=whole.acts[:9], scores=(), places=(), seed=b"", seal=b"")
    given_up = review(azul, short, QUICK)
    assert not given_up.over
    assert given_up.places == ()
    assert given_up.splits[0].result == given_up.values[-1][0]


@pytest.mark.parametrize("name", ["azul/row", "blockers/4-greedy", "duel/three-faces-greedy"])
def test_the_smallest_budget_comes_to_an_end(name):
    game, whole = game_of(name)
    short = replace(whole, acts=whole.acts[:8], scores=(), places=(), seed=b"", seal=b"")
    assert len(review(game, short, Budget(nodes=1)).values) == 8


@pytest.mark.parametrize(
    "name", ["azul/3-coloured-greedy", "azul/2-grey-greedy", "blockers/3-greedy", "duel/three-faces-greedy"]
)
def test_every_act_of_every_game_is_judged(name, monkeypatch):
    monkeypatch.setattr(coach_azul, "LEAST_LOOKS", 1)
    monkeypatch.setattr(coach_azul, "SAMPLES", 1)
    monkeypatch.setattr(coach_duel, "SAMPLES", 2)
    monkeypatch.setattr(coach_azul, "PATIENCE", {2: (30, 60), 3: (5, 10)})
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


def test_duel_a_move_is_judged_by_what_its_maker_knows():
    """Other plates in the stack: the same judgement."""
    game, whole = game_of("duel/three-faces-random")
    judge = coach_duel.Judge(2, Budget(nodes=60))
    steps = [step for step in record.replay(game, whole) if step.seat is not None]
    others = [duel.imagine(duel.view(step.before, step.seat), Random(4)) for step in steps]
    step, other = next(pair for pair in zip(steps, others, strict=True) if pair[1] != pair[0].before)
    assert judge.weigh(step.before, step.act, Random(1)) == judge.weigh(other, step.act, Random(1))
    assert judge.best(step.before, step.act.seat, Random(1)) == judge.best(other, step.act.seat, Random(1))


def test_duel_who_throws_tiles_away_is_blamed_and_shown_what_is_better():
    game, whole = game_of("duel/three-faces-random")
    judge = coach_duel.Judge(2, Budget(nodes=300))
    thrown = [step for step in record.replay(game, whole) if isinstance(step.act, duel.Take) and step.act.line is None]
    state, seat = thrown[0].before, thrown[0].act.seat
    best = judge.best(state, seat, Random(1))
    better, worse = (judge.weigh(state, move, Random(1)) for move in (best, thrown[0].act))
    assert better.shares[seat] > worse.shares[seat] + 2 * worse.noise
    assert better.leads[seat] > worse.leads[seat]
    for text in judge.line(state, best, Random(1)):
        turn = duel.turn(state)
        assert isinstance(turn, Choose)
        state, _ = duel.apply(state, duel.read_move(state, turn.seats[0], text))


def test_duel_two_looks_at_a_move_differ_as_much_as_is_told():
    game, whole = game_of("duel/three-faces-greedy")
    judge = coach_duel.Judge(2, Budget())
    moves = [step for step in record.replay(game, whole) if isinstance(step.act, duel.Take)][::12]
    spreads = [stdev(judge.weigh(step.before, step.act, Random(seed)).shares[0] for seed in range(4)) for step in moves]
    assert fmean(spreads) < 2 * coach_duel.NOISE


def test_a_move_of_blockers_is_judged_by_what_its_maker_knows():
    """Other tiles on the racks of others: the same judgement."""
    game, whole = game_of("blockers/3-greedy")
    judge = coach_blockers.Judge(3, Budget(nodes=200))
    step = [step for step in record.replay(game, whole) if step.seat is not None][20]
    other = blockers.imagine(blockers.view(step.before, step.seat), Random(4))
    assert other != step.before
    for state in (step.before, other):
        assert blockers.view(state, step.seat) == blockers.view(step.before, step.seat)
    assert judge.weigh(step.before, step.act, Random(1)) == judge.weigh(other, step.act, Random(1))
    assert judge.best(step.before, step.act.seat, Random(1)) == judge.best(other, step.act.seat, Random(1))


def test_a_draw_of_blockers_is_judged_by_what_its_owner_knows():
    game, whole = game_of("blockers/3-greedy")
    judge = coach_blockers.Judge(3, Budget(nodes=80))
    drawn = [step for step in record.replay(game, whole) if step.seat is None][10]
    other = blockers.imagine(blockers.view(drawn.before, drawn.act.owner), Random(4))
    assert other != drawn.before
    assert judge.deal(drawn.before, drawn.act, Random(1)) == judge.deal(other, drawn.act, Random(1))


def test_azul_equal_factories_make_equal_moves():
    state = table(factories="bbyr bbyr kkkw")
    judge = coach_azul.Judge(2, QUICK)
    first, second, other = (azul.read_move(state, 0, text) for text in ("1b2", "2b2", "3w1"))
    assert judge.same(state, first, second)
    assert not judge.same(state, first, other)


def test_azul_a_deal_that_cannot_come_differently_is_no_luck():
    """Only blue is left in the bag, and nothing in the lid: every refill is the same."""
    state = azul.read_state("2c 2 0>0 -,-,-,-,- - 20.0.0.0.0 0.20.20.20.20 " + " ".join([board()] * 2))
    dealt = coach_azul.Judge(2, Budget(nodes=20_000)).deal(state, azul.deal(state, Random(1)), Random(1))
    assert abs(dealt.luck[0]) <= 3 * dealt.noise + 0.01


@pytest.mark.parametrize(("loss", "label"), [(0.049, ""), (0.05, "inaccuracy"), (0.1, "mistake"), (0.15, "blunder")])
def test_losses_have_names(loss, label):
    assert label_of(loss, 0.0) == label
    assert label_of(loss, loss) == ""
