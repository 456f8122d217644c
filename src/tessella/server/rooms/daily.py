"""Daily deals: every day one deal of each game, the same for everybody, alone against a bot of a stated level.

The seed of a deal is derived from a secret key of the server, the day and the game, and committed to the day before.
All tables of a deal share its dice, like those of a duplicate match, so no player can watch another, ask for a hint or
take a move back. A day lasts from midnight to midnight (UTC); tries that are over within an hour after it count. Then
the seed is shown, and the deals of every table can be checked.
"""

import hmac
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta

from msgspec import Struct
from sqlalchemy import ColumnElement, Update, select, update
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite writes it the same way

from tessella.bots import names
from tessella.core import record
from tessella.core.dice import commitment
from tessella.games import GAMES
from tessella.server.people.identity import Person, shared_key
from tessella.server.rooms.host import Host
from tessella.server.rooms.lifecycle import Terms, open_table, sit, sit_bot
from tessella.server.rooms.room import Room
from tessella.server.store import Row, Store
from tessella.server.store.errors import CLASHES
from tessella.server.store.schema import daily_tries
from tessella.table.ids import fresh_id
from tessella.table.table import Refused, Table

DAY_SECONDS = 86_400.0
GRACE_SECONDS = 3_600.0
"""After the end of a day, so that a try that was begun late can be finished; then the seed is shown."""

LEVELS = "2345678"
"""The level of the bot from Monday to Sunday: the week gets harder."""

PLAYER, BOT = 0, 1
"""The seats."""


class Deal(Struct, frozen=True):
    """The deal of one game on one day."""

    title: str
    day: date

    @property
    def level(self) -> str:
        """The level of the bot.

        >>> Deal("azul", date(2026, 11, 16)).level, Deal("azul", date(2026, 11, 22)).level
        ('2', '8')
        """
        wanted, offered = LEVELS[self.day.weekday()], names(GAMES[self.title])
        return wanted if wanted in offered else "greedy"

    @property
    def rules(self) -> str:
        """The rules line of its tables.

        >>> Deal("azul", date(2026, 11, 16)).rules
        'azul/1 seats=2 wall=coloured'
        """
        game = GAMES[self.title]
        return record.write_rules(game, record.read_options(game, ["seats=2"]))

    @property
    def dice(self) -> str:
        """The id that its dice are made for.

        >>> Deal("azul", date(2026, 11, 16)).dice
        'daily-azul-2026-11-16'
        """
        return f"daily-{self.title}-{self.day.isoformat()}"

    @property
    def begins(self) -> float:
        """When the day begins."""
        return datetime(self.day.year, self.day.month, self.day.day, tzinfo=UTC).timestamp()

    @property
    def closes(self) -> float:
        """When the last try must be over to count; then the seed is shown."""
        return self.begins + DAY_SECONDS + GRACE_SECONDS


def day_at(now: float) -> date:
    """Return the day at a time."""
    return datetime.fromtimestamp(now, UTC).date()


def deal_of(table: Table) -> Deal | None:
    """Return the daily deal that is played at a table, or None."""
    return Deal(table.game.NAME, date.fromisoformat(table.daily)) if table.daily else None


async def seed_of(store: Store, deal: Deal) -> bytes:
    """Return the seed of a deal; it must not leave the server before the deal closes."""
    return hmac.digest(await shared_key(store, "daily"), deal.dice.encode(), "sha256")


async def commitment_of(store: Store, deal: Deal) -> str:
    """Return the digest of the seed, which may be shown at any time."""
    return commitment(deal.dice, await seed_of(store, deal)).hex()


# Tries


async def find_try(store: Store, deal: Deal, person: Person) -> Row | None:
    """Return the try of a person; one as a guest, before logging in, is theirs too."""
    mine = is_of(deal) & daily_tries.c.person.in_(person.ids)
    rows = await store.run(select(daily_tries).where(mine).order_by(daily_tries.c.started).limit(1))
    return rows[0] if rows else None


def is_of(deal: Deal) -> ColumnElement[bool]:
    """Return the condition that a row is a try of this deal."""
    return (daily_tries.c.day == deal.day.isoformat()) & (daily_tries.c.title == deal.title)


async def player_of_open_deal(host: Host, game_id: str) -> str:
    """Return whose try a game is; empty if it is none, or the deal is closed."""
    columns = (daily_tries.c.day, daily_tries.c.title, daily_tries.c.person)
    rows = await host.store.run(select(*columns).where(daily_tries.c.game == game_id))
    if not rows or host.clock() >= Deal(rows[0]["title"], date.fromisoformat(rows[0]["day"])).closes:
        return ""
    return str(rows[0]["person"])


async def begin_try(host: Host, deal: Deal, person: Person, origin: str) -> Room:
    """Return the table of a person's one try, opened and begun if it is not.

    The row comes first and has the id of the table, so requests at the same time, or after a crash, lead to one table.
    """
    if await find_try(host.store, deal, person) is None:
        row = {"day": deal.day.isoformat(), "title": deal.title, "person": person.id, "game": fresh_id()}
        more = {"member": person.kind == "member", "started": await host.store.now()}
        await host.store.run(upsert(daily_tries).values(row | more).on_conflict_do_nothing())
    found = await find_try(host.store, deal, person)
    assert found is not None
    game_id = str(found["game"])
    room = await host.room(game_id)
    if room is None:
        seed = await seed_of(host.store, deal)
        with suppress(*CLASHES):  # another worker was first
            terms = Terms(deal.rules, dice=deal.dice, seed=seed, creator=person.id, origin=origin)
            await open_table(host, terms, game_id)
        room = await host.room(game_id)
    assert room is not None
    if not room.table.started and room.table.status != "over":
        await _seat(host, room, deal, person)
    return room


async def _seat(host: Host, room: Room, deal: Deal, person: Person) -> None:
    await sit(host, room, PLAYER, person)
    with suppress(Refused):  # the bot sits there, or the game has begun
        await sit_bot(host, room, BOT, deal.level)
    with suppress(Refused):
        await host.append(room, "start", lambda table, secret: table.start(secret))


def result_of(table: Table, ended: float) -> Update | None:
    """Return the statement that stores the result of a try; None if the table is not one.

    A try counts if it was played to its end in time by a member, without a bot that played the seat for a while. One
    that was resigned counts as lost; one that was aborted does not count, and is used up.
    """
    deal, end = deal_of(table), table.end
    if deal is None or end is None:
        return None
    scores = end.scores or (None, None)
    fair = bool(end.places) and not table.seats[PLAYER].left and ended <= deal.closes
    return (
        update(daily_tries)
        .where(daily_tries.c.game == table.id)
        .values(ended=ended, place=end.places[PLAYER] if end.places else None)
        .values(score=scores[PLAYER], other=scores[BOT], margin=_margin(table))
        .values(counts=daily_tries.c.member if fair else False)
    )


def _margin(table: Table) -> int | None:
    """Return by how much the player won, negative for a loss, whichever way the game counts."""
    if table.end is None or not table.end.scores:
        return None
    margin = abs(table.end.scores[PLAYER] - table.end.scores[BOT])
    return margin if table.end.places[PLAYER] == 1 else -margin


def tomorrow(deal: Deal) -> Deal:
    """Return the deal of the same game on the next day."""
    return Deal(deal.title, deal.day + timedelta(days=1))
