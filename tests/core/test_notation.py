"""Texts as people and editors leave them."""

import pytest

from tessella.core.game import BadNotation
from tessella.core.notation import abbreviate, decode_text, quote


def test_a_file_with_a_byte_order_mark_is_read():
    assert decode_text(b"\xef\xbb\xbfazul/1 seats=2\n", "marked.game") == "azul/1 seats=2\n"


def test_a_file_that_is_not_utf_8_is_named():
    with pytest.raises(BadNotation, match=r"latin\.game is not a text file in UTF-8"):
        decode_text("name 0 Zoë\n".encode("latin-1"), "latin.game")


@pytest.mark.parametrize(("length", "shown"), [(60, 60), (61, 61), (1_000, 61)])
def test_a_long_text_is_abbreviated(length, shown):
    assert len(abbreviate("x" * length)) == shown
    assert quote("x" * length) == repr(abbreviate("x" * length))
    assert abbreviate("x" * length).endswith("…") == (length > 60)
