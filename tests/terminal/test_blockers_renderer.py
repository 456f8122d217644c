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
from tessella.text.blockers import GLYPHS
from tessella.text.renderers import renderer_for
from tessella.text.style import visible
from tests.games.blockers.positions import ARCHES, lay
from tests.terminal.tables import NAMES, Seats, style_of, whole_game, with_bots

RENDERER = renderer_for("blockers")


def drawn(state, seat, reader=None):
    return RENDERER.draw(blockers.view(state, seat), reader or style_of())


def states(config):
    return [step.after for step in whole_game(blockers, config).steps]


# The table


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


@pytest.mark.parametrize("config", [Config(2), Config(3, "uptown"), Config(4), Config(5)], ids=str)
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


# Several people at one keyboard


class Keyboard:
    """People who take turns at one keyboard and play anything; it watches what is printed, and before whom."""

    def __init__(self, config, people, commands=()):
        self.table = Seats(blockers, config, seed=bytes([config.seats] * 32))
        self.rng, self.commands = Random(2), list(commands)
        self.sitting = people[0] if len(people) == 1 else None
        self.coming = None
        self.screen: list[str] = []
        self.screens: list[str] = []
        bots = dict.fromkeys({*range(config.seats)} - {*people}, "random")
        console = Console(ask=self.ask, say=self.say, watched=True)
        PlainGame(with_bots(self.table, bots), style_of(names=NAMES[: config.seats]), console).play()
        self.text = "\n".join(self.screen)

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


@cache
def three_people():
    return Keyboard(Config(3), (0, 1, 2))


@pytest.mark.heavy
@pytest.mark.parametrize(("config", "people"), [(Config(2), (0, 1)), (Config(4), (0, 2, 3)), (Config(5), (1, 2, 4))])
def test_BL40_no_rack_is_ever_printed_before_other_eyes(config, people):
    keyboard = Keyboard(config, people)
    assert not keyboard.table.seats
    sat = re.findall(r"Pass the keyboard to (\w+)", "\n".join(keyboard.screens))
    assert sat == [NAMES[step.seat] for step in keyboard.table.steps if step.seat in people]


def test_the_next_player_is_told_what_happened_since_as_that_player_saw_it():
    keyboard = Keyboard(Config(4), (0, 2, 3))
    moves = [step for step in keyboard.table.steps if step.seat is not None]
    mine = [number for number, step in enumerate(moves) if step.seat == 2]
    screens = [screen for screen in (*keyboard.screens, keyboard.text) if "Cleo, your move" in screen]
    assert len(screens) == len(mine) == 24
    for (before, number), screen in zip(pairwise(mine), screens[1:], strict=True):
        told = re.findall(r"(\w+) plays (\S+)\. ", screen.partition("Your rack")[0])
        assert told == [(NAMES[step.seat or 0], step.text) for step in moves[before + 1 : number]]


def test_who_has_moved_sees_the_drawn_tile_before_the_screen_is_cleared():
    keyboard = three_people()
    deal = next(after.act for step, after in pairwise(keyboard.table.steps) if step.seat is not None)
    assert isinstance(deal, blockers.DrawTiles)
    screen = next(screen for screen in keyboard.screens if "your move" in screen)
    told = f"{NAMES[deal.owner]} draws {deal.colour}{GLYPHS.get(deal.tiles, deal.tiles)}."
    assert screen.index(told) < screen.index("Press Enter to hide what only you may see.")


def test_at_the_end_everybody_reads_what_they_missed_and_the_scores_once():
    text = three_people().text
    assert text.count("BL21") == 3
    assert text.count("The game is over.") == 1
    assert len(re.findall(r"^\d\. (Ann|Bob|Cleo), \d+ points", text, re.MULTILINE)) == 3


def test_one_person_is_told_the_own_draws_never_those_of_computer_players():
    text = Keyboard(Config(3), [1], ["record", "look", "moves", "all", "moves w", "?"]).text
    assert "Pass the keyboard" not in text and "Press Enter to hide" not in text
    assert text.count("Bob draws y") == 24
    assert "Ann draws" not in text and "Cleo draws" not in text
    assert len(re.findall(r"(Ann|Cleo) plays ", text)) == 48
    assert "The record shows what is hidden" in text


def test_moves_can_be_listed_by_how_they_start():
    (seat,) = (table := Seats(blockers, Config(3), seed=bytes([3] * 32))).seats
    tile = table.state.stocks[seat].rack[0]
    listed = re.findall(r"^  (\S+)  Your groups", Keyboard(Config(3), [seat], [f"all {tile}@", "q"]).text, re.MULTILINE)
    assert listed == [
        text for text in (blockers.write_move(table.state, move) for move in table.moves) if text.startswith(f"{tile}@")
    ]


def test_without_people_a_spectator_is_told_no_draws():
    text = Keyboard(Config(2), []).text
    assert " draws " not in text
    assert len(re.findall(r"(Ann|Bob) plays [byrg]", text)) == 96
