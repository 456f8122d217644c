"""Accounts: sign-up, login by password or passkey, sessions and tokens."""

import logging
from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from tessella.core.game import Public
from tessella.server.http.api.people import Done, PersonView, answering, members_session, own_session, see_person
from tessella.server.http.api.routes import Answer, Problem, Request, Route
from tessella.server.people import accounts, devices, passkeys
from tessella.server.people.accounts import StoredSession
from tessella.server.people.devices import Device
from tessella.server.people.host_links import claim_invitation, use_password_link
from tessella.server.people.identity import Person, Session, digest, end_sessions, session_id, shared_key
from tessella.server.services.revocation import announce_revocation
from tessella.server.settings import Registration

log = logging.getLogger(__name__)

Login: TypeAlias = Annotated[str, Meta(min_length=3, max_length=100)]
Password: TypeAlias = Annotated[str, Meta(min_length=1, max_length=accounts.LONGEST_PASSWORD)]
CeremonyName: TypeAlias = Annotated[str, Meta(max_length=64, pattern="^[A-Za-z0-9_-]*$")]
Secret: TypeAlias = Annotated[str, Meta(max_length=64, pattern="^[A-Za-z0-9_-]*$")]
Base64Url: TypeAlias = Annotated[str, Meta(min_length=1, max_length=6_000, pattern="^[A-Za-z0-9_-]+$")]


class LoginMethods(Public, frozen=True):
    """The ways to sign up and log in, none on a server that has only guests; and who may."""

    methods: tuple[accounts.LoginMethod, ...]
    registration: Registration
    guests: bool
    """Whether people may play without an account."""
    elsewhere: str
    """The text of the button that leads to a log-in by an account elsewhere; empty if there is none."""


async def get_login_methods(request: Request) -> Answer:
    """List the ways to sign up and log in, and who may."""
    rules = request.rules
    return Answer(LoginMethods(accounts.login_methods(), rules.registration, rules.guests, rules.button))


async def require_registration(request: Request, person: Person, invitation: str) -> None:
    """Raise `Problem` if a guest may not become a member here; an invitation is used up."""
    if person.kind != "guest" or request.rules.registration == "open":
        return
    if request.rules.registration == "closed":
        raise Problem(403, "registration", "this server takes no new members; ask its host")
    with answering(403):
        await claim_invitation(request.host.store, invitation, person)


# Passwords


class LoginBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A user name and its password."""

    login: Login
    password: Password


class MemberBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A user name and a password, and the secret of an invitation by the host if the server is by invitation."""

    login: Login
    password: Password
    invitation: Secret = ""


class NewPasswordBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The secret of a link by the host, and the new password."""

    secret: Secret
    password: Password


class PasswordBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The old password and the new one."""

    old: Password
    new: Password


async def post_member(request: Request) -> Answer:
    """Sign up with a user name, which only you see, and a password; your games stay yours."""
    before, body = own_session(request), request.body
    await require_registration(request, before.person, body.invitation)
    with answering():
        member = await accounts.become_member(request.host.store, before.person, body.login, body.password)
    return await _start_session(request, before, member, 201)


async def post_login(request: Request) -> Answer:
    """Log in by password; your games as a guest become yours."""
    store, limits = request.host.store, request.limits
    known, device = await accounts.find_credentials(store, request.body.login), Device.read(request.device)
    was_here = device.knows(await shared_key(store, devices.KEY_NAME), known.person)
    tried = (digest(known.login), request.address, device.name if was_here else "")
    if wait := limits.wait_for_login(*tried, request.host.clock()):
        raise Problem(429, "busy", "too many attempts; try again later", wait)
    member = await accounts.check_password(store, known, request.body.password)
    if member is None:
        raise Problem(403, "login", "the user name or the password is wrong")
    limits.refund_login(*tried)
    return await _enter(request, member, "password")


async def _enter(request: Request, member: Person, by: str) -> Answer:
    log.info("logged in", extra={"rule": by})
    return await _start_session(request, request.caller.session if request.caller else None, member)


async def _start_session(request: Request, before: Session | None, member: Person, status: int = 200) -> Answer:
    """Start a session of a member, and let the browser be recognised at the next login."""
    store = request.host.store
    device = Device.read(request.device).remember(await shared_key(store, devices.KEY_NAME), member.id)
    cookie = await accounts.enter(store, before, member)
    return Answer(see_person(member), status, cookie, device=device.write())


async def post_password(request: Request) -> Answer:
    """Change your password and log out everywhere else."""
    with answering(403):
        session = members_session(request)
        await accounts.change_password(request.host.store, session, request.body.old, request.body.new)
    return Answer(Done(1))


async def post_new_password(request: Request) -> Answer:
    """Set a new password by a link of the host; you are logged in here, and logged out everywhere else."""
    with answering(403):
        member = await use_password_link(request.host.store, request.body.secret, request.body.password)
    await announce_revocation(request.host, member.ids)
    before = request.caller.session if request.caller and request.caller.person.kind == "guest" else None
    return await _start_session(request, before, member)


# Passkeys


class CeremonyView(Public, frozen=True):
    """A passkey ceremony: its id, and the options for navigator.credentials."""

    id: str
    options: msgspec.Raw


class NewKey(Struct, frozen=True, rename={"client_data_json": "clientDataJSON", "attestation": "attestationObject"}):
    """The response of a device that has created a key."""

    client_data_json: Base64Url
    attestation: Base64Url


class Signature(
    Struct,
    frozen=True,
    rename={"client_data_json": "clientDataJSON", "data": "authenticatorData", "user": "userHandle"},
):
    """The response of a device that has signed."""

    client_data_json: Base64Url
    data: Base64Url
    signature: Base64Url
    user: Base64Url | None = None


class NewCredential(Struct, frozen=True, rename={"raw_id": "rawId"}):
    """A new key, as a browser's `toJSON` writes it."""

    id: Base64Url
    raw_id: Base64Url
    response: NewKey
    type: Literal["public-key"]


class SignedCredential(Struct, frozen=True, rename={"raw_id": "rawId"}):
    """A signature, as a browser's `toJSON` writes it."""

    id: Base64Url
    raw_id: Base64Url
    response: Signature
    type: Literal["public-key"]


class NewKeyBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The device's answer to a ceremony for a new key."""

    ceremony: CeremonyName
    credential: NewCredential
    invitation: Secret = ""


class SignedBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The device's answer to a ceremony for logging in."""

    ceremony: CeremonyName
    credential: SignedCredential


class PasskeyView(Public, frozen=True):
    """A key of yours."""

    id: str
    made: float


class PasskeysView(Public, frozen=True):
    """Your keys."""

    passkeys: tuple[PasskeyView, ...]


async def post_new_key(request: Request) -> Answer:
    """Start adding a passkey: return the options for the device."""
    asked = await passkeys.begin_registration(request.host.store, _person(request), request.origin)
    return Answer(CeremonyView(asked.id, msgspec.Raw(asked.options)))


async def post_key(request: Request) -> Answer:
    """Add a passkey; a guest becomes a member, and the games stay yours."""
    person, body = _person(request), request.body
    await require_registration(request, person, body.invitation)
    with answering():
        member = await passkeys.finish_registration(
            request.host.store, person, body.ceremony, body.credential, request.origin
        )
    if person.kind == "member":
        return Answer(see_person(member), 201)
    return await _start_session(request, own_session(request), member, 201)


def _person(request: Request) -> Person:
    person = own_session(request).person
    if person.kind == "bot":
        raise Problem(403, "bot", "bot accounts have no passkeys; they use tokens")
    return person


async def post_signing(request: Request) -> Answer:
    """Start a login by passkey: return the options for the device."""
    asked = await passkeys.begin_login(request.host.store, request.origin)
    return Answer(CeremonyView(asked.id, msgspec.Raw(asked.options)))


async def post_signed(request: Request) -> Answer:
    """Log in by passkey; your games as a guest become yours."""
    store, credential = request.host.store, request.body.credential
    with answering(403):
        member = await passkeys.finish_login(store, request.body.ceremony, credential.id, credential, request.origin)
    if member is None:
        raise Problem(403, "passkey", "this passkey is not known here")
    return await _enter(request, member, "passkey")


async def get_keys(request: Request) -> Answer:
    """List your passkeys."""
    keys = await passkeys.passkeys_of(request.host.store, own_session(request).person)
    return Answer(PasskeysView(tuple(PasskeyView(key.id, key.made) for key in keys)))


async def delete_key(request: Request) -> Answer:
    """Remove a passkey, unless it is your only way to log in."""
    with answering():
        await passkeys.remove_passkey(request.host.store, members_session(request).person, request.path["id"])
    return Answer(Done(1))


# Sessions and tokens


class TokenBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The purpose of a token, and its lifetime in days."""

    label: Annotated[str, Meta(max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""
    days: Annotated[float, Meta(gt=0, le=365)] = 365


class TokenMade(Public, frozen=True):
    """A new token, shown only once, for the header `Authorization: Bearer …`."""

    id: str
    token: str


class SessionView(Public, frozen=True):
    """One of your sessions or tokens; `here` is the one of this request."""

    id: str
    label: str
    made: float
    ends: float
    here: bool


class SessionsView(Public, frozen=True):
    """Your sessions or tokens."""

    sessions: tuple[SessionView, ...]


async def get_sessions(request: Request) -> Answer:
    """List your sessions."""
    session = own_session(request)
    return Answer(_see(await accounts.sessions_of(request.host.store, session.person, "cookie"), session))


async def delete_sessions(request: Request) -> Answer:
    """Log out everywhere else."""
    session = own_session(request)
    stored = await accounts.sessions_of(request.host.store, session.person, "cookie")
    others = [each.id for each in stored if each.id != session.id]
    return Answer(Done(len(await end_sessions(request.host.store, session.person, *others))))


async def delete_one_session(request: Request) -> Answer:
    """End one of your sessions."""
    return await _end(request, own_session(request))


async def _end(request: Request, session: Session) -> Answer:
    if not await end_sessions(request.host.store, session.person, request.path["id"]):
        raise Problem(404, "session", "you have no session or token with this id")
    return Answer(Done(1))


async def get_tokens(request: Request) -> Answer:
    """List your tokens."""
    session = members_session(request)
    return Answer(_see(await accounts.sessions_of(request.host.store, session.person, "token"), session))


async def post_token(request: Request) -> Answer:
    """Create a token for your programs; it is shown only once."""
    person, body = members_session(request).person, request.body
    with answering():
        token = await accounts.add_token(request.host.store, person, body.label, body.days)
    return Answer(TokenMade(session_id(token), token), 201)


async def delete_token(request: Request) -> Answer:
    """Revoke a token."""
    return await _end(request, members_session(request))


def _see(stored: Sequence[StoredSession], here: Session) -> SessionsView:
    return SessionsView(
        tuple(SessionView(each.id, each.label, each.made, each.ends, each.id == here.id) for each in stored)
    )


ROUTES: Sequence[Route] = (
    Route("GET", "/api/members", get_login_methods, LoginMethods),
    Route(
        "POST",
        "/api/members",
        post_member,
        PersonView,
        MemberBody,
        status=201,
        guess=True,
        ends_sessions=True,
        signs_up=True,
    ),
    Route("POST", "/api/login", post_login, PersonView, LoginBody, ends_sessions=True, signs_up=True),
    Route("POST", "/api/new-password", post_new_password, PersonView, NewPasswordBody, guess=True, signs_up=True),
    Route("POST", "/api/me/password", post_password, Done, PasswordBody, guess=True, ends_sessions=True),
    Route("POST", "/api/passkeys/new", post_new_key, CeremonyView, signs_up=True),
    Route("POST", "/api/passkeys", post_key, PersonView, NewKeyBody, status=201, ends_sessions=True, signs_up=True),
    Route("POST", "/api/passkeys/login/new", post_signing, CeremonyView, signs_up=True),
    Route(
        "POST",
        "/api/passkeys/login",
        post_signed,
        PersonView,
        SignedBody,
        guess=True,
        ends_sessions=True,
        signs_up=True,
    ),
    Route("GET", "/api/me/passkeys", get_keys, PasskeysView),
    Route("DELETE", "/api/me/passkeys/{id}", delete_key, Done),
    Route("GET", "/api/me/sessions", get_sessions, SessionsView),
    Route("DELETE", "/api/me/sessions", delete_sessions, Done, ends_sessions=True),
    Route("DELETE", "/api/me/sessions/{id}", delete_one_session, Done, ends_sessions=True),
    Route("GET", "/api/me/tokens", get_tokens, SessionsView),
    Route("POST", "/api/me/tokens", post_token, TokenMade, TokenBody, status=201),
    Route("DELETE", "/api/me/tokens/{id}", delete_token, Done, ends_sessions=True),
)
