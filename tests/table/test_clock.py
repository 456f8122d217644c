"""The clocks of a table: whose time runs, and what an outage changes."""

import pytest

from tessella.table.clock import DAY_SECONDS, GRACE_ON_RETURN_SECONDS, Clock, Outage, elapsed
from tessella.table.log import Days, Live

TWO_OUTAGES = [Outage(90, 110), Outage(150, 250)]


@pytest.mark.parametrize(
    ("outages", "seconds", "expires"),
    [
        ([], 60, 160),
        ([Outage(50, 100)], 60, 160),
        ([Outage(90, 110)], 50, 170),
        ([Outage(120, 130)], 50, 170),
        (TWO_OUTAGES, 40, 270),
        ([Outage(160, 300)], 60, 160),
    ],
    ids=["none", "before", "when it began to run", "within", "two", "too late"],
)
def test_an_outage_is_charged_to_nobody_and_moves_the_time_by_which_a_move_must_be_stored(outages, seconds, expires):
    clock = Clock(Live(60, 0), [60.0, 5.0], (0,), since=100.0)
    assert elapsed(100, 160, outages) == seconds
    assert clock.expires_at(0, outages) == expires
    assert clock.seconds_left(0, 160, outages) == 60 - seconds
    assert clock.seconds_left(1, 160, outages) == 5


def test_no_time_runs_backwards():
    assert elapsed(100, 90, ()) == 0


def test_the_first_clock_to_run_out_is_the_deadline():
    clock = Clock(Live(60, 0), [60.0, 50.0, 10.0], (0, 1), since=100.0)
    assert clock.deadline(120, ()) == 150
    clock.running = ()
    assert clock.deadline(120, ()) is None


@pytest.mark.parametrize(("bank", "granted"), [(10, GRACE_ON_RETURN_SECONDS), (100, 100)])
def test_who_returns_has_at_least_a_minute_and_never_less_than_before(bank, granted):
    clock = Clock(Live(600, 0), [bank, bank])
    clock.grant_grace(1)
    assert clock.banks == [bank, granted]


@pytest.mark.parametrize(
    ("pace", "banks"),
    [(Live(600, 7), [72, 65]), (Days(2), [2 * DAY_SECONDS, 65]), (None, [100, 100])],
    ids=["live", "days", "none"],
)
def test_only_the_mover_is_given_something_back(pace, banks):
    clock = Clock(pace, [100.0, 100.0], (0, 1), since=0.0)
    clock.switch_to((1,), 35.0, (), mover=0)
    assert (clock.banks, clock.running, clock.since) == (banks, (1,), 35.0)
    assert (clock.expires_at(1, ()) is None) == (pace is None)
