"""Paginated lists of tables: the games of a person, and the open tables that anyone may join.

Pagination is by cursor (`next`), so the hundredth page costs as much as the second. Both lists are read from an index;
neither scans all games.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import (
    ColumnElement,
    Select,
    Subquery,
    Text,
    case,
    cast,
    desc,
    exists,
    func,
    select,
    text,
    tuple_,
    union_all,
    update,
)
from sqlalchemy import Table as SQLTable
from sqlalchemy.sql.elements import KeyedColumnElement

from tessella.server.store import Row, Store
from tessella.server.store.schema import LISTED, LISTED_COLUMNS, games, results, seats

PAGE_SIZE = 50
MOST_TURNS = 1_000
"""All games where it is the person's turn are on the first page, unless there are more than this."""

MOST_OPEN = 1_000
"""How many open tables are considered; older ones are not listed until some of these are gone."""

MINE = "turn|other|over"
"""The sections of the list of a person's games, as a pattern."""
TURNS = "[0-9]{1,4}"
"""The sections of the list of open tables, as a pattern: everyone's first table, everyone's second, and so on."""

_Column = KeyedColumnElement[Any]


class Page(Struct, frozen=True):
    """Rows of a list, and the cursor of the next page if there is one."""

    rows: Sequence[Row]
    next: str | None


class BadCursor(ValueError):
    """The text is not a cursor of this list."""


class Cursor(Struct, frozen=True):
    """Where a page begins: after this game, in its section of the list."""

    part: str
    at: float
    game: str

    @classmethod
    def read(cls, given: str, parts: str) -> "Cursor":
        """Return the cursor that a page of a list with these sections gave as text; raise `BadCursor`.

        >>> Cursor.read("over~12.5~abc", MINE)
        Cursor(part='over', at=12.5, game='abc')
        """
        found = re.fullmatch(rf"({parts})~([0-9]{{1,12}}(?:\.[0-9]{{1,9}})?)~([A-Za-z0-9_-]{{1,64}})", given)
        if found is None:
            raise BadCursor("`before` must be the `next` of a page of this list")
        return cls(found[1], float(found[2]), found[3])

    def write(self) -> str:
        """Return the cursor as text, safe in a query string.

        >>> Cursor("over", 12.5, "abc").write()
        'over~12.5~abc'
        """
        return f"{self.part}~{self.at!r}~{self.game}"

    def precedes(self, at: _Column, game: _Column) -> ColumnElement[bool]:
        """Return the condition that a row comes after the cursor, newest first."""
        return tuple_(at, game) < tuple_(self.at, self.game)


# Who sits or sat at a table


def players(which: Callable[[SQLTable], ColumnElement[bool]]) -> Subquery:
    """Select game, seat and person of the players for whom a condition holds, given the table that has them.

    They are in `seats`; those of a sealed game only in `results`.
    """
    seated = exists().where(seats.c.game == results.c.game, seats.c.seat == results.c.seat)
    now = select(seats.c.game, seats.c.seat, seats.c.person).where(which(seats))
    then = select(results.c.game, results.c.seat, results.c.person).where(which(results), ~seated)
    return union_all(now, then).subquery("players")


# Games of a person

_MY_TURN = games.c.movers.contains(cast(seats.c.seat, Text))
"""Seats are single digits, so no seat number contains another."""


async def my_games(store: Store, ids: Sequence[str], before: Cursor | None) -> Page:
    """Return a page of a person's games: their turns, then other unfinished games, then finished ones."""
    part = before.part if before else "turn"
    turns = await store.run(_unfinished(ids, _MY_TURN, before, MOST_TURNS)) if part == "turn" else []
    if len(turns) > MOST_TURNS:
        return _page(turns, MOST_TURNS)
    rest = await store.run(_unfinished(ids, ~_MY_TURN, _within("other", before), PAGE_SIZE)) if part != "over" else []
    if stale := [str(row["id"]) for row in rest if row["status"] in ("over", "closed")]:
        await _note_end(store, stale)
        return await my_games(store, ids, before)
    if len(rest) > PAGE_SIZE:
        return _page([*turns, *rest], len(turns) + PAGE_SIZE)
    over = await store.run(_finished(ids, _within("over", before), PAGE_SIZE - len(rest)))
    return _page([*turns, *rest, *over], len(turns) + PAGE_SIZE)


def _page(rows: Sequence[Row], most: int) -> Page:
    """Return at most this many of the rows, and the cursor of the rest."""
    return Page(rows[:most], _cursor_at(rows[most - 1]).write() if len(rows) > most else None)


def _cursor_at(row: Row) -> Cursor:
    if row["ended"] is not None:
        return Cursor("over", row["ended"], row["id"])
    return Cursor("turn" if row["my_turn"] else "other", row["touched"], row["id"])


def _within(part: str, before: Cursor | None) -> Cursor | None:
    """Return the cursor if it is in this section of the list; otherwise the section is read from its beginning."""
    return before if before and before.part == part else None


def _unfinished(ids: Sequence[str], which: ColumnElement[bool], before: Cursor | None, most: int) -> Select[Any]:
    mine = select(games, seats.c.ended, _MY_TURN.label("my_turn")).join(seats, seats.c.game == games.c.id)
    wanted = mine.where(seats.c.person.in_(ids), seats.c.ended.is_(None), which)
    wanted = wanted.where(before.precedes(games.c.touched, games.c.id)) if before else wanted
    return wanted.order_by(games.c.touched.desc(), games.c.id.desc()).limit(most + 1)


def _finished(ids: Sequence[str], before: Cursor | None, most: int) -> Select[Any]:
    """Select the latest games of each id by the index, then the latest of these, so that no query sorts all of them.

    A sealed game has results but no seats, a closed one seats but no results, most others both.
    """
    each = [select(_finished_as(one, table, before, most).subquery()) for one in ids for table in (seats, results)]
    both = union_all(*each).subquery()
    once = select(both.c.game, func.max(both.c.ended).label("ended")).group_by(both.c.game)
    page = once.order_by(desc("ended"), both.c.game.desc()).limit(most + 1).subquery()
    whole = select(*LISTED_COLUMNS, page.c.ended).join(page, page.c.game == games.c.id)
    return whole.order_by(page.c.ended.desc(), page.c.game.desc())


def _finished_as(person: str, table: SQLTable, before: Cursor | None, most: int) -> Select[Any, Any]:
    ended, game = table.c.ended, table.c.game
    mine = select(game, ended).where(table.c.person == person, ended.is_not(None))
    mine = mine.where(before.precedes(ended, game)) if before else mine
    return mine.order_by(ended.desc(), game.desc()).limit(most + 1)


async def _note_end(store: Store, ids: Sequence[str]) -> None:
    """Mark games as over that a worker of an older version ended without doing so."""
    when = select(games.c.touched).where(games.c.id == seats.c.game).scalar_subquery()
    await store.run(update(seats).where(seats.c.game.in_(ids), seats.c.ended.is_(None)).values(ended=when))


# Tables of some people that anyone may see

PUBLIC = ((games.c.status == "open") & games.c.listed) | (
    games.c.status.in_(("dice", "playing", "paused")) & (games.c.match == "") & (games.c.listed | games.c.rated)
)
"""Tables that anyone may join, and games that began as such or that count; others are known to those with a link."""

MOST_OF_FOLLOWED = 12


async def tables_of(store: Store, ids: Select[str]) -> Sequence[Row]:
    """Return the public unfinished tables at which some people sit: first those with a free seat, the newest first."""
    here = select(seats.c.game).where(seats.c.person.in_(ids), seats.c.ended.is_(None))
    found = select(games).where(games.c.id.in_(here), PUBLIC)
    is_open = case((games.c.status == "open", 0), else_=1)
    return await store.run(found.order_by(is_open, games.c.touched.desc(), games.c.id).limit(MOST_OF_FOLLOWED))


# Open tables


async def open_tables(store: Store, before: Cursor | None) -> Page:
    """Return a page of the open tables that anyone may join, newest first, in rounds.

    Each creator has one table per round, so no flood of tables hides the others. Guests of one subnet share one place
    per round. Only the newest tables are considered, so the cost does not grow with their number.
    """
    ranked = _in_turns().subquery()
    order = (ranked.c.turn, ranked.c.touched.desc(), ranked.c.id.desc())
    page = select(ranked.c.id, ranked.c.turn).order_by(*order).limit(PAGE_SIZE + 1)
    if before:
        same = (ranked.c.turn == int(before.part)) & before.precedes(ranked.c.touched, ranked.c.id)
        page = page.where((ranked.c.turn > int(before.part)) | same)
    chosen = page.subquery()
    whole = select(games, chosen.c.turn).join(chosen, chosen.c.id == games.c.id)
    rows = await store.run(whole.order_by(chosen.c.turn, games.c.touched.desc(), games.c.id.desc()))
    last = rows[PAGE_SIZE - 1] if len(rows) > PAGE_SIZE else None
    following = Cursor(str(last["turn"]), last["touched"], last["id"]).write() if last else None
    return Page(rows[:PAGE_SIZE], following)


def _in_turns() -> Select[Any, Any, Any]:
    """Select the newest open tables, with the round in which each is listed."""
    columns = (games.c.id, games.c.touched, games.c.creator, games.c.origin)
    newest = select(*columns).where(text(LISTED)).order_by(games.c.touched.desc()).limit(MOST_OPEN).subquery()
    own = _turn(newest, func.coalesce(_known(newest.c.creator), newest.c.id))
    owned = select(newest, own.label("own")).subquery()
    whose = func.coalesce(_known(owned.c.origin), _known(owned.c.creator), owned.c.id)
    return select(owned.c.id, owned.c.touched, _turn(owned, whose, owned.c.own).label("turn"))


def _turn(tables: Subquery, whose: ColumnElement[str], *first: ColumnElement[int]) -> ColumnElement[int]:
    """Return the rank of a table among those of the same person or subnet."""
    order = (*first, tables.c.touched.desc(), tables.c.id.desc())
    return func.row_number().over(partition_by=whose, order_by=order)


def _known(column: ColumnElement[str]) -> ColumnElement[str]:
    return func.nullif(column, "")
