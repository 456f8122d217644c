"""The game that ends a lesson: its last round, to be played alone."""

from collections.abc import Sequence

from tessella.core.record import Record
from tessella.lessons.lesson import LEARNER, Lesson
from tessella.local.game import LocalGame, LocalPlayer, branch_game


def open_last_round(lesson: Lesson, names: Sequence[str]) -> LocalGame:
    """Open the prepared game of a lesson at its last round; the learner has the first name, bots have the others."""
    last = lesson.last_round
    players = [LocalPlayer(name, "" if seat == LEARNER else last.level) for seat, name in enumerate(names)]
    return branch_game(Record(last.rules, last.acts), len(last.acts), players)
