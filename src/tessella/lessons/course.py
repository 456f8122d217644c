"""A lesson played by the engine: the position of every step, and the judgement of the moves made in it."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from tessella.core import record
from tessella.core.game import AnyGame, BadNotation, Choose, IllegalMove, Seat
from tessella.games import GAMES
from tessella.lessons.facts import Facts
from tessella.lessons.lesson import LEARNER, Lesson, Step, Text, shipped


class Turn(Struct, frozen=True):
    """A move and the deals that follow it, or deals alone (seat None), with all their events."""

    seat: Seat | None
    acts: tuple[str | None, ...]
    """As written in a record; None if the learner may not read it."""
    events: tuple[Any, ...]


class OpenStep(Struct, frozen=True):
    """A step as it opens: the position before its acts, what they did, and the position in which the learner moves."""

    game: AnyGame
    step: Step
    before: Any
    turns: tuple[Turn, ...]
    state: Any

    def moves(self) -> tuple[str, ...]:
        """Return the legal moves of the learner; none if the step only shows something."""
        turn = self.game.turn(self.state)
        if not self.step.solution or not isinstance(turn, Choose) or LEARNER not in turn.seats:
            return ()
        return tuple(self.game.write_move(self.state, move) for move in self.game.legal_moves(self.state, LEARNER))

    def accepts(self, move: str) -> bool:
        """Return whether a legal move is what the step asks for."""
        return move == self.step.solution or bool(self.step.accepts and re.fullmatch(self.step.accepts, move))

    def said(self) -> Text:
        """Return what the step says when it opens; its numbers are those of the solution."""
        return self._facts(self.step.solution).fill(self.step.say, self.step.numbers)

    def judge(self, text: str) -> "Judged":
        """Return what is said about a legal move, and where it leads if it is accepted; raise `BadNotation` if none."""
        if text not in self.moves():
            raise BadNotation(f"{text!r} is not a legal move of this step")
        facts = self._facts(text)
        if not self.accepts(text):
            return Judged(None, facts.fill(self._answer(text), self.step.numbers), ())
        state, turns = self.play(text)
        assert self.step.done is not None
        return Judged(state, facts.fill(self.step.done, self.step.numbers), turns)

    def play(self, move: str) -> tuple[Any, tuple[Turn, ...]]:
        """Play a move of the learner and what follows it; return the position, and what happened."""
        after, events = self.game.apply(self.state, self.game.read_move(self.state, LEARNER, move))
        return play_acts(self.game, after, self.step.then, Turn(LEARNER, (move,), tuple(events)))

    def _answer(self, move: str) -> Text:
        found = next((each.text for each in self.step.answers if re.fullmatch(each.moves, move)), self.step.otherwise)
        assert found is not None
        return found

    def _facts(self, move: str) -> Facts:
        events = [event for turn in self.turns for event in turn.events]
        view = self.game.view(self.state, LEARNER)
        if not move:
            return Facts(self.game.NAME, events, view, view)
        preview = self.game.preview(self.state, self.game.read_move(self.state, LEARNER, move))
        after, turns = self._followed(move)
        events += [event for turn in turns for event in turn.events]
        return Facts(self.game.NAME, events, view, self.game.view(after, LEARNER), preview, move, self.step.solution)

    def _followed(self, move: str) -> tuple[Any, tuple[Turn, ...]]:
        """Play a move, and what follows it only if it is accepted: other moves need not allow the same acts."""
        if self.accepts(move):
            return self.play(move)
        after, events = self.game.apply(self.state, self.game.read_move(self.state, LEARNER, move))
        return after, (Turn(LEARNER, (move,), tuple(events)),)


class Judged(Struct, frozen=True):
    """The answer to a move; `state` is where it led, or None if it is not accepted."""

    state: Any
    said: Text
    turns: tuple[Turn, ...]


@cache
def open_steps(title: str) -> tuple[OpenStep, ...]:
    """Return every step of a lesson with its position; raise `BadNotation` if an act or a position is not valid."""
    return play_lesson(shipped()[title])


def play_lesson(lesson: Lesson) -> tuple[OpenStep, ...]:
    """Play a lesson from its first position, with the solution of every step."""
    game, opened = GAMES[lesson.game], list[OpenStep]()
    state: Any = None
    for step in lesson.steps:
        before = game.read_state(step.position) if step.position else state
        state, turns = play_acts(game, before, step.acts)
        opened.append(OpenStep(game, step, before, turns, state))
        if step.solution:
            state, _ = opened[-1].play(step.solution)
    return tuple(opened)


def play_acts(game: AnyGame, state: Any, acts: Sequence[str], *turns: Turn) -> tuple[Any, tuple[Turn, ...]]:  # noqa: ANN401
    """Play acts from a position; return where they lead, and the turns. `turns` were played already."""
    played = list(turns)
    for text in acts:
        try:
            act = record.read_act(game, state, text)
            state, events = game.apply(state, act)
        except IllegalMove as exc:
            raise BadNotation(f"{text!r}: {exc}") from None
        shown = text if game.owner(act) in (None, LEARNER) else None
        if record.mover(act) is None and played:
            last = played[-1]
            played[-1] = Turn(last.seat, (*last.acts, shown), (*last.events, *events))
        else:
            played.append(Turn(record.mover(act), (shown,), tuple(events)))
    return state, tuple(played)
