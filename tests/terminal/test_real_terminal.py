"""Whole games in real terminals, by keys alone, reading nothing but what is on the screen.

The last screens of a game are kept in `snapshots`: TESSELLA_KEEP_SCREENS=1 writes them anew.
"""

import importlib
import os
import re
import shutil
import time
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
from tests.tiers import nightly

pytestmark = pytest.mark.skipif(not shutil.which("tmux"), reason="there is no tmux")

SNAPSHOTS = Path(__file__).parent / "snapshots"
SEED = "07" * 32
SLOW = [pytest.param(title, marks=pytest.mark.slow) for title in ("blockers", "duel")]


def scores_on(screen):
    """Everybody's points, as the result tells them."""
    return {name: int(points) for name, points in re.findall(r"\d\. ([\w ]+), (-?\d+) point", screen)}


def scores_in(path, game=None):
    """Everybody's points by the rules, from the record that was saved."""
    played = record.read(path.read_text("utf-8"))
    game = game or GAMES[played.game]
    turn = game.turn(list(record.replay(game, played))[-1].after)
    assert isinstance(turn, Over)
    return dict(zip(played.names, turn.scores, strict=True))


def require_last_screens(terminal, name):
    """Wait until the result, and then the table as it was left, are on the screen as they were kept."""
    kept = [SNAPSHOTS / f"{name}-{part}.txt" for part in ("result", "table")]
    for path, text in zip(kept, (OVER, "The game is over. Enter"), strict=True):
        terminal.wait_for(text)
        if os.environ.get("TESSELLA_KEEP_SCREENS"):
            time.sleep(1)
            path.write_text(terminal.screen(), "utf-8")
        expected = path.read_text("utf-8")
        terminal.wait(lambda shown, expected=expected: shown == expected)
        terminal.press("Enter")


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
        assert isinstance(table.turn, Over)
        scores = dict(zip(("Ann", "Bob"), table.turn.scores, strict=True))
        terminal.wait(lambda shown: scores_on(shown) == scores)
        require_last_screens(terminal, f"hot-seat-{title}")


@pytest.mark.parametrize(
    ("colour", "sent", "others"), [("NO_COLOR=1", {"7"}, {"38", "48"}), ("-u NO_COLOR", {"38", "48"}, set())]
)
def test_without_colours_none_is_sent(colour, sent, others, tmp_path):
    """Neither by the table nor by a page above it; what is chosen is reversed instead."""

    def codes():
        found = re.findall(r"\x1b\[([\d;]*)m", terminal.screen("-e"))
        return {code for codes in found for code in codes.split(";")}

    with Terminal((80, 24), "play azul Ann Bob --seed", SEED, folder=tmp_path, colour=colour) as terminal:
        terminal.wait_for("your turn")
        terminal.press("F3")
        terminal.wait_for("legal move")
        terminal.wait(lambda _: sent <= codes())
        assert others.isdisjoint(codes())


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("title", GAMES)
def test_against_a_bot(title, size, tmp_path):
    with Terminal(size, "play", title, "Ann", "greedy", "--save it.game", folder=tmp_path) as terminal:
        terminal.play_out()
        scores = scores_in(tmp_path / "it.game")
        terminal.wait(lambda shown: scores_on(shown) == scores)


@pytest.mark.parametrize("title", ["stairs", *nightly("ribbon")])
def test_games_that_other_packages_bring(title, tmp_path, monkeypatch):
    install(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'src'}:{tmp_path}")
    with Terminal((80, 24), "play", title, "Ann", "search", "--save it.game", folder=tmp_path) as terminal:
        terminal.play_out()
        scores = scores_in(tmp_path / "it.game", importlib.import_module(f"tessella_{title}.game"))
        assert len(scores) == 2
        terminal.wait(lambda shown: scores_on(shown) == scores)


@pytest.mark.slow
@pytest.mark.parametrize("title", GAMES)
def test_two_people_online(title, origin, tmp_path):
    """Two terminals at one table: she invites him by the link on her screen."""
    hers, his = tmp_path / "hers", tmp_path / "his"
    with Terminal((80, 24), "play", title, "Ann open --save it.game --server", origin, folder=hers) as ann:
        (link,) = re.findall(r"http\S+/join/\S+", ann.wait_for("/join/"))
        with Terminal((120, 40), "play", f"'{link}'", "Bob", folder=his) as bob:
            while any([ann.go_on(), bob.go_on()]):
                time.sleep(0.03)
            scores = scores_on(ann.wait(lambda shown: len(scores_on(shown)) == 2))
            bob.wait(lambda shown: scores_on(shown) == scores)
        ann.press("Enter")
        ann.wait_until_gone(OVER)
        ann.press("q")
        ann.wait_for("is saved in it.game")
    assert scores == scores_in(hers / "it.game")
