"""Members: becoming one, logging in by a password or a passkey, and the sessions and tokens that are yours."""

import logging
from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from tessella.core.game import Public
from tessella.server import accounts, passkeys
from tessella.server.accounts import Held
from tessella.server.api.people import (
    Done,
    PersonSeen,
    answering,
    members_session,
    own_session,
    see_person,
)
from tessella.server.api.routes import Answer, Problem, Request, Route
from tessella.server.people import Person, Session, digest, end_sessions, session_id

log = logging.getLogger(__name__)

Login: TypeAlias = Annotated[str, Meta(min_length=3, max_length=100)]
Password: TypeAlias = Annotated[str, Meta(min_length=1, max_length=accounts.LONGEST_PASSWORD)]
CeremonyName: TypeAlias = Annotated[str, Meta(max_length=64, pattern="^[A-Za-z0-9_-]*$")]
Letters64: TypeAlias = Annotated[str, Meta(min_length=1, max_length=6_000, pattern="^[A-Za-z0-9_-]+$")]


class WaysSeen(Public, frozen=True):
    """How one becomes a member here and logs in; a server that has only guests knows no way."""

    ways: tuple[accounts.Way, ...]


async def get_ways(_request: Request) -> Answer:
    """Say how one becomes a member here and logs in."""
    return Answer(WaysSeen(accounts.ways()))


# Passwords


class LoginBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A log-in and its password."""

    login: Login
    password: Password


class PasswordBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The old password and the new one."""

    old: Password
    new: Password


async def post_member(request: Request) -> Answer:
    """Become a member by a log-in, which nobody else sees, and a password; your games stay yours."""
    before, body = own_session(request), request.body
    with answering():
        member = await accounts.become_member(request.host.store, before.person, body.login, body.password)
    return Answer(see_person(member), 201, await accounts.enter(request.host.store, before, member))


async def post_login(request: Request) -> Answer:
    """Log in by a password; the games that you have as a guest become yours."""
    key, now = "login " + digest(request.body.login.strip().casefold()), request.host.clock()
    if wait := request.limits.wait_to_guess(key, now):
        raise Problem(429, "busy", "too many attempts; try again later", wait)
    member = await accounts.check_login(request.host.store, request.body.login, request.body.password)
    if member is None:
        raise Problem(403, "login", "the log-in or the password is wrong")
    request.limits.right(key)
    return await _enter(request, member, "password")


async def _enter(request: Request, member: Person, by: str) -> Answer:
    before = request.caller.session if request.caller else None
    log.info("logged in", extra={"rule": by})
    return Answer(see_person(member), cookie=await accounts.enter(request.host.store, before, member))


async def post_password(request: Request) -> Answer:
    """Change your password; everywhere else you are logged out."""
    with answering(403):
        session = members_session(request)
        await accounts.change_password(request.host.store, session, request.body.old, request.body.new)
    return Answer(Done(1))


# Passkeys


class CeremonySeen(Public, frozen=True):
    """What to ask the device for: options for navigator.credentials, and the name of the ceremony."""

    id: str
    options: msgspec.Raw


class NewKey(Struct, frozen=True, rename={"client_data_json": "clientDataJSON", "attestation": "attestationObject"}):
    """What a device says when it has made a key."""

    client_data_json: Letters64
    attestation: Letters64


class Signature(
    Struct,
    frozen=True,
    rename={"client_data_json": "clientDataJSON", "data": "authenticatorData", "user": "userHandle"},
):
    """What a device says when it has signed."""

    client_data_json: Letters64
    data: Letters64
    signature: Letters64
    user: Letters64 | None = None


class NewCredential(Struct, frozen=True, rename={"raw_id": "rawId"}):
    """A new key, as a browser's `toJSON` writes it."""

    id: Letters64
    raw_id: Letters64
    response: NewKey
    type: Literal["public-key"]


class SignedCredential(Struct, frozen=True, rename={"raw_id": "rawId"}):
    """A signature, as a browser's `toJSON` writes it."""

    id: Letters64
    raw_id: Letters64
    response: Signature
    type: Literal["public-key"]


class NewKeyBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The device's answer to a ceremony for a new key."""

    ceremony: CeremonyName
    credential: NewCredential


class SignedBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The device's answer to a ceremony for logging in."""

    ceremony: CeremonyName
    credential: SignedCredential


class PasskeySeen(Public, frozen=True):
    """A key of yours."""

    id: str
    made: float


class PasskeysSeen(Public, frozen=True):
    """Your keys."""

    passkeys: tuple[PasskeySeen, ...]


async def post_new_key(request: Request) -> Answer:
    """Begin to add a passkey: what to ask the device for."""
    asked = await passkeys.ask_for_key(request.host.store, _person(request), request.origin)
    return Answer(CeremonySeen(asked.id, msgspec.Raw(asked.options)))


async def post_key(request: Request) -> Answer:
    """Add a passkey; a guest becomes a member by it, and the games stay yours."""
    person, body = _person(request), request.body
    with answering():
        member = await passkeys.add_key(request.host.store, person, body.ceremony, body.credential, request.origin)
    if person.kind == "member":
        return Answer(see_person(member), 201)
    return Answer(see_person(member), 201, await accounts.enter(request.host.store, own_session(request), member))


def _person(request: Request) -> Person:
    person = own_session(request).person
    if person.kind == "bot":
        raise Problem(403, "bot", "bots have tokens")
    return person


async def post_signing(request: Request) -> Answer:
    """Begin to log in by a passkey: what to ask the device for."""
    asked = await passkeys.ask_to_sign(request.host.store, request.origin)
    return Answer(CeremonySeen(asked.id, msgspec.Raw(asked.options)))


async def post_signed(request: Request) -> Answer:
    """Log in by a passkey; the games that you have as a guest become yours."""
    store, credential = request.host.store, request.body.credential
    with answering(403):
        member = await passkeys.check_signature(store, request.body.ceremony, credential.id, credential, request.origin)
    if member is None:
        raise Problem(403, "passkey", "that key is not known here")
    return await _enter(request, member, "passkey")


async def get_keys(request: Request) -> Answer:
    """List your passkeys."""
    keys = await passkeys.keys_of(request.host.store, own_session(request).person)
    return Answer(PasskeysSeen(tuple(PasskeySeen(key.id, key.made) for key in keys)))


async def delete_key(request: Request) -> Answer:
    """Remove a passkey, unless you could not log in without it."""
    with answering():
        await passkeys.remove_key(request.host.store, members_session(request).person, request.path["id"])
    return Answer(Done(1))


# Sessions and tokens


class TokenBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What the token is for, and for how many days."""

    label: Annotated[str, Meta(max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""
    days: Annotated[float, Meta(gt=0, le=365)] = 365


class TokenMade(Public, frozen=True):
    """A token, which is seen only now; it goes into the header `Authorization: Bearer …`."""

    id: str
    token: str


class HeldSeen(Public, frozen=True):
    """A session or a token of yours; `here` is the one by which you ask."""

    id: str
    label: str
    made: float
    ends: float
    here: bool


class HeldsSeen(Public, frozen=True):
    """Your sessions or tokens."""

    held: tuple[HeldSeen, ...]


async def get_sessions(request: Request) -> Answer:
    """List where you are logged in."""
    session = own_session(request)
    return Answer(_see(await accounts.held_by(request.host.store, session.person, "cookie"), session))


async def delete_sessions(request: Request) -> Answer:
    """Log out everywhere but here."""
    session = own_session(request)
    held = await accounts.held_by(request.host.store, session.person, "cookie")
    others = [each.id for each in held if each.id != session.id]
    return Answer(Done(len(await end_sessions(request.host.store, session.person, *others))))


async def delete_one_session(request: Request) -> Answer:
    """Log out somewhere."""
    return await _end(request, own_session(request))


async def _end(request: Request, session: Session) -> Answer:
    if not await end_sessions(request.host.store, session.person, request.path["id"]):
        raise Problem(404, "session", "you have nothing of that id")
    return Answer(Done(1))


async def get_tokens(request: Request) -> Answer:
    """List your tokens."""
    session = members_session(request)
    return Answer(_see(await accounts.held_by(request.host.store, session.person, "token"), session))


async def post_token(request: Request) -> Answer:
    """Make a token for your programs; it is shown only now."""
    person, body = members_session(request).person, request.body
    with answering():
        token = await accounts.add_token(request.host.store, person, body.label, body.days)
    return Answer(TokenMade(session_id(token), token), 201)


async def delete_token(request: Request) -> Answer:
    """Revoke a token."""
    return await _end(request, members_session(request))


def _see(held: Sequence[Held], here: Session) -> HeldsSeen:
    return HeldsSeen(tuple(HeldSeen(each.id, each.label, each.made, each.ends, each.id == here.id) for each in held))


ROUTES: Sequence[Route] = (
    Route("GET", "/api/members", get_ways, WaysSeen),
    Route("POST", "/api/members", post_member, PersonSeen, LoginBody, status=201, guess=True, parting=True),
    Route("POST", "/api/login", post_login, PersonSeen, LoginBody, guess=True, parting=True),
    Route("POST", "/api/me/password", post_password, Done, PasswordBody, guess=True, parting=True),
    Route("POST", "/api/passkeys/new", post_new_key, CeremonySeen),
    Route("POST", "/api/passkeys", post_key, PersonSeen, NewKeyBody, status=201, parting=True),
    Route("POST", "/api/passkeys/login/new", post_signing, CeremonySeen),
    Route("POST", "/api/passkeys/login", post_signed, PersonSeen, SignedBody, guess=True, parting=True),
    Route("GET", "/api/me/passkeys", get_keys, PasskeysSeen),
    Route("DELETE", "/api/me/passkeys/{id}", delete_key, Done),
    Route("GET", "/api/me/sessions", get_sessions, HeldsSeen),
    Route("DELETE", "/api/me/sessions", delete_sessions, Done, parting=True),
    Route("DELETE", "/api/me/sessions/{id}", delete_one_session, Done, parting=True),
    Route("GET", "/api/me/tokens", get_tokens, HeldsSeen),
    Route("POST", "/api/me/tokens", post_token, TokenMade, TokenBody, status=201),
    Route("DELETE", "/api/me/tokens/{id}", delete_token, Done, parting=True),
)
