"""Whose turn it is in correspondence games, and the news that this makes.

A turn is known by the player's last move before it: offers and other entries in the log do not make another one. So the
same news can be written down by several workers, or again after a restart, and exist once.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from sqlalchemy import Executable, case, func, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite writes it the same way

from tessella.core.game import Seat
from tessella.server.services.news.channels import read_preferences
from tessella.server.services.news.timing import HOUR_SECONDS, reminder_time
from tessella.server.store import Row, Store
from tessella.server.store.schema import CORRESPONDENCE, channels, entries, games, invitations, news, people, seats

GRACE_SECONDS = 20.0
"""Players who move within this time are not notified."""

PAGE_ROWS = 200
"""Games per query."""

MOST_IN_A_QUERY = 1_000

MOVE_OF_SEAT = '{{"type":"played","seat":{},%'
"""How the moves of a seat begin in the log."""


class Turn(Struct, frozen=True):
    """The turn of a player in a correspondence game. `number` is that of their last move; 0 before the first."""

    game: str
    title: str
    person: str
    seat: Seat
    number: int
    touched: float
    deadline: float | None


Turns: TypeAlias = Mapping[tuple[str, str], Turn]
"""Turns by person and game."""


async def turns_at(store: Store, ids: Iterable[str]) -> Turns:
    """Return all turns in these games that are correspondence games in progress."""
    found: dict[tuple[str, str], Turn] = {}
    wanted = sorted({*ids})
    for start in range(0, len(wanted), MOST_IN_A_QUERY):
        some = games.c.id.in_(wanted[start : start + MOST_IN_A_QUERY])
        found |= await _turns(store, await store.run(select(*_GAME).where(CORRESPONDENCE, some)))
    return found


NO_SEAT: Seat = -1


async def invitations_at(store: Store, wanted: Collection[tuple[str, str]]) -> Turns:
    """Return those of these invitations, by person and game, that still stand; the table waits for the person."""
    stands = (invitations.c.game == games.c.id) & (games.c.status == "open")
    found = select(invitations.c.person, *_GAME).select_from(invitations).join(games, stands)
    keys = tuple_(invitations.c.person, invitations.c.game).in_(sorted(wanted))
    rows = await store.run(found.where(keys)) if wanted else []
    return {
        (row["person"], row["game"]): Turn(row["game"], row["title"], row["person"], NO_SEAT, 0, row["touched"], None)
        for row in rows
    }


_GAME = (
    games.c.id.label("game"),
    games.c.touched,
    games.c.deadline,
    games.c.game.label("title"),
    games.c.movers,
)


async def _turns(store: Store, page: Sequence[Row]) -> Turns:
    """Return the turns in these games."""
    known = {row["game"]: row for row in page}
    person = func.coalesce(people.c.member, people.c.id).label("person")
    sitters = select(seats.c.game, seats.c.seat, person).join(people, people.c.id == seats.c.person)
    rows = await store.run(sitters.where(seats.c.game.in_(list(known))))
    movers = [row for row in rows if str(row["seat"]) in known[row["game"]]["movers"].split(",")]
    last = await _last_moves(store, movers)
    return {
        (row["person"], row["game"]): Turn(
            row["game"],
            known[row["game"]]["title"],
            row["person"],
            row["seat"],
            last.get((row["game"], row["seat"]), 0),
            known[row["game"]]["touched"],
            known[row["game"]]["deadline"],
        )
        for row in movers
    }


async def _last_moves(store: Store, movers: Sequence[Row]) -> dict[tuple[str, Seat], int]:
    """Return the number of the last move of each seat that has moved."""
    by_seat: dict[Seat, list[str]] = defaultdict(list)
    for row in movers:
        by_seat[row["seat"]].append(row["game"])
    found: dict[tuple[str, Seat], int] = {}
    for seat, ids in by_seat.items():
        moves = entries.c.game.in_(ids) & entries.c.body.like(MOVE_OF_SEAT.format(seat))
        last = select(entries.c.game, func.max(entries.c.number).label("number")).where(moves)
        for row in await store.run(last.group_by(entries.c.game)):
            found[row["game"], seat] = row["number"]
    return found


# Writing down what there is to say


async def write_news(store: Store, since: float, until: float) -> int:
    """Write down the news of all turns that began in this time; return how many were looked at."""
    last: tuple[float, str] = (since, "")
    looked = 0
    while page := await store.run(_recent_moves(last, until)):
        looked += await _write_page(store, await _turns(store, page))
        last = (page[-1]["touched"], page[-1]["game"])
    return looked


def _recent_moves(after: tuple[float, str], until: float) -> Executable:
    """Select the next correspondence games with recent moves, the oldest first."""
    touched, game = games.c.touched, games.c.id
    lately = touched.between(after[0], until) & (tuple_(touched, game) > tuple_(*after))
    return select(*_GAME).where(CORRESPONDENCE, lately).order_by(touched, game).limit(PAGE_ROWS)


async def _write_page(store: Store, turns: Turns) -> int:
    """Write down the news of a page of turns."""
    by_person: dict[str, list[Turn]] = defaultdict(list)
    for turn in turns.values():
        by_person[turn.person].append(turn)
    now = await store.now()
    hears = channels.c.turns | (channels.c.reminder_hours > 0)
    here = channels.c.person.in_(list(by_person)) & channels.c.confirmed.is_not(None) & hears
    rows = [
        row
        for channel in await store.run(select(channels).where(here))
        for turn in by_person[channel["person"]]
        if channel["made"] < turn.touched
        for row in _news(channel, turn, now)
    ]
    await _store_new(store, rows)
    return len(rows)


def _news(channel: Row, turn: Turn, now: float) -> Iterable[dict[str, Any]]:
    row = {"channel": channel["id"], "game": turn.game, "number": turn.number, "person": turn.person}
    if channel["turns"]:
        yield {**row, "kind": "turn", "due": turn.touched + GRACE_SECONDS, "state": "waiting"}
    if channel["reminder_hours"] and turn.deadline is not None:
        is_ahead = turn.deadline - channel["reminder_hours"] * HOUR_SECONDS > now
        at = reminder_time(read_preferences(channel), turn.deadline, now)
        if is_ahead:
            yield {**row, "kind": "reminder", "due": at, "state": "waiting"}


async def _store_new(store: Store, rows: Sequence[dict[str, Any]]) -> None:
    """Store the news that are not known yet, and let a worker look at their channels when the first is due.

    The channels are locked first, and in order, as by workers that deliver, so that no two wait for each other.
    """
    for start in range(0, len(rows), PAGE_ROWS):
        page = rows[start : start + PAGE_ROWS]
        keys = [tuple(row[column.name] for column in _KEY) for row in page]
        known = await store.run(select(*_KEY).where(tuple_(*_KEY).in_(keys)))
        seen = {tuple(row.values()) for row in known}
        if new := [row for row, key in zip(page, keys, strict=True) if key not in seen]:
            ids = sorted({row["channel"] for row in new})
            await store.run(lock(ids), upsert(news).values(new).on_conflict_do_nothing(), _look_when_due(ids))


_KEY = (news.c.channel, news.c.kind, news.c.game, news.c.number)


def lock(ids: Sequence[str]) -> Executable:
    """Return the statement that locks channels until the end of the transaction; what follows sees them as they are."""
    return select(channels.c.id).where(channels.c.id.in_(ids)).order_by(channels.c.id).with_for_update()


def _look_when_due(ids: Sequence[str]) -> Executable:
    """Let a worker look at channels when their first news are due, or before if it meant to."""
    waits = (news.c.channel == channels.c.id) & news.c.done.is_(None)
    first = select(func.min(news.c.due)).where(waits).scalar_subquery()
    sooner = case((channels.c.due < first, channels.c.due), else_=first)
    return update(channels).where(channels.c.id.in_(ids)).values(due=sooner)
