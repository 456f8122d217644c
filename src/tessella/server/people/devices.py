"""Device cookies (OWASP): browsers that have logged in before are not locked out by the wrong passwords of others.

A browser that logs in gets a cookie that outlives the session: a random name, and for each account that logged in there
a keyed digest of that name and the account. It grants no access. It only gives the browser's attempts at those accounts
a rate limit of their own instead of the one shared with strangers.
"""

import hmac
import re
from secrets import token_urlsafe
from typing import Self

from msgspec import Struct

from tessella.server.base64url import write64

KEY_NAME = "devices"
"""The name of the key, which all workers share."""

MOST_ACCOUNTS = 5
"""Per browser; the account that logged in longest ago is dropped."""

NAME_BYTES = 12
PROOF_BYTES = 16
COOKIE = rf"[A-Za-z0-9_-]{{16}}(\.[A-Za-z0-9_-]{{22}}){{1,{MOST_ACCOUNTS}}}"
"""The pattern of the cookie: the name, and a proof for each account."""


class Device(Struct, frozen=True):
    """The content of a device cookie: a name, and a proof for each account that logged in there."""

    name: str = ""
    proofs: tuple[str, ...] = ()

    @classmethod
    def read(cls, cookie: str) -> Self:
        """Return the device of a cookie; one without a name if the cookie is malformed."""
        if not re.fullmatch(COOKIE, cookie):
            return cls()
        name, *proofs = cookie.split(".")
        return cls(name, tuple(proofs))

    def write(self) -> str:
        """Return the cookie."""
        return ".".join([self.name, *self.proofs])

    def knows(self, key: bytes, person: str) -> bool:
        """Return whether this person has logged in on the device before."""
        proof = self._proof(key, person)
        return any(hmac.compare_digest(proof, each) for each in self.proofs)

    def remember(self, key: bytes, person: str) -> Self:
        """Return the device with this person added."""
        named = self if self.name else type(self)(token_urlsafe(NAME_BYTES))
        proof = named._proof(key, person)
        others = [each for each in named.proofs if each != proof]
        return type(self)(named.name, (proof, *others)[:MOST_ACCOUNTS])

    def _proof(self, key: bytes, person: str) -> str:
        return write64(hmac.digest(key, f"{self.name} {person}".encode(), "sha256")[:PROOF_BYTES])
