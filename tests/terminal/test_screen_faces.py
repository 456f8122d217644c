"""The tables as they are drawn on a full screen: they fit, and whatever may be chosen has its place."""

import random

import pytest

from tessella.core.record import Table, read_rules
from tessella.games import GAMES
from tessella.terminal.pen import Pen
from tessella.terminal.rulebook import page
from tessella.terminal.screen.canvas import Canvas
from tessella.terminal.screen.chooser import Chooser
from tessella.terminal.screen.faces import PlainFace, screen_face
from tessella.terminal.screen.sketch import Hint
from tessella.terminal.words import LANGUAGES, Words

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
    table = Table(game, read_rules(game, f"{title}/{game.EDITION} {options}".strip()), seed=bytes([seed] * 32))
    while table.seats:
        if len(table.steps) % every == 0:
            yield game, table.state, table.seats[0]
        table.play(rng.choice(table.moves))
    yield game, table.state, None


def drawn(game, state, seat, size=(80, 19), language="en", hint=None, colour=True):
    canvas = Canvas(*size, colour=colour)
    pen = Pen(Words(language), NAMES, colour=False)
    screen_face(game.NAME).draw(game.view(state, seat), canvas, hint or Hint(), pen)
    return canvas


@pytest.mark.parametrize(("title", "options"), TABLES)
def test_a_table_fits_in_80_by_24(title, options):
    for game, state, seat in positions(title, options, every=9):
        for language in LANGUAGES:
            canvas = drawn(game, state, seat, language=language)
            assert canvas.rows <= 19, canvas.text()
            assert all(spot.x >= 0 and spot.x + spot.width <= 80 for spot in canvas.spots)


@pytest.mark.parametrize("size", [(80, 19), (120, 35)])
@pytest.mark.parametrize(("title", "options"), TABLES)
def test_whatever_may_be_chosen_has_a_place_or_a_label(title, options, size):
    pen = Pen(Words("en"), NAMES, colour=False)
    for game, state, seat in positions(title, options, every=11):
        if seat is None:
            continue
        face, view = screen_face(title), game.view(state, seat)
        moves = {
            (text := game.write_move(state, move)): face.parts(text, view) for move in game.legal_moves(state, seat)
        }
        assert len(set(moves.values())) == len(moves), "two moves would be chosen alike"
        for text, parts in list(moves.items())[::7]:
            chooser = Chooser(moves)
            for depth, part in enumerate(parts):
                hint = Hint(chosen=parts[:depth], cursor=part, open=frozenset(chooser.open))
                canvas = drawn(game, state, seat, size, hint=hint)
                assert canvas.rows <= size[1]
                names = {spot.name for spot in canvas.spots}
                assert part in names or face.label(part, pen) != part, (text, part)
                chooser.pick(part)


@pytest.mark.parametrize(("title", "options"), TABLES)
def test_every_note_names_a_rule_that_there_is(title, options):
    for game, state, seat in positions(title, options, every=15):
        for _, note in drawn(game, state, seat).notes:
            assert page(title, "en").rule(note.rule), note


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


def test_a_game_without_a_table_of_its_own_can_be_played():
    face, pen = screen_face("a fourth game"), Pen(Words("en"), NAMES, colour=False)
    assert isinstance(face, PlainFace)
    game, state, seat = next(positions("azul", ""))
    canvas = Canvas(80, 24)
    face.draw(game.view(state, seat), canvas, Hint(), pen)
    assert "factories:" in canvas.text()
    assert (face.parts("3r4", None), face.label("3r4", pen), face.todo(None, pen)) == (("3r4",), "3r4", "")
