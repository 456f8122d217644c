"""A whole game in a link."""

import base64
from random import Random

import pytest

from tessella.core import link as short
from tessella.core.game import BadNotation, Over
from tessella.core.local import LocalTable
from tessella.core.record import Record
from tessella.games import azul
from tests.games.azul.positions import CONFIGS, changed


def played(config: azul.Config, seed: int) -> Record:
    """The rules and acts of a random game."""
    table, rng = LocalTable(azul, config, seed=seed.to_bytes(32, "big")), Random(seed)
    while table.seats:
        table.play(rng.choice(table.moves))
    return Record(table.record().rules, table.record().acts)


def pack(rules: str, alphabet: str, *digits: tuple[int, int]) -> str:
    """A link made by hand: options, letters of the deals, then numbers with their bounds."""
    number = 0
    texts = [(ord(letter), 128) for letter in f"{rules}\0{alphabet}\0"]
    for digit, bound in reversed([*texts, *digits]):
        number = number * bound + digit
    raw = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return "azul1." + base64.urlsafe_b64encode(raw).decode().rstrip("=")


def letters(deal: str, alphabet: str) -> list[tuple[int, int]]:
    return [(f"\n{alphabet}".index(letter), len(alphabet) + 1) for letter in f"{deal}\n"]


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_a_link_unfolds_to_the_game_that_was_put_in(config):
    for seed in range(5):
        game = played(config, seed)
        link = short.shorten(azul, game)
        assert short.expand(azul, link) == game
        assert len(link) < 700
        assert link.isascii() and link.replace("-", "").replace("_", "").replace(".", "").isalnum()


def test_names_seed_and_result_stay_behind():
    table = LocalTable(azul, azul.Config(2), seed=bytes(32), names=("Ann", "Bob"))
    table.play(table.moves[0])
    assert short.expand(azul, short.shorten(azul, table.record())) == Record(table.record().rules, table.record().acts)


def test_options_that_were_left_out_are_written_out():
    assert short.expand(azul, short.shorten(azul, Record("azul/1"))) == Record("azul/1 seats=2 wall=coloured")


def test_a_link_is_one_number():
    """The form, computed by hand: options, the letters that deals use, how many acts, then act by act."""
    acts = ("*1:bbbb yyyy rrrr kkkk wwww", "1b4")
    alphabet = " 1:bkrwy"
    moves = 5 * 6  # five factories of one colour each; five lines and the floor
    link = pack(
        "seats=2 wall=coloured", alphabet, (2, 1551), *letters("1:bbbb yyyy rrrr kkkk wwww", alphabet), (3, moves)
    )
    assert short.shorten(azul, Record("azul/1 seats=2 wall=coloured", acts)) == link


def test_the_game_of_a_link():
    assert short.game_of("azul1.abc") == "azul"
    assert short.game_of("blockers12.x") == "blockers"


LINK = short.shorten(azul, played(azul.Config(2), 3))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("azul1", id="no dot"),
        pytest.param("azul1.", id="no game"),
        pytest.param(LINK.replace("azul1", "azul2"), id="another edition"),
        pytest.param(LINK.replace("azul1", "duel1"), id="another game"),
        pytest.param(LINK + "!", id="a strange character"),
        pytest.param(LINK + "=", id="padding"),
        pytest.param(LINK + "é", id="a letter with an accent"),
        pytest.param("azul1.A", id="a length that no number has"),
        pytest.param("azul1." + "A" * 9_000, id="too long"),
        pytest.param("azul1.AAAA", id="zero"),
        pytest.param(LINK[:40], id="cut off"),
        pytest.param(pack("seats=9", "b"), id="nine seats"),
        pytest.param(pack("seats=2", " 0:b", (1, 1551), *letters("0:b b", " 0:b")), id="a deal by other rules"),
        pytest.param(pack("seats=2", "b", (1, 1551), *letters("", "b")), id="a deal that is none"),
        pytest.param(pack("seats=2", "b", (1, 1551), *letters("bbbbb", "b")), id="a deal in no notation"),
    ],
)
def test_a_damaged_link_is_bad_notation(text):
    with pytest.raises(BadNotation):
        short.expand(azul, text)


def test_a_link_that_goes_on_after_the_end_is_damaged():
    with pytest.raises(BadNotation, match="goes on after its end"):
        short.expand(changed(turn=lambda state: Over((), ())), LINK)


def test_a_record_that_is_no_game_has_no_link():
    with pytest.raises(BadNotation):
        short.shorten(azul, Record("azul/1", ("*0:bbbb",)))
    with pytest.raises(BadNotation):
        short.shorten(azul, Record("duel/1"))
