"""Two people before two full screens, at one table of a real server."""

import asyncio
import random
import socket

import pytest
from tests.server.processes import running, wait_until_ready
from tests.terminal.people import Person, app_for, play_out
from textual.widgets import Static

from tessella.games import GAMES
from tessella.terminal.screen import online
from tessella.terminal.screen.online import Online
from tessella.terminal.screen.pages import Card, Pick
from tessella.terminal.screen.playing import Playing
from tessella.terminal.screen.server import Memory, Refused, Server
from tessella.terminal.screen.start import invite, join, pair
from tessella.terminal.words import Words


def free_port() -> int:
    while True:
        port = random.randint(20_000, 29_999)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    """A server with one file, for all tests here."""
    place, port = tmp_path_factory.mktemp("server"), free_port()
    database = f"sqlite:{place / 'games.sqlite3'}"
    with running(place / "log", "serve", "--port", str(port), "--database", database) as process:
        wait_until_ready(port, process)
        yield port


def server_for(port, tmp_path, name) -> Server:
    return Server(f"http://127.0.0.1:{port}", Memory(tmp_path / f"{name}.json"))


async def sit_before(table: Online, size=(80, 24), act=None, until=None):
    """Play at the table to the end on a screen of one's own."""
    playing = Playing(table)

    async def typed(person, move, made):
        await person.type(move)
        await person.wait(lambda: person.playing.scene.moves == () or person.over or person.playing.sent == "")

    async with app_for(playing).run_test(size=size) as pilot:
        person = Person(pilot, playing)
        if until:
            await until(person)
        else:
            await play_out(person, act or typed)
    return person


SLOW = [pytest.param(title, marks=pytest.mark.slow) for title in ("duel", "blockers")]


@pytest.mark.parametrize("title", ["azul", *SLOW])
def test_two_people_play_a_whole_game_online(port, tmp_path, title):
    async def main():
        ann, bob = (server_for(port, tmp_path, name) for name in ("Ann", "Bob"))
        hers = await invite(ann, GAMES[title], ["Ann", "open"], [], Words("en"))
        his = await join(Server(hers._links[0], bob._memory), hers._links[0], "Bob", Words("en"))
        one, other = await asyncio.gather(sit_before(hers), sit_before(his, (120, 40)))
        assert one.playing.scene.view.turn == other.playing.scene.view.turn
        assert one.playing.scene.names == ("Ann", "Bob")
        assert [happened.text for happened in one.playing.scene.past if happened.seat == 0]
        await one.wait(lambda: hers.record() is not None) if hers.record() is None else None

    asyncio.run(main())


def test_a_lost_line_comes_back_and_a_rematch_follows(port, tmp_path):
    async def script(person):
        table, playing = person.playing.table, person.playing
        for _ in range(3):
            await person.next_turn()
            await table._socket.close()
            seen = len(playing.scene.past)
            await person.type(playing.scene.moves[0])
            await person.wait(lambda seen=seen: len(playing.scene.past) > seen)
        assert playing.scene.names == ("Ann", "Newcomer")
        table.wish("resign")
        await person.wait(lambda: isinstance(person.pilot.app.screen, Card))
        assert "resigned" in person.pilot.app.screen.text
        await person.pilot.press("enter")
        await person.wait(lambda: person.pilot.app.screen is playing)
        await person.pilot.press("f8")
        await person.wait(lambda: isinstance(person.pilot.app.screen, Pick))
        first = table._id
        await person.pilot.press("enter")
        await person.wait(lambda: table._id != first and not person.over)
        assert await person.next_turn()
        assert table.line == "live"

    async def main():
        ann = server_for(port, tmp_path, "Ann")
        await sit_before(await invite(ann, GAMES["azul"], ["Ann", "1"], [], Words("en")), until=script)

    asyncio.run(main())


def test_a_line_that_only_looks_alive_is_left_for_another(port, tmp_path, monkeypatch):
    monkeypatch.setattr(online, "PATIENCE_SECONDS", 0.5)
    monkeypatch.setattr(online, "PING_SECONDS", 3_600.0)

    async def script(person):
        table, playing = person.playing.table, person.playing
        await person.next_turn()
        dead, seen = table._socket, len(playing.scene.past)
        dead.transport.pause_reading()
        await person.type(playing.scene.moves[0])
        await person.wait(lambda: len(playing.scene.past) > seen)
        assert table._socket is not dead
        assert not table._waiting
        assert table.line == "live"

    async def main():
        ann = server_for(port, tmp_path, "Ann")
        await sit_before(await invite(ann, GAMES["azul"], ["Ann", "1"], [], Words("en")), until=script)

    asyncio.run(main())


def said(person) -> str:
    return str(person.playing.query_one("#info", Static).render())


async def wish_for(person, what):
    """Ask by the menu of the table; pages that open meanwhile are closed."""
    while not isinstance(person.pilot.app.screen, Pick):
        await person.pilot.press("escape", "f8")
    place = [choice for choice, _ in person.pilot.app.screen.choices].index(what)
    await person.pilot.press(*["down"] * place, "enter")


def test_who_resigns_among_three_is_played_for_and_cannot_come_back(port, tmp_path):
    async def script(person):
        playing = person.playing
        assert await person.next_turn()
        assert playing.scene.names == ("Ann", "Newcomer", "Newcomer 2")
        await wish_for(person, "resign")
        await person.wait(lambda: playing.scene.chairs[0].stand_in)
        assert "stand-in" in person.canvas.text()
        assert "took over" in [one.what for one in playing.scene.past]
        assert "You have resigned" in said(person)
        assert (playing.scene.wishes, playing.scene.moves) == ((), ())

    async def main():
        ann = server_for(port, tmp_path, "Ann")
        await sit_before(await invite(ann, GAMES["azul"], ["Ann", "1", "1"], [], Words("en")), until=script)

    asyncio.run(main())


def test_who_leaves_is_played_for_and_comes_back(port, tmp_path):
    """Bob sits there and does nothing: the game waits for him."""

    async def script(person):
        playing = person.playing
        await person.wait(lambda: playing.scene is not None and playing.scene.status == "playing")
        await wish_for(person, "leave")
        await person.wait(lambda: playing.scene.chairs[0].stand_in and playing.scene.movers == (1,))
        assert "F8: come back" in said(person)
        await wish_for(person, "return")
        await person.wait(lambda: not playing.scene.chairs[0].stand_in)
        assert [one.what for one in playing.scene.past if one.seat == 0][-1] == "returned"
        assert "Waiting for Bob" in said(person)

    async def main():
        ann, bob = (server_for(port, tmp_path, name) for name in ("Ann", "Bob"))
        hers = await invite(ann, GAMES["azul"], ["Ann", "open"], [], Words("en"))
        his = await join(bob, hers._links[0], "Bob", Words("en"))
        sitting = asyncio.create_task(his.run(lambda _: None))
        await sit_before(hers, until=script)
        sitting.cancel()

    asyncio.run(main())


def test_those_who_are_paired_have_clocks(port, tmp_path):
    async def script(person):
        await person.wait(lambda: person.playing.scene is not None and person.playing.scene.status == "playing")
        assert all(chair.seconds for chair in person.playing.scene.chairs)
        await person.wait(lambda: "9:5" in person.canvas.text())

    async def main():
        ann, bob = (server_for(port, tmp_path, name) for name in ("Ann", "Bob"))
        tables = [await pair(server, GAMES["azul"], 2, name, Words("en")) for server, name in ((ann, "A"), (bob, "B"))]
        await asyncio.gather(*(sit_before(table, until=script) for table in tables))

    asyncio.run(main())


def test_the_server_says_why_not(port, tmp_path):
    async def main():
        ann = server_for(port, tmp_path, "Ann")
        with pytest.raises(Refused, match="no such table"):
            await join(ann, f"{ann.origin}/join/nothing#secret", "Ann", Words("en"))
        nobody = Server("http://127.0.0.1:9", Memory(tmp_path / "nobody.json"))
        with pytest.raises(Refused, match="does not answer"):
            await nobody.enter("Ann")

    asyncio.run(main())


def test_who_comes_back_is_known_and_keeps_the_promised_number(tmp_path):
    memory = Memory(tmp_path / "servers.json")
    server = Server("club.example/anything", memory)
    assert server.origin == "http://club.example"
    server._keep_cookie("tessella=secret; Path=/")
    number = server.own_number("game", 1)
    again = Server("http://club.example", memory)
    assert again.headers == {"cookie": "tessella=secret"}
    assert again.own_number("game", 1) == number
    again.forget_number("game", 1)
    assert Server("http://club.example", memory).own_number("game", 1) != number
    assert memory.path.stat().st_mode & 0o077 == 0
    memory.path.write_text("not at all")
    assert memory.read() == {}
