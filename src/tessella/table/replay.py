"""Replays of whole games, step by step, as one seat or a spectator saw them.

A record is turned back into a table, which is viewed like any other; so a board that can draw a running game can draw a
replay.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from tessella.core import record, wire
from tessella.core.board import Board, board_of
from tessella.core.game import AnyGame, BadNotation, Choose, Over, Public, Seat
from tessella.core.link import shorten
from tessella.core.record import Record
from tessella.games import GAMES
from tessella.protocol.messages import EntryView, TableView
from tessella.table import views
from tessella.table.history import History, fold_entries
from tessella.table.log import (
    Branched,
    End,
    Ended,
    Entry,
    Opened,
    Played,
    Pledged,
    Returned,
    Revealed,
    Sat,
    Started,
    TookOver,
)
from tessella.table.table import AnyState, Table

LONGEST_LINK = 1_400
"""A game with a longer short form gets no link: old mail programs would break it."""

_STEPS = (Started, Played, TookOver, Returned, Ended)


class ReplayStep(Public, frozen=True):
    """The events of one entry, and the view after it, with its board if the game describes one."""

    entry: EntryView
    movers: tuple[Seat, ...]
    view: msgspec.Raw
    board: Board | None = None


class ReplayView(Public, frozen=True):
    """A game from its first deal on; `table` is its end, and `short` its short form for a link, if it fits."""

    table: TableView
    steps: tuple[ReplayStep, ...]
    record: str
    short: str


class LineView(Public, frozen=True):
    """A line of play from a position, step by step: moves that were not made."""

    steps: tuple[ReplayStep, ...]


def replay_history(history: History, seat: Seat | None) -> ReplayView:
    """Return a finished game of this server; its seed only if that is public."""
    whole = history.table.record()
    return _replay(history, whole if history.table.shown else replace(whole, seed=b"", seal=b""), seat)


def replay_record(whole: Record, seat: Seat | None) -> ReplayView:
    """Return the replay of an uploaded record; raise `BadNotation` if it is not a game by the rules."""
    table = Table(whole.id, opened_of(whole), 0.0)
    return _replay(fold_entries(table, ((entry, 0.0) for entry in log_of(table.game, whole))), whole, seat)


def _replay(history: History, whole: Record, seat: Seat | None) -> ReplayView:
    table = history.table
    if seat is not None and seat >= len(table.seats):
        raise BadNotation(f"there is no seat {seat}")
    outside = views.spectator_view(table, table.opened_at, frozenset(range(len(table.seats))), 0)
    steps = tuple(
        _step(table.game, step.state, views.entry_view(table, step.applied, seat), step.movers, seat)
        for step in history.steps
        if isinstance(step.applied.entry, _STEPS)
    )
    return ReplayView(views.seat_view(table, seat, outside), steps, record.write(whole), _short(table.game, whole))


def _step(
    game: AnyGame, state: AnyState, entry: EntryView, movers: tuple[Seat, ...], viewer: Seat | None
) -> ReplayStep:
    view = game.view(state, viewer)
    return ReplayStep(entry, movers, wire.embed(view), board_of(game, view))


def play_line(game: AnyGame, state: AnyState, seat: Seat, line: Sequence[str], viewer: Seat | None) -> LineView:
    """Return a line that begins with a move of `seat`, as a seat or a spectator would see it.

    Raise `BadNotation` or `IllegalMove` if it cannot be played, or if a deal would come before one of its moves.
    """
    steps: list[ReplayStep] = []
    for number, text in enumerate(line):
        move = game.read_move(state, seat if number == 0 else _next_seat(game, state), text)
        state, step = _play_step(game, state, move, EntryView(number, "played", move.seat, (text,), ()), viewer)
        steps.append(step)
    return LineView(tuple(steps))


def _next_seat(game: AnyGame, state: AnyState) -> Seat:
    turn = game.turn(state)
    if not isinstance(turn, Choose):
        raise BadNotation("no seat is to move here: the line goes on after a deal or after the end of the game")
    return turn.seats[0]


def replay_acts(game: AnyGame, state: AnyState, acts: Sequence[str], seat: Seat) -> tuple[ReplayStep, ...]:
    """Return the steps of acts from a position as a seat saw them: each move with the deals that follow it.

    Raise `BadNotation` or `IllegalMove` if an act is not possible; the first act is a move.
    """
    steps: list[ReplayStep] = []
    for text in acts:
        act = record.read_act(game, state, text)
        shown = text if game.owner(act) in (None, seat) else None
        entry = EntryView(len(steps) + 1, "played", record.mover(act), (shown,), ())
        if entry.seat is None:
            last = steps.pop().entry
            entry = replace(last, acts=(*last.acts, *entry.acts))
        state, step = _play_step(game, state, act, entry, seat)
        steps.append(step)
    return tuple(steps)


def _play_step(
    game: AnyGame,
    state: AnyState,
    act: Any,  # noqa: ANN401  a move or a deal of the game
    entry: EntryView,
    viewer: Seat | None,
) -> tuple[AnyState, ReplayStep]:
    """Return the state after an act, and the step in which an entry also has its events."""
    after, events = game.apply(state, act)
    witnessed = [game.witness(event, viewer) for event in events]
    seen = (*entry.events, *(wire.embed(event) for event in witnessed if event is not None))
    turn = game.turn(after)
    movers = turn.seats if isinstance(turn, Choose) else ()
    return after, _step(game, after, replace(entry, events=seen), movers, viewer)


def _short(game: AnyGame, whole: Record) -> str:
    text = shorten(game, whole)
    return text if len(text) <= LONGEST_LINK else ""


def opened_of(whole: Record) -> Opened:
    """Return how the table was opened at which this record was played."""
    branch = whole.branch
    begun = Branched(branch.game, whole.acts[: branch.acts]) if branch else None
    return Opened(whole.rules, whole.commitment.hex(), branch=begun)


def log_of(game: AnyGame, whole: Record) -> Iterator[Entry]:
    """Yield the log of a table at which this record was played."""
    levels = {bot.seat: bot.level for bot in whole.bots}
    seats = record.read_rules(game, whole.rules).seats
    for seat in range(seats):
        yield Sat(seat, f"seat {seat}", whole.names[seat] if seat < len(whole.names) else "", levels.get(seat, ""))
    for given in whole.contributions:
        if given.seat >= seats:
            raise BadNotation(f"there is no seat {given.seat} to pledge a number")
        yield Pledged(given.seat, given.pledge.hex())
        yield Revealed(given.seat, given.number.hex())
    first, *moves = _moves(game, whole)
    yield Started(first[1])
    for mover, acts, end in moves:
        assert mover is not None
        yield Played(mover, acts, end)


def _moves(game: AnyGame, whole: Record) -> list[tuple[Seat | None, tuple[str, ...], End | None]]:
    """Return the deals at the start (and all acts before a branch), then each move with the deals that follow it."""
    moves: list[tuple[Seat | None, list[str]]] = [(None, [])]
    end, first = None, whole.branch.acts if whole.branch else 0
    for step in record.replay(game, whole):
        if step.seat is None or step.number < first:
            moves[-1][1].append(step.text)
        else:
            moves.append((step.seat, [step.text]))
        turn = game.turn(step.after)
        if isinstance(turn, Over):
            end = End(whole.seed.hex(), whole.seal.hex(), "over", turn.scores, turn.places)
    last = len(moves) - 1
    return [(seat, tuple(acts), end if at == last else None) for at, (seat, acts) in enumerate(moves)]


def game_named(name: str) -> AnyGame | None:
    """Return the game whose name and edition a short form begins with, or None."""
    return next((game for game in GAMES.values() if f"{game.NAME}{game.EDITION}" == name), None)
