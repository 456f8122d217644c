"""The statements that take people out of events, for those who leave a club and for those who are deleted."""

from collections.abc import Collection

from sqlalchemy import ColumnElement, Executable, delete, select, update

from tessella.server.store.schema import event_entrants, events


def leave_events(ids: Collection[str], which: ColumnElement[bool] = events.c.id != "") -> list[Executable]:
    """Return the statements that take people out of all events for which a condition holds.

    In one that has begun the entry stays, because it is part of the results of the others; they are not paired again.
    """
    mine = event_entrants.c.person.in_(ids)
    unstarted = select(events.c.id).where(which, events.c.state == "open")
    all_of_them = select(events.c.id).where(which)
    running = select(events.c.round).where(events.c.id == event_entrants.c.event).scalar_subquery()
    begun = mine & event_entrants.c.last.is_(None) & event_entrants.c.event.in_(all_of_them)
    return [
        delete(event_entrants).where(mine, event_entrants.c.event.in_(unstarted)),
        update(event_entrants).where(begun).values(last=running + 1),
    ]
