"""Turn notifications: Web Push messages to players who are away, in correspondence games.

Every half minute a web worker finds the turns that have passed to a player with a subscribed browser. A browser gets
one message about all its tables, and then none for a while; the row of the browser decides which worker sends it. A
message names tables, never what lies on them. A log-out or an erasure ends the subscription.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import count
from typing import TypeAlias

import msgspec
from msgspec import Struct
from sqlalchemy import Executable, delete, exists, func, insert, select, tuple_, update

from tessella.server.base64url import read64
from tessella.server.people.identity import SESSION_ID, Session, shared_key
from tessella.server.rooms.host import Host
from tessella.server.services.background import Background
from tessella.server.store import Row, Store
from tessella.server.store.errors import STORE_ERRORS
from tessella.server.store.schema import CORRESPONDENCE, games, people, pushes, seats, sessions

log = logging.getLogger(__name__)

CHECK_SECONDS = 30.0
GRACE_SECONDS = 20.0
"""Players who move within this time are not notified."""
PAUSE_SECONDS = 600.0
"""The shortest time between two messages to one browser."""
LOOKBACK_SECONDS = 86_400.0
CLEAN_UP_EVERY = 120
"""Expired subscriptions are removed after this many rounds."""
TTL_SECONDS = 86_400
"""How long the push service keeps a message for a browser that is off."""
PAGE_ROWS = 200
"""Games, or browsers, per query."""
MOST_CONCURRENT = 8
MOST_CONCURRENT_PER_SERVICE = 3
"""Messages being sent: in total, and to one push service."""

GONE = (404, 410)
KEY_NAME = "push"

Post: TypeAlias = Callable[[str, Mapping[str, str], bytes], Awaitable[int]]


class Browser(Struct, frozen=True):
    """A browser that is subscribed to the turns of its owner."""

    endpoint: str
    point: str
    auth: str
    language: str
    site: str


class TurnNotification(Struct, frozen=True):
    """A message: at how many tables it is the player's turn, and one of them."""

    title: str
    table: str
    tables: int
    language: str


# Browsers


async def vapid_key(store: Store) -> bytes:
    """Return the private value of our key for push services: made once, shared by all workers."""
    from tessella.server.services import webpush

    return await shared_key(store, KEY_NAME, webpush.new_private_value())


async def subscribe(store: Store, session: Session, browser: Browser) -> None:
    """Subscribe a browser in place of an earlier one of the session; raise ValueError if address or key is bad."""
    from tessella.server.services import webpush

    if not webpush.is_endpoint(browser.endpoint):
        raise ValueError("not the address of a push service; expected https and a public host name")
    webpush.read_point(read64(browser.point))
    now = await store.now()
    row = {**msgspec.structs.asdict(browser), "person": session.person.id, "session": session.id}
    ours = (pushes.c.session == session.id) | (pushes.c.endpoint == browser.endpoint)
    await store.run(delete(pushes).where(ours), insert(pushes).values({**row, "made": now, "sent": now}))


async def unsubscribe(store: Store, session: Session) -> bool:
    """Unsubscribe the browser of this session; return whether it was subscribed."""
    return bool(await store.run(delete(pushes).where(pushes.c.session == session.id).returning(pushes.c.session)))


async def remove_expired(store: Store) -> None:
    """Remove the subscriptions whose sessions have ended, page by page."""
    alive = exists().where(sessions.c.person == pushes.c.person, pushes.c.session == SESSION_ID)
    last = ""
    while rows := await store.run(_browsers_after(last)):
        page = pushes.c.endpoint.in_([row["endpoint"] for row in rows])
        await store.run(delete(pushes).where(page, ~alive))
        last = rows[-1]["endpoint"]


def _browsers_after(last: str) -> Executable:
    return select(pushes.c.endpoint).where(pushes.c.endpoint > last).order_by(pushes.c.endpoint).limit(PAGE_ROWS)


# Sending


class Notifier(Background):
    """Notifies players who are away of their turns while the block runs."""

    def __init__(self, host: Host, post: Post | None = None) -> None:
        self.host = host
        self._post = post

    async def run(self) -> None:
        """Notify every `CHECK_SECONDS`, and now and then remove expired subscriptions; never return."""
        for times in count(1):
            await asyncio.sleep(CHECK_SECONDS)
            try:
                await self.notify()
                if times % CLEAN_UP_EVERY == 0:
                    await remove_expired(self.host.store)
            except STORE_ERRORS:
                log.warning("turn notifications postponed", exc_info=True)
            except Exception:
                log.exception("turn notifications failed")

    async def notify(self) -> int:
        """Send all due notifications, several at a time; return how many browsers got one."""
        store = self.host.store
        turns: dict[str, list[Row]] = defaultdict(list)
        for row in await _pending_turns(store):
            if not self._is_here(row):
                turns[row["endpoint"]].append(row)
        if not turns:
            return 0
        key, throttle = await vapid_key(store), Throttle()
        longest_first = sorted(turns.values(), key=lambda rows: float(rows[0]["touched"]))
        sending = (self._notify_in_turn(rows, key, throttle) for rows in longest_first)
        outcomes = await asyncio.gather(*sending, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome
        return outcomes.count(True)

    async def _notify_in_turn(self, rows: list[Row], key: bytes, throttle: "Throttle") -> bool:
        async with throttle.slot(rows[0]["endpoint"]):
            return await self._notify(rows, key)

    def _is_here(self, row: Row) -> bool:
        room = self.host.rooms.get(row["game"])
        return room is not None and row["seat"] in room.present

    async def _notify(self, rows: list[Row], key: bytes) -> bool:
        """Notify one browser of all its tables, unless another worker does; return whether it was delivered."""
        row, now = rows[0], await self.host.store.now()
        mine = (pushes.c.endpoint == row["endpoint"]) & (pushes.c.sent == row["sent"])
        if not await self.host.store.run(update(pushes).where(mine).values(sent=now).returning(pushes.c.endpoint)):
            return False
        notification = TurnNotification(
            row["title"], row["game"], len({each["game"] for each in rows}), row["language"]
        )
        status = await self._try_send(row, notification, key, now)
        if status in GONE:
            await self.host.store.run(delete(pushes).where(pushes.c.endpoint == row["endpoint"]))
        return 200 <= status < 300

    async def _try_send(self, row: Row, notification: TurnNotification, key: bytes, now: float) -> int:
        """Send and return the status, or 0 after a failure, so that one browser does not stop the others."""
        try:
            return await self._send(row, notification, key, now)
        except OSError as exc:
            log.info("turn notification not delivered", exc_info=exc.with_traceback(None))
        except Exception:
            log.exception("turn notification not sent")
        return 0

    async def _send(self, row: Row, notification: TurnNotification, key: bytes, now: float) -> int:
        from tessella.server.services import webpush

        body = webpush.encrypt(msgspec.json.encode(notification), read64(row["point"]), read64(row["auth"]))
        headers = {
            "authorization": webpush.authorization(row["endpoint"], row["site"], webpush.private_key(key), now),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(TTL_SECONDS),
            "urgency": "normal",
        }
        post: Post = self._post or webpush.post
        return await post(row["endpoint"], headers, body)


class Throttle:
    """Limits concurrent messages, in total and per push service, so that a slow service does not block the others."""

    def __init__(self) -> None:
        self._all = asyncio.Semaphore(MOST_CONCURRENT)
        self._services: dict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(MOST_CONCURRENT_PER_SERVICE)
        )

    @asynccontextmanager
    async def slot(self, endpoint: str) -> AsyncGenerator[None]:
        """Wait for a free slot and hold it while the block runs."""
        async with self._services["/".join(endpoint.split("/", 3)[:3])], self._all:
            yield


async def _pending_turns(store: Store) -> list[Row]:
    """Return the turns in correspondence games that are newer than the last message, a row per turn and browser.

    Page by page and in three plain queries: PostgreSQL estimates the size of their join badly.
    """
    now = await store.now()
    last: tuple[float, str] = (now - LOOKBACK_SECONDS, "")
    found: list[Row] = []
    while page := await store.run(_recent_moves(last, now - GRACE_SECONDS)):
        turns = await _turns(store, page)
        for browser in await store.run(_due_browsers(now, list(turns))):
            found += [{**browser, **turn} for turn in turns[browser["person"]] if browser["sent"] < turn["touched"]]
        last = (page[-1]["touched"], page[-1]["game"])
    return found


def _recent_moves(after: tuple[float, str], until: float) -> Executable:
    """Select the next correspondence games with recent moves, the oldest first."""
    touched, game = games.c.touched, games.c.id
    lately = touched.between(after[0], until) & (tuple_(touched, game) > tuple_(*after))
    columns = (game.label("game"), touched, games.c.game.label("title"), games.c.movers)
    return select(*columns).where(CORRESPONDENCE, lately).order_by(touched, game).limit(PAGE_ROWS)


async def _turns(store: Store, page: Sequence[Row]) -> dict[str, list[Row]]:
    """Return, for each person to move in some of these games, the games and the person's seat."""
    known = {row["game"]: row for row in page}
    person = func.coalesce(people.c.member, people.c.id).label("person")
    sitters = select(seats.c.game, seats.c.seat, person).join(people, people.c.id == seats.c.person)
    turns: dict[str, list[Row]] = defaultdict(list)
    for row in await store.run(sitters.where(seats.c.game.in_(list(known)))):
        if str(row["seat"]) in known[row["game"]]["movers"].split(","):
            turns[row["person"]].append({**known[row["game"]], "seat": row["seat"]})
    return turns


def _due_browsers(now: float, persons: Sequence[str]) -> Executable:
    """Select the browsers of these people that got no message for `PAUSE_SECONDS`."""
    alive = (sessions.c.person == pushes.c.person) & (pushes.c.session == SESSION_ID) & (sessions.c.ends > now)
    rested = pushes.c.sent < now - PAUSE_SECONDS
    return select(pushes).join(sessions, alive).where(pushes.c.person.in_(persons), rested)
