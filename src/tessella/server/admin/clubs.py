"""Clubs as the host sees them: list them, and end one, for example because of its name."""

from msgspec import Struct
from sqlalchemy import func, select

from tessella.server.services.clubs.membership import end_club, find_club
from tessella.server.store import Store
from tessella.server.store.schema import club_members, clubs


class ClubLine(Struct, frozen=True):
    """A club in a list; `owner` is the id of a person."""

    id: str
    name: str
    about: str
    owner: str
    members: int
    made: float


async def list_clubs(store: Store, most: int) -> list[ClubLine]:
    """Return the newest clubs."""
    members = select(func.count()).where(club_members.c.club == clubs.c.id).scalar_subquery().label("members")
    columns = (clubs.c.id, clubs.c.name, clubs.c.about, clubs.c.owner, members, clubs.c.made)
    rows = await store.run(select(*columns).order_by(clubs.c.made.desc()).limit(most))
    return [ClubLine(**row) for row in rows]


async def end(store: Store, club_id: str) -> None:
    """End a club; raise ValueError."""
    club = await find_club(store, club_id)
    if club is None:
        raise ValueError(f"there is no club {club_id}")
    await end_club(store, club)
