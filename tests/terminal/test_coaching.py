"""The commands of the coach, as a person runs them."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from tessella.bots import Budget
from tessella.cli import main
from tessella.coach import azul as coach_azul
from tessella.coach.review import review
from tessella.core import record
from tessella.games import azul
from tessella.text.i18n import LANGUAGES, Translations
from tessella.text.review import narrate
from tessella.text.review_page import page
from tessella.text.style import Style

GAME = Path(__file__).parents[2] / "records" / "azul" / "2-coloured-greedy.game"


@pytest.fixture(scope="module", autouse=True)
def quick():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coach_azul, "SAMPLES", 4)
        yield


@pytest.fixture(scope="module")
def report():
    return review(azul, record.read(GAME.read_text()), Budget(nodes=2_000))


def style_of(language="en", names=("Ann", "Bob")):
    return Style(Translations(language), names, colour=False, width=80)


@pytest.mark.heavy
def test_analyse_tells_the_game_and_writes_the_report_as_json_and_as_a_page(tmp_path, capsys):
    file = tmp_path / "report.html"
    assert main(["analyse", str(GAME), "--nodes", "500", "--json", "--text", "--html", str(file)]) == 0
    *text, last = capsys.readouterr().out.splitlines()
    found = json.loads(last)
    assert found["title"] == "azul"
    assert found["nodes"] == 500
    assert len(found["values"]) == len(record.read(GAME.read_text()).acts)
    assert "Winning chances" in text
    assert file.read_text().startswith("<!doctype html>")


@pytest.mark.heavy
def test_every_marked_move_and_every_split_is_told(report):
    text = "\n".join(narrate(report, style_of()))
    rows = {int(row.split()[0]): row for row in text.splitlines() if "; better: " in row}
    assert [*rows] == [decision.number for decision in report.decisions if decision.label]
    for decision in report.decisions:
        if decision.label:
            assert f" {decision.played} " in rows[decision.number]
            assert rows[decision.number].endswith(f"better: {decision.best}")
    curves = [line for line in text.splitlines() if set("▁▅█") & set(line) and "…" in line]
    assert [line.split()[0] for line in curves] == ["Ann", "Bob"]
    assert all(len(line) <= 80 for line in curves)
    assert "own losses" in text


@pytest.mark.heavy
def test_a_line_is_numbered_moves_and_the_corrections_are_explained(report):
    text = "\n".join(narrate(report, style_of()))
    marked = [decision for decision in report.decisions if decision.number in report.turning]
    assert marked
    for decision in marked:
        moves = "  ".join(f"{number}. {move}" for number, move in enumerate(decision.line[:8], 1))
        assert f"Line: {moves}" in text
        assert f"Line: {moves}" in page(report, style_of())
    assert "→" not in text
    assert "errors of its own estimates" in text


@pytest.mark.heavy
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_report_speaks_every_language(report, language):
    assert "{" not in "\n".join(narrate(report, style_of(language)))
    assert f'<html lang="{language}">' in page(report, style_of(language))


def test_the_page_needs_nothing_else_and_every_picture_is_well_formed(report):
    html = page(report, style_of(names=("<Ann>", "Bob & Co")))
    assert not re.search(r"<script|https?:|src=|@import|url\(", html)
    assert "<Ann>" not in html
    pictures = re.findall(r"<svg.*?</svg>", html, re.DOTALL)
    assert len(pictures) == 3 + report.seats
    for picture in pictures:
        ElementTree.fromstring(picture)
    assert html.count("<circle") == sum(bool(decision.label) for decision in report.decisions)


def test_a_game_that_was_given_up_is_said_to_be(report):
    given_up = replace(report, over=False, places=(), scores=(), turning=())
    assert any("not played to its end" in line for line in narrate(given_up, style_of()))
    assert any("No move" in line for line in narrate(given_up, style_of()))
    assert "not played to its end" in page(given_up, style_of())
    assert "what looks good" in page(replace(report, method="first sight"), style_of())


@pytest.mark.heavy
def test_puzzles_are_found_in_recorded_games(tmp_path, capsys):
    out = tmp_path / "puzzles.jsonl"
    main(["puzzles", "find", "--records", str(GAME), "--out", str(out), "--margin", "0.03", "--json"])
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["puzzles"] == len(out.read_text().splitlines()) - 1
    assert main(["puzzles", "find", "--out", str(out)]) == 2
