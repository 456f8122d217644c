"""What the terminal shows."""

import re
import string

import pytest

from tessella import cli
from tessella.core.record import Record
from tessella.games import GAMES, azul
from tessella.progress import progress
from tessella.terminal.console import Console
from tessella.terminal.play import PlainGame
from tessella.terminal.replay import Replay
from tessella.terminal.setup import level_of
from tessella.text import plain, rulebook
from tessella.text.i18n import LANGUAGES, Translations, catalogue, preferred_language
from tessella.text.renderers import renderer_for
from tessella.text.style import Style, side_by_side, visible
from tests.terminal.tables import Seats

RESET = re.compile("\x1b\\[[0-9;]*m")


def style_of(language="en", names=("Ann", "Bob"), colour=False):
    return Style(Translations(language), names, colour=colour)


class Script:
    """A console with scripted input that remembers its output."""

    def __init__(self, *lines: str, watched: bool = False) -> None:
        self.lines = list(lines)
        self.said: list[str] = []
        self.console = Console(ask=self.ask, say=self.said.append, watched=watched)

    def ask(self, prompt: str) -> str:
        self.said.append(prompt)
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    @property
    def text(self) -> str:
        return "\n".join(self.said)


# Translations


def blanks(text):
    texts = text.values() if isinstance(text, dict) else [text]
    return [{name for _, name, _, _ in string.Formatter().parse(one) if name} for one in texts]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_texts_with_the_same_blanks(language):
    english, other = catalogue("en"), catalogue(language)
    assert other.keys() == english.keys()
    for key in english:
        assert set().union(*blanks(other[key])) == set().union(*blanks(english[key])), key


def test_plural_forms():
    assert [Translations("en")("points", n=n) for n in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert [Translations("fr")("points", n=n) for n in (0, 1, 2)] == ["0 point", "1 point", "2 points"]


def test_the_environment_chooses_the_language(monkeypatch):
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.setenv("LANG", "nl_BE.UTF-8")
    assert preferred_language() == "nl"
    monkeypatch.setenv("LANG", "fi_FI.UTF-8")
    assert preferred_language() == "en"


# Rules


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_rules_page_with_one_line_on_affiliation(game, language):
    page = rulebook.page(game, language)
    assert page.sections
    assert "(" in page.note
    assert all(rules for _, rules in page.sections)
    assert page.rule("ZZ00") is None


# Drawing


def test_colours_take_no_columns():
    coloured = style_of(colour=True)
    for drawn in (coloured.tile("b"), coloured.ghost("w"), coloured.empty()):
        assert visible(drawn) == 3
        assert "\x1b" in drawn
    assert visible(style_of().tile("b")) == len(style_of().tile("b")) == 3


def test_blocks_stand_side_by_side_where_there_is_room():
    assert side_by_side([["ab", "c"], ["d"]], width=10) == ["ab   d", "c", ""]
    assert side_by_side([["ab"], ["d"]], width=4) == ["ab", "", "d", ""]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("wall", ["coloured", "grey"])
def test_a_table_of_azul_fits_in_80_columns(seats, wall):
    table = Seats(azul, azul.Config(seats, wall), seed=bytes(32))
    for _ in range(30):
        table.play(table.moves[0])
    lines = renderer_for("azul").draw(azul.view(table.state, 1), style_of(names=("Ann", "Bob", "Cleo", "Dirk")))
    assert max(map(visible, lines)) <= 80
    assert all(name in "\n".join(lines) for name in ("Ann", "Bob"))


def test_the_picture_is_the_same_without_colour_but_for_brackets():
    table = Seats(azul, azul.Config(2), seed=bytes(32))
    view = azul.view(table.state, 0)
    plain_lines = renderer_for("azul").draw(view, style_of())
    coloured_lines = renderer_for("azul").draw(view, style_of(colour=True))
    bare = [RESET.sub("", line) for line in coloured_lines]
    assert [line.replace("[", " ").replace("]", " ").rstrip() for line in plain_lines] == [
        line.rstrip() for line in bare
    ]


def test_a_game_without_a_face_is_drawn_plainly():
    table = Seats(azul, azul.Config(2), seed=bytes(32))
    drawn = plain.draw(azul.view(table.state, 0), style_of())
    assert any(line.startswith("factories: ") for line in drawn)
    events = table.play(table.moves[0])
    assert plain.narrate(events[0], style_of()).startswith("TilesTaken: seat ")
    preview = azul.preview(table.state, table.moves[0])
    assert str(preview.points) in plain.explain(preview, style_of())
    assert plain.points(events[0]) == []


# GameScreen


def test_a_watched_player_confirms_each_move():
    table = Seats(azul, azul.Config(2), seed=bytes(32))
    first = azul.write_move(table.state, table.moves[0])
    script = Script(first, "no", first, "", watched=True)
    PlainGame(table.local, style_of(), script.console).play()
    assert [step.text for step in table.steps[1:]] == [first]
    assert "If the round ended now" in script.text


def test_a_move_is_taken_back_a_game_given_up_and_played_again():
    table = Seats(azul, azul.Config(2), seed=bytes(32))
    first = azul.write_move(table.state, table.moves[0])
    script = Script("takeback", first, "", "takeback", first, "", "resign", "rematch", watched=True)
    kept: list[Record] = []
    game = PlainGame(table.local, style_of(), script.console, kept.append)
    game.play()
    assert script.text.count("There is no move of yours to take back.") == 1
    assert "The game is over: a player resigned." in script.text
    assert table.local.next_game is not None
    assert game.local.table.id not in (table.local.table.id, table.local.next_game.table.id)
    assert [len(played.acts) for played in kept] == [1, 2, 1, 2, 2, 1, 1]
    assert "Stopped." in script.text


def test_azul_has_no_secrets_so_nobody_is_sent_away():
    table = Seats(azul, azul.Config(2), seed=bytes(32))
    script = Script("1b1", "1b1", watched=False)
    PlainGame(table.local, style_of(), script.console).play()
    assert "Pass the keyboard" not in script.text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("wall", ["coloured", "grey"])
def test_a_whole_game_is_told_in_every_language(language, wall):
    table = Seats(azul, azul.Config(2, wall), seed=bytes([7] * 32))
    script = Script(*[""] * 3)
    game = PlainGame(table.local, style_of(language), script.console)
    while table.seats:
        table.play(table.moves[len(table.moves) // 2])
    game._narrate()
    game._finish()
    replay = Replay(azul, table.record(), style_of(language), script.console)
    replay.show_all()
    assert "AZ22" in script.text
    assert "{" not in script.text


def test_stepping_through_a_replay():
    table = Seats(azul, azul.Config(2), seed=bytes([7] * 32))
    while table.seats:
        table.play(table.moves[0])
    last = len(table.steps) - 1
    script = Script("", "b", "n", "5", str(10**6), "n", "")
    Replay(azul, table.record(), style_of(), script.console).browse()
    shown = [int(number) for number in re.findall(r"Act (\d+) of", script.text)]
    second_round = next(step.number for step in table.steps[1:] if step.seat is None)
    assert shown == [0, 1, 0, second_round, 5, last, last]
    Replay(azul, table.record(), style_of(), Script().console).browse()
    quitting = Script("q")
    Replay(azul, table.record(), style_of(), quitting.console).browse()
    assert len(re.findall("Act ", quitting.text)) == 1


def test_progress_is_silent_where_nobody_watches(capsys):
    assert list(progress([1, 2, 3], "counting")) == [1, 2, 3]
    assert capsys.readouterr().err == ""


def test_progress_shows_how_far_it_is(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert list(progress([1, 2], "counting")) == [1, 2]
    assert "counting [" in capsys.readouterr().err


# Players of `tessella play`


@pytest.mark.parametrize("name", ["9", "0", "-1", "5@1s", "mine:careful", "cmd:./engine --fast"])
def test_what_looks_like_a_bot_and_is_none_is_never_a_persons_name(name, capsys):
    assert cli.main(["play", "azul", "Ann", name, "--plain", "--language", "en"]) == 2
    said = capsys.readouterr().err
    assert f"{name} is neither a bot nor a name: the bots are 1, 2, 3, 4, 5, 6, 7, 8, random, greedy" in said


@pytest.mark.parametrize("name", ["Bob", "R2D2", "Anna 2", "Zoë", "9a"])
def test_other_words_are_names(name):
    assert level_of(azul, name, Translations("en")) == ""
