"""The lines of the engine protocol, version 1: what a controller sends to an engine, and what the engine answers.

Every command gets exactly one final answer, `ok`, `move` or `error`; only `stop` and `quit` get none. Nothing here
reads or writes a stream. docs/reference/engine-protocol.md is the page for people who write engines.
"""

import re
from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

from tessella.bots import Budget
from tessella.core.game import BadNotation, Seat
from tessella.core.notation import match_groups, quote

VERSION = 1
MAX_LINE_CHARACTERS = 65_536
WORD = r"[!-~]+"
"""A word: printable ASCII without a space."""
NUMBER = r"[0-9]+(?:\.[0-9]+)?"


# From the controller


class Hello(Struct, frozen=True):
    """Open the conversation in this version of the protocol; the answer introduces the engine."""

    version: int = VERSION


class SetOption(Struct, frozen=True):
    """Set an option that the engine has offered."""

    name: str
    value: str


class NewGame(Struct, frozen=True):
    """A new game begins; `rules` is the first line of its record."""

    rules: str


class SetView(Struct, frozen=True):
    """What the seat to move may know, as JSON in one line."""

    json: str


class SetPosition(Struct, frozen=True):
    """A whole position that the seat to move cannot distinguish from the true one, in notation."""

    seat: Seat
    text: str


class SetRecord(Struct, frozen=True):
    """A whole game in its one-line form, of which the last position counts; for analysis, never during a game."""

    link: str


class SetMoves(Struct, frozen=True):
    """The legal moves of the seat to move, in notation."""

    moves: tuple[str, ...]


class Go(Struct, frozen=True):
    """Choose a move within this budget."""

    budget: Budget = Budget()


class Stop(Struct, frozen=True):
    """Answer the current `go` at once; ignored if there is none."""


class Quit(Struct, frozen=True):
    """End the process."""


Command: TypeAlias = Hello | SetOption | NewGame | SetView | SetPosition | SetRecord | SetMoves | Go | Stop | Quit


# From the engine


class Name(Struct, frozen=True):
    """The name of the engine."""

    text: str


class Author(Struct, frozen=True):
    """The author of the engine."""

    text: str


class Title(Struct, frozen=True):
    """A game that the engine plays, with its edition: `azul/1`."""

    title: str


class Option(Struct, frozen=True):
    """An option of the engine: its default and, if the list is not empty, every value that it may have."""

    name: str
    default: str
    values: tuple[str, ...] = ()


class Info(Struct, frozen=True):
    """What the search has found so far: `value` is the seat's win probability, `line` the expected moves."""

    nodes: int | None = None
    seconds: float | None = None
    value: float | None = None
    line: tuple[str, ...] = ()


class Ok(Struct, frozen=True):
    """The command is done."""


class Chosen(Struct, frozen=True):
    """The move that the engine makes."""

    move: str


class Failed(Struct, frozen=True):
    """The command failed; the engine goes on."""

    message: str


Answer: TypeAlias = Name | Author | Title | Option | Info | Ok | Chosen | Failed


# Commands as text


def write_command(command: Command) -> str:  # noqa: C901, PLR0911  one line per command
    """Return a command as one line, without its end.

    >>> write_command(Go(Budget(seconds=0.5, nodes=1000)))
    'go seconds 0.5 nodes 1000'
    """
    match command:
        case Hello(version=version):
            return f"tessella {version}"
        case SetOption(name=name, value=value):
            return f"option {name} {value}"
        case NewGame(rules=rules):
            return f"new {rules}"
        case SetView(json=json):
            return f"view {json}"
        case SetPosition(seat=seat, text=text):
            return f"position {seat} {text}"
        case SetRecord(link=link):
            return f"record {link}"
        case SetMoves(moves=moves):
            return " ".join(["moves", *moves])
        case Go(budget=budget):
            return " ".join(["go", *_pairs(seconds=_decimal(budget.seconds), nodes=budget.nodes)])
        case Stop():
            return "stop"
        case Quit():
            return "quit"


def read_command(line: str) -> Command:  # noqa: PLR0911  one line per command
    """Parse a line from the controller; raise `BadNotation` with what was expected.

    >>> read_command("go nodes 1000")
    Go(budget=Budget(seconds=None, nodes=1000))
    """
    word, _, rest = _bounded(line).partition(" ")
    match word:
        case "tessella":
            return Hello(int(_fields("([0-9]{1,4})", rest, "tessella VERSION")[0]))
        case "option":
            return SetOption(*_fields(f"({WORD}) ({WORD})", rest, "option NAME VALUE"))
        case "new":
            return NewGame(*_fields("(.+)", rest, "new RULES"))
        case "view":
            return SetView(*_fields(r"(\{.*\})", rest, "view JSON"))
        case "position":
            seat, text = _fields("([0-9]) (.+)", rest, "position SEAT POSITION")
            return SetPosition(int(seat), text)
        case "record":
            return SetRecord(*_fields(f"({WORD})", rest, "record LINK"))
        case "moves":
            return SetMoves(_words(rest, "moves MOVE …"))
        case "go":
            seconds, nodes = _fields(f"(?:seconds ({NUMBER}))? ?(?:nodes ([0-9]+))?", rest, "go [seconds S] [nodes N]")
            return Go(_budget(seconds, nodes))
        case "stop" | "quit" if not rest:
            return Stop() if word == "stop" else Quit()
        case _:
            commands = "tessella, option, new, view, position, record, moves, go, stop, quit"
            raise BadNotation(f"{quote(line)} is not a command: expected {commands}")


def _budget(seconds: str | None, nodes: str | None) -> Budget:
    budget = Budget(float(seconds) if seconds else None, int(nodes) if nodes else None)
    if 0 in (budget.seconds, budget.nodes):
        raise BadNotation("a budget of 0: expected more than 0 seconds and nodes")
    return budget


# Answers as text


def write_answer(answer: Answer) -> str:  # noqa: PLR0911  one line per answer
    """Return an answer as one line, without its end.

    >>> write_answer(Info(nodes=812, value=0.62, line=("3r4", "2b1")))
    'info nodes 812 value 0.62 line 3r4 2b1'
    """
    match answer:
        case Name(text=text) | Author(text=text):
            return f"{'name' if isinstance(answer, Name) else 'author'} {text}"
        case Title(title=title):
            return f"title {title}"
        case Option(name=name, default=default, values=values):
            return " ".join(["option", name, default, *values])
        case Info(nodes=nodes, seconds=seconds, value=value, line=line):
            pairs = _pairs(nodes=nodes, seconds=_decimal(seconds), value=_decimal(value))
            return " ".join(["info", *pairs, *(["line", *line] if line else [])])
        case Ok():
            return "ok"
        case Chosen(move=move):
            return f"move {move}"
        case Failed(message=message):
            return f"error {' '.join(message.split())}"


def read_answer(line: str) -> Answer:  # noqa: PLR0911  one line per answer
    """Parse a line from an engine; raise `BadNotation` with what was expected.

    >>> read_answer("option level 5 4 5 6")
    Option(name='level', default='5', values=('4', '5', '6'))
    """
    word, _, rest = _bounded(line).partition(" ")
    match word:
        case "name":
            return Name(*_fields("(.{1,80})", rest, "name TEXT"))
        case "author":
            return Author(*_fields("(.{1,80})", rest, "author TEXT"))
        case "title":
            return Title(*_fields("([a-z]+/[0-9]+)", rest, "title GAME/EDITION"))
        case "option":
            name, default, *values = _words(rest, "option NAME DEFAULT [VALUE …]", least=2)
            return Option(name, default, tuple(values))
        case "info":
            return _read_info(rest)
        case "ok" if not rest:
            return Ok()
        case "move":
            return Chosen(*_fields(f"({WORD})", rest, "move MOVE"))
        case "error":
            return Failed(*_fields("(.+)", rest, "error MESSAGE"))
        case _:
            answers = "name, author, title, option, info, ok, move, error"
            raise BadNotation(f"{quote(line)} is not an answer: expected {answers}")


def _read_info(rest: str) -> Info:
    parts = f"(?:nodes ([0-9]+))? ?(?:seconds ({NUMBER}))? ?(?:value ({NUMBER}))? ?(?:line ({WORD}(?: {WORD})*))?"
    expected = "info [nodes N] [seconds S] [value V] [line MOVE …], in this order, with V from 0 to 1"
    nodes, seconds, value, line = _fields(parts, rest, expected)
    if value and float(value) > 1:
        raise BadNotation(f"{quote(rest)} is not {expected}")
    return Info(
        int(nodes) if nodes else None,
        float(seconds) if seconds else None,
        float(value) if value else None,
        tuple(line.split(" ")) if line else (),
    )


# Parts of a line


def _bounded(line: str) -> str:
    if len(line) > MAX_LINE_CHARACTERS:
        raise BadNotation(f"a line of {len(line)} characters is too long: at most {MAX_LINE_CHARACTERS}")
    return line


def _fields(pattern: str, rest: str, expected: str) -> tuple[str, ...]:
    return match_groups(pattern, rest, expected)


def _words(rest: str, expected: str, least: int = 1) -> tuple[str, ...]:
    words = tuple(rest.split(" "))
    if len(words) < least or not all(re.fullmatch(WORD, word) for word in words):
        raise BadNotation(f"{quote(rest)} is not {expected}")
    return words


def _pairs(**fields: object) -> Sequence[str]:
    return [f"{name} {value}" for name, value in fields.items() if value is not None]


def _decimal(number: float | None) -> str | None:
    return None if number is None else f"{number:.6f}".rstrip("0").rstrip(".")
