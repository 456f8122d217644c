"""Who people are: names that can be shown anywhere, and cookies that nobody can guess."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sqlalchemy import select

from tessella.core import record
from tessella.server.people.identity import (
    LONGEST_NAME,
    Person,
    add_person,
    add_session,
    adopt,
    clean_name,
    end_sessions,
    find_person,
    find_session,
    name_for,
    rename,
    session_id,
)
from tessella.server.services import moderation
from tessella.server.store.schema import sessions
from tessella.table.table import Refused
from tests.server.helpers import begin, known

NASTY = [
    "Ann\u202eeel",  # right-to-left override
    "\u2066Ann\u2069",  # isolates
    "Ann\u200b",  # zero width space
    "A\u200cn\u200dn",
    "\ufeffAnn",  # byte order mark
    "A\u00adnn",  # soft hyphen
    "Ann\x07\x08\x1b[31m",  # bell, backspace, terminal colours
    "Ann\r\nSet-Cookie: a=b",
    "Ann\tof\vGables\f",
    "Ann\u2028line\u2029paragraph",
    "Ann\x7f\x9b31m",
    "Ann\ue000",  # private use
    "Ann\U000e0041\U000e0042",  # tags
    "Ann\ud800",  # half of a pair
    "A" * 10_000,
    "A\u0301" * 10_000,
    "Z" + "\u0335\u0321\u0327\u0328" * 500,  # a flood of marks
    "\u0301\u0301\u0301Ann",  # marks on nothing
    "A\u034fnn",  # grapheme joiner
    "\ufdfa\ufdfa\ufdfa\ufdfa",  # one character that becomes eighteen
    "\u3164Ann",  # Hangul filler, a letter that shows nothing
    "\u17b4\u17b5Ann",
    "\u2800\u2800Ann",  # braille blank
    "Ann\ufe0f\ufe0e",  # variation selectors
    "\u2003\u2003Ann\u3000Lee",  # wide spaces
    "    Ann     Lee    ",
    "Ａｎｎ",  # full width
    "ﬀﬁﬂﬃ",  # ligatures
    "<script>alert(1)</script>",
    '"><svg onload=alert(1)>',
    "'; DROP TABLE people; --",
    "👩‍👩‍👧‍👦 Ann",
    "🏴\U000e0067\U000e0062\U000e007f",
]
NOTHING = (
    "",
    " ",
    "\u200b\u200b",
    "\u202e",
    "\x00\x01",
    "\u3164",
    "\u2800",
    "\u0301\u0301",
    "\u115f\u1160",
    "...",
    "\ud800",
    "\n",
)


RESERVED = ["Admin", "ADMIN", "аdmin", "ádmín", "4dm1n", "H0st", "tesse11a", "ModeratΟr", "Newcomer", "Meester"]


def is_plain(name):
    """One line, nothing invisible, no text that turns around, and no letter with a tower on it."""
    kinds = [unicodedata.category(letter) for letter in name]
    towers = any(kinds[at : at + 3] == ["Mn"] * 3 for at in range(len(kinds)))
    return name.isprintable() and name == name.strip() and "  " not in name and not towers and kinds[0][0] != "M"


@pytest.mark.parametrize("name", NASTY, ids=lambda name: ascii(name)[:30])
def test_a_nasty_name_becomes_a_plain_one(name):
    clean = clean_name(name)
    assert 0 < len(clean) <= LONGEST_NAME
    assert is_plain(clean)
    assert clean.encode()
    assert not set(clean) & set("\u202e\u202d\u2066\u2067\u200b\u200d\ufeff\u00ad\u3164\u2800\u034f\n\r\x00")


@pytest.mark.parametrize("name", NOTHING, ids=ascii)
def test_a_name_of_which_nothing_can_be_seen_is_refused(name):
    with pytest.raises(ValueError, match="at least one letter"):
        clean_name(name)


@given(st.text(min_size=1, max_size=300))
@example("\xaf\xaf0")
def test_a_clean_name_is_clean_and_fit_for_a_record(name):
    try:
        clean = clean_name(name)
    except ValueError:
        return
    assert clean_name(clean) == clean
    assert is_plain(clean)
    kept = record.Record("azul/1 seats=2", names=(clean, "b"))
    assert record.read(record.write(kept)).names[0] == clean


def test_only_bots_are_called_bots():
    assert name_for("Deep Tile", "bot") == "Deep Tile (bot)"
    assert name_for("x" * 60, "bot") == "x" * 18 + " (bot)"
    for name in ("Deep Tile (bot)", "Deep Tile (Bot) ", "(bot)", "Deep Tile （ｂｏｔ）"):
        with pytest.raises(ValueError, match="only a bot"):
            name_for(name, "member")


async def test_a_cookie_is_known_until_it_ends(host):
    ann = await add_person(host.store, "Ann", "guest")
    secret = await add_session(host.store, ann, "cookie")
    found = await find_session(host.store, secret)
    assert found is not None
    assert (found.person, found.kind, found.id) == (ann, "cookie", session_id(secret))
    assert await find_session(host.store, "something else") is None
    expired = await add_session(host.store, ann, "token", seconds=-1)
    assert await find_session(host.store, expired) is None
    assert await end_sessions(host.store, Person("pother", "Bob", "guest"), found.id) == []
    assert await end_sessions(host.store, ann, found.id) == [found.id]
    assert await find_session(host.store, secret) is None
    rows = await host.store.run(select(sessions))
    assert not any(secret in str(row.values()) for row in rows)


async def test_a_guest_who_turns_out_to_be_a_member_is_known_by_both_ids_at_the_table(host):
    guest, member, bob = [await add_person(host.store, name, "guest") for name in ("Ann", "Ann Lee", "Bob")]
    room = await begin(host, [bob, guest])
    cookie = await add_session(host.store, member, "cookie")
    await adopt(host.store, guest, member)
    found = await find_session(host.store, cookie)
    assert found is not None
    assert found.person.ids == (member.id, guest.id)
    assert room.table.seat_of(found.person.id_at(room.table)) == 1
    elsewhere = await begin(host, [found.person, bob])
    assert found.person.id_at(elsewhere.table) == member.id
    assert await find_person(host.store, guest.id) is None


async def test_offices_names_of_bots_and_what_looks_like_them_are_for_the_host_to_give(host):
    ann = await known(host.store, "Ann")
    for name in ("The Host", *RESERVED):
        for attempt in (rename(host.store, ann, name), add_person(host.store, name, "bot", ann.id)):
            with pytest.raises(Refused) as refused:
                await attempt
            assert refused.value.rule == "reserved", name
    ann = await moderation.rename(host.store, ann, "Host")
    assert (await rename(host.store, ann, "Host")).name == "Host"
    assert (await rename(host.store, ann, "Ghost")).name == "Ghost"
