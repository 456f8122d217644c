"""Telling people who are away that it is their turn, in games of days.

Every half minute a web worker looks which turns have passed to somebody whose browser wants to hear of it. A browser
hears of all such tables at once, and not again for a while; which worker tells is decided by the row of the browser.
What is sent names tables, never what lies on them. Who logs out, or is forgotten, hears nothing any more.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Mapping
from itertools import count
from types import TracebackType
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from sqlalchemy import Select, delete, exists, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite writes it the same way

from tessella.server.host import Host
from tessella.server.letters import read64
from tessella.server.people import SESSION_ID, Session
from tessella.server.store import Row, Store
from tessella.server.store.errors import STORE_ERRORS
from tessella.server.store.schema import games, people, pushes, seats, secrets, sessions

log = logging.getLogger(__name__)

LOOK_SECONDS = 30.0
GRACE = 20.0
"""Who moves within so many seconds needs no telling."""
GAP = 600.0
"""A browser hears from us at most once in so many seconds."""
LOOK_BACK = 86_400.0
TIDY_EVERY = 120
"""Browsers whose sessions have run out are forgotten every so many times."""
KEPT_SECONDS = 86_400
"""How long the service keeps a message for a browser that is off."""
MOST_AT_ONCE = 500
GONE = (404, 410)
KEY_NAME = "push"

Post: TypeAlias = Callable[[str, Mapping[str, str], bytes], int]


class Browser(Struct, frozen=True):
    """A browser that wants to hear of its owner's turns."""

    endpoint: str
    point: str
    auth: str
    language: str
    site: str


class Nudge(Struct, frozen=True):
    """What a browser is told: at how many tables it is its owner's turn, and one of them."""

    title: str
    table: str
    tables: int
    language: str


# Browsers


async def our_number(store: Store) -> bytes:
    """The number of the key by which push services know us: made once, the same for all workers."""
    from tessella.server import push

    asked = select(secrets.c.value).where(secrets.c.name == KEY_NAME)
    if not (rows := await store.run(asked)):
        await store.run(upsert(secrets).values(name=KEY_NAME, value=push.fresh_number()).on_conflict_do_nothing())
        rows = await store.run(asked)
    return bytes(rows[0]["value"])


async def listen(store: Store, session: Session, browser: Browser) -> None:
    """From now on tell this browser; raises ValueError if it cannot be told anything."""
    from tessella.server import push

    if not push.is_endpoint(browser.endpoint):
        raise ValueError("that is not the address of a push service")
    push.read_point(read64(browser.point))
    now = await store.now()
    row = {**msgspec.structs.asdict(browser), "person": session.person.id, "session": session.id}
    ours = (pushes.c.session == session.id) | (pushes.c.endpoint == browser.endpoint)
    await store.run(delete(pushes).where(ours), insert(pushes).values({**row, "made": now, "sent": now}))


async def hush(store: Store, session: Session) -> bool:
    """Tell the browser of this session nothing any more; False if it was told nothing."""
    return bool(await store.run(delete(pushes).where(pushes.c.session == session.id).returning(pushes.c.session)))


async def tidy(store: Store) -> None:
    """Forget the browsers whose sessions have run out."""
    alive = exists().where(sessions.c.person == pushes.c.person, pushes.c.session == SESSION_ID)
    await store.run(delete(pushes).where(~alive))


# Telling them


class Nudger:
    """Tells people who are away of their turns, for as long as the block runs."""

    def __init__(self, host: Host, post: Post | None = None) -> None:
        self.host = host
        self._post = post
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Nudger":
        self._task = asyncio.create_task(self._look_for_ever())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _look_for_ever(self) -> None:
        for times in count(1):
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.look()
                if times % TIDY_EVERY == 0:
                    await tidy(self.host.store)
            except STORE_ERRORS:
                log.warning("turns will be told of later", exc_info=True)

    async def look(self) -> int:
        """Tell everybody who is to be told now; say how many browsers were."""
        store = self.host.store
        turns: dict[str, list[Row]] = defaultdict(list)
        for row in await store.run(_awaited(await store.now())):
            if str(row["seat"]) in row["movers"].split(",") and not self._is_here(row):
                turns[row["endpoint"]].append(row)
        told = [await self._tell(rows) for rows in turns.values()]
        return sum(told)

    def _is_here(self, row: Row) -> bool:
        room = self.host.rooms.get(row["game"])
        return room is not None and row["seat"] in room.present

    async def _tell(self, rows: list[Row]) -> bool:
        """Tell one browser of all its tables, unless another worker does."""
        row, now = rows[0], await self.host.store.now()
        mine = (pushes.c.endpoint == row["endpoint"]) & (pushes.c.sent == row["sent"])
        if not await self.host.store.run(update(pushes).where(mine).values(sent=now).returning(pushes.c.endpoint)):
            return False
        nudge = Nudge(row["title"], row["game"], len({each["game"] for each in rows}), row["language"])
        status = await self._send(row, nudge, now)
        if status in GONE:
            await self.host.store.run(delete(pushes).where(pushes.c.endpoint == row["endpoint"]))
        return 200 <= status < 300

    async def _send(self, row: Row, nudge: Nudge, now: float) -> int:
        from tessella.server import push

        key = push.private_key(await our_number(self.host.store))
        body = push.encrypt(msgspec.json.encode(nudge), read64(row["point"]), read64(row["auth"]))
        headers = {
            "authorization": push.authorization(row["endpoint"], row["site"], key, now),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(KEPT_SECONDS),
            "urgency": "normal",
        }
        try:
            return await asyncio.to_thread(self._post or push.post, row["endpoint"], headers, body)
        except OSError as wrong:
            log.info("a browser could not be told", extra={"why": type(wrong).__name__})
            return 0


def _awaited(now: float) -> Select[Any]:
    """Running games of days that have gone on since their players' browsers heard from us."""
    who = func.coalesce(people.c.member, people.c.id)
    columns = (pushes, games.c.id.label("game"), games.c.game.label("title"), games.c.movers, seats.c.seat)
    joined = (
        games.join(seats, seats.c.game == games.c.id)
        .join(people, people.c.id == seats.c.person)
        .join(pushes, pushes.c.person == who)
        .join(sessions, (sessions.c.person == pushes.c.person) & (pushes.c.session == SESSION_ID))
    )
    slow = (games.c.status == "playing") & (games.c.pace == "days") & (sessions.c.ends > now)
    lately = games.c.touched.between(now - LOOK_BACK, now - GRACE)
    rested = (pushes.c.sent < games.c.touched) & (pushes.c.sent < now - GAP)
    found = select(*columns).select_from(joined).where(slow, lately, rested)
    return found.order_by(games.c.touched).limit(MOST_AT_ONCE)
