"""The tables that one worker has loaded, and how it changes them.

Any worker serves any table. What a worker holds in memory is a cache: the store decides. A request is checked by the
table, appended by compare-and-swap, and only then acknowledged; a worker that loses the race reloads and tries again.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from secrets import token_hex
from typing import NamedTuple, cast, get_args

from msgspec import Struct
from msgspec.structs import replace

from tessella.bots import is_quick
from tessella.core.game import Seat
from tessella.protocol import messages
from tessella.server.cluster import heartbeats
from tessella.server.cluster.bus import Bus
from tessella.server.metrics import Metrics
from tessella.server.rooms.history import Log, UnreadableGame, decode_log, read_log
from tessella.server.rooms.room import RemotePresence, Room, Viewer
from tessella.server.store import JobKind, Opening, Store, Write
from tessella.server.store.errors import STORE_ERRORS
from tessella.server.tracing import span
from tessella.table.clock import Outage
from tessella.table.history import History, fold_entries, fold_log
from tessella.table.log import Entry, Opened, Played, write_entry
from tessella.table.requests import Decision
from tessella.table.table import AppliedEntry, Refused, Secret, Table

log = logging.getLogger(__name__)

APPEND_ATTEMPTS = 5

MOST_IDLE_ROOMS = 500
"""How many rooms without viewers a worker keeps in memory; each takes about 50 KiB."""

IDLE_ROOM_SECONDS = 600.0
"""A room without viewers is dropped from memory after this long without use."""

ATTENDED_SECONDS = 120.0
"""A person who acted this recently counts as attending the table, connected or not."""

AWAY_SECONDS = 30.0
DESERTED_SECONDS = 120.0
"""How much later bots are served at a table whose people are away, and at one that all people have left."""

PRESENCE_SECONDS = 0.05
"""Changes of presence within this time are sent together."""

ANNOUNCE_SECONDS = 20.0
"""How often a worker repeats who is connected to it, in case a notification was lost."""

EXPIRY_SECONDS = 3 * ANNOUNCE_SECONDS
"""The presence at another worker is dropped after this long without a repetition: that worker may have crashed."""

SUBSTITUTE_SECONDS = 60
"""The others may let a bot play for a player who is to move and has been away for this long."""

PHRASES = frozenset(get_args(messages.Phrase))

SESSIONS_TOPIC = "~sessions"
"""Notifies other workers that a session has ended."""

DELETIONS_TOPIC = "~deletions"
"""Notifies other workers that a person has been deleted."""

JOBS_TOPIC = "~jobs"
"""Notifies other workers that a bot is to move in some game."""


class Stored(Struct, frozen=True):
    """A request that has been stored; `entry` is None if it was stored earlier under the same key."""

    number: int
    entry: Entry | None


class Keys(NamedTuple):
    """The key of a request, and the key under which an earlier version would have stored it; empty if the same."""

    key: str
    old_key: str


class Host:
    """The tables of one worker."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        outages: list[Outage],
        clock: Callable[[], float],
        metrics: Metrics | None = None,
    ) -> None:
        self.store = store
        self.bus = bus
        self.metrics = metrics or Metrics()
        self.outages = outages
        self.clock = clock
        self.worker = token_hex(4)
        self.rooms: dict[str, Room] = {}
        self._idle: OrderedDict[str, float] = OrderedDict()
        """When each room without viewers was last used, least recently used first."""
        self.must_check_sessions = False
        """Whether a session has ended that a connection here may still use."""
        self.deletion_notified = asyncio.Event()
        """Set when another worker has deleted a person whose name may be in memory here."""
        self.listeners: list[Callable[[Room, list[AppliedEntry]], None]] = []
        self.job_listeners: list[Callable[[], None]] = []
        """Called when a worker has added a job."""
        self._tasks: set[asyncio.Task[None]] = set()

    # Tables

    async def open(
        self,
        game_id: str,
        opened: Opened,
        seed: bytes,
        *,
        listed: bool,
        match: str = "",
        creator: str = "",
        origin: str = "",
    ) -> Room:
        """Open a new table; for `creator` and `origin` see `store.Opening`."""
        title = opened.rules.partition("/")[0]
        pace = type(opened.pace).__name__.lower() if opened.pace else ""
        body = write_entry(opened)
        opening = Opening(game_id, title, opened.rules, body, seed, pace, opened.rated, listed, match, creator, origin)
        opening = replace(opening, before=opened.before)
        at = await self.store.open(opening)
        self.metrics.entries.labels("opened").inc()
        return self.rooms.get(game_id) or self._add(Room(Table(game_id, opened, at, self.outages)))  # it may be loaded

    async def room(self, game_id: str) -> Room | None:
        """Return a room, loaded if necessary, or None if there is no such game; raise `UnreadableGame`.

        A room without viewers may be out of date: see `current`.
        """
        if (room := self.rooms.get(game_id)) is None:
            stored = await read_log(self.store, game_id)
            if not stored:
                return None
            room = self.rooms.get(game_id) or self._add(_load(game_id, stored, self.outages))
        self._keep_idle(room)
        return room

    async def current(self, game_id: str) -> Room | None:
        """Return a room that is up to date with the store, even if notifications were lost."""
        room = await self.room(game_id)
        if room is not None:
            await self.refresh(room)
        return room

    def _add(self, room: Room) -> Room:
        self.rooms[room.table.id] = room
        room.loaded_at = self.clock()
        self._keep_idle(room)
        return room

    def _keep_idle(self, room: Room) -> None:
        """Mark a room without viewers as just used; if there are too many, evict the one that has been idle longest."""
        if room.viewers or self.rooms.get(room.table.id) is not room:
            return
        self._idle[room.table.id] = asyncio.get_running_loop().time()
        self._idle.move_to_end(room.table.id)
        if len(self._idle) > MOST_IDLE_ROOMS:
            self._evict()

    def _evict(self) -> None:
        """Drop the room that has been idle longest, unless an entry is being written there."""
        oldest, _ = self._idle.popitem(last=False)
        if self.rooms[oldest].lock.locked():
            self._idle[oldest] = asyncio.get_running_loop().time()
        else:
            del self.rooms[oldest]

    async def evict_idle(self) -> None:
        """Drop the rooms that have been idle for `IDLE_ROOM_SECONDS`."""
        before = asyncio.get_running_loop().time() - IDLE_ROOM_SECONDS
        while self._idle and next(iter(self._idle.values())) < before:
            self._evict()

    def enter(self, room: Room, viewer: Viewer) -> None:
        """Connect a viewer to one of `rooms`. The first viewer causes a refresh: the room may be out of date."""
        if not room.viewers:
            self._refresh_soon(room)
        room.viewers[viewer] = None
        self._idle.pop(room.table.id, None)
        self.publish_presence(room)

    def leave(self, room: Room, viewer: Viewer) -> None:
        """Disconnect a viewer."""
        room.viewers.pop(viewer, None)
        room.note_gone([room.table.seat_of(viewer.player)], self.clock())
        self.publish_presence(room)
        self._keep_idle(room)

    def forget(self, room: Room) -> None:
        """Drop a room from memory if it has no viewers and nothing is being written."""
        if not room.viewers and not room.lock.locked() and self.rooms.get(room.table.id) is room:
            del self.rooms[room.table.id]
            self._idle.pop(room.table.id, None)

    async def secret(self, room: Room) -> Secret:
        """Return the secret seed of a table, read from the store once."""
        if room.secret is None:
            room.secret = Secret(await self.store.seed(room.table.id))
        return room.secret

    # Writing

    async def append(self, room: Room, key: str, decide: Decision, old_key: str = "") -> Stored:
        """Store the entry that `decide` returns, or raise `Refused`; a key is stored once, however often it is sent.

        A request may have been stored under `old_key` by an earlier version, whose workers may run during an upgrade.
        """
        began = time.perf_counter()
        try:
            stored = await self._append(room, Keys(key, old_key), decide)
        except Refused as exc:
            self.metrics.refused.labels(exc.rule).inc()
            raise
        if stored.entry is not None:  # a repeated request is counted once
            self.metrics.entries.labels(stored.entry.__struct_config__.tag).inc()
            self.metrics.append_seconds.observe(time.perf_counter() - began)
        return stored

    async def _append(self, room: Room, keys: Keys, decide: Decision) -> Stored:
        secret = await self.secret(room)
        async with room.lock:
            for _ in range(APPEND_ATTEMPTS):
                await self._recompute_clocks(room)
                try:
                    entry = decide(room.table, secret)
                except Refused:
                    if (number := await self._stored_already(room, keys)) is not None:
                        return Stored(number, None)
                    if not await self._fold_new(room):
                        raise
                    continue
                if await self._write(room, keys, entry):
                    return Stored(room.table.number - 1, entry)
                if (number := await self._stored_already(room, keys)) is not None:
                    return Stored(number, None)
                if not await self._fold_new(room) and not await self._discover_outage(room):
                    raise Refused("time", "your time is up")
        raise Refused("busy", "the table is busy, please try again")

    async def _write(self, room: Room, keys: Keys, entry: Entry) -> bool:
        """Store an entry and send it to all viewers; return False if its number was taken or it came too late."""
        table = room.table
        now = self.clock()
        after = table.fork()
        applied = after.apply(entry)
        job, behind = self._job(room, after, entry, now)
        write = Write(
            game=table.id,
            number=table.number,
            key=keys.key,
            old_key=keys.old_key,
            body=write_entry(entry),
            due=_due(table, entry),
            status=after.stored_status,
            movers=",".join(map(str, after.movers)),
            allow=after.allowance(entry, now),
            job=job,
            behind=behind,
        )
        with span("store entry"):
            at = await self.store.append(write)
        if at is None:
            return False
        after.update_clocks(entry, at)
        self._publish(room, after, [applied], at)
        self._notify(room, applied.number)
        if job is not None:
            self.notify(JOBS_TOPIC, job)
        return True

    def _notify(self, room: Room, number: int) -> None:
        """Notify the other workers, and the newer room here if this one has been evicted in the meantime."""
        self.notify(room.table.id, str(number))
        successor = self.rooms.get(room.table.id)
        if successor is not None and successor is not room:
            self.refresh_if_behind(successor, number)

    def _job(self, room: Room, after: Table, entry: Entry, now: float) -> tuple[JobKind | None, float]:
        """Return the kind of job that the bot to move next needs, if any, and its delay in the queue in seconds."""
        bots = after.bots_to_move()
        if not bots:
            return None, 0.0
        if after.is_deserted:
            return "quick", DESERTED_SECONDS
        attended = after.is_by_person(entry) or room.present or now - after.acted_at < ATTENDED_SECONDS
        return "quick" if is_quick(bots[0][1]) else "move", 0.0 if attended else AWAY_SECONDS

    def _publish(self, room: Room, table: Table, entries: list[AppliedEntry], now: float) -> None:
        room.table = table
        room.history.extend(entries)
        room.broadcast(entries, now)
        for listener in self.listeners:
            listener(room, entries)

    async def _stored_already(self, room: Room, keys: Keys) -> int | None:
        return await self.store.number_of(room.table.id, *keys)

    # Other workers

    def notify(self, topic: str, news: str) -> None:
        """Notify the other workers soon, without waiting for the bus."""
        self.metrics.notifications_sent.inc()
        self.bus.notify(topic, news)

    def receive(self, topic: str, news: str) -> None:
        """Handle a notification from another worker: how far a game is, or who is connected to it there."""
        self.metrics.notifications_received.inc()
        if topic == SESSIONS_TOPIC:
            self.must_check_sessions = True
            return
        if topic == DELETIONS_TOPIC:
            self.deletion_notified.set()
            return
        if topic == JOBS_TOPIC:
            for listener in self.job_listeners:
                listener()
            return
        game_id, _, worker = topic.partition("/")
        worker, _, speaker = worker.partition("/")
        room = self.rooms.get(game_id)
        if room is None or worker == self.worker:
            return
        if speaker:
            _pass_on(room, speaker, news)
        elif worker:
            self._receive_presence(room, worker, news)
        elif news.isdecimal() and room.viewers:
            self.refresh_if_behind(room, int(news))

    def _receive_presence(self, room: Room, worker: str, news: str) -> None:
        """Record who is connected to another worker; one that is new to us also needs to know who is connected here."""
        seats, _, spectators = news.partition(";")
        known = worker in room.remote
        there = frozenset(int(seat) for seat in seats.split(",") if seat.isdecimal())
        now = asyncio.get_running_loop().time()
        before = room.present, room.spectators
        room.remote[worker] = RemotePresence(there, int(spectators) if spectators.isdecimal() else 0, now)
        room.note_gone(before[0] - there, self.clock())
        if not known or before != (room.present, room.spectators):
            self._schedule_presence(room, announce=not known)

    async def refresh_presence(self) -> None:
        """Repeat to the other workers who is connected here, and drop the presence that has expired."""
        now = asyncio.get_running_loop().time()
        for room in self.rooms.values():
            if room.viewers and now - room.announced_at > ANNOUNCE_SECONDS:
                self._announce(room)
            gone = [worker for worker, other in room.remote.items() if now - other.heard_at > EXPIRY_SECONDS]
            for worker in gone:
                room.note_gone(room.remote.pop(worker).seats, self.clock())
            if gone:
                self._schedule_presence(room, announce=False)

    def publish_presence(self, room: Room) -> None:
        """Send who is connected to all viewers and workers, soon; changes in quick succession are sent together."""
        self._schedule_presence(room, announce=True)

    def _schedule_presence(self, room: Room, *, announce: bool) -> None:
        room.announcement_scheduled |= announce
        if not room.presence_scheduled:
            room.presence_scheduled = True
            asyncio.get_running_loop().call_later(PRESENCE_SECONDS, self._send_presence, room)

    def _send_presence(self, room: Room) -> None:
        room.presence_scheduled = False
        present, away = room.present, room.away(self.clock())
        per_seat = tuple(away.get(seat) for seat in range(len(room.table.seats))) if away else ()
        room.send_all(messages.Presence(tuple(sorted(present)), room.spectators, per_seat))
        if room.announcement_scheduled:
            room.announcement_scheduled = False
            self._announce(room)

    def _announce(self, room: Room) -> None:
        room.announced_at = asyncio.get_running_loop().time()
        here = ",".join(map(str, sorted(room.present_here)))
        self.notify(f"{room.table.id}/{self.worker}", f"{here};{room.spectators_here}")

    def absent(self, room: Room) -> list[Seat]:
        """Return the seats of those who have been away long enough for a bot to play on.

        None is while this worker may not know which players are connected to the others.
        """
        if asyncio.get_running_loop().time() - self.bus.connected_at < EXPIRY_SECONDS:
            return []
        away = room.away(self.clock())
        return [seat for seat, seconds in away.items() if seconds >= SUBSTITUTE_SECONDS]

    def say(self, room: Room, seat: Seat, phrase: messages.Phrase) -> None:
        """Send what a player says to all viewers, here and at the other workers; it is not stored."""
        room.send_all(messages.Said(seat, phrase))
        self.notify(f"{room.table.id}/{self.worker}/{seat}", phrase)

    def refresh_if_behind(self, room: Room, number: int) -> None:
        """Refresh a room soon if it lacks the entry of this number."""
        if number >= room.table.number:
            self._refresh_soon(room)

    def _refresh_soon(self, room: Room) -> None:
        if not room.refresh_scheduled:
            room.refresh_scheduled = True
            task = asyncio.create_task(self._try_refresh(room))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _try_refresh(self, room: Room) -> None:
        """Refresh a room; if the store is unavailable, housekeeping tries again later."""
        try:
            with suppress(*STORE_ERRORS):
                await self.refresh(room)
        except UnreadableGame:
            log.exception("game unreadable", extra={"game": room.table.id})

    async def refresh(self, room: Room) -> None:
        """Fold the entries that other workers have stored."""
        async with room.lock:
            room.refresh_scheduled = False
            await self._fold_new(room)

    # Outages

    async def reload_outages(self) -> bool:
        """Read the outages again; return whether there are new ones, which make all clocks here stale."""
        outages = await heartbeats.read_outages(self.store)
        if outages == self.outages:
            return False
        self.outages[:] = outages
        for room in self.rooms.values():
            room.clocks_stale = True
        return True

    async def _discover_outage(self, room: Room) -> bool:
        """Look for an outage that is not known here yet; return whether the clocks of the room are stale."""
        await heartbeats.record_silence(self.store)
        await self.reload_outages()
        return room.clocks_stale

    async def recompute_clocks(self, room: Room) -> None:
        """Compute the clocks of a room again if an outage has become known."""
        async with room.lock:
            await self._recompute_clocks(room)

    async def _recompute_clocks(self, room: Room) -> None:
        if room.clocks_stale:
            await self._fold_new(room)  # first, so that viewers see the new entries
            stored = await read_log(self.store, room.table.id)
            room.clocks_stale = False
            room.table = _rebuild(room.table.id, stored[: room.table.number], self.outages).table
            room.broadcast([], self.clock())

    async def _fold_new(self, room: Room) -> bool:
        """Fold the entries that the store has and this room lacks; return whether there were any."""
        stored = await read_log(self.store, room.table.id, room.table.number - 1)
        if not stored:
            return False
        with _reading(room.table.id):
            history = fold_entries(room.table.fork(), decode_log(stored))
        self._publish(room, history.table, history.entries, self.clock())
        return True


def _pass_on(room: Room, speaker: str, phrase: str) -> None:
    """Send what a player said at another worker to the viewers here."""
    if speaker.isdecimal() and phrase in PHRASES:
        room.send_all(messages.Said(int(speaker), cast("messages.Phrase", phrase)))


def _load(game_id: str, log: Log, outages: list[Outage]) -> Room:
    history = _rebuild(game_id, log, outages)
    return Room(history.table, history.entries)


def _rebuild(game_id: str, log: Log, outages: list[Outage]) -> History:
    with _reading(game_id):
        return fold_log(game_id, decode_log(log), outages)


@contextmanager
def _reading(game_id: str) -> Generator[None]:
    """Raise `UnreadableGame` for whatever goes wrong while a log is read."""
    try:
        yield
    except Exception as exc:
        raise UnreadableGame(game_id) from exc


def _due(table: Table, entry: Entry) -> float | None:
    """Return the time before which a person's move must be stored, by the clock of the store; None without a limit."""
    if not isinstance(entry, Played) or table.seats[entry.seat].level:
        return None
    return table.clock.expires_at(entry.seat, table.outages)
