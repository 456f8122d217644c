"""Log-in without a password: passkeys (WebAuthn).

A ceremony has two steps: the server sends a random challenge, which it keeps for a few minutes, and the device answers
once with a signature. Keys belong to the host name under which the client reaches this server.
"""

from secrets import token_bytes
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import delete, func, insert, or_, select, update

from tessella.server.base64url import read64, write64
from tessella.server.people.identity import Person, find_person, fresh_secret
from tessella.server.store import Store
from tessella.server.store.errors import CLASHES
from tessella.server.store.schema import challenges, passkeys, people
from tessella.table.table import Refused

OUR_NAME = "Tessella"
CEREMONY_SECONDS = 300.0
MOST_PASSKEYS = 10

_NOT_SIGNED = (ValueError, KeyError, TypeError)
"""What the library raises, besides its own exception, for malformed answers."""


class Ceremony(Struct, frozen=True):
    """A challenge to a device: the options for the browser, as JSON."""

    id: str
    options: str


class Passkey(Struct, frozen=True):
    """A key that a member can log in with."""

    id: str
    made: float


def relying_party_id(origin: str) -> str:
    """Return the id that passkeys are bound to: the host without its port.

    >>> relying_party_id("https://play.example.org:8443")
    'play.example.org'
    """
    return urlsplit(origin).hostname or ""


# A new key


async def begin_registration(store: Store, person: Person, origin: str) -> Ceremony:
    """Return the challenge with which a device makes a new key."""
    from webauthn import generate_registration_options, options_to_json
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    challenge = token_bytes(32)
    options = generate_registration_options(
        rp_id=relying_party_id(origin),
        rp_name=OUR_NAME,
        user_id=person.id.encode(),
        user_name=person.name,
        challenge=challenge,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(read64(key.id)) for key in await passkeys_of(store, person)],
    )
    return Ceremony(await _remember(store, challenge, person.id), options_to_json(options))


async def finish_registration(store: Store, person: Person, ceremony: str, answer: Struct, origin: str) -> Person:
    """Store the new key and return the person; a guest becomes a member."""
    from webauthn import verify_registration_response
    from webauthn.helpers.exceptions import WebAuthnException

    challenge = await _recall(store, ceremony, person.id)
    if len(await passkeys_of(store, person)) >= MOST_PASSKEYS:
        raise Refused("many", f"you have {MOST_PASSKEYS} passkeys, which is the most; remove one first")
    try:
        key = verify_registration_response(
            credential=msgspec.to_builtins(answer),
            expected_challenge=challenge,
            expected_rp_id=relying_party_id(origin),
            expected_origin=origin,
            require_user_verification=True,
        )
    except (WebAuthnException, *_NOT_SIGNED):
        raise Refused("passkey", "the device gave an invalid answer; try again") from None
    row = {"id": key.credential_id, "public_key": key.credential_public_key, "uses": key.sign_count}
    kept = insert(passkeys).values(row | {"person": person.id, "made": await store.now()})
    member = update(people).where(people.c.id == person.id, people.c.kind == "guest").values(kind="member")
    try:
        await store.run(kept, member)
    except CLASHES:
        raise Refused("taken", "that passkey is already registered") from None
    return replace(person, kind="member")


# Logging in


async def begin_login(store: Store, origin: str) -> Ceremony:
    """Return the challenge with which a device proves that it has a key; no known keys are revealed."""
    from webauthn import generate_authentication_options, options_to_json
    from webauthn.helpers.structs import UserVerificationRequirement

    challenge = token_bytes(32)
    options = generate_authentication_options(
        rp_id=relying_party_id(origin), challenge=challenge, user_verification=UserVerificationRequirement.REQUIRED
    )
    return Ceremony(await _remember(store, challenge, ""), options_to_json(options))


async def finish_login(store: Store, ceremony: str, key_id: str, answer: Struct, origin: str) -> Person | None:
    """Return the person whose key signed the challenge, or None."""
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
            expected_rp_id=relying_party_id(origin),
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


async def passkeys_of(store: Store, person: Person) -> list[Passkey]:
    """Return the passkeys of a member, oldest first."""
    mine = select(passkeys.c.id, passkeys.c.made).where(passkeys.c.person == person.id).order_by(passkeys.c.made)
    return [Passkey(write64(bytes(row["id"])), row["made"]) for row in await store.run(mine)]


async def remove_passkey(store: Store, person: Person, key_id: str) -> None:
    """Delete a passkey, unless it is the last way to log in."""
    password = select(people.c.password).where(people.c.id == person.id).scalar_subquery()
    keys = select(func.count()).select_from(passkeys).where(passkeys.c.person == person.id).scalar_subquery()
    key = (passkeys.c.id == _bytes(key_id)) & (passkeys.c.person == person.id)
    gone = delete(passkeys).where(key, or_(password.is_not(None), keys > 1)).returning(passkeys.c.person)
    if not await store.run(gone):
        raise Refused("passkey", "you have no such passkey, or no other way to log in")


def _bytes(key_id: str) -> bytes:
    """Return the id of a key as it is stored; empty, which no key has, if it is malformed."""
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
    """Return the challenge of a ceremony and delete it, so that each can be answered once."""
    asked = (challenges.c.id == ceremony) & (challenges.c.person == person_id)
    rows = await store.run(
        delete(challenges).where(asked, challenges.c.ends > await store.now()).returning(challenges.c.challenge)
    )
    if not rows:
        raise Refused("ceremony", "that took too long; please start again")
    return bytes(rows[0]["challenge"])
