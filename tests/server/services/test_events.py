"""Events: rounds become tables once, every result counts once, and nobody waits for somebody who does not come."""

import asyncio

import pytest
from sqlalchemy import select, update

from tessella.events import standings
from tessella.server.people.identity import Person
from tessella.server.rooms.duplicate import show_dice
from tessella.server.services.data_rights import data_of, erase
from tessella.server.services.events import entries, rounds
from tessella.server.services.events.entries import Terms, enter, leave
from tessella.server.services.events.reading import Event, find, read_whole
from tessella.server.services.events.rounds import EventRunner
from tessella.server.services.events.views import EventViews, version_of
from tessella.server.services.ratings import ResultRecorder
from tessella.server.services.watching import find as find_to_watch
from tessella.server.store.schema import event_entrants, events, games, seats
from tessella.table.log import Days, Live
from tessella.table.table import Refused
from tests.server.helpers import known, play_out, resign

RULES = "azul/1 seats={} wall=coloured"


@pytest.fixture(autouse=True)
def hurry(monkeypatch):
    """No breaks, tables that start at once, and nobody who is late because the machine is slow."""
    for name, seconds in (("ARRIVAL", 0.0), ("BREAK", 0.0), ("GRACE", 9_999.0), ("LIVE_ROUND", 9_999.0)):
        monkeypatch.setattr(rounds, f"{name}_SECONDS", seconds)


async def an_event(host, people=4, **more):
    """An event of members that begins at once, and its members."""
    seats = more.pop("seats", 2)
    usual = {"format": "swiss", "rounds": 2, "starts": await host.store.now() + 9_999, "pace": Live(600, 5)}
    terms = Terms(name="Cup", rules=RULES.format(seats), seats=seats, **{**usual, **more})
    event_id = await entries.create(host.store, terms)
    members = [await known(host.store, f"P{number}") for number in range(people)]
    for member in members:
        await enter(host.store, await found(host, event_id), member)
    await entries.start_now(host.store, await found(host, event_id))
    return event_id, members


async def found(host, event_id) -> Event:
    """An event that is there."""
    event = await find(host.store, event_id)
    assert event is not None
    return event


async def whole_of(host, event_id):
    return await read_whole(host.store, await found(host, event_id))


async def only_table(host, event_id):
    """The only table of an event, and its room."""
    (table,) = (await whole_of(host, event_id)).tables
    return table, await host.current(table.game)


async def halves(host, event_id):
    """The scores of an event that is over."""
    whole = await whole_of(host, event_id)
    assert whole.event.state == "over"
    return [line.halves for line in standings(whole.event.plan, whole.entrants, whole.rounds())]


async def sweep(host, event_id, times=4):
    """Let a worker look at the event a few times."""
    runner = EventRunner(host)
    for _ in range(times):
        await host.store.run(update(events).where(events.c.id == event_id, events.c.due.is_not(None)).values(due=0))
        await runner.sweep()


async def end_games(host, event_id):
    """Let the second player of each running game resign, and record the results."""
    whole = await whole_of(host, event_id)
    for table in whole.tables_of(whole.event.round):
        room = await host.current(table.game)
        if room.table.status == "playing":
            await resign(host, room, 1)
    await ResultRecorder(host).sweep()


async def test_an_event_runs_from_its_first_round_to_its_last(host):
    event_id, members = await an_event(host)
    for number in (1, 2):
        await sweep(host, event_id)
        whole = await whole_of(host, event_id)
        assert (whole.event.state, whole.event.round) == ("running", number)
        for table in whole.tables_of(number):
            room = await host.current(table.game)
            assert room.table.status == "playing"
            assert [occupant.player for occupant in room.table.seats] == list(table.players)
        await end_games(host, event_id)
    await sweep(host, event_id)
    assert await halves(host, event_id) == [4, 2, 2, 0]
    assert len(await host.store.run(select(games.c.id))) == 4
    assert len(await host.store.run(select(seats.c.game).where(seats.c.person == members[0].id))) == 2


async def test_the_tables_of_a_duplicate_round_have_the_same_deals_and_hide_their_outcomes(host):
    event_id, _ = await an_event(host, duplicate=True)
    await sweep(host, event_id)
    first, second = [await host.current(table.game) for table in (await whole_of(host, event_id)).tables]
    assert first.table.acts == second.table.acts
    assert first.table.terms.commitment == second.table.terms.commitment
    assert not first.table.may_watch(None)
    await play_out(host, first)
    await ResultRecorder(host).sweep()
    await sweep(host, event_id, 1)
    event = await found(host, event_id)
    view, _ = await EventViews().view(host.store, event)
    assert [table.over for table in view.tables] == [True, False]
    assert all(table.points == table.scores == () for table in view.tables)
    assert {line.points for line in view.standings} == {0.0}
    assert not await show_dice(host, first)
    await play_out(host, second, 1)
    await ResultRecorder(host).sweep()
    view, _ = await EventViews().view(host.store, event)
    assert all(len(table.scores) == 2 for table in view.tables)
    assert sum(line.breaks[0] for line in view.standings) == pytest.approx(0)
    assert await show_dice(host, first)


@pytest.mark.parametrize("fill", ["bot", "bye"])
async def test_whoever_does_not_come_is_replaced_or_loses_and_is_not_paired_until_back(host, monkeypatch, fill):
    event_id, _ = await an_event(host, 2, fill=fill)
    await sweep(host, event_id)
    table, room = await only_table(host, event_id)
    await sweep(host, event_id)
    assert not room.table.seats[0].level, "there is a grace period"
    monkeypatch.setattr(rounds, "GRACE_SECONDS", 0.0)
    absent = table.players[room.table.movers[0]]
    await sweep(host, event_id, 1)
    room = await host.current(table.game)
    seat = table.players.index(absent)
    if fill == "bot":
        assert (room.table.seats[seat].level, room.table.status) == ("4", "playing")
    else:
        assert (room.table.end.reason, room.table.end.places[seat]) == ("resigned", 2)
    whole = await whole_of(host, event_id)
    assert {each.id: each.last for each in whole.entrants}[absent] == 2
    await enter(host.store, whole.event, Person(absent, "P", "member"))
    assert (await whole_of(host, event_id)).entrants[0].last is None


async def test_a_seat_that_is_left_before_the_start_goes_to_a_bot(host, monkeypatch):
    monkeypatch.setattr(rounds, "ARRIVAL_SECONDS", 9_999.0)
    event_id, members = await an_event(host, 2)
    await sweep(host, event_id)
    table, room = await only_table(host, event_id)
    assert room.table.status == "dice", "the players are given time to come"
    gone = next(member for member in members if member.id == table.players[0])
    await erase(host, gone)
    monkeypatch.setattr(rounds, "ARRIVAL_SECONDS", 0.0)
    await sweep(host, event_id)
    room = await host.current(table.game)
    assert (room.table.status, room.table.seats[0].level) == ("playing", "4")


async def test_a_game_that_never_ends_counts_as_a_tie(host, monkeypatch):
    event_id, _ = await an_event(host, 2, rounds=1)
    await sweep(host, event_id)
    _, room = await only_table(host, event_id)
    for seat in (0, 1):
        await host.append(room, f"pause-{seat}", lambda table, _, seat=seat: table.ask(seat, "pause"))
    assert room.table.status == "paused"
    monkeypatch.setattr(rounds, "LIVE_ROUND_SECONDS", 0.0)
    await sweep(host, event_id)
    assert await halves(host, event_id) == [1, 1]


async def test_entering_late_leaving_and_coming_back(host):
    event_id, members = await an_event(host, 4, rounds=4, most=5)
    late, later = await known(host.store, "Late"), await known(host.store, "Later")
    await sweep(host, event_id)
    event = await found(host, event_id)
    await enter(host.store, event, late)
    with pytest.raises(Refused, match="full"):
        await enter(host.store, event, later)
    await leave(host.store, event, members[0])
    await end_games(host, event_id)
    await sweep(host, event_id)
    whole = await whole_of(host, event_id)
    there = {each for table in whole.tables if table.round == 2 for each in table.players}
    assert late.id in there
    assert members[0].id not in there
    with pytest.raises(Refused, match="too late"):
        await enter(host.store, whole.event, later)
    await enter(host.store, whole.event, members[0])
    assert all(each.last is None for each in (await whole_of(host, event_id)).entrants)


async def test_those_who_enter_at_the_same_instant_never_exceed_the_limit(two_workers):
    host, other = two_workers
    event_id, _ = await an_event(host, 0, most=4)
    event = await found(host, event_id)
    members = [await known(host.store, f"P{number}") for number in range(12)]
    stores = (host.store, other.store)
    tries = (enter(stores[number % 2], event, member) for number, member in enumerate(members))
    answers = await asyncio.gather(*tries, return_exceptions=True)
    assert [answer for answer in answers if answer is not None and not isinstance(answer, Refused)] == []
    assert answers.count(None) == len((await whole_of(host, event_id)).entrants) == 4


async def test_too_few_entrants_cancel_an_event(host):
    event_id, _ = await an_event(host, 1)
    await sweep(host, event_id)
    assert (await found(host, event_id)).state == "cancelled"


async def test_a_correspondence_league_of_four_seats_with_bots(host):
    event_id, _ = await an_event(
        host, 6, seats=4, format="round-robin", rounds=1, pace=Days(2), fill="bot", bots=1, level="1"
    )
    await sweep(host, event_id)
    whole = await whole_of(host, event_id)
    assert [len(table.players) for table in whole.tables] == [4, 4]
    assert sum(player == "" for table in whole.tables for player in table.players) == 1
    for table in whole.tables:
        await play_out(host, await host.current(table.game))
    await ResultRecorder(host).sweep()
    await sweep(host, event_id)
    assert len(await halves(host, event_id)) == 7


async def test_a_table_of_bots_alone_is_not_among_those_to_watch(host):
    event_id, (ann,) = await an_event(host, 1, bots=3)
    await sweep(host, event_id)
    tables = (await whole_of(host, event_id)).tables_of(1)
    assert len(tables) == 2
    shown = await find_to_watch(host, host.clock())
    assert [each.row["id"] for each in shown] == [each.game for each in tables if ann.id in each.players]


async def test_the_version_changes_with_every_entry_and_result(host):
    event_id, members = await an_event(host, 2, rounds=1)

    async def version():
        return await version_of(host.store, await found(host, event_id))

    seen = [await version()]
    for act in (
        lambda: sweep(host, event_id),
        lambda: end_games(host, event_id),
        lambda: leave_now(host, event_id, members[0]),
        lambda: sweep(host, event_id),
    ):
        await act()
        seen.append(await version())
    assert len(set(seen)) == len(seen)


async def leave_now(host, event_id, member):
    await leave(host.store, await found(host, event_id), member)


async def test_a_deleted_person_leaves_all_events_and_the_export_names_them(host):
    event_id, members = await an_event(host, 3)
    terms = Terms("Ann's cup", RULES.format(2), Live(), "swiss", 2, 3, await host.store.now() + 9_999)
    made = await entries.create(host.store, terms, members[0])
    data = await data_of(host.store, members[0])
    assert [(kept.event, kept.name) for kept in data.events] == [(event_id, "Cup")]
    assert [kept.id for kept in data.events_made] == [made]
    await erase(host, members[0])
    assert (await found(host, made)).state == "cancelled"
    assert (await found(host, made)).name != "Ann's cup"
    await sweep(host, event_id)
    rows = await host.store.run(select(event_entrants.c.person).where(event_entrants.c.event == event_id))
    assert members[0].id not in {row["person"] for row in rows}
