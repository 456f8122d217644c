"""Who you are: guests with a name, members, bots; and what is stored about you."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from tessella.core.game import Public
from tessella.server.api.routes import Answer, Problem, Request, Route
from tessella.server.people import DELETED, Person, Session, add_person, add_session, end_sessions, find_person, rename
from tessella.server.privacy import PersonalData, data_of, forget
from tessella.server.ratings import RatedGame, RatingSeen, rated_games_of, ratings_of
from tessella.server.table import Refused

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60)]


class SessionBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The name to be called by."""

    name: Name


class PersonSeen(Public, frozen=True):
    """A person, as that person sees itself."""

    id: str
    name: str
    kind: str


class ProfileSeen(Public, frozen=True):
    """A person, as anybody sees it."""

    id: str
    name: str
    kind: str
    ratings: tuple[RatingSeen, ...]
    games: tuple[RatedGame, ...]


class Done(Public, frozen=True):
    """It is done, for so many things."""

    done: int


def see_person(person: Person) -> PersonSeen:
    """A person, as that person sees itself."""
    return PersonSeen(person.id, person.name, person.kind)


@contextmanager
def answering(status: int = 409) -> Generator[None]:
    """What is refused inside is answered with this status; what is no name, log-in or password with 422."""
    try:
        yield
    except Refused as wrong:
        raise Problem(status, wrong.rule, wrong.why) from None
    except ValueError as wrong:
        raise Problem(422, "body", str(wrong)) from None


def own_session(request: Request) -> Session:
    """The cookie of who asks: a token can play, but is no key to the account."""
    person = request.person
    session = request.caller.session if request.caller else None
    if session is None or session.kind != "cookie":
        raise Problem(403, "token", f"{person.name} must log in for this; a token is not enough")
    return session


def members_session(request: Request) -> Session:
    """The same, of a member."""
    session = own_session(request)
    if session.person.kind != "member":
        raise Problem(403, "member", "this is for members: POST /api/members")
    return session


async def post_session(request: Request) -> Answer:
    """Say who you are: a guest with a name; or change your name."""
    with answering():
        if request.caller is not None:
            return Answer(see_person(await rename(request.host.store, request.caller.person, request.body.name)))
        person = await add_person(request.host.store, request.body.name, "guest")
    return Answer(see_person(person), 201, await add_session(request.host.store, person, "cookie"))


async def get_session(request: Request) -> Answer:
    """Tell who you are."""
    return Answer(see_person(request.person))


async def delete_session(request: Request) -> Answer:
    """Log out: this cookie or token is worth nothing any more."""
    person = request.person
    assert request.caller is not None
    assert request.caller.session is not None
    return Answer(Done(len(await end_sessions(request.host.store, person, request.caller.session.id))))


async def get_person(request: Request) -> Answer:
    """Show somebody's name, ratings and latest rated games."""
    person = await find_person(request.host.store, request.path["id"])
    if person is None or person.name == DELETED:
        raise Problem(404, "person", "there is nobody of that id")
    ratings = await ratings_of(request.host.store, person.id)
    games = await rated_games_of(request.host.store, person.id)
    return Answer(ProfileSeen(person.id, person.name, person.kind, ratings, games))


async def get_my_data(request: Request) -> Answer:
    """Give everything that is stored about you."""
    return Answer(await data_of(request.host.store, own_session(request).person))


async def delete_me(request: Request) -> Answer:
    """Forget who you are, for good: your games stay, without your name."""
    await forget(request.host, own_session(request).person)
    return Answer(Done(1))


ROUTES: Sequence[Route] = (
    Route("POST", "/api/session", post_session, PersonSeen, SessionBody, status=201),
    Route("GET", "/api/session", get_session, PersonSeen),
    Route("DELETE", "/api/session", delete_session, Done, parting=True),
    Route("GET", "/api/people/{id}", get_person, ProfileSeen),
    Route("GET", "/api/me/data", get_my_data, PersonalData),
    Route("DELETE", "/api/me", delete_me, Done, parting=True),
)
