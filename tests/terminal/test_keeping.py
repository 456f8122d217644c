"""Games that are kept however one leaves, and other things that people meet in a real terminal."""

import os
import re
import shutil

import pytest

from tessella.core import record
from tessella.games import GAMES
from tests.terminal.terminals import Terminal
from tests.tiers import nightly

pytestmark = pytest.mark.skipif(not shutil.which("tmux"), reason="there is no tmux")

SEED = "07" * 32
SIZE = (100, 30)
SAVED = "is saved in it.game"
LEAVING = {
    "q": (("q", "Leave this game?"), ("Enter", SAVED)),
    "the window is closed": (),
    "ctrl+q": (("C-q", SAVED),),
    "ctrl+q in a dialog": (("F1", "Escape: close"), ("C-q", SAVED)),
}
"""Ways to leave: what is pressed, and what the screen answers."""
DYING = """
import os, sys
if "tessella.terminal.bot_process" in sys.orig_argv:
    sys.stderr.write("Traceback\\nMemoryError: no room to think\\n")
    sys.stderr.flush()
    os._exit(1)
"""


def acts_in(path):
    return record.read(path.read_text("utf-8")).acts


@pytest.mark.parametrize("way", ["q", "the window is closed", *nightly("ctrl+q", "ctrl+q in a dialog")])
def test_a_game_is_kept_however_one_leaves_and_goes_on_later(way, tmp_path):
    file = tmp_path / "it.game"
    with Terminal(SIZE, "play azul Ann 2 --save it.game --seed", SEED, folder=tmp_path) as terminal:
        terminal.move()
        terminal.wait_for("your turn")
        terminal.wait(lambda _: len(acts_in(file)) >= 3)
        for key, answer in LEAVING[way]:
            terminal.press(key)
            terminal.wait_for(answer)
    before = acts_in(file)
    with Terminal(SIZE, "play it.game", folder=tmp_path) as terminal:
        terminal.wait(lambda shown: all(text in shown for text in ("your turn", "Ann", "Scatterbrain")))
        terminal.move()
        terminal.wait(lambda _: len(acts_in(file)) >= len(before) + 2)
    saved = record.read(file.read_text("utf-8"))
    assert saved.acts[: len(before)] == before
    assert saved.bots == (record.BotSeat(1, "2"),)
    assert record.verify(GAMES["azul"], saved) >= 1


def test_a_plain_game_is_kept_and_goes_on_too(tmp_path):
    with Terminal(SIZE, "play duel Ann 1 --plain --save it.game --seed", SEED, folder=tmp_path) as terminal:
        terminal.wait_for("your move")
        terminal.press("C-c")
        terminal.wait_for(f"{SAVED}. Go on with it: tessella play it.game")
    with Terminal(SIZE, "play it.game --plain", folder=tmp_path) as terminal:
        terminal.wait_for("Ann, your move")


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("play over.game", "the game in over.game is over: watch it with tessella replay over.game"),
        ("play over.game Bob --plain", "already names the players"),
        *(
            (f"play azul --save no/such/folder.game {plain}", "no/such/folder.game: No such file or directory; choose")
            for plain in ("", "--plain")
        ),
    ],
)
def test_what_cannot_be_played_or_saved_is_said_before_the_game(words, answer, tmp_path):
    shutil.copy("records/azul/row.game", tmp_path / "over.game")
    with Terminal(SIZE, words, folder=tmp_path) as terminal:
        terminal.wait(lambda shown: answer in " ".join(shown.split()))


def test_a_bot_process_that_dies_says_why_and_the_game_is_kept(tmp_path):
    tmp_path.joinpath("sitecustomize.py").write_text(DYING)
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    dying = f"-u NO_COLOR PYTHONPATH={paths}"
    with Terminal(SIZE, "play azul Ann 2 --save it.game --seed", SEED, folder=tmp_path, colour=dying) as terminal:
        terminal.wait_for("The computer player has stopped: MemoryError: no room to think")
        terminal.press("C-q")
        terminal.wait_for(SAVED)
    assert len(acts_in(tmp_path / "it.game")) == 1


def test_puzzles_are_solved(tmp_path):
    with Terminal(SIZE, "puzzles --id azul-d8e4a120", folder=tmp_path) as terminal:
        for asked, typed in (
            ("Find the best move", "cr2"),
            ("play may go on: cw- ck-.", "cw3"),
            ("this move wins", "q"),
        ):
            terminal.wait_for(asked)
            terminal.type(typed)
            terminal.press("Enter")
        shown = terminal.wait_for("Puzzles solved: 1.")
    assert "Not the best: it costs 100 %" in shown
    assert "Your floor line ends up costing 4; after cr2 it costs 14." in shown


def test_two_people_play_online_in_plain_text(origin, tmp_path):
    hers, his = tmp_path / "hers", tmp_path / "his"
    tall = (120, 300)
    with Terminal(tall, "play azul Ann open --plain --save it.game --server", origin, folder=hers) as ann:
        (link,) = re.findall(r"http\S+/join/\S+", ann.wait_for("/join/"))
        with Terminal(tall, "play", f"'{link}'", "Bob --aloud", folder=his) as bob:
            for made in range(1, 5):
                ann.wait(lambda _, made=made: prompts(ann, bob) >= made and any(map(is_asked, (ann, bob))))
                move_by_list(ann if is_asked(ann) else bob)
            ann.wait(lambda _: prompts(ann, bob) >= 5)
            bob.type("resign")
            bob.press("Enter")
            for terminal in (ann, bob):
                terminal.wait_for("The game is over: a player resigned.")
            ann.type("quit")
            ann.press("Enter")
            ann.wait_for(SAVED)
    assert len(acts_in(hers / "it.game")) >= 5


def prompts(*terminals):
    """How often a move was asked for on these screens."""
    return sum(terminal.screen().count("your move (?") for terminal in terminals)


def ends_with(shown, text):
    """Whether the last thing on the screen has this text."""
    return text in (shown.rstrip().splitlines() or [""])[-1]


def is_asked(terminal):
    return ends_with(terminal.screen(), "your move (?")


def move_by_list(terminal):
    lists = terminal.screen().count("legal moves:")
    terminal.type("moves")
    terminal.press("Enter")
    shown = terminal.wait(lambda shown: shown.count("legal moves:") > lists and ends_with(shown, "to see every one"))
    (move, *_) = re.findall(r"^  (\S+)  ", shown.rpartition("legal moves:")[2], re.MULTILINE)
    terminal.type(move)
    terminal.press("Enter")
    terminal.wait(lambda shown: ends_with(shown, "Enter plays it"))
    terminal.press("Enter")
    terminal.wait(lambda shown: not ends_with(shown, "Enter plays it"))
