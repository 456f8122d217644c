"""What the terminal shows of Azul Duel."""

import re
from random import Random

import pytest

from tessella.games import duel
from tessella.games.duel.events import (
    BrokenScored,
    FaceScored,
    GameEnded,
    PlateDrawn,
    PlatesSeen,
    ScoreRaised,
    SpecialPlaced,
    TilesBroke,
    TowerPoured,
)
from tessella.terminal.console import Console
from tessella.terminal.play import PlainGame
from tessella.terminal.replay import Replay
from tessella.text.i18n import LANGUAGES, Translations
from tessella.text.narration import narrate
from tessella.text.renderers import ledger, renderer_for
from tessella.text.style import Style, visible
from tests.terminal.tables import Seats, with_bots

RENDERER = renderer_for("duel")
ESCAPE = re.compile("\x1b\\[[0-9;]*m")
FOUR_FACES = duel.Config(faces=("colour_rows", "columns", "diagonals", "empty_specials"))

# Seat 0 has drawn two plates and looked at them; it also knows the lowest plate of the stack.
KEEP = (
    "rows,columns,diagonals:special 1keep 0>0 m- bbykt/-,byrk/-/#,-/yk/#,-/-/T,byrk/-/# ?btk,trb?,kyr? "
    "*,?,*,?,*,?,*,?,*,*,trb*0 ykt*0,k*tr0 ~ ~ 0.0.0.0.0 "
    "3:y/-/-/rr/-/-:-,-,-,-,yr?b,-,-,-,-:....../....../....../....../....../......:-:-:-:0 "
    "5:-/-/-/-/-/-:-,-,-,-,tb?y,-,-,-,-:....../....../....../....../....../......:bb:-:-:0"
)


def style_of(language="en", names=("Ann", "Bob"), *, colour=False):
    return Style(Translations(language), names, colour=colour)


def drawn(state, seat, reader=None):
    return RENDERER.draw(duel.view(state, seat), reader or style_of())


def games(seed, config=FOUR_FACES):
    """A game of random moves, position by position."""
    table, rng = Seats(duel, config, seed=bytes([seed] * 32)), Random(seed)
    yield table
    while table.seats:
        moves = [move for seat in table.seats for move in duel.legal_moves(table.state, seat)]
        table.play(moves[rng.randrange(len(moves))])
        yield table


def finished(seed):
    *_, table = games(seed)
    return table


# The table


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_position_of_a_game_fits_in_80_columns(language):
    for table in games(3):
        for seat in (0, 1, None):
            lines = drawn(table.state, seat, style_of(language))
            assert max(map(visible, lines)) <= 80
            assert len(lines) <= 40
            assert "Ann" in "\n".join(lines) and "Bob" in "\n".join(lines)


def test_the_picture_is_the_same_without_colour_but_for_brackets():
    for table in games(4):
        plain, coloured = drawn(table.state, 0), drawn(table.state, 0, style_of(colour=True))
        bare = [ESCAPE.sub("", line).rstrip() for line in coloured]
        assert [line.replace("[", " ").replace("]", " ").rstrip() for line in plain] == bare


def test_boards_stand_side_by_side_the_readers_own_first():
    state = duel.read_state(KEEP)
    owners = [line for line in drawn(state, 1) if "points" in line]
    assert len(owners) == 1
    assert owners[0].index("Bob") < owners[0].index("Ann")


def test_empty_slots_show_their_numbers_and_plates_their_spaces():
    text = "\n".join(drawn(duel.read_state(KEEP), 0))
    assert "│  1   │  2   │  3   │" in text
    assert "│  4   │ y  r │  6   │" in text
    assert "│      │ ?  b │      │" in text


def test_factories_show_suns_moons_with_their_tops_chips_and_the_start_tile():
    lines = drawn(duel.read_state(KEEP), 0)
    sun, moon, chip = (next(line for line in lines if line.startswith(word)) for word in ("sun", "moon", "chip"))
    assert sun.split() == ["sun", "[B][B][Y][K][T]", "[B][Y][R][K]", "–", "–", "[B][Y][R][K]"]
    assert moon.split() == ["moon", "[1]", "–", "y", "[K]", "–", "–"]
    assert chip.split() == ["chip", "▒", "▒", "Ty", "▒"]


def test_the_start_tile_lies_with_its_holder():
    held = duel.read_state(KEEP.replace(" m- bbykt/-", " m1 -/yk"))
    lines = drawn(held, 0)
    assert not any(line.startswith("moon") and "[1]" in line for line in lines)
    broken = next(line for line in lines if line.startswith("  broken"))
    assert broken.split("broken")[2].split() == ["[B][B]−6", "−10", "[1]", "−2"]


def test_DU60_looked_at_plates_are_drawn_only_for_who_looked():
    state = duel.read_state(KEEP)
    owner = "\n".join(drawn(state, 0))
    assert "│ y  k │ │ k  * │" in owner
    assert "trb*" in owner
    for other in (1, None):
        text = "\n".join(drawn(state, other))
        assert "│ y  k │" not in text
        assert "trb*" not in text
        assert "│▒▒* ▒▒│ │▒▒* ▒▒│" in text


def test_the_line_whose_turn_it_is_is_marked_when_tiling():
    table = next(table for table in games(5) if table.state.phase == "tile")
    seat = table.seats[0]
    row = table.state.boards[seat].row
    assert any(line.startswith(f"{row + 1}▸") for line in drawn(table.state, seat))


# What happened


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_is_told_and_replayed_in_every_language(language):
    table, reader = finished(6), style_of(language)
    said: list[str] = []
    console = Console(ask=lambda _: "", say=said.append, watched=False)
    PlainGame(table.local, reader, console)._finish()
    Replay(duel, table.record(), reader, console).show_all()
    text = "\n".join(said)
    assert "{" not in text
    assert all(rule in text for rule in ("DU20", "DU33", "DU35"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_move_can_be_explained(language):
    for table in games(7):
        for seat in table.seats:
            for move in duel.legal_moves(table.state, seat)[:20]:
                assert RENDERER.explain(duel.preview(table.state, move), style_of(language))


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (PlateDrawn(0, "*", -1, "DU20"), "  Ann draws a special plate, unseen: −1  DU20"),
        (PlateDrawn(0, "?", 0, "DU22"), "  Ann draws a joker plate, unseen: (a score stops at 0)  DU22"),
        (PlatesSeen(1, ("*", "?")), "Bob looks at the drawn plates: * ?."),
        (SpecialPlaced(0, 3, 1, 4), "  Ann: special tile in column 2, row 4 = +4  DU34"),
        (BrokenScored(1, "bbk", 6, 2, -8), "  Bob: 3 broken −6, start tile −2 = −8  DU35"),
        (BrokenScored(1, "", 0, 2, -1), "  Bob: start tile −2 = −2 (a score stops at 0)  DU35"),
        (FaceScored(0, "corners", 1, 8, 8, "DU55"), "  Ann: 1 full corner plate, 1 × 8 = +8  DU55"),
        (
            FaceScored(0, "empty_specials", 2, -3, -6, "DU57"),
            "  Ann: 2 empty special spaces, 2 × −3 = −6  DU57",
        ),
        (ScoreRaised(0, 4), "  Ann: a total below 0 becomes 0, +4  DU57"),
        (
            TilesBroke(0, "r", (2, 3), 1, "DU32"),
            "  Ann: no space of the row can take the red line any more. 2 break. 1 goes into the tower, free.  DU32",
        ),
        (TilesBroke(0, "r", (), 2, "DU27"), "2 go into the tower, free."),
        (TowerPoured(9, 2, "DU40"), "The bag is empty: the 9 tiles of the tower go into it."),
        (
            GameEnded((7, 7), (2, 1)),
            "\nThe game is over. Equal points: the start tile decides, Bob wins (DU58).",
        ),
    ],
)
def test_sentences_carry_their_arithmetic_and_rule(event, sentence):
    assert RENDERER.narrate(event, style_of()) == sentence


def test_the_story_never_tells_which_plates_were_drawn():
    """DU60: at one keyboard the story is told to everybody."""
    secret = 0
    for table in games(8):
        step = table.steps[-1]
        hidden = [event for event in step.events if type(event).__name__ == "PlatesLookedAt"]
        text = " ".join(narrate(duel, step.events, style_of()))
        secret += len(hidden)
        assert all(plate not in text for event in hidden for plate in event.plates)
    assert secret


def test_the_ledger_adds_up_to_the_scores():
    table = finished(9)
    events = [event for step in table.steps for event in step.events]
    for seat, board in enumerate(table.state.boards):
        scored = [entry for event in events for entry in RENDERER.points(event)]
        assert sum(points for owner, _, points in scored if owner == seat) == board.score
    for language in LANGUAGES:
        assert max(map(len, ledger(RENDERER, events, style_of(language)))) <= 80


# GameScreen


class Script:
    def __init__(self, *lines):
        self.lines = list(lines)
        self.said: list[str] = []
        self.console = Console(ask=self.ask, say=self.said.append, watched=False)

    def ask(self, prompt):
        self.said.append(prompt)
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


def test_the_keyboard_is_handed_over_while_somebody_knows_a_plate():
    table = next(
        table
        for seed in range(50)
        for table in games(seed)
        if table.state.phase == "act" and any(len(back.known) == 1 for back in table.state.stack)
    )
    script = Script("")
    game = PlainGame(table.local, style_of(), script.console)
    game.hot_seat.sit(1 - table.state.current)
    game.play()
    *_, after = "\n".join(script.said).partition("Pass the keyboard to")
    assert after
    assert "puts a plate under the stack" in after, "what happened meanwhile is told again"


def test_others_are_sent_away_before_drawn_plates_are_shown():
    table = next(table for table in games(10) if table.state.phase == "draw")
    owner = style_of().name(table.state.current)
    script = Script("d=", "")
    PlainGame(table.local, style_of(), script.console).play()
    before, passing, after = "\n".join(script.said).partition(f"Pass the keyboard to {owner}")
    assert passing
    plate = table.state.hand[0].face
    shown = f"│ {plate[0]}  {plate[1]} │"
    assert shown in after
    assert shown not in before[before.rindex("Drawn by") :]


def test_a_computer_player_does_not_say_which_plate_it_puts_back():
    table = next(table for table in games(11) if table.state.phase == "return")
    seat = table.state.current
    plate = table.state.hand[0].face
    script = Script()
    move = duel.Return(seat, plate)
    local = with_bots(table, {seat: "random"})
    PlainGame(local, style_of(), script.console, choose=lambda _: duel.write_move(table.state, move))._turn(seat)
    assert f"u{plate}" not in "\n".join(script.said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_shows_every_sort_of_move(language):
    examples = ("3r4", "mr-", "sykk", "c3", "5ykt*", "d+", "d=", "uykt*", "t24", "p3tT", "p3-")
    text = Translations(language)("help.duel")
    assert all(example in text for example in examples)
    for example in examples:
        duel.read_move(duel.setup(duel.Config()), 0, example)
