"""Setting a table and sitting down at it."""

from secrets import token_bytes

from msgspec import Struct
from sqlalchemy import delete, insert, select
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite writes it the same way

from tessella.bots import names
from tessella.core.dice import commitment, fresh_seed
from tessella.core.game import Seat
from tessella.server.entries import Opened, Pace
from tessella.server.host import Host, Room
from tessella.server.people import Person, digest, fresh_secret
from tessella.server.store.schema import departures, links, seats
from tessella.server.table import Refused

_ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Letters that nobody mistakes for another."""


class Terms(Struct, frozen=True):
    """What is agreed before a game."""

    rules: str
    pace: Pace = None
    rated: bool = False
    listed: bool = False
    match: str = ""
    before: str = ""
    dice: str = ""
    seed: bytes = b""
    """Only for duplicate matches: the dice that several tables share."""


def fresh_id() -> str:
    """A public name for a game or a match: short, and it says nothing."""
    return "".join(_ID_LETTERS[byte % len(_ID_LETTERS)] for byte in token_bytes(10))


async def open_table(host: Host, terms: Terms) -> Room:
    """Set a table. Its dice are fixed, and committed to, before anybody sits down."""
    seed = terms.seed or fresh_seed()
    game_id = fresh_id()
    promised = commitment(terms.dice or game_id, seed).hex()
    opened = Opened(terms.rules, promised, terms.pace, terms.rated, terms.before, terms.dice)
    return await host.open(game_id, opened, seed, listed=terms.listed, match=terms.match)


async def sit(host: Host, room: Room, seat: Seat, person: Person) -> None:
    """Let a person sit down, and remember where to find the game; who sits there already stays."""
    key = f"sit-{seat}-{person.id}-{room.table.number}"
    try:
        await host.append(room, key, lambda table, _: table.sit(seat, person.who_at(table), person.name))
    except Refused:
        if room.table.seat_of(person.who_at(room.table)) != seat:
            raise
    place = upsert(seats).values(game=room.table.id, seat=seat, person=person.id)
    here = {"person": place.excluded.person}
    await host.store.run(place.on_conflict_do_update(index_elements=["game", "seat"], set_=here))


async def sit_bot(host: Host, room: Room, seat: Seat, level: str) -> None:
    """Let a computer player sit down."""
    if level not in names(room.table.game):
        raise Refused("level", f"there is no computer player {level!r}")
    key = f"bot-{seat}-{room.table.number}"
    await host.append(room, key, lambda table, _: table.sit(seat, f"bot:{level}:{seat}", level, level))


async def forget_seat(host: Host, room: Room, seat: Seat) -> None:
    """A person got up before the game. The log remembers who it was, so we must know where to look."""
    here = (seats.c.game == room.table.id, seats.c.seat == seat)
    gone = upsert(departures).from_select(["game", "person"], select(seats.c.game, seats.c.person).where(*here))
    await host.store.run(gone.on_conflict_do_nothing(), delete(seats).where(*here))


async def invite(host: Host, game_id: str, seat: Seat) -> str:
    """A secret for one seat; only its digest is kept."""
    secret = fresh_secret()
    await host.store.run(insert(links).values(hash=digest(secret), game=game_id, seat=seat, used=False))
    return secret


async def play_again(host: Host, room: Room) -> None:
    """Set the same table again, everybody one seat further; the old table says where."""
    old = room.table
    again = await open_table(host, Terms(old.terms.rules, old.terms.pace, old.terms.rated, before=old.id))
    for seat, chair in enumerate(old.chairs):
        place = (seat + 1) % len(old.chairs)
        if chair.is_bot:
            await sit_bot(host, again, place, chair.level)
        else:
            await sit(host, again, place, Person(chair.who, chair.name, "guest"))
    await host.append(room, "rematch", lambda table, _: table.follow(again.table.id))
