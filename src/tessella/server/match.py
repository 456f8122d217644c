"""Duplicate matches: several tables with the same dice, so that players are compared and luck is not.

Every table throws the same dice for its n-th deal. Where a deal depends on nothing but earlier deals (the first five
rounds of Azul for two, Blockers! for three to five) it is the same at every table; later ones may differ, and the
match says up to which deal all tables were equal.
"""

from collections.abc import Sequence
from contextlib import suppress
from itertools import zip_longest

from msgspec import Struct
from sqlalchemy import select

from tessella.core.dice import fresh_seed
from tessella.core.game import Public, Seat
from tessella.server.entries import Pace
from tessella.server.host import Host, Room
from tessella.server.opening import Terms, fresh_id, open_table
from tessella.server.store.schema import games
from tessella.server.table import Refused, Table


class Compared(Public, frozen=True):
    """One player of a match: the own score against the mean of all who had the same seat and the same tiles."""

    game: str
    seat: Seat
    name: str
    score: int | None
    net: float | None


class MatchSeen(Public, frozen=True):
    """A match as anybody may see it."""

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


async def open_match(host: Host, rules: str, pace: Pace, tables: int) -> Match:
    """Set several tables with the same dice."""
    match_id, seed = fresh_id(), fresh_seed()
    terms = Terms(rules, pace, match=match_id, dice=match_id, seed=seed)
    return Match(match_id, tuple([await open_table(host, terms) for _ in range(tables)]))


async def find_match(host: Host, match_id: str) -> Match | None:
    """The match of that name."""
    rows = await host.store.run(select(games.c.id).where(games.c.match == match_id).order_by(games.c.opened))
    rooms = [room for row in rows if (room := await host.room(row["id"])) is not None]
    return Match(match_id, tuple(rooms)) if rooms and match_id else None


async def show_dice(host: Host, room: Room) -> bool:
    """Whether the dice of a table may be seen: those of a match as soon as its last table is over."""
    if room.table.shown or room.table.status != "over":
        return room.table.shown
    match = await find_match(host, room.table.terms.dice)
    if match is None or any(other.table.status != "over" for other in match.rooms):
        return False
    for other in match.rooms:
        with suppress(Refused):
            await host.append(other, "shown", lambda table, _: table.show())
    return True


def see_match(match: Match) -> MatchSeen:
    """How the players compare. Nothing of it is told before all tables are done: it would help who still plays."""
    tables = [room.table for room in match.rooms]
    over = all(table.status == "over" for table in tables)
    deals = [[act for act in table.acts if act.startswith("*")] for table in tables]
    return MatchSeen(
        id=match.id,
        games=tuple(table.id for table in tables),
        equal_deals=_equal(deals) if over else 0,
        all_deals=max(map(len, deals)) if over else 0,
        over=over,
        compared=tuple(_compare(tables)) if over else (),
    )


def _equal(deals: Sequence[Sequence[str]]) -> int:
    """How many deals, from the first on, were the same at every table."""
    equal = 0
    for column in zip_longest(*deals):
        if len(set(column)) > 1:
            break
        equal += 1
    return equal


def _compare(tables: Sequence[Table]) -> list[Compared]:
    compared: list[Compared] = []
    for seat in range(len(tables[0].chairs)):
        scores = [table.end.scores[seat] if table.end and table.end.scores else None for table in tables]
        known = [score for score in scores if score is not None]
        for table, score in zip(tables, scores, strict=True):
            net = None if score is None else round(score - sum(known) / len(known), 2)
            compared.append(Compared(table.id, seat, table.chairs[seat].name, score, net))
    return compared
