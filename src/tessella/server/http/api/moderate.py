"""For moderators, whom the host names: reports, people and tables. For everyone else nothing is at these paths."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Annotated

from msgspec import Meta, Struct

from tessella.core.game import Public
from tessella.server.http.api.people import Done, Name
from tessella.server.http.api.routes import Answer, Problem, Request, Route
from tessella.server.people.identity import Person, find_person
from tessella.server.services import moderation
from tessella.server.services.moderation import ActView, DossierView, ReportView
from tessella.table.table import Refused

MOST_ACTS = 50


class ModerationView(Public, frozen=True):
    """The latest reports, and the latest acts of the moderators and the host."""

    reports: tuple[ReportView, ...]
    acts: tuple[ActView, ...]


class BanBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Why a person is banned, for the audit list."""

    reason: Annotated[str, Meta(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""


class NameBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The new name of a person."""

    name: Name


async def get_moderation(request: Request) -> Answer:
    """Return the latest reports and acts."""
    store = request.host.store
    reports = await moderation.list_reports(store, moderation.MOST_REPORTS)
    return Answer(ModerationView(tuple(reports), tuple(await moderation.acts(store, MOST_ACTS))))


async def get_dossier(request: Request) -> Answer:
    """Return a person as moderators see them."""
    person = await find_person(request.host.store, request.path["id"])
    if person is None:
        raise Problem(404, "person", "there is no person with this id")
    return await _see(request, person)


async def _see(request: Request, person: Person) -> Answer:
    return Answer(await moderation.dossier(request.host.store, person))


async def post_ban(request: Request) -> Answer:
    """Ban a person and their bots; their games go on without them."""
    with _refusing():
        person = await moderation.subject(request.host.store, request.path["id"], request.person.id)
    await moderation.ban(request.host, person, request.person.id, request.body.reason)
    return await _see(request, person)


async def delete_ban(request: Request) -> Answer:
    """Let a banned person in again."""
    with _refusing():
        person = await moderation.subject(request.host.store, request.path["id"], request.person.id)
    await moderation.unban(request.host.store, person, request.person.id)
    return await _see(request, person)


async def delete_their_sessions(request: Request) -> Answer:
    """Log a person out everywhere."""
    with _refusing():
        person = await moderation.subject(request.host.store, request.path["id"], request.person.id)
    await moderation.log_out(request.host, person, request.person.id)
    return await _see(request, person)


async def post_name(request: Request) -> Answer:
    """Rename a person from now on."""
    with _refusing():
        person = await moderation.subject(request.host.store, request.path["id"], request.person.id)
        new = await moderation.rename(request.host.store, person, request.body.name, request.person.id)
    return await _see(request, new)


async def post_close(request: Request) -> Answer:
    """End a game without a result."""
    with _refusing():
        await moderation.close_table(request.host, request.path["id"], request.person.id)
    return Answer(Done(1))


@contextmanager
def _refusing() -> Generator[None]:
    """Turn `Refused` into an error: 404 if there is no such person or table, else 409; and ValueError into 422."""
    try:
        yield
    except Refused as exc:
        raise Problem(404 if exc.rule in ("person", "game") else 409, exc.rule, exc.message) from None
    except ValueError as exc:
        raise Problem(422, "body", str(exc)) from None


ROUTES: Sequence[Route] = (
    Route("GET", "/api/moderate", get_moderation, ModerationView, moderators=True),
    Route("GET", "/api/moderate/people/{id}", get_dossier, DossierView, moderators=True),
    Route("POST", "/api/moderate/people/{id}/ban", post_ban, DossierView, BanBody, moderators=True),
    Route("DELETE", "/api/moderate/people/{id}/ban", delete_ban, DossierView, moderators=True),
    Route("DELETE", "/api/moderate/people/{id}/sessions", delete_their_sessions, DossierView, moderators=True),
    Route("POST", "/api/moderate/people/{id}/name", post_name, DossierView, NameBody, moderators=True),
    Route("POST", "/api/moderate/games/{id}/close", post_close, Done, moderators=True),
)
