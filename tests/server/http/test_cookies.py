"""The cookie of a session among those of others: read without fail, and over TLS only if no other site can set it."""

import httpx
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


def secret_of(person):
    return person.http.cookies["tessella"]


async def who(port, cookie, **headers):
    """The name of whom a cookie header stands for, or the status."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
        answer = await http.get("/api/session", headers={"cookie": cookie.encode(), **headers})
    return answer.json()["name"] if answer.status_code == 200 else answer.status_code


async def test_cookies_of_others_log_nobody_out(app, port):
    ours = f"tessella={secret_of(await Person.arrive(port, 'Ann'))}"
    for foreign in FOREIGN:
        for header in (f"{foreign}; {ours}", f"{ours}; {foreign}", f"{foreign};{ours};{foreign}"):
            assert await who(port, header.strip()) == "Ann", header
        assert await who(port, foreign) == 401, foreign


async def test_over_tls_a_cookie_that_a_sibling_domain_can_set_is_ignored(app, port):
    ann, eve = [await Person.arrive(port, name) for name in ("Ann", "Eve")]
    planted, own = f"tessella={secret_of(eve)}", f"__Host-tessella={secret_of(ann)}"
    assert await who(port, planted, **TLS) == 401
    assert await who(port, own, **TLS) == "Ann"
    for header in (f"{planted}; {own}", f"{own}; {planted}"):
        assert await who(port, header, **TLS) == "Ann"
        assert await who(port, header) == "Eve"
    assert await who(port, own) == 401


async def test_a_socket_over_tls_takes_the_same_cookie(app, port):
    ann = await Person.arrive(port, "Ann")
    address = f"ws://127.0.0.1:{port}/api/games/{(await ann.set_table())['id']}/socket"
    for cookie, is_known in (("tessella={}", False), ("a@b=1; __Host-tessella={}", True)):
        headers = {"cookie": cookie.format(secret_of(ann)), **TLS}
        async with websockets.connect(address, additional_headers=headers) as socket:
            await say(socket, type="command", key=key(), action="decline")
            assert ((await hear(socket, "error"))["rule"] != "session") is is_known


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
    assert cookies.find({"scheme": "http", "headers": [(b"cookie", header) for header in headers]}) == value
