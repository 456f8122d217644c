"""Tables to watch, the most interesting first, by what anyone may know: ratings, spectators, how close it is.

Spectators see no racks and no bag, so they need no delay. What depends on a table that this worker has not loaded
(spectators, scores) counts as nothing: the list costs three small queries, and is kept for some seconds.
"""

import math
from collections.abc import Mapping, Sequence

from msgspec import Struct
from sqlalchemy import func, select, text

from tessella.server.rooms.host import Host
from tessella.server.rooms.room import Room
from tessella.server.services.rating_model import skill_of
from tessella.server.store import Row, Store
from tessella.server.store.schema import WATCHABLE, games, people, ratings, seats

MOST_CONSIDERED = 100
"""The tables with the latest moves."""

MOST_SHOWN = 30
KEEP_SECONDS = 5.0

USUAL_RATING = 1_500
POINTS_PER_RATING = 1 / 100
POINTS_PER_DOUBLED_CROWD = 2.0
MOST_FOR_A_CLOSE_GAME = 3.0
POINTS_PER_SCORE_OF_LEAD = 0.2
POINTS_PER_IDLE_MINUTE = 0.2


class Player(Struct, frozen=True):
    """A player of a table; the rating is None for those without one in this game."""

    name: str
    rating: int | None
    is_bot: bool


class Watchable(Struct, frozen=True):
    """A table that can be watched."""

    row: Row
    players: tuple[Player, ...]
    spectators: int
    interest: float


class Watching:
    """The list of one worker."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._list: list[Watchable] = []
        self._until = -math.inf

    async def tables(self) -> list[Watchable]:
        """Return the tables to watch, read again every `KEEP_SECONDS`."""
        now = self._host.clock()
        if now >= self._until:
            self._until = now + KEEP_SECONDS  # before reading: others who ask meanwhile get the last list
            self._list = await find(self._host, now)
        return self._list


async def find(host: Host, now: float) -> list[Watchable]:
    """Return the tables to watch, the most interesting first."""
    latest = select(games).where(text(WATCHABLE)).order_by(games.c.touched.desc()).limit(MOST_CONSIDERED)
    rows = await host.store.run(latest)
    players = await _players(host.store, rows)
    with_people = [row for row in rows if not all(player.is_bot for player in players[row["id"]])]
    found = [_watchable(row, players[row["id"]], host.rooms.get(row["id"]), now) for row in with_people]
    return sorted(found, key=lambda each: (-each.interest, -each.row["touched"], each.row["id"]))[:MOST_SHOWN]


async def _players(store: Store, rows: Sequence[Row]) -> Mapping[str, tuple[Player, ...]]:
    own = func.coalesce(people.c.member, people.c.id).label("person")
    sitters = select(seats.c.game, people.c.name, people.c.kind, own).join(people, people.c.id == seats.c.person)
    found = await store.run(sitters.where(seats.c.game.in_([row["id"] for row in rows])).order_by(seats.c.seat))
    known = await store.run(select(ratings).where(ratings.c.person.in_([row["person"] for row in found])))
    points = {(row["person"], row["title"], row["seats"]): skill_of(row).points for row in known}
    return {row["id"]: tuple(_player(each, row, points) for each in found if each["game"] == row["id"]) for row in rows}


def _player(sitter: Row, game: Row, points: Mapping[tuple[str, str, int], int]) -> Player:
    size = int(game["rules"].partition("seats=")[2][:1] or 0)
    rating = points.get((sitter["person"], game["game"], size))
    return Player(sitter["name"], rating, sitter["kind"] == "bot")


def _watchable(row: Row, players: tuple[Player, ...], room: Room | None, now: float) -> Watchable:
    spectators = room.spectators if room else 0
    known = [player.rating for player in players if player.rating is not None]
    strength = max(0, max(known, default=USUAL_RATING) - USUAL_RATING) * POINTS_PER_RATING
    crowd = POINTS_PER_DOUBLED_CROWD * math.log2(1 + spectators)
    idle = POINTS_PER_IDLE_MINUTE * max(0.0, now - row["touched"]) / 60
    return Watchable(row, players, spectators, strength + crowd + (_closeness(room) if room else 0.0) - idle)


def _closeness(room: Room) -> float:
    """Return the points for a close game: by the scores that every spectator sees, where boards have them."""
    view = room.table.game.view(room.table.state, None)
    scores = sorted((board.score for board in getattr(view, "boards", ())), reverse=True)
    lead = scores[0] - scores[1] if len(scores) > 1 else math.inf
    return max(0.0, MOST_FOR_A_CLOSE_GAME - POINTS_PER_SCORE_OF_LEAD * lead)
