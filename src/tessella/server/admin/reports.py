"""What players report to the host."""

from msgspec import Struct
from sqlalchemy import select

from tessella.server.store import Store
from tessella.server.store.schema import people, reports


class Report(Struct, frozen=True):
    """A report: `by` (their id is `person`) about `name` (`other`), perhaps at a table."""

    made: float
    reason: str
    other: str
    name: str
    person: str
    by: str
    game: str


class Reports(Struct, frozen=True):
    """Reports, the newest first."""

    reports: tuple[Report, ...]


async def list_reports(store: Store, most: int) -> Reports:
    """Return the latest reports."""
    one, other = people.alias("one"), people.alias("about")
    names = (other.c.name, reports.c.person, one.c.name.label("by"), reports.c.game)
    found = select(reports.c.made, reports.c.reason, reports.c.other, *names).select_from(reports)
    found = found.join(one, one.c.id == reports.c.person).join(other, other.c.id == reports.c.other)
    rows = await store.run(found.order_by(reports.c.made.desc(), reports.c.id).limit(most))
    return Reports(tuple(Report(*row.values()) for row in rows))
