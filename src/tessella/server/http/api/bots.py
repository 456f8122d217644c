"""Bot accounts: members create them for their programs, which poll for turns and play by HTTP."""

from collections.abc import Sequence

from msgspec import Struct
from sqlalchemy import select

from tessella.core.game import Public, Seat
from tessella.protocol.messages import TableView
from tessella.server.http.api.people import Done, Name, PersonView, answering, members_session, see_person
from tessella.server.http.api.routes import Answer, Problem, Request, Route
from tessella.server.people import accounts
from tessella.server.people.identity import Person
from tessella.server.rooms.room import Room
from tessella.server.services.data_rights import erase
from tessella.server.store import Row
from tessella.server.store.schema import games, seats
from tessella.table.table import Table

MOST_TURNS = 20


class BotBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The name of the bot; it is shown as a bot."""

    name: Name


class BotMade(Public, frozen=True):
    """A bot account and its token, which is shown only once."""

    id: str
    name: str
    token: str


class BotsView(Public, frozen=True):
    """Your bot accounts."""

    bots: tuple[PersonView, ...]


class TurnsView(Public, frozen=True):
    """The tables that wait for you, for a move or a number for the dice, the longest waiting first."""

    tables: tuple[TableView, ...]


async def post_bot(request: Request) -> Answer:
    """Create a bot account; its token is shown only once."""
    owner = members_session(request).person
    with answering():
        bot, token = await accounts.add_bot(request.host.store, owner, request.body.name)
    return Answer(BotMade(bot.id, bot.name, token), 201)


async def get_bots(request: Request) -> Answer:
    """List your bot accounts."""
    bots = await accounts.bots_of(request.host.store, members_session(request).person)
    return Answer(BotsView(tuple(see_person(bot) for bot in bots)))


async def post_bot_token(request: Request) -> Answer:
    """Create a new token for a bot, and revoke the old one."""
    bot = await _bot(request)
    return Answer(BotMade(bot.id, bot.name, await accounts.new_bot_token(request.host.store, bot)), 201)


async def delete_bot(request: Request) -> Answer:
    """Delete a bot account; its games stay, without its name."""
    await erase(request.host, await _bot(request))
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
    unfinished = mine.where(seats.c.person.in_(person.ids), seats.c.ended.is_(None))
    tables: list[TableView] = []
    for row in await host.store.run(unfinished.order_by(games.c.touched)):
        if not _may_be_awaited(row):  # as an SQL condition, PostgreSQL would read every running game
            continue
        room = await _fresh_room(request, row["id"])
        if _is_awaited(room.table, row["seat"]):
            tables.append(room.view_for(row["seat"], host.clock()))
        if len(tables) == MOST_TURNS:
            break
    return Answer(TurnsView(tuple(tables)))


def _may_be_awaited(row: Row) -> bool:
    return row["status"] == "dice" or (row["status"] == "playing" and str(row["seat"]) in row["movers"].split(","))


async def _fresh_room(request: Request, game_id: str) -> Room:
    room = await request.host.room(game_id)
    assert room is not None
    await request.host.refresh(room)
    return room


def _is_awaited(table: Table, seat: Seat) -> bool:
    occupant = table.seats[seat]
    if table.status == "dice":
        return not occupant.pledge or (not occupant.number and all(table.seats[other].pledge for other in table.people))
    return seat in table.movers and not occupant.level


ROUTES: Sequence[Route] = (
    Route("GET", "/api/me/bots", get_bots, BotsView),
    Route("POST", "/api/me/bots", post_bot, BotMade, BotBody, status=201),
    Route("POST", "/api/me/bots/{id}/token", post_bot_token, BotMade, status=201, ends_sessions=True),
    Route("DELETE", "/api/me/bots/{id}", delete_bot, Done, ends_sessions=True),
    Route("GET", "/api/bot/turns", get_turns, TurnsView),
)
