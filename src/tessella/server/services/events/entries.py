"""What people do with events: create one, enter, leave, come back, start early, cancel."""

from collections.abc import Sequence
from secrets import token_hex

import msgspec
from msgspec import Struct
from sqlalchemy import (
    ColumnElement,
    Double,
    Executable,
    Integer,
    Text,
    and_,
    delete,
    func,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite writes it the same way

from tessella.bots import is_quick, names
from tessella.events import Format
from tessella.games import GAMES
from tessella.server.people.identity import Person
from tessella.server.services.clubs.membership import is_member
from tessella.server.services.events.reading import Event
from tessella.server.store import Store
from tessella.server.store.schema import event_entrants, events
from tessella.table.ids import fresh_id
from tessella.table.log import Days, Live
from tessella.table.table import Refused

MOST_ENTRANTS = 128
MOST_IN_ROUND_ROBIN = 24
"""Everybody meets everybody, so a larger field would take more rounds than anyone plays."""

MOST_BOTS = 8
"""Bots that a member may enter; the host may fill a whole event."""

MOST_EVENTS_MADE = 3
MOST_EVENTS_ENTERED = 20
"""Unfinished events that one person may have made, and may have entered."""

MOST_EVENTS_OF_CLUB = 10
"""Unfinished events that a club may have."""


class Terms(Struct, frozen=True):
    """The terms of a new event."""

    name: str
    rules: str
    pace: Live | Days
    format: Format
    seats: int
    rounds: int
    """0: as many as the field needs."""
    starts: float
    duplicate: bool = False
    fill: str = "bye"
    most: int = 64
    members: bool = False
    bots: int = 0
    level: str = "1"
    club: str = ""
    """The club whose members may enter; empty: everybody may."""


async def create(store: Store, terms: Terms, creator: Person | None = None) -> str:
    """Create an event and return its id; raise `Refused`. An event of the host has no `creator`."""
    require_sense(terms, most_bots=MOST_BOTS if creator else MOST_ENTRANTS)
    if creator is not None:
        most = MOST_EVENTS_OF_CLUB if terms.club else MOST_EVENTS_MADE
        made = events.c.club == terms.club if terms.club else events.c.creator.in_(creator.ids) & (events.c.club == "")
        unfinished = select(events.c.id).where(made, events.c.state.in_(("open", "running")))
        if len(await store.run(unfinished.limit(most))) >= most:
            raise Refused("events", f"you have {most} unfinished events: let one end or cancel it first")
    event_id = fresh_id()
    await store.run(*making(event_id, terms, creator.id if creator else "", await store.now()))
    return event_id


def making(event_id: str, terms: Terms, creator: str, now: float) -> list[Executable]:
    """Return the statements that create an event with its bots, unless there is one with this id."""
    same = ("name", "rules", "format", "duplicate", "fill", "seats", "rounds", "most", "members", "starts", "club")
    row = {name: getattr(terms, name) for name in same} | {
        "id": event_id,
        "creator": creator,
        "title": terms.rules.partition("/")[0],
        "pace": msgspec.json.encode(terms.pace).decode(),
        "made": now,
        "state": "open",
        "seed": token_hex(16),
        "due": terms.starts,
    }
    ids = [f"bot:{terms.level}:{number}" for number in range(terms.bots)]
    bots = [{"event": event_id, "person": each, "first": 1, "joined": now} for each in ids]
    there = [(events, [row]), (event_entrants, bots)]
    return [upsert(table).values(rows).on_conflict_do_nothing() for table, rows in there if rows]


def require_sense(terms: Terms, most_bots: int) -> None:
    """Raise `Refused` for terms that do not go together."""
    game = GAMES[terms.rules.partition("/")[0]]
    if terms.duplicate and terms.format == "knockout":
        raise Refused("duplicate", "a knock-out cannot be duplicate: use swiss or round-robin")
    if terms.bots > most_bots:
        raise Refused("bots", f"at most {most_bots} bots can enter, not {terms.bots}")
    if terms.bots and (terms.level not in names(game) or not is_quick(terms.level)):
        quick = ", ".join(level for level in names(game) if is_quick(level))
        raise Refused("level", f"bots in an event must be quick; the levels are {quick}")
    most = MOST_IN_ROUND_ROBIN if terms.format == "round-robin" and terms.seats == 2 else MOST_ENTRANTS
    if not 2 <= terms.most <= most:
        raise Refused("most", f"this event can have 2 to {most} entrants, not {terms.most}")
    if terms.bots > terms.most:
        raise Refused("bots", f"there are more bots ({terms.bots}) than places ({terms.most})")


async def enter(store: Store, event: Event, person: Person) -> None:
    """Enter an event, also late, or come back to it; raise `Refused`."""
    before = await entry_of(store, event, person)
    if event.state not in ("open", "running"):
        raise Refused("over", "this event is over")
    if before is not None:
        await _come_back(store, event, before)
        return
    if event.members and person.kind != "member":
        raise Refused("members", "this event is for members: log in first")
    if person.kind == "bot":
        raise Refused("bot", "bot accounts cannot enter events")
    if event.club and not await is_member(store, event.club, person):
        raise Refused("club", "only members of its club can enter this event")
    if event.state == "running" and not 0 < event.round < event.latest_entry:
        raise Refused("late", "it is too late to enter this event")
    await _require_room(store, person)
    if not await store.run(_lock(event), _enter_if_room(event, person, await store.now())):
        raise Refused("full", "this event is full, or has just begun its next round: try again")


def _lock(event: Event) -> Executable:
    """Lock the row of an event, so that the next statement counts everybody who entered before."""
    return select(events.c.id).where(events.c.id == event.id).with_for_update()


def _enter_if_room(event: Event, person: Person, now: float) -> Executable:
    """Add an entrant unless the event is full or has moved on meanwhile."""
    there = select(func.count()).where(event_entrants.c.event == event.id).scalar_subquery()
    same = and_(events.c.id == event.id, events.c.round == event.round, events.c.state == event.state)
    own = (literal(person.id, Text), literal(event.round + 1, Integer), literal(now, Double))
    values = select(events.c.id, *own).where(same, there < events.c.most)
    new = upsert(event_entrants).from_select(["event", "person", "first", "joined"], values)
    return new.on_conflict_do_nothing().returning(event_entrants.c.person)


async def _require_room(store: Store, person: Person) -> None:
    there = select(events.c.id).join(event_entrants, event_entrants.c.event == events.c.id)
    mine = event_entrants.c.person.in_(person.ids) & events.c.state.in_(("open", "running"))
    if len(await store.run(there.where(mine).limit(MOST_EVENTS_ENTERED))) >= MOST_EVENTS_ENTERED:
        raise Refused("events", f"you take part in {MOST_EVENTS_ENTERED} events: leave one first")


class Entry(Struct, frozen=True):
    """The entry of a person in an event."""

    person: str
    first: int
    last: int | None


async def entry_of(store: Store, event: Event, person: Person) -> Entry | None:
    """Return the entry of a person, or None."""
    mine = (event_entrants.c.event == event.id) & event_entrants.c.person.in_(person.ids)
    rows = await store.run(select(event_entrants).where(mine))
    return Entry(rows[0]["person"], rows[0]["first"], rows[0]["last"]) if rows else None


async def _come_back(store: Store, event: Event, entry: Entry) -> None:
    """Take part again from the next round on; the rounds that were missed are lost."""
    if entry.last is not None and event.format == "knockout":
        raise Refused("late", "nobody comes back into a knock-out")
    await store.run(update(event_entrants).where(_is(event, [entry.person])).values(last=None))


async def leave(store: Store, event: Event, person: Person) -> None:
    """Leave an event; a game that runs is not left by this."""
    mine = _is(event, person.ids)
    if event.state == "open":
        still = select(events.c.id).where(events.c.id == event.id, events.c.state == "open")
        gone = delete(event_entrants).where(mine, event_entrants.c.event.in_(still))
        if await store.run(gone.returning(event_entrants.c.person)):
            return
    await store.run(withdraw(event, person.ids))


def withdraw(event: Event, ids: Sequence[str]) -> Executable:
    """Return the statement that takes people out of an event from its next round on."""
    still = or_(event_entrants.c.last.is_(None), event_entrants.c.last > event.round + 1)
    return update(event_entrants).where(_is(event, ids), still).values(last=event.round + 1)


def _is(event: Event, ids: Sequence[str]) -> ColumnElement[bool]:
    return and_(event_entrants.c.event == event.id, event_entrants.c.person.in_(ids))


async def start_now(store: Store, event: Event) -> None:
    """Let an event begin at once; raise `Refused`."""
    now = await store.now()
    begun = update(events).where(events.c.id == event.id, events.c.state == "open").values(starts=now, due=now)
    if not await store.run(begun.returning(events.c.id)):
        raise Refused("started", "this event has already started")


async def cancel(store: Store, event: Event) -> None:
    """Cancel an event that has not started; raise `Refused`."""
    gone = {"state": "cancelled", "due": None, "ended": await store.now()}
    cancelled = update(events).where(events.c.id == event.id, events.c.state == "open").values(gone)
    if not await store.run(cancelled.returning(events.c.id)):
        raise Refused("started", "this event has already started")
