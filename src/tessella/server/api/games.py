"""Tables: set one, join it, look at it, play at it, read its record."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from sqlalchemy import select, update

from tessella.bots import ladder, names
from tessella.core import record
from tessella.core.game import AnyGame, BadNotation, Public, Seat
from tessella.games import GAMES
from tessella.server import messages, seen
from tessella.server.api.routes import Answer, Problem, Request, Route
from tessella.server.entries import Days, Live, Pace
from tessella.server.host import Room
from tessella.server.match import show_dice
from tessella.server.opening import Terms, invite, open_table, sit, sit_bot
from tessella.server.past import read_past
from tessella.server.people import digest
from tessella.server.sessions import perform
from tessella.server.store import Row
from tessella.server.store.schema import games, links, people, seats
from tessella.server.table import Refused

MOST_FILMS = 100
"""So many entries are told at once."""

MOST_ENTRIES = 99_999
"""No log is as long as this."""


class SeatBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to sit there: me, anybody who comes, or a bot of a level."""

    kind: Literal["me", "open", "bot"] = "open"
    level: Annotated[str, Meta(max_length=20)] = ""


class PaceBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Seconds in the bank and after each move; or days for each move; or nothing: no clock."""

    bank: Annotated[float, Meta(ge=10, le=86_400)] | None = None
    increment: Annotated[float, Meta(ge=0, le=3_600)] = 0
    days: Annotated[float, Meta(gt=0, le=60)] | None = None

    def pace(self) -> Pace:
        """The pace that is meant."""
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


class Invitation(Public, frozen=True):
    """A secret for one free seat: whoever has it may sit there, once."""

    seat: Seat
    secret: str


class GameMade(Public, frozen=True):
    """The new table and the invitations to its free seats."""

    id: str
    commitment: str
    invitations: tuple[Invitation, ...]


class JoinBody(Struct, frozen=True, forbid_unknown_fields=True):
    """An invitation; or, at a listed table, a free seat."""

    secret: Annotated[str, Meta(max_length=64)] = ""
    seat: int | None = None


class GameListed(Public, frozen=True):
    """A table in a list."""

    id: str
    title: str
    rules: str
    status: str
    number: int
    pace: str
    rated: bool
    touched: float
    """When something last happened there, in seconds."""
    people: tuple[str, ...]
    """Who sits there, in the order of the seats; in a list of your own games, who sits there beside you."""
    my_turn: bool = False


class GamesListed(Public, frozen=True):
    """A list of tables."""

    games: tuple[GameListed, ...]


class RecordSeen(Public, frozen=True):
    """A finished game as text."""

    record: str


class FilmsSeen(Public, frozen=True):
    """Films of the past, in order; `next` is the number of the first that did not fit, if there is one."""

    films: tuple[messages.Film, ...]
    next: int | None


class Level(Public, frozen=True):
    """A computer player that may be asked to sit down."""

    name: str


class TitleSeen(Public, frozen=True):
    """A game that is played here."""

    title: str
    edition: int
    levels: tuple[Level, ...]


class TitlesSeen(Public, frozen=True):
    """All games that are played here."""

    titles: tuple[TitleSeen, ...]


async def post_game(request: Request) -> Answer:
    """Set a new table."""
    person, body = request.person, request.body
    terms = Terms(read_rules_of(body), body.pace.pace(), body.rated, body.listed)
    room = await open_table(request.host, terms)
    invitations: list[Invitation] = []
    for seat, wanted in enumerate(body.seats):
        if wanted.kind == "me":
            await sit(request.host, room, seat, person)
        elif wanted.kind == "bot":
            await sit_bot(request.host, room, seat, wanted.level)
        else:
            invitations.append(Invitation(seat, await invite(request.host, room.table.id, seat)))
    return Answer(GameMade(room.table.id, room.table.terms.commitment, tuple(invitations)), 201)


def read_rules_of(body: GameBody) -> str:
    """The rules line of a wished table; refused if there are no such options."""
    if body.title not in GAMES:
        raise Problem(422, "title", f"there is no game {body.title!r} here")
    game = GAMES[body.title]
    if [seat.kind for seat in body.seats].count("me") > 1:
        raise Problem(422, "seats", "you can sit on one seat only")
    if any(seat.kind == "bot" and seat.level not in names(game) for seat in body.seats):
        raise Problem(422, "level", f"computer players are called {', '.join(names(game))}")
    words = [f"seats={len(body.seats)}", *(f"{key}={value}" for key, value in body.options.items() if key != "seats")]
    try:
        config = record.read_rules(game, " ".join([f"{game.NAME}/{game.EDITION}", *words]))
    except BadNotation as wrong:
        raise Problem(422, "options", str(wrong)) from None
    return record.write_rules(game, config)


async def get_games(request: Request) -> Answer:
    """List the open tables that anybody may join."""
    query = select(games).where(games.c.status == "open", games.c.listed).order_by(games.c.touched.desc()).limit(100)
    rows = await request.host.store.run(query)
    people_at = await _people_at(request, rows, but=())
    return Answer(GamesListed(tuple(_listed(row, people_at[row["id"]]) for row in rows)))


async def get_my_games(request: Request) -> Answer:
    """List your games, those where it is your turn first."""
    query = (
        select(games, seats.c.seat)
        .join(seats, seats.c.game == games.c.id)
        .where(seats.c.person.in_(request.person.ids))
        .order_by(games.c.touched.desc())
        .limit(200)
    )
    rows = await request.host.store.run(query)
    people_at = await _people_at(request, rows, but=request.person.ids)
    listed = [
        _listed(row, people_at[row["id"]], my_turn=str(row["seat"]) in str(row["movers"]).split(",")) for row in rows
    ]
    return Answer(GamesListed(tuple(sorted(listed, key=lambda game: not game.my_turn))))


async def _people_at(request: Request, rows: Sequence[Row], but: Collection[str]) -> Mapping[str, list[str]]:
    """The names of those who sit at each of the tables, but for some; computer players have none."""
    query = (
        select(seats.c.game, people.c.name)
        .join(people, people.c.id == seats.c.person)
        .where(seats.c.game.in_([row["id"] for row in rows]), seats.c.person.not_in(but))
        .order_by(seats.c.game, seats.c.seat)
    )
    called: dict[str, list[str]] = {row["id"]: [] for row in rows}
    for found in await request.host.store.run(query):
        called[found["game"]].append(found["name"])
    return called


def _listed(row: Row, called: Sequence[str], *, my_turn: bool = False) -> GameListed:
    return GameListed(
        id=row["id"],
        title=row["game"],
        rules=row["rules"],
        status=row["status"],
        number=row["number"],
        pace=row["pace"],
        rated=bool(row["rated"]),
        touched=row["touched"],
        people=tuple(called),
        my_turn=my_turn,
    )


async def find_room(request: Request) -> Room:
    """The table that the path names."""
    room = await request.host.room(request.path["id"])
    if room is None:
        raise Problem(404, "game", "there is no such table")
    return room


async def get_game(request: Request) -> Answer:
    """Show a table as you may see it."""
    room = await find_room(request)
    seat = room.table.seat_of(request.caller.person.who_at(room.table)) if request.caller else None
    if not (room.table.may_watch(seat) or await show_dice(request.host, room)):
        raise Problem(403, "match", "the tables of a match can be watched when all of them are over")
    return Answer(room.see(seat, request.host.clock()))


async def post_join(request: Request) -> Answer:
    """Sit down: with an invitation, or on a free seat of a listed table."""
    room, person, body = await find_room(request), request.person, request.body
    seat = await _seat_for(request, room, body)
    try:
        await sit(request.host, room, seat, person)
    except Refused as wrong:
        raise Problem(409, wrong.rule, wrong.why) from None
    if body.secret:
        await request.host.store.run(update(links).where(links.c.hash == digest(body.secret)).values(used=True))
    return Answer(room.see(seat, request.host.clock()))


async def _seat_for(request: Request, room: Room, body: JoinBody) -> Seat:
    if body.secret:
        rows = await request.host.store.run(
            select(links).where(links.c.hash == digest(body.secret), links.c.game == room.table.id)
        )
        if not rows or rows[0]["used"]:
            raise Problem(403, "invitation", "this invitation is not for this table, or has been used")
        return int(rows[0]["seat"])
    rows = await request.host.store.run(select(games.c.listed).where(games.c.id == room.table.id))
    if not rows[0]["listed"] or body.seat is None:
        raise Problem(403, "invitation", "this table is by invitation")
    return int(body.seat)


async def post_act(request: Request) -> Answer:
    """Make a move or anything else that a client may wish; the answer says that it is stored, or why not."""
    room = await find_room(request)
    caller = request.caller
    if caller is None:
        raise Problem(401, "session", "say who you are first: POST /api/session")
    answer = await perform(request.host, room, caller, request.body.wish)
    status = 409 if isinstance(answer, messages.Refusal) else 200
    return Answer(answer, status)


async def get_films(request: Request) -> Answer:
    """Tell what happened at a table, from one entry up to before another, as you witnessed it."""
    first, last = number_in(request, "from", 1), number_in(request, "before", MOST_ENTRIES)
    past = await read_past(request.host.store, request.path["id"])
    if past is None:
        raise Problem(404, "game", "there is no such table")
    seat = past.table.seat_of(request.caller.person.who_at(past.table)) if request.caller else None
    if not past.table.may_watch(seat):
        raise Problem(403, "match", "the tables of a match can be watched when all of them are over")
    wanted = [moment.happening for moment in past.moments if first <= moment.happening.number < last]
    films = seen.notice(past.table, seat, wanted[:MOST_FILMS])
    return Answer(FilmsSeen(films, wanted[MOST_FILMS].number if len(wanted) > MOST_FILMS else None))


def number_in(request: Request, name: str, usual: int) -> int:
    """A small number in the query of an address."""
    text = request.query.get(name, str(usual))
    if not re.fullmatch("[0-9]{1,5}", text):
        raise Problem(422, "query", f"{name} is a number of at most five digits")
    return int(text)


class ActBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A wish, exactly as it would be sent through a socket."""

    wish: messages.Play | messages.Foresee | messages.Pledge | messages.Reveal | messages.Wish


async def get_record(request: Request) -> Answer:
    """Give the record of a finished game; while it runs, nobody gets it."""
    room = await find_room(request)
    if room.table.status != "over":
        raise Problem(403, "running", "the record is public when the game is over")
    if not await show_dice(request.host, room):
        raise Problem(403, "match", "the record is public when all tables of the match are over")
    return Answer(RecordSeen(record.write(room.table.record())))


async def get_titles(request: Request) -> Answer:  # noqa: ARG001
    """List the games that are played here, and the levels of the computer players."""
    return Answer(TitlesSeen(tuple(map(_title, GAMES.values()))))


def _title(game: AnyGame) -> TitleSeen:
    return TitleSeen(game.NAME, game.EDITION, tuple(map(Level, ladder(game))))


ROUTES: Sequence[Route] = (
    Route("GET", "/api/titles", get_titles, TitlesSeen),
    Route("POST", "/api/games", post_game, GameMade, GameBody, status=201),
    Route("GET", "/api/games", get_games, GamesListed),
    Route("GET", "/api/me/games", get_my_games, GamesListed),
    Route("GET", "/api/games/{id}", get_game, messages.TableSeen),
    Route("POST", "/api/games/{id}/join", post_join, messages.TableSeen, JoinBody, guess=True),
    Route("POST", "/api/games/{id}/act", post_act, messages.Ack, ActBody),
    Route("GET", "/api/games/{id}/films", get_films, FilmsSeen, query=("from", "before"), costly=True),
    Route("GET", "/api/games/{id}/record", get_record, RecordSeen),
)
