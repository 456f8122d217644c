"""Results and ratings of finished games.

Ratings are Weng–Lin's (the Plackett–Luce model of openskill), one per person, game and number of players. The
displayed rating starts at 1500; a lead of 200 points wins three games of four.

**Which games count.** Games opened as rated and not aborted, with at least one member and otherwise members and bot
accounts, none of them deleted; not with one's own bot; at most ten games of the same two people per day. A player who
resigned, or left the seat to a bot until the end, is placed last. Games of bot accounts without a member count on their
own ladder: see `services.ladder`.

**Seat advantage.** The first seat may be better than the others. For each game, number of players and seat we add up
the actual scores minus the expected ones (1 for beating all others, 0 for none). The mean, shrunk towards zero as if a
hundred even games had come before, is added to the rating of that seat during the game, so a better seat must win more.

**Strength by points.** Beside the rating by results stands an estimate from the margins of the same games, which needs
fewer games (see `coach.skill`). It is shown, and decides nothing.

**Exactly once.** Game and seat are the primary key of a result, and a rated result is the person's nth of its kind.
Both are written with the new ratings in one transaction, so a second writer fails, and computes again from the newer
ratings if the game still has no results.
"""

import asyncio
import logging
from collections.abc import Collection, Coroutine, Mapping, Sequence
from types import TracebackType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Executable, Select, case, func, insert, select, tuple_, union_all, update
from sqlalchemy import Table as SQLTable
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite writes it the same way

from tessella.coach.skill import GIVEN_UP, Strength, margins, updated
from tessella.core.game import Public, Seat, places
from tessella.server.people.identity import DELETED
from tessella.server.rooms.daily import result_of as daily_result
from tessella.server.rooms.history import read_finished, time_of
from tessella.server.rooms.host import Host
from tessella.server.rooms.room import Room
from tessella.server.services import ladder
from tessella.server.services.rating_model import (
    MOST_RATED_GAMES_PER_PAIR,
    Sitter,
    Skill,
    actual_scores,
    expected_scores,
    rate,
    seat_term,
    skill_of,
)
from tessella.server.store import Row, Store
from tessella.server.store.errors import CLASHES, STORE_ERRORS
from tessella.server.store.schema import UNRECORDED, games, people, ratings, results, seat_terms
from tessella.table.clock import DAY_SECONDS
from tessella.table.history import ends
from tessella.table.table import AppliedEntry, Occupant, Table

log = logging.getLogger(__name__)

MOST_ATTEMPTS = 60
"""Each failed attempt means that another worker succeeded."""


# Places and margins


def final_places(table: Table) -> tuple[int, ...]:
    """Return the places for the rating: a player who resigned or was replaced by a bot comes last."""
    assert table.end is not None
    pairs = zip(table.seats, table.end.places, strict=True)
    return places([(0, 0) if gave_up(occupant) else (1, -place) for occupant, place in pairs])


def gave_up(occupant: Occupant) -> bool:
    """Return whether the player resigned or was replaced by a bot."""
    return occupant.resigned or bool(occupant.level and not occupant.is_bot)


def margins_of(table: Table) -> list[float]:
    """Return each seat's margin; a player who resigned or was replaced by a bot lost clearly."""
    assert table.end is not None
    if not table.end.scores:  # one of two players resigned
        return [GIVEN_UP if place == 1 else -GIVEN_UP for place in table.end.places]
    seen = margins(table.game.NAME, table.end.scores)
    left = [gave_up(one) for one in table.seats]
    lost = [min(margin, -GIVEN_UP) if gone else margin for margin, gone in zip(seen, left, strict=True)]
    if len(lost) > 2 or left.count(True) != 1:
        return lost
    worst = lost[left.index(True)]
    return [worst if gone else -worst for gone in left]


# Recording the results of a game


async def record_results(store: Store, table: Table, ended: float) -> bool:
    """Store the results of a game, and the new ratings if it was rated; return False if they were stored already."""
    for _ in range(MOST_ATTEMPTS):
        if await _with_results(store, [table.id]):
            await store.run(_mark_recorded([table.id]))
            return False
        try:
            statements = await _statements(store, table, ended)
            daily = daily_result(table, ended)
            await store.run(*statements, *([] if daily is None else [daily]), _mark_recorded([table.id]))
        except CLASHES:
            continue
        return True
    raise TimeoutError(f"results of game {table.id} not recorded after {MOST_ATTEMPTS} attempts")


async def _with_results(store: Store, ids: Sequence[str]) -> set[str]:
    """Return those of the games whose results are stored."""
    rows = await store.run(select(results.c.game).distinct().where(results.c.game.in_(ids)))
    return {str(row["game"]) for row in rows}


def _mark_recorded(ids: Collection[str]) -> Executable:
    """Mark games whose results are stored, except those that another transaction has locked; they follow later.

    Rows of games are locked last and without waiting, so there is no deadlock.
    """
    free = select(games.c.id).where(games.c.id.in_(ids)).with_for_update(skip_locked=True)
    return update(games).where(games.c.id.in_(free.scalar_subquery())).values(recorded=True)


async def _statements(store: Store, table: Table, ended: float) -> list[Executable]:
    """Return the statements that store the results of a finished game."""
    assert table.end is not None
    sitters = await _sitters(store, table)
    ranks = final_places(table) if table.end.places else None
    rows = [_result(table, seat, sitter, ended, ranks) for seat, sitter in enumerate(sitters)]
    if ranks is None:
        return [insert(results).values(rows)]
    if not await _is_rated(store, table, sitters, ended):
        on_ladder = await ladder.statements(store, table, sitters, ranks, await _terms(store, table), ended)
        return [insert(results).values(rows), *on_ladder]
    known = await _ratings(store, table, sitters)
    skills = [skill_of(row) if row else Skill() for row in known]
    after = rate(skills, ranks, await _terms(store, table))
    by_points = updated([strength_of(row) if row else Strength() for row in known], margins_of(table))
    for row, skill in zip(rows, after, strict=True):
        row.update(nth=skill.played, mu=skill.mu, sigma=skill.sigma)
    strengths = {str(row["person"]): strength for row, strength in zip(rows, by_points, strict=True)}
    # The rows are locked in this order, which is the same for every worker, so there is no deadlock.
    in_order = sorted(rows, key=lambda row: str(row["person"]))
    surplus = [got - due for got, due in zip(actual_scores(ranks), expected_scores(skills), strict=True)]
    kept = [_keep_rating(row, strengths[str(row["person"])]) for row in in_order]
    return [insert(results).values(in_order), *kept, *_keep_terms(table, surplus)]


def _result(
    table: Table, seat: Seat, sitter: Sitter, ended: float, ranks: tuple[int, ...] | None
) -> dict[str, str | int | float | None]:
    assert table.end is not None
    return {
        "game": table.id,
        "seat": seat,
        "person": sitter.person,
        "title": table.game.NAME,
        "seats": len(table.seats),
        "place": ranks[seat] if ranks else None,
        "score": table.end.scores[seat] if table.end.scores else None,
        "ended": ended,
        "nth": None,
        "mu": None,
        "sigma": None,
    }


async def _sitters(store: Store, table: Table) -> list[Sitter]:
    ids = [occupant.player for occupant in table.seats]
    member = people.alias("member")
    person, kind, owner, name = (func.coalesce(member.c[one], people.c[one]) for one in ("id", "kind", "owner", "name"))
    now = case((name == DELETED, "deleted"), else_=kind)  # the ratings of the deleted are gone, and begin no more
    known = select(people.c.id, person.label("person"), now.label("kind"), owner.label("owner"))
    rows = await store.run(known.outerjoin(member, member.c.id == people.c.member).where(people.c.id.in_(ids)))
    found = {row["id"]: Sitter(row["person"], row["kind"], row["owner"]) for row in rows}
    return [found.get(each, Sitter(each, "computer")) for each in ids]


async def _is_rated(store: Store, table: Table, sitters: Sequence[Sitter], ended: float) -> bool:
    kinds = {sitter.kind for sitter in sitters}
    if not table.terms.rated or not kinds <= {"member", "bot"} or "member" not in kinds:
        return False
    minds = [sitter.owner or sitter.person for sitter in sitters]
    return len(set(minds)) == len(minds) and not await _met_too_often(store, sitters, ended)


async def _met_too_often(store: Store, sitters: Sequence[Sitter], ended: float) -> bool:
    ids = [sitter.person for sitter in sitters]
    one, other = results.alias("one"), results.alias("other")
    met = (
        select(func.count().label("n"))
        .select_from(one.join(other, (one.c.game == other.c.game) & (one.c.person < other.c.person)))
        .where(
            one.c.person.in_(ids), other.c.person.in_(ids), one.c.nth.is_not(None), one.c.ended > ended - DAY_SECONDS
        )
        .group_by(one.c.person, other.c.person)
    )
    return any(row["n"] >= MOST_RATED_GAMES_PER_PAIR for row in await store.run(met))


async def _ratings(store: Store, table: Table, sitters: Sequence[Sitter]) -> list[Row | None]:
    ids = [sitter.person for sitter in sitters]
    rows = await store.run(_kind_of(ratings, table).where(ratings.c.person.in_(ids)))
    known = {row["person"]: row for row in rows}
    return [known.get(each) for each in ids]


async def _terms(store: Store, table: Table) -> list[float]:
    rows = {row["seat"]: row for row in await store.run(_kind_of(seat_terms, table))}
    count = len(table.seats)
    known = {seat: seat_term(count, row["surplus"], row["games"]) for seat, row in rows.items()}
    return [known.get(seat, 0.0) for seat in range(count)]


def _kind_of(source: SQLTable, table: Table) -> Select[Any]:
    return select(source).where(source.c.title == table.game.NAME, source.c.seats == len(table.seats))


def strength_of(row: Row) -> Strength:
    """Return the strength by points in a row of `ratings`."""
    return Strength() if row["points_mean"] is None else Strength(row["points_mean"], row["points_variance"])


def _keep_rating(row: Mapping[str, str | int | float | None], strength: Strength) -> Executable:
    new = {"mu": row["mu"], "sigma": row["sigma"], "played": row["nth"]}
    new |= {"points_mean": strength.mean, "points_variance": strength.variance}
    key = {name: row[name] for name in ("person", "title", "seats")}
    return upsert(ratings).values({**key, **new}).on_conflict_do_update(index_elements=list(key), set_=new)


def _keep_terms(table: Table, surplus: Sequence[float]) -> list[Executable]:
    key = ("title", "seats", "seat")
    kept: list[Executable] = []
    for seat, more in enumerate(surplus):
        row = {"title": table.game.NAME, "seats": len(table.seats), "seat": seat, "games": 1, "surplus": more}
        new = upsert(seat_terms).values(row)
        both = {name: seat_terms.c[name] + new.excluded[name] for name in ("games", "surplus")}
        kept.append(new.on_conflict_do_update(index_elements=list(key), set_=both))
    return kept


# Finding finished games

SWEEP_SECONDS = 20.0
PAGE_GAMES = 100
RETRY_SECONDS = 60.0
"""The delay before the next attempt at a game that failed; it doubles each time, up to a day."""


class ResultRecorder:
    """Records results while the block runs: of games that end here at once, of games missed in a crash soon after."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self._tasks: set[asyncio.Task[None]] = set()
        self._clock = asyncio.get_running_loop().time
        self._set_aside: dict[str, Retry] = {}

    async def __aenter__(self) -> "ResultRecorder":
        self.host.listeners.append(self._noticed)
        self._start(self._sweep_forever())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.host.listeners.remove(self._noticed)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _noticed(self, room: Room, entries: list[AppliedEntry]) -> None:
        for applied in entries:
            if ends(applied.entry) and room.table.started:
                self._start(self._record(room.table, applied.number))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (exc := task.exception()) is not None:
            log.warning("results postponed", exc_info=exc)

    async def _record(self, table: Table, number: int) -> None:
        await record_results(self.host.store, table, await time_of(self.host.store, table.id, number))

    async def _sweep_forever(self) -> None:
        while True:
            try:
                await self.sweep()
            except (*STORE_ERRORS, TimeoutError):
                log.warning("results postponed", exc_info=True)
            await asyncio.sleep(SWEEP_SECONDS)

    async def sweep(self) -> int:
        """Record the results of all finished games without any, the oldest first; return the number of games."""
        count, last = 0, None
        while rows := await self.host.store.run(_unrecorded_after(last)):
            count += await self._record_page([str(row["id"]) for row in rows])
            last = rows[-1]
        return count

    async def _record_page(self, ids: Sequence[str]) -> int:
        """Record the results of these games; an earlier version may have stored some without marking the games."""
        known = await _with_results(self.host.store, ids)
        if known:
            await self.host.store.run(_mark_recorded(known))
        return sum([await self._record_missed(each) for each in ids if each not in known])

    async def _record_missed(self, game_id: str) -> bool:
        """Record the results of a game from its log; set an unreadable one aside, so that the others go on."""
        before = self._set_aside.get(game_id)
        if before is not None and self._clock() < before.at:
            return False
        try:
            done = await read_finished(self.host.store, game_id)
            if done is None:
                raise LookupError("the log of a finished game has no end")
            is_new = await record_results(self.host.store, done.table, done.ended)
        except Exception as exc:
            seconds = min(2 * before.seconds, DAY_SECONDS) if before else RETRY_SECONDS
            self._set_aside[game_id] = Retry(self._clock() + seconds, seconds)
            log.exception("results not recorded", extra={"game": game_id})
            if isinstance(exc, (OSError, TimeoutError)):  # the store is unavailable: the next page would fail too
                raise
            return False
        self._set_aside.pop(game_id, None)
        return is_new


class Retry(Struct, frozen=True):
    """When a failed game is tried again, and the delay that led to that time."""

    at: float
    seconds: float


def _unrecorded_after(last: Row | None) -> Executable:
    """Select the next page of finished games without results."""
    page = select(games.c.id, games.c.touched).where(UNRECORDED).order_by(games.c.touched, games.c.id).limit(PAGE_GAMES)
    place = tuple_(games.c.touched, games.c.id)
    return page if last is None else page.where(place > tuple_(last["touched"], last["id"]))


# Views


class RankView(Public, frozen=True):
    """A line of a leaderboard."""

    id: str
    name: str
    kind: str
    rating: int
    played: int


class RatingView(Public, frozen=True):
    """A rating in one game with a number of players; `by_points` is the strength by points, with its standard error."""

    title: str
    seats: int
    rating: int
    played: int
    by_points: int | None = None
    error: int | None = None


class RatedGame(Public, frozen=True):
    """A rated game of a player, and the rating after it."""

    game: str
    title: str
    seats: int
    place: int
    score: int | None
    ended: float
    rating: int


class MetGame(Public, frozen=True):
    """A game of two people with each other, and their places."""

    game: str
    title: str
    seats: int
    ended: float
    mine: int
    theirs: int


class Against(Public, frozen=True):
    """Your finished games against another person: how often you came before, tied and came after, and the latest."""

    won: int
    tied: int
    lost: int
    latest: tuple[MetGame, ...]


MOST_MET = 300
MOST_LATEST = 10
"""Among how many of one's latest games those with another person are counted, and how many of them are listed."""


async def head_to_head(store: Store, mine: Sequence[str], theirs: Sequence[str]) -> Against:
    """Return the results of the games that two people, known by all their ids, have played with each other."""
    latest_first = select(results).where(results.c.person.in_(mine)).order_by(results.c.ended.desc()).limit(MOST_MET)
    one, other = latest_first.subquery("one"), results.alias("other")
    places = (one.c.place.label("mine"), other.c.place.label("theirs"))
    met = select(one.c.game, one.c.title, one.c.seats, one.c.ended, *places)
    met = met.select_from(one.join(other, one.c.game == other.c.game))
    both = other.c.person.in_(theirs) & one.c.place.is_not(None)
    rows = await store.run(met.where(both).order_by(one.c.ended.desc(), one.c.game))
    won = sum(row["mine"] < row["theirs"] for row in rows)
    tied = sum(row["mine"] == row["theirs"] for row in rows)
    latest = tuple(
        MetGame(row["game"], row["title"], row["seats"], row["ended"], row["mine"], row["theirs"])
        for row in rows[:MOST_LATEST]
    )
    return Against(won, tied, len(rows) - won - tied, latest)


async def leaders(store: Store, title: str, seats: int, most: int = 100) -> tuple[RankView, ...]:
    """Return the strongest players of a game with this number of players."""
    best = (
        select(ratings, people.c.name, people.c.kind)
        .join(people, people.c.id == ratings.c.person)
        .where(ratings.c.title == title, ratings.c.seats == seats)
        .order_by(ratings.c.strength.desc(), ratings.c.person)
        .limit(most)
    )
    rows = await store.run(best)
    return tuple(RankView(r["person"], r["name"], r["kind"], skill_of(r).points, r["played"]) for r in rows)


async def ratings_of(store: Store, person_id: str) -> tuple[RatingView, ...]:
    """Return all ratings of a person."""
    mine = select(ratings).where(ratings.c.person == person_id).order_by(ratings.c.title, ratings.c.seats)
    rows = await store.run(mine)
    return tuple(_rating_view(row) for row in rows)


def _rating_view(row: Row) -> RatingView:
    shown = RatingView(row["title"], row["seats"], skill_of(row).points, row["played"])
    if row["points_mean"] is None:
        return shown
    strength = strength_of(row)
    return replace(shown, by_points=strength.points, error=strength.error)


async def rated_games_of(store: Store, person_id: str, most: int = 50) -> tuple[RatedGame, ...]:
    """Return the latest rated games of a person, the newest first; unrated games are private.

    Those of each kind are numbered, so that the latest are read from the index of these numbers.
    """
    kinds = await store.run(select(ratings.c.title, ratings.c.seats).where(ratings.c.person == person_id))
    if not kinds:
        return ()
    latest = union_all(*(select(_latest_rated(person_id, kind, most).subquery()) for kind in kinds)).subquery()
    rows = await store.run(select(latest).order_by(latest.c.ended.desc()).limit(most))
    return tuple(
        RatedGame(r["game"], r["title"], r["seats"], r["place"], r["score"], r["ended"], _rating_after(r)) for r in rows
    )


def _latest_rated(person_id: str, kind: Row, most: int) -> Select[Any]:
    same = (results.c.person == person_id) & (results.c.title == kind["title"]) & (results.c.seats == kind["seats"])
    return select(results).where(same, results.c.nth.is_not(None)).order_by(results.c.nth.desc()).limit(most)


def _rating_after(row: Row) -> int:
    return Skill(row["mu"], row["sigma"], row["nth"]).points
