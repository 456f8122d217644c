"""What the terminal shows of Azul Duel."""

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
from tessella.terminal.play import PlainGame
from tessella.text.narration import narrate
from tessella.text.renderers import renderer_for
from tests.terminal.tables import Script, positions_of, style_of, with_bots

RENDERER = renderer_for("duel")

# Seat 0 has drawn two plates and looked at them; it also knows the lowest plate of the stack.
KEEP = (
    "rows,columns,diagonals:special 1keep 0>0 m- bbykt/-,byrk/-/#,-/yk/#,-/-/T,byrk/-/# ?btk,trb?,kyr? "
    "*,?,*,?,*,?,*,?,*,*,trb*0 ykt*0,k*tr0 ~ ~ 0.0.0.0.0 "
    "3:y/-/-/rr/-/-:-,-,-,-,yr?b,-,-,-,-:....../....../....../....../....../......:-:-:-:0 "
    "5:-/-/-/-/-/-:-,-,-,-,tb?y,-,-,-,-:....../....../....../....../....../......:bb:-:-:0"
)


def drawn(state, seat):
    return RENDERER.draw(duel.view(state, seat), style_of())


def positions(seed):
    return positions_of(duel, duel.Config(), seed)


# The table


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
    table = next(table for table in positions(5) if table.state.phase == "tile")
    seat = table.seats[0]
    row = table.state.boards[seat].row
    assert any(line.startswith(f"{row + 1}▸") for line in drawn(table.state, seat))


# What happened


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
    for table in positions(8):
        step = table.steps[-1]
        hidden = [event for event in step.events if type(event).__name__ == "PlatesLookedAt"]
        text = " ".join(narrate(duel, step.events, style_of()))
        secret += len(hidden)
        assert all(plate not in text for event in hidden for plate in event.plates)
    assert secret


# At one keyboard


def at_the_keyboard(table, *lines):
    """A console of this table, and the game in plain text on it."""
    script = Script(*lines)
    return script, PlainGame(table.local, style_of(), script.console)


def test_the_keyboard_is_handed_over_while_somebody_knows_a_plate():
    table = next(
        table
        for seed in range(50)
        for table in positions(seed)
        if table.state.phase == "act" and any(len(back.known) == 1 for back in table.state.stack)
    )
    script, game = at_the_keyboard(table, "")
    game.hot_seat.sit(1 - table.state.current)
    game.play()
    *_, after = script.text.partition("Pass the keyboard to")
    assert after
    assert "puts a plate under the stack" in after, "what happened meanwhile is told again"


def test_others_are_sent_away_before_drawn_plates_are_shown():
    table = next(table for table in positions(10) if table.state.phase == "draw")
    owner = style_of().name(table.state.current)
    script, game = at_the_keyboard(table, "d=", "")
    game.play()
    before, passing, after = script.text.partition(f"Pass the keyboard to {owner}")
    assert passing
    plate = table.state.hand[0].face
    shown = f"│ {plate[0]}  {plate[1]} │"
    assert shown in after
    assert shown not in before[before.rindex("Drawn by") :]


def test_a_computer_player_does_not_say_which_plate_it_puts_back():
    table = next(table for table in positions(11) if table.state.phase == "return")
    seat = table.state.current
    plate = table.state.hand[0].face
    script = Script()
    move = duel.Return(seat, plate)
    local = with_bots(table, {seat: "random"})
    PlainGame(local, style_of(), script.console, choose=lambda _: duel.write_move(table.state, move))._turn(seat)
    assert f"u{plate}" not in script.text
