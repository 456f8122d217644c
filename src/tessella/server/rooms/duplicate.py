"""Duplicate matches: several tables with the same dice, so that players are compared without luck.

Every table uses the same dice for its n-th deal. Where a deal depends on nothing but earlier deals (the first five
rounds of Azul for two, Blockers! for three to five) it is the same at every table; later ones may differ, and the
match reports up to which deal all tables were equal.
"""

from collections.abc import Sequence
from contextlib import suppress
from itertools import zip_longest

from msgspec import Struct
from sqlalchemy import select

from tessella.core.dice import fresh_seed
from tessella.core.game import Public, Seat
from tessella.server.rooms.daily import deal_of
from tessella.server.rooms.host import Host
from tessella.server.rooms.lifecycle import Terms, open_table
from tessella.server.rooms.room import Room
from tessella.server.store.schema import OF_A_MATCH, games
from tessella.table.ids import fresh_id
from tessella.table.log import Pace
from tessella.table.table import Refused, Table


class Compared(Public, frozen=True):
    """One player of a match; `net` is the score minus the mean of all players who had the same seat."""

    game: str
    seat: Seat
    name: str
    score: int | None
    net: float | None


class MatchView(Public, frozen=True):
    """The public view of a match."""

    id: str
    games: tuple[str, ...]
    equal_deals: int
    all_deals: int
    over: bool
    compared: tuple[Compared, ...]


class Match(Struct, frozen=True):
    """The tables of a match."""

    id: str
    rooms: tuple[Room, ...]


async def open_match(host: Host, rules: str, pace: Pace, tables: int, creator: str = "", origin: str = "") -> Match:
    """Open several tables with the same dice."""
    match_id, seed = fresh_id(), fresh_seed()
    terms = Terms(rules, pace, match=match_id, dice=match_id, seed=seed, creator=creator, origin=origin)
    return Match(match_id, tuple([await open_table(host, terms) for _ in range(tables)]))


async def find_match(host: Host, match_id: str) -> Match | None:
    """Return the match with this id, or None."""
    tables = select(games.c.id).where(OF_A_MATCH, games.c.match == match_id).order_by(games.c.opened)
    rows = await host.store.run(tables)
    rooms = [room for row in rows if (room := await host.room(row["id"])) is not None]
    return Match(match_id, tuple(rooms)) if rooms and match_id else None


async def show_dice(host: Host, room: Room) -> bool:
    """Make the dice of a match public once its last table is over; return whether those of this table are public.

    Those of a daily deal are public once it is closed.
    """
    if room.table.shown or room.table.status != "over":
        return room.table.shown
    if (deal := deal_of(room.table)) is not None:
        if host.clock() < deal.closes:
            return False
        with suppress(Refused):
            await host.append(room, "shown", lambda table, _: table.show())
        return True
    match = await find_match(host, room.table.terms.dice)
    if match is None or any(other.table.status != "over" for other in match.rooms):
        return False
    for other in match.rooms:
        with suppress(Refused):
            await host.append(other, "shown", lambda table, _: table.show())
    return True


async def may_study(host: Host, room: Room, ids: Sequence[str]) -> bool:
    """Return whether a person with these ids may replay and review a game: anyone may once its dice are public.

    Whoever has played a daily deal may look at their own game at once; its seed stays hidden.
    """
    if await show_dice(host, room):
        return True
    return deal_of(room.table) is not None and any(room.table.seat_of(each) is not None for each in ids)


def see_match(match: Match) -> MatchView:
    """Return how the players compare; results stay hidden until all tables are over, as they would help players."""
    tables = [room.table for room in match.rooms]
    over = all(table.status == "over" for table in tables)
    deals = [[act for act in table.acts if act.startswith("*")] for table in tables]
    return MatchView(
        id=match.id,
        games=tuple(table.id for table in tables),
        equal_deals=_equal(deals) if over else 0,
        all_deals=max(map(len, deals)) if over else 0,
        over=over,
        compared=tuple(_compare(tables)) if over else (),
    )


def _equal(deals: Sequence[Sequence[str]]) -> int:
    """Return how many deals, from the first on, were the same at every table."""
    equal = 0
    for column in zip_longest(*deals):
        if len(set(column)) > 1:
            break
        equal += 1
    return equal


def _compare(tables: Sequence[Table]) -> list[Compared]:
    compared: list[Compared] = []
    for seat in range(len(tables[0].seats)):
        scores = [table.end.scores[seat] if table.end and table.end.scores else None for table in tables]
        known = [score for score in scores if score is not None]
        for table, score in zip(tables, scores, strict=True):
            net = None if score is None else round(score - sum(known) / len(known), 2)
            compared.append(Compared(table.id, seat, table.seats[seat].name, score, net))
    return compared
