"""What follows an act (start, abort, rematch, a free seat) is done once, by whoever comes first, also after a crash."""

import asyncio
import contextlib
from functools import partial

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
from tessella.table.table import Table
from tests.server.helpers import begin, hosting, known, run

NUMBERS = [bytes([seat + 1]) * 32 for seat in range(2)]


class Crash(BaseException):
    """The worker is no more."""


@contextlib.asynccontextmanager
async def two_workers(database):
    """Two workers over one database that hear nothing of each other, and two people."""
    async with hosting(database) as here, hosting(database) as there:
        yield here, there, [await known(here.store, name) for name in ("Ann", "Bob")]


async def send(host, game, person, act):
    room = await host.room(game)
    await host.refresh(room)
    return await perform(host, room, Caller(person), act)


async def table_of_dice(host, people):
    """A table at which everything but the last number is there."""
    room = await open_table(host, Terms("azul/1 seats=2 wall=coloured"))
    game = room.table.id
    for seat, person in enumerate(people):
        await sit(host, room, seat, person)
    for seat, person in enumerate(people):
        pledge = dice.pledge(game, seat, NUMBERS[seat]).hex()
        assert isinstance(await send(host, game, person, Pledge(f"pledge-{seat}", pledge)), Ack)
    assert isinstance(await send(host, game, people[0], Reveal("reveal-0", NUMBERS[0].hex())), Ack)
    return game


async def over(host, people):
    room = await begin(host, people, rated=False)
    await host.append(room, "resigns", lambda table, secret: table.resign(0, secret))
    return room.table.id


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


async def until(condition):
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.02)


@contextlib.asynccontextmanager
async def watching(host, game):
    """Somebody is connected to the table here, and housekeeping runs."""
    room = await host.room(game)
    await host.refresh(room)
    room.viewers[Viewer("", lambda _: None)] = None
    async with Housekeeper(host, Settings(bots=0)):
        yield room


# Races


def test_17_4_the_last_number_is_confirmed_though_another_starts_the_game(database):
    async def use():
        async with two_workers(database) as (here, there, people):
            game = await table_of_dice(here, people)
            before_each(here, "start-", lambda: send(there, game, people[0], Command("i-start-it", "start")))
            answer = await send(here, game, people[1], Reveal("reveal-1", NUMBERS[1].hex()))
            assert isinstance(answer, Ack), answer
            assert sum(isinstance(entry, Started) for entry in await log_of(here, game)) == 1

    run(use())


def test_17_4_the_last_consent_to_an_abort_is_confirmed_though_another_resigns(database):
    async def use():
        async with two_workers(database) as (here, there, people):
            game = (await begin(here, people)).table.id
            await send(here, game, people[0], Command("enough-0", "abort"))
            before_each(here, "abort-", lambda: send(there, game, people[0], Command("resigns", "resign")))
            answer = await send(here, game, people[1], Command("enough-1", "abort"))
            assert isinstance(answer, Ack), answer

    run(use())


def test_17_4_nothing_but_being_second_is_forgiven(database):
    """A store that fails after the act was stored is no success: who asks again is helped."""

    async def use():
        async with two_workers(database) as (here, _, people):
            game = await table_of_dice(here, people)

            async def fail():
                raise ConnectionResetError

            before_each(here, "start-", fail)
            last = Reveal("reveal-1", NUMBERS[1].hex())
            with pytest.raises(ConnectionResetError):
                await send(here, game, people[1], last)
            assert isinstance(await send(here, game, people[1], last), Ack)
            assert isinstance((await log_of(here, game))[-1], Started)

    run(use())


# Rematches


def test_17_4_two_workers_that_set_the_same_rematch_set_one_table(database):
    async def use():
        async with two_workers(database) as (here, there, people):
            for _ in range(5):
                game = await over(here, people)
                await send(here, game, people[0], Command("again-0", "rematch"))
                room = await there.room(game)
                await here.append(await here.room(game), "again-1", lambda table, _: table.ask(1, "rematch"))
                await there.refresh(room)
                rooms = [(here, await here.room(game)), (there, room)]
                await asyncio.gather(*(follow_ups.follow_up(host, each) for host, each in rooms * 2))
                (again,) = await rematches_of(here, game)
                for host, each in rooms:
                    await host.refresh(each)
                    assert each.table.next_game == again
                new = await there.room(again)
                await there.refresh(new)  # what the other worker stored may not have been announced yet
                assert [occupant.player for occupant in new.table.seats] == [people[1].id, people[0].id]
                rows = await here.store.run(select(seats).where(seats.c.game == again).order_by(seats.c.seat))
                assert [row["person"] for row in rows] == [people[1].id, people[0].id]

    run(use())


def test_17_4_a_rematch_that_is_asked_for_again_leaves_no_table_behind(database):
    async def use():
        async with two_workers(database) as (here, there, people):
            game = await over(here, people)
            for round_, host in enumerate((here, there)):
                for seat, person in enumerate(people):
                    await send(host, game, person, Command(f"again-{round_}-{seat}", "rematch"))
                await send(host, game, people[0], Command(f"or-not-{round_}", "decline"))
            assert len(await rematches_of(here, game)) == 1
            assert len(await here.store.run(select(games.c.id))) == 2

    run(use())


# Crashes between an act and what follows it


async def crash(host, game, person, act):
    async def die():
        raise Crash

    before_each(host, ("start-", "abort-", "rematch"), die)
    with pytest.raises(Crash):
        await send(host, game, person, act)


def test_17_4_a_worker_that_died_before_the_start_delays_it_for_who_watches(database):
    async def use():
        async with two_workers(database) as (here, there, people):
            game = await table_of_dice(here, people)
            await crash(here, game, people[1], Reveal("reveal-1", NUMBERS[1].hex()))
            async with watching(there, game) as room:
                await until(lambda: room.table.status == "playing")

    run(use())


def test_17_4_a_worker_that_died_before_the_abort_delays_it(database):
    async def use():
        async with two_workers(database) as (here, there, people):
            game = (await begin(here, people)).table.id
            await send(here, game, people[0], Command("enough-0", "abort"))
            await crash(here, game, people[1], Command("enough-1", "abort"))
            async with watching(there, game) as room:
                await until(lambda: room.table.status == "over")

    run(use())


def test_17_4_a_worker_that_died_before_the_rematch_delays_it_and_leaves_no_table_behind(database):
    async def use():
        async with two_workers(database) as (here, there, people):
            game = await over(here, people)
            await send(here, game, people[0], Command("again-0", "rematch"))
            await crash(here, game, people[1], Command("again-1", "rematch"))
            async with watching(there, game) as room:
                await until(lambda: room.table.next_game)
            assert await rematches_of(there, game) == [room.table.next_game]

    run(use())


def test_17_4_who_says_it_again_after_a_crash_starts_the_game(database):
    async def use():
        async with two_workers(database) as (here, there, people):
            game = await table_of_dice(here, people)
            last = Reveal("reveal-1", NUMBERS[1].hex())
            behind = await there.room(game)
            await crash(here, game, people[1], last)
            assert isinstance(await perform(there, behind, Caller(people[1]), last), Ack)
            assert behind.table.status == "playing"

    run(use())


def test_17_4_a_consent_that_is_complete_only_because_somebody_left_ends_nothing(database):
    async def use():
        async with two_workers(database) as (here, there, people):
            game = (await begin(here, people)).table.id
            await send(here, game, people[0], Command("enough-0", "abort"))
            await send(here, game, people[1], Command("i-go-away", "leave"))
            room = await there.room(game)
            assert room.table.agreed("abort")
            await follow_ups.follow_up(there, room)
            assert room.table.status == "playing"

    run(use())


# Seats


def test_17_4_who_sits_down_where_somebody_got_up_keeps_the_seat(database):
    async def use():
        async with two_workers(database) as (here, there, people):
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

    run(use())


# Taking back a move


async def after_two_moves(host, people, **terms):
    room = await begin(host, people, **terms)
    for number in range(2):
        (seat,) = room.table.movers
        move = room.view_for(seat, 0.0).moves[0]
        play = partial(Table.play, seat=seat, text=move)
        await host.append(room, f"move-{number}", lambda table, secret, play=play: play(table, secret=secret))
    return room


def takeback(number):
    return Command(f"takeback-{number}", "takeback")


def test_a_move_is_taken_back_once_both_agree_and_the_game_goes_on_at_another_table(database):
    async def use():
        async with two_workers(database) as (here, there, people):
            old = await after_two_moves(here, people, rated=False)
            seat = old.table.turn.seats[0]
            asker, other = people[seat], people[1 - seat]
            assert isinstance(await send(here, old.table.id, asker, takeback(0)), Ack)
            assert old.table.status == "playing"
            assert isinstance(await send(there, old.table.id, other, takeback(1)), Ack)
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

    run(use())


def test_who_disagrees_keeps_the_move(database):
    async def use():
        async with two_workers(database) as (here, _, people):
            old = await after_two_moves(here, people, rated=False)
            seat = old.table.turn.seats[0]
            await send(here, old.table.id, people[seat], takeback(0))
            await send(here, old.table.id, people[1 - seat], Command("no-thank-you", "decline"))
            assert (old.table.status, old.table.asked) == ("playing", None)

    run(use())


def test_nothing_is_taken_back_in_a_rated_game_or_before_the_first_move(database):
    async def use():
        async with two_workers(database) as (here, _, people):
            rated = await after_two_moves(here, people, rated=True)
            fresh = await begin(here, people, rated=False)
            for room, reason in ((rated, "rated game"), (fresh, "no move of yours")):
                refused = await send(here, room.table.id, people[0], takeback(0))
                assert isinstance(refused, ErrorReply)
                assert (refused.rule, reason in refused.message) == ("takeback", True)

    run(use())


def test_a_worker_that_dies_after_the_end_leaves_the_next_table_to_another(database):
    async def use():
        async with two_workers(database) as (here, there, people):
            old = await after_two_moves(here, people, rated=False)
            seat = old.table.turn.seats[0]
            await send(here, old.table.id, people[seat], takeback(0))

            async def die():
                raise Crash

            before_each(here, "rematch", die)
            with pytest.raises(Crash):
                await send(here, old.table.id, people[1 - seat], takeback(1))
            assert (await there.current(old.table.id)).table.next_game == ""
            room = await there.current(old.table.id)
            await follow_ups.follow_up(there, room)
            assert room.table.next_game
            assert (await there.current(room.table.next_game)).table.status == "playing"

    run(use())
