"""The end of the program, whatever happens meanwhile: scenes that still arrive, pages that open, players who think."""

import asyncio
from argparse import Namespace

import pytest
from msgspec.structs import replace
from tests.terminal.people import Person, app_for, table_here
from textual import events

from tessella.games import GAMES
from tessella.terminal.screen.pages import Pick
from tessella.terminal.screen.playing import UNHURRIED, Playing
from tessella.terminal.screen.replaying import Replaying
from tessella.terminal.screen.run import _me
from tessella.terminal.screen.server import Memory, Server
from tessella.terminal.screen.table import Chair, Here, Thinker
from tessella.terminal.words import Words


def scenes_of(title="azul"):
    """All scenes of a game in which everybody makes the first legal move."""
    table, told = table_here(title, ("Ann", "Bob"), bots={}), []

    def tell(scene):
        told.append(scene)
        if scene.next_to_sit is not None:
            table.sit(scene.next_to_sit)
        if scene.moves:
            table.play(scene.moves[0])

    asyncio.run(asyncio.wait_for(table.run(tell), 60))
    return told


class Told(Here):
    """A table that tells its scenes one after the other, and waits for nobody."""

    def __init__(self, scenes):
        super().__init__(table_here("azul", ("Ann", "Bob")).kept, {})
        self.scenes = scenes

    async def run(self, tell):
        for scene in self.scenes:
            tell(scene)
            await asyncio.sleep(0)
        await asyncio.sleep(60)


AZUL = scenes_of()


def a_record():
    """The record of a whole game."""
    table = table_here("azul", ("Ann", "Bob"), bots={})
    while table.kept.seats:
        table.kept.play(table.kept.moves[0])
    return table.record()


async def leave_after(app, steps, keys=()):
    """Let so many things happen, then end the program."""
    async with app.run_test(size=(80, 24)):
        for step in range(steps):
            if step % 7 == 0:
                for key in keys:
                    app.screen.post_message(events.Key(key, None))
            await asyncio.sleep(0)
        app.exit()
    assert app.return_code == 0


@pytest.mark.parametrize("steps", range(0, 120, 10))
def test_one_may_leave_at_any_moment_of_a_game(steps):
    """Rounds are scored on their way: pages open and are closed while the program ends."""
    asyncio.run(leave_after(app_for(Playing(Told(AZUL))), steps, ("escape", "f2", "f3", "f4", "enter")))


@pytest.mark.parametrize("steps", range(0, 60, 20))
def test_one_may_leave_at_any_moment_of_a_replay(steps):
    screen = Replaying(GAMES["azul"], a_record(), ("Ann", "Bob"))
    asyncio.run(leave_after(app_for(screen), steps, ("space", "n", "e", "end")))


def test_what_is_told_after_the_end_is_heard_by_nobody():
    async def main():
        playing = Playing(Told(AZUL[:3]))
        async with app_for(playing).run_test(size=(80, 24)) as pilot:
            await Person(pilot, playing).wait(lambda: playing.scene is AZUL[2])
        playing.hear(AZUL[-1])
        assert playing.scene is AZUL[2]

    asyncio.run(main())


def test_a_page_opens_once_however_fast_one_presses():
    async def main():
        playing = Playing(Told(AZUL[:1]))
        async with app_for(playing).run_test(size=(80, 24)) as pilot:
            await Person(pilot, playing).wait(lambda: playing.scene is not None)
            playing.action_moves()
            playing.action_moves()
            await pilot.pause()
            assert isinstance(pilot.app.screen, Pick)
            assert pilot.app.screen_stack[-2] is playing

    asyncio.run(main())


@pytest.mark.parametrize("kind", ["game", "replay"])
def test_one_leaves_once_however_often_one_presses(kind):
    async def main():
        table = Told(AZUL[-1:])
        screen = Playing(table) if kind == "game" else Replaying(table.game, a_record(), ("Ann", "Bob"))
        app = app_for(screen)
        async with app.run_test(size=(80, 24)) as pilot:
            if isinstance(screen, Playing):
                await Person(pilot, screen).next_turn()
            for _ in range(3):
                screen.post_message(events.Key("q", "q"))
            await pilot.pause()
        assert app.return_code == 0

    asyncio.run(main())


def test_who_thinks_is_gone_when_the_thought_is_not_wanted_any_more():
    async def main():
        table, thinker = table_here("azul", ("Ann", "Bob")), Thinker()
        thinking = asyncio.create_task(thinker.think("azul", "random", table.game.view(table.kept.state, 0)))
        await asyncio.sleep(0)
        process = thinker._process
        assert process is not None
        thinking.cancel()
        thinker.stop()
        assert process.returncode is not None
        thinker.stop()

    asyncio.run(main())


def test_many_moves_that_wait_are_shown_faster():
    async def main():
        playing = Playing(Told(AZUL[:1]))
        app = app_for(playing)
        app.dwell = 0.8
        async with app.run_test(size=(80, 24)):
            playing._waiting.extend(AZUL[:UNHURRIED])
            assert playing._dwell() == 0.8
            playing._waiting.extend(AZUL[:UNHURRIED])
            assert playing._dwell() == 0.4
            playing._waiting.clear()

    asyncio.run(main())


@pytest.mark.parametrize(
    ("status", "wishes"),
    [
        ("open", ()),
        ("dice", ("start",)),
        ("playing", ("leave", "pause", "abort", "resign")),
        ("paused", ("leave", "resume", "abort", "resign")),
        ("over", ("rematch",)),
    ],
)
def test_what_can_be_wished_for(status, wishes):
    scene = replace(next(scene for scene in AZUL if scene.view.seat == 0), status=status)
    assert scene.wishes == wishes
    away = (Chair("Ann", stand_in=True), *scene.chairs[1:])
    if status == "playing":
        assert replace(scene, chairs=away, asked="pause").wishes == ("return", "decline", "pause", "abort", "resign")
    resigned = (Chair("Ann", stand_in=True, resigned=True), *scene.chairs[1:])
    assert replace(scene, chairs=resigned).wishes == (wishes if status in ("dice", "over") else ())


def test_others_know_us_by_the_name_that_we_gave(tmp_path, monkeypatch):
    server, words, asked = Server("club.example", Memory(tmp_path / "it.json")), Words("en"), []
    options = Namespace(players=[])

    def ask(text):
        asked.append(text)
        return " "

    monkeypatch.setattr("builtins.input", ask)
    assert _me(options, server, words) == "Player"
    server.known.name = "Zoë"
    assert _me(options, server, words) == "Zoë"
    options.players = ["Ann", "open"]
    assert _me(options, server, words) == "Ann"
    assert [text.rpartition("[")[2] for text in asked] == ["Player] ", "Zoë] "]
