"""The score of a series, head-to-head, and tables to watch."""

from tessella.protocol.messages import Command
from tessella.server.rooms.commands import Caller, perform
from tessella.server.rooms.room import Viewer
from tessella.server.services.ratings import ResultRecorder, head_to_head
from tessella.server.services.series import Series, series_before
from tessella.server.services.watching import Watching, find
from tests.server.helpers import begin, known, resign


async def again(host, room, people):
    """The rematch of a game, started."""
    for person in people:
        await perform(host, room, Caller(person), Command(f"again-{person.id}", "rematch"))
    following = await host.room(room.table.next_game)
    await host.append(following, "start", lambda table, secret: table.start(secret))
    return following


def seat_of(room, person):
    return room.table.seat_of(person.id)


async def test_the_score_goes_with_the_people_from_seat_to_seat(host):
    ann, bert = await known(host.store, "Ann"), await known(host.store, "Bert")
    room = await begin(host, [ann, bert])
    assert await series_before(host.store, room.table) == Series()
    for loser in (bert, bert, ann):
        await resign(host, room, seat_of(room, loser))
        room = await again(host, room, [ann, bert])
    found = await series_before(host.store, room.table)  # the last result is not stored yet
    assert found.games == 1
    await ResultRecorder(host).sweep()
    found = await series_before(host.store, room.table)
    assert found.games == 3
    assert [found.wins[seat_of(room, person)] for person in (ann, bert)] == [2, 1]
    await resign(host, room, seat_of(room, bert))
    await ResultRecorder(host).sweep()
    met = await head_to_head(host.store, ann.ids, bert.ids)
    assert (met.won, met.tied, met.lost) == (3, 0, 1)
    assert next(each.game for each in met.latest) == room.table.id


async def test_tables_to_watch_are_public_and_those_with_a_crowd_come_first(host, monkeypatch):
    people = [await known(host.store, f"P{number}") for number in range(6)]
    quiet = await begin(host, people[:2])
    busy = await begin(host, people[2:4])
    private = await begin(host, people[4:], rated=False)
    for _ in range(3):
        busy.viewers[Viewer("", lambda _: None)] = None
    watching, now = Watching(host), host.clock()
    monkeypatch.setattr(host, "clock", lambda: now)
    found = await watching.tables()
    assert [each.row["id"] for each in found] == [busy.table.id, quiet.table.id]
    assert (found[0].spectators, [player.name for player in found[0].players]) == (3, ["P2", "P3"])
    assert private.table.id not in [each.row["id"] for each in found]
    await resign(host, busy, 0)
    assert await watching.tables() is found, "the list is kept for some seconds"
    assert [each.row["id"] for each in await find(host, now)] == [quiet.table.id]
