"""What the terminal shows in plain text: translations, tables, replays, and who plays."""

import re
import string

import pytest

from tessella import cli
from tessella.core.record import Record
from tessella.games import GAMES, azul
from tessella.progress import progress
from tessella.terminal.play import PlainGame
from tessella.terminal.replay import Replay
from tessella.terminal.setup import level_of
from tessella.text import plain, rulebook
from tessella.text.i18n import LANGUAGES, Translations, catalogue, preferred_language
from tests.terminal.tables import Script, Seats, style_of, whole_game


def table_of_azul():
    return Seats(azul, azul.Config(2), seed=bytes(32))


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


def test_a_game_without_a_face_is_drawn_plainly():
    table = table_of_azul()
    drawn = plain.draw(azul.view(table.state, 0), style_of())
    assert any(line.startswith("factories: ") for line in drawn)
    events = table.play(table.moves[0])
    assert plain.narrate(events[0], style_of()).startswith("TilesTaken: seat ")
    preview = azul.preview(table.state, table.moves[0])
    assert str(preview.points) in plain.explain(preview, style_of())
    assert plain.points(events[0]) == []


# A game in plain text


def test_a_watched_player_confirms_each_move():
    table = table_of_azul()
    first = azul.write_move(table.state, table.moves[0])
    script = Script(first, "no", first, "", watched=True)
    PlainGame(table.local, style_of(), script.console).play()
    assert [step.text for step in table.steps[1:]] == [first]
    assert "If the round ended now" in script.text


def test_a_move_is_taken_back_a_game_given_up_and_played_again():
    table = table_of_azul()
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


def test_stepping_through_a_replay():
    table = whole_game(azul, azul.Config(2))
    last = len(table.steps) - 1
    script = Script("", "b", "n", "5", str(10**6), "n", "")
    Replay(azul, table.record(), style_of(), script.console).browse()
    shown = [int(number) for number in re.findall(r"Act (\d+) of", script.text)]
    second_round = next(step.number for step in table.steps[1:] if step.seat is None)
    assert shown == [0, 1, 0, second_round, 5, last, last]
    for leaving in (Script("q"), Script()):
        Replay(azul, table.record(), style_of(), leaving.console).browse()
        assert leaving.text.count("Act ") == 1


@pytest.mark.parametrize("watched", [False, True])
def test_progress_is_shown_only_where_somebody_watches(watched, capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: watched)
    assert list(progress([1, 2], "counting")) == [1, 2]
    assert ("counting [" in capsys.readouterr().err) == watched


# Players of `tessella play`


@pytest.mark.parametrize("name", ["9", "0", "-1", "5@1s", "mine:careful", "cmd:./engine --fast"])
def test_what_looks_like_a_bot_and_is_none_is_never_a_persons_name(name, capsys):
    assert cli.main(["play", "azul", "Ann", name, "--plain", "--language", "en"]) == 2
    said = capsys.readouterr().err
    assert f"{name} is neither a bot nor a name: the bots are 1, 2, 3, 4, 5, 6, 7, 8, random, greedy" in said


@pytest.mark.parametrize("name", ["Bob", "R2D2", "Anna 2", "Zoë", "9a"])
def test_other_words_are_names(name):
    assert level_of(azul, name, Translations("en")) == ""
