"""The full screen, played through whole games by keyboard and by mouse."""

import asyncio

import pytest
from textual.widgets import Input, OptionList, RichLog, Static

from tessella.core.record import replay
from tessella.games import GAMES
from tessella.terminal.tui.canvas_widget import CanvasWidget
from tessella.terminal.tui.dialogs import Card, Curtain, Pick, Rules, Story
from tessella.terminal.tui.game_screen import GameScreen
from tessella.terminal.tui.home_screen import HomeScreen
from tessella.terminal.tui.replay_screen import ReplayScreen
from tests.server.waiting import until
from tests.terminal.people import Person, app_for, play_out, shown, table_here
from tests.terminal.tables import Seats


async def by_keys(person, move, made):
    await (person.choose_by_keys(move) if made % 8 == 0 else person.type(move))


async def by_mouse(person, move, made):
    await (person.choose_by_mouse(move) if made % 2 == 0 else person.type(move))


def game_of(title, act, *options, players=("Ann", "Bot"), size=(80, 24), marks=()):
    return pytest.param(title, act, options, players, size, marks=marks, id=f"{title} {act.__name__} {players}")


PEOPLE = ("Ann", "Bob")
WHOLE_GAMES = [
    game_of("azul", by_keys),
    *(game_of(title, by_keys, marks=pytest.mark.nightly) for title in ("duel", "blockers")),
    game_of("azul", by_mouse, size=(120, 40)),
    *(game_of(title, by_mouse, size=(120, 40), marks=pytest.mark.slow) for title in ("duel", "blockers")),
    *(game_of(title, by_keys, players=PEOPLE, marks=pytest.mark.slow) for title in GAMES),
    game_of("azul", by_keys, "wall=grey", players=("Ann", "Bot", "Bot 2"), marks=pytest.mark.slow),
]


@pytest.mark.heavy
@pytest.mark.parametrize(("title", "act", "options", "players", "size"), WHOLE_GAMES)
def test_a_whole_game(title, act, options, players, size):
    table = table_here(title, players, *options, bots={} if players == PEOPLE else None)
    playing = GameScreen(table)

    async def main():
        async with shown(app_for(playing), size) as pilot:
            person = Person(pilot, playing)
            assert await play_out(person, act) > 5
            return person.pages

    pages = asyncio.run(main())
    assert pages[-1] == "Card"
    assert ("Curtain" in pages) == (title != "azul" and players == PEOPLE)
    played = table.record()
    assert played.scores
    assert list(replay(GAMES[title], played))[-1].after == table.local.table.state


# One screen, looked at closely


def look(title, script, players=PEOPLE, language="en", size=(80, 24), **more):
    """Let a person do something before the screen of a table of two people, or with bots."""

    async def main():
        playing = GameScreen(table_here(title, players, **{"bots": {}} | more))
        async with shown(app_for(playing, language), size) as pilot:
            await script(Person(pilot, playing))

    asyncio.run(main())


def test_pointing_at_the_last_part_shows_what_the_move_would_do():
    async def script(person):
        await person.next_turn()
        await person.pilot.press("right", "enter")
        assert "▸" in person.canvas.text()
        await person.pilot.press("down")
        assert "┆" in person.canvas.text()
        await person.told("If the round ended now")
        await person.pilot.press("escape", "escape", "escape")
        assert "┆" not in person.canvas.text()
        assert person.playing.client.local.entries(None)[-1].kind == "started"

    look("azul", script)


@pytest.mark.parametrize(("language", "why"), [("en", "There is no factory 9."), ("nl", "Er is geen fabriek 9.")])
def test_a_typed_move_that_is_refused_names_its_rule(language, why):
    async def script(person):
        await person.next_turn()
        move = person.playing.snapshot.moves[0]
        await person.type("9b1")
        await person.told(why, "AZ")
        await person.pilot.press("escape")
        await person.type("hm")
        await person.told("hm")
        await person.pilot.press("backspace", "backspace")
        first = person.playing.snapshot.view.seat
        await person.type(move)
        await person.wait(lambda: person.playing.snapshot.view.seat == 1 - first)

    look("azul", script, language=language)


def test_every_number_explains_itself_and_leads_to_its_rule():
    async def script(person):
        await person.next_turn()
        await person.pilot.press("f5")
        await person.told("AZ03")
        await person.pilot.press("right", "enter")
        wanted = (await person.opened(Rules)).query(".-wanted").first()
        assert wanted.id == "AZ40"
        await person.pilot.press("escape", "escape")
        assert person.playing.note is None

    look("azul", script)


def test_the_mouse_asks_numbers_too():
    async def script(person):
        await person.next_turn()
        spot, _ = person.canvas.notes[0]
        await person.pilot.hover(CanvasWidget, offset=(spot.x, spot.y))
        await person.told("AZ03")
        await person.pilot.click(CanvasWidget, offset=(spot.x, spot.y))
        await person.opened(Rules)

    look("azul", script)


def test_rules_are_found_by_number_or_word():
    async def script(person):
        await person.next_turn()
        await person.press("?")
        page = person.pilot.app.screen
        assert isinstance(page, Rules)
        page.query_one(Input).value = "AZ15"
        await person.pilot.pause()
        shown = [rule.id for rule in page.query(".rule") if rule.display]
        assert "AZ15" in shown
        assert len(shown) < 5
        await person.pilot.press("pagedown", "down", "up", "pageup", "escape")
        await person.back()

    look("azul", script)


@pytest.mark.heavy
def test_a_round_is_told_at_the_readers_pace():
    async def script(person):
        page = await person.opened(Story)
        await person.pilot.press("enter", "space")
        assert page.shown == 3
        await person.pilot.press("f1")
        await person.opened(Rules)
        await person.pilot.press("escape")
        await person.pilot.press("end")
        assert page.shown == len(page.lines)
        assert any("AZ22" in line for line in page.lines)
        await person.pilot.press("enter")
        await person.pilot.press("f2")
        await person.opened(Story)

    look("azul", script, players=("Bot", "Bot 2"), bots={0: "1", 1: "1"})


def test_the_list_of_moves_lets_one_look_at_a_move():
    async def script(person):
        await person.next_turn()
        first = person.playing.snapshot.view.seat
        await person.pilot.press("f3")
        page = person.pilot.app.screen
        assert isinstance(page, Pick)
        assert page.query_one(OptionList).option_count == len(person.playing.snapshot.moves)
        await person.pilot.press("enter")
        assert person.playing.move_input.move in person.playing.snapshot.moves
        await person.pilot.press("enter")
        await person.wait(lambda: person.playing.snapshot.view.seat == 1 - first)

    look("azul", script)


@pytest.mark.parametrize(("size", "told"), [((70, 20), "70 by 20"), ((80, 24), "rules")])
def test_a_window_that_is_too_small_says_so(size, told):
    async def main():
        playing = GameScreen(table_here("duel", ("Ann", "Bob"), bots={}))
        async with shown(app_for(playing), size) as pilot:
            await Person(pilot, playing).wait(lambda: playing.snapshot is not None)
            assert told in str(playing.keys.render())

    asyncio.run(main())


def test_light_and_dark_and_leaving():
    async def script(person):
        await person.next_turn()
        await person.pilot.press("f4")
        assert person.pilot.app.theme == "tessella-light"
        await person.press("q")
        await person.opened(Card)
        await person.pilot.press("escape")
        await person.back()
        await person.pilot.press("f10", "enter")
        await person.pilot.pause()
        assert not person.pilot.app.is_running or person.pilot.app.screen is not person.playing

    look("azul", script)


def test_people_at_one_keyboard_do_not_see_each_others_racks():
    async def script(person):
        await person.opened(Curtain)
        assert "Your rack" not in person.canvas.text()
        await person.next_turn()
        first = person.playing.snapshot.view.seat
        assert "Your rack" in person.canvas.text()
        rack = {hand.rack for hand in person.playing.snapshot.view.hands if hand.owner == first}
        await person.type(person.playing.snapshot.moves[0])
        await person.wait(lambda: person.playing.snapshot.next_to_sit is not None)
        await person.told("hide")
        assert person.playing.snapshot.view.seat == first
        await person.pilot.press("enter")
        await person.opened(Curtain)
        await person.pilot.press("enter")
        await person.wait(lambda: person.playing.snapshot.view.seat == 1 - first)
        seen = {hand.rack for hand in person.playing.snapshot.view.hands if hand.owner == first}
        assert seen == {None}
        log = "\n".join(strip.text for strip in person.playing.query_one(RichLog).lines)
        assert not any("".join(rack_) in log for rack_ in rack)

    look("blockers", script)


# Replay and home


@pytest.mark.heavy
def test_a_replay_steps_plays_and_changes_eyes():
    async def main():
        table = Seats.of(table_here("blockers", ("Ann", "Bob", "Cleo")).local)
        while table.seats:
            table.play(table.moves[0])
        screen = ReplayScreen(GAMES["blockers"], table.record(), ("Ann", "Bob", "Cleo"))
        async with shown(app_for(screen)) as pilot:
            await pilot.press("right", "right", "left")
            assert screen.number == 1
            await pilot.press("pagedown")
            await pilot.press("e")
            assert screen.viewer == 0
            assert "Your rack" in screen.query_one(CanvasWidget).canvas.text()
            await pilot.press("tab", "e", "e")
            assert "seen by a spectator" in str(screen.query_one("#prompt", Static).render())
            await pilot.press("home", "space")
            await until(lambda: screen.number > 0)
            await pilot.press("space", "end")
            assert screen.number == len(screen.steps) - 1
            assert isinstance(pilot.app.screen, Card)
            assert "1. " in pilot.app.screen.text
            await pilot.press("enter", "pageup")
            assert screen.number == screen.starts[-1], "the last round, not the last draw"
            await pilot.press("q")
            await pilot.pause()

    asyncio.run(main())


def test_without_a_word_one_is_asked_what_to_play():
    async def main():
        home = HomeScreen()
        async with shown(app_for(home)) as pilot:
            await pilot.pause()
            await pilot.press("enter")
            await pilot.press("down", "enter")
            await pilot.press("down", "enter")
            playing = pilot.app.screen
            assert isinstance(playing, GameScreen)
            assert playing.game.NAME == "azul"
            await Person(pilot, playing).next_turn()
            assert playing.snapshot is not None
            assert playing.snapshot.names[1:] == ("Newcomer", "Newcomer 2")

    asyncio.run(main())
