"""Leaving the program at any time: while snapshots arrive, dialogs open or bots think."""

import asyncio
from argparse import Namespace

import pytest
from msgspec.structs import replace
from textual import events

from tessella.core import record
from tessella.games import GAMES
from tessella.terminal.client import BotProcess, LocalClient, Player
from tessella.terminal.http import SavedServers, Server
from tessella.terminal.join import own_name
from tessella.terminal.saving import SaveFile
from tessella.terminal.tui.dialogs import Pick
from tessella.terminal.tui.game_screen import UNHURRIED, GameScreen
from tessella.terminal.tui.replay_screen import ReplayScreen
from tessella.text.i18n import Translations
from tests.terminal.people import Person, app_for, shown, table_here
from tests.terminal.tables import Seats
from tests.tiers import nightly


def scenes_of(title="azul"):
    """Return all snapshots of a game in which everyone makes the first legal move."""
    table, snapshots = table_here(title, ("Ann", "Bob"), bots={}), []

    def receive(snapshot):
        snapshots.append(snapshot)
        if snapshot.moves:
            table.play(snapshot.moves[0])

    play_until(table, receive, lambda: snapshots and snapshots[-1].status == "over")
    return snapshots


def play_until(table, receive, done):
    """Run a game until something is so."""

    async def main():
        running = asyncio.create_task(table.run(receive))
        while not done():
            assert not running.done() or running.result()
            await asyncio.sleep(0)
        running.cancel()

    asyncio.run(asyncio.wait_for(main(), 60))


class Told(LocalClient):
    """A client that sends its snapshots one after the other without waiting."""

    def __init__(self, snapshots):
        super().__init__(table_here("azul", ("Ann", "Bob")).local)
        self.snapshots = snapshots

    async def run(self, listener):
        for snapshot in self.snapshots:
            listener(snapshot)
            await asyncio.sleep(0)
        await asyncio.sleep(60)


AZUL = scenes_of()


def replay_of(title="azul"):
    """The replay of a whole game."""
    table = Seats.of(table_here(title, ("Ann", "Bob"), bots={}).local)
    while table.seats:
        table.play(table.moves[0])
    return ReplayScreen(GAMES[title], table.record(), ("Ann", "Bob"))


async def leave_after(app, steps, keys=()):
    """Let a number of things happen, then end the program."""
    async with shown(app):
        for step in range(steps):
            if step % 7 == 0:
                for key in keys:
                    app.post_message(events.Key(key, None))
            await asyncio.sleep(0)
    assert app.return_code == 0


AT_ANY_MOMENT = [
    *(("game", steps) for steps in range(0, 120, 40)),
    *(("replay", steps) for steps in range(0, 60, 20)),
    *nightly(*(("game", steps) for steps in range(0, 120, 10) if steps % 40)),
]


@pytest.mark.heavy
@pytest.mark.parametrize("moment", AT_ANY_MOMENT, ids=str)
def test_one_may_leave_at_any_moment(moment):
    """Rounds are scored on their way: pages open and are closed while the program ends."""
    kind, steps = moment
    if kind == "game":
        asyncio.run(leave_after(app_for(GameScreen(Told(AZUL))), steps, ("escape", "f2", "f3", "f4", "enter")))
    else:
        asyncio.run(leave_after(app_for(replay_of()), steps, ("space", "n", "e", "end")))


def test_what_is_told_after_the_end_is_heard_by_nobody():
    async def main():
        playing = GameScreen(Told(AZUL[:3]))
        async with shown(app_for(playing)) as pilot:
            await Person(pilot, playing).wait(lambda: playing.snapshot is AZUL[2])
        playing.receive(AZUL[-1])
        assert playing.snapshot is AZUL[2]

    asyncio.run(main())


def test_a_page_opens_once_however_fast_one_presses():
    async def main():
        playing = GameScreen(Told(AZUL[:1]))
        async with shown(app_for(playing)) as pilot:
            await Person(pilot, playing).wait(lambda: playing.snapshot is not None)
            playing.action_moves()
            playing.action_moves()
            await pilot.pause()
            assert isinstance(pilot.app.screen, Pick)
            assert pilot.app.screen_stack[-2] is playing

    asyncio.run(main())


@pytest.mark.parametrize("kind", ["game", "replay"])
def test_one_leaves_once_however_often_one_presses(kind):
    async def main():
        screen = GameScreen(Told(AZUL[-1:])) if kind == "game" else replay_of()
        app = app_for(screen)
        async with shown(app) as pilot:
            if isinstance(screen, GameScreen):
                await Person(pilot, screen).next_turn()
            for _ in range(3):
                screen.post_message(events.Key("q", "q"))
            await pilot.pause()
        assert app.return_code == 0

    asyncio.run(main())


def test_who_thinks_is_gone_when_the_thought_is_not_wanted_any_more():
    async def main():
        local, thinker = table_here("azul", ("Bot", "Ann"), bots={0: "random"}).local, BotProcess()
        thinking = asyncio.create_task(thinker.think(local.bot_to_move()))
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
        playing = GameScreen(Told(AZUL[:1]))
        app = app_for(playing)
        app.dwell = 0.8
        async with shown(app):
            playing._waiting.extend(AZUL[:UNHURRIED])
            assert playing._dwell() == 0.8
            playing._waiting.extend(AZUL[:UNHURRIED])
            assert playing._dwell() == 0.4
            playing._waiting.clear()

    asyncio.run(main())


def test_a_move_is_taken_back_at_this_keyboard():
    table, snapshots = table_here("azul", ("Ann", "Bob")), []

    def receive(snapshot):
        snapshots.append(snapshot)
        if snapshot.moves and not any(one.requests == ("takeback", "resign") for one in snapshots):
            assert snapshot.requests == ("resign",)
            table.play(snapshot.moves[0])
        elif snapshot.moves and table.local.table.terms.branch is None:
            table.request("takeback")

    play_until(table, receive, lambda: table.local.table.terms.branch is not None and snapshots[-1].moves)
    first = next(snapshot for snapshot in snapshots if snapshot.moves)
    assert (snapshots[-1].moves, snapshots[-1].requests) == (first.moves, ("resign",))


def test_who_resigns_at_this_keyboard_may_have_a_rematch_and_both_are_saved(tmp_path):
    save, snapshots = SaveFile(str(tmp_path / "evening.game"), Translations("en")), []
    table = LocalClient(table_here("azul", ("Ann", "Bob")).local, save.keep)

    def receive(snapshot):
        snapshots.append(snapshot)
        if snapshot.status == "over":
            assert (snapshot.ended, snapshot.result.places, snapshot.requests) == ("resigned", (2, 1), ("rematch",))
            table.request("rematch")
        elif snapshot.moves and len(snapshots) < 3:
            table.request("resign")

    play_until(table, receive, lambda: any(one.status == "over" for one in snapshots) and snapshots[-1].moves)
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["evening-2.game", "evening.game"]
    assert record.read((tmp_path / "evening-2.game").read_text()).names == ("Bob", "Ann")


ANYTIME = ("abort", "resign")


@pytest.mark.parametrize(
    ("change", "own", "requests"),
    [
        ({"status": "open"}, {}, ()),
        ({"status": "dice"}, {"stand_in": True, "resigned": True}, ("start",)),
        ({"status": "playing"}, {}, ("leave", "takeback", "pause", *ANYTIME)),
        ({"status": "paused"}, {}, ("leave", "takeback", "resume", *ANYTIME)),
        ({"asked": "pause", "may_take_back": False}, {"stand_in": True}, ("return", "decline", "pause", *ANYTIME)),
        ({"status": "playing"}, {"stand_in": True, "resigned": True}, ()),
        ({"status": "over"}, {"stand_in": True, "resigned": True}, ("rematch",)),
    ],
)
def test_what_can_be_requested(change, own, requests):
    seen = next(snapshot for snapshot in AZUL if snapshot.view.seat == 0)
    players = (Player("Ann", **own), *seen.players[1:])
    assert replace(seen, **{"here": False, "may_take_back": True, "players": players} | change).requests == requests


def test_others_know_us_by_the_name_that_we_gave(tmp_path, monkeypatch):
    server, texts, asked = Server("club.example", SavedServers(tmp_path / "it.json")), Translations("en"), []
    options = Namespace(players=[])

    def ask(text):
        asked.append(text)
        return " "

    monkeypatch.setattr("builtins.input", ask)
    assert own_name(options, server, texts) == "Player"
    server.saved.name = "Zoë"
    assert own_name(options, server, texts) == "Zoë"
    options.players = ["Ann", "open"]
    assert own_name(options, server, texts) == "Ann"
    assert [text.rpartition("[")[2] for text in asked] == ["Player] ", "Zoë] "]
