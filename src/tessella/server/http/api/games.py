"""Tables: open, join, view, play, and the record of a finished game."""

import re
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from sqlalchemy import select, update

from tessella.bots import names
from tessella.coach.hints import HintView
from tessella.core import record
from tessella.core.game import AnyGame, BadNotation, Public, Seat
from tessella.games import GAMES
from tessella.protocol import messages
from tessella.protocol.messages import EntriesView, RecordView
from tessella.protocol.texts import TextsView, texts_view
from tessella.protocol.titles import TitlesView, list_titles
from tessella.server.http.api.routes import Answer, Problem, Request, Route
from tessella.server.http.table_caps import TooMany
from tessella.server.people.identity import digest, origin_of
from tessella.server.people.relations import blocked_pairs, own_ids
from tessella.server.rooms.commands import perform
from tessella.server.rooms.duplicate import show_dice
from tessella.server.rooms.follow_ups import follow_up
from tessella.server.rooms.history import read_log
from tessella.server.rooms.lifecycle import Terms, invite, open_table, sit, sit_bot
from tessella.server.rooms.room import Room
from tessella.server.services import expensive
from tessella.server.services.invitations import answered, is_invited
from tessella.server.store.schema import games, links
from tessella.table.log import Branched, Days, Live, Pace
from tessella.table.table import Refused

MOST_ENTRIES = 99_999
"""More than any log has."""


class SeatBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The player of a seat: me, anyone who joins, or a bot of a level."""

    kind: Literal["me", "open", "bot"] = "open"
    level: Annotated[str, Meta(max_length=20)] = ""


class PaceBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Seconds in the bank and per move, or days per move; without either there is no clock."""

    bank: Annotated[float, Meta(ge=10, le=86_400)] | None = None
    increment: Annotated[float, Meta(ge=0, le=3_600)] = 0
    days: Annotated[float, Meta(gt=0, le=60)] | None = None

    def pace(self) -> Pace:
        """Return the pace as the log stores it."""
        if self.days is not None:
            return Days(self.days)
        return None if self.bank is None else Live(self.bank, self.increment)


class GameBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A new table."""

    title: Annotated[str, Meta(max_length=20)]
    seats: Annotated[tuple[SeatBody, ...], Meta(min_length=2, max_length=5)]
    options: dict[Annotated[str, Meta(max_length=30)], Annotated[str, Meta(max_length=100)]] = msgspec.field(
        default_factory=dict[str, str]
    )
    pace: PaceBody = PaceBody()
    rated: bool = False
    listed: bool = False


class BranchBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A new table that begins with the first acts of a game."""

    record: Annotated[str, Meta(max_length=8_000)]
    acts: Annotated[int, Meta(ge=1, le=99_999)]
    seats: Annotated[tuple[SeatBody, ...], Meta(min_length=2, max_length=5)]
    pace: PaceBody = PaceBody()


class Invitation(Public, frozen=True):
    """A secret for one free seat, which lets one person sit there."""

    seat: Seat
    secret: str


class GameMade(Public, frozen=True):
    """The new table and the invitations to its free seats."""

    id: str
    commitment: str
    invitations: tuple[Invitation, ...]


class JoinBody(Struct, frozen=True, forbid_unknown_fields=True):
    """An invitation or, at a listed table, a free seat."""

    secret: Annotated[str, Meta(max_length=64)] = ""
    seat: int | None = None


async def post_game(request: Request) -> Answer:
    """Open a table."""
    body = request.body
    _ = request.person
    rules = read_rules_of(body)
    return await _open(request, Terms(rules, body.pace.pace(), body.rated, body.listed))


async def post_branch(request: Request) -> Answer:
    """Open an unrated table that begins with the first acts of a game."""
    body = request.body
    checked = await request.expensive(expensive.check_branch, body.record, body.acts)
    found = msgspec.json.decode(checked, type=expensive.BranchChecked)
    game = GAMES[found.rules.partition("/")[0]]
    if len(body.seats) != record.read_rules(game, found.rules).seats:
        raise Problem(422, "seats", "the game has another number of seats")
    require_players(game, body.seats)
    return await _open(request, Terms(found.rules, body.pace.pace(), branch=Branched(found.game, found.acts)))


async def _open(request: Request, terms: Terms) -> Answer:
    """Open a table and seat its players."""
    person, body = request.person, request.body
    async with room_for(request, tables=1, listed=terms.listed) as origin:
        room = await open_table(request.host, msgspec.structs.replace(terms, creator=person.id, origin=origin))
    invitations: list[Invitation] = []
    for seat, wanted in enumerate(body.seats):
        if wanted.kind == "me":
            await sit(request.host, room, seat, person)
        elif wanted.kind == "bot":
            await sit_bot(request.host, room, seat, wanted.level)
        else:
            invitations.append(Invitation(seat, await invite(request.host, room.table.id, seat)))
    await follow_up(request.host, room)
    return Answer(GameMade(room.table.id, room.table.terms.commitment, tuple(invitations)), 201)


@asynccontextmanager
async def room_for(request: Request, *, tables: int, listed: bool) -> AsyncGenerator[str]:
    """Reserve new tables while the block opens them, and yield the origin to charge, or raise `Problem`."""
    person, store = request.person, request.host.store
    origin = await origin_of(store, person, request.address)
    with capped():
        request.caps.require_pace(origin, request.address, tables, request.host.clock())
        async with request.caps.room_for(store, person, origin, request.address, tables=tables, listed=listed):
            yield origin


@contextmanager
def capped() -> Generator[None]:
    """Turn `TooMany` into an error: 409, or 429 if waiting is enough."""
    try:
        yield
    except TooMany as exc:
        raise Problem(409 if exc.after is None else 429, exc.rule, exc.message, exc.after) from None


def read_rules_of(body: GameBody) -> str:
    """Return the rules line of a requested table; raise `Problem` if a game, level or option does not exist."""
    if body.title not in GAMES:
        raise Problem(422, "title", f"there is no game {body.title!r}; the games are {', '.join(GAMES)}")
    game = GAMES[body.title]
    require_players(game, body.seats)
    options = [f"seats={len(body.seats)}", *(f"{key}={value}" for key, value in body.options.items() if key != "seats")]
    try:
        config = record.read_options(game, options)
    except BadNotation as exc:
        raise Problem(422, "options", str(exc)) from None
    return record.write_rules(game, config)


def require_players(game: AnyGame, seats: Sequence[SeatBody]) -> None:
    """Raise `Problem` unless the caller wants one seat at most and every bot has a level."""
    if [seat.kind for seat in seats].count("me") > 1:
        raise Problem(422, "seats", "you can take one seat only")
    if any(seat.kind == "bot" and seat.level not in names(game) for seat in seats):
        raise Problem(422, "level", f"there is no such level of bots; the levels are {', '.join(names(game))}")


async def find_room(request: Request) -> Room:
    """Return the table in the path; raise `Problem` if there is none."""
    room = await request.host.current(request.path["id"])
    if room is None:
        raise Problem(404, "game", "there is no such table")
    return room


async def get_game(request: Request) -> Answer:
    """Return a table as you may see it."""
    room = await find_room(request)
    seat = room.table.seat_of(request.caller.person.id_at(room.table)) if request.caller else None
    if not (room.table.may_watch(seat) or await show_dice(request.host, room)):
        raise Problem(403, "match", "the tables of a match can be watched when all of them are over")
    return Answer(room.view_for(seat, request.host.clock()))


async def post_join(request: Request) -> Answer:
    """Take a seat, by invitation or at a listed table."""
    room, person, body = await find_room(request), request.person, request.body
    seat = await _seat_for(request, room, body)
    try:
        await sit(request.host, room, seat, person)
    except Refused as exc:
        raise Problem(409, exc.rule, exc.message) from None
    await request.host.store.run(answered(person, room.table.id))
    if body.secret:
        await request.host.store.run(update(links).where(links.c.hash == digest(body.secret)).values(used=True))
    await follow_up(request.host, room)
    return Answer(room.view_for(seat, request.host.clock()))


async def _seat_for(request: Request, room: Room, body: JoinBody) -> Seat:
    if body.secret:
        rows = await request.host.store.run(
            select(links).where(links.c.hash == digest(body.secret), links.c.game == room.table.id)
        )
        if not rows or rows[0]["used"]:
            raise Problem(403, "invitation", "this invitation is not for this table, or has been used")
        return int(rows[0]["seat"])
    store, person = request.host.store, request.person
    rows = await store.run(select(games.c.listed).where(games.c.id == room.table.id))
    if body.seat is None or not (rows[0]["listed"] or await is_invited(store, person, room.table.id)):
        raise Problem(403, "invitation", "this table can be joined by invitation only")
    there = await own_ids(store, [occupant.player for occupant in room.table.seats if occupant.player])
    if any(person.id in pair for pair in await blocked_pairs(store, [person.id, *there.values()])):
        raise Problem(403, "blocked", "you cannot join this table")
    return int(body.seat)


async def post_act(request: Request) -> Answer:
    """Make a move or send any other client message; the answer confirms that it is stored, or says why not."""
    room = await find_room(request)
    caller = request.caller
    if caller is None:
        raise Problem(401, "session", "log in or choose a name first: POST /api/session")
    answer = await perform(request.host, room, caller, request.body.request)
    status = 409 if isinstance(answer, messages.ErrorReply) else 200
    return Answer(answer, status)


async def get_entries(request: Request) -> Answer:
    """Return the entries of a table, from one number up to but not including another, as you saw them."""
    first, before = number_in(request, "from", 1), number_in(request, "before", MOST_ENTRIES)
    log = await read_log(request.host.store, request.path["id"])
    if not log:
        raise Problem(404, "game", "there is no such table")
    ids = request.caller.person.ids if request.caller else ()
    return Answer(await request.expensive(expensive.past_entries, request.path["id"], log, ids, first, before))


async def post_hint(request: Request) -> Answer:
    """Return a good move, and what it would do, if it is your turn in an unrated game."""
    log = await read_log(request.host.store, request.path["id"])
    if not log:
        raise Problem(404, "game", "there is no such table")
    return Answer(await request.expensive(expensive.hint_of, request.path["id"], log, request.person.ids))


def number_in(request: Request, name: str, usual: int) -> int:
    """Return a number of at most five digits from the query; raise `Problem` for anything else."""
    text = request.query.get(name, str(usual))
    if not re.fullmatch("[0-9]{1,5}", text):
        raise Problem(422, "query", f"{name} must be a number of at most five digits")
    return int(text)


class ActBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A client message, exactly as it would be sent through a socket."""

    request: messages.Play | messages.Preview | messages.Pledge | messages.Reveal | messages.Command


async def get_record(request: Request) -> Answer:
    """Return the record of a finished game."""
    room = await find_room(request)
    if not room.table.is_public:
        raise Problem(403, "running", "the record is public when the game is over")
    if not await show_dice(request.host, room):
        raise Problem(403, "match", "the record is public when all tables of the match are over")
    return Answer(RecordView(record.write(room.table.record())))


async def get_titles(request: Request) -> Answer:  # noqa: ARG001
    """List the games that are played here, and the levels of their bots."""
    return Answer(list_titles())


async def get_texts(request: Request) -> Answer:
    """Return the texts and the rules page of a game that another package brings, in a language."""
    found = texts_view(request.path["title"], request.path["language"])
    if found is None:
        raise Problem(404, "title", "there is no installed game of this title, or no such language")
    return Answer(found)


ROUTES: Sequence[Route] = (
    Route("GET", "/api/titles", get_titles, TitlesView),
    Route("GET", "/api/titles/{title}/texts/{language}", get_texts, TextsView),
    Route("POST", "/api/games", post_game, GameMade, GameBody, status=201),
    Route("POST", "/api/branches", post_branch, GameMade, BranchBody, status=201, expensive=True),
    Route("GET", "/api/games/{id}", get_game, messages.TableView),
    Route("POST", "/api/games/{id}/join", post_join, messages.TableView, JoinBody, guess=True),
    Route("POST", "/api/games/{id}/act", post_act, messages.Ack, ActBody, signs_up=True),
    Route("GET", "/api/games/{id}/entries", get_entries, EntriesView, query=("from", "before"), expensive=True),
    Route("POST", "/api/games/{id}/hint", post_hint, HintView, expensive=True),
    Route("GET", "/api/games/{id}/record", get_record, RecordView),
)
