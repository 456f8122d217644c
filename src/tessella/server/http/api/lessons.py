"""Lessons: the list, a whole lesson, previews of moves, and the answer to a move."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from tessella.lessons.course import OpenStep
from tessella.lessons.views import (
    LessonAnswered,
    LessonsListed,
    LessonView,
    answer_move,
    find_step,
    list_lessons,
    preview_move,
    see_lesson,
)
from tessella.protocol.messages import PreviewReply
from tessella.server.http.api.routes import Answer, Problem, Request, Route


class LessonMove(Struct, frozen=True, forbid_unknown_fields=True):
    """A move in notation."""

    move: Annotated[str, Meta(max_length=40)]


async def get_lessons(request: Request) -> Answer:  # noqa: ARG001
    """List the lessons."""
    return Answer(list_lessons())


async def get_lesson(request: Request) -> Answer:
    """Return a whole lesson, with the view and the legal moves of every step."""
    found = see_lesson(request.path["title"])
    if found is None:
        raise Problem(404, "lesson", "there is no lesson for a game of this title")
    return Answer(found)


async def get_preview(request: Request) -> Answer:
    """Preview a move of a step, as at a table."""
    return Answer(preview_move(_find(request), request.query.get("move", "")))


async def post_answer(request: Request) -> Answer:
    """Say whether a move is what the step asks for, and why, or what it did."""
    step = _find(request)
    if request.body.move not in step.moves():
        raise Problem(422, "move", "there is no such move in this position")
    return Answer(answer_move(step, request.body.move))


def _find(request: Request) -> OpenStep:
    step = find_step(request.path["title"], request.path["step"])
    if step is None:
        raise Problem(404, "lesson", "there is no such step of a lesson")
    return step


ROUTES: Sequence[Route] = (
    Route("GET", "/api/lessons", get_lessons, LessonsListed),
    Route("GET", "/api/lessons/{title}", get_lesson, LessonView),
    Route("GET", "/api/lessons/{title}/{step}/preview", get_preview, PreviewReply, query=("move",)),
    Route("POST", "/api/lessons/{title}/{step}/answer", post_answer, LessonAnswered, LessonMove),
)
