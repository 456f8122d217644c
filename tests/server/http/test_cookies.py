"""The cookie of a session among those of others: read without fail, and over TLS only if no other site can set it."""

import pytest
import websockets

from tessella.server.http import cookies
from tests.server.clients import Person, hear, key, say

FOREIGN = (
    "a@b=1",
    'g_state={"i_l":0}',
    "a[b]=1",
    "novalue",
    "=",
    "=tessella",
    "é=ü",
    'quoted="a;b"',
    "tessella2=other",
    "$Version=1",
    "x" * 4_000,
    "",
    ";;;",
)
TLS = {"x-forwarded-proto": "https"}


async def test_a_socket_over_tls_takes_the_same_cookie(app, port):
    ann = await Person.arrive(port, "Ann")
    address = f"ws://127.0.0.1:{port}/api/games/{(await ann.set_table())['id']}/socket"
    for cookie, is_known in (("tessella={}", False), ("a@b=1; __Host-tessella={}", True)):
        headers = {"cookie": cookie.format(ann.http.cookies["tessella"]), **TLS}
        async with websockets.connect(address, additional_headers=headers) as socket:
            await say(socket, type="command", key=key(), action="decline")
            assert ((await hear(socket, "error"))["rule"] != "session") is is_known


def find(*headers):
    return cookies.find({"scheme": "http", "headers": [(b"cookie", header) for header in headers]})


@pytest.mark.parametrize("foreign", FOREIGN)
def test_cookies_of_others_hide_none_of_ours_and_are_none(foreign):
    ours = "tessella=a"
    for header in (f"{foreign}; {ours}", f"{ours}; {foreign}", f"{foreign};{ours};{foreign}"):
        assert find(header.strip().encode()) == "a", header
    assert find(foreign.encode()) == ""


@pytest.mark.parametrize(
    ("headers", "value"),
    [
        ([b"tessella=a; tessella=b"], "a"),
        ([b" tessella = a ; x=y"], "a"),
        ([b"tessella=a=b"], "a=b"),
        ([b"tessella"], ""),
        ([b"tessella="], ""),
        ([b"xtessella=a"], ""),
        ([b"Tessella=a"], ""),
        ([b"a=1", b"tessella=x", b"b=\xff"], "x"),
    ],
)
def test_the_first_cookie_of_a_name_counts_in_whichever_header_it_comes(headers, value):
    assert find(*headers) == value
