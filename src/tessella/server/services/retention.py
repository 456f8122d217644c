"""Retention: removes tables that never started, guests without a game, ended sessions, old reviews.

A finished game is never removed. Everything else has a lifetime (see the settings), and every web worker removes it in
small steps, one page of each kind at a time. A table is first closed by the same path as a move, so that a player who
joins at that moment sees it; its rows are removed a day later.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from msgspec import Struct
from sqlalchemy import Column, ColumnElement, Select, and_, delete, exists, or_, select, tuple_
from sqlalchemy import Table as SQLTable

from tessella.server.cluster.heartbeats import OUTAGE_MEMORY_SECONDS
from tessella.server.people import relations
from tessella.server.rooms.history import UnreadableGame
from tessella.server.rooms.host import Host
from tessella.server.services.background import Background
from tessella.server.settings import Settings
from tessella.server.store import Row, Store
from tessella.server.store.errors import STORE_ERRORS
from tessella.server.store.roles import remove
from tessella.server.store.schema import (
    audit,
    challenges,
    channels,
    departures,
    event_entrants,
    events,
    games,
    invitations,
    jobs,
    links,
    news,
    one_time_links,
    outages,
    people,
    reports,
    results,
    reviews,
    seats,
    sessions,
    waiting,
)
from tessella.table.clock import DAY_SECONDS
from tessella.table.table import Refused

log = logging.getLogger(__name__)

STEP_SECONDS = 10.0
PAGE_ROWS = 50
"""Rows of one kind per step."""

EMPTY_DAYS = 1.0
"""After this time an empty table is closed."""

CLOSED_DAYS = 1.0
"""After this time the rows of a closed table are removed."""


NEWS_DAYS = 7.0
"""How long it can be seen what became of news; longer than workers look back for turns."""


INVITATION_DAYS = 14.0
CANCELLED_DAYS = 30.0


class Lifetimes(Struct, frozen=True):
    """Lifetimes in seconds; None keeps things forever."""

    unstarted: float | None
    abandoned: float | None
    guests: float | None
    reviews: float | None
    reports: float | None

    @classmethod
    def of(cls, settings: Settings) -> "Lifetimes":
        """Return the lifetimes of the settings, which are in days, with 0 for forever."""
        days = (
            settings.keep_unstarted_days,
            settings.keep_abandoned_days,
            settings.keep_guests_days,
            settings.keep_reviews_days,
            settings.keep_reports_days,
        )
        return cls(*(day * DAY_SECONDS if day else None for day in days))


class Cursor:
    """The position of a walk through an index, page by page; it starts again after the last page."""

    def __init__(self, *columns: Column[Any]) -> None:
        self.columns = columns
        self._after: tuple[Any, ...] | None = None

    async def page(self, store: Store, query: "Select[*tuple[Any, ...]]", most: int = PAGE_ROWS) -> list[Row]:
        """Return the next page of a query that has the columns of the cursor."""
        if self._after is not None:
            query = query.where(tuple_(*self.columns) > tuple_(*self._after))
        rows = await store.run(query.order_by(*self.columns).limit(most))
        last = rows[-1] if len(rows) == most else None
        self._after = tuple(last[column.name] for column in self.columns) if last else None
        return rows


class Retention(Background):
    """Removes what has outlived its lifetime while the block runs."""

    def __init__(self, host: Host, settings: Settings) -> None:
        self.host = host
        self.lifetimes = Lifetimes.of(settings)
        self._cursors = {
            name: Cursor(games.c.touched, games.c.id) for name in ("open", "dice", "playing", "paused", "closed")
        }
        self._guests = Cursor(people.c.made, people.c.id)
        self._links = Cursor(links.c.hash)

    async def run(self) -> None:
        """Do a step every `STEP_SECONDS`; never return."""
        while True:
            await asyncio.sleep(STEP_SECONDS)
            await self.step()

    async def step(self) -> dict[str, int]:
        """Process a page of each kind; return how many of each were closed or removed."""
        done: dict[str, int] = {}
        for chore, work in self._chores().items():
            try:
                done[chore] = await work()
            except (*STORE_ERRORS, TimeoutError):
                log.warning("removal postponed", exc_info=True, extra={"chore": chore})
                continue
            except Exception:  # the other chores still run
                log.exception("removal failed", extra={"chore": chore})
                continue
            if done[chore]:
                log.info("removed", extra={"chore": chore, "count": done[chore]})
        return done

    def _chores(self) -> Mapping[str, Callable[[], Awaitable[int]]]:
        return {
            "tables that never started": self.close_unstarted,
            "abandoned games": self.end_abandoned,
            "closed tables": self.remove_closed,
            "guests without a game": self.remove_guests,
            "ended sessions": self.remove_sessions,
            "old reviews": self.remove_reviews,
            "used invitations": self.remove_links,
            "old news": self.remove_news,
            "old invitations of friends": self.remove_invitations,
            "old reports": self.remove_reports,
            "cancelled events": self.remove_events,
        }

    # Tables

    async def close_unstarted(self) -> int:
        """Close tables whose game has not started for too long; empty ones sooner."""
        now = await self.host.store.now()
        empty = ~exists().where(seats.c.game == games.c.id) & (games.c.touched < now - EMPTY_DAYS * DAY_SECONDS)
        old = games.c.touched < now - self.lifetimes.unstarted if self.lifetimes.unstarted else empty
        return sum([await self._end_all(status, or_(empty, old)) for status in ("open", "dice")])

    async def end_abandoned(self) -> int:
        """End games without a running clock that have been idle for too long."""
        if self.lifetimes.abandoned is None:
            return 0
        old = games.c.touched < await self.host.store.now() - self.lifetimes.abandoned
        return sum([await self._end_all(status, old & games.c.deadline.is_(None)) for status in ("playing", "paused")])

    async def _end_all(self, status: str, condition: ColumnElement[bool]) -> int:
        """End the next old tables of a status for which a condition holds; return how many were ended."""
        old = games.c.touched < await self.host.store.now() - EMPTY_DAYS * DAY_SECONDS
        query = select(games.c.id, games.c.touched, condition.label("is_due")).where(games.c.status == status, old)
        rows = await self._cursors[status].page(self.host.store, query)
        return sum([await self._end(row["id"]) for row in rows if row["is_due"]])

    async def _end(self, game_id: str) -> bool:
        """End a table without a result, by the same path as a move; return whether it was ended."""
        try:
            room = await self.host.current(game_id)
            if room is None:
                return False
            await self.host.append(room, "expired", lambda table, secret: table.abort(secret))
        except Refused:
            return False
        except UnreadableGame:
            log.exception("game unreadable", extra={"game": game_id})
            return False
        self.host.forget(room)
        return True

    async def remove_closed(self) -> int:
        """Remove tables that were closed before their game started, and everything that belongs to them."""
        before = await self.host.store.now() - CLOSED_DAYS * DAY_SECONDS
        ended = (games.c.status == "closed") & (games.c.match == "") & (games.c.touched < before)
        rows = await self._cursors["closed"].page(self.host.store, select(games.c.id, games.c.touched).where(ended))
        for row in rows:
            gone = ~exists().where(games.c.id == row["id"])
            await self.host.store.run(
                *remove(row["id"], before, in_file=not self.host.store.has_roles),
                *(
                    delete(table).where(table.c.game == row["id"], gone)
                    for table in (seats, links, departures, jobs, waiting)
                ),
            )
        left = await self.host.store.run(select(games.c.id).where(games.c.id.in_([row["id"] for row in rows])))
        return len(rows) - len(left)

    # People

    async def remove_guests(self) -> int:
        """Remove guests who never joined a table, with their sessions."""
        if self.lifetimes.guests is None:
            return 0
        store = self.host.store
        guests = (people.c.kind == "guest") & people.c.member.is_(None)
        old = people.c.made < await store.now() - self.lifetimes.guests
        rows = await self._guests.page(store, select(people.c.id, people.c.made).where(guests, old))
        page = people.c.id.in_([row["id"] for row in rows])
        without = [
            ~exists().where(table.c.person == people.c.id)
            for table in (seats, departures, results, waiting, channels, event_entrants)
        ]
        found = await store.run(select(people.c.id).where(page, *without))
        ids = [row["id"] for row in found]
        if ids:
            await store.run(
                delete(sessions).where(sessions.c.person.in_(ids)),
                *relations.about(ids),
                delete(people).where(people.c.id.in_(ids), *without),
            )
        return len(ids)

    async def remove_sessions(self) -> int:
        """Remove expired sessions, passkey challenges, links of the host and outages."""
        now = await self.host.store.now()
        await self.host.store.run(delete(outages).where(outages.c.ended < now - OUTAGE_MEMORY_SECONDS))
        expiring = (sessions, challenges, one_time_links)
        return sum([await self._remove(table, table.c.ends < now, table.c.ends) for table in expiring])

    # Reviews and invitations

    async def remove_reviews(self) -> int:
        """Remove old reviews, which can be computed again."""
        if self.lifetimes.reviews is None:
            return 0
        old = reviews.c.made < await self.host.store.now() - self.lifetimes.reviews
        count = await self._remove(reviews, old, reviews.c.made)
        if count:
            orphaned = (jobs.c.kind == "review") & ~exists().where(reviews.c.id == jobs.c.game)
            await self.host.store.run(delete(jobs).where(orphaned))
        return count

    async def remove_links(self) -> int:
        """Remove invitations to tables whose game has started, or that are gone."""
        rows = await self._links.page(self.host.store, select(links.c.hash))
        waits = exists().where(games.c.id == links.c.game, games.c.status.in_(("open", "dice")))
        return await self._remove(links, and_(links.c.hash.in_([row["hash"] for row in rows]), ~waits))

    async def remove_news(self) -> int:
        """Remove news of turns some days after they were delivered or given up."""
        before = await self.host.store.now() - NEWS_DAYS * DAY_SECONDS
        key = (news.c.channel, news.c.kind, news.c.game, news.c.number)
        old = select(*key).where(news.c.done < before).order_by(news.c.done).limit(PAGE_ROWS)
        return len(await self.host.store.run(delete(news).where(tuple_(*key).in_(old)).returning(news.c.channel)))

    async def remove_invitations(self) -> int:
        """Remove invitations of people after some days: their table has filled or is closed by then."""
        before = await self.host.store.now() - INVITATION_DAYS * DAY_SECONDS
        key = (invitations.c.person, invitations.c.game)
        old = select(*key).where(invitations.c.made < before).order_by(invitations.c.made).limit(PAGE_ROWS)
        gone = delete(invitations).where(tuple_(*key).in_(old)).returning(invitations.c.game)
        return len(await self.host.store.run(gone))

    async def remove_reports(self) -> int:
        """Remove reports, and acts of moderators and the host, that the host has had a long time to read."""
        if self.lifetimes.reports is None:
            return 0
        before = await self.host.store.now() - self.lifetimes.reports
        return sum([await self._remove(table, table.c.made < before, table.c.made) for table in (reports, audit)])

    async def remove_events(self) -> int:
        """Remove events that were cancelled before they started, so that weekly ones without players do not pile up."""
        before = await self.host.store.now() - CANCELLED_DAYS * DAY_SECONDS
        old = (events.c.state == "cancelled") & (events.c.starts < before) & (events.c.ended < before)
        rows = await self.host.store.run(select(events.c.id).where(old).order_by(events.c.starts).limit(PAGE_ROWS))
        ids = [row["id"] for row in rows]
        if ids:
            gone = delete(events).where(events.c.id.in_(ids))
            await self.host.store.run(delete(event_entrants).where(event_entrants.c.event.in_(ids)), gone)
        return len(ids)

    async def _remove(self, table: SQLTable, condition: ColumnElement[bool], *order: ColumnElement[Any]) -> int:
        """Remove a page of the rows for which a condition holds; return how many.

        Give the order of an index: without one PostgreSQL may scan the table from its beginning.
        """
        (key,) = table.primary_key.columns
        some = select(key).where(condition).order_by(*order).limit(PAGE_ROWS)
        return len(await self.host.store.run(delete(table).where(key.in_(some)).returning(key)))
