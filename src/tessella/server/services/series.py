"""The score of a series: who has won how many of the games that the same players played one after another."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from sqlalchemy import literal, select

from tessella.server.people.relations import own_ids
from tessella.server.rooms.history import read_finished
from tessella.server.services.ratings import final_places
from tessella.server.store import Row, Store
from tessella.server.store.schema import games, results
from tessella.table.table import Table

MOST_GAMES = 200
"""How many games of a series are counted, back from the present one."""


class Series(Struct, frozen=True):
    """The games of a series before the present one, and how many of them each seat has won; a tie is shared."""

    games: int = 0
    wins: tuple[float, ...] = ()


async def series_before(store: Store, table: Table) -> Series:
    """Return the score of the games before this one, as long as the same players played them."""
    if not table.terms.before:
        return Series()
    ids = await own_ids(store, [occupant.player for occupant in table.seats])
    players = [_player(ids.get(occupant.player, occupant.player)) for occupant in table.seats]
    if len({*players}) < len(players):
        return Series()  # two bots of one level, which nobody tells apart
    wins, count = dict.fromkeys(players, 0.0), 0
    for places in await _places(store, table.id):
        if places and places.keys() != wins.keys():
            break
        winners = [player for player, place in places.items() if place == 1]
        count += bool(winners)
        for player in winners:
            wins[player] += 1 / len(winners)
    return Series(count, tuple(round(wins[player], 2) for player in players) if count else ())


def _player(person: str) -> str:
    """Return what identifies a player over the games of a series: bots change seats, and with them their id."""
    return person.rpartition(":")[0] if person.startswith("bot:") else person


async def _places(store: Store, game_id: str) -> list[Mapping[str, int]]:
    """Return the place of each player in each earlier game, the latest first; nothing for one without a result."""
    first = select(games.c.id, games.c.previous, literal(0).label("step")).where(games.c.id == game_id)
    chain = first.cte("chain", recursive=True)
    older = select(games.c.id, games.c.previous, chain.c.step + 1).join(chain, games.c.id == chain.c.previous)
    chain = chain.union_all(older.where(chain.c.step < MOST_GAMES))
    ids = [str(row["id"]) for row in await store.run(select(chain.c.id, chain.c.step).order_by(chain.c.step))][1:]
    rows = await store.run(select(results.c.game, results.c.person, results.c.place).where(results.c.game.in_(ids)))
    by_game: dict[str, list[Row]] = {each: [] for each in ids}
    for row in rows:
        by_game[row["game"]].append(row)
    found = [_by_player(by_game[each]) for each in ids]
    if ids and not by_game[ids[0]]:  # it has ended so lately that its result is not stored yet
        found[0] = await _from_log(store, ids[0])
    return found


def _by_player(rows: Sequence[Row]) -> Mapping[str, int]:
    return {_player(row["person"]): row["place"] for row in rows if row["place"] is not None}


async def _from_log(store: Store, game_id: str) -> Mapping[str, int]:
    done = await read_finished(store, game_id)
    if done is None or done.table.end is None or not done.table.end.places:
        return {}
    ids = await own_ids(store, [occupant.player for occupant in done.table.seats])
    places = zip(done.table.seats, final_places(done.table), strict=True)
    return {_player(ids.get(occupant.player, occupant.player)): place for occupant, place in places}
