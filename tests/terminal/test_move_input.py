"""Choosing a move part by part, by letters, and by the shortest way of the arrows."""

from tessella.terminal.tui.canvas import DARK, LIGHT, Canvas, Note, Spot
from tessella.terminal.tui.move_input import MoveInput, step

MOVES = {"3r4": ("3r", "4"), "3r5": ("3r", "5"), "cb1": ("cb", "1"), "d+": ("d+",)}


def test_the_last_part_is_seen_before_it_is_played():
    move_input = MoveInput(MOVES)
    assert move_input.open == ["3r", "cb", "d+"]
    assert move_input.pick("3r") == ""
    assert move_input.open == ["4", "5"]
    assert move_input.pick("4") == ""
    assert move_input.move == "3r4"
    assert move_input.pick("4") == "3r4"


def test_what_was_chosen_can_be_taken_back():
    move_input = MoveInput(MOVES)
    move_input.pick("3r")
    move_input.point("5")
    assert move_input.move == "3r5"
    assert move_input.back()
    assert (move_input.chosen, move_input.cursor) == ((), "3r")
    assert move_input.back()
    assert not move_input.back()


def test_another_first_part_begins_again():
    move_input = MoveInput(MOVES)
    move_input.pick("3r")
    move_input.pick("cb")
    assert move_input.chosen == ("cb",)
    move_input.pick("nothing of ours")
    assert move_input.chosen == ("cb",)


def test_typing_is_choosing_too():
    move_input = MoveInput(MOVES)
    move_input.pick("3r")
    for letter in "cb1":
        move_input.type(letter)
    assert (move_input.chosen, move_input.move) == ((), "cb1")
    move_input.erase()
    assert (move_input.typed, move_input.move) == ("cb", "")
    move_input.point("d+")
    assert (move_input.typed, move_input.move) == ("", "d+")


def test_tab_goes_round():
    move_input = MoveInput(MOVES)
    seen = []
    for _ in range(4):
        move_input.cycle(1)
        seen.append(move_input.cursor)
    assert seen == ["3r", "cb", "d+", "3r"]
    move_input.cycle(-1)
    assert move_input.cursor == "d+"
    MoveInput({}).cycle(1)


def test_arrows_go_to_the_nearest_in_their_direction():
    spots = [Spot("a", 0, 0, 3), Spot("b", 10, 0, 3), Spot("c", 11, 4, 3), Spot("d", 0, 4, 3)]
    assert step(None, "right", spots) == "a"
    assert [step("a", way, spots) for way in ("right", "down", "left", "up")] == ["b", "d", "a", "a"]
    assert step("c", "up", spots) == "b"
    assert step("c", "left", spots) == "d"
    assert step(None, "left", []) is None


# The sheet


def test_tiles_can_be_told_apart_without_colours():
    for colour in (True, False):
        canvas = Canvas(40, 3, colour=colour)
        canvas.tile(0, 0, "b")
        canvas.ghost(3, 0, "b")
        canvas.coming(6, 0, "b")
        canvas.empty(9, 0)
        assert canvas.text().rstrip() == (" B  b ┆B┆ ·" if colour else "[B] b {B} ·")


def test_places_that_lie_on_each_other_answer_by_the_last():
    canvas = Canvas(20, 3)
    canvas.spot("slot", 0, 0, 6, 2)
    canvas.spot("space", 3, 1, 3)
    assert [canvas.spot_at(x, 1) for x in (1, 4, 9)] == ["slot", "space", None]
    canvas.put(-1, 0, "abc" * 9)
    assert canvas.text().splitlines()[0] == ("bc" + "abc" * 9)[:20], "what would be off the sheet is left out"
    canvas.note(0, 2, 4, "all of it", "AZ22")
    assert canvas.note_at(1, 2) == Note("all of it", "AZ22")
    assert canvas.note_at(5, 2) is None


def test_letters_are_readable_on_both_grounds():
    """At least three to one, as for large text."""
    for palette in (DARK, LIGHT):
        canvas = Canvas(9, 1, palette)
        for letter, (body, ink) in palette.tiles.items():
            assert contrast(body, ink) >= 3, letter
            assert contrast(canvas.ink_of(letter), palette.panel) >= 2.4, (letter, canvas.ink_of(letter))
        for colour in (palette.gain, palette.loss, palette.faint, palette.accent):
            assert contrast(colour, palette.ground) >= 3.5, colour
            assert contrast(colour, palette.panel) >= 3.5, colour


def contrast(one: str, other: str) -> float:
    light, dark = sorted(map(luminance, (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
