"""The background work of events: rounds become tables, absent players are replaced, results lead to the next round.

Every web worker looks for events that are due and holds a lease on the one it advances. Every step may be repeated:
a round is written in one transaction, under a key that exists once; the id of a table follows from its event, round and
number; a seat is taken once; outcomes are the results of the games, one row per seat. So a worker that dies in between
delays an event until its lease expires, and nothing is lost or counted twice.

**Absent players.** A table waits a moment for its players, then it starts. Whoever has made no move when the grace
period of their first turn is over does not come: depending on the event a bot plays for them, or they lose. They are
not paired again until they say that they are back. In correspondence the clock of the game does the same.

**Bounded.** Events need a clock, so that every game ends. A game that is not over when the time of a round is, because
its players paused it, counts as a tie.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress

import msgspec
from sqlalchemy import func, insert, select, update

from tessella.core.dice import commitment, fresh_seed
from tessella.core.game import Seat
from tessella.events import next_round, rounds_of
from tessella.server.people.identity import DELETED, Person
from tessella.server.rooms.history import UnreadableGame
from tessella.server.rooms.host import Host
from tessella.server.rooms.lifecycle import sit
from tessella.server.rooms.room import Room
from tessella.server.services.background import Background
from tessella.server.services.events.entries import withdraw
from tessella.server.services.events.reading import Event, EventTable, Whole, find, names_of, read_whole
from tessella.server.services.events.schedules import make_due
from tessella.server.store import Row
from tessella.server.store.errors import CLASHES, STORE_ERRORS
from tessella.server.store.schema import event_tables, events, games, results
from tessella.server.waiting import wait_for_event
from tessella.table.history import ends
from tessella.table.ids import event_table_id
from tessella.table.log import Days, Left, Opened, Played
from tessella.table.requests import Decision
from tessella.table.table import AppliedEntry, Refused, takeover_level

log = logging.getLogger(__name__)

SWEEP_SECONDS = 1.0
LEASE_SECONDS = 15.0
MOST_AT_ONCE = 20
"""Events that a worker advances in one sweep."""

LIVE_LOOK_SECONDS = 2.0
DAYS_LOOK_SECONDS = 30.0
"""How often a running event is looked at when none of its games ends."""

ARRIVAL_SECONDS = 30.0
"""A live table starts after this long even if not everybody has come."""

GRACE_SECONDS = 180.0
"""At a live table, whoever has not moved this long after their first turn began does not come."""

BREAK_SECONDS = 20.0
"""Between the end of a live round and the next one."""

LIVE_ROUND_SECONDS = 6 * 3_600.0
DAYS_ROUND_SECONDS = 180 * 86_400.0
"""A round takes no longer than this."""

RETRY_SECONDS = 10.0


class EventRunner(Background):
    """Advances events while the block runs."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self._wake = asyncio.Event()
        self._ended: set[str] = set()
        """Games that ended here since the last sweep."""

    async def run(self) -> None:
        """Advance what is due; never return."""
        self.host.listeners.append(self._noticed)
        try:
            while True:
                try:
                    await self.sweep()
                except (*STORE_ERRORS, TimeoutError):
                    log.warning("events postponed", exc_info=True)
                self._wake.clear()
                await wait_for_event(self._wake, SWEEP_SECONDS)
        finally:
            self.host.listeners.remove(self._noticed)

    def _noticed(self, room: Room, entries: list[AppliedEntry]) -> None:
        if any(ends(applied.entry) for applied in entries):
            self._ended.add(room.table.id)

    async def sweep(self) -> int:
        """Make the next events of schedules and advance the events that are due; return how many were advanced."""
        await make_due(self.host.store)
        if self._ended:
            ended, self._ended = list(self._ended), set()
            of_event = select(event_tables.c.event).where(event_tables.c.game != "", event_tables.c.game.in_(ended))
            soon = events.c.id.in_(of_event) & (events.c.state == "running")
            await self.host.store.run(update(events).where(soon).values(due=await self.host.store.now()))
        count = 0
        while count < MOST_AT_ONCE and (event_id := await self._lease()) is not None:
            await self._advance(event_id)
            count += 1
        return count

    async def _lease(self) -> str | None:
        """Lease the event that is due first."""
        now = await self.host.store.now()
        is_due = events.c.due.is_not(None) & (events.c.due <= now) & (events.c.leased < now)
        first = select(events.c.id).where(is_due).order_by(events.c.due).limit(1).with_for_update(skip_locked=True)
        leased = update(events).where(events.c.id.in_(first.scalar_subquery()), is_due)
        held = leased.values(leased=now + LEASE_SECONDS, worker=self.host.worker).returning(events.c.id)
        rows = await self.host.store.run(held)
        return str(rows[0]["id"]) if rows else None

    async def _advance(self, event_id: str) -> None:
        now = await self.host.store.now()
        try:
            due = await advance(self.host, event_id)
        except (*STORE_ERRORS, TimeoutError):
            raise  # the lease expires
        except Exception:
            log.exception("event set aside", extra={"event": event_id})
            due = now + RETRY_SECONDS
        mine = (events.c.id == event_id) & (events.c.worker == self.host.worker)
        await self.host.store.run(update(events).where(mine).values(due=due, leased=0.0, worker=""))


async def advance(host: Host, event_id: str) -> float | None:
    """Do what is to be done for an event now; return when to look at it again, None if never."""
    event = await find(host.store, event_id)
    now = await host.store.now()
    if event is None or event.state in ("over", "cancelled"):
        return None
    if event.state == "open":
        if now < event.starts:
            return event.starts
        await _begin(host, event)
        return now
    whole = await read_whole(host.store, event)
    if event.round == 0:
        return await _pair(host, whole, now)
    return await _tend(host, whole, now)


async def _begin(host: Host, event: Event) -> None:
    """Close the list of entrants, or cancel the event if there are too few."""
    whole = await read_whole(host.store, event)
    count = len(whole.entrants)
    new: dict[str, object] = {"state": "running", "rounds": rounds_of(event.plan, count)}
    if count < 2:
        new = {"state": "cancelled", "ended": await host.store.now()}
    await host.store.run(update(events).where(events.c.id == event.id, events.c.state == "open").values(new))
    log.info("event started" if count >= 2 else "event cancelled", extra={"event": event.id, "count": count})


# Rounds


async def _pair(host: Host, whole: Whole, now: float) -> float | None:
    """Write the next round, in one transaction, or end the event if no player is left."""
    event = whole.event
    number = event.round + 1
    made = await asyncio.to_thread(next_round, event.plan, whole.entrants, whole.rounds(), event.seed)
    rows = [
        {"event": event.id, "round": number, "number": table, "game": game, "players": _encode(players)}
        for table, (game, players) in enumerate(
            [
                *((event_table_id(event.id, number, table), players) for table, players in enumerate(made.tables)),
                *(("", (each,)) for each in made.byes),
            ]
        )
    ]
    if not rows:
        await _end(host, event)
        return None
    on = update(events).where(events.c.id == event.id, events.c.round == event.round).values(round=number)
    try:
        await host.store.run(insert(event_tables).values(rows), on)
    except CLASHES:  # another worker was first
        return now
    log.info("round paired", extra={"event": event.id, "number": number, "count": len(made.tables)})
    return now


def _encode(players: Sequence[str]) -> str:
    return msgspec.json.encode(players).decode()


async def _end(host: Host, event: Event) -> None:
    """End an event."""
    over = {"state": "over", "ended": await host.store.now()}
    await host.store.run(update(events).where(events.c.id == event.id).values(over))
    log.info("event over", extra={"event": event.id})


async def _tend(host: Host, whole: Whole, now: float) -> float | None:
    """Tend the tables of the current round; when all games are over, go on."""
    event = whole.event
    running = [table for table in whole.tables_of(event.round) if table.game not in whole.outcomes]
    if running:
        await _tend_tables(host, whole, running, now)
        return now + (DAYS_LOOK_SECONDS if isinstance(event.clocks, Days) else LIVE_LOOK_SECONDS)
    if event.round >= event.rounds:
        await _end(host, event)
        return None
    resumes = await _break_ends(host, whole)
    return resumes if now < resumes else await _pair(host, whole, now)


async def _break_ends(host: Host, whole: Whole) -> float:
    """Return when the next round begins: people get a break between live rounds."""
    event = whole.event
    ids = [table.game for table in whole.tables_of(event.round)]
    people = any(_is_person(each.id) for each in whole.entrants if each.plays(event.round + 1))
    if isinstance(event.clocks, Days) or not people or not ids:
        return 0.0
    (row,) = await host.store.run(select(func.max(results.c.ended).label("at")).where(results.c.game.in_(ids)))
    return float(row["at"] or 0.0) + BREAK_SECONDS


def _is_person(entrant: str) -> bool:
    return bool(entrant) and not entrant.startswith("bot:")


# Tables


async def _tend_tables(host: Host, whole: Whole, tables: Sequence[EventTable], now: float) -> None:
    columns = (games.c.id, games.c.status, games.c.opened, games.c.touched)
    there = select(*columns).where(games.c.id.in_([table.game for table in tables]))
    known = {row["id"]: row for row in await host.store.run(there)}
    ids = {each for table in tables for each in table.players if _is_person(each)}
    names = await names_of(host.store, ids) if any(_needs_seats(known.get(table.game)) for table in tables) else {}
    for table in tables:
        try:
            await _tend_table(host, whole.event, table, known.get(table.game), names, now)
        except UnreadableGame:
            log.exception("game unreadable", extra={"game": table.game, "event": whole.event.id})


def _needs_seats(row: Row | None) -> bool:
    return row is None or row["status"] == "open"


async def _tend_table(
    host: Host, event: Event, table: EventTable, row: Row | None, names: Mapping[str, str], now: float
) -> None:
    """Open a table, seat its players, start it, look for absent ones: whatever is to be done now."""
    is_live = not isinstance(event.clocks, Days)
    if row is not None and now - row["opened"] > (LIVE_ROUND_SECONDS if is_live else DAYS_ROUND_SECONDS):
        await _void(host, event, table)
        return
    if row is None or row["status"] == "open":
        room = await _open(host, event, table)
        await _seat(host, event, table, room, names)
    elif row["status"] == "playing" and is_live and not table.settled and now - row["touched"] >= GRACE_SECONDS:
        await _look_for_absent(host, event, table)
        return
    elif row["status"] == "closed":
        await _void(host, event, table)
        return
    elif row["status"] != "dice":
        return
    else:
        room = await _current(host, table)
    waits = is_live and any(map(_is_person, table.players)) and now - room.table.opened_at < ARRIVAL_SECONDS
    if room.table.status == "dice" and not waits:
        with suppress(Refused):
            await host.append(room, f"start-{room.table.number}", lambda latest, secret: latest.start(secret))


async def _current(host: Host, table: EventTable) -> Room:
    room = await host.current(table.game)
    assert room is not None
    return room


async def _open(host: Host, event: Event, table: EventTable) -> Room:
    """Return the room of a table, opened if it does not exist; the tables of a duplicate round share their dice."""
    if (room := await host.current(table.game)) is not None:
        return room
    shared = event_table_id(event.id, table.round) if event.duplicate else ""
    first = event_table_id(event.id, table.round, 0)
    if event.duplicate and table.number:
        seed = await host.store.seed(first)
    else:
        seed = fresh_seed()
    promised = commitment(shared or table.game, seed).hex()
    opened = Opened(event.rules, promised, event.clocks, rated=True, dice=shared)
    try:
        return await host.open(table.game, opened, seed, listed=False, match=shared)
    except CLASHES:  # another worker was first
        return await _current(host, table)


async def _seat(host: Host, event: Event, table: EventTable, room: Room, names: Mapping[str, str]) -> None:
    """Seat the players; a bot takes the seat of a player who left before the start, or was deleted."""
    left = {applied.entry.seat for applied in room.history if isinstance(applied.entry, Left)}
    for seat, player in enumerate(table.players):
        if room.table.status != "open" or room.table.seats[seat].player:
            continue
        name = names.get(player, DELETED)
        if _is_person(player) and seat not in left and name != DELETED:
            with suppress(Refused):
                await sit(host, room, seat, Person(player, name, "guest"))
            continue
        if _is_person(player):
            await host.store.run(withdraw(event, [player]))
        level = player.split(":")[1] if player.startswith("bot:") else takeover_level(room.table.game)
        await _seat_bot(host, room, seat, level)


async def _seat_bot(host: Host, room: Room, seat: Seat, level: str) -> None:
    with suppress(Refused):
        await host.append(
            room, f"event-bot-{seat}", lambda table, _: table.sit(seat, f"bot:{level}:{seat}", level, level)
        )


async def _look_for_absent(host: Host, event: Event, table: EventTable) -> None:
    """Replace the players to move who have never moved, and stop looking once everybody has."""
    room = await _current(host, table)
    for seat in room.table.movers:
        if _is_absent(room, seat):
            decide = _forfeit(seat) if event.fill == "bye" else _hand_over(seat)
            with suppress(Refused):
                await host.append(room, f"absent-{seat}", decide)
                await host.store.run(withdraw(event, [table.players[seat]]))
                log.info("player absent", extra={"event": event.id, "game": table.game})
    if not any(_is_absent(room, seat) for seat in range(len(table.players))):
        here = (event_tables.c.event == event.id) & (event_tables.c.game == table.game)
        await host.store.run(update(event_tables).where(here).values(settled=True))


def _is_absent(room: Room, seat: Seat) -> bool:
    moved = any(isinstance(applied.entry, Played) and applied.entry.seat == seat for applied in room.history)
    return not moved and not room.table.seats[seat].level and room.table.status == "playing"


def _forfeit(seat: Seat) -> Decision:
    return lambda table, secret: table.resign(seat, secret)


def _hand_over(seat: Seat) -> Decision:
    return lambda table, _: table.leave(seat)


async def _void(host: Host, event: Event, table: EventTable) -> None:
    """Count a game as a tie, and end it."""
    here = (event_tables.c.event == event.id) & (event_tables.c.game == table.game)
    await host.store.run(update(event_tables).where(here).values(void=True))
    if (room := await host.current(table.game)) is not None:
        with suppress(Refused):
            await host.append(room, "event-void", lambda latest, secret: latest.abort(secret))
    log.info("game void", extra={"event": event.id, "game": table.game})
