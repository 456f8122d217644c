"""The full-screen client: the application, and the base of its screens."""

import os
from typing import cast

from textual.app import App
from textual.screen import Screen
from textual.theme import Theme
from textual.widgets import RichLog

from tessella.terminal.saving import SaveFile
from tessella.terminal.tui.canvas import DARK, LIGHT, Palette, paint
from tessella.text.i18n import Translations
from tessella.text.style import Style

DWELL_SECONDS = 0.7
"""How long each move of another player is shown before the next."""


_SCHEMES = {"tessella-dark": paint(DARK), "tessella-light": paint(LIGHT)}


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


class BaseScreen(Screen[None]):
    """A screen of the application."""

    @property
    def tessella(self) -> "Tessella":
        """Return the application with its own type."""
        return cast("Tessella", self.app)  # pyright: ignore[reportUnknownMemberType]

    def leave(self) -> None:
        """Close the screen, once: a second key may have been pressed before it was gone."""
        if self.on_top:
            self.dismiss()

    def rewrite(self) -> None:
        """Write all text again, in the colours of the new theme."""

    @property
    def on_top(self) -> bool:
        """Return whether no dialog covers the screen and the program is not ending."""
        return self.is_running and self.is_mounted and self.tessella.screen_stack[-1:] == [self]


class Log(RichLog, can_focus=False):
    """The history of the game."""

    def __init__(self) -> None:
        super().__init__(id="log", wrap=True, min_width=40)


class Tessella(App[None]):
    """The application. `dwell` is how many seconds each move of another player is shown."""

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    TITLE = "tessella"

    def __init__(
        self,
        first: Screen[None],
        texts: Translations,
        *,
        dwell: float = DWELL_SECONDS,
        save: SaveFile | None = None,
        light: bool = False,
    ) -> None:
        super().__init__(ansi_color="NO_COLOR" in os.environ or None)  # then no greys are sent either
        self.first = first
        self.texts = texts
        self.dwell = dwell
        self.save = save or SaveFile("", texts)
        self.register_theme(_theme("tessella-dark", DARK, dark=True))
        self.register_theme(_theme("tessella-light", LIGHT, dark=False))
        self.theme = "tessella-light" if light else "tessella-dark"

    def on_mount(self) -> None:
        """Open the first screen; the program ends when it is closed."""
        self.push_screen(self.first, lambda _: self.exit())

    @property
    def palette(self) -> Palette:
        """Return the colours of the theme."""
        return LIGHT if self.theme == "tessella-light" else DARK

    @property
    def colour(self) -> bool:
        """Return whether colours are wanted (see no-color.org)."""
        return not self.no_color

    def sentence_style(self, names: tuple[str, ...] = ()) -> Style:
        """Return the style of sentences with these player names."""
        width = max(40, self.size.width - 4)
        return Style(self.texts, names, colour=self.colour, width=width, scheme=_SCHEMES[self.theme])

    def action_light(self) -> None:
        """Switch between the dark and the light theme."""
        self.theme = "tessella-dark" if self.theme == "tessella-light" else "tessella-light"
        for screen in self.screen_stack:
            if isinstance(screen, BaseScreen):
                screen.rewrite()
        self.screen.refresh(layout=True)
