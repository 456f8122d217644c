"""What follows an act (start, abort, rematch, a free seat) is done once, by whoever comes first, also after a crash."""

import contextlib

import pytest
from sqlalchemy import select

from tessella.core import dice
from tessella.protocol.messages import Ack, Command, ErrorReply, Pledge, Reveal
from tessella.server.rooms import follow_ups
from tessella.server.rooms.commands import Caller, perform
from tessella.server.rooms.lifecycle import Terms, open_table, sit
from tessella.server.rooms.room import Viewer
from tessella.server.services.housekeeping import Housekeeper
from tessella.server.settings import Settings
from tessella.server.store.schema import departures, entries, games, seats
from tessella.table.log import Branched, End, Opened, Started, read_entry
from tests.server.helpers import begin, hosting, known, play_one, resign
from tests.server.waiting import until

NUMBERS = [bytes([seat + 1]) * 32 for seat in range(2)]


class Crash(BaseException):
    """The worker is no more."""


@pytest.fixture
def workers(database):
    return two_workers(database)


@contextlib.asynccontextmanager
async def two_workers(database):
    """Two workers over one database that hear nothing of each other, and two people."""
    async with hosting(database) as here, hosting(database) as there:
        yield here, there, [await known(here.store, name) for name in ("Ann", "Bob")]


async def send(host, game, person, act):
    room = await host.room(game)
    await host.refresh(room)
    return await perform(host, room, Caller(person), act)


async def almost(host, people, follow_up):
    """A table at which one act is missing for something to follow; the table, who acts, and the act."""
    if follow_up == "start":
        room = await open_table(host, Terms("azul/1 seats=2 wall=coloured"))
        game = room.table.id
        for seat, person in enumerate(people):
            await sit(host, room, seat, person)
        for seat, person in enumerate(people):
            pledge = dice.pledge(game, seat, NUMBERS[seat]).hex()
            assert isinstance(await send(host, game, person, Pledge(f"pledge-{seat}", pledge)), Ack)
        assert isinstance(await send(host, game, people[0], Reveal("reveal-0", NUMBERS[0].hex())), Ack)
        return game, people[1], Reveal("reveal-1", NUMBERS[1].hex())
    room = await begin(host, people, rated=False)
    asker, other = people
    if follow_up == "rematch":
        await resign(host, room, 0)
    if follow_up == "takeback":
        for _ in range(2):
            await play_one(host, room)
        seat = room.table.turn.seats[0]
        asker, other = people[seat], people[1 - seat]
    assert isinstance(await send(host, room.table.id, asker, Command("asked-for", follow_up)), Ack)
    return room.table.id, other, Command("agreed-to", follow_up)


def before_each(host, prefix, act):
    """Let something happen right before this worker appends an entry of that key."""
    append = host.append

    async def new(room, key, decide, old_key=""):
        if key.startswith(prefix):
            host.append = append
            await act()
        return await append(room, key, decide, old_key)

    host.append = new


async def log_of(host, game):
    return [read_entry(row.body) for row in await host.store.log(game, -1)]


async def rematches_of(host, game):
    rows = await host.store.run(select(entries.c.game, entries.c.body).where(entries.c.number == 0))
    opened = [(row["game"], read_entry(row["body"])) for row in rows]
    return [found for found, entry in opened if isinstance(entry, Opened) and entry.before == game]


@contextlib.asynccontextmanager
async def watching(host, game):
    """Somebody is connected to the table here, and housekeeping runs."""
    room = await host.room(game)
    await host.refresh(room)
    room.viewers[Viewer("", lambda _: None)] = None
    async with Housekeeper(host, Settings(bots=0)):
        yield room


# Races


@pytest.mark.parametrize(("follow_up", "action"), [("start", "start"), ("abort", "resign")])
async def test_the_last_consent_is_confirmed_though_another_starts_or_resigns(workers, follow_up, action):
    here, there, people = workers
    game, person, last = await almost(here, people, follow_up)
    before_each(here, f"{follow_up}-", lambda: send(there, game, people[0], Command("i-am-first", action)))
    answer = await send(here, game, person, last)
    assert isinstance(answer, Ack), answer
    assert sum(isinstance(entry, Started) for entry in await log_of(here, game)) == 1


async def test_nothing_but_being_second_is_forgiven(workers):
    """A store that fails after the act was stored is no success: who asks again is helped."""

    here, _, people = workers
    game, person, last = await almost(here, people, "start")

    async def fail():
        raise ConnectionResetError

    before_each(here, "start-", fail)
    with pytest.raises(ConnectionResetError):
        await send(here, game, person, last)
    assert isinstance(await send(here, game, person, last), Ack)
    assert isinstance((await log_of(here, game))[-1], Started)


# Rematches


async def test_a_rematch_that_is_asked_for_again_leaves_no_table_behind(workers):
    here, there, people = workers
    room = await begin(here, people, rated=False)
    await resign(here, room, 0)
    game = room.table.id
    for round_, host in enumerate((here, there)):
        for seat, person in enumerate(people):
            await send(host, game, person, Command(f"again-{round_}-{seat}", "rematch"))
        await send(host, game, people[0], Command(f"or-not-{round_}", "decline"))
    assert len(await rematches_of(here, game)) == 1
    assert len(await here.store.run(select(games.c.id))) == 2


# Crashes between an act and what follows it


async def crash(host, game, person, act):
    async def die():
        raise Crash

    before_each(host, ("start-", "abort-", "rematch"), die)
    with pytest.raises(Crash):
        await send(host, game, person, act)


def is_followed(table, follow_up):
    statuses = {"start": "playing", "abort": "over"}
    return table.status == statuses[follow_up] if follow_up in statuses else bool(table.next_game)


@pytest.mark.parametrize("follow_up", ["start", "abort", "rematch", "takeback"])
async def test_a_worker_that_died_before_it_delays_what_follows(workers, follow_up):
    here, there, people = workers
    game, person, last = await almost(here, people, follow_up)
    await crash(here, game, person, last)
    async with watching(there, game) as room:
        await until(lambda: is_followed(room.table, follow_up))
    assert await rematches_of(there, game) == [room.table.next_game] * (follow_up in ("rematch", "takeback"))


async def test_who_says_it_again_after_a_crash_starts_the_game(workers):
    here, there, people = workers
    game, person, last = await almost(here, people, "start")
    behind = await there.room(game)
    await crash(here, game, person, last)
    assert isinstance(await perform(there, behind, Caller(person), last), Ack)
    assert behind.table.status == "playing"


async def test_a_consent_that_is_complete_only_because_somebody_left_ends_nothing(workers):
    here, there, people = workers
    game = (await begin(here, people)).table.id
    await send(here, game, people[0], Command("enough-0", "abort"))
    await send(here, game, people[1], Command("i-go-away", "leave"))
    room = await there.room(game)
    assert room.table.agreed("abort")
    await follow_ups.follow_up(there, room)
    assert room.table.status == "playing"


# Seats


async def test_who_sits_down_where_somebody_got_up_keeps_the_seat(workers):
    here, there, people = workers
    game = (await open_table(here, Terms("azul/1 seats=2 wall=coloured"))).table.id
    ann, bob = people
    await sit(here, await here.room(game), 0, ann)
    run_sql = here.store.run

    async def late(*statements):
        here.store.run = run_sql
        room = await there.room(game)
        await there.refresh(room)
        await sit(there, room, 0, bob)
        return await run_sql(*statements)

    here.store.run = late
    assert isinstance(await send(here, game, ann, Command("i-get-up", "leave")), Ack)
    (row,) = await here.store.run(select(seats).where(seats.c.game == game))
    assert row["person"] == bob.id
    rows = await here.store.run(select(departures.c.person).where(departures.c.game == game))
    assert [row["person"] for row in rows] == [ann.id]


# Taking back a move


async def test_a_move_is_taken_back_once_both_agree_and_the_game_goes_on_at_another_table(workers):
    here, there, people = workers
    game, other, agree = await almost(here, people, "takeback")
    old = await here.room(game)
    seat = old.table.turn.seats[0]
    assert old.table.status == "playing"
    assert isinstance(await send(there, game, other, agree), Ack)
    await here.refresh(old)
    assert old.table.end == End("", "", "taken back")
    again = await here.current(old.table.next_game)
    assert again.table.status == "playing"
    assert again.table.acts == old.table.acts[: len(old.table.acts) - 2]
    assert again.table.turn.seats == (seat,)
    assert [each.player for each in again.table.seats] == [each.player for each in old.table.seats]
    assert again.table.terms.branch == Branched(old.table.id, tuple(again.table.acts))
    assert again.table.terms.commitment != old.table.terms.commitment
    assert await rematches_of(here, old.table.id) == [again.table.id]


async def test_who_disagrees_keeps_the_move(workers):
    here, _, people = workers
    game, other, _ = await almost(here, people, "takeback")
    await send(here, game, other, Command("no-thank-you", "decline"))
    table = (await here.room(game)).table
    assert (table.status, table.asked) == ("playing", None)


async def test_nothing_is_taken_back_in_a_rated_game_or_before_the_first_move(workers):
    here, _, people = workers
    rated = await begin(here, people, rated=True)
    for _ in range(2):
        await play_one(here, rated)
    fresh = await begin(here, people, rated=False)
    for room, reason in ((rated, "rated game"), (fresh, "no move of yours")):
        refused = await send(here, room.table.id, people[0], Command("takeback-0", "takeback"))
        assert isinstance(refused, ErrorReply)
        assert (refused.rule, reason in refused.message) == ("takeback", True)
