"""Dialogs above a table: how a round was scored, the rules, the moves, the result, a question."""

import re
from collections.abc import Sequence
from typing import TypeVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from tessella.text import rulebook
from tessella.text.i18n import Translations
from tessella.text.style import Style

MAX_CARD_CHOICES = 12
"""The most choices that fit on a card on the smallest screen; a longer list fills the screen."""
T = TypeVar("T")


class Dialog(ModalScreen[T]):
    """A dialog above a table."""

    closed = False

    def close(self, result: T | None = None) -> None:
        """Close the dialog, once: a second key may have been pressed before it was gone."""
        if not self.closed:
            self.closed = True
            self.dismiss(result)


class Story(Dialog[None]):
    """How a round was scored, one sentence at a time."""

    def __init__(self, lines: Sequence[str], game: str, texts: Translations, shown: int = 1) -> None:
        super().__init__()
        self.lines = lines
        self.game = game
        self.texts = texts
        self.shown = shown
        self.body = VerticalScroll(classes="body")
        self.text, self.hint = Static(id="text"), Static(classes="hint", id="hint")

    def compose(self) -> ComposeResult:
        """Yield the sentences so far, and how to continue."""
        with Vertical(classes="page"):
            with self.body:
                yield self.text
            yield self.hint

    def on_mount(self) -> None:
        """Show the first sentences."""
        self._show()

    def _hint(self) -> str:
        key = "screen.story_done" if self.shown >= len(self.lines) else "screen.story_more"
        return self.texts(key, n=self.shown, total=len(self.lines))

    def _show(self) -> None:
        self.text.update(Text.from_ansi("\n".join(self.lines[: self.shown])))
        self.hint.update(self._hint())
        self.body.scroll_end(animate=False)

    def on_key(self, event: events.Key) -> None:
        """Handle a key: Enter or Space shows the next sentence, End all of them, Escape closes."""
        event.stop()
        if event.key == "escape":
            self.close()
        elif event.key in ("f1", "question_mark"):
            self.app.push_screen(Rules(self.game, self.texts, self._rule()))  # pyright: ignore[reportUnknownMemberType]
        elif event.key in ("end", "pagedown"):
            self._continue(len(self.lines))
        elif event.key in ("enter", "space", "down", "right"):
            self._continue(1)

    def on_click(self) -> None:
        """Do the same as Enter."""
        self._continue(1)

    def _rule(self) -> str:
        """Return the rule of the last number shown."""
        found = re.findall(r"\b[A-Z]{2}\d\d\b", "\n".join(self.lines[: self.shown]))
        return found[-1] if found else ""

    def _continue(self, by: int) -> None:
        if self.shown >= len(self.lines):
            self.close()
        else:
            self.shown = min(self.shown + by, len(self.lines))
            self._show()


class Rules(Dialog[None]):
    """The numbered rules and how to write a move, with a search field."""

    AUTO_FOCUS = "Input"

    def __init__(self, game: str, texts: Translations, wanted: str = "") -> None:
        super().__init__()
        self.texts = texts
        self.page = rulebook.page(game, texts.language)
        self.help = Static(
            texts(f"help.{game}").strip() if texts.has(f"help.{game}") else "", markup=False, classes="rule"
        )
        self.wanted = wanted
        self.body = VerticalScroll(classes="body")

    def compose(self) -> ComposeResult:
        """Yield the search field and every rule."""
        with Vertical(classes="page"):
            yield Static(self.page.title, classes="title", markup=False)
            yield Input(value="", placeholder=self.texts("screen.find"), id="find")
            with self.body:
                yield self.help
                for heading, rules in self.page.sections:
                    yield Static(heading, classes="title", markup=False)
                    for rule in rules:
                        yield Static(_rule_text(rule), classes="rule", id=rule.id)
                yield Static(self.page.note, classes="hint", markup=False)
            yield Static(self.texts("screen.close"), classes="hint")

    def on_mount(self) -> None:
        """Scroll to the wanted rule."""
        for rule in self.query(f"#{self.wanted}") if self.wanted else ():
            rule.add_class("-wanted")
            self.call_after_refresh(rule.scroll_visible, animate=False, top=True)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show only the rules that contain the text."""
        sought = event.value.strip().casefold()
        self.help.display = not sought
        for _, rules in self.page.sections:
            for rule in rules:
                content = f"{rule.id} {rule.title} {rule.text}".casefold()
                for shown in self.query(f"#{rule.id}"):
                    shown.display = sought in content

    def on_key(self, event: events.Key) -> None:
        """Handle a key: Escape closes, the arrows scroll."""
        match event.key:
            case "escape" | "f1":
                event.stop()
                self.close()
            case "down":
                self.body.scroll_down(animate=False)
            case "up":
                self.body.scroll_up(animate=False)
            case "pagedown":
                self.body.scroll_page_down(animate=False)
            case "pageup":
                self.body.scroll_page_up(animate=False)
            case _:
                pass


def _rule_text(rule: rulebook.Rule) -> Text:
    return Text.assemble((f"{rule.id} ", "bold"), (f"{rule.title} ", "italic"), rule.text)


class Pick(Dialog[str]):
    """A list to pick one thing from: a move, a request to the server."""

    AUTO_FOCUS = "OptionList"

    def __init__(self, title: str, choices: Sequence[tuple[str, str]], hint: str) -> None:
        super().__init__()
        self.heading = title
        self.choices = choices
        self.hint = hint

    def compose(self) -> ComposeResult:
        """Yield the choices, each with its meaning."""
        with Vertical(classes="page" if len(self.choices) > MAX_CARD_CHOICES else "card"):
            yield Static(Text.from_ansi(self.heading), classes="title")
            options = [Option(Text.from_ansi(meaning), id=f"choice{n}") for n, (_, meaning) in enumerate(self.choices)]
            yield OptionList(*options, classes="body")
            yield Static(self.hint, classes="hint")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close with the picked choice."""
        self.close(self.choices[event.option_index][0])

    def on_key(self, event: events.Key) -> None:
        """Handle Escape: close without a choice."""
        if event.key == "escape":
            event.stop()
            self.close("")


class Card(Dialog[bool]):
    """A message; Enter continues, Escape goes back."""

    def __init__(self, text: str, hint: str) -> None:
        super().__init__()
        self.text = text
        self.hint = hint

    def compose(self) -> ComposeResult:
        """Yield the text and what to press."""
        with Vertical(classes="card"):
            with VerticalScroll(classes="body"):
                yield Static(Text.from_ansi(self.text))
            yield Static(self.hint, classes="hint", markup=False)

    def on_key(self, event: events.Key) -> None:
        """Close with True on Enter, False on Escape."""
        event.stop()
        if event.key in ("enter", "escape"):
            self.close(event.key == "enter")

    def on_click(self) -> None:
        """Do the same as Enter."""
        self.close(result=True)


def result(why: str, places: Sequence[str], points: Sequence[str], style: Style) -> str:
    """Return the text for the end of a game: how it ended, the standings, and how it was scored."""
    return "\n".join([style.strong(why), "", *places, "", style.strong(style.texts("ledger")), *points])


class Curtain(Card):
    """Hides the table until the next person sits down."""
