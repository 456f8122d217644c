"""Real terminals, each on a tmux server of its own: keys go in, what is on the screen comes out."""

import os
import subprocess
import sys
import time
from itertools import count

PATIENCE = 60
ANSWER = 3
LONGEST = 1800
_numbers = count()

PAGES = (
    ("Enter: next", "Escape"),
    ("Enter: close", "Escape"),
    ("Pass the keyboard", "Enter"),
    ("Press Enter to hide", "Enter"),
)
"""What must be read before the next move, and what closes it."""
CHOICES = (("Enter plays it", "Enter"), ("legal move", "Enter"), ("your turn", "F3"), ("Enter: the result", "Enter"))
"""What is asked of who must move, and how the move that seems best is made."""
OVER = "How it was scored"


class Terminal:
    """`tessella` in a terminal of a given size; it saves its files in the folder."""

    def __init__(self, size, *arguments, folder, colour="-u NO_COLOR"):
        self.began = time.monotonic()
        folder.mkdir(exist_ok=True)
        self.name = f"tessella-test-{os.getpid()}-{next(_numbers)}"
        columns, rows = map(str, size)
        settings = f"env {colour} TERM=xterm-256color XDG_DATA_HOME={folder}"
        command = " ".join([settings, sys.executable, "-m tessella", *arguments, "--language en; sleep 600"])
        self.tmux("-u", "new-session", "-d", "-s", "it", "-x", columns, "-y", rows, "-c", str(folder), command)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tmux("kill-server")

    def tmux(self, *arguments):
        done = subprocess.run(["tmux", "-L", self.name, *arguments], check=True, capture_output=True, text=True)
        return done.stdout

    def screen(self, *options):
        return self.tmux("capture-pane", "-p", "-t", "it", *options)

    def wait(self, ready):
        """Until the screen is as wanted; gives it."""
        until = time.monotonic() + PATIENCE
        while not ready(shown := self.screen()):
            assert time.monotonic() < until, f"nothing happens:\n{shown}"
            time.sleep(0.03)
        return shown

    def wait_for(self, *texts):
        return self.wait(lambda shown: any(text in shown for text in texts))

    def wait_until_gone(self, text):
        return self.wait(lambda shown: text not in shown)

    def press(self, key):
        self.tmux("send-keys", "-t", "it", key)

    def type(self, text):
        self.tmux("send-keys", "-t", "it", "-l", text)

    def close_pages(self, shown):
        """Close what must be read first; whether there was anything."""
        text, key = next((page for page in PAGES if page[0] in shown), ("", ""))
        if text:
            self.press(key)
            self.wait_until_gone(text)
        return bool(text)

    def next_turn(self):
        """Close what opens until a move is asked for; False when the game is over."""
        while True:
            shown = self.wait_for(*(text for text, _ in PAGES), OVER, "your turn")
            if OVER in shown:
                return False
            if not self.close_pages(shown):
                return True

    # Two ways to make a move

    def make(self, move):
        """Type a move, see what it would do, and play it."""
        self.type(move)
        self.wait_for(f"› {move}   Enter plays it")
        self.press("Enter")
        self.wait_until_gone(f"› {move} ")

    def go_on(self):
        """Press what the screen asks for; the first move of the list is the best. Whether the game goes on."""
        assert time.monotonic() < self.began + LONGEST, f"the game does not end:\n{self.screen()}"
        shown = self.drawn()
        text, key = asked_by(shown)
        if key:
            self.press(key)
            self._wait_for_an_answer(text)
        return text != OVER

    def _wait_for_an_answer(self, text):
        """Wait until the screen asks for something else, up to a limit: a dialog may ask the same again."""
        until = time.monotonic() + ANSWER
        while asked_by(self.screen())[0] == text and time.monotonic() < until:
            time.sleep(0.03)

    def last_screens(self):
        """The result, and the table as it was left."""
        self.wait_for(OVER)
        result = self.drawn(0.3)
        self.press("Enter")
        self.wait_until_gone(OVER)
        self.wait_for("The game is over. Enter")
        return f"{result}\n{self.drawn(0.3)}"

    def drawn(self, seconds=0.05):
        """The screen when all of it is drawn: it changes no more."""
        before = ""
        while (shown := self.screen()) != before:
            before = shown
            time.sleep(seconds)
        return shown


def asked_by(shown):
    """The texts on the screen that ask for something, and the key that answers them."""
    asked = ((OVER, ""), *PAGES, *CHOICES)
    return next(((text, key) for text, key in asked if text in shown), ("", ""))
