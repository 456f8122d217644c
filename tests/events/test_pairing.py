"""Who meets whom: the promises of each format, for any field and any results."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.events import Entrant, Format, Outcome, Plan, Round, RoundPlayed, next_round, rounds_of
from tessella.events.history import History


def field_of(size: int) -> list[Entrant]:
    return [Entrant(f"p{number}") for number in range(size)]


def played(round_: Round, rng: Random) -> RoundPlayed:
    """Play a round with random places and scores."""
    outcomes = []
    for players in round_.tables:
        scores = tuple(rng.randrange(0, 60) for _ in players)
        outcomes.append(Outcome(tuple(1 + sum(other > score for other in scores) for score in scores), scores))
    return RoundPlayed(round_, tuple(outcomes))


def play(plan: Plan, entrants: list[Entrant], seed: int, rounds: int | None = None) -> list[RoundPlayed]:
    """Play a whole event with random results."""
    rng, history = Random(seed), list[RoundPlayed]()
    for _ in range(rounds_of(plan, len(entrants)) if rounds is None else rounds):
        history.append(played(next_round(plan, entrants, history, f"seed {seed}"), rng))
    return history


def meetings(history: list[RoundPlayed]) -> Counter[frozenset[str]]:
    return Counter(
        frozenset(pair)
        for done in history
        for table in done.round.tables
        for pair in combinations([each for each in table if each], 2)
    )


@given(size=st.integers(2, 13), seed=st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_round_robin_everybody_meets_everybody_once_and_starts_as_often_as_not(size: int, seed: int) -> None:
    history = play(Plan("round-robin"), field_of(size), seed)

    assert set(meetings(history).values()) == {1}
    assert len(meetings(history)) == size * (size - 1) // 2
    counted = History(history, 2)
    assert all(abs(counted.lead(f"p{number}")) <= 1 for number in range(size))
    assert all(counted.spared[f"p{number}"] == size % 2 for number in range(size))


@given(size=st.integers(8, 21), seed=st.integers(0, 99))
@settings(max_examples=10, deadline=None)
def test_swiss_nobody_meets_twice_or_has_two_byes_and_seats_are_balanced(size: int, seed: int) -> None:
    rounds = size // 3
    history = play(Plan("swiss", rounds=rounds), field_of(size), seed)

    assert set(meetings(history).values()) == {1}
    counted = History(history, 2)
    assert max(counted.spared.values(), default=0) <= 1
    assert all(abs(counted.lead(f"p{number}")) <= 2 for number in range(size)), "within one of half the games"
    assert all(len(done.round.tables) == size // 2 and len(done.round.byes) == size % 2 for done in history)


def test_swiss_players_with_equal_points_meet() -> None:
    entrants = field_of(16)
    history = play(Plan("swiss", rounds=4), entrants, 3)

    for number in range(1, 4):
        before = History(history[:number], 2)
        gaps = [abs(before.halves[a] - before.halves[b]) for a, b in history[number].round.tables]
        assert sum(gaps) <= 4, f"round {number + 1}: {gaps}"


def test_swiss_for_two_players_goes_on_although_they_must_meet_again() -> None:
    history = play(Plan("swiss", rounds=3), field_of(2), 1)

    assert [len(done.round.tables) for done in history] == [1, 1, 1]
    assert abs(History(history, 2).lead("p0")) == 1


@pytest.mark.parametrize(("form", "seats", "size"), [("swiss", 4, 24), ("round-robin", 4, 24), ("swiss", 3, 20)])
def test_tables_of_three_and_four_have_few_repeated_meetings_and_fair_seats(
    form: Format, seats: int, size: int
) -> None:
    history = play(Plan(form, seats=seats, rounds=4), field_of(size), 2)

    counted = History(history, seats)
    assert sum(count - 1 for count in meetings(history).values()) <= 4
    assert max(meetings(history).values()) <= 2
    assert max(counted.spared.values(), default=0) <= 1
    spread = [[counted.sat[each.id, seat] for seat in range(seats)] for each in field_of(size)]
    assert all(max(counts) - min(counts) <= 2 for counts in spread)


def test_a_field_that_does_not_divide_is_filled_up_with_bots_if_so_planned() -> None:
    for plan in (Plan("swiss", fill="bot"), Plan("swiss", seats=4, fill="bot")):
        history = play(plan, field_of(7), 1, rounds=3)
        assert all(not done.round.byes for done in history)
        assert all(sum(bool(each) for table in done.round.tables for each in table) == 7 for done in history)
        assert max(History(history, plan.seats).spared.values()) <= (1 if plan.seats == 2 else 3)


def test_late_entrants_and_those_who_left_are_paired_only_while_they_are_there() -> None:
    entrants = [*field_of(6), Entrant("late", first=2), Entrant("gone", last=2)]
    history = play(Plan("swiss", rounds=3), entrants, 5)

    there = [{each for table in done.round.tables for each in table} | {*done.round.byes} for done in history]
    assert ["late" in each for each in there] == [False, True, True]
    assert ["gone" in each for each in there] == [True, False, False]


@given(size=st.integers(2, 20), seats=st.integers(2, 5), seed=st.integers(0, 50))
@settings(max_examples=25, deadline=None)
def test_knockout_one_player_is_left(size: int, seats: int, seed: int) -> None:
    plan = Plan("knockout", seats=seats)
    history = play(plan, field_of(size), seed)

    assert len(history[-1].round.tables) == 1
    if seats == 2:
        losses = Counter(
            table[seat]
            for done in history
            for table, outcome in zip(done.round.tables, done.outcomes, strict=True)
            for seat in range(2)
            if outcome and outcome.places[seat] == 2
        )
        assert set(losses.values()) <= {1}
        assert not any(done.round.byes for done in history[1:])


def test_knockout_whoever_should_meet_somebody_who_left_goes_on() -> None:
    entrants = field_of(4)
    history = play(Plan("knockout"), entrants, 1, rounds=1)
    final = next_round(Plan("knockout"), entrants, history, "seed 1").tables[0]
    gone = [Entrant(each.id, last=2) if each.id == final[0] else each for each in entrants]

    assert next_round(Plan("knockout"), gone, history, "seed 1") == Round((), (final[1],))


def test_every_worker_computes_the_same_round() -> None:
    entrants = field_of(24)
    for plan in (Plan("swiss"), Plan("swiss", seats=4), Plan("knockout"), Plan("round-robin", seats=4)):
        history = play(plan, entrants, 4, rounds=2)
        assert next_round(plan, entrants, history, "s") == next_round(plan, entrants[::-1], history, "s")
