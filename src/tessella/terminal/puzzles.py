"""Puzzles in plain text: find the one best move, with as many tries as it takes."""

from collections.abc import Iterable, Sequence
from typing import Any

from tessella.coach.puzzles.puzzle import Puzzle
from tessella.core.game import Seat, View
from tessella.core.record import write_act
from tessella.games import GAMES
from tessella.table.replay import replay_acts
from tessella.terminal.console import Console
from tessella.terminal.play import PlainText, Stopped
from tessella.text.style import Style


class PuzzleText(PlainText):
    """One puzzle in plain text."""

    def __init__(self, puzzle: Puzzle, style: Style, console: Console) -> None:
        super().__init__(GAMES[puzzle.title], style, console)
        self.puzzle = puzzle
        self._state = self.game.read_state(puzzle.position)

    @property
    def state(self) -> Any:  # noqa: ANN401
        """The position to solve."""
        return self._state

    def _view(self, seat: Seat) -> View:
        view: View = self.game.view(self._state, seat)
        return view

    def _record(self) -> str:
        return self.puzzle.position

    def solve(self) -> bool:
        """Ask until the best move is found; return False if the player asked for the solution instead."""
        seat, texts = self.puzzle.seat, self.style.texts
        who = self.style.name(seat)
        self.say("\n" + self.style.strong(self._title()))
        self._look(seat)
        self.say(texts("puzzle.find", who=who))
        while True:
            text = self.console.ask(texts("ask", who=who)).strip()
            if text.lower() == "solution":
                self.say(self._solution())
                return False
            if text and not self._command(seat, text) and self._is_best(seat, text):
                return True

    def _is_best(self, seat: Seat, text: str) -> bool:
        """Print how much a move loses; return whether it is the best one."""
        move = self._read(seat, text)
        if move is None:
            return False
        self._explain(move)
        loss = self.puzzle.losses[self.game.write_move(self._state, move)]
        if loss:
            self.say(self.style.loss(self.style.texts("puzzle.wrong", percent=max(1, round(100 * loss)))))
            self._answer(self.game.write_move(self._state, move))
        else:
            self.say(self.style.texts("puzzle.right") + " " + self._solution())
        return not loss

    def _title(self) -> str:
        puzzle, texts = self.puzzle, self.style.texts
        theme = texts(f"puzzle.theme.{puzzle.title}.{puzzle.reason.theme}")
        game = texts(f"screen.game.{puzzle.title}")
        return texts("puzzle.title", game=game, id=puzzle.id, n=puzzle.difficulty, theme=theme)

    def _answer(self, move: str) -> None:
        """Say how play may go on after a wrong move."""
        replies = self._readable(move, self.puzzle.replies[move])
        if replies:
            self.say(self.style.texts("puzzle.reply", move=move, line=" ".join(replies)))

    def _solution(self) -> str:
        """Return the best move, how play may go on, and the reason."""
        puzzle, reason, texts = self.puzzle, self.puzzle.reason, self.style.texts
        line = " ".join((puzzle.best, *self._readable(puzzle.best, puzzle.line[1:])))
        why = texts(
            f"puzzle.why.{puzzle.title}.{reason.theme}",
            move=puzzle.tempting,
            best=number_text(reason.best, texts.language),
            other=number_text(reason.other, texts.language),
            n=max(1, round(100 * puzzle.losses[puzzle.tempting])),
        )
        proved = f" {texts(f'puzzle.proved.{puzzle.proved}')}" if puzzle.proved else ""
        return f"{texts('puzzle.solution', move=puzzle.best, line=line)}\n{why}{proved}"

    def _readable(self, move: str, acts: Sequence[str]) -> list[str]:
        """Return the acts after a move that the seat of the puzzle may read."""
        state = self._state
        first = write_act(self.game, state, self.game.read_move(state, self.puzzle.seat, move))
        steps = replay_acts(self.game, state, (first, *acts), self.puzzle.seat)
        return [act for step in steps for act in step.entry.acts if act is not None][1:]


def number_text(number: float, language: str) -> str:
    """Return a number with at most one decimal, as the language writes it.

    >>> number_text(3.0, "en"), number_text(2.5, "fr")
    ('3', '2,5')
    """
    text = f"{number:.1f}".removesuffix(".0")
    return text if language == "en" else text.replace(".", ",")


def solve_puzzles(puzzles: Iterable[Puzzle], style: Style, console: Console) -> int:
    """Let a person solve puzzles one after the other until they quit; return how many they solved."""
    solved = 0
    try:
        for puzzle in puzzles:
            solved += PuzzleText(puzzle, style, console).solve()
            if console.ask(style.texts("puzzle.next")).strip().lower() in ("q", "quit"):
                break
    except (Stopped, EOFError, KeyboardInterrupt):
        pass
    console.say("\n" + style.texts("puzzle.solved", n=solved))
    return solved
