"""Scripted people before a full screen: they see what is on it, press keys and point with the mouse."""

import asyncio
import time
from contextlib import asynccontextmanager

from textual.widgets import Static

from tessella.core.record import read_rules
from tessella.games import GAMES
from tessella.terminal.client import LocalClient
from tessella.terminal.tui.app import Tessella
from tessella.terminal.tui.canvas_widget import CanvasWidget
from tessella.terminal.tui.dialogs import Card, Curtain, Story
from tessella.terminal.tui.game_screen import GameScreen
from tessella.text.i18n import Translations
from tests.server.waiting import until
from tests.terminal.tables import Seats

KEYS = {"-": "minus", "@": "at", "*": "asterisk", "?": "question_mark", "+": "plus", "=": "equals_sign"}
LONGEST_SECONDS = 120


def app_for(screen, language="en", **more):
    return Tessella(screen, Translations(language), dwell=0, **more)


@asynccontextmanager
async def shown(app, size=(80, 24)):
    """The app on a screen; it ends by itself before the test closes it, as it does for a person."""
    async with app.run_test(size=size) as pilot:
        yield pilot
        if app.is_running:
            app.exit()
        await until(lambda: not app.is_running)


def table_here(title, players, *options, seed=7, bots=None):
    game = GAMES[title]
    rules = " ".join([f"{title}/{game.EDITION}", f"seats={len(players)}", *options])
    levels = bots if bots is not None else dict.fromkeys(range(1, len(players)), "random")
    seed, config = bytes([seed] * 32), read_rules(game, rules)
    return LocalClient(Seats(game, config, seed=seed, id="test", names=players, bots=levels).local)


class Person:
    """Somebody before the screen of one table."""

    def __init__(self, pilot, playing: GameScreen) -> None:
        self.pilot = pilot
        self.playing = playing
        self.pages: list[str] = []
        """The kinds of pages that opened."""

    @property
    def canvas(self):
        return self.playing.query_one(CanvasWidget).canvas

    @property
    def over(self) -> bool:
        return self.playing.snapshot is not None and self.playing.snapshot.status == "over"

    async def wait(self, ready) -> None:
        until = time.monotonic() + LONGEST_SECONDS
        while not ready():
            assert time.monotonic() < until, f"nothing happens: {self.canvas.text()}"
            await asyncio.sleep(0.02)

    async def opened(self, kind):
        """Wait until a dialog of this kind is open; gives it."""
        await self.wait(lambda: isinstance(self.pilot.app.screen, kind))
        return self.pilot.app.screen

    async def back(self) -> None:
        """Wait until no dialog is open."""
        await self.wait(lambda: self.pilot.app.screen is self.playing)

    def said(self, where: str = "info") -> str:
        return str(self.playing.query_one(f"#{where}", Static).render())

    async def told(self, *texts: str) -> None:
        """Wait until the lines below the table say this."""
        await self.wait(lambda: all(text in self.said() for text in texts))

    async def press(self, text: str) -> None:
        await self.pilot.press(*[KEYS.get(letter, letter) for letter in text])

    async def next_turn(self) -> bool:
        """Close what opens until it is our turn; False when the game is over."""
        while True:
            await self.wait(lambda: self._page() or self._may_move() or self._must_go() or self._done())
            if self._page():
                self.pages.append(type(self.pilot.app.screen).__name__)
                await self.pilot.press("escape" if isinstance(self.pilot.app.screen, Story) else "enter")
            elif self._must_go():
                await self.pilot.press("enter")
            else:
                return not self.over

    def _done(self) -> bool:
        return self.over and "Card" in self.pages

    def _page(self) -> bool:
        return isinstance(self.pilot.app.screen, Story | Card | Curtain)

    def _may_move(self) -> bool:
        return bool(self.playing.snapshot and self.playing.snapshot.moves and not self.playing.sent)

    def _must_go(self) -> bool:
        return bool(self.playing.snapshot and self.playing.snapshot.next_to_sit is not None)

    # Three ways to make a move

    async def type(self, move: str) -> None:
        await self.press(move)
        await self.pilot.press("enter")

    async def choose_by_keys(self, move: str) -> None:
        """Tab to each part and choose it."""
        for part in self.playing.move_input.moves[move]:
            for _ in range(200):
                if self.playing.move_input.cursor == part:
                    break
                await self.pilot.press("tab")
            assert self.playing.move_input.cursor == part, (part, self.canvas.text())
            await self.pilot.press("enter")

    async def choose_by_mouse(self, move: str) -> None:
        """Press each part; the last one again, once it shows what the move would do."""
        parts = self.playing.move_input.moves[move]
        for part in [*parts, parts[-1]]:
            spot = next(spot for spot in reversed(self.canvas.spots) if spot.name == part)
            x, y = spot.x + spot.width // 2, spot.y
            assert self.canvas.spot_at(x, y) == part, (part, self.canvas.spot_at(x, y), self.canvas.text())
            await self.pilot.click(CanvasWidget, offset=(x, y))


async def play_out(person: Person, act) -> int:
    """Play what looks best to the end; gives how many moves were made."""
    made = 0
    while await person.next_turn():
        playing, snapshot = person.playing, person.playing.snapshot
        assert snapshot is not None
        move = max(snapshot.moves, key=lambda move: playing.preview(move).points)
        await act(person, move, made)
        made += 1
    return made
