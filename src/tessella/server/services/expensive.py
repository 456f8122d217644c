"""Tasks that replay a whole game or think about a move, and the child process that runs them.

A task takes plain values and returns a `Public` one; only its JSON leaves the process. `compute` starts the process,
whose loop is `main`: it reads requests from stdin, answers on stdout, and exits when stdin ends, so it never outlives
its worker. It has no database and no settings.
"""

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO, TypeAlias

import msgspec
from msgspec import Struct

from tessella.coach.hints import HintView, hint
from tessella.coach.lines import line_after
from tessella.core import link, record, wire
from tessella.core.game import BadNotation, Over, Public, Seat
from tessella.games import GAMES
from tessella.protocol.messages import EntriesView
from tessella.server.rooms.history import Log, decode_log
from tessella.server.services.cards import card_of_daily, card_of_game, card_of_puzzle, embed_of_game
from tessella.table import views
from tessella.table.branch import branch_of
from tessella.table.history import fold_log
from tessella.table.replay import LineView, ReplayView, game_named, replay_history, replay_record
from tessella.table.table import Refused

NICENESS = 10
"""Moves have priority over replays."""

HEAD_BYTES = 4
"""The size of the length that precedes each message between the two processes."""

PAGE_ENTRIES = 100
"""The most entries in one answer."""


class Checked(Public, frozen=True):
    """The record is a finished game of this many acts."""

    acts: int


class BranchChecked(Public, frozen=True):
    """A game can go on after these acts: its rules, and the id of the game that they come from."""

    rules: str
    game: str
    acts: tuple[str, ...]


# Tasks


def past_entries(game_id: str, log: Log, ids: Sequence[str], first: int, before: int) -> EntriesView:
    """Return the entries from `first` up to but not including `before`, as the person with these ids saw them."""
    history = fold_log(game_id, decode_log(log))
    seat = next((found for each in ids if (found := history.table.seat_of(each)) is not None), None)
    if not history.table.may_watch(seat):
        raise Refused("match", "the tables of a match can be watched when all of them are over")
    wanted = [applied for applied in history.entries if first <= applied.number < before]
    seen = views.entry_views(history.table, seat, wanted[:PAGE_ENTRIES])
    return EntriesView(seen, wanted[PAGE_ENTRIES].number if len(wanted) > PAGE_ENTRIES else None)


def hint_of(game_id: str, log: Log, ids: Sequence[str]) -> HintView:
    """Return a good move for the person with these ids, who is to move."""
    table = fold_log(game_id, decode_log(log)).table
    return hint(table, next((found for each in ids if (found := table.seat_of(each)) is not None), None))


def replay_of_game(game_id: str, log: Log, seat: Seat | None) -> ReplayView:
    """Return a finished game of this server, as a seat or a spectator saw it."""
    return replay_history(fold_log(game_id, decode_log(log)), seat)


def replay_of_link(title: str, text: str, seat: Seat | None) -> ReplayView:
    """Return the game in a link, as a seat or a spectator saw it."""
    game = game_named(title)
    if game is None:
        raise Refused("title", "there is no such game, or not in this edition")
    return replay_record(link.expand(game, text), seat)


def replay_of_record(text: str, seat: Seat | None) -> ReplayView:
    """Return the game in a record, as a seat or a spectator saw it."""
    return replay_record(read_record(text), seat)


def line_of_review(text: str, number: int, line: Sequence[str], seat: Seat | None) -> LineView:
    """Return a line that the coach found instead of an act of a record, as a seat or a spectator would see it."""
    return line_after(read_record(text), number, line, seat)


def check_finished(text: str) -> Checked:
    """Replay a record; raise `BadNotation` unless the game is over."""
    whole = read_record(text)
    game = GAMES[whole.game]
    steps = list(record.replay(game, whole))
    if not steps or not isinstance(game.turn(steps[-1].after), Over):
        raise BadNotation("the game is not over; the coach reviews finished games only")
    return Checked(len(whole.acts))


def check_branch(text: str, acts: int) -> BranchChecked:
    """Replay the first acts of a record; raise `BadNotation` unless a game can go on after them."""
    whole = read_record(text)
    branch = branch_of(GAMES[whole.game], whole, acts)
    return BranchChecked(whole.rules, branch.game, branch.acts)


def read_record(text: str) -> record.Record:
    """Return the record in a text; raise `BadNotation` if it is not one of a game that is played here."""
    whole = record.read(text)
    if whole.game not in GAMES:
        raise BadNotation(f"there is no game {whole.game!r} here")
    return whole


Task: TypeAlias = Callable[..., Public]

TASKS: Mapping[str, Task] = {
    task.__name__: task
    for task in (
        past_entries,
        hint_of,
        replay_of_game,
        replay_of_link,
        replay_of_record,
        line_of_review,
        check_finished,
        check_branch,
        card_of_game,
        card_of_puzzle,
        card_of_daily,
        embed_of_game,
    )
}


# Running them


class Outcome(Struct, frozen=True):
    """The result of a task: the JSON of its answer, the rule and message of an error, or the `place` of a failure."""

    data: bytes = b""
    rule: str = ""
    message: str = ""
    place: str = ""


def perform(name: str, arguments: Sequence[Any]) -> Outcome:
    """Run a task and return its outcome, whatever it raises."""
    try:
        return Outcome(wire.encode(TASKS[name](*arguments)))
    except BadNotation as exc:
        return Outcome(rule="replay", message=str(exc))
    except Refused as exc:
        return Outcome(rule=exc.rule, message=exc.message)
    except Exception as exc:  # noqa: BLE001  the process goes on with the next request
        return Outcome(place=_place(exc))


def _place(exc: Exception) -> str:
    """Return the type of an exception and where it was raised, without its text, which may contain personal data."""
    last = traceback.extract_tb(exc.__traceback__)[-1]
    return f"{type(exc).__name__} {Path(last.filename).name}:{last.lineno}"


# The process


def frame(message: object) -> bytes:
    """Return a message with its length in front, as the two processes exchange them."""
    data = msgspec.msgpack.encode(message)
    return len(data).to_bytes(HEAD_BYTES) + data


def main() -> None:
    """Answer requests one after the other until the worker closes stdin or ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the worker, which then closes stdin
    with suppress(AttributeError, OSError):
        os.nice(NICENESS)
    requests: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, requests), daemon=True).start()
    while True:
        name, arguments = msgspec.msgpack.decode(requests.get(), type=tuple[str, list[Any]])
        with suppress(BrokenPipeError):
            sys.stdout.buffer.write(frame(perform(name, arguments)))
            sys.stdout.buffer.flush()


def _read(stdin: BinaryIO, requests: SimpleQueue[bytes]) -> None:
    """Queue requests from stdin; exit when it ends, even in the middle of a computation."""
    while head := stdin.read(HEAD_BYTES):
        requests.put(stdin.read(int.from_bytes(head)))
    os._exit(0)


if __name__ == "__main__":
    main()
