"""The cookie of a session among those of others: read without fail, and over TLS only if no other site can set it."""

import asyncio

import httpx
import pytest
import websockets

from tessella.server.http import cookies
from tessella.server.settings import Settings
from tests.server.clients import Person

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


def serving(serve, sqlite, port, use):
    async def main():
        async with serve(Settings(database=sqlite, port=port)):
            ann, eve = [await Person.arrive(port, name) for name in ("Ann", "Eve")]
            try:
                await use(ann, eve)
            finally:
                await Person.all_go_home()

    asyncio.run(asyncio.wait_for(main(), 60))


def secret_of(person):
    return person.http.cookies["tessella"]


async def who(port, cookie, **headers):
    """The name of whom a cookie header stands for, or the status."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
        answer = await http.get("/api/session", headers={"cookie": cookie.encode(), **headers})
    return answer.json()["name"] if answer.status_code == 200 else answer.status_code


def test_17_7_cookies_of_others_log_nobody_out(serve, sqlite, port):
    async def use(ann, _):
        ours = f"tessella={secret_of(ann)}"
        for foreign in FOREIGN:
            for header in (f"{foreign}; {ours}", f"{ours}; {foreign}", f"{foreign};{ours};{foreign}"):
                assert await who(port, header.strip()) == "Ann", header
            assert await who(port, foreign) == 401, foreign

    serving(serve, sqlite, port, use)


def test_17_7_over_tls_a_cookie_that_a_sibling_domain_can_set_is_ignored(serve, sqlite, port):
    async def use(ann, eve):
        planted, own = f"tessella={secret_of(eve)}", f"__Host-tessella={secret_of(ann)}"
        assert await who(port, planted, **TLS) == 401
        assert await who(port, own, **TLS) == "Ann"
        for header in (f"{planted}; {own}", f"{own}; {planted}"):
            assert await who(port, header, **TLS) == "Ann"
            assert await who(port, header) == "Eve"
        assert await who(port, own) == 401

    serving(serve, sqlite, port, use)


def test_17_7_a_socket_over_tls_takes_the_same_cookie(serve, sqlite, port):
    async def use(ann, _):
        game = (await ann.set_table())["id"]
        address = f"ws://127.0.0.1:{port}/api/games/{game}/socket"

        async def error(cookie):
            async with websockets.connect(address, additional_headers={"cookie": cookie, **TLS}) as socket:
                await socket.send('{"type": "command","key":"12345678","action": "decline"}')
                while '"error"' not in (heard := str(await asyncio.wait_for(socket.recv(), 20))):
                    pass
                return heard

        assert '"session"' in await error(f"tessella={secret_of(ann)}")
        assert '"session"' not in await error(f"a@b=1; __Host-tessella={secret_of(ann)}")

    serving(serve, sqlite, port, use)


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("tessella=a; tessella=b", "a"),
        (" tessella = a ; x=y", "a"),
        ("tessella=a=b", "a=b"),
        ("tessella", ""),
        ("tessella=", ""),
        ("xtessella=a", ""),
        ("Tessella=a", ""),
    ],
)
def test_17_7_the_first_cookie_of_a_name_counts(header, value):
    assert cookies.find({"scheme": "http", "headers": [(b"cookie", header.encode())]}) == value


def test_17_7_a_cookie_may_come_in_a_header_of_its_own():
    headers = [(b"cookie", b"a=1"), (b"cookie", b"tessella=x"), (b"cookie", b"b=\xff")]
    assert cookies.find({"scheme": "http", "headers": headers}) == "x"
