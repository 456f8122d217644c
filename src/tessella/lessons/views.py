"""Lessons as a client sees them: the list, a whole lesson, previews of moves, and the answer to a move."""

from collections.abc import Iterable
from functools import cache

import msgspec

from tessella.core import wire
from tessella.core.game import AnyGame, Choose, Public, Seat
from tessella.core.record import read_rules, write_rules
from tessella.lessons.course import OpenStep, Turn, open_steps, play_acts
from tessella.lessons.lesson import LEARNER, LastRound, Text, shipped
from tessella.protocol.messages import EntryView, PreviewReply
from tessella.table import views


class LessonListed(Public, frozen=True):
    """A lesson in a list."""

    title: str
    about: Text
    steps: int


class LessonsListed(Public, frozen=True):
    """All lessons."""

    lessons: tuple[LessonListed, ...]


class StepView(Public, frozen=True):
    """A step of a lesson. Without legal moves there is nothing to do but to look.

    `before` is the view before the entries, which are played when the step opens, and `view` the one after them.
    """

    id: str
    title: Text
    said: Text
    before: msgspec.Raw
    entries: tuple[EntryView, ...]
    view: msgspec.Raw
    movers: tuple[Seat, ...]
    moves: tuple[str, ...]
    solution: str
    points_at: tuple[str, ...]
    teaches: tuple[str, ...]


class LastRoundView(Public, frozen=True):
    """A game to finish alone: its rules, the acts that led to its last round, and the level of the opponents."""

    title: Text
    said: Text
    rules: str
    level: str
    seats: int
    acts: tuple[str, ...]
    view: msgspec.Raw


class LessonView(Public, frozen=True):
    """A whole lesson."""

    title: str
    about: Text
    rules: str
    seat: Seat
    steps: tuple[StepView, ...]
    last_round: LastRoundView


class LessonAnswered(Public, frozen=True):
    """What is said about a move, whether it is accepted, and if so what it did and the view after it."""

    accepted: bool
    said: Text
    entries: tuple[EntryView, ...]
    view: msgspec.Raw | None
    movers: tuple[Seat, ...]


def list_lessons() -> LessonsListed:
    """List the lessons, in the order of the games."""
    return LessonsListed(tuple(LessonListed(each.game, each.about, len(each.steps)) for each in shipped().values()))


def find_step(title: str, step_id: str) -> OpenStep | None:
    """Return a step of a lesson, or None if there is no such lesson or step."""
    steps = open_steps(title) if title in shipped() else ()
    return next((each for each in steps if each.step.id == step_id), None)


@cache
def see_lesson(title: str) -> LessonView | None:
    """Return a whole lesson as a client sees it, or None if there is none of this title."""
    if title not in shipped():
        return None
    lesson, steps = shipped()[title], open_steps(title)
    return LessonView(
        title=title,
        about=lesson.about,
        rules=write_rules(steps[0].game, steps[0].state.config),
        seat=LEARNER,
        steps=tuple(map(_see_step, steps)),
        last_round=_see_last_round(steps[0].game, lesson.last_round),
    )


def preview_move(opened: OpenStep, move: str) -> PreviewReply:
    """Preview a move, as at a table."""
    return views.preview_move(opened.game, opened.state, LEARNER, move)


def answer_move(opened: OpenStep, move: str) -> LessonAnswered:
    """Judge a legal move of a step; raise `BadNotation` if it is not one."""
    judged = opened.judge(move)
    if judged.state is None:
        return LessonAnswered(accepted=False, said=judged.said, entries=(), view=None, movers=())
    return LessonAnswered(
        accepted=True,
        said=judged.said,
        entries=_entries(opened.game, judged.turns),
        view=_see(opened.game, judged.state),
        movers=_movers(opened.game, judged.state),
    )


def _see_last_round(game: AnyGame, last: LastRound) -> LastRoundView:
    config = read_rules(game, last.rules)
    state, _ = play_acts(game, game.setup(config), last.acts)
    return LastRoundView(last.title, last.say, last.rules, last.level, config.seats, last.acts, _see(game, state))


def _see_step(opened: OpenStep) -> StepView:
    game, step = opened.game, opened.step
    return StepView(
        id=step.id,
        title=step.title,
        said=opened.said(),
        before=_see(game, opened.before),
        entries=_entries(game, opened.turns),
        view=_see(game, opened.state),
        movers=_movers(game, opened.state),
        moves=opened.moves(),
        solution=step.solution,
        points_at=step.points_at,
        teaches=step.teaches,
    )


def _see(game: AnyGame, state: object) -> msgspec.Raw:
    return wire.embed(game.view(state, LEARNER))


def _movers(game: AnyGame, state: object) -> tuple[Seat, ...]:
    turn = game.turn(state)
    return turn.seats if isinstance(turn, Choose) else ()


def _entries(game: AnyGame, turns: Iterable[Turn]) -> tuple[EntryView, ...]:
    return tuple(_entry(game, number, turn) for number, turn in enumerate(turns, 1))


def _entry(game: AnyGame, number: int, turn: Turn) -> EntryView:
    witnessed = [game.witness(event, LEARNER) for event in turn.events]
    events = tuple(wire.embed(event) for event in witnessed if event is not None)
    kind = "started" if turn.seat is None else "played"
    return EntryView(number, kind, turn.seat, turn.acts, events)
