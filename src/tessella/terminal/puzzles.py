"""Puzzles in plain text: find the one best move, with as many tries as it takes."""

from collections.abc import Iterable
from typing import Any

from tessella.coach.puzzles import Puzzle
from tessella.core.game import Seat, View
from tessella.games import GAMES
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
        self.say("\n" + self.style.strong(texts("puzzle.title", id=self.puzzle.id, n=self.puzzle.difficulty)))
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
        else:
            self.say(self.style.texts("puzzle.right") + " " + self._solution())
        return not loss

    def _solution(self) -> str:
        line = " ".join(self.puzzle.line) or self.puzzle.best
        return self.style.texts("puzzle.solution", move=self.puzzle.best, line=line)


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
