"""People before full screens, at one table of a real server."""

import asyncio
import re

import pytest

from tessella.games import GAMES
from tessella.terminal import online
from tessella.terminal.client import Snapshot
from tessella.terminal.http import SavedServers, Server, ServerError
from tessella.terminal.join import invite, join, pair
from tessella.terminal.tui.dialogs import Card, Pick
from tessella.terminal.tui.game_screen import GameScreen
from tessella.text.i18n import Translations
from tests.server.waiting import until
from tests.terminal.people import Person, app_for, play_out, shown

ENGLISH = Translations("en")
SLOW = [pytest.param(title, marks=pytest.mark.slow) for title in ("duel", "blockers")]


@pytest.fixture
def server(origin, tmp_path):
    """The server as somebody with this name knows it."""
    return lambda name: Server(origin, SavedServers(tmp_path / f"{name}.json"))


async def sit_before(table, script=None, size=(80, 24)):
    """Play to the end, or do what is in the script, on a screen of one's own."""
    playing = GameScreen(table)

    async def typed(person, move, made):
        await person.type(move)
        await person.wait(
            lambda: (playing.snapshot and playing.snapshot.moves == ()) or person.over or playing.sent == ""
        )

    async with shown(app_for(playing), size) as pilot:
        person = Person(pilot, playing)
        await (script(person) if script else play_out(person, typed))
    return person


def alone(server, script, *bots):
    """Let Ann do what is in the script at a table with bots or free seats."""

    async def main():
        await sit_before(await invite(server("Ann"), GAMES["azul"], ["Ann", *bots], [], ENGLISH), script)

    asyncio.run(main())


async def two_tables(server):
    """Ann's and Bob's clients of one table."""
    hers = await invite(server("Ann"), GAMES["azul"], ["Ann", "open"], [], ENGLISH)
    return hers, await join(server("Bob"), hers._links[0], "Bob", ENGLISH)


async def started(person):
    await person.wait(lambda: person.playing.snapshot is not None and person.playing.snapshot.status == "playing")


async def send_command(person, what):
    """Ask by the menu of the table; pages that open meanwhile are closed."""

    async def asked():
        screen = person.pilot.app.screen
        if not isinstance(screen, Pick):
            await person.pilot.press("f8" if screen is person.playing else "escape")
        return isinstance(person.pilot.app.screen, Pick)

    await until(asked)
    place = [choice for choice, _ in person.pilot.app.screen.choices].index(what)
    await person.pilot.press(*["down"] * place, "enter")


@pytest.mark.parametrize("title", ["azul", *SLOW])
def test_two_people_play_a_whole_game_online(server, title):
    async def main():
        hers = await invite(server("Ann"), GAMES[title], ["Ann", "open"], [], ENGLISH)
        bob = server("Bob")
        his = await join(Server(hers._links[0], bob._file), hers._links[0], "Bob", ENGLISH)
        one, other = await asyncio.gather(sit_before(hers), sit_before(his, size=(120, 40)))
        assert one.playing.snapshot.view.turn == other.playing.snapshot.view.turn
        assert one.playing.snapshot.names == ("Ann", "Bob")
        assert [happened.text for happened in one.playing.snapshot.history if happened.seat == 0]

    asyncio.run(main())


def test_a_lost_line_comes_back_and_a_rematch_follows(server):
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
        assert "resigned" in (await person.opened(Card)).text
        await person.pilot.press("enter")
        await person.back()
        first = table._id
        await send_command(person, "rematch")
        await person.wait(lambda: table._id != first and not person.over)
        assert await person.next_turn()
        assert table.connection == "live"

    alone(server, script, "1")


def test_new_links_and_closing_by_who_set_the_table(server):
    async def script(person):
        table, playing = person.playing.client, person.playing
        await person.wait(lambda: playing.snapshot is not None and playing.snapshot.links)
        old = playing.snapshot.links
        await send_command(person, "invite")
        await person.wait(lambda: playing.snapshot.links != old)
        assert len(playing.snapshot.links) == len(old) == 1
        with pytest.raises(ServerError):
            await join(server("Bob"), old[0], "Bob", ENGLISH)
        await person.back()
        await send_command(person, "close")
        assert "Close this table?" in (await person.opened(Card)).text
        await person.pilot.press("enter")
        await person.wait(lambda: playing.snapshot.status == "over")
        assert "closed before the game started" in (await person.opened(Card)).text
        assert (playing.snapshot.requests, table.record()) == ((), None)

    alone(server, script, "open")


def test_a_line_that_only_looks_alive_is_left_for_another(server, monkeypatch):
    monkeypatch.setattr(online, "ANSWER_SECONDS", 0.5)
    monkeypatch.setattr(online, "PING_SECONDS", 3_600.0)

    async def script(person):
        table, playing = person.playing.client, person.playing
        await person.next_turn()
        dead, seen = table._socket, len(playing.snapshot.history)
        dead.transport.pause_reading()
        await person.type(playing.snapshot.moves[0])
        await person.wait(lambda: len(playing.snapshot.history) > seen and table.connection == "live")
        assert table._socket is not dead
        await person.wait(lambda: not table._waiting)

    alone(server, script, "1")


def test_who_resigns_among_three_is_played_for_and_cannot_come_back(server):
    async def script(person):
        playing = person.playing
        assert await person.next_turn()
        assert playing.snapshot.names == ("Ann", "Newcomer", "Newcomer 2")
        await send_command(person, "resign")
        await person.wait(lambda: playing.snapshot.players[0].stand_in)
        assert "stand-in" in person.canvas.text()
        assert "took over" in [one.what for one in playing.snapshot.history]
        assert "You resigned" in person.said()
        assert (playing.snapshot.requests, playing.snapshot.moves) == ((), ())

    alone(server, script, "1", "1")


def test_who_leaves_is_played_for_and_comes_back(server):
    """Bob sits there and does nothing: the game waits for him."""

    async def script(person):
        playing = person.playing
        await started(person)
        await send_command(person, "leave")
        await person.wait(lambda: playing.snapshot.players[0].stand_in and playing.snapshot.movers == (1,))
        assert "F8: come back" in person.said()
        await send_command(person, "return")
        await person.wait(lambda: not playing.snapshot.players[0].stand_in)
        assert [one.what for one in playing.snapshot.history if one.seat == 0][-1] == "returned"
        assert "Waiting for Bob" in person.said()

    async def main():
        hers, his = await two_tables(server)
        sitting = asyncio.create_task(his.run(lambda _: None))
        await sit_before(hers, script)
        sitting.cancel()

    asyncio.run(main())


def test_phrases_are_said_and_read_and_others_know_who_is_away(server):
    seen: list[Snapshot] = []

    def heard():
        return [snapshot.said for snapshot in seen if snapshot.said]

    async def script(person):
        await started(person)
        await send_command(person, "say")
        await person.wait(lambda: getattr(person.pilot.app.screen, "choices", [("",)])[0][0] == "hello")
        person.pilot.app.screen.dismiss("nice-move")
        await person.wait(heard)

    async def main():
        hers, his = await two_tables(server)
        sitting = asyncio.create_task(his.run(seen.append))
        await sit_before(hers, script)
        assert heard() == [(0, "nice-move")]
        await until(lambda: seen[-1].players[0].gone_at is not None)
        assert seen[-1].players[0].away
        assert seen[-1].absent == (), "only after a minute may a bot play on"
        sitting.cancel()

    asyncio.run(main())


def test_those_who_are_paired_have_clocks(server):
    async def script(person):
        await started(person)
        assert all(occupant.seconds for occupant in person.playing.snapshot.players)
        await person.wait(lambda: re.search(r"\b[5-9]:\d\d\b", person.canvas.text()))

    async def main():
        tables = [await pair(server(name), GAMES["azul"], 2, name, ENGLISH) for name in ("Ann", "Bob")]
        await asyncio.gather(*(sit_before(table, script) for table in tables))

    asyncio.run(main())


def test_the_server_says_why_not(server, tmp_path):
    async def main():
        ann = server("Ann")
        with pytest.raises(ServerError, match="no such table"):
            await join(ann, f"{ann.origin}/join/nothing#secret", "Ann", ENGLISH)
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
