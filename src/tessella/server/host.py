"""A worker: the tables that it has loaded, and who is connected to them here.

Any worker serves any table. What it remembers of a table is advisory: the store decides. A wish is decided on by the
table, appended by compare-and-swap, and only then acknowledged; whoever comes second reloads and is told the truth.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from secrets import token_hex
from typing import TypeAlias

from msgspec import Struct

from tessella.core import wire
from tessella.core.game import Public, Seat
from tessella.server import beats, entries, messages, seen
from tessella.server.bus import Bus
from tessella.server.clock import Outage
from tessella.server.entries import Entry, Opened
from tessella.server.store import Logged, Opening, Store, Write
from tessella.server.store.errors import STORE_ERRORS
from tessella.server.table import Happening, Refused, Secret, Table

RING = 64
"""How many entries a worker remembers for those who come back."""

LATEST_TRIES = 5

PRESENCE_SECONDS = 0.05
"""How long news of who is there may wait for more of the same."""

SESSIONS = "~sessions"
"""The topic of the hint that some session has ended."""

Decision: TypeAlias = Callable[[Table, Secret], Entry]


class Viewer:
    """Somebody connected to a table: a seat or a spectator. `send` must not wait.

    `session` is the digest of the cookie or token by which a `person` came, if there was one.
    """

    def __init__(
        self,
        who: str,
        send: Callable[[bytes], None],
        session: str = "",
        person: str = "",
        dismiss: Callable[[], None] = lambda: None,
    ) -> None:
        self.who = who
        self.send = send
        self.session = session
        self.person = person
        self.dismiss = dismiss


class Elsewhere(Struct, frozen=True):
    """Who is connected to another worker."""

    seats: frozenset[Seat]
    spectators: int


class Room:
    """A table that this worker has loaded, and its viewers here."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.ring: deque[Happening] = deque(maxlen=RING)
        self.viewers: dict[Viewer, None] = {}
        """In the order in which they came, so that a simulated world goes the same way every time."""
        self.lock = asyncio.Lock()
        self.secret: Secret | None = None
        self.behind = False
        self.misjudged = False
        """Whether an outage has become known since the clocks were reckoned."""
        self.elsewhere: dict[str, Elsewhere] = {}
        self.telling = False
        self.tell_elsewhere = False

    @property
    def _seats_here(self) -> list[Seat | None]:
        """Where those sit who are connected to this worker; None for everybody who watches."""
        return [self.table.seat_of(viewer.who) for viewer in self.viewers]

    @property
    def present_here(self) -> frozenset[Seat]:
        """The seats of those who are connected to this worker."""
        return frozenset([seat for seat in self._seats_here if seat is not None])

    @property
    def present(self) -> frozenset[Seat]:
        """The seats of all who are connected, as far as we have heard."""
        return self.present_here.union(*(other.seats for other in self.elsewhere.values()))

    @property
    def spectators_here(self) -> int:
        """How many watch from this worker."""
        return self._seats_here.count(None)

    @property
    def spectators(self) -> int:
        """How many watch, as far as we have heard."""
        return self.spectators_here + sum(other.spectators for other in self.elsewhere.values())

    def see(self, seat: Seat | None, now: float) -> messages.TableSeen:
        """The table as a seat sees it."""
        return seen.from_seat(self.table, seat, self._outside(now))

    def _outside(self, now: float) -> messages.TableSeen:
        return seen.from_outside(self.table, now, self.present, self.spectators)

    def _step(self, seat: Seat | None, happenings: Iterable[Happening], outside: messages.TableSeen) -> bytes:
        """What happened, for one seat, as a message."""
        film = seen.notice(self.table, seat, happenings)
        return wire.encode(messages.Step(film, seen.from_seat(self.table, seat, outside)))

    def catch_up(self, viewer: Viewer, have: int, now: float) -> None:
        """Send a viewer what it missed, as far as we remember, and the table."""
        seat = self.table.seat_of(viewer.who)
        missed = [happening for happening in self.ring if happening.number > have >= 0]
        viewer.send(self._step(seat, missed, self._outside(now)))

    def broadcast(self, happenings: list[Happening], now: float) -> None:
        """Send everybody what happened; spectators share one message."""
        outside = self._outside(now)
        ready: dict[Seat | None, bytes] = {}
        for viewer in list(self.viewers):
            seat = self.table.seat_of(viewer.who)
            if seat not in ready:
                ready[seat] = self._step(seat, happenings, outside)
            viewer.send(ready[seat])

    def tell(self, message: Public) -> None:
        """Send everybody the same."""
        data = wire.encode(message)
        for viewer in list(self.viewers):
            viewer.send(data)


class Stored(Struct, frozen=True):
    """A wish that is stored for good."""

    number: int
    entry: Entry | None


class Host:
    """The tables of one worker."""

    def __init__(self, store: Store, bus: Bus, outages: list[Outage], clock: Callable[[], float]) -> None:
        self.store = store
        self.bus = bus
        self.outages = outages
        self.clock = clock
        self.worker = token_hex(4)
        self.rooms: dict[str, Room] = {}
        self.doubts = False
        """Whether some session has ended elsewhere, by which somebody may be connected here."""
        self.listeners: list[Callable[[Room, list[Happening]], None]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    # Tables

    async def open(self, game_id: str, opened: Opened, seed: bytes, *, listed: bool, match: str = "") -> Room:
        """Set a new table."""
        title = opened.rules.partition("/")[0]
        pace = type(opened.pace).__name__.lower() if opened.pace else ""
        body = entries.write(opened)
        opening = Opening(game_id, title, opened.rules, body, seed, pace, opened.rated, listed, match)
        at = await self.store.open(opening)
        self.rooms[game_id] = Room(Table(game_id, opened, at, self.outages))
        return self.rooms[game_id]

    async def room(self, game_id: str) -> Room | None:
        """The table, loaded if need be; None if there is no such table."""
        if game_id in self.rooms:
            return self.rooms[game_id]
        log = await self.store.log(game_id, -1)
        if not log:
            return None
        if game_id not in self.rooms:
            self.rooms[game_id] = _load(game_id, log, self.outages)
        return self.rooms[game_id]

    def forget(self, room: Room) -> None:
        """Drop a table that nobody here looks at; the store has it."""
        if not room.viewers and not room.lock.locked():
            self.rooms.pop(room.table.id, None)

    async def secret(self, room: Room) -> Secret:
        """What the dealer of the table knows."""
        if room.secret is None:
            room.secret = Secret(await self.store.seed(room.table.id))
        return room.secret

    # Wishes

    async def append(self, room: Room, key: str, decide: Decision) -> Stored:
        """Decide on a wish and store it, or raise `Refused`. The same key is stored once, however often it comes."""
        secret = await self.secret(room)
        async with room.lock:
            for _ in range(LATEST_TRIES):
                await self._reckon(room)
                try:
                    entry = decide(room.table, secret)
                except Refused:
                    if (number := await self._stored_already(room, key)) is not None:
                        return Stored(number, None)
                    if not await self._refresh(room):
                        raise
                    continue
                if await self._write(room, key, entry):
                    return Stored(room.table.number - 1, entry)
                if (number := await self._stored_already(room, key)) is not None:
                    return Stored(number, None)
                if not await self._refresh(room) and not await self._was_away(room):
                    raise Refused("time", "the time for this is over")
        raise Refused("busy", "the table is busy; try again")

    async def _write(self, room: Room, key: str, entry: Entry) -> bool:
        """Store an entry; if it was the first of its number, let it have happened and tell everybody."""
        table = room.table
        now = self.clock()
        after = table.fork()
        happening = after.happen(entry)
        write = Write(
            game=table.id,
            number=table.number,
            key=key,
            body=entries.write(entry),
            due=_due(table, entry),
            status=after.status,
            movers=",".join(map(str, after.movers)),
            allow=after.allowance(entry, now),
            bots=bool(after.bots_to_move()),
        )
        at = await self.store.append(write)
        if at is None:
            return False
        after.tick(entry, at)
        self._adopt(room, after, [happening], at)
        self.bus.hint(table.id, str(happening.number))
        return True

    def _adopt(self, room: Room, table: Table, happenings: list[Happening], now: float) -> None:
        room.table = table
        room.ring.extend(happenings)
        room.broadcast(happenings, now)
        for listener in self.listeners:
            listener(room, happenings)

    async def _stored_already(self, room: Room, key: str) -> int | None:
        return await self.store.number_of(room.table.id, key)

    # Other workers

    def hear(self, topic: str, news: str) -> None:
        """A hint from another worker: how far a game is, or who is connected to it there."""
        if topic == SESSIONS:
            self.doubts = True
            return
        game_id, _, worker = topic.partition("/")
        room = self.rooms.get(game_id)
        if room is None or worker == self.worker:
            return
        if worker:
            self._hear_presence(room, worker, news)
        elif news.isdecimal():
            self.hear_number(room, int(news))

    def _hear_presence(self, room: Room, worker: str, news: str) -> None:
        """Note who is connected elsewhere; if the worker is new to us, it has not heard of ours."""
        seats, _, spectators = news.partition(";")
        known = worker in room.elsewhere
        here = frozenset(int(seat) for seat in seats.split(",") if seat.isdecimal())
        room.elsewhere[worker] = Elsewhere(here, int(spectators) if spectators.isdecimal() else 0)
        self._plan_presence(room, elsewhere=not known)

    def say_presence(self, room: Room) -> None:
        """Tell everybody, here and elsewhere, who is connected: soon, and once for all who come together."""
        self._plan_presence(room, elsewhere=True)

    def _plan_presence(self, room: Room, *, elsewhere: bool) -> None:
        room.tell_elsewhere |= elsewhere
        if not room.telling:
            room.telling = True
            asyncio.get_running_loop().call_later(PRESENCE_SECONDS, self._tell_presence, room)

    def _tell_presence(self, room: Room) -> None:
        room.telling = False
        room.tell(messages.Present(tuple(sorted(room.present)), room.spectators))
        if room.tell_elsewhere:
            room.tell_elsewhere = False
            here = ",".join(map(str, sorted(room.present_here)))
            self.bus.hint(f"{room.table.id}/{self.worker}", f"{here};{room.spectators_here}")

    def hear_number(self, room: Room, number: int) -> None:
        """A game has got this far: if we are behind, read on."""
        if number >= room.table.number and not room.behind:
            room.behind = True
            task = asyncio.create_task(self._follow(room))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _follow(self, room: Room) -> None:
        """Read on because of a hint; if the store does not answer, the keeper will look again."""
        with suppress(*STORE_ERRORS):
            await self.read_on(room)

    async def read_on(self, room: Room) -> None:
        """Read what others have stored."""
        async with room.lock:
            room.behind = False
            await self._refresh(room)

    # Outages

    async def learn_of_outages(self) -> bool:
        """Read when nobody was there; say whether that is news. Then no clock here is right until reckoned again."""
        outages = await beats.read_outages(self.store)
        if outages == self.outages:
            return False
        self.outages[:] = outages
        for room in self.rooms.values():
            room.misjudged = True
        return True

    async def _was_away(self, room: Room) -> bool:
        """Whether there was an outage that we did not know of when we reckoned: we may be the first to notice."""
        await beats.note_silence(self.store)
        await self.learn_of_outages()
        return room.misjudged

    async def reckon_again(self, room: Room) -> None:
        """Reckon the clocks again if an outage has become known."""
        async with room.lock:
            await self._reckon(room)

    async def _reckon(self, room: Room) -> None:
        if room.misjudged:
            await self._refresh(room)  # so that who watches is told of it
            log = await self.store.log(room.table.id, -1)
            room.misjudged = False
            room.table = _load(room.table.id, log[: room.table.number], self.outages).table
            room.broadcast([], self.clock())

    async def _refresh(self, room: Room) -> bool:
        """Fold what the store has and we have not; say whether there was anything."""
        log = await self.store.log(room.table.id, room.table.number - 1)
        if not log:
            return False
        table = room.table.fork()
        happenings = [table.fold(entries.read(row.body), row.at) for row in log]
        self._adopt(room, table, happenings, self.clock())
        return True


def _load(game_id: str, log: list[Logged], outages: list[Outage]) -> Room:
    opened = entries.read(log[0].body)
    assert isinstance(opened, Opened)
    room = Room(Table(game_id, opened, log[0].at, outages))
    room.ring.extend([room.table.fold(entries.read(row.body), row.at) for row in log[1:]])
    return room


def _due(table: Table, entry: Entry) -> float | None:
    """A move counts only if it is stored before the mover's time is over; what our own clock says does not matter."""
    if not isinstance(entry, entries.Played) or table.chairs[entry.seat].level:
        return None
    return table.clock.runs_out(entry.seat, table.outages)
