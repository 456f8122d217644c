"""Real terminals, each on a tmux server of its own: keys go in, what is on the screen comes out."""

import os
import subprocess
import sys
import time
from itertools import count

LONGEST_SECONDS = 120
"""A screen that has not become as expected by then never will."""
_numbers = count()

PAGES = (
    ("Enter: next", "Escape"),
    ("Enter: close", "Escape"),
    ("Pass the keyboard", "Enter"),
    ("Press Enter to hide", "Enter"),
)
"""What must be read before the next move, and what closes it."""
PAGE_TEXTS = tuple(text for text, _ in PAGES)
OVER = "How it was scored"
PLAY = "Enter plays it"
CHOICES = (
    (PLAY, "Enter", ()),
    ("legal move", "Enter", (PLAY,)),
    ("your turn", "F3", ("legal move",)),
    ("Enter: the result", "Enter", (OVER,)),
)
"""What is asked of who must move, how the move that seems best is made, and what the screen then shows."""


class Terminal:
    """`tessella` in a terminal of a given size; it saves its files in the folder."""

    def __init__(self, size, *arguments, folder, colour="-u NO_COLOR"):
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
        until = time.monotonic() + LONGEST_SECONDS
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

    def next_turn(self):
        """Close what opens until a move is asked for; False when the game is over."""
        while True:
            shown = self.wait_for(*PAGE_TEXTS, OVER, "your turn")
            text, key = page_on(shown)
            if not text:
                return OVER not in shown
            self.press(key)
            self.wait_until_gone(text)

    # Two ways to make a move

    def make(self, move):
        """Type a move, see what it would do, and play it; a page may open before it is typed."""
        prompt = f"› {move}   {PLAY}"
        self.type(move)
        while prompt not in self.wait_for(prompt, *PAGE_TEXTS):
            self.next_turn()
            self.press("Escape")
            self.type(move)
        self.press("Enter")
        self.wait_until_gone(prompt)

    def go_on(self):
        """Press what the screen asks for; the first move of the list is the best. Whether the game goes on."""
        shown = self.screen()
        if OVER in shown:
            return False
        text, key = page_on(shown)
        if text:
            self.press(key)
            self.wait(lambda now: text not in now or now != shown)
            return True
        text, key, answers = next((choice for choice in CHOICES if choice[0] in shown), ("", "", ()))
        if text:
            self.press(key)
            self.wait(lambda now: any(it in now for it in (*PAGE_TEXTS, *answers)) if answers else text not in now)
        return True

    def move(self):
        """Make the move of the list that seems best."""
        self.wait_for("your turn")
        while PLAY not in self.screen():
            self.go_on()
        self.go_on()

    def play_out(self):
        """Make the moves that seem best until the result is on the screen."""
        while self.go_on():
            time.sleep(0.03)


def page_on(shown):
    """The text of the page that must be read first, and the key that closes it."""
    return next((page for page in PAGES if page[0] in shown), ("", ""))
