"""Games that are kept however one leaves, and other things that people meet in a real terminal."""

import os
import re
import shutil

import pytest

from tessella.core import record
from tessella.games import GAMES
from tests.terminal.terminals import Terminal
from tests.terminal.test_online import port  # noqa: F401  a fixture
from tests.tiers import nightly

pytestmark = pytest.mark.skipif(not shutil.which("tmux"), reason="there is no tmux")

SEED = "07" * 32
SIZE = (100, 30)
DYING = """
import os, sys
if "tessella.terminal.bot_process" in sys.orig_argv:
    sys.stderr.write("Traceback\\nMemoryError: no room to think\\n")
    sys.stderr.flush()
    os._exit(1)
"""


def acts_in(path):
    return record.read(path.read_text("utf-8")).acts


def make_a_move(terminal):
    """Make the move of the list that seems best, and wait for the next turn."""
    terminal.wait_for("your turn")
    terminal.press("F3")
    terminal.wait_for("legal move")
    terminal.press("Enter")
    terminal.wait_for("Enter plays it")
    terminal.press("Enter")
    terminal.wait_until_gone("Enter plays it")


@pytest.mark.parametrize("way", ["q", "the window is closed", *nightly("ctrl+q", "ctrl+q in a dialog")])
def test_a_game_is_kept_however_one_leaves_and_goes_on_later(way, tmp_path):
    file = tmp_path / "it.game"
    with Terminal(SIZE, "play azul Ann 2 --save it.game --seed", SEED, folder=tmp_path) as terminal:
        make_a_move(terminal)
        terminal.wait_for("your turn")
        terminal.wait(lambda _: len(acts_in(file)) >= 3)
        if way == "q":
            terminal.press("q")
            terminal.wait_for("Leave this game?")
            terminal.press("Enter")
            terminal.wait_for("is saved in it.game")
        elif way == "ctrl+q":
            terminal.press("C-q")
            terminal.wait_for("is saved in it.game")
        elif way == "ctrl+q in a dialog":
            terminal.press("F1")
            terminal.wait_until_gone("your turn")
            terminal.press("C-q")
            terminal.wait_for("is saved in it.game")
    before = acts_in(file)
    with Terminal(SIZE, "play it.game", folder=tmp_path) as terminal:
        shown = terminal.wait_for("your turn")
        assert "Ann" in shown
        assert "Scatterbrain" in shown
        make_a_move(terminal)
        terminal.wait(lambda _: len(acts_in(file)) >= len(before) + 2)
    saved = record.read(file.read_text("utf-8"))
    assert saved.acts[: len(before)] == before
    assert saved.bots == (record.BotSeat(1, "2"),)
    assert record.verify(GAMES["azul"], saved) >= 1


def test_a_plain_game_is_kept_and_goes_on_too(tmp_path):
    with Terminal(SIZE, "play duel Ann 1 --plain --save it.game --seed", SEED, folder=tmp_path) as terminal:
        terminal.wait_for("your move")
        terminal.press("C-c")
        terminal.wait_for("is saved in it.game. Go on with it: tessella play it.game")
    with Terminal(SIZE, "play it.game --plain", folder=tmp_path) as terminal:
        terminal.wait_for("Ann, your move")
    with Terminal(SIZE, "play it.game Bob --plain", folder=tmp_path) as terminal:
        terminal.wait_for("already names the players")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_named_before_the_game(tmp_path):
    tmp_path.joinpath("closed").mkdir(mode=0o500)
    with Terminal(SIZE, "play azul --save closed/it.game", folder=tmp_path) as terminal:
        terminal.wait_for("cannot write closed/it.game: Permission denied")


@pytest.mark.parametrize("plain", ["", "--plain"])
def test_a_path_that_cannot_be_written_is_named_before_the_game(plain, tmp_path):
    with Terminal(SIZE, "play azul --save no/such/folder.game", plain, folder=tmp_path) as terminal:
        shown = terminal.wait_for("cannot write")
    assert "cannot write no/such/folder.game: No such file or directory; choose another file" in " ".join(shown.split())


def test_a_game_that_is_over_is_for_replay(tmp_path):
    shutil.copy("records/azul/row.game", tmp_path / "over.game")
    with Terminal(SIZE, "play over.game", folder=tmp_path) as terminal:
        terminal.wait_for("the game in over.game is over: watch it with tessella replay over.game")


def test_a_bot_process_that_dies_says_why_and_the_game_is_kept(tmp_path):
    tmp_path.joinpath("sitecustomize.py").write_text(DYING)
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    dying = f"-u NO_COLOR PYTHONPATH={paths}"
    with Terminal(SIZE, "play azul Ann 2 --save it.game --seed", SEED, folder=tmp_path, colour=dying) as terminal:
        terminal.wait_for("The computer player has stopped: MemoryError: no room to think")
        terminal.press("C-q")
        terminal.wait_for("is saved in it.game")
    assert len(acts_in(tmp_path / "it.game")) == 1


def test_puzzles_are_solved(tmp_path):
    with Terminal(SIZE, "puzzles --id azul-d8e4a120", folder=tmp_path) as terminal:
        terminal.wait_for("Find the best move")
        terminal.type("cr2")
        terminal.press("Enter")
        terminal.wait_for("Not the best: it costs 100 %")
        terminal.wait_for("After cr2 play may go on: cw- ck-.")
        terminal.type("cw3")
        terminal.press("Enter")
        terminal.wait_for("Well done, that is the best move.")
        terminal.wait_for("Your floor line ends up costing 4; after cr2 it costs 14.")
        terminal.wait_for("Proved: this move wins")
        terminal.type("q")
        terminal.press("Enter")
        terminal.wait_for("Puzzles solved: 1.")


def test_two_people_play_online_in_plain_text(port, tmp_path):  # noqa: F811
    server = f"http://127.0.0.1:{port}"
    hers, his = tmp_path / "hers", tmp_path / "his"
    tall = (120, 300)
    with Terminal(tall, "play azul Ann open --plain --save it.game --server", server, folder=hers) as ann:
        (link,) = re.findall(r"http\S+/join/\S+", ann.wait_for("/join/"))
        with Terminal(tall, "play", f"'{link}'", "Bob --aloud", folder=his) as bob:
            players = {"Ann": ann, "Bob": bob}
            for made in range(1, 5):
                ready = lambda shown, made=made: prompts(ann, bob) >= made  # noqa: E731
                ann.wait(ready)
                mover = next(who for who in players.values() if is_asked(who))
                move_by_list(mover)
            ann.wait(lambda _: prompts(ann, bob) >= 5)
            bob.type("resign")
            bob.press("Enter")
            ann.wait_for("The game is over: a player resigned.")
            bob.wait_for("The game is over: a player resigned.")
            ann.type("quit")
            ann.press("Enter")
            ann.wait_for("is saved in it.game")
    assert len(acts_in(hers / "it.game")) >= 5


def prompts(*terminals):
    """How often a move was asked for on these screens."""
    return sum(terminal.screen().count("your move (?") for terminal in terminals)


def is_asked(terminal):
    """Whether the last thing on the screen is the question for a move."""
    lines = [line for line in terminal.drawn().splitlines() if line.strip()]
    return "your move (?" in lines[-1]


def move_by_list(terminal):
    lists = terminal.screen().count("legal moves:")
    terminal.type("moves")
    terminal.press("Enter")
    terminal.wait(lambda shown: shown.count("legal moves:") > lists)
    shown = terminal.drawn()
    (move, *_) = re.findall(r"^  (\S+)  ", shown.rpartition("legal moves:")[2], re.MULTILINE)
    terminal.type(move)
    terminal.press("Enter")
    terminal.wait(lambda shown: "Enter plays it" in shown.rstrip().splitlines()[-1])
    terminal.press("Enter")
