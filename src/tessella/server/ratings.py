"""Results and ratings: what a finished game says of those who played it.

Ratings are Weng–Lin's (the Plackett–Luce model of openskill), one for each person, game and number of players. The
number that people see is 1500 at first; 200 more wins three games of four against equals of the other.

**Which games count.** Games that were set as rated and not aborted, in which members and bot accounts sit and at least
one member; nobody plays with their own bot; the same two people at most ten times in a day. Who resigned, or left the
seat to a bot until the end, comes last.

**The seat.** Sitting first may be worth something. For each game, number of players and seat we sum what the seat
brought beyond what the ratings promised (a share of 1 for beating all others, 0 for none). The mean of it, drawn
towards zero as if there had been a hundred even games before, becomes points of rating that are lent to the seat for
the game: who sits well must win more.

**Once.** The rows of a game's results are its primary key, and a rated row is the person's nth of its kind. Both are
written with the new ratings in one transaction, so whoever comes second writes nothing, looks again and, if the game
still is not settled, reckons again from the newer ratings.
"""

import asyncio
import logging
from collections.abc import Coroutine, Mapping, Sequence
from statistics import NormalDist
from types import TracebackType
from typing import Any

from msgspec import Struct
from openskill.models import PlackettLuce
from sqlalchemy import Executable, Select, exists, func, insert, select
from sqlalchemy import Table as SQLTable
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite writes it the same way

from tessella.core.game import Public, Seat, places
from tessella.server.finished import ends, read_finished, time_of
from tessella.server.host import Host, Room
from tessella.server.store import Row, Store
from tessella.server.store.errors import CLASHES, STORE_ERRORS
from tessella.server.store.schema import games, people, ratings, results, seat_terms
from tessella.server.table import Chair, Happening, Table

log = logging.getLogger(__name__)

MOST_OF_A_PAIR = 10
DAY = 86_400.0
TRIES = 60
"""Each try that fails is another worker's that succeeded."""
EVEN_GAMES = 100
"""How many even games a seat's record is diluted with."""

_MODEL = PlackettLuce()
_POINTS_FOR_ONE = 48.0
_POINTS_AT_ZERO = 1_100.0
_STEEPNESS = NormalDist().pdf(0) / (2**0.5 * _MODEL.beta)
"""How much more often one wins for a point more, between equals."""


class Skill(Struct, frozen=True):
    """What is believed of somebody's strength, after so many rated games."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    played: int = 0

    @property
    def points(self) -> int:
        """The number that people see: what they have surely reached.

        >>> Skill().points
        1500
        """
        return round(_POINTS_AT_ZERO + _POINTS_FOR_ONE * (self.mu - 2 * self.sigma))


# The arithmetic


def rate(skills: Sequence[Skill], ranks: Sequence[int], terms: Sequence[float]) -> list[Skill]:
    """The skills after a game with these places, in which the seats were worth these terms."""
    lent = [[_MODEL.rating(mu=skill.mu + term, sigma=skill.sigma)] for skill, term in zip(skills, terms, strict=True)]
    rated = _MODEL.rate(lent, ranks=[float(rank) for rank in ranks])
    return [
        Skill(after.mu - term, after.sigma, skill.played + 1)
        for skill, term, (after,) in zip(skills, terms, rated, strict=True)
    ]


def promised(skills: Sequence[Skill]) -> list[float]:
    """The share of the others whom each is expected to beat.

    >>> promised([Skill(), Skill()])
    [0.5, 0.5]
    """
    others = len(skills) - 1
    return [(sum(_beats(one, other) for other in skills) - 0.5) / others for one in skills]


def brought(ranks: Sequence[int]) -> list[float]:
    """The share of the others whom each has beaten; a tie is half.

    >>> brought([1, 2, 2])
    [1.0, 0.25, 0.25]
    """
    others = len(ranks) - 1
    return [(sum(rank < other for other in ranks) + (ranks.count(rank) - 1) / 2) / others for rank in ranks]


def seat_term(seats: int, surplus: float, played: int) -> float:
    """What a seat is worth, in points of mu, after so many games with such a surplus.

    >>> seat_term(2, 0.0, 1000)
    0.0
    """
    return surplus / (played + EVEN_GAMES) / _STEEPNESS * (seats - 1) / seats


def _beats(one: Skill, other: Skill) -> float:
    spread = (2 * _MODEL.beta**2 + one.sigma**2 + other.sigma**2) ** 0.5
    return NormalDist().cdf((one.mu - other.mu) / spread)


def final_places(table: Table) -> tuple[int, ...]:
    """The places for which the game counts: who resigned, or is played for by a bot at the end, comes last."""
    assert table.end is not None
    pairs = zip(table.chairs, table.end.places, strict=True)
    return places([(0, 0) if gave_up(chair) else (1, -place) for chair, place in pairs])


def gave_up(chair: Chair) -> bool:
    """Whether the person did not play to the end."""
    return chair.resigned or bool(chair.level and not chair.is_bot)


# Settling a game


class Sitter(Struct, frozen=True):
    """Who sat in a seat; for a guest who turned out to be a member, the member."""

    who: str
    kind: str
    owner: str | None = None


async def settle(store: Store, table: Table, ended: float) -> bool:
    """Write down how a game ended, and the new ratings if it was rated; False if somebody has done so already."""
    for _ in range(TRIES):
        if await store.run(select(results.c.seat).where(results.c.game == table.id).limit(1)):
            return False
        try:
            await store.run(*await _reckon(store, table, ended))
        except CLASHES:
            continue
        return True
    raise TimeoutError(f"game {table.id} could not be settled now")


async def _reckon(store: Store, table: Table, ended: float) -> list[Executable]:
    """What is to be written for a finished game."""
    assert table.end is not None
    sitters = await _sitters(store, table)
    ranks = final_places(table) if table.end.places else None
    rows = [_result(table, seat, sitter, ended, ranks) for seat, sitter in enumerate(sitters)]
    if ranks is None or not await _is_rated(store, table, sitters, ended):
        return [insert(results).values(rows)]
    skills = await _skills(store, table, sitters)
    after = rate(skills, ranks, await _terms(store, table))
    for row, skill in zip(rows, after, strict=True):
        row.update(nth=skill.played, mu=skill.mu, sigma=skill.sigma)
    # The order of the rows is the order of the locks: everybody's the same, so nobody waits in a circle.
    in_order = sorted(rows, key=lambda row: str(row["person"]))
    surplus = [got - due for got, due in zip(brought(ranks), promised(skills), strict=True)]
    return [insert(results).values(in_order), *map(_keep_rating, in_order), *_keep_terms(table, surplus)]


def _result(
    table: Table, seat: Seat, sitter: Sitter, ended: float, ranks: tuple[int, ...] | None
) -> dict[str, str | int | float | None]:
    assert table.end is not None
    return {
        "game": table.id,
        "seat": seat,
        "person": sitter.who,
        "title": table.game.NAME,
        "seats": len(table.chairs),
        "place": ranks[seat] if ranks else None,
        "score": table.end.scores[seat] if table.end.scores else None,
        "ended": ended,
        "nth": None,
        "mu": None,
        "sigma": None,
    }


async def _sitters(store: Store, table: Table) -> list[Sitter]:
    whos = [chair.who for chair in table.chairs]
    member = people.alias("member")
    who, kind, owner = (func.coalesce(member.c[name], people.c[name]) for name in ("id", "kind", "owner"))
    known = select(people.c.id, who.label("who"), kind.label("kind"), owner.label("owner"))
    rows = await store.run(known.outerjoin(member, member.c.id == people.c.member).where(people.c.id.in_(whos)))
    found = {row["id"]: Sitter(row["who"], row["kind"], row["owner"]) for row in rows}
    return [found.get(who, Sitter(who, "computer")) for who in whos]


async def _is_rated(store: Store, table: Table, sitters: Sequence[Sitter], ended: float) -> bool:
    kinds = {sitter.kind for sitter in sitters}
    if not table.terms.rated or not kinds <= {"member", "bot"} or "member" not in kinds:
        return False
    minds = [sitter.owner or sitter.who for sitter in sitters]
    return len(set(minds)) == len(minds) and not await _met_too_often(store, sitters, ended)


async def _met_too_often(store: Store, sitters: Sequence[Sitter], ended: float) -> bool:
    whos = [sitter.who for sitter in sitters]
    one, other = results.alias("one"), results.alias("other")
    met = (
        select(func.count().label("n"))
        .select_from(one.join(other, (one.c.game == other.c.game) & (one.c.person < other.c.person)))
        .where(one.c.person.in_(whos), other.c.person.in_(whos), one.c.nth.is_not(None), one.c.ended > ended - DAY)
        .group_by(one.c.person, other.c.person)
    )
    return any(row["n"] >= MOST_OF_A_PAIR for row in await store.run(met))


async def _skills(store: Store, table: Table, sitters: Sequence[Sitter]) -> list[Skill]:
    whos = [sitter.who for sitter in sitters]
    rows = await store.run(_kind_of(ratings, table).where(ratings.c.person.in_(whos)))
    known = {row["person"]: skill_of(row) for row in rows}
    return [known.get(who, Skill()) for who in whos]


async def _terms(store: Store, table: Table) -> list[float]:
    rows = {row["seat"]: row for row in await store.run(_kind_of(seat_terms, table))}
    count = len(table.chairs)
    known = {seat: seat_term(count, row["surplus"], row["games"]) for seat, row in rows.items()}
    return [known.get(seat, 0.0) for seat in range(count)]


def _kind_of(source: SQLTable, table: Table) -> Select[Any]:
    return select(source).where(source.c.title == table.game.NAME, source.c.seats == len(table.chairs))


def skill_of(row: Row) -> Skill:
    """A stored rating."""
    return Skill(row["mu"], row["sigma"], row["played"])


def _keep_rating(row: Mapping[str, str | int | float | None]) -> Executable:
    new = {"mu": row["mu"], "sigma": row["sigma"], "played": row["nth"]}
    key = {name: row[name] for name in ("person", "title", "seats")}
    return upsert(ratings).values({**key, **new}).on_conflict_do_update(index_elements=list(key), set_=new)


def _keep_terms(table: Table, surplus: Sequence[float]) -> list[Executable]:
    key = ("title", "seats", "seat")
    kept: list[Executable] = []
    for seat, more in enumerate(surplus):
        row = {"title": table.game.NAME, "seats": len(table.chairs), "seat": seat, "games": 1, "surplus": more}
        new = upsert(seat_terms).values(row)
        both = {name: seat_terms.c[name] + new.excluded[name] for name in ("games", "surplus")}
        kept.append(new.on_conflict_do_update(index_elements=list(key), set_=both))
    return kept


# Noticing that a game is over

SWEEP_SECONDS = 20.0
LOOK_BACK = 3_600.0
LOOK_BACK_AT_FIRST = 30 * DAY
MOST_AT_ONCE = 100


class Settler:
    """Settles games: those that end at this worker at once, those that a crash left behind soon."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "Settler":
        self.host.listeners.append(self._noticed)
        self._start(self._sweep_for_ever())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.host.listeners.remove(self._noticed)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _noticed(self, room: Room, happenings: list[Happening]) -> None:
        for happening in happenings:
            if ends(happening.entry):
                self._start(self._settle(room.table, happening.number))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (wrong := task.exception()) is not None:
            log.warning("a game will be settled later", exc_info=wrong)

    async def _settle(self, table: Table, number: int) -> None:
        await settle(self.host.store, table, await time_of(self.host.store, table.id, number))

    async def _sweep_for_ever(self) -> None:
        look_back = LOOK_BACK_AT_FIRST
        while True:
            try:
                await self.sweep(look_back)
                look_back = LOOK_BACK
            except (*STORE_ERRORS, TimeoutError):
                log.warning("games will be settled later", exc_info=True)
            await asyncio.sleep(SWEEP_SECONDS)

    async def sweep(self, look_back: float) -> int:
        """Settle games that ended lately and were not settled; say how many there were."""
        since = await self.host.store.now() - look_back
        settled = exists().where(results.c.game == games.c.id)
        over = select(games.c.id).where(games.c.status == "over", games.c.touched > since, ~settled)
        rows = await self.host.store.run(over.order_by(games.c.touched).limit(MOST_AT_ONCE))
        return sum([await self._settle_left_behind(row["id"]) for row in rows])

    async def _settle_left_behind(self, game_id: str) -> bool:
        """Settle a game from its log; one that cannot be read must not keep the others waiting."""
        try:
            done = await read_finished(self.host.store, game_id)
            return done is not None and await settle(self.host.store, done.table, done.ended)
        except Exception:
            log.exception("a game could not be settled", extra={"game": game_id})
            return False


# What people see


class RankSeen(Public, frozen=True):
    """A line of a leaderboard."""

    id: str
    name: str
    kind: str
    rating: int
    played: int


class RatingSeen(Public, frozen=True):
    """The rating of somebody in one game with so many players."""

    title: str
    seats: int
    rating: int
    played: int


class RatedGame(Public, frozen=True):
    """A rated game of somebody, and the rating after it."""

    game: str
    title: str
    seats: int
    place: int
    score: int | None
    ended: float
    rating: int


async def leaders(store: Store, title: str, seats: int, most: int = 100) -> tuple[RankSeen, ...]:
    """The strongest players of a game with so many players."""
    best = (
        select(ratings, people.c.name, people.c.kind)
        .join(people, people.c.id == ratings.c.person)
        .where(ratings.c.title == title, ratings.c.seats == seats)
        .order_by(ratings.c.strength.desc(), ratings.c.person)
        .limit(most)
    )
    rows = await store.run(best)
    return tuple(RankSeen(r["person"], r["name"], r["kind"], skill_of(r).points, r["played"]) for r in rows)


async def ratings_of(store: Store, person_id: str) -> tuple[RatingSeen, ...]:
    """All ratings of somebody."""
    mine = select(ratings).where(ratings.c.person == person_id).order_by(ratings.c.title, ratings.c.seats)
    rows = await store.run(mine)
    return tuple(RatingSeen(r["title"], r["seats"], skill_of(r).points, r["played"]) for r in rows)


async def rated_games_of(store: Store, person_id: str, most: int = 50) -> tuple[RatedGame, ...]:
    """The latest rated games of somebody, the last first. Other games are nobody else's business."""
    rated = (results.c.person == person_id) & results.c.nth.is_not(None)
    rows = await store.run(select(results).where(rated).order_by(results.c.ended.desc()).limit(most))
    return tuple(
        RatedGame(r["game"], r["title"], r["seats"], r["place"], r["score"], r["ended"], _rating_after(r)) for r in rows
    )


def _rating_after(row: Row) -> int:
    return Skill(row["mu"], row["sigma"], row["nth"]).points
