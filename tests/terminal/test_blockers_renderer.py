"""Blockers! in the terminal: the table, the narration, and no rack shown to another player."""

import re
from functools import cache
from itertools import pairwise
from random import Random

import pytest

from tessella.games import blockers
from tessella.games.blockers import Config
from tessella.games.blockers.events import (
    GameEnded,
    LastRoundStarted,
    RackShown,
    SeatScored,
    StartDrawn,
    Tally,
    TileCaptured,
    TilePlaced,
    TilePutAside,
    TilesDrawn,
)
from tessella.terminal.console import Console
from tessella.terminal.play import PlainGame
from tessella.terminal.replay import Replay
from tessella.text.blockers import GLYPHS
from tessella.text.i18n import LANGUAGES, Translations
from tessella.text.renderers import ledger, renderer_for
from tessella.text.style import Style, visible
from tests.games.blockers.positions import ARCHES, lay
from tests.terminal.tables import Seats, with_bots

NAMES = ("Ann", "Bob", "Cleo", "Dirk", "Eve")
CONFIGS = [Config(2), Config(3, "uptown"), Config(4), Config(5)]
RENDERER = renderer_for("blockers")
ESCAPE = re.compile("\x1b\\[[0-9;]*m")


def style_of(language="en", names=NAMES, *, colour=False, width=80):
    return Style(Translations(language), names, colour=colour, width=width)


def drawn(state, seat, reader=None):
    return RENDERER.draw(blockers.view(state, seat), reader or style_of())


@cache
def whole_game(config):
    """A random game: captures galore."""
    rng = Random(str(config))
    table = Seats(blockers, config, seed=bytes(32), names=NAMES[: config.seats])
    while table.seats:
        table.play(rng.choice(table.moves))
    return table


def states(config):
    return [step.after for step in whole_game(config).steps]


# The table


@pytest.mark.parametrize("config", CONFIGS, ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_position_leaves_room_for_a_story_on_a_screen_of_80_by_24(language, config):
    for state in states(config)[::5]:
        for seat in (0, config.seats - 1, None):
            lines = drawn(state, seat, style_of(language))
            assert max(map(visible, lines)) <= 80
            assert len(lines) <= 18
            assert all(name in "\n".join(lines) for name in NAMES[: config.seats])


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_picture_is_the_same_without_colour_but_for_brackets(config):
    for state in states(config)[::20]:
        bare = [ESCAPE.sub("", line).rstrip() for line in drawn(state, 0, style_of(colour=True))]
        assert [line.replace("[", " ").replace("]", " ").rstrip() for line in drawn(state, 0)] == bare


def test_tiles_show_colour_and_face_and_blocks_their_symbol_with_its_letter():
    lines = drawn(lay("bA@A1 yh@A4 rw@I9 gG@G1", table="4b"), 0)
    assert lines[1].startswith("    1  2  3   4  5  6   7  8  9 ")
    assert lines[2].startswith("  ┌───☼ s───┬───♥ h───┬───★ a───┐")
    assert lines[3].startswith("A │bA  ·  · │y♥  ·  · │ ·  ·  · │")
    assert lines[6].startswith("  ├───♠ p───┼───♦ d───┼───♣ c───┤")
    assert lines[10].startswith("  ├───☾ m───┼───▲ t───┼───● o───┤")
    assert lines[11].startswith("G │gG  ·  · │")
    assert lines[13].startswith("I │ ·  ·  · │ ·  ·  · │ ·  · rw │")


def test_players_are_listed_from_the_readers_seat_with_their_score_and_what_is_to_come():
    lines = drawn(lay("bA@A1 b1@C1 b2@C2 y7@D7", {}, "rAy8rB"), 1)
    owners = [line[35:] for line in lines if "rack 5" in line]
    assert [re.sub(" +", " ", owner).strip() for owner in owners] == [
        "[Y] Bob rack 5 · supply 20",
        "[R] Cleo rack 5 · supply 20",
        "▶ [B] Ann rack 5 · supply 20",
    ]
    text = "\n".join(lines)
    assert "2 groups + 2 captured (red) = 4" in text
    assert "captured rA y8 rB" in text
    assert "1 group = 1" in text


def test_many_captured_tiles_are_counted():
    row = " ".join(f"b{column}@A{column}" for column in range(1, 10))
    text = "\n".join(drawn(lay(f"{row} bB@B1 bC@C1", {}, "yAyByCyDyEyFyGrArBrCrD"), 0))
    assert "1 group + 7 captured (yellow) = 8" in text
    assert "captured 7 [Y]  4 [R]" in text


def test_BL17_tiles_put_aside_lie_open():
    lines = [line[35:].strip() for line in drawn(lay("y7@D7"), 1)]
    assert [line for line in lines if "aside" in line] == ["put aside rw", "put aside bw"]


def test_BL40_own_racks_are_shown_with_the_letters_to_type_and_of_others_only_counts():
    state = lay("y7@D7", {"b": "BD7sm", "y": "AC9hw"})
    assert drawn(state, 0)[-1] == "Your rack   bB   bD   b7   b☼ s b☾ m"
    assert drawn(state, None)[-1] == ""
    two = lay("", {"y": "AD7sw", "g": "12345"}, table="2b")
    assert drawn(two, 1)[-1] == "Your rack   yA   yD   y7   y☼ s yw     g1   g2   g3   g4   g5"


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_BL40_nothing_drawn_depends_on_what_the_reader_cannot_know(config):
    rng = Random(5)
    for state in states(config)[1::7]:
        for seat in (0, None):
            other = blockers.imagine(blockers.view(state, seat), rng)
            assert drawn(other, seat) == drawn(state, seat)


def test_BL20_kept_tiles_are_shown_at_the_end():
    state = states(Config(4))[-1]
    text = "\n".join(drawn(state, None))
    for colour, stock in zip("byrg", state.stocks, strict=True):
        assert "keeps " + " ".join(colour + GLYPHS.get(face, face) for face in stock.rack) in text


def test_long_names_are_cut_and_narrow_screens_put_the_players_below():
    long = style_of(names=("A" * 40, "Bob", "Cleo"))
    assert max(map(visible, drawn(lay(), 0, long))) <= 80
    assert any("AAA…" in line for line in drawn(lay(), 0, long))
    narrow = drawn(lay(), 0, style_of(width=60))
    assert max(map(visible, narrow[1:])) <= 60
    assert narrow[14].startswith("  └") and "[B] Ann" in narrow[16]


# What happened


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (StartDrawn(1), "Bob starts."),
        (TilesDrawn(0, "b", 2, 21, "7s", "BL16"), "Ann draws b7 b☼."),
        (TilesDrawn(0, "b", 2, 21, None, "BL16"), ""),
        (LastRoundStarted(), "\nAll supplies are empty: everyone plays once more."),
        (TileCaptured(0, 33, "y", "h", 3, 2), "y♥ is captured."),
        (TilePlaced(0, 33, "b", "7", (), 1), "Ann places b7 on D7: a new group."),
        (TilePlaced(0, 33, "b", "7", (3, 2), 6), "Ann places b7 on D7: 3 + 2 + 1 = 6 together."),
        (TilePutAside(2, "r", "w"), "Cleo can place no tile and puts rw aside.  BL17"),
        (RackShown(0, "b", "A7sw", "BL20"), "  Ann keeps bA b7 b☼ bw.  BL20"),
        (RackShown(0, "r", "A7sw", "BL32"), "  Ann has finished red and keeps rA r7 r☼ rw.  BL32"),
        (SeatScored(0, Tally((9, 1), (0, 0, 0), None, 2), "BL21"), "  Ann: 2 groups = 2  BL21"),
        (
            SeatScored(0, Tally((9, 2, 1), (0, 2, 1), "y", 5), "BL21"),
            "  Ann: 3 groups + 2 captured (yellow) = 5 (3 captured in all)  BL21",
        ),
        (
            SeatScored(1, Tally((9,), (1, 0, 0), None, 1), "BL23"),
            "  Bob: 1 group = 1 (1 captured in all)  BL23",
        ),
        (
            SeatScored(1, Tally((9, 3), (2, 0, 0, 0), "b", 4), "BL33"),
            "  Bob: 2 groups + 2 captured (blue) = 4  BL33",
        ),
        (
            GameEnded((3, 4, 4), (1, 2, 3), "BL20"),
            "\nThe game is over. Every colour was played 24 times. The lowest score wins.",
        ),
        (
            GameEnded((4, 4), (2, 1), "BL32"),
            "\nThe game is over. All four colours are finished. The lowest score wins. "
            "Equal scores: whoever captured fewer tiles in all wins.  BL22",
        ),
        (
            GameEnded((4, 4, 5), (1, 1, 3), "BL20"),
            "\nThe game is over. Every colour was played 24 times. The lowest score wins. "
            "Equal scores and captures: the victory is shared.  BL22",
        ),
    ],
)
def test_sentences_carry_their_arithmetic_and_rule(event, sentence):
    assert RENDERER.narrate(event, style_of()) == sentence


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ("7@B7", "Your groups: 2 → 3. Your score now: 3 → 4."),
        ("2@A2", "Your groups: 2 → 1. Your score now: 3 → 2."),
        ("7@D7x", "You capture a yellow tile. Your groups: 2 → 3. Your score now: 3 → 5."),
    ],
)
def test_a_move_is_explained_before_it_counts(move, sentence):
    state = lay("b1@A1 b3@A3 y7@D7", {"b": "27DEF"}, "y8")
    preview = blockers.preview(state, blockers.read_move(state, 0, move))
    assert RENDERER.explain(preview, style_of()) == sentence


def test_BL17_putting_aside_is_explained():
    stuck = lay(ARCHES, {"b": "ABCsh"})
    preview = blockers.preview(stuck, blockers.legal_moves(stuck, 0)[0])
    assert RENDERER.explain(preview, style_of()) == "The tile is put aside, open; your turn is lost."


@pytest.mark.parametrize("config", CONFIGS, ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_is_told_and_replayed_in_every_language(language, config):
    table = whole_game(config)
    said: list[str] = []
    reader = style_of(language, NAMES[: config.seats])
    console = Console(ask=lambda _: "", say=said.append, watched=False)
    game = PlainGame(table.local, reader, console)
    game._narrate()
    game._finish()
    Replay(blockers, table.record(), reader, console).show_all()
    text = "\n".join(said)
    assert "{" not in text
    assert ("BL23" if config.scoring == "uptown" else "BL33" if config.seats == 2 else "BL21") in text


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_ledger_adds_up_to_the_scores(config):
    table = whole_game(config)
    events = [event for step in table.steps for event in step.events]
    entries = [entry for event in events for entry in RENDERER.points(event)]
    for seat, score in enumerate(table.record().scores):
        assert sum(points for owner, _, points in entries if owner == seat) == score
    for language in LANGUAGES:
        assert max(map(len, ledger(RENDERER, events, style_of(language)))) <= 80


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_shows_every_sort_of_move_and_that_the_lowest_wins(language):
    text = Translations(language)("help.blockers")
    assert max(map(len, text.splitlines())) <= 80
    for example in ("7@D7 ", "7@D7x", "b7@D7", "7@-"):
        assert example in text
    for symbol, glyph in GLYPHS.items():
        assert f"{symbol} {glyph}" in text
    assert any(word in text for word in ("LOWEST", "LAAGSTE", "BAS", "WENIGSTEN", "BAJA"))


# Several people at one keyboard


class Keyboard:
    """People who take turns at one keyboard and play anything; it watches what is printed, and before whom."""

    def __init__(self, table, people, rng, *, commands=()):
        self.table, self.people, self.rng = table, people, rng
        self.commands = list(commands)
        self.sitting = people[0] if len(people) == 1 else None
        self.coming = None
        self.screen, self.screens = [], []
        self.console = Console(ask=self.ask, say=self.say, watched=True)

    def say(self, text):
        if text.startswith("\x1b[2J"):
            assert "\x1b[3J" in text, "what has scrolled away is cleared too"
            self.sitting, self.coming = self.coming, None
            self.screens.append("\n".join(self.screen))
            self.screen = []
            return
        self.screen.append(text)
        for tile in self.hidden():
            assert not re.search(rf"(?<![A-Za-z]){tile}(?![A-Za-z0-9])", text), f"{tile} is shown in {text!r}"

    def hidden(self):
        """The tiles on racks that whoever sits there, if anybody, may not see."""
        view = blockers.view(self.table.state, self.sitting)
        return [
            hand.colour + GLYPHS.get(face, face)
            for hand, stock in zip(view.hands, self.table.state.stocks, strict=True)
            if hand.rack is None
            for face in stock.rack
        ]

    def ask(self, prompt):
        self.say(prompt)
        if found := re.match(r"Pass the keyboard to (\w+)\.", prompt):
            self.coming = NAMES.index(found[1])
            return ""
        if "your move" not in prompt:
            return ""
        assert self.sitting in self.table.seats
        if self.commands:
            return self.commands.pop(0)
        return blockers.write_move(self.table.state, self.rng.choice(self.table.moves))


def play_at(keyboard, bots=()):
    config = keyboard.table.state.config
    with_bots(keyboard.table, dict.fromkeys(bots, "random"))
    game = PlainGame(keyboard.table.local, style_of(names=NAMES[: config.seats]), keyboard.console)
    game.play()
    return game


@pytest.mark.heavy
@pytest.mark.parametrize(("config", "bots"), [(Config(2), ()), (Config(3), ()), (Config(4), (1,)), (Config(5), (0, 3))])
def test_BL40_no_rack_is_ever_printed_before_other_eyes(config, bots):
    table = Seats(blockers, config, seed=bytes([config.seats] * 32))
    people = [seat for seat in range(config.seats) if seat not in bots]
    keyboard = Keyboard(table, people, Random(1))
    play_at(keyboard, bots)
    assert not table.seats
    sat = re.findall(r"Pass the keyboard to (\w+)", "\n".join(keyboard.screens))
    movers = [NAMES[step.seat] for step in table.steps if step.seat in people]
    assert sat == movers


def test_BL40_a_leak_is_caught(monkeypatch):
    table = Seats(blockers, Config(3), seed=bytes(32))
    monkeypatch.setattr(PlainGame, "_viewer", lambda game: (game.hot_seat.viewer + 1) % 3)
    with pytest.raises(AssertionError, match="is shown in"):
        play_at(Keyboard(table, [0, 1, 2], Random(1)))


def test_the_next_player_is_told_what_happened_since_as_that_player_saw_it():
    table = Seats(blockers, Config(4), seed=bytes(32))
    keyboard = Keyboard(table, [0, 2, 3], Random(2))
    play_at(keyboard, bots=[1])
    moves = [step for step in table.steps if step.seat is not None]
    mine = [number for number, step in enumerate(moves) if step.seat == 2]
    screens = [screen for screen in keyboard.screens if "Cleo, your move" in screen]
    assert len(screens) == len(mine) == 24
    for (before, number), screen in zip(pairwise(mine), screens[1:], strict=True):
        told = re.findall(r"(\w+) plays (\S+)\. ", screen.partition("Your rack")[0])
        assert told == [(NAMES[step.seat or 0], step.text) for step in moves[before + 1 : number]]


def test_who_has_moved_sees_the_drawn_tile_before_the_screen_is_cleared():
    table = Seats(blockers, Config(3), seed=bytes(32))
    keyboard = Keyboard(table, [0, 1, 2], Random(2))
    play_at(keyboard)
    deal = next(after.act for step, after in pairwise(table.steps) if step.seat is not None)
    assert isinstance(deal, blockers.DrawTiles)
    screen = next(screen for screen in keyboard.screens if "your move" in screen)
    told = f"{NAMES[deal.owner]} draws {deal.colour}{GLYPHS.get(deal.tiles, deal.tiles)}."
    assert screen.index(told) < screen.index("Press Enter to hide what only you may see.")


def test_at_the_end_everybody_reads_what_they_missed_and_the_scores_once():
    table = Seats(blockers, Config(3), seed=bytes(32))
    keyboard = Keyboard(table, [0, 1, 2], Random(2))
    play_at(keyboard)
    text = "\n".join(keyboard.screen)
    assert text.count("BL21") == 3
    assert text.count("The game is over.") == 1
    assert len(re.findall(r"^\d\. (Ann|Bob|Cleo), \d+ points", text, re.MULTILINE)) == 3


def test_one_person_is_told_the_own_draws_never_those_of_computer_players():
    table = Seats(blockers, Config(3), seed=bytes(32))
    keyboard = Keyboard(table, [1], Random(3), commands=["record", "look", "moves", "all", "moves w", "?"])
    play_at(keyboard, bots=[0, 2])
    text = "\n".join(keyboard.screen)
    assert "Pass the keyboard" not in text and "Press Enter to hide" not in text
    assert text.count("Bob draws y") == 24
    assert "Ann draws" not in text and "Cleo draws" not in text
    assert len(re.findall(r"(Ann|Cleo) plays ", text)) == 48
    assert "The record shows what is hidden" in text


def test_moves_can_be_listed_by_how_they_start():
    table = Seats(blockers, Config(3), seed=bytes(32))
    (seat,) = table.seats
    rack = table.state.stocks[seat].rack
    keyboard = Keyboard(table, [seat], Random(3), commands=[f"all {rack[0]}@", "q"])
    play_at(keyboard, bots={0, 1, 2} - {seat})
    listed = re.findall(r"^  (\S+)  Your groups", "\n".join(keyboard.screen), re.MULTILINE)
    assert listed and all(text.startswith(f"{rack[0]}@") for text in listed)
    assert len(listed) == 9


def test_without_people_a_spectator_is_told():
    table = Seats(blockers, Config(2), seed=bytes(32))
    keyboard = Keyboard(table, [], Random(3))
    play_at(keyboard, bots=[0, 1])
    text = "\n".join(keyboard.screen)
    assert " draws " not in text
    assert len(re.findall(r"(Ann|Bob) plays [byrg]", text)) == 96
