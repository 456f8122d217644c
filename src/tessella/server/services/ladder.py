"""The ladder of bot accounts: their rated games with each other and with our levels, apart from people's ratings.

**Which games count.** Games opened as rated, with the usual rules and a clock, and not aborted, among bot accounts of
different owners, or between a bot account and one of the measured levels; at most ten games of the same two per day.
Without a clock, a bot could leave the games that it is losing. A player who resigned is placed last, as in all
ratings.

**The scale** is the Elo of `tessella benchmark`: the measured levels (see `bots.rivals`) have the rating of their
measurement, and no result changes it. A bot account begins at 1000 ± 500. The model is that of people's ratings, and so
is the seat advantage, which games of the ladder do not change.
"""

import math
from collections.abc import Mapping, Sequence

from msgspec import Struct
from sqlalchemy import Executable, func, insert, select
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite writes it the same way

from tessella.bots.rivals import rivals_of
from tessella.core.game import Public
from tessella.core.record import write_rules
from tessella.server.people.identity import DELETED
from tessella.server.services.rating_model import BETA, MOST_RATED_GAMES_PER_PAIR, Sitter, Skill, rate, skill_of
from tessella.server.store import Store
from tessella.server.store.schema import ladder_ratings, ladder_results, people
from tessella.table.clock import DAY_SECONDS
from tessella.table.table import Refused, Table

SEATS_WITH_A_LEVEL = 2
"""The strength of levels is measured with two players."""

ELO_AT_START, DEVIATION_AT_START = 1_000.0, 500.0
_ELO_PER_MU = 400 / math.log(10) / (2**0.5 * BETA)
"""A difference in mu and the same in Elo give the same win probability to two players whose skill is known."""


# The scale


def skill_at(elo: float, deviation: float = 0.0) -> Skill:
    """Return the skill of a player with this rating and standard deviation, who has not played.

    >>> elo_of(skill_at(1425, 30)), deviation_of(skill_at(1425, 30))
    (1425, 30)
    """
    return Skill(Skill().mu + (elo - ELO_AT_START) / _ELO_PER_MU, deviation / _ELO_PER_MU)


def elo_of(skill: Skill) -> int:
    """Return the displayed rating."""
    return round(ELO_AT_START + _ELO_PER_MU * (skill.mu - Skill().mu))


def deviation_of(skill: Skill) -> int:
    """Return the standard deviation of the displayed rating."""
    return round(_ELO_PER_MU * skill.sigma)


START = skill_at(ELO_AT_START, DEVIATION_AT_START)


def levels_of(title: str, seats: int) -> Mapping[str, Skill]:
    """Return the skill of each measured level, from the weakest up; none where they are not measured."""
    measured = rivals_of(title) if seats == SEATS_WITH_A_LEVEL else ()
    return {rival.player: skill_at(rival.elo) for rival in measured}


# Recording a game


class Entrant(Struct, frozen=True):
    """A player of a game on the ladder; the skill of a level is fixed, that of a bot account is looked up."""

    person: str
    fixed: Skill | None = None


def entrants(table: Table, sitters: Sequence[Sitter]) -> list[Entrant]:
    """Return the players of a game if it counts on the ladder, by what is known without a look at earlier games."""
    seats = len(table.seats)
    bots = [sitter for sitter in sitters if sitter.kind == "bot"]
    owners = {sitter.owner for sitter in bots if sitter.owner}  # a deleted bot has no owner
    if not bots or len(owners) < len(bots) or not _are_terms_of_ladder(table):
        return []
    levels = levels_of(table.game.NAME, seats)
    found = [
        Entrant(sitter.person) if sitter.kind == "bot" else Entrant(level_id(occupant.level), levels[occupant.level])
        for sitter, occupant in zip(sitters, table.seats, strict=True)
        if sitter.kind == "bot" or (occupant.is_bot and occupant.level in levels)
    ]
    return found if len(found) == seats else []


def _are_terms_of_ladder(table: Table) -> bool:
    usual = write_rules(table.game, table.game.Config(seats=len(table.seats)))
    return table.terms.rated and table.terms.pace is not None and table.terms.rules == usual


def level_id(level: str) -> str:
    """Return what stands for a level where others have the id of a person."""
    return f"level:{level}"


async def statements(
    store: Store, table: Table, sitters: Sequence[Sitter], ranks: Sequence[int], terms: Sequence[float], ended: float
) -> list[Executable]:
    """Return the statements that store the ratings after a game with these places; none if it does not count."""
    players = entrants(table, sitters)
    ids = [player.person for player in players]
    if not players or await often_met(store, ids, ended):
        return []
    title, seats = table.game.NAME, len(table.seats)
    known = await _skills(store, title, seats, ids)
    before = [player.fixed or known.get(player.person, START) for player in players]
    rows = [
        {"game": table.id, "seat": seat, "person": player.person, "title": title, "seats": seats, "ended": ended}
        | ({"nth": None, "mu": player.fixed.mu, "sigma": player.fixed.sigma} if player.fixed else _rating(after))
        for seat, (player, after) in enumerate(zip(players, rate(before, ranks, terms), strict=True))
    ]
    # Rows are locked in this order, which is the same for every worker, so there is no deadlock.
    in_order = sorted(rows, key=lambda row: str(row["person"]))
    return [insert(ladder_results).values(in_order), *(_keep(row) for row in in_order if row["nth"] is not None)]


def _rating(skill: Skill) -> dict[str, int | float]:
    return {"nth": skill.played, "mu": skill.mu, "sigma": skill.sigma}


def _keep(row: Mapping[str, object]) -> Executable:
    key = {name: row[name] for name in ("person", "title", "seats")}
    new = {"mu": row["mu"], "sigma": row["sigma"], "played": row["nth"]}
    return upsert(ladder_ratings).values({**key, **new}).on_conflict_do_update(index_elements=list(key), set_=new)


async def _skills(store: Store, title: str, seats: int, ids: Sequence[str]) -> dict[str, Skill]:
    same = (ladder_ratings.c.title == title) & (ladder_ratings.c.seats == seats)
    rows = await store.run(select(ladder_ratings).where(same, ladder_ratings.c.person.in_(ids)))
    return {str(row["person"]): skill_of(row) for row in rows}


# Who plays whom


async def often_met(store: Store, ids: Sequence[str], now: float) -> set[frozenset[str]]:
    """Return the pairs who have played as many games within a day as are rated."""
    one, other = ladder_results.alias("one"), ladder_results.alias("other")
    met = (
        select(one.c.person.label("one"), other.c.person.label("other"))
        .select_from(one.join(other, (one.c.game == other.c.game) & (one.c.person < other.c.person)))
        .where(one.c.person.in_(ids), other.c.person.in_(ids), one.c.ended > now - DAY_SECONDS)
        .group_by(one.c.person, other.c.person)
        .having(func.count() >= MOST_RATED_GAMES_PER_PAIR)
    )
    return {frozenset((row["one"], row["other"])) for row in await store.run(met)}


async def kept_apart(store: Store, ids: Sequence[str], now: float) -> set[frozenset[str]]:
    """Return the pairs of bot accounts whose game would not count: of one owner, or met too often today."""
    rows = await store.run(select(people.c.id, people.c.owner).where(people.c.id.in_(ids), people.c.owner.is_not(None)))
    owners = {str(row["id"]): str(row["owner"]) for row in rows}
    family = {frozenset((a, b)) for a in owners for b in owners if a < b and owners[a] == owners[b]}
    return family | await often_met(store, ids, now)


async def next_level(store: Store, bot: str, title: str, now: float) -> str:
    """Return the level nearest to a bot account in rating; raise `Refused` if it has met every level too often."""
    levels = levels_of(title, SEATS_WITH_A_LEVEL)
    if not levels:
        raise Refused("ladder", f"no level of {title} has a measured strength; play other bot accounts")
    mine = (await _skills(store, title, SEATS_WITH_A_LEVEL, [bot])).get(bot, START)
    met = await often_met(store, [bot, *map(level_id, levels)], now)
    free = [level for level in levels if frozenset((bot, level_id(level))) not in met]
    if not free:
        most = MOST_RATED_GAMES_PER_PAIR
        raise Refused("ladder", f"you have played {most} rated games with every level today; try again tomorrow")
    return min(free, key=lambda level: abs(levels[level].mu - mine.mu))


# Views


class LadderRank(Public, frozen=True):
    """A line of the ladder: a bot account, or a level of the server, whose rating is fixed."""

    id: str
    name: str
    owner: str
    """The name of the member whose bot it is; empty for a level."""
    level: str
    """The level; empty for a bot account."""
    rating: int
    deviation: int
    played: int


class LadderRating(Public, frozen=True):
    """The rating of a bot account on the ladder, in one game with a number of players."""

    title: str
    seats: int
    rating: int
    deviation: int
    played: int


async def ranks(store: Store, title: str, seats: int, most: int = 100) -> tuple[LadderRank, ...]:
    """Return the strongest bot accounts of a game with this number of players, with the measured levels among them."""
    owner = people.alias("owner")
    best = (
        select(ladder_ratings, people.c.name, owner.c.name.label("owner"))
        .join(people, people.c.id == ladder_ratings.c.person)
        .outerjoin(owner, owner.c.id == people.c.owner)
        .where(ladder_ratings.c.title == title, ladder_ratings.c.seats == seats, people.c.name != DELETED)
        .order_by(ladder_ratings.c.mu.desc(), ladder_ratings.c.person)
        .limit(most)
    )
    bots = [
        LadderRank(row["person"], row["name"], row["owner"] or "", "", *_shown(skill_of(row)))
        for row in await store.run(best)
    ]
    levels = [LadderRank(level_id(n), "", "", n, *_shown(skill)) for n, skill in levels_of(title, seats).items()]
    return tuple(sorted([*bots, *levels], key=lambda rank: -rank.rating))


async def ratings_on_ladder(store: Store, person_id: str) -> tuple[LadderRating, ...]:
    """Return all ratings of a bot account on the ladder."""
    mine = select(ladder_ratings).where(ladder_ratings.c.person == person_id)
    rows = await store.run(mine.order_by(ladder_ratings.c.title, ladder_ratings.c.seats))
    return tuple(LadderRating(row["title"], row["seats"], *_shown(skill_of(row))) for row in rows)


def _shown(skill: Skill) -> tuple[int, int, int]:
    return elo_of(skill), deviation_of(skill), skill.played
