"""Two people before two full screens, at one table of a real server."""

import asyncio
import random
import socket

import pytest
from textual.widgets import Static

from tessella.games import GAMES
from tessella.terminal import online
from tessella.terminal.http import SavedServers, Server, ServerError
from tessella.terminal.join import invite, join, pair
from tessella.terminal.online import OnlineClient
from tessella.terminal.tui.dialogs import Card, Pick
from tessella.terminal.tui.game_screen import GameScreen
from tessella.text.i18n import Translations
from tests.server.processes import running, wait_until_ready
from tests.terminal.people import Person, app_for, play_out


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
    return Server(f"http://127.0.0.1:{port}", SavedServers(tmp_path / f"{name}.json"))


async def sit_before(table: OnlineClient, size=(80, 24), act=None, until=None):
    """Play at the table to the end on a screen of one's own."""
    playing = GameScreen(table)

    async def typed(person, move, made):
        await person.type(move)
        await person.wait(lambda: person.playing.snapshot.moves == () or person.over or person.playing.sent == "")

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
        hers = await invite(ann, GAMES[title], ["Ann", "open"], [], Translations("en"))
        his = await join(Server(hers._links[0], bob._file), hers._links[0], "Bob", Translations("en"))
        one, other = await asyncio.gather(sit_before(hers), sit_before(his, (120, 40)))
        assert one.playing.snapshot.view.turn == other.playing.snapshot.view.turn
        assert one.playing.snapshot.names == ("Ann", "Bob")
        assert [happened.text for happened in one.playing.snapshot.history if happened.seat == 0]
        await one.wait(lambda: hers.record() is not None) if hers.record() is None else None

    asyncio.run(main())


def test_a_lost_line_comes_back_and_a_rematch_follows(port, tmp_path):
    async def script(person):
        table, playing = person.playing.client, person.playing
        for _ in range(3):
            await person.next_turn()
            await table._socket.close()
            seen = len(playing.snapshot.history)
            await person.type(playing.snapshot.moves[0])
            await person.wait(lambda seen=seen: len(playing.snapshot.history) > seen)
        assert playing.snapshot.names == ("Ann", "Newcomer")
        table.request("resign")
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
        assert table.connection == "live"

    async def main():
        ann = server_for(port, tmp_path, "Ann")
        await sit_before(await invite(ann, GAMES["azul"], ["Ann", "1"], [], Translations("en")), until=script)

    asyncio.run(main())


def test_17_9_new_links_and_closing_by_who_set_the_table(port, tmp_path):
    async def script(person):
        table, playing = person.playing.client, person.playing
        await person.wait(lambda: playing.snapshot is not None and playing.snapshot.links)
        old = playing.snapshot.links
        await person.pilot.press("f8")
        await person.wait(lambda: isinstance(person.pilot.app.screen, Pick))
        await person.pilot.press("enter")
        await person.wait(lambda: playing.snapshot.links != old)
        assert len(playing.snapshot.links) == len(old) == 1
        with pytest.raises(ServerError):
            await join(server_for(port, tmp_path, "Bob"), old[0], "Bob", Translations("en"))
        await person.wait(lambda: person.pilot.app.screen is playing)
        await person.pilot.press("f8")
        await person.wait(lambda: isinstance(person.pilot.app.screen, Pick))
        await person.pilot.press("down", "enter")
        await person.wait(lambda: isinstance(person.pilot.app.screen, Card))
        assert "Close this table?" in person.pilot.app.screen.text
        await person.pilot.press("enter")
        await person.wait(lambda: playing.snapshot.status == "over")
        await person.wait(lambda: isinstance(person.pilot.app.screen, Card))
        assert "closed before the game started" in person.pilot.app.screen.text
        assert (playing.snapshot.requests, table.record()) == ((), None)

    async def main():
        ann = server_for(port, tmp_path, "Ann")
        await sit_before(await invite(ann, GAMES["azul"], ["Ann", "open"], [], Translations("en")), until=script)

    asyncio.run(main())


def test_a_line_that_only_looks_alive_is_left_for_another(port, tmp_path, monkeypatch):
    monkeypatch.setattr(online, "ANSWER_SECONDS", 0.5)
    monkeypatch.setattr(online, "PING_SECONDS", 3_600.0)

    async def script(person):
        table, playing = person.playing.client, person.playing
        await person.next_turn()
        dead, seen = table._socket, len(playing.snapshot.history)
        dead.transport.pause_reading()
        await person.type(playing.snapshot.moves[0])
        await person.wait(lambda: len(playing.snapshot.history) > seen)
        assert table._socket is not dead
        assert not table._waiting
        assert table.connection == "live"

    async def main():
        ann = server_for(port, tmp_path, "Ann")
        await sit_before(await invite(ann, GAMES["azul"], ["Ann", "1"], [], Translations("en")), until=script)

    asyncio.run(main())


def said(person) -> str:
    return str(person.playing.query_one("#info", Static).render())


async def send_command(person, what):
    """Ask by the menu of the table; pages that open meanwhile are closed."""
    while not isinstance(person.pilot.app.screen, Pick):
        await person.pilot.press("escape", "f8")
    place = [choice for choice, _ in person.pilot.app.screen.choices].index(what)
    await person.pilot.press(*["down"] * place, "enter")


def test_who_resigns_among_three_is_played_for_and_cannot_come_back(port, tmp_path):
    async def script(person):
        playing = person.playing
        assert await person.next_turn()
        assert playing.snapshot.names == ("Ann", "Newcomer", "Newcomer 2")
        await send_command(person, "resign")
        await person.wait(lambda: playing.snapshot.players[0].stand_in)
        assert "stand-in" in person.canvas.text()
        assert "took over" in [one.what for one in playing.snapshot.history]
        assert "You resigned" in said(person)
        assert (playing.snapshot.requests, playing.snapshot.moves) == ((), ())

    async def main():
        ann = server_for(port, tmp_path, "Ann")
        await sit_before(await invite(ann, GAMES["azul"], ["Ann", "1", "1"], [], Translations("en")), until=script)

    asyncio.run(main())


def test_who_leaves_is_played_for_and_comes_back(port, tmp_path):
    """Bob sits there and does nothing: the game waits for him."""

    async def script(person):
        playing = person.playing
        await person.wait(lambda: playing.snapshot is not None and playing.snapshot.status == "playing")
        await send_command(person, "leave")
        await person.wait(lambda: playing.snapshot.players[0].stand_in and playing.snapshot.movers == (1,))
        assert "F8: come back" in said(person)
        await send_command(person, "return")
        await person.wait(lambda: not playing.snapshot.players[0].stand_in)
        assert [one.what for one in playing.snapshot.history if one.seat == 0][-1] == "returned"
        assert "Waiting for Bob" in said(person)

    async def main():
        ann, bob = (server_for(port, tmp_path, name) for name in ("Ann", "Bob"))
        hers = await invite(ann, GAMES["azul"], ["Ann", "open"], [], Translations("en"))
        his = await join(bob, hers._links[0], "Bob", Translations("en"))
        sitting = asyncio.create_task(his.run(lambda _: None))
        await sit_before(hers, until=script)
        sitting.cancel()

    asyncio.run(main())


def test_phrases_are_said_and_read_and_others_know_who_is_away(port, tmp_path):
    heard, seen = [], []

    def listen(snapshot):
        seen.append(snapshot)
        heard.extend([snapshot.said] if snapshot.said else [])

    async def script(person):
        playing = person.playing
        await person.wait(lambda: playing.snapshot is not None and playing.snapshot.status == "playing")
        await send_command(person, "say")
        await person.wait(lambda: getattr(person.pilot.app.screen, "choices", [("",)])[0][0] == "hello")
        person.pilot.app.screen.dismiss("nice-move")
        await person.wait(lambda: heard)

    async def main():
        ann, bob = (server_for(port, tmp_path, name) for name in ("Ann", "Bob"))
        hers = await invite(ann, GAMES["azul"], ["Ann", "open"], [], Translations("en"))
        his = await join(bob, hers._links[0], "Bob", Translations("en"))
        sitting = asyncio.create_task(his.run(listen))
        await sit_before(hers, until=script)
        assert heard == [(0, "nice-move")]
        for _ in range(100):
            if any(player.gone_at is not None for player in seen[-1].players):
                break
            await asyncio.sleep(0.05)
        assert seen[-1].players[0].away
        assert seen[-1].absent == (), "only after a minute may a bot play on"
        sitting.cancel()

    asyncio.run(main())


def test_those_who_are_paired_have_clocks(port, tmp_path):
    async def script(person):
        await person.wait(lambda: person.playing.snapshot is not None and person.playing.snapshot.status == "playing")
        assert all(occupant.seconds for occupant in person.playing.snapshot.players)
        await person.wait(lambda: "9:5" in person.canvas.text())

    async def main():
        ann, bob = (server_for(port, tmp_path, name) for name in ("Ann", "Bob"))
        tables = [
            await pair(server, GAMES["azul"], 2, name, Translations("en")) for server, name in ((ann, "A"), (bob, "B"))
        ]
        await asyncio.gather(*(sit_before(table, until=script) for table in tables))

    asyncio.run(main())


def test_the_server_says_why_not(port, tmp_path):
    async def main():
        ann = server_for(port, tmp_path, "Ann")
        with pytest.raises(ServerError, match="no such table"):
            await join(ann, f"{ann.origin}/join/nothing#secret", "Ann", Translations("en"))
        nobody = Server("http://127.0.0.1:9", SavedServers(tmp_path / "nobody.json"))
        with pytest.raises(ServerError, match="does not answer"):
            await nobody.enter("Ann")

    asyncio.run(main())


def test_who_comes_back_is_known_and_keeps_the_promised_number(tmp_path):
    memory = SavedServers(tmp_path / "servers.json")
    server = Server("club.example/anything", memory)
    assert server.origin == "http://club.example"
    server._save_cookie("tessella=secret; Path=/")
    number = server.own_number("game", 1)
    again = Server("http://club.example", memory)
    assert again.headers == {"cookie": "tessella=secret"}
    assert again.own_number("game", 1) == number
    again.forget_number("game", 1)
    assert Server("http://club.example", memory).own_number("game", 1) != number
    assert memory.path.stat().st_mode & 0o077 == 0
    memory.path.write_text("not at all")
    assert memory.read() == {}
