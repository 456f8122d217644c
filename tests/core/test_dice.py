"""Fair dice: everything here is computed a second time by the formulas that `core.dice` gives."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.core.dice import Contribution, Dice, Stream, commitment, draw, fresh_seed, pledge

SEED = bytes(range(32))
RULES = "azul/1 seats=2 wall=coloured"


def digest(*parts: bytes) -> bytes:
    """H: SHA-256 of the parts, each preceded by its length as 4 bytes."""
    return hashlib.sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()


def mac(key: bytes, message: bytes) -> bytes:
    """M: HMAC-SHA-256."""
    return hmac.new(key, message, hashlib.sha256).digest()


def words(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        bits = mac(key, block.to_bytes(8, "big"))
        yield from (int.from_bytes(bits[8 * part : 8 * part + 8], "big") for part in range(4))
        block += 1


def key_of(seed: bytes, game_id: str, rules: str, *given: bytes) -> bytes:
    transcript = (b"transcript", rules.encode(), game_id.encode(), commitment(game_id, seed), *given)
    return mac(seed, digest(*transcript))


# Seed, commitment, pledge


def test_a_fresh_seed_has_256_bits_and_is_never_the_same():
    seeds = {fresh_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert {len(seed) for seed in seeds} == {32}


def test_the_commitment_is_a_digest_of_game_and_seed():
    assert commitment("6c1f02", SEED) == digest(b"server", b"6c1f02", SEED)
    assert commitment("één", SEED) == digest(b"server", "één".encode(), SEED)
    assert commitment("6c1f02", SEED).hex() == "fceee56b9774eb7911d145dfa676f7741cad0494618f5d22669f957dbfca8dcd"


def test_parts_cannot_be_moved_into_each_other():
    """The lengths are part of the digest: the border between two parts counts."""
    assert commitment("ab", b"c") != commitment("a", b"bc")


def test_a_pledge_is_a_digest_of_game_seat_and_number():
    assert pledge("6c1f02", 1, b"number") == digest(b"client", b"6c1f02", b"1", b"number")
    assert len({pledge("a", 0, b"n"), pledge("a", 1, b"n"), pledge("b", 0, b"n"), pledge("a", 0, b"m")}) == 4


# Numbers


def test_numbers_follow_the_formula():
    key = mac(key_of(SEED, "6c1f02", RULES), b"17")
    stream, expected = Dice(SEED, "6c1f02", RULES).stream(17), words(key)
    assert [stream.randrange(2**64) for _ in range(20)] == [next(expected) for _ in range(20)]


def test_known_numbers():
    """For whoever writes the dice in another language."""
    stream = Dice(SEED, "6c1f02", RULES).stream(0)
    assert [stream.randrange(100) for _ in range(8)] == [47, 7, 1, 18, 19, 2, 80, 83]
    assert f"{Dice(SEED, '6c1f02', RULES).stream(1).randrange(2**64):016x}" == "e0656e163743360c"


@pytest.mark.parametrize("stop", [1, 2, 3, 5, 6, 100, 2**32 + 1, 2**63 - 1, 2**63 + 1, 2**64 - 1, 2**64])
def test_words_that_would_favour_some_numbers_are_thrown_away(stop):
    raw, stream = words(b"key"), Stream(b"key")
    fair = 2**64 // stop * stop
    for _ in range(50):
        assert stream.randrange(stop) == next(word for word in raw if word < fair) % stop


def test_the_greatest_multiple_itself_is_thrown_away(monkeypatch):
    """2**64 − 1 is a multiple of 3: taken modulo 3 it would give one 0 too many."""
    monkeypatch.setattr("tessella.core.dice._words", lambda key: iter([2**64 - 1, 5]))
    assert Stream(b"key").randrange(3) == 2


def test_each_deal_has_an_own_stream_whatever_earlier_deals_used():
    dice, other = Dice(SEED, "a", RULES), Dice(SEED, "a", RULES)
    dice.stream(0).randrange(6)
    used = other.stream(0)
    for _ in range(1_000):
        used.randrange(6)
    assert dice.stream(1).randrange(2**64) == other.stream(1).randrange(2**64)
    assert len({dice.stream(deal).randrange(2**64) for deal in range(100)}) == 100


# Contributions


ANN = Contribution(0, pledge("a", 0, b"ann"), b"ann")
BOB = Contribution(1, pledge("a", 1, b"bob"), b"bob")


def first_word(*contributions: Contribution) -> int:
    return Dice(SEED, "a", RULES, contributions).stream(0).randrange(2**64)


def test_contributions_enter_the_key_by_the_formula():
    key = key_of(SEED, "a", RULES, b"0", ANN.pledge, b"ann", b"1", BOB.pledge, b"bob")
    assert first_word(ANN, BOB) == next(words(mac(key, b"0")))


def test_the_order_in_which_contributions_came_does_not_matter():
    assert first_word(ANN, BOB) == first_word(BOB, ANN)


# The seal


def test_the_seal_is_keyed_and_covers_every_act():
    acts = ["*0:bbyk", "1b1", "cy2"]
    sealed = Dice(SEED, "a", RULES).seal(acts)
    assert sealed == mac(key_of(SEED, "a", RULES), digest(b"acts", *(act.encode() for act in acts)))
    dice = Dice(SEED, "a", RULES)
    others = [dice.seal(acts[:2]), dice.seal(acts[::-1]), dice.seal(["*0:bbyk", "1b1", "cy3"]), dice.seal([])]
    assert sealed not in [*others, Dice(SEED, "b", RULES).seal(acts)]


# Drawing from a bag


@settings(deadline=None)
@given(counts=st.lists(st.integers(0, 8), min_size=1, max_size=6), seed=st.integers(0, 2**32))
def test_a_bag_gives_what_it_holds_and_no_more(counts, seed):
    bag, rng = list(counts), Random(seed)
    drawn = Counter(draw(bag, rng) for _ in range(sum(counts)))
    assert bag == [0] * len(counts)
    assert [drawn[kind] for kind in range(len(counts))] == counts


def test_a_bag_is_drawn_from_in_the_order_of_its_kinds():
    """The n-th thing of the bag, all of one kind after all of the kind before: so any language draws the same."""

    class Fixed:
        def __init__(self, place: int) -> None:
            self.place = place

        def randrange(self, stop: int, /) -> int:
            assert stop == 6
            return self.place

    assert [draw([2, 0, 3, 1], Fixed(place)) for place in range(6)] == [0, 0, 2, 2, 2, 3]


def test_an_empty_bag_gives_nothing():
    with pytest.raises((ValueError, ZeroDivisionError)):
        draw([0, 0], Random(1))
