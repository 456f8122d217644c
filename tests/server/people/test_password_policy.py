"""What everybody tries first is no password."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.server.people.accounts import check_new_password
from tessella.server.people.password_policy import STEMS, is_common

AROUND = ("123", "1234", "12345", "123456", "1", "2024", "2023!", "!", "007", "69", "11", "!!", "99", "1990", "01")


def test_more_than_three_thousand_common_ones_are_refused():
    made = {word + end for word, end in product(STEMS, AROUND)} | {
        a + b for a, b in product(sorted(STEMS)[:60], repeat=2)
    }
    long = {word for word in made if len(word) >= 10}
    assert len(long) > 3_000
    assert all(map(is_common, long))


TRIED_FIRST = """
password123 Passw0rd2024 qwertyuiop 1q2w3e4r5t1qaz2wsx 1234567890 iloveyou12 aaaaaaaaaaaa letmein2019 P@ssword!!
zaq12wsxcde3 liverpool1892 motdepasse1 wachtwoord01 abcdefghij 0987654321
"""
TRIED_BY_NOBODY = """correct horse battery staple
my uncle Jan's blue boat
Tr33frogs-under-glass
vijf blauwe tegels
kf8#2mQz!pL0
gRk2vNq8xZt4
uYw7bJf3mHs6
d9LpXe5cQo1i"""


@pytest.mark.parametrize("password", TRIED_FIRST.split())
def test_one_that_is_tried_first_is_refused(password):
    assert is_common(password)


@pytest.mark.parametrize("password", TRIED_BY_NOBODY.splitlines())
def test_one_that_nobody_tries_is_not(password):
    assert not is_common(password)


@settings(max_examples=200)
@given(st.text(min_size=10, max_size=128))
def test_any_text_is_judged(password):
    assert is_common(password) in (True, False)


def test_a_long_password_is_one():
    check_new_password("drie blauwe tegels op een rij, " * 4, "ann", "Ann")
