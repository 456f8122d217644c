"""Lessons as data: positions, what is said, which moves are accepted, and the answers to other moves.

A lesson is a file `GAME.toml` beside this module; the guide `docs/guides/write-a-lesson.md` explains its fields. Each
step opens with the position in which the step before it ended, unless it states one. No number is written in a text:
a blank such as `{points}` names a path into what the engine computed (see `facts`), so that it cannot be wrong.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from tessella.core.game import Public
from tessella.games import GAMES


class Text(Public, frozen=True, forbid_unknown_fields=True):
    """A text in every language; a test compares the fields with `LANGUAGES`."""

    en: str
    nl: str
    fr: str
    de: str
    es: str
    it: str

    def in_each(self) -> tuple[str, ...]:
        """Return the text in all languages, in the order of the fields."""
        return msgspec.structs.astuple(self)


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """What is said about moves that are legal, but not what the step asks for. `moves` is a regular expression."""

    moves: str
    text: Text


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """One idea. Without a `solution` there is nothing to do but to look.

    `acts` are played when the step opens, `then` after an accepted move; both are written as in a record.
    """

    id: str
    say: Text
    title: Text
    position: str = ""
    acts: tuple[str, ...] = ()
    teaches: tuple[str, ...] = ()
    """The rules that this step explains."""
    points_at: tuple[str, ...] = ()
    """The parts of the table that this step is about."""
    solution: str = ""
    """The accepted move; with several, the one from which the lesson goes on."""
    accepts: str = ""
    """A regular expression of all accepted moves; empty if there is only the solution."""
    done: Text | None = None
    answers: tuple[Answer, ...] = ()
    otherwise: Text | None = None
    """The answer to any other legal move."""
    then: tuple[str, ...] = ()
    numbers: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])
    """The blanks of the texts: a path into the facts for each."""


class LastRound(Struct, frozen=True, forbid_unknown_fields=True):
    """A game to finish alone: the acts that led to its last round, and the level of the opponents."""

    rules: str
    level: str
    acts: tuple[str, ...]
    say: Text
    title: Text


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole lesson; the learner has seat 0."""

    game: str
    about: Text
    steps: tuple[Step, ...]
    last_round: LastRound


LEARNER = 0
"""The seat of the learner."""


@cache
def shipped() -> Mapping[str, Lesson]:
    """Return the lesson of each game that has one, in the order of the games."""
    folder = files("tessella.lessons")
    found = {game: folder.joinpath(f"{game}.toml") for game in GAMES}
    return {game: read(file.read_text("utf-8")) for game, file in found.items() if file.is_file()}


def read(text: str) -> Lesson:
    """Parse a lesson; raise `msgspec.ValidationError` if a field is missing, unknown or of another type."""
    return msgspec.convert(tomllib.loads(text), Lesson)
