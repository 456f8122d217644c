"""Clubs and weekly events: limits hold, a club always has an owner, and each event of a schedule is made once."""

import asyncio
from datetime import UTC, datetime

import pytest
from sqlalchemy import select, update

from tessella.server.people import relations
from tessella.server.people.identity import Person
from tessella.server.services.clubs import membership
from tessella.server.services.clubs.membership import (
    Club,
    ClubTerms,
    create_club,
    find_club,
    is_member,
    join,
    leave_club,
)
from tessella.server.services.clubs.standings import ClubStandings
from tessella.server.services.data_rights import data_of, erase
from tessella.server.services.events import entries, rounds, schedules
from tessella.server.services.events.entries import Terms, enter
from tessella.server.services.events.rounds import EventRunner
from tessella.server.services.events.schedules import add_schedule, end_schedule, list_schedules, make_due, next_time
from tessella.server.store.schema import club_members, event_entrants, events
from tessella.server.store.schema import schedules as stored_schedules
from tessella.table.log import Live
from tessella.table.table import Refused
from tests.server.helpers import known
from tests.server.services.test_events import end_games, only_table, sweep
from tests.server.services.test_events import found as event_of

RULES = "azul/1 seats=2 wall=coloured"
MONDAY = datetime(2030, 1, 7, 19, tzinfo=UTC).timestamp()
WEEK = 7 * 86_400.0


def terms(club="", **more) -> Terms:
    usual = {"format": "swiss", "seats": 2, "rounds": 1, "starts": 4e9, "pace": Live(600, 5)}
    return Terms(name="Monday cup", rules=RULES, club=club, **{**usual, **more})


async def a_club(store, people=3, **more) -> tuple[Club, list[Person]]:
    """A club with its members, the owner first."""
    members = [await known(store, f"P{number}") for number in range(people)]
    club_id = await create_club(store, ClubTerms("Tilers", **{"is_open": True, **more}), members[0])
    club = await found(store, club_id)
    for member in members[1:]:
        await join(store, club, member)
    return club, members


async def found(store, club_id) -> Club:
    """A club that is there."""
    club = await find_club(store, club_id)
    assert club is not None
    return club


async def all_events(store):
    return await store.run(select(events).order_by(events.c.starts))


async def test_a_club_that_is_not_open_is_joined_by_its_latest_link(host):
    store = host.store
    club, _ = await a_club(store, 1, is_open=False)
    bob, guest = await known(store, "Bob"), await known(store, "Guest", "guest")
    with pytest.raises(Refused, match="link"):
        await join(store, club, bob)
    first = await membership.new_link(store, club)
    second = await membership.new_link(store, club)
    club = await found(store, club.id)
    assert second not in (club.link, first)
    for secret in ("", first, club.link):
        with pytest.raises(Refused, match="link"):
            await join(store, club, bob, secret)
    with pytest.raises(Refused, match="log in"):
        await join(store, club, guest, second)
    await join(store, club, bob, second)
    await join(store, club, bob, second)
    assert await is_member(store, club.id, bob)


async def test_those_who_join_at_the_same_instant_never_exceed_the_limit(two_workers, monkeypatch):
    host, other = two_workers
    monkeypatch.setattr(membership, "MOST_MEMBERS", 4)
    club, _ = await a_club(host.store, 1)
    people = [await known(host.store, f"Q{number}") for number in range(8)]
    stores = (host.store, other.store)
    tries = (join(stores[number % 2], club, person) for number, person in enumerate(people))
    answers = await asyncio.gather(*tries, return_exceptions=True)
    assert [answer for answer in answers if answer is not None and not isinstance(answer, Refused)] == []
    assert answers.count(None) == 3
    assert len(await host.store.run(select(club_members.c.person))) == 4


async def test_a_club_passes_to_its_longest_member_and_ends_with_the_last(host):
    store = host.store
    club, (ann, bob, cem) = await a_club(store)
    made = await entries.create(store, terms(club.id), ann)
    weekly = await add_schedule(store, terms(club.id), 0, 60)
    for member in (bob, cem):
        await enter(store, await event_of(host, made), member)
    for member, owner in ((ann, bob), (cem, bob)):
        await leave_club(store, club.id, member.ids)
        assert (await found(store, club.id)).owner == owner.id
        event = await event_of(host, made)
        assert (event.creator, event.state) == (owner.id, "open")
    there = await store.run(select(event_entrants.c.person).where(event_entrants.c.event == made))
    assert [row["person"] for row in there] == [bob.id], "who leaves a club leaves its events"
    await leave_club(store, club.id, bob.ids)
    event = await event_of(host, made)
    assert (event.club, event.state) == ("", "cancelled")
    assert await find_club(store, club.id) is None
    assert weekly not in [each.id for each in await list_schedules(store, club.id)]


async def test_a_deleted_person_leaves_their_clubs_and_the_export_names_them(host):
    store = host.store
    club, (ann, bob, _) = await a_club(store)
    alone = await create_club(store, ClubTerms("Alone", "Only me"), ann)
    made = await entries.create(store, terms(club.id), ann)
    data = await data_of(store, ann)
    shown = [(kept.club, kept.name, kept.about, kept.owner) for kept in data.clubs]
    assert shown == [(club.id, "Tilers", "", True), (alone, "Alone", "Only me", True)]
    await erase(host, ann)
    assert (await found(store, club.id)).owner == bob.id
    assert await find_club(store, alone) is None
    event = await event_of(host, made)
    assert (event.creator, event.name, event.state) == (bob.id, "Monday cup", "open")
    rows = await store.run(select(club_members.c.person))
    assert ann.id not in {row["person"] for row in rows}


async def test_whoever_is_blocked_by_the_owner_cannot_join(host):
    club, (ann, bob) = await a_club(host.store, 2)
    await leave_club(host.store, club.id, bob.ids)
    await relations.block(host.store, ann, bob.id)
    with pytest.raises(Refused, match="cannot join"):
        await join(host.store, club, bob)
    await relations.unblock(host.store, ann, bob.id)
    await join(host.store, club, bob)


async def test_nobody_has_too_many_clubs(host, monkeypatch):
    ann, bob = await known(host.store, "Ann"), await known(host.store, "Bob")
    one, other = [await create_club(host.store, ClubTerms(name, is_open=True), ann) for name in ("One", "Other")]
    monkeypatch.setattr(membership, "MOST_CLUBS_OWNED", 2)
    with pytest.raises(Refused, match="leave one"):
        await create_club(host.store, ClubTerms("One more"), ann)
    monkeypatch.setattr(membership, "MOST_CLUBS_JOINED", 1)
    await join(host.store, await found(host.store, one), bob)
    with pytest.raises(Refused, match="leave one"):
        await join(host.store, await found(host.store, other), bob)


def test_texts_of_a_club_are_cleaned():
    assert ClubTerms(" A\u202e  b ", "c\nd  e ").cleaned() == ClubTerms("A b", "cd e")


async def test_members_stand_by_what_they_won_in_the_events_of_the_club(host, monkeypatch):
    for name in ("ARRIVAL_SECONDS", "BREAK_SECONDS"):
        monkeypatch.setattr(rounds, name, 0.0)
    store = host.store
    club, members = await a_club(store)
    event_id = await entries.create(store, terms(club.id), members[0])
    event = await event_of(host, event_id)
    for member in members[:2]:
        await enter(store, event, member)
    await entries.start_now(store, event)
    await sweep(host, event_id)
    table, _ = await only_table(host, event_id)
    board = ClubStandings()
    assert {each.points for each in await board.members(store, club)} == {0.0}
    await end_games(host, event_id)
    await sweep(host, event_id)
    shown = [(each.id, each.points, each.firsts, each.events) for each in await board.members(store, club)]
    assert shown[0] == (table.players[0], 1.0, 1, 1)
    assert {each[1:] for each in shown[1:]} == {(0.0, 0, 1), (0.0, 0, 0)}
    assert await board.members(store, club) == await ClubStandings().members(store, club)


# Schedules


@pytest.mark.parametrize(
    ("now", "then"),
    [(MONDAY - 1, MONDAY), (MONDAY, MONDAY + WEEK), (MONDAY + 1, MONDAY + WEEK), (MONDAY - WEEK, MONDAY)],
)
def test_the_next_time_of_a_schedule(now, then):
    assert next_time(0, 19 * 60, now) == then


def at(monkeypatch, host, now):
    """Let the store of a worker say that it is this time."""

    async def then():
        return now

    monkeypatch.setattr(host.store, "now", then)


async def test_several_workers_make_each_event_of_a_schedule_once(two_workers, monkeypatch):
    host, other = two_workers
    for worker in two_workers:
        at(monkeypatch, worker, MONDAY - 1)
    await add_schedule(host.store, terms(bots=2), 0, 19 * 60)
    await add_schedule(host.store, terms(), 3, 0)
    await asyncio.gather(*(make_due(worker.store) for worker in (host, other, host, other)))
    assert [row["starts"] for row in await all_events(host.store)] == [MONDAY, MONDAY + 53 * 3_600]
    assert len(await host.store.run(select(event_entrants.c.person))) == 2
    assert await make_due(host.store) == 0


async def test_the_next_event_can_be_entered_for_a_week_and_after_an_outage_only_it_is_made(host, monkeypatch):
    at(monkeypatch, host, MONDAY - 60)
    await add_schedule(host.store, terms(), 0, 19 * 60)
    runner = EventRunner(host)
    await runner.sweep()
    assert [row["starts"] for row in await all_events(host.store)] == [MONDAY]
    at(monkeypatch, host, MONDAY)
    await runner.sweep()
    assert [row["starts"] for row in await all_events(host.store)] == [MONDAY, MONDAY + WEEK]
    at(monkeypatch, host, MONDAY + 3.5 * WEEK)
    await runner.sweep()
    made = await all_events(host.store)
    assert [row["starts"] for row in made] == [MONDAY, MONDAY + WEEK, MONDAY + 4 * WEEK]
    assert [row["state"] for row in made] == ["cancelled", "cancelled", "open"]
    await runner.sweep()
    assert len(await all_events(host.store)) == 3


async def test_an_event_of_a_schedule_that_was_cancelled_is_not_made_again(host):
    club, (ann,) = await a_club(host.store, 1)
    schedule = await add_schedule(host.store, terms(club.id), 0, 0)
    await make_due(host.store)
    (row,) = await all_events(host.store)
    assert (row["creator"], row["club"]) == (ann.id, club.id)
    await entries.cancel(host.store, await event_of(host, row["id"]))
    await host.store.run(update(stored_schedules).values(due=0.0))
    await make_due(host.store)
    assert [row["state"] for row in await all_events(host.store)] == ["cancelled"]
    assert not await end_schedule(host.store, schedule)
    assert await end_schedule(host.store, schedule, club.id)
    assert await list_schedules(host.store, club.id) == []


async def test_schedules_are_few_and_make_sense(host, monkeypatch):
    monkeypatch.setattr(schedules, "MOST_SCHEDULES", 1)
    club, _ = await a_club(host.store, 1)
    with pytest.raises(Refused, match="knock-out"):
        await add_schedule(host.store, terms(club.id, format="knockout", duplicate=True), 0, 0)
    with pytest.raises(Refused, match="bots"):
        await add_schedule(host.store, terms(club.id, bots=20), 0, 0)
    await add_schedule(host.store, terms(club.id), 0, 0)
    with pytest.raises(Refused, match="end one"):
        await add_schedule(host.store, terms(club.id), 0, 0)
    await add_schedule(host.store, terms(bots=20), 0, 0)
