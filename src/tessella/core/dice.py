"""Fair dice: every deal is derived from a seed that the host commits to before anybody sits down.

The host publishes a digest of its seed; each player may add a number of their own, committed to in the same way. The
seed is revealed at the end, and then anybody can recompute every deal, in any language:

    H(parts)   = SHA-256 of the parts, each preceded by its length as 4 bytes
    M(k, x)    = HMAC-SHA-256 with key k
    commitment = H("server", game id, seed)
    pledge     = H("client", game id, seat, number)              one per player who adds a number
    K          = M(seed, H("transcript", rules, game id, commitment, seat, pledge, number, …))
    words      = M(M(K, deal number), block number as 8 bytes), cut into four 8-byte words, block 0, 1, 2 …

Deals are numbered from 0, whatever is played between them, so no move changes the dice of a later deal. A
number below n is the next word that is below the greatest multiple of n, modulo n. All integers are big-endian; texts
are UTF-8; seats and deal numbers are written in decimal.
"""

import hmac
import secrets
from collections.abc import Iterator, MutableSequence, Sequence
from hashlib import sha256

from msgspec import Struct

from tessella.core.game import Rng, Seat

WORD_VALUES = 2**64


class Contribution(Struct, frozen=True):
    """A number that a player adds to the dice, and the digest sent before any number was shown."""

    seat: Seat
    pledge: bytes
    number: bytes


def fresh_seed() -> bytes:
    """Return 32 unpredictable random bytes."""
    return secrets.token_bytes(32)


def commitment(game_id: str, seed: bytes) -> bytes:
    """Return the digest that the host publishes before the game."""
    return _digest("server", game_id, seed)


def pledge(game_id: str, seat: Seat, number: bytes) -> bytes:
    """Return the digest that a player sends before any number is shown."""
    return _digest("client", game_id, str(seat), number)


class Dice:
    """The dice of one game: an independent stream of numbers for every deal."""

    def __init__(self, seed: bytes, game_id: str, rules: str, contributions: Sequence[Contribution] = ()) -> None:
        transcript: list[str | bytes] = ["transcript", rules, game_id, commitment(game_id, seed)]
        for given in sorted(contributions, key=lambda given: given.seat):
            transcript += [str(given.seat), given.pledge, given.number]
        self._key = _mac(seed, _digest(*transcript))

    def stream(self, deal: int) -> "Stream":
        """Return the random numbers of one deal; they do not depend on how many numbers earlier deals used."""
        return Stream(_mac(self._key, str(deal).encode()))

    def seal(self, acts: Sequence[str]) -> bytes:
        """Return a digest that ties the acts to the seed: changing one act changes the seal."""
        return _mac(self._key, _digest("acts", *acts))


class Stream:
    """Random numbers that anybody who knows the seed can recompute."""

    def __init__(self, key: bytes) -> None:
        self._words = _words(key)

    def randrange(self, stop: int, /) -> int:
        """Return a uniform number from 0 to stop − 1, by rejection sampling."""
        fair = WORD_VALUES - WORD_VALUES % stop
        return next(word for word in self._words if word < fair) % stop


def draw(counts: MutableSequence[int], rng: Rng) -> int:
    """Remove one random item from a bag given as counts per kind; return its kind."""
    place = rng.randrange(sum(counts))
    kind = 0
    while place >= counts[kind]:
        place -= counts[kind]
        kind += 1
    counts[kind] -= 1
    return kind


def _words(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        bits = _mac(key, block.to_bytes(8, "big"))
        for start in range(0, 32, 8):
            yield int.from_bytes(bits[start : start + 8], "big")
        block += 1


def _digest(*parts: str | bytes) -> bytes:
    whole = sha256()
    for part in parts:
        raw = part.encode() if isinstance(part, str) else part
        whole.update(len(raw).to_bytes(4, "big") + raw)
    return whole.digest()


def _mac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")
