"""Pages that open above a table: the story of a round, the rules, the moves, the result, a curtain, a question."""

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

from tessella.terminal import rulebook
from tessella.terminal.pen import Pen
from tessella.terminal.words import Words

MOST_ON_A_CARD = 12
"""So many choices fit on a card in the middle of the smallest screen; more need a page."""
T = TypeVar("T")


class Page(ModalScreen[T]):
    """A page above a table."""

    closed = False

    def close(self, result: T | None = None) -> None:
        """Close it, once: a second key may have been pressed before the page was gone."""
        if not self.closed:
            self.closed = True
            self.dismiss(result)


class Story(Page[None]):
    """What a round brought, one sentence at a time, at the reader's pace."""

    def __init__(self, lines: Sequence[str], game: str, words: Words, shown: int = 1) -> None:
        super().__init__()
        self.lines = lines
        self.game = game
        self.words = words
        self.shown = shown
        self.body = VerticalScroll(classes="body")
        self.told, self.hint = Static(id="told"), Static(classes="hint", id="hint")

    def compose(self) -> ComposeResult:
        """The sentences so far, and how to go on."""
        with Vertical(classes="page"):
            with self.body:
                yield self.told
            yield self.hint

    def on_mount(self) -> None:
        """Begin at what was told last."""
        self._tell()

    def _hint(self) -> str:
        key = "screen.story_done" if self.shown >= len(self.lines) else "screen.story_more"
        return self.words(key, n=self.shown, total=len(self.lines))

    def _tell(self) -> None:
        self.told.update(Text.from_ansi("\n".join(self.lines[: self.shown])))
        self.hint.update(self._hint())
        self.body.scroll_end(animate=False)

    def on_key(self, event: events.Key) -> None:
        """Enter or Space: the next sentence; End: all of them; Escape: enough."""
        event.stop()
        if event.key == "escape":
            self.close()
        elif event.key in ("f1", "question_mark"):
            self.app.push_screen(Rules(self.game, self.words, self._rule()))  # pyright: ignore[reportUnknownMemberType]
        elif event.key in ("end", "pagedown"):
            self._go_on(len(self.lines))
        elif event.key in ("enter", "space", "down", "right"):
            self._go_on(1)

    def on_click(self) -> None:
        """As Enter."""
        self._go_on(1)

    def _rule(self) -> str:
        """The rule by which the last number was counted."""
        found = re.findall(r"\b[A-Z]{2}\d\d\b", "\n".join(self.lines[: self.shown]))
        return found[-1] if found else ""

    def _go_on(self, by: int) -> None:
        if self.shown >= len(self.lines):
            self.close()
        else:
            self.shown = min(self.shown + by, len(self.lines))
            self._tell()


class Rules(Page[None]):
    """The rules by their numbers, with how to write a move; typing finds a number or a word."""

    AUTO_FOCUS = "Input"

    def __init__(self, game: str, words: Words, wanted: str = "") -> None:
        super().__init__()
        self.words = words
        self.page = rulebook.page(game, words.language)
        self.help = Static(
            words(f"help.{game}").strip() if words.has(f"help.{game}") else "", markup=False, classes="rule"
        )
        self.wanted = wanted
        self.body = VerticalScroll(classes="body")

    def compose(self) -> ComposeResult:
        """What to look for, and every rule."""
        with Vertical(classes="page"):
            yield Static(self.page.title, classes="title", markup=False)
            yield Input(value="", placeholder=self.words("screen.find"), id="find")
            with self.body:
                yield self.help
                for heading, rules in self.page.sections:
                    yield Static(heading, classes="title", markup=False)
                    for rule in rules:
                        yield Static(_told(rule), classes="rule", id=rule.id)
                yield Static(self.page.note, classes="hint", markup=False)
            yield Static(self.words("screen.close"), classes="hint")

    def on_mount(self) -> None:
        """Open at the rule that was asked for."""
        for rule in self.query(f"#{self.wanted}") if self.wanted else ():
            rule.add_class("-wanted")
            self.call_after_refresh(rule.scroll_visible, animate=False, top=True)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show only what has the text in it."""
        sought = event.value.strip().casefold()
        self.help.display = not sought
        for _, rules in self.page.sections:
            for rule in rules:
                told = f"{rule.id} {rule.title} {rule.text}".casefold()
                for shown in self.query(f"#{rule.id}"):
                    shown.display = sought in told

    def on_key(self, event: events.Key) -> None:
        """Escape closes; the arrows turn the page."""
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


def _told(rule: rulebook.Rule) -> Text:
    return Text.assemble((f"{rule.id} ", "bold"), (f"{rule.title} ", "italic"), rule.text)


class Pick(Page[str]):
    """A list of which one thing is picked: a move, something to ask the server for."""

    AUTO_FOCUS = "OptionList"

    def __init__(self, title: str, choices: Sequence[tuple[str, str]], hint: str) -> None:
        super().__init__()
        self.heading = title
        self.choices = choices
        self.hint = hint

    def compose(self) -> ComposeResult:
        """The choices, each with what it means."""
        with Vertical(classes="page" if len(self.choices) > MOST_ON_A_CARD else "card"):
            yield Static(Text.from_ansi(self.heading), classes="title")
            options = [Option(Text.from_ansi(told), id=f"choice{n}") for n, (_, told) in enumerate(self.choices)]
            yield OptionList(*options, classes="body")
            yield Static(self.hint, classes="hint")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Picked."""
        self.close(self.choices[event.option_index][0])

    def on_key(self, event: events.Key) -> None:
        """Escape picks nothing."""
        if event.key == "escape":
            event.stop()
            self.close("")


class Card(Page[bool]):
    """Something to read; Enter goes on, Escape goes back."""

    def __init__(self, text: str, hint: str) -> None:
        super().__init__()
        self.text = text
        self.hint = hint

    def compose(self) -> ComposeResult:
        """The text and what to press."""
        with Vertical(classes="card"):
            with VerticalScroll(classes="body"):
                yield Static(Text.from_ansi(self.text))
            yield Static(self.hint, classes="hint", markup=False)

    def on_key(self, event: events.Key) -> None:
        """Enter or Escape."""
        event.stop()
        if event.key in ("enter", "escape"):
            self.close(event.key == "enter")

    def on_click(self) -> None:
        """As Enter."""
        self.close(result=True)


def result(why: str, places: Sequence[str], points: Sequence[str], pen: Pen) -> str:
    """What is read when a game is over: how it ended, everybody's place, and where the points came from."""
    return "\n".join([pen.strong(why), "", *places, "", pen.strong(pen.words("ledger")), *points])


class Curtain(Card):
    """Nothing of the table is seen until the next person sits down."""
