"""The tables as they are drawn on a full screen: they fit, and whatever may be chosen has its place."""

import random
import re

import pytest

from tessella.core.local import LocalTable
from tessella.core.record import read_rules
from tessella.games import GAMES
from tessella.terminal.tui.board import DescribedBoard
from tessella.terminal.tui.board_parts import Hint
from tessella.terminal.tui.canvas import Canvas
from tessella.terminal.tui.move_input import MoveInput
from tessella.terminal.tui.renderers import board_renderer_for
from tessella.text import screen_reader
from tessella.text.i18n import LANGUAGES, Translations
from tessella.text.rulebook import page
from tessella.text.style import Style

NAMES = ("Ann", "Bartholomew the Younger of Green Gables", "Cleo", "Dirk", "Eve")
TABLES = [
    *[("azul", f"seats={seats} wall={wall}") for seats in (2, 3, 4) for wall in ("coloured", "grey")],
    *[("blockers", f"seats={seats}") for seats in (2, 3, 4, 5)],
    ("duel", "faces=rows,columns,diagonals"),
    ("duel", "faces=colour_rows,outer,corners,empty_specials"),
]


def positions(title, options, seed=3, every=4):
    """Tables from a game of random moves."""
    game, rng = GAMES[title], random.Random(seed)
    table = LocalTable(game, read_rules(game, f"{title}/{game.EDITION} {options}".strip()), seed=bytes([seed] * 32))
    while table.seats:
        if len(table.steps) % every == 0:
            yield game, table.state, table.seats[0]
        table.play(rng.choice(table.moves))
    yield game, table.state, None


class CanvasWidget(Canvas):
    """A canvas on which nothing may be cut off."""

    def put(self, x, y, text, style=None):
        assert x + len(text.rstrip()) <= self.width, f"{text!r} is cut off in row {y}:\n{self.text()}"
        return super().put(x, y, text, style)


def drawn(game, state, seat, size=(80, 19), language="en", hint=None, colour=True):
    canvas = CanvasWidget(*size, colour=colour)
    style = Style(Translations(language), NAMES, colour=False)
    board_renderer_for(game.NAME).draw(game.view(state, seat), canvas, hint or Hint(), style)
    return canvas


@pytest.mark.parametrize(("title", "options"), TABLES)
def test_a_table_fits_in_80_by_24_and_its_notes_name_rules(title, options):
    for game, state, seat in positions(title, options, every=9):
        for language in LANGUAGES:
            canvas = drawn(game, state, seat, language=language)
            assert canvas.rows <= 19, canvas.text()
            assert all(spot.x >= 0 and spot.x + spot.width <= 80 for spot in canvas.spots)
        for _, note in canvas.notes:
            assert page(title, "en").rule(note.rule), note


@pytest.mark.heavy
@pytest.mark.parametrize("size", [(80, 19), (120, 35)])
@pytest.mark.parametrize(("title", "options"), TABLES)
def test_whatever_may_be_chosen_has_a_place_or_a_label(title, options, size):
    style = Style(Translations("en"), NAMES, colour=False)
    for game, state, seat in positions(title, options, every=11):
        if seat is None:
            continue
        face, view = board_renderer_for(title), game.view(state, seat)
        moves = {
            (text := game.write_move(state, move)): face.parts(text, view) for move in game.legal_moves(state, seat)
        }
        assert len(set(moves.values())) == len(moves), "two moves would be chosen alike"
        for text, parts in list(moves.items())[::7]:
            move_input = MoveInput(moves)
            for depth, part in enumerate(parts):
                hint = Hint(chosen=parts[:depth], cursor=part, open=frozenset(move_input.open))
                canvas = drawn(game, state, seat, size, hint=hint)
                assert canvas.rows <= size[1]
                names = {spot.name for spot in canvas.spots}
                assert part in names or face.label(part, style) != part, (text, part)
                move_input.pick(part)


@pytest.mark.parametrize("title", GAMES)
def test_a_preview_is_drawn_in_place(title):
    game, state, seat = next(positions(title, ""))
    move = game.legal_moves(state, seat)[0]
    text = game.write_move(state, move)
    hint = Hint(move=text, preview=game.preview(state, move))
    before, after = drawn(game, state, seat), drawn(game, state, seat, hint=hint)
    assert "┆" not in before.text()
    assert "┆" in after.text()
    assert "{" in drawn(game, state, seat, hint=hint, colour=False).text()


# Told in sentences


def told_of(title, view, language="en"):
    return screen_reader.describe(title, view, Style(Translations(language), NAMES, colour=False, aloud=True))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("title", "options"), TABLES)
def test_who_listens_hears_sentences_and_no_drawing(title, options, language):
    for game, state, seat in positions(title, options, every=25):
        for line in told_of(title, game.view(state, seat), language):
            assert line.endswith("."), line
            assert not set(line) & set("│─┌┬┐├┼┤└┴┘[]▶●○▒"), line


@pytest.mark.parametrize(("title", "options"), TABLES)
def test_who_listens_hears_of_every_tile(title, options):
    """As many tiles are told of as lie there."""
    for game, state, seat in positions(title, options, every=10):
        view = game.view(state, seat)
        lines = told_of(title, view)
        match title:
            case "azul":
                wall = sum(tile != "." for board in view.boards for row in board.wall for tile in row)
                assert sum(line.count(" in column ") for line in lines) == wall
                offer = "".join(line for line in lines if line.startswith(("Factory", "Centre")))
                numbers = map(int, re.findall(r"(?<!Factory )\b\d+", offer))
                assert sum(numbers) == sum(map(len, view.factories)) + len(view.centre.replace("m", ""))
            case "duel":
                laid = sum(tile != "." for board in view.boards for row in board.tiles for tile in row)
                assert sum(line.count(" filled") for line in lines) == laid
                plates = sum(bool(plate) for board in view.boards for plate in board.dome)
                assert sum(line.startswith("Slot") for line in lines) == plates
            case _:
                cells = [found for line in lines for found in re.findall(r"\b[A-I][1-9] ", line)]
                assert len(set(cells)) == len(cells) == sum(colour != "." for colour in view.board.colours)


def test_a_game_that_describes_no_board_can_be_played():
    game, state, seat = next(positions("azul", ""))
    face, style = DescribedBoard(game), Style(Translations("en"), NAMES, colour=False)
    canvas = Canvas(80, 24)
    face.draw(game.view(state, seat), canvas, Hint(), style)
    assert "factories:" in canvas.text()
    view = game.view(state, seat)
    assert (face.parts("3r4", view), face.label("3r4", style), face.todo(view, style)) == (("3r4",), "3r4", "")
