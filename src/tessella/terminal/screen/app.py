"""The full-screen client: one application, one screen for a table, and pages that open above it."""

import os
from pathlib import Path
from typing import cast

from textual.app import App
from textual.screen import Screen
from textual.theme import Theme
from textual.widgets import RichLog

from tessella.core import record
from tessella.core.record import Record
from tessella.terminal.pen import Pen
from tessella.terminal.screen.canvas import DARK, LIGHT, Palette, paint
from tessella.terminal.words import Words

DWELL = 0.7
"""How many seconds each move of the others stays on the screen before the next."""


_PAINTS = {"tessella-dark": paint(DARK), "tessella-light": paint(LIGHT)}


def _theme(name: str, palette: Palette, *, dark: bool) -> Theme:
    return Theme(
        name=name,
        primary=palette.accent,
        background=palette.ground,
        surface=palette.panel,
        panel=palette.panel,
        foreground=palette.ink,
        success=palette.gain,
        error=palette.loss,
        dark=dark,
        variables={"line": palette.line, "faint": palette.faint},
    )


class Stage(Screen[None]):
    """A screen of the application, which it knows by its own type."""

    @property
    def tessella(self) -> "Tessella":
        """The application."""
        return cast("Tessella", self.app)  # pyright: ignore[reportUnknownMemberType]

    def leave(self) -> None:
        """Go, once: a second key may have been pressed before the screen was gone."""
        if self.on_top:
            self.dismiss()

    def retell(self) -> None:
        """Write everything anew: the colours are others now."""

    @property
    def on_top(self) -> bool:
        """Whether nothing lies above it, neither a page nor the end of the program."""
        return self.is_running and self.is_mounted and self.tessella.screen_stack[-1:] == [self]


class Log(RichLog, can_focus=False):
    """What has happened, to be read only."""

    def __init__(self) -> None:
        super().__init__(id="log", wrap=True, min_width=40)


class Tessella(App[None]):
    """The application. `dwell` is how long the moves of the others are shown, one by one."""

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    TITLE = "tessella"

    def __init__(
        self, first: Screen[None], words: Words, *, dwell: float = DWELL, save: str = "", light: bool = False
    ) -> None:
        super().__init__(ansi_color="NO_COLOR" in os.environ or None)  # then not even greys are sent
        self.first = first
        self.words = words
        self.dwell = dwell
        self.save = save
        self.farewell = ""
        self.register_theme(_theme("tessella-dark", DARK, dark=True))
        self.register_theme(_theme("tessella-light", LIGHT, dark=False))
        self.theme = "tessella-light" if light else "tessella-dark"

    def on_mount(self) -> None:
        """Open the first screen; when it is left, we are done."""
        self.push_screen(self.first, lambda _: self.exit())

    @property
    def palette(self) -> Palette:
        """The colours of the theme."""
        return LIGHT if self.theme == "tessella-light" else DARK

    @property
    def colour(self) -> bool:
        """Whether the owner of the terminal wants colours (see no-color.org)."""
        return not self.no_color

    def pen(self, names: tuple[str, ...] = ()) -> Pen:
        """A pen for sentences."""
        width = max(40, self.size.width - 4)
        return Pen(self.words, names, colour=self.colour, width=width, paint=_PAINTS[self.theme])

    def action_light(self) -> None:
        """From dark to light, or back."""
        self.theme = "tessella-dark" if self.theme == "tessella-light" else "tessella-light"
        for stage in self.screen_stack:
            if isinstance(stage, Stage):
                stage.retell()
        self.screen.refresh(layout=True)

    def keep(self, played: Record) -> str:
        """Write a game to the file that was asked for, if there is one; say so, now and when all is over."""
        if self.save:
            Path(self.save).write_text(record.write(played), "utf-8")
            self.farewell = self.words("saved", file=self.save)
        return self.farewell
