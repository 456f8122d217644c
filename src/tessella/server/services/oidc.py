"""Log-in by an account elsewhere (OpenID Connect): authorization code with PKCE, state and nonce.

The issuer is set by the host, so it may be anywhere, also on a private network; requests to it are bounded in time and
size, and no redirect is followed. An account is known by issuer and subject, never by an e-mail address.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

import msgspec
from msgspec import Struct
from sqlalchemy import delete, insert, select, update

from tessella.server.people.identity import Person, add_person, digest, find_person, fresh_secret
from tessella.server.store import Store
from tessella.server.store.errors import CLASHES
from tessella.server.store.schema import challenges, identities, people
from tessella.table.table import Refused

if TYPE_CHECKING:
    import httpx2

LOGIN_SECONDS = 600.0
"""How long a person may take at the issuer."""

REQUEST_SECONDS = 10.0
LARGEST_ANSWER_BYTES = 262_144
METADATA_SECONDS = 600.0
LEEWAY_SECONDS = 60
"""By how much the clock of the issuer may differ."""

ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA"]
"""Signatures with public keys only: with a shared secret anyone who knows it could sign."""

FALLBACK_NAME = "Player"
"""The name of a new member whose name elsewhere cannot be used here."""


class Attempt(Struct, frozen=True):
    """A log-in that has begun: what the answer of the issuer is compared with."""

    nonce: str
    verifier: str
    invitation: str


class Claims(Struct, frozen=True):
    """What a verified ID token says about a person."""

    subject: str
    name: str


class Metadata(Struct, frozen=True):
    """What an issuer says about itself."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str


class Provider:
    """An issuer, and what this server is to it."""

    def __init__(self, issuer: str, client: str, secret: str) -> None:
        self.issuer, self._client, self._secret = issuer, client, secret
        self._metadata: Metadata | None = None
        self._known_until = 0.0

    async def begin(self, store: Store, callback: str, invitation: str) -> tuple[str, str]:
        """Return the address of the issuer to which the browser goes, and the state that it must bring back."""
        now = await store.now()
        state, attempt = fresh_secret(), Attempt(fresh_secret(), fresh_secret() + fresh_secret(), invitation)
        metadata = await self._about()
        row = {"id": _key(state), "challenge": msgspec.json.encode(attempt), "person": "", "ends": now + LOGIN_SECONDS}
        await store.run(delete(challenges).where(challenges.c.ends < now), insert(challenges).values(row))
        oauth, verifier = self._oauth(callback), attempt.verifier
        goal = metadata.authorization_endpoint
        url, _ = oauth.create_authorization_url(goal, state=state, nonce=attempt.nonce, code_verifier=verifier)
        return str(url), state

    async def finish(self, store: Store, callback: str, state: str, code: str) -> tuple[Claims, Attempt]:
        """Exchange a code, once, and return what the verified ID token says; raise `Refused`."""
        mine = (challenges.c.id == _key(state)) & (challenges.c.ends > await store.now())
        rows = await store.run(delete(challenges).where(mine).returning(challenges.c.challenge))
        if not rows:
            raise Refused("state", "this log-in has ended; begin again")
        attempt = msgspec.json.decode(bytes(rows[0]["challenge"]), type=Attempt)
        metadata = await self._about()
        token = await self._exchange(metadata, callback, code, attempt)
        keys = await self._fetch(metadata.jwks_uri)
        return self._verified(token, keys, attempt.nonce), attempt

    async def _exchange(self, metadata: Metadata, callback: str, code: str, attempt: Attempt) -> str:
        """Return the ID token for a code."""
        import httpx2
        from authlib.common.errors import AuthlibBaseError

        try:
            async with asyncio.timeout(REQUEST_SECONDS), self._oauth(callback) as client:
                answer = await client.fetch_token(
                    metadata.token_endpoint, code=code, code_verifier=attempt.verifier, grant_type="authorization_code"
                )
        except (AuthlibBaseError, httpx2.HTTPError, OSError, ValueError) as exc:
            raise Refused("issuer", "the issuer did not accept the log-in; try again") from exc
        return str(answer.get("id_token", ""))

    def _verified(self, token: str, keys: Mapping[str, Any], nonce: str) -> Claims:
        """Return what an ID token says; raise `Refused` unless it is signed, for us, current, and of this log-in."""
        from joserfc import jwt
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        registry = jwt.JWTClaimsRegistry(
            leeway=LEEWAY_SECONDS,
            iss={"essential": True, "value": self.issuer},
            aud={"essential": True, "value": self._client},
            nonce={"essential": True, "value": nonce},
            sub={"essential": True},
            exp={"essential": True},
            iat={"essential": True},
        )
        try:
            claims = jwt.decode(token, KeySet.import_key_set(dict(keys)), algorithms=ALGORITHMS).claims  # type: ignore[arg-type]
            registry.validate(claims)
        except (JoseError, ValueError, KeyError, TypeError) as exc:
            raise Refused("token", "the issuer vouches for nobody; try again") from exc
        audience = claims["aud"]
        if isinstance(audience, list) and len(cast("list[str]", audience)) > 1 and claims.get("azp") != self._client:
            raise Refused("token", "the issuer vouches for nobody; try again")
        return Claims(str(claims["sub"]), str(claims.get("name") or claims.get("preferred_username") or ""))

    async def _about(self) -> Metadata:
        """Return what the issuer says about itself; raise `Refused` if it cannot be asked, or is another one."""
        now = asyncio.get_running_loop().time()
        if self._metadata is None or now > self._known_until:
            found = await self._fetch(self.issuer.rstrip("/") + "/.well-known/openid-configuration")
            try:
                metadata = msgspec.convert(found, Metadata)
            except msgspec.ValidationError as exc:
                raise Refused("issuer", "the issuer does not answer as expected") from exc
            if metadata.issuer != self.issuer:
                raise Refused("issuer", "the issuer says that it is another one")
            self._metadata, self._known_until = metadata, now + METADATA_SECONDS
        return self._metadata

    async def _fetch(self, url: str) -> dict[str, Any]:
        import httpx2

        try:
            async with asyncio.timeout(REQUEST_SECONDS), httpx2.AsyncClient(transport=bounded()) as client:
                answer = await client.get(url)
                answer.raise_for_status()
                found = json.loads(answer.content)
        except (httpx2.HTTPError, OSError, ValueError) as exc:
            raise Refused("issuer", "the issuer does not answer; try again later") from exc
        if not isinstance(found, dict):
            raise Refused("issuer", "the issuer does not answer as expected")
        return cast("dict[str, Any]", found)

    def _oauth(self, callback: str) -> Any:  # noqa: ANN401  Authlib has no types
        from authlib.integrations.httpx_client import AsyncOAuth2Client

        about: dict[str, Any] = {"client_id": self._client, "client_secret": self._secret, "redirect_uri": callback}
        return AsyncOAuth2Client(
            **about, scope="openid profile", code_challenge_method="S256", transport=bounded(), timeout=REQUEST_SECONDS
        )


def _key(state: str) -> str:
    """Return the id under which a log-in is stored; passkeys cannot have it, because of the colon."""
    return f"oidc:{digest(state)}"


def bounded() -> "httpx2.AsyncHTTPTransport":
    """Return a transport that reads no more than `LARGEST_ANSWER_BYTES` of an answer."""
    import httpx2

    class Bounded(httpx2.AsyncByteStream):
        def __init__(self, inner: httpx2.AsyncByteStream) -> None:
            self._inner = inner

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for chunk in self._inner:
                size += len(chunk)
                if size > LARGEST_ANSWER_BYTES:
                    raise httpx2.ReadError("the answer is too long")
                yield chunk

        async def aclose(self) -> None:
            await self._inner.aclose()

    class Transport(httpx2.AsyncHTTPTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            answer = await super().handle_async_request(request)
            assert isinstance(answer.stream, httpx2.AsyncByteStream)
            answer.stream = Bounded(answer.stream)
            return answer

    return Transport()


# People


async def find_member(store: Store, issuer: str, subject: str) -> Person | None:
    """Return the member with this account elsewhere, or None."""
    linked = (identities.c.issuer == issuer) & (identities.c.subject == subject)
    rows = await store.run(select(identities.c.person).where(linked))
    return await find_person(store, rows[0]["person"]) if rows else None


async def add_member(store: Store, guest: Person, issuer: str, subject: str) -> Person:
    """Make a guest a member who logs in by an account elsewhere; raise `Refused` if that is taken meanwhile."""
    row = {"issuer": issuer, "subject": subject, "person": guest.id, "made": await store.now()}
    member = update(people).where(people.c.id == guest.id, people.c.kind == "guest").values(kind="member")
    try:
        await store.run(insert(identities).values(row), member)
    except CLASHES:
        raise Refused("taken", "this account was used a moment ago; try again") from None
    return msgspec.structs.replace(guest, kind="member")


async def add_guest(store: Store, name: str) -> Person:
    """Create a person with a name from elsewhere, or with a plain one if that cannot be used here."""
    with suppress(Refused, ValueError):
        return await add_person(store, name, "guest")
    return await add_person(store, FALLBACK_NAME, "guest")
