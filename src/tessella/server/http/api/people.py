"""Sessions of guests, profiles, and the export and erasure of personal data."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from tessella.core.game import Public
from tessella.server.http.api.routes import Answer, Problem, Request, Route
from tessella.server.people.identity import (
    DELETED,
    Person,
    Session,
    add_person,
    add_session,
    end_sessions,
    find_person,
    rename,
)
from tessella.server.people.relations import relations
from tessella.server.services.data_rights import PersonalData, data_of, erase
from tessella.server.services.ladder import LadderRating, ratings_on_ladder
from tessella.server.services.ratings import (
    Against,
    RatedGame,
    RatingView,
    head_to_head,
    rated_games_of,
    ratings_of,
)
from tessella.table.table import Refused

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60)]


class SessionBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Your display name."""

    name: Name


class PersonView(Public, frozen=True):
    """You, as you see yourself."""

    id: str
    name: str
    kind: str
    moderator: bool = False
    """Whether the host has named you a moderator."""


class ProfileView(Public, frozen=True):
    """A person, as everyone sees them."""

    id: str
    name: str
    kind: str
    ratings: tuple[RatingView, ...]
    games: tuple[RatedGame, ...]
    follows: bool = False
    """Whether you follow them."""
    blocks: bool = False
    """Whether you have blocked them."""
    ladder: tuple[LadderRating, ...] = ()
    """The ratings of a bot account on the ladder of bots, which has a scale of its own."""
    against: Against | None = None
    """Your games against each other; null for yourself and for strangers without a session."""


class Done(Public, frozen=True):
    """Success, and the number of things that were changed."""

    done: int


def see_person(person: Person) -> PersonView:
    """Return the view of a person for that person."""
    return PersonView(person.id, person.name, person.kind, person.moderator)


@contextmanager
def answering(status: int = 409) -> Generator[None]:
    """Turn `Refused` into an error of this status, and ValueError (a bad name or password) into 422."""
    try:
        yield
    except Refused as exc:
        raise Problem(status, exc.rule, exc.message) from None
    except ValueError as exc:
        raise Problem(422, "body", str(exc)) from None


def own_session(request: Request) -> Session:
    """Return the cookie session of the caller; raise `Problem` for a token, which cannot manage the account."""
    person = request.person
    session = request.caller.session if request.caller else None
    if session is None or session.kind != "cookie":
        raise Problem(403, "token", f"{person.name} must log in for this; a token is not enough")
    return session


def members_session(request: Request) -> Session:
    """Return the cookie session of a member; raise `Problem` for anyone else."""
    session = own_session(request)
    if session.person.kind != "member":
        raise Problem(403, "member", "only members can do this: POST /api/members")
    return session


async def post_session(request: Request) -> Answer:
    """Start a session as a guest with a name, or change your name."""
    with answering():
        if request.caller is not None:
            return Answer(see_person(await rename(request.host.store, request.caller.person, request.body.name)))
        if not request.rules.guests and request.rules.registration == "closed":
            raise Problem(403, "guests", "this server is for members, and takes no new ones; ask its host")
        person = await add_person(request.host.store, request.body.name, "guest")
    return Answer(see_person(person), 201, await add_session(request.host.store, person, "cookie"))


async def get_session(request: Request) -> Answer:
    """Return who you are."""
    return Answer(see_person(request.person))


async def delete_session(request: Request) -> Answer:
    """Log out: end the session of this cookie or token."""
    person = request.person
    assert request.caller is not None
    assert request.caller.session is not None
    return Answer(Done(len(await end_sessions(request.host.store, person, request.caller.session.id))))


async def get_person(request: Request) -> Answer:
    """Return the name, ratings and latest rated games of a person, and how your own games with them ended."""
    person = await find_person(request.host.store, request.path["id"])
    if person is None or person.name == DELETED:
        raise Problem(404, "person", "there is no person with this id")
    ratings = await ratings_of(request.host.store, person.id)
    games = await rated_games_of(request.host.store, person.id)
    seen = ProfileView(person.id, person.name, person.kind, ratings, games)
    if person.kind == "bot":
        seen = replace(seen, ladder=await ratings_on_ladder(request.host.store, person.id))
    viewer = request.caller.person if request.caller else None
    if viewer is None or viewer.id == person.id:
        return Answer(seen)
    relation = (await relations(request.host.store, viewer, [person.id]))[person.id]
    met = await head_to_head(request.host.store, viewer.ids, person.ids)
    return Answer(replace(seen, follows=relation.follows, blocks=relation.blocks, against=met))


async def get_my_data(request: Request) -> Answer:
    """Return everything that is stored about you."""
    return Answer(await data_of(request.host.store, own_session(request).person))


async def delete_me(request: Request) -> Answer:
    """Delete your account for good; your games stay without your name."""
    await erase(request.host, own_session(request).person)
    return Answer(Done(1))


ROUTES: Sequence[Route] = (
    Route("POST", "/api/session", post_session, PersonView, SessionBody, status=201, signs_up=True),
    Route("GET", "/api/session", get_session, PersonView),
    Route("DELETE", "/api/session", delete_session, Done, ends_sessions=True, signs_up=True),
    Route("GET", "/api/people/{id}", get_person, ProfileView),
    Route("GET", "/api/me/data", get_my_data, PersonalData),
    Route("DELETE", "/api/me", delete_me, Done, ends_sessions=True, signs_up=True),
)
