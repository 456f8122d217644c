"""Tables without sockets, clocks or stores."""

from hashlib import sha256
from types import SimpleNamespace

import pytest

from tessella.core import dice, record
from tessella.core.game import Over
from tessella.games import GAMES, azul
from tessella.table.clock import DAY_SECONDS, GRACE_ON_RETURN_SECONDS, Outage, elapsed
from tessella.table.log import (
    Days,
    Ended,
    Left,
    Live,
    Opened,
    Played,
    Returned,
    Started,
    TookOver,
    read_entry,
    write_entry,
)
from tessella.table.table import Refused, Secret, Table, takeover_level

SECRET = Secret(bytes(32))


def new_table(seats=2, pace=None, **terms):
    rules = f"azul/1 seats={seats} wall=coloured"
    return Table("g", Opened(rules, dice.commitment("g", SECRET.seed).hex(), pace, **terms), at=0.0)


def seated(seats=2, pace=None, bots=()):
    table = new_table(seats, pace)
    for seat in range(seats):
        level = "greedy" if seat in bots else ""
        table.fold(table.sit(seat, f"p{seat}", f"Player {seat}", level), at=1.0)
    return table


def started(seats=2, pace=None, at=10.0, bots=()):
    table = seated(seats, pace, bots)
    table.fold(table.start(SECRET), at)
    return table


def any_move(table, seat):
    return azul.write_move(table.state, azul.legal_moves(table.state, seat)[0])


def play_on(table, at=20.0):
    seat = table.movers[0]
    return table.fold(table.play(seat, any_move(table, seat), SECRET), at)


def finished(seats=2):
    table = started(seats)
    while table.status == "playing":
        play_on(table)
    return table


def refused(rule):
    return pytest.raises(Refused, match=rf"\({rule}\)")


# Sitting down


def test_seats_are_taken_one_by_one_until_the_dice_can_be_thrown():
    table = new_table(3)
    table.fold(table.sit(1, "a", "Ann"), 1)
    assert table.status == "open"
    assert table.seat_of("a") == 1
    assert table.seat_of("nobody") is None
    with refused("taken"):
        table.sit(1, "b", "Bob")
    with refused("seated"):
        table.sit(0, "a", "Ann")
    with refused("seat"):
        table.sit(3, "b", "Bob")
    table.fold(table.sit(0, "b", "Bob"), 1)
    table.fold(table.sit(2, "bot", "greedy", "greedy"), 1)
    assert table.status == "dice"
    assert table.people == [0, 1]


def test_who_leaves_before_the_game_frees_the_seat_and_the_dice_are_pledged_anew():
    table = seated()
    for seat in range(2):
        table.fold(table.pledge(seat, dice.pledge("g", seat, bytes(32)).hex()), 2)
    left = table.leave(0)
    assert left == Left(0)
    table.fold(left, 3)
    assert table.status == "open"
    assert not table.seats[1].pledge


# Fair dice


def test_the_handshake_adds_every_players_number_to_the_dice():
    table = seated()
    numbers = [sha256(bytes([seat])).digest() for seat in range(2)]
    for seat in range(2):
        assert not table.ready()
        table.fold(table.pledge(seat, dice.pledge("g", seat, numbers[seat]).hex()), 2)
    with refused("pledge"):
        table.pledge(0, "00" * 32)
    with refused("reveal"):
        table.reveal(0, "00" * 32)
    for seat in range(2):
        table.fold(table.reveal(seat, numbers[seat].hex()), 3)
    with refused("reveal"):
        table.reveal(0, numbers[0].hex())
    assert table.ready()
    table.fold(table.start(SECRET), 4)
    while table.status == "playing":
        play_on(table)
    assert record.verify(azul, table.record()) >= 5
    assert len(table.record().contributions) == 2


def test_numbers_are_shown_only_after_all_have_pledged():
    table = seated()
    table.fold(table.pledge(0, dice.pledge("g", 0, bytes(32)).hex()), 2)
    with refused("early"):
        table.reveal(0, bytes(32).hex())
    with refused("pledge"):
        table.pledge(1, "no digest")


# Playing


def test_only_who_may_move_moves_and_only_legally():
    table = started()
    (mover,) = table.movers
    with refused("turn"):
        table.play(1 - mover, "1b1", SECRET)
    with refused("notation"):
        table.play(mover, "nonsense", SECRET)
    with refused("AZ01"):
        table.play(mover, "9b1", SECRET)
    with refused("playing"):
        table.sit(0, "x", "X")


def test_a_table_is_its_log():
    table = seated(3, Live())
    entries = [(table.start(SECRET), 5.0)]
    table.fold(*entries[0])
    while table.status == "playing":
        entry = table.play(table.movers[0], any_move(table, table.movers[0]), SECRET)
        entries.append((entry, 5.0 + len(entries)))
        table.fold(*entries[-1])
    other = seated(3, Live())
    for entry, at in entries:
        other.fold(read_entry(write_entry(entry)), at)
    assert (other.state, other.acts, other.status, other.end) == (table.state, table.acts, table.status, table.end)
    assert other.clock == table.clock


def test_a_finished_game_shows_its_seed_and_verifies():
    table = finished(3)
    assert table.status == "over"
    assert table.end is not None
    assert table.end.seed == SECRET.seed.hex()
    assert record.verify(azul, table.record()) >= 5
    turn = azul.turn(table.state)
    assert isinstance(turn, Over)
    assert table.end.scores == turn.scores
    with refused("over"):
        table.play(0, "1b1", SECRET)
    with refused("over"):
        table.abort(SECRET)


def test_a_fork_goes_its_own_way():
    table = started(2, Live())
    fork = table.fork()
    play_on(fork, at=60)
    assert fork.number == table.number + 1
    assert fork.acts != table.acts
    assert fork.clock.banks != table.clock.banks
    fork.fold(fork.leave(0), 70)
    assert not table.seats[0].level


# Clocks


def test_a_live_clock_runs_for_who_is_to_move_and_gets_its_increment():
    table = started(2, Live(bank=100, increment=5), at=10)
    (mover,) = table.movers
    assert table.clock.seconds_left(mover, 40, ()) == 70
    assert table.clock.seconds_left(1 - mover, 40, ()) == 100
    assert table.deadline(40) == 110
    play_on(table, at=40)
    assert table.clock.seconds_left(mover, 40, ()) == 75


def test_a_correspondence_clock_starts_anew_with_each_move():
    table = started(2, Days(days=2), at=0)
    (mover,) = table.movers
    assert table.deadline(0) == 2 * DAY_SECONDS
    play_on(table, at=DAY_SECONDS)
    assert table.clock.seconds_left(mover, DAY_SECONDS, ()) == 2 * DAY_SECONDS


def test_time_while_the_server_was_away_is_nobodys():
    assert elapsed(0, 100, [Outage(10, 40), Outage(90, 200)]) == 60
    table = started(2, Live(bank=100, increment=0), at=0)
    table.outages = [Outage(10, 1000)]
    (mover,) = table.movers
    assert table.clock.seconds_left(mover, 1010, table.outages) == 80


def test_when_time_is_over_a_bot_plays_on_and_the_person_may_come_back():
    table = started(2, Live(bank=100, increment=0), at=0)
    (mover,) = table.movers
    with refused("time"):
        table.flag(99)
    entry = table.flag(100)
    assert isinstance(entry, TookOver)
    assert entry.reason == "time"
    table.fold(entry, 100)
    assert table.bots_to_move() == [(mover, entry.level)]
    with refused("time"):
        table.flag(10**6)
    table.fold(table.come_back(mover), 200)
    assert table.bots_to_move() == []
    left = table.clock.seconds_left(mover, 200, ())
    assert left is not None
    assert left >= GRACE_ON_RETURN_SECONDS


# Leaving


def test_a_leaver_is_replaced_and_may_return():
    table = started(3)
    table.fold(table.leave(2), 20)
    assert table.seats[2].left
    assert table.seats[2].level
    with refused("bot"):
        table.leave(2)
    table.fold(table.come_back(2), 30)
    assert not table.seats[2].level
    with refused("return"):
        table.come_back(2)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.NAME)
def test_who_plays_on_for_a_leaver_thinks_in_every_game_that_has_levels(game):
    assert takeover_level(game) == "4"
    assert takeover_level(SimpleNamespace(NAME="another")) == "greedy"


def test_resigning_against_one_opponent_ends_the_game():
    table = started()
    entry = table.resign(1, SECRET)
    assert isinstance(entry, Ended)
    table.fold(entry, 20)
    assert table.status == "over"
    assert table.end is not None
    assert table.end.places == (1, 2)
    assert record.verify(azul, table.record()) == 1


def test_who_resigns_among_more_comes_last_whatever_the_bot_does():
    table = started(3)
    table.fold(table.resign(0, SECRET), 20)
    with refused("return"):
        table.come_back(0)
    while table.status == "playing":
        play_on(table)
    assert table.end is not None
    assert table.end.places[0] == 3
    record.verify(azul, table.record())


# Consent


def test_a_pause_needs_everybodys_consent_and_stops_the_clock():
    table = started(2, Live(bank=100, increment=0), at=0)
    (mover,) = table.movers
    table.fold(table.ask(0, "pause"), 10)
    with refused("asked"):
        table.ask(0, "pause")
    assert table.status == "playing"
    table.fold(table.ask(1, "pause"), 20)
    assert table.status == "paused"
    assert table.movers == ()
    with refused("paused"):
        table.play(mover, "1b1", SECRET)
    table.fold(table.ask(1, "resume"), 500)
    table.fold(table.ask(0, "resume"), 600)
    assert table.movers == (mover,)
    assert table.clock.seconds_left(mover, 600, ()) == 80


def test_a_question_may_be_declined():
    table = started()
    with refused("asked"):
        table.decline(1)
    table.fold(table.ask(0, "abort"), 20)
    table.fold(table.decline(1), 21)
    assert table.asked is None


def test_consent_lapses_with_the_next_move():
    table = started()
    table.fold(table.ask(0, "abort"), 20)
    play_on(table)
    table.fold(table.ask(1, "abort"), 30)
    assert table.asked == ("abort", {1})
    assert not table.agreed("abort")


def test_bots_need_not_agree_and_nobody_comes_back_to_their_seats():
    table = started(2, bots=(1,))
    with refused("return"):
        table.come_back(1)
    table.fold(table.ask(0, "abort"), 20)
    assert table.agreed("abort")
    table.fold(table.abort(SECRET), 21)
    assert table.status == "over"


def test_a_rematch_is_asked_for_when_the_game_is_over_and_found_once():
    table = finished()
    for seat in range(2):
        table.fold(table.ask(seat, "rematch"), 30)
    assert table.agreed("rematch")
    table.fold(table.follow("next"), 31)
    assert table.next_game == "next"
    with refused("followed"):
        table.follow("other")


# Entries


def test_every_entry_survives_being_written():
    table = seated()
    for entry in (table.start(SECRET), Started(()), Returned(1), Played(0, ("3r4",))):
        assert read_entry(write_entry(entry)) == entry
