"""Fair dice: every deal is fixed by a seed that the host commits to before anybody sits down.

The host publishes a digest of its seed; each player may add a number of their own, also behind a digest. The
seed is revealed at the end, and then anybody can compute every deal again, in any language:

    H(parts)   = SHA-256 of the parts, each preceded by its length as 4 bytes
    M(k, x)    = HMAC-SHA-256 with key k
    commitment = H("server", game id, seed)
    pledge     = H("client", game id, seat, number)              one per player who adds a number
    K          = M(seed, H("transcript", rules, game id, commitment, seat, pledge, number, …))
    words      = M(M(K, deal number), block number as 8 bytes), cut into four 8-byte words, block 0, 1, 2 …

Deals are numbered from 0, whatever is played between them, so nobody's moves change the dice of a later deal. A
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
    """A number that a player adds to the dice, and the digest sent before anybody's number was shown."""

    seat: Seat
    pledge: bytes
    number: bytes


def fresh_seed() -> bytes:
    """256 bits that nobody can guess."""
    return secrets.token_bytes(32)


def commitment(game_id: str, seed: bytes) -> bytes:
    """What the host publishes before the game."""
    return _digest("server", game_id, seed)


def pledge(game_id: str, seat: Seat, number: bytes) -> bytes:
    """What a player sends before anybody's number is shown."""
    return _digest("client", game_id, str(seat), number)


class Dice:
    """The dice of one game: an independent stream of numbers for every deal."""

    def __init__(self, seed: bytes, game_id: str, rules: str, contributions: Sequence[Contribution] = ()) -> None:
        transcript: list[str | bytes] = ["transcript", rules, game_id, commitment(game_id, seed)]
        for given in sorted(contributions, key=lambda given: given.seat):
            transcript += [str(given.seat), given.pledge, given.number]
        self._key = _mac(seed, _digest(*transcript))

    def stream(self, deal: int) -> "Stream":
        """The numbers for the deal with this number, whatever earlier deals have used."""
        return Stream(_mac(self._key, str(deal).encode()))

    def seal(self, acts: Sequence[str]) -> bytes:
        """Tie a list of acts to the seed: one changed act gives another seal."""
        return _mac(self._key, _digest("acts", *acts))


class Stream:
    """Random numbers that anybody who knows the seed can compute again."""

    def __init__(self, key: bytes) -> None:
        self._words = _words(key)

    def randrange(self, stop: int, /) -> int:
        """A number from 0 to stop − 1. Words that would favour some numbers are thrown away."""
        fair = WORD_VALUES - WORD_VALUES % stop
        return next(word for word in self._words if word < fair) % stop


def draw(counts: MutableSequence[int], rng: Rng) -> int:
    """Take one thing out of a bag that is known by its counts alone; say which kind it was."""
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
