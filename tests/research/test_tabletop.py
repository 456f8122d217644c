"""A table at a prompt: what is typed is played, what was played can be taken back, and everything shows itself."""

import json
import re
import subprocess
from html import unescape

import pytest
from msgspec import structs

from tessella import research
from tessella.core import link, record
from tessella.core.game import BadNotation, IllegalMove, Over
from tessella.core.record import verify
from tessella.games import GAMES, azul


def test_a_game_is_played_by_notation():
    table = research.table("azul", players=2, seed=1)
    (first,) = table.seats
    source, colour = next((n, tiles[0]) for n, tiles in enumerate(table.state.factories, 1))
    assert table.play(f"{source}{colour}5") is table
    assert table.state.boards[first].lines[4][0] == colour
    assert table.record().acts[1] == f"{source}{colour}5"


def test_an_illegal_move_changes_nothing():
    table = research.table("azul", seed=1)
    before = table.state
    with pytest.raises(BadNotation):
        table.play("over there")
    with pytest.raises(IllegalMove):
        table.play("cb1")
    assert table.state is before


@pytest.mark.parametrize("name", GAMES)
def test_every_move_can_be_taken_back_and_comes_out_the_same_again(name):
    table = research.table(name, seed=3)
    states = [table.state]
    while not table.over:
        table.play(table.ask("random"))
        states.append(table.state)
    played = table.record()
    for state in reversed(states[:-1]):
        assert table.undo().state == state
    with pytest.raises(IndexError):
        table.undo()
    for act in played.acts[len(table.record().acts) :]:
        if not act.startswith("*"):
            table.play(act)
    assert table.record() == played
    assert verify(GAMES[name], played)


def test_the_same_seed_deals_the_same_game():
    one, same, other = (research.table("duel", seed=seed).finish("greedy").record() for seed in (1, 1, 2))
    assert one == same
    assert one.acts != other.acts


def test_moves_describe_their_effect_and_the_best_come_first():
    table = research.table("azul", seed=1)
    moves = table.moves()
    assert [str(move) for move in moves] == [azul.write_move(table.state, it) for it in table._table.moves]
    assert [move.points for move in moves.best()] == sorted((move.points for move in moves), reverse=True)
    assert repr(moves).startswith(f"{len(moves)} legal moves:\n  {moves[0]}  ")
    assert len(repr(moves).splitlines()) == 14
    assert moves._repr_html_().count("<tr>") == len(moves)
    assert len(moves[:3]) == 3
    assert isinstance(moves[:3], type(moves))


@pytest.mark.parametrize("name", GAMES)
def test_a_move_shows_in_dashed_rings_what_it_changes(name):
    table = research.table(name, seed=1)
    shown = table.moves()[0]._repr_html_()
    assert str(table.moves()[0]) in shown
    assert 'class="ring ahead"' in shown
    assert 'class="ring ahead"' not in table._repr_html_()
    assert 'class="ring"' in table.play(table.moves()[0])._repr_html_()


@pytest.mark.parametrize("name", GAMES)
def test_a_table_is_text_at_a_prompt(name, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    table = research.table(name, seed=1)
    assert "Seat 1" in repr(table)
    assert "\x1b" not in repr(table)
    assert "1. Seat" in repr(table.finish("random"))
    assert isinstance(table.turn, Over)


def test_a_position_is_read_as_it_was_written():
    table = research.table("azul", seed=1)
    table.play(table.ask("3"))
    again = research.position("azul", str(table.position()))
    assert again.state == table.state
    assert again._repr_html_().startswith("<svg")


# Replays


@pytest.fixture(scope="module")
def played():
    return research.table("azul", seed=6).finish("greedy").record()


def test_a_replay_is_read_from_a_record_its_text_its_file_and_its_link(played, tmp_path):
    file = tmp_path / "azul.game"
    file.write_text(record.write(played))
    for source in (played, record.write(played), file, link.shorten(azul, played)):
        assert research.replay(source).record.acts == played.acts
    with pytest.raises(BadNotation):
        research.replay("chess/1\n")


def test_a_replay_holds_every_position(played):
    replay = research.replay(played)
    assert len(replay) == len(played.acts)
    assert replay[0].state == azul.setup(azul.Config())
    assert replay[-1].state == replay.steps[-1].after
    assert replay[3].before == replay[2].state
    with pytest.raises(IndexError):
        replay[len(replay) + 1]


def test_a_seat_does_not_read_the_private_acts_of_others():
    replay = research.table("blockers", players=2, seed=2).finish("random").replay(seat=0)
    for number, step in enumerate(replay.steps, 1):
        if step.seat is None and replay.game.owner(step.act) == 1:
            drawn = replay._describe(number)
            assert step.text.split(":")[-1] not in drawn.split("   ", 1)[1]


def test_a_name_cannot_leave_its_place(played):
    evil = structs.replace(played, names=("</script><b>Ann", "<!--<script>Bob"))
    page = research.replay(evil)._repr_html_()
    assert page.count("<script") == page.count("</script>") == 2
    assert "<b>" not in page
    assert "<!--" not in page


PROBE = """
const say = [];
const [one, other] = document.querySelectorAll("[data-tessella]");
const lies = (root) => [...root.querySelectorAll("use[data-at][href]")]
  .map((it) => it.dataset.at + "=" + it.getAttribute("href").replace(/^#[^-]+-/, "")).sort();
const drawn = (root) => [...root.querySelectorAll("use[data-at][href]")]
  .every((it) => document.querySelector("[id='" + it.getAttribute("href").slice(1) + "']") && it.getBBox().width > 0);
const slide = (root, number) => {
  const slider = root.querySelector("input");
  slider.value = number;
  slider.dispatchEvent(new Event("input"));
};
say.push(lies(one), lies(other));
slide(one, 20);
say.push(lies(one), lies(other), one.querySelector("p").textContent, drawn(one), one.querySelectorAll(".ring").length);
one.querySelectorAll("button")[1].click();
say.push(lies(one));
one.querySelectorAll("button")[0].click();
say.push(lies(one), one.querySelectorAll("button")[1].disabled, one.querySelectorAll("button")[3].disabled);
document.body.dataset.said = JSON.stringify(say);
"""


def test_the_slider_of_a_replay_works_in_a_browser_without_a_server(played, tmp_path):
    page = tmp_path / "page.html"
    one, other = research.replay(played), research.table("duel", seed=1).finish("greedy").replay()
    body = f"{one._repr_html_()}{other._repr_html_()}<script>{PROBE}</script>"
    page.write_text(f'<!doctype html><meta charset="utf-8"><body>{body}</body>', "utf-8")
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", page.as_uri()]
    dom = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    (said,) = re.findall(r'data-said="([^"]*)"', dom)
    said = json.loads(unescape(said))

    def lies(replay, acts):
        contents = replay[acts].contents(replay[acts].state)
        return sorted(f"{place}={kind}" for place, kind in contents.lies.items())

    first, second, at_20, second_still, told, drawn, rings, at_19, at_0, *disabled = said
    assert first == lies(one, -1)
    assert second == second_still == lies(other, -1)
    assert at_20 == lies(one, 20)
    assert at_19 == lies(one, 19)
    assert at_0 == lies(one, 0)
    assert told.startswith(f"20 / {len(one)} ")
    assert one.steps[19].text in told
    assert drawn
    assert rings
    assert disabled == [True, False]
