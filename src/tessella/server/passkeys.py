"""Logging in without a password: a device signs what the server asks, and its owner shows to be there.

A ceremony has two steps. The server asks for something to be signed that it has just made up and keeps for a few
minutes; the device answers, once. The site that a key is for is the one under which the client knows us.
"""

from secrets import token_bytes
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from sqlalchemy import delete, func, insert, or_, select, update

from tessella.server.letters import read64, write64
from tessella.server.people import Person, find_person, fresh_secret
from tessella.server.store import Store
from tessella.server.store.errors import CLASHES
from tessella.server.store.schema import challenges, passkeys, people
from tessella.server.table import Refused

OUR_NAME = "Tessella"
CEREMONY_SECONDS = 300.0
MOST_PASSKEYS = 10

_NOT_SIGNED = (ValueError, KeyError, TypeError)
"""What the library raises, beside its own exception, at answers that no device has given."""


class Ceremony(Struct, frozen=True):
    """What a device is asked: the options for the browser, as JSON."""

    id: str
    options: str


class Passkey(Struct, frozen=True):
    """A key that a member may log in with."""

    id: str
    made: float


def site(origin: str) -> str:
    """The name that keys are for: the host without its port.

    >>> site("https://play.example.org:8443")
    'play.example.org'
    """
    return urlsplit(origin).hostname or ""


# A new key


async def ask_for_key(store: Store, person: Person, origin: str) -> Ceremony:
    """Ask a device for a new key."""
    from webauthn import generate_registration_options, options_to_json
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    challenge = token_bytes(32)
    options = generate_registration_options(
        rp_id=site(origin),
        rp_name=OUR_NAME,
        user_id=person.id.encode(),
        user_name=person.name,
        challenge=challenge,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(read64(key.id)) for key in await keys_of(store, person)],
    )
    return Ceremony(await _remember(store, challenge, person.id), options_to_json(options))


async def add_key(store: Store, person: Person, ceremony: str, answer: Struct, origin: str) -> Person:
    """Keep the new key; a guest is a member then."""
    from webauthn import verify_registration_response
    from webauthn.helpers.exceptions import WebAuthnException

    challenge = await _recall(store, ceremony, person.id)
    if len(await keys_of(store, person)) >= MOST_PASSKEYS:
        raise Refused("many", f"{MOST_PASSKEYS} passkeys are enough; remove one first")
    try:
        key = verify_registration_response(
            credential=msgspec.to_builtins(answer),
            expected_challenge=challenge,
            expected_rp_id=site(origin),
            expected_origin=origin,
            require_user_verification=True,
        )
    except (WebAuthnException, *_NOT_SIGNED):
        raise Refused("passkey", "that is not what the device was asked for") from None
    row = {"id": key.credential_id, "public_key": key.credential_public_key, "uses": key.sign_count}
    kept = insert(passkeys).values(row | {"person": person.id, "made": await store.now()})
    member = update(people).where(people.c.id == person.id, people.c.kind == "guest").values(kind="member")
    try:
        await store.run(kept, member)
    except CLASHES:
        raise Refused("taken", "that key is known already") from None
    return Person(person.id, person.name, "member", person.also)


# Logging in


async def ask_to_sign(store: Store, origin: str) -> Ceremony:
    """Ask a device to show that it has one of our keys; we do not say which ones we know."""
    from webauthn import generate_authentication_options, options_to_json
    from webauthn.helpers.structs import UserVerificationRequirement

    challenge = token_bytes(32)
    options = generate_authentication_options(
        rp_id=site(origin), challenge=challenge, user_verification=UserVerificationRequirement.REQUIRED
    )
    return Ceremony(await _remember(store, challenge, ""), options_to_json(options))


async def check_signature(store: Store, ceremony: str, key_id: str, answer: Struct, origin: str) -> Person | None:
    """Whose device signed what it was asked to sign."""
    from webauthn import verify_authentication_response
    from webauthn.helpers.exceptions import WebAuthnException

    challenge = await _recall(store, ceremony, "")
    rows = await store.run(select(passkeys).where(passkeys.c.id == _bytes(key_id)))
    if not rows:
        return None
    try:
        shown = verify_authentication_response(
            credential=msgspec.to_builtins(answer),
            expected_challenge=challenge,
            expected_rp_id=site(origin),
            expected_origin=origin,
            credential_public_key=bytes(rows[0]["public_key"]),
            credential_current_sign_count=rows[0]["uses"],
            require_user_verification=True,
        )
    except (WebAuthnException, *_NOT_SIGNED):
        return None
    await store.run(update(passkeys).where(passkeys.c.id == rows[0]["id"]).values(uses=shown.new_sign_count))
    return await find_person(store, rows[0]["person"])


# The keys of a member


async def keys_of(store: Store, person: Person) -> list[Passkey]:
    """The keys of a member, in the order in which they came."""
    mine = select(passkeys.c.id, passkeys.c.made).where(passkeys.c.person == person.id).order_by(passkeys.c.made)
    return [Passkey(write64(bytes(row["id"])), row["made"]) for row in await store.run(mine)]


async def remove_key(store: Store, person: Person, key_id: str) -> None:
    """Forget a key, unless it is the last way to log in."""
    password = select(people.c.password).where(people.c.id == person.id).scalar_subquery()
    keys = select(func.count()).select_from(passkeys).where(passkeys.c.person == person.id).scalar_subquery()
    key = (passkeys.c.id == _bytes(key_id)) & (passkeys.c.person == person.id)
    gone = delete(passkeys).where(key, or_(password.is_not(None), keys > 1)).returning(passkeys.c.person)
    if not await store.run(gone):
        raise Refused("passkey", "you have no such key, or no other way to log in")


def _bytes(key_id: str) -> bytes:
    """The id of a key as it is stored; what is none is nobody's."""
    try:
        return read64(key_id)
    except ValueError:
        return b""


# Ceremonies


async def _remember(store: Store, challenge: bytes, person_id: str) -> str:
    ceremony, now = fresh_secret(), await store.now()
    row = {"id": ceremony, "challenge": challenge, "person": person_id, "ends": now + CEREMONY_SECONDS}
    await store.run(delete(challenges).where(challenges.c.ends < now), insert(challenges).values(row))
    return ceremony


async def _recall(store: Store, ceremony: str, person_id: str) -> bytes:
    """What was asked; each ceremony is answered once."""
    asked = (challenges.c.id == ceremony) & (challenges.c.person == person_id)
    rows = await store.run(
        delete(challenges).where(asked, challenges.c.ends > await store.now()).returning(challenges.c.challenge)
    )
    if not rows:
        raise Refused("ceremony", "that took too long, or was never asked; begin again")
    return bytes(rows[0]["challenge"])
