"""How the members of a club stand: what they won in the latest events of the club."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence

from msgspec import Struct
from sqlalchemy import select

from tessella.events import Line, standings
from tessella.server.people.identity import DELETED
from tessella.server.services.clubs.membership import MOST_MEMBERS, Club
from tessella.server.services.events.reading import Event, list_events, read_whole
from tessella.server.store import Store
from tessella.server.store.schema import OF_A_CLUB, club_members, events, people

MOST_EVENTS_COUNTED = 20
"""The latest finished events of a club that count."""

MOST_KEPT = 200
"""Finished events whose standings a worker keeps in memory."""


class Member(Struct, frozen=True):
    """A member of a club, and what they won in its latest events."""

    id: str
    name: str
    events: int
    firsts: int
    points: float


class ClubStandings:
    """Standings of clubs; those of an event that is over are computed once."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[Line, ...]] = OrderedDict()

    async def members(self, store: Store, club: Club) -> list[Member]:
        """Return the members of a club, the best first."""
        here = (events.c.club == club.id) & OF_A_CLUB & (events.c.state == "over")
        past = await list_events(store, here, MOST_EVENTS_COUNTED, events.c.starts.desc())
        lines = _by_person([await self._lines(store, event) for event in past])
        named = select(people.c.id, people.c.name).join(club_members, club_members.c.person == people.c.id)
        mine = named.where(club_members.c.club == club.id, people.c.name != DELETED).limit(MOST_MEMBERS)
        found = [_member(row["id"], row["name"], lines.get(row["id"], ())) for row in await store.run(mine)]
        return sorted(found, key=lambda each: (-each.points, -each.firsts, each.name.casefold(), each.id))

    async def _lines(self, store: Store, event: Event) -> tuple[Line, ...]:
        if event.id not in self._kept:
            whole = await read_whole(store, event)
            self._kept[event.id] = tuple(standings(event.plan, whole.entrants, whole.rounds()))
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(event.id)
        return self._kept[event.id]


def _by_person(all_lines: Iterable[Sequence[Line]]) -> dict[str, list[Line]]:
    found: dict[str, list[Line]] = {}
    for lines in all_lines:
        for line in lines:
            found.setdefault(line.id, []).append(line)
    return found


def _member(person: str, name: str, lines: Sequence[Line]) -> Member:
    firsts = sum(line.place == 1 for line in lines)
    return Member(person, name, len(lines), firsts, sum(line.halves for line in lines) / 2)
