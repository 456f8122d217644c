"""Lessons in plain text: one idea at a time on a real table, with as many tries as it takes."""

from typing import Any

from tessella.core.game import Seat, View
from tessella.core.record import read_rules
from tessella.games import GAMES
from tessella.lessons.course import OpenStep, Turn, open_steps
from tessella.lessons.lesson import LEARNER, Lesson, Text
from tessella.local.last_round import open_last_round
from tessella.terminal.console import Console
from tessella.terminal.play import PlainGame, PlainText, Stopped
from tessella.terminal.setup import bot_name, distinct
from tessella.text.narration import narrate
from tessella.text.style import Style


class LessonText(PlainText):
    """One step of a lesson in plain text."""

    def __init__(self, opened: OpenStep, style: Style, console: Console) -> None:
        super().__init__(opened.game, style, console)
        self.opened = opened
        self._state = opened.state

    @property
    def state(self) -> Any:  # noqa: ANN401
        """The position of the step."""
        return self._state

    def _view(self, seat: Seat) -> View:
        view: View = self.game.view(self._state, seat)
        return view

    def _record(self) -> str:
        written: str = self.game.write_state(self._state)
        return written

    def take(self, number: int, total: int) -> None:
        """Show the step; if it asks for a move, ask until it is made."""
        texts = self.style.texts
        title = texts("lesson.step", n=number, total=total, title=self._choose(self.opened.step.title))
        self.say("\n" + self.style.strong(title))
        self._narrate(self.opened.turns)
        self._look(LEARNER)
        self.say("\n" + self.style.paragraph(self._choose(self.opened.said())))
        if not self.opened.step.solution:
            self._pause()
            return
        while not self._answered(self.console.ask(texts("lesson.ask")).strip()):
            pass

    def _answered(self, text: str) -> bool:
        """Handle a line that was typed; return whether the step is done."""
        if text.lower() == "show":
            text = self.opened.step.solution
            self.say(self.style.strong(text))
        elif not text or self._command(LEARNER, text):
            return False
        move = self._read(LEARNER, text)
        return move is not None and self._judge(self.game.write_move(self._state, move))

    def _judge(self, move: str) -> bool:
        judged = self.opened.judge(move)
        if judged.state is None:
            self.say(self.style.paragraph(self._choose(judged.said)))
            return False
        self._state = judged.state
        self._narrate(judged.turns)
        self._look(LEARNER)
        self.say("\n" + self.style.paragraph(self._choose(judged.said)))
        self._pause()
        return True

    def _narrate(self, turns: tuple[Turn, ...]) -> None:
        for turn in turns:
            for line in narrate(self.game, turn.events, self.style, LEARNER):
                self.say(line)

    def _pause(self) -> None:
        if self.console.watched and self.console.ask("\n" + self.style.texts("lesson.next")).strip().lower() == "q":
            raise Stopped

    def _choose(self, text: Text) -> str:
        return text_in(text, self.style)


def text_in(text: Text, style: Style) -> str:
    """Return a text in the language of a style."""
    chosen: str = getattr(text, style.texts.language)
    return chosen


def take_lesson(lesson: Lesson, style: Style, console: Console) -> None:
    """Take a person through a lesson, then play its last round, until they quit."""
    steps = open_steps(lesson.game)
    try:
        for number, opened in enumerate(steps, 1):
            LessonText(opened, style, console).take(number, len(steps) + 1)
    except (Stopped, EOFError, KeyboardInterrupt):
        console.say("\n" + style.texts("stopped"))
        return
    _play_last_round(lesson, len(steps) + 1, style, console)


def _play_last_round(lesson: Lesson, number: int, style: Style, console: Console) -> None:
    """Play the prepared game at this keyboard."""
    texts, last = style.texts, lesson.last_round
    title = texts("lesson.step", n=number, total=number, title=text_in(last.title, style))
    console.say("\n" + style.strong(title) + "\n" + style.paragraph(text_in(last.say, style)))
    seats = read_rules(GAMES[lesson.game], last.rules).seats
    style.names = distinct([style.name(LEARNER), *[bot_name(texts, last.level)] * (seats - 1)])
    PlainGame(open_last_round(lesson, style.names), style, console).play()
    console.say("\n" + texts("lesson.more", game=lesson.game, level=last.level))
