"""Bots from outside: accounts that members make for their programs, which pull their turns and play by HTTP."""

from collections.abc import Sequence

from msgspec import Struct
from sqlalchemy import select

from tessella.core.game import Public, Seat
from tessella.server import accounts
from tessella.server.api.people import Done, Name, PersonSeen, answering, members_session, see_person
from tessella.server.api.routes import Answer, Problem, Request, Route
from tessella.server.host import Room
from tessella.server.messages import TableSeen
from tessella.server.people import Person
from tessella.server.privacy import forget
from tessella.server.store.schema import games, seats
from tessella.server.table import Table

MOST_TURNS = 20


class BotBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The name of the bot; everybody will see that it is one."""

    name: Name


class BotMade(Public, frozen=True):
    """A bot account and its token, which is seen only now."""

    id: str
    name: str
    token: str


class BotsSeen(Public, frozen=True):
    """Your bot accounts."""

    bots: tuple[PersonSeen, ...]


class TurnsSeen(Public, frozen=True):
    """The tables at which something is expected of you: a move, or a number for the dice. The longest waiting first."""

    tables: tuple[TableSeen, ...]


async def post_bot(request: Request) -> Answer:
    """Make a bot account; its token is shown only now."""
    owner = members_session(request).person
    with answering():
        bot, token = await accounts.add_bot(request.host.store, owner, request.body.name)
    return Answer(BotMade(bot.id, bot.name, token), 201)


async def get_bots(request: Request) -> Answer:
    """List your bot accounts."""
    bots = await accounts.bots_of(request.host.store, members_session(request).person)
    return Answer(BotsSeen(tuple(see_person(bot) for bot in bots)))


async def post_bot_token(request: Request) -> Answer:
    """Make a new token for a bot; the old one is worth nothing any more."""
    bot = await _bot(request)
    return Answer(BotMade(bot.id, bot.name, await accounts.new_bot_token(request.host.store, bot)), 201)


async def delete_bot(request: Request) -> Answer:
    """Delete a bot account; its games stay, without its name."""
    await forget(request.host, await _bot(request))
    return Answer(Done(1))


async def _bot(request: Request) -> Person:
    bot = await accounts.find_bot(request.host.store, members_session(request).person, request.path["id"])
    if bot is None:
        raise Problem(404, "bot", "you have no such bot")
    return bot


async def get_turns(request: Request) -> Answer:
    """List the tables at which it is your turn, as you see them; play by POST /api/games/{id}/act."""
    person, host = request.person, request.host
    mine = select(games.c.id, games.c.status, games.c.movers, seats.c.seat).join(seats, seats.c.game == games.c.id)
    running = mine.where(seats.c.person.in_(person.ids), games.c.status.in_(("playing", "dice")))
    tables: list[TableSeen] = []
    for row in await host.store.run(running.order_by(games.c.touched)):
        if row["status"] == "playing" and str(row["seat"]) not in row["movers"].split(","):
            continue
        room = await _fresh_room(request, row["id"])
        if _is_awaited(room.table, row["seat"]):
            tables.append(room.see(row["seat"], host.clock()))
        if len(tables) == MOST_TURNS:
            break
    return Answer(TurnsSeen(tuple(tables)))


async def _fresh_room(request: Request, game_id: str) -> Room:
    room = await request.host.room(game_id)
    assert room is not None
    await request.host.read_on(room)
    return room


def _is_awaited(table: Table, seat: Seat) -> bool:
    chair = table.chairs[seat]
    if table.status == "dice":
        return not chair.pledge or (not chair.number and all(table.chairs[other].pledge for other in table.people))
    return seat in table.movers and not chair.level


ROUTES: Sequence[Route] = (
    Route("GET", "/api/me/bots", get_bots, BotsSeen),
    Route("POST", "/api/me/bots", post_bot, BotMade, BotBody, status=201),
    Route("POST", "/api/me/bots/{id}/token", post_bot_token, BotMade, status=201, parting=True),
    Route("DELETE", "/api/me/bots/{id}", delete_bot, Done, parting=True),
    Route("GET", "/api/bot/turns", get_turns, TurnsSeen),
)
