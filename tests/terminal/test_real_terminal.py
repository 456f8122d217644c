"""Whole games in real terminals, by keys alone, reading nothing but what is on the screen.

What was on the screens at the end is kept in `snapshots`: TESSELLA_KEEP_SCREENS=1 writes it anew.
"""

import importlib
import os
import re
import shutil
from pathlib import Path

import pytest

from tessella.core import record
from tessella.core.game import Over
from tessella.games import GAMES
from tessella.terminal.setup import set_up_game
from tessella.text.i18n import Translations
from tests.installing import ROOT, install
from tests.terminal.tables import Seats
from tests.terminal.terminals import OVER, Terminal
from tests.terminal.test_online import port  # noqa: F401  a fixture
from tests.tiers import nightly

pytestmark = pytest.mark.skipif(not shutil.which("tmux"), reason="there is no tmux")

SNAPSHOTS = Path(__file__).parent / "snapshots"
SEED = "07" * 32
SLOW = [pytest.param(title, marks=pytest.mark.slow) for title in ("blockers", "duel")]


def kept(name, screens):
    """The screens as they were kept; written first, if that is asked for."""
    path = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("TESSELLA_KEEP_SCREENS"):
        path.write_text(screens, "utf-8")
    return path.read_text("utf-8")


def scores_on(screens):
    """Everybody's points, as the result tells them."""
    return {name: int(points) for name, points in re.findall(r"\d\. ([\w ]+), (-?\d+) point", screens)}


def scores_in(path, game=None):
    """Everybody's points by the rules, from the record that was saved."""
    played = record.read(path.read_text("utf-8"))
    game = game or GAMES[played.game]
    turn = game.turn(list(record.replay(game, played))[-1].after)
    assert isinstance(turn, Over)
    return dict(zip(played.names, turn.scores, strict=True))


@pytest.mark.parametrize("title", ["azul", *SLOW])
def test_two_people_at_one_keyboard(title, tmp_path):
    """The same moves are made at a table of our own: the screens must tell what became of them."""
    game = GAMES[title]
    table = Seats.of(set_up_game(game, ["Ann", "Bob"], [], bytes.fromhex(SEED), Translations("en")))
    with Terminal((80, 24), "play", title, "Ann", "Bob", "--seed", SEED, folder=tmp_path) as terminal:
        while terminal.next_turn():
            moves = game.legal_moves(table.state, table.seats[0])
            best = max(moves, key=lambda move: game.preview(table.state, move).points)
            terminal.make(game.write_move(table.state, best))
            table.play(best)
        screens = terminal.last_screens()
    assert isinstance(table.turn, Over)
    assert scores_on(screens) == dict(zip(("Ann", "Bob"), table.turn.scores, strict=True))
    assert screens == kept(f"hot-seat-{title}", screens)


@pytest.mark.parametrize(("colour", "coloured"), [("NO_COLOR=1", False), ("-u NO_COLOR", True)])
def test_without_colours_none_is_sent(colour, coloured, tmp_path):
    """Neither by the table nor by a page above it; what is chosen is reversed instead."""
    with Terminal((80, 24), "play azul Ann Bob --seed", SEED, folder=tmp_path, colour=colour) as terminal:
        terminal.wait_for("your turn")
        terminal.press("F3")
        terminal.wait_for("legal move")
        terminal.drawn()
        codes = {code for sent in re.findall(r"\x1b\[([\d;]*)m", terminal.screen("-e")) for code in sent.split(";")}
    assert ({"38", "48"} <= codes) == coloured, codes
    assert coloured or "7" in codes, codes


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("title", GAMES)
def test_against_a_bot(title, size, tmp_path):
    with Terminal(size, "play", title, "Ann", "greedy", "--save it.game", folder=tmp_path) as terminal:
        while terminal.go_on():
            pass
        screens = terminal.last_screens()
    assert scores_on(screens) == scores_in(tmp_path / "it.game")
    if size == (80, 24):
        assert OVER in kept(f"bot-{title}", screens)


@pytest.mark.parametrize("title", ["stairs", *nightly("ribbon")])
def test_games_that_other_packages_bring(title, tmp_path, monkeypatch):
    install(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'src'}:{tmp_path}")
    with Terminal((80, 24), "play", title, "Ann", "search", "--save it.game", folder=tmp_path) as terminal:
        while terminal.go_on():
            pass
        screens = terminal.last_screens()
    scores = scores_in(tmp_path / "it.game", importlib.import_module(f"tessella_{title}.game"))
    assert len(scores) == 2
    assert scores_on(screens) == scores


@pytest.mark.slow
@pytest.mark.parametrize("title", GAMES)
def test_two_people_online(title, port, tmp_path):  # noqa: F811
    """Two terminals at one table: she invites him by the link on her screen."""
    server = f"http://127.0.0.1:{port}"
    hers, his = tmp_path / "hers", tmp_path / "his"
    with Terminal((80, 24), "play", title, "Ann open --save it.game --server", server, folder=hers) as ann:
        (link,) = re.findall(r"http\S+/join/\S+", ann.wait_for("/join/"))
        with Terminal((120, 40), "play", f"'{link}'", "Bob", folder=his) as bob:
            while any([ann.go_on(), bob.go_on()]):
                pass
            screens = ann.last_screens()
            assert scores_on(bob.last_screens()) == scores_on(screens)
        ann.press("q")
        ann.wait_for("is saved in it.game")
    assert scores_on(screens) == scores_in(hers / "it.game")
    assert OVER in kept(f"online-{title}", screens)
