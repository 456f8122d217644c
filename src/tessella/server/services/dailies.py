"""The table of a daily deal: how everybody fared, one's own place in it, and streaks."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Literal

from sqlalchemy import ColumnElement, func, select, tuple_
from sqlalchemy.sql.functions import count

from tessella.core.game import Public
from tessella.games import GAMES
from tessella.server.people.identity import DELETED, Person
from tessella.server.rooms.daily import DAY_SECONDS, Deal, commitment_of, day_at, find_try, is_of, seed_of, tomorrow
from tessella.server.store import Row, Store
from tessella.server.store.schema import daily_tries, people

MOST_ROWS = 50
MOST_STREAK_DAYS = 1_000

COUNTS = daily_tries.c.counts
WORST = -1_000_000
"""The margin of a game that was resigned, below every other."""
_margin = func.coalesce(daily_tries.c.margin, WORST)


class DailyTry(Public, frozen=True):
    """Your try at a daily deal; `ranked` if it counts, and then its rank and the percentage of others it beat."""

    game: str
    status: Literal["playing", "over"]
    place: int | None = None
    score: int | None = None
    other: int | None = None
    ranked: bool = False
    rank: int = 0
    better_than: int | None = None


class DailyDeal(Public, frozen=True):
    """A daily deal: the level of the bot, the commitment to its seed and to that of the next day, and your try."""

    title: str
    level: str
    commitment: str
    next_commitment: str
    tries: int
    """How many members have finished it."""
    yours: DailyTry | None


class DailyDeals(Public, frozen=True):
    """The deals of a day, when they close, and on how many days in a row you have finished one."""

    day: str
    ends: float
    closes: float
    deals: tuple[DailyDeal, ...]
    streak: int
    best_streak: int


class DailyRow(Public, frozen=True):
    """One member in the table of a deal."""

    rank: int
    person: str
    name: str
    place: int
    score: int | None
    other: int | None


class DailyTable(Public, frozen=True):
    """How everybody fared at a deal. The rows are shown to those who have finished their try, or when it is closed.

    `seed` is empty until then.
    """

    day: str
    title: str
    level: str
    rules: str
    dice: str
    """The id that the dice are made for; see the documentation of the fair dice."""
    commitment: str
    seed: str
    closes: float
    open: bool
    """Whether a try can be begun now."""
    shown: bool
    tries: int
    guests: int
    """How many guests have finished it; they are not ranked."""
    rows: tuple[DailyRow, ...]
    yours: DailyTry | None


async def deals_at(store: Store, now: float, person: Person | None) -> DailyDeals:
    """Return the deals of today."""
    deals = [Deal(title, day_at(now)) for title in GAMES]
    seen = [
        DailyDeal(
            title=deal.title,
            level=deal.level,
            commitment=await commitment_of(store, deal),
            next_commitment=await commitment_of(store, tomorrow(deal)),
            tries=await _number(store, is_of(deal) & COUNTS),
            yours=await _try_of(store, deal, person),
        )
        for deal in deals
    ]
    days = await _days_of(store, person) if person else []
    first = deals[0]
    return DailyDeals(
        day=first.day.isoformat(),
        ends=first.begins + DAY_SECONDS,
        closes=first.closes,
        deals=tuple(seen),
        streak=streak(days, first.day),
        best_streak=best_streak(days),
    )


async def table_of(store: Store, deal: Deal, now: float, person: Person | None) -> DailyTable:
    """Return the table of a deal, as a person may see it."""
    yours, closed = await _try_of(store, deal, person), now >= deal.closes
    shown = closed or (yours is not None and yours.status == "over")
    return DailyTable(
        day=deal.day.isoformat(),
        title=deal.title,
        level=deal.level,
        rules=deal.rules,
        dice=deal.dice,
        commitment=await commitment_of(store, deal),
        seed=(await seed_of(store, deal)).hex() if closed else "",
        closes=deal.closes,
        open=day_at(now) == deal.day,
        shown=shown,
        tries=await _number(store, is_of(deal) & COUNTS),
        guests=await _number(store, is_of(deal) & ~daily_tries.c.member & daily_tries.c.place.is_not(None)),
        rows=await _rows(store, deal) if shown else (),
        yours=yours,
    )


async def _rows(store: Store, deal: Deal) -> tuple[DailyRow, ...]:
    columns = (daily_tries.c.person, people.c.name, daily_tries.c.place, daily_tries.c.score, daily_tries.c.other)
    best = select(*columns, _margin.label("margin")).join(people, people.c.id == daily_tries.c.person)
    wanted = best.where(is_of(deal), COUNTS, people.c.name != DELETED)
    rows = await store.run(wanted.order_by(daily_tries.c.place, _margin.desc(), daily_tries.c.ended).limit(MOST_ROWS))
    return tuple(
        DailyRow(rank, row["person"], row["name"], row["place"], row["score"], row["other"])
        for rank, row in zip(_ranks(rows), rows, strict=True)
    )


def _ranks(rows: Sequence[Row]) -> list[int]:
    """Return the rank of each row; equal results share one."""
    keys = [(row["place"], row["margin"]) for row in rows]
    return [keys.index(key) + 1 for key in keys]


async def _try_of(store: Store, deal: Deal, person: Person | None) -> DailyTry | None:
    row = await find_try(store, deal, person) if person else None
    if row is None:
        return None
    if row["ended"] is None:
        return DailyTry(row["game"], "playing")
    result = DailyTry(row["game"], "over", row["place"], row["score"], row["other"])
    if row["place"] is None:
        return result
    margin = WORST if row["margin"] is None else row["margin"]
    here = tuple_(daily_tries.c.place, -_margin)
    others = is_of(deal) & COUNTS & (daily_tries.c.person != row["person"])
    better = await _number(store, others & (here < tuple_(row["place"], -margin)))
    equal = await _number(store, others & (here == tuple_(row["place"], -margin)))
    total = await _number(store, others)
    beaten = round(100 * (total - better - equal / 2) / total) if total else None
    return DailyTry(
        row["game"], "over", row["place"], row["score"], row["other"], bool(row["counts"]), better + 1, beaten
    )


async def _number(store: Store, which: ColumnElement[bool]) -> int:
    (row,) = await store.run(select(count().label("n")).select_from(daily_tries).where(which))
    return int(row["n"])


# Streaks


async def _days_of(store: Store, person: Person) -> list[date]:
    """Return the days on which a person has finished a deal, the latest first."""
    mine = daily_tries.c.person.in_(person.ids) & daily_tries.c.place.is_not(None)
    days = select(daily_tries.c.day).distinct().where(mine).order_by(daily_tries.c.day.desc()).limit(MOST_STREAK_DAYS)
    return [date.fromisoformat(row["day"]) for row in await store.run(days)]


def streak(days: Sequence[date], today: date) -> int:
    """Return the number of days in a row up to today, or up to yesterday if today may still come.

    >>> streak([date(2026, 11, 16), date(2026, 11, 15), date(2026, 11, 12)], date(2026, 11, 17))
    2
    """
    found, number = set(days), 0
    day = today if today in found else today - timedelta(days=1)
    while day in found:
        number, day = number + 1, day - timedelta(days=1)
    return number


def best_streak(days: Sequence[date]) -> int:
    """Return the largest number of days in a row.

    >>> best_streak([date(2026, 11, 16), date(2026, 11, 14), date(2026, 11, 13)])
    2
    """
    found = set(days)
    starts = [day for day in found if day + timedelta(days=1) not in found]
    return max((streak(days, day) for day in starts), default=0)
