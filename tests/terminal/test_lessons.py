"""`tessella learn` in plain text."""

import pytest

from tessella.cli import main
from tessella.lessons.course import open_steps
from tessella.lessons.lesson import shipped
from tessella.terminal.lessons import take_lesson
from tessella.text.i18n import LANGUAGES
from tests.terminal.tables import Script, style_of


def learn(title, typed, language="en"):
    """Take a lesson with these lines typed, then the end of the input; return what was printed."""
    script = Script(*typed)
    take_lesson(shipped()[title], style_of(language, ["You", "Ann", "Bob"]), script.console)
    return script.text


def solutions(title):
    return [opened.step.solution for opened in open_steps(title) if opened.step.solution]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("title", shipped())
def test_a_lesson_is_taken_to_its_last_round(title, language):
    text = learn(title, solutions(title), language)
    said = [getattr(opened.said(), language) for opened in open_steps(title)]
    flat = " ".join(text.split())
    assert all(" ".join(words.split()) in flat for words in said)
    assert " ".join(getattr(shipped()[title].last_round.say, language).split()) in flat


def test_a_wrong_move_is_answered_an_illegal_one_explained_and_show_makes_the_move():
    text = learn("azul", ["1b1", "9b1", "rule AZ10", "", "show"])
    assert "they fill it exactly" in text
    assert "Rule AZ10" in text
    assert "Well done: line 2 is full." in text
    assert "Step 3 of 12" in text


def test_the_command_lists_the_lessons_and_takes_one(monkeypatch, capsys):
    assert main(["learn"]) == 0
    assert [line.split()[2] for line in capsys.readouterr().out.splitlines()] == [*shipped()]
    monkeypatch.setattr("builtins.input", Script(*solutions("blockers")).ask)
    assert main(["learn", "blockers", "--language", "fr"]) == 0
    assert "Vos derniers tours" in capsys.readouterr().out
