"""Every game as text: its table fits, its story is told in every language, and the points add up."""

import re

import pytest

from tessella.games import azul, blockers, duel
from tessella.terminal.play import PlainGame
from tessella.terminal.replay import Replay
from tessella.text.blockers import GLYPHS
from tessella.text.i18n import LANGUAGES, Translations
from tessella.text.renderers import ledger, renderer_for
from tessella.text.style import visible
from tests.terminal.tables import NAMES, Script, style_of, whole_game

ESCAPE = re.compile("\x1b\\[[0-9;]*m")
GAMES = [
    (azul, azul.Config(2), 40, {"AZ22"}),
    (azul, azul.Config(3), 40, {"AZ22"}),
    (azul, azul.Config(4, "grey"), 40, {"AZ22"}),
    (blockers, blockers.Config(2), 18, {"BL33"}),
    (blockers, blockers.Config(3, "uptown"), 18, {"BL23"}),
    (blockers, blockers.Config(4), 18, {"BL21"}),
    (blockers, blockers.Config(5), 18, {"BL21"}),
    (duel, duel.Config(faces=("colour_rows", "columns", "diagonals", "empty_specials")), 40, {"DU20", "DU33", "DU35"}),
]
"""With the most lines of a table, which for Blockers! leaves room for a story, and rules that its story names."""
every_game = pytest.mark.parametrize(
    ("game", "config", "lines", "rules"), GAMES, ids=[f"{game.NAME}-{config.seats}" for game, config, *_ in GAMES]
)
every_language = pytest.mark.parametrize("language", LANGUAGES)


def tables(game, config, every):
    """Return renderings of a whole game by seat and style."""
    draw = renderer_for(game.NAME).draw
    for step in whole_game(game, config).steps[::every]:
        yield lambda seat, style, state=step.after: draw(game.view(state, seat), style)


@every_game
@every_language
def test_every_position_fits_on_the_screen(language, game, config, lines, rules):
    for table in tables(game, config, 5):
        for seat in (0, config.seats - 1, None):
            drawn = table(seat, style_of(language))
            assert max(map(visible, drawn)) <= 80
            assert len(drawn) <= lines
            assert all(name in "\n".join(drawn) for name in NAMES[: config.seats])


@every_game
def test_the_picture_is_the_same_without_colour_but_for_brackets(game, config, lines, rules):
    for table in tables(game, config, 20):
        bare = [ESCAPE.sub("", line).rstrip() for line in table(0, style_of(colour=True))]
        assert [line.replace("[", " ").replace("]", " ").rstrip() for line in table(0, style_of())] == bare


@every_game
@every_language
def test_a_whole_game_is_told_and_replayed(language, game, config, lines, rules):
    table, script = whole_game(game, config), Script()
    style = style_of(language, NAMES[: config.seats])
    plain = PlainGame(table.local, style, script.console)
    plain._narrate()
    plain._finish()
    Replay(game, table.record(), style, script.console).show_all()
    assert "{" not in script.text
    assert all(rule in script.text for rule in rules)


@every_game
def test_the_ledger_adds_up_to_the_scores(game, config, lines, rules):
    table, renderer = whole_game(game, config), renderer_for(game.NAME)
    events = [event for step in table.steps for event in step.events]
    entries = [entry for event in events for entry in renderer.points(event)]
    for seat, score in enumerate(table.record().scores):
        assert sum(points for owner, _, points in entries if owner == seat) == score
    for language in LANGUAGES:
        assert max(map(len, ledger(renderer, events, style_of(language, NAMES[: config.seats])))) <= 80


@every_language
@pytest.mark.parametrize("game", [azul, duel], ids=lambda game: game.NAME)
def test_every_move_can_be_explained(language, game):
    table, renderer = whole_game(game, game.Config()), renderer_for(game.NAME)
    for step in table.steps[:-1:4]:
        seat = getattr(game.turn(step.after), "seats", (0,))[0]
        for move in game.legal_moves(step.after, seat)[:20]:
            assert renderer.explain(game.preview(step.after, move), style_of(language))


HELP = {
    "azul": ("3r4", "ck-", "t24"),
    "blockers": ("7@D7 ", "7@D7x", "b7@D7", "7@-", *(f"{symbol} {glyph}" for symbol, glyph in GLYPHS.items())),
    "duel": ("3r4", "mr-", "sykk", "c3", "5ykt*", "d+", "d=", "uykt*", "t24", "p3tT", "p3-"),
}


@every_language
@pytest.mark.parametrize("title", HELP)
def test_help_shows_every_sort_of_move(title, language):
    text = Translations(language)(f"help.{title}")
    assert title == "duel" or max(map(len, text.splitlines())) <= 80
    assert [example for example in HELP[title] if example not in text] == []


def test_the_help_of_duel_shows_moves_that_can_be_read():
    for example in HELP["duel"]:
        duel.read_move(duel.setup(duel.Config()), 0, example)
