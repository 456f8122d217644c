"""When messages are sent: quiet hours, digests, reminders, retries; all without a server."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tessella.server.services.news import timing
from tessella.server.services.news.channels import Channel
from tessella.server.services.news.delivery import Decision, Job, Outcome, after_failure, decide, message_of
from tessella.server.services.news.timing import Item, Preferences, Quiet, reminder_time, send_time
from tessella.server.services.news.turns import Turn
from tessella.text.i18n import LANGUAGES

BRUSSELS = ZoneInfo("Europe/Brussels")
NIGHT = Quiet(22 * 60, 7 * 60, "Europe/Brussels")
NOON = Quiet(12 * 60, 13 * 60, "Europe/Brussels")
HOUR = 3_600.0


def at(text):
    return datetime.fromisoformat(f"2026-03-{text}").replace(tzinfo=BRUSSELS).timestamp()


@pytest.mark.parametrize(
    ("quiet", "when", "covers"),
    [
        (NIGHT, "10 22:00", True),
        (NIGHT, "10 21:59", False),
        (NIGHT, "11 06:59", True),
        (NIGHT, "11 07:00", False),
        (NOON, "10 12:30", True),
        (NOON, "10 13:00", False),
    ],
)
def test_quiet_hours_may_pass_midnight(quiet, when, covers):
    assert quiet.covers(at(when)) == covers


def test_quiet_hours_follow_the_clock_on_the_wall_when_it_changes():
    """In the night of 29 March 2026 the clocks of Brussels go from two to three."""
    assert NIGHT.end_after(at("28 22:00")) - at("28 22:00") == 8 * HOUR
    assert NIGHT.end_after(at("27 22:00")) - at("27 22:00") == 9 * HOUR


@given(st.floats(1.7e9, 1.9e9), st.integers(0, 1_439), st.integers(0, 1_439))
def test_what_waits_for_the_end_of_quiet_hours_is_not_in_them(when, begins, ends):
    quiet = Quiet(begins, ends, "Europe/Brussels")
    if quiet.covers(when):
        assert quiet.begin_before(when) <= when < quiet.end_after(when)
        assert not quiet.covers(quiet.end_after(when))


def test_a_digest_waits_and_takes_the_others_along():
    items = [Item("turn", "a", 0, 1_000.0), Item("turn", "b", 0, 2_000.0)]
    assert send_time(Preferences(), items, 0.0) == 1_000.0
    assert send_time(Preferences(digest_minutes=60), items, 0.0) == 1_000.0 + HOUR
    assert send_time(Preferences(), items, 900.0) == 900.0 + timing.PAUSE_SECONDS
    assert send_time(Preferences(digest_minutes=60), [*items, Item("reminder", "c", 0, 1_500.0)], 0.0) == 1_500.0
    assert send_time(Preferences(), [], 0.0) is None


def test_a_message_waits_for_the_end_of_quiet_hours():
    due = at("10 23:00")
    assert send_time(Preferences(quiet=NIGHT), [Item("turn", "a", 0, due)], 0.0) == at("11 07:00")


def test_a_reminder_comes_before_quiet_hours_that_would_swallow_it():
    wanted = Preferences(reminder_hours=3, quiet=NIGHT)
    assert reminder_time(wanted, at("10 20:00"), at("10 09:00")) == at("10 17:00")
    assert reminder_time(wanted, at("11 09:00"), at("10 09:00")) == at("11 07:00"), "after them, if there is time"
    assert reminder_time(wanted, at("11 03:00"), at("10 09:00")) == at("10 21:50")
    assert reminder_time(wanted, at("11 03:00"), at("10 23:00")) == at("11 07:00"), "never in them"


# What a worker decides


def channel(kind="json", preferences=None, *, confirmed=True, language="en"):
    wanted = preferences or Preferences()
    return Channel("n1", "ann", kind, "https://a.example.org", "", "a.example.org", language, "", confirmed, wanted)


def job(*items, attempts=0, in_flight=False, **more):
    return Job(channel(**more), items, "m" if attempts else "", attempts, in_flight, -1_000.0, 0)


def turn(game, number=4, deadline=None):
    return {("ann", game): Turn(game, "azul", "ann", 0, number, 0.0, deadline)}


def test_what_is_no_longer_true_is_dropped():
    old, now = Item("turn", "a", 2, 10.0), Item("turn", "b", 4, 10.0)
    assert decide(job(old, now), turn("a") | turn("b"), frozenset(), 20.0) == Decision((now,), (old,))
    assert decide(job(old), {}, frozenset(), 20.0) == Decision(drop=(old,))
    assert decide(job(now, preferences=Preferences(turns=False)), turn("b"), frozenset(), 20.0).drop == (now,)
    assert decide(job(now, confirmed=False), turn("b"), frozenset(), 20.0).drop == (now,)


def test_who_is_at_the_table_is_left_alone_for_a_while():
    here, away = Item("turn", "a", 4, 10.0), Item("turn", "b", 4, 10.0)
    at_table = frozenset({("ann", "a")})
    assert decide(job(here), turn("a"), at_table, 20.0) == Decision(look=80.0)
    assert decide(job(here, away), turn("a") | turn("b"), at_table, 20.0) == Decision((away,))


def test_a_message_that_was_tried_takes_nothing_new_along():
    begun, new = Item("turn", "a", 4, 10.0, is_begun=True), Item("turn", "b", 4, 10.0)
    assert decide(job(begun, new, attempts=1), turn("a") | turn("b"), frozenset(), 20.0).send == (begun,)


def test_what_could_not_be_delivered_for_a_day_is_given_up():
    begun = Item("turn", "a", 4, 10.0, is_begun=True)
    late = 11.0 + timing.GIVE_UP_SECONDS
    assert decide(job(begun, attempts=1), turn("a"), frozenset(), late) == Decision(give_up=(begun,))


def test_a_deadline_that_moves_takes_its_reminder_along():
    wanted = Preferences(reminder_hours=1)
    item = Item("reminder", "a", 4, 1_000.0)
    moved = turn("a", deadline=50_000.0)
    assert decide(job(item, preferences=wanted), moved, frozenset(), 1_000.0) == Decision(look=50_000.0 - HOUR)
    assert decide(job(item, preferences=wanted), moved, frozenset(), 50_001.0).drop == (item,)


@pytest.mark.parametrize(
    ("kind", "state"),
    [
        ("json", "retry"),
        ("matrix", "retry"),
        ("push", "retry"),
        ("email", "uncertain"),
        ("discord", "uncertain"),
        ("ntfy", "uncertain"),
    ],
)
def test_an_unknown_outcome_is_repeated_only_where_nobody_sees_it(kind, state):
    assert after_failure(job(kind=kind), Outcome("uncertain")).state == state


def test_after_enough_attempts_a_message_is_given_up():
    assert after_failure(job(attempts=timing.MOST_ATTEMPTS - 2), Outcome("retry")).state == "retry"
    assert after_failure(job(attempts=timing.MOST_ATTEMPTS - 1), Outcome("retry")).state == "failed"


# What it says


def test_every_language_has_its_words_for_a_turn_and_an_invitation():
    for kind in ("turn", "invitation"):
        item = Item(kind, "a", 4, 10.0)
        said = [message_of(job(item, language=language), [item], turn("a"), "", 20.0) for language in LANGUAGES]
        assert len({message.subject for message in said}) == len({message.lines for message in said}) == len(LANGUAGES)
