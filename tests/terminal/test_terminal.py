"""What the terminal shows."""

import re
import string

import pytest

from tessella.core.record import Table
from tessella.games import GAMES, azul
from tessella.terminal import plain, rulebook
from tessella.terminal.console import Console
from tessella.terminal.faces import face_of
from tessella.terminal.pen import Pen, side_by_side, visible
from tessella.terminal.play import Game
from tessella.terminal.progress import progress
from tessella.terminal.replay import Replay
from tessella.terminal.words import LANGUAGES, Words, catalogue, preferred_language

RESET = re.compile("\x1b\\[[0-9;]*m")


def pen(language="en", names=("Ann", "Bob"), colour=False):
    return Pen(Words(language), names, colour=colour)


class Script:
    """A console that types what it is told and remembers what was said."""

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


# Words


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
    assert [Words("en")("points", n=n) for n in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert [Words("fr")("points", n=n) for n in (0, 1, 2)] == ["0 point", "1 point", "2 points"]


def test_the_environment_chooses_the_language(monkeypatch):
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.setenv("LANG", "nl_BE.UTF-8")
    assert preferred_language() == "nl"
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
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
    coloured = pen(colour=True)
    for drawn in (coloured.tile("b"), coloured.ghost("w"), coloured.empty()):
        assert visible(drawn) == 3
        assert "\x1b" in drawn
    assert visible(pen().tile("b")) == len(pen().tile("b")) == 3


def test_blocks_stand_side_by_side_where_there_is_room():
    assert side_by_side([["ab", "c"], ["d"]], width=10) == ["ab   d", "c", ""]
    assert side_by_side([["ab"], ["d"]], width=4) == ["ab", "", "d", ""]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("wall", ["coloured", "grey"])
def test_a_table_of_azul_fits_in_80_columns(seats, wall):
    table = Table(azul, azul.Config(seats, wall), seed=bytes(32))
    for _ in range(30):
        table.play(table.moves[0])
    lines = face_of("azul").draw(azul.view(table.state, 1), pen(names=("Ann", "Bob", "Cleo", "Dirk")))
    assert max(map(visible, lines)) <= 80
    assert all(name in "\n".join(lines) for name in ("Ann", "Bob"))


def test_the_picture_is_the_same_without_colour_but_for_brackets():
    table = Table(azul, azul.Config(2), seed=bytes(32))
    view = azul.view(table.state, 0)
    plain_lines = face_of("azul").draw(view, pen())
    coloured_lines = face_of("azul").draw(view, pen(colour=True))
    bare = [RESET.sub("", line) for line in coloured_lines]
    assert [line.replace("[", " ").replace("]", " ").rstrip() for line in plain_lines] == [
        line.rstrip() for line in bare
    ]


def test_a_game_without_a_face_is_drawn_plainly():
    table = Table(azul, azul.Config(2), seed=bytes(32))
    assert face_of("a fourth game") is plain
    drawn = plain.draw(azul.view(table.state, 0), pen())
    assert any(line.startswith("factories: ") for line in drawn)
    events = table.play(table.moves[0])
    assert plain.tell(events[0], pen()).startswith("TilesTaken: seat ")
    preview = azul.preview(table.state, table.moves[0])
    assert str(preview.points) in plain.explain(preview, pen())
    assert plain.points(events[0]) == []


# Playing


def test_a_watched_player_confirms_each_move():
    table = Table(azul, azul.Config(2), seed=bytes(32))
    first = azul.write_move(table.state, table.moves[0])
    script = Script(first, "no", first, "", watched=True)
    Game(table, {}, pen(), script.console).play()
    assert [step.text for step in table.steps[1:]] == [first]
    assert "If the round ended now" in script.text


def test_azul_has_no_secrets_so_nobody_is_sent_away():
    table = Table(azul, azul.Config(2), seed=bytes(32))
    script = Script("1b1", "1b1", watched=False)
    Game(table, {}, pen(), script.console).play()
    assert "Pass the keyboard" not in script.text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("wall", ["coloured", "grey"])
def test_a_whole_game_is_told_in_every_language(language, wall):
    table = Table(azul, azul.Config(2, wall), seed=bytes([7] * 32))
    script = Script(*[""] * 3)
    game = Game(table, {}, pen(language), script.console)
    while table.seats:
        table.play(table.moves[len(table.moves) // 2])
    game._tell()
    game._finish()
    replay = Replay(azul, table.record(), pen(language), script.console)
    replay.show_all()
    assert "AZ22" in script.text
    assert "{" not in script.text


def test_stepping_through_a_replay():
    table = Table(azul, azul.Config(2), seed=bytes([7] * 32))
    while table.seats:
        table.play(table.moves[0])
    last = len(table.steps) - 1
    script = Script("", "b", "n", "5", str(10**6), "n", "")
    Replay(azul, table.record(), pen(), script.console).browse()
    shown = [int(number) for number in re.findall(r"Act (\d+) of", script.text)]
    second_round = next(step.number for step in table.steps[1:] if step.seat is None)
    assert shown == [0, 1, 0, second_round, 5, last, last]
    Replay(azul, table.record(), pen(), Script().console).browse()
    quitting = Script("q")
    Replay(azul, table.record(), pen(), quitting.console).browse()
    assert len(re.findall("Act ", quitting.text)) == 1


def test_progress_is_silent_where_nobody_watches(capsys):
    assert list(progress([1, 2, 3], "counting")) == [1, 2, 3]
    assert capsys.readouterr().err == ""


def test_progress_shows_how_far_it_is(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert list(progress([1, 2], "counting")) == [1, 2]
    assert "counting [" in capsys.readouterr().err
