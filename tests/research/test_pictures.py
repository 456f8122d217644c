"""Tables as pictures: what lies on them is drawn where it lies, as the browser draws it, and nothing hidden is."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tessella import research
from tessella.games import GAMES, azul, blockers
from tessella.svg import PAINTERS
from tessella.svg.blockers import BODIES, INKS, MARKS, TINTS
from tessella.svg.tiles import DUEL

WEB = Path(__file__).parents[2] / "web" / "src" / "games"
SVG = "{http://www.w3.org/2000/svg}"
TABLES = [
    ("azul", 2, {}),
    ("azul", 3, {}),
    ("azul", 4, {"wall": "grey"}),
    ("duel", 2, {}),
    ("blockers", 2, {}),
    ("blockers", 5, {}),
]


def shown(svg):
    """What lies on each place, read from the picture."""
    root = ET.fromstring(svg)
    symbols = {it.attrib["id"] for it in root.iter(f"{SVG}symbol")}
    lies = {}
    for it in root.iter(f"{SVG}use"):
        href = it.attrib.get("href", "")
        assert not href or href[1:] in symbols
        if href and "data-at" in it.attrib:
            lies[it.attrib["data-at"]] = href.partition("-")[2]
    return lies


@pytest.mark.parametrize(("name", "players", "options"), TABLES)
def test_every_position_of_a_game_is_drawn(name, players, options):
    table = research.table(name, players=players, seed=2, **options)
    while not table.over:
        for seat in (None, 0):
            position = table.position(seat)
            picture = position.picture()
            assert set(picture.contents.lies) <= set(picture.layout.places)
            assert set(picture.contents.says) <= set(picture.layout.labels)
            assert set(picture.contents.lies.values()) <= set(picture.layout.symbols)
        table.play(table.ask("random"))
    assert shown(table.position().svg()) == dict(table.position().contents(table.state).lies)


def test_tiles_of_azul_lie_where_the_state_says():
    position = research.table("azul", seed=5).finish("greedy").position()
    lies = shown(position.svg())
    for seat, board in enumerate(position.state.boards):
        for row in range(5):
            for column in range(5):
                tile = board.wall[row][column]
                assert lies.get(f"w{seat}-{row}-{column}", "tile-.") == f"tile-{tile}"
    assert f">{position.state.boards[0].score}</text>" in position.svg()


def test_racks_of_others_are_drawn_as_backs():
    table = research.table("blockers", players=3, seed=4)
    (mover,) = table.seats
    lies = shown(table._repr_html_())
    mine, other = "byr"[mover], "byr"[(mover + 1) % 3]
    assert all(re.fullmatch(f"{mine}[A-I1-9shapdcmtow]", lies[f"rack-{mine}-{spot}"]) for spot in range(5))
    assert all(lies[f"rack-{other}-{spot}"] == f"body-{other}" for spot in range(5))


def test_tiles_that_close_up_on_a_rack_are_not_marked():
    table = research.table("blockers", players=3, seed=4)
    table.play(table.moves()[0])
    marked = table.position(table._table.steps[-2].seat).picture().marked
    assert [place.partition("-")[0] for place in marked] == ["cell"]


def test_no_two_pictures_share_a_name():
    table = research.table("azul", seed=1)
    one, other = (set(re.findall(r' id="([^"]+)"', table._repr_html_())) for _ in range(2))
    assert one
    assert not one & other


def test_a_game_without_a_painter_is_shown_as_text(monkeypatch):
    monkeypatch.delitem(PAINTERS, "azul")
    table = research.table("azul", seed=1)
    assert table._repr_html_().startswith("<pre>")
    assert table.replay()._repr_html_().startswith("<pre>")
    assert "<svg" not in table.moves()[0]._repr_html_()


# The same look as the browser


def paths(text):
    return set(re.findall(r'\bd="([^"{]+)"', text)) | set(re.findall(r"const STAR = '([^']+)'", text))


def test_tiles_look_as_in_the_browser():
    art = (WEB / "TileArt.svelte").read_text() + (WEB / "duel" / "Art.svelte").read_text()
    drawn = "".join(DUEL.values())
    assert len(paths(art)) > 10
    assert paths(art) <= paths(drawn)
    assert set(re.findall(r"#[0-9a-f]{6}\b", art)) <= set(re.findall(r"#[0-9a-f]{6}\b", drawn))


def test_tiles_of_blockers_look_as_in_the_browser():
    art = (WEB / "blockers" / "Art.svelte").read_text()
    marks = "".join(MARKS.values())
    bodies = "".join(medal for *_, medal in BODIES.values())
    assert paths(art) <= paths(marks + bodies)
    for colour, dark, glaze in re.findall(r"colour: '(.)', dark: '(\S+)', glaze: '(\S+)'", art):
        assert BODIES[colour][:2] == (dark, glaze)
    assert all(ink in (WEB / "blockers" / "Piece.svelte").read_text() for ink in INKS.values())
    assert all(tint in (WEB / "blockers" / "Board.svelte").read_text() for tint in TINTS)


def test_the_picture_of_the_guide_is_drawn_as_now():
    script = Path(__file__).parents[2] / "scripts" / "gen" / "workbench-picture"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_game_has_a_painter():
    assert set(PAINTERS) == set(GAMES)


@pytest.mark.parametrize("config", [azul.Config(4), blockers.Config(2)])
def test_places_lie_inside_the_picture(config):
    name = "azul" if isinstance(config, azul.Config) else "blockers"
    layout = PAINTERS[name].layout_of(config)
    for place in layout.places.values():
        assert 0 <= place.x <= layout.width - place.size
        assert 0 <= place.y <= layout.height - place.size
