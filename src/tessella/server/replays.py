"""A whole game to be watched again: every step of it, as one seat or a spectator saw it.

A record becomes a table again, and that table is seen as all tables are; so whatever a board can draw of a game that is
played, it can draw of one that was.
"""

from collections.abc import Iterator

import msgspec

from tessella.core import record, wire
from tessella.core.game import AnyGame, BadNotation, Over, Public, Seat
from tessella.core.record import Record
from tessella.core.short import shorten
from tessella.games import GAMES
from tessella.server import seen
from tessella.server.entries import End, Ended, Entry, Opened, Played, Returned, Sat, Started, TookOver
from tessella.server.messages import Film, TableSeen
from tessella.server.past import Past, relive
from tessella.server.table import Table

LONGEST_LINK = 1_400
"""A game whose short form is longer is not put in a link: old mail programs would break it."""

_STEPS = (Started, Played, TookOver, Returned, Ended)


class ReplayStep(Public, frozen=True):
    """What one entry showed, and the game after it."""

    film: Film
    movers: tuple[Seat, ...]
    view: msgspec.Raw


class ReplaySeen(Public, frozen=True):
    """A game from its first deal on; `table` is how it ended. `short` is the whole game for a link, if it fits."""

    table: TableSeen
    steps: tuple[ReplayStep, ...]
    record: str
    short: str


def replay_past(past: Past, seat: Seat | None) -> ReplaySeen:
    """A game of this server, which is over."""
    return _replay(past, past.table.record(), seat)


def replay_record(whole: Record, seat: Seat | None) -> ReplaySeen:
    """A game that somebody brought; raises `BadNotation` where it is not a game by the rules."""
    table = Table(whole.id, Opened(whole.rules, whole.commitment.hex()), 0.0)
    return _replay(relive(table, ((entry, 0.0) for entry in _log(table.game, whole))), whole, seat)


def _replay(past: Past, whole: Record, seat: Seat | None) -> ReplaySeen:
    table = past.table
    if seat is not None and seat >= len(table.chairs):
        raise BadNotation(f"there is no seat {seat}")
    outside = seen.from_outside(table, table.opened_at, frozenset(range(len(table.chairs))), 0)
    steps = tuple(
        ReplayStep(
            seen.film(table, moment.happening, seat),
            moment.movers,
            wire.embed(table.game.view(moment.state, seat)),
        )
        for moment in past.moments
        if isinstance(moment.happening.entry, _STEPS)
    )
    return ReplaySeen(seen.from_seat(table, seat, outside), steps, record.write(whole), _short(table.game, whole))


def _short(game: AnyGame, whole: Record) -> str:
    text = shorten(game, whole)
    return text if len(text) <= LONGEST_LINK else ""


def _log(game: AnyGame, whole: Record) -> Iterator[Entry]:
    """The log of a table at which the record would have been played."""
    for seat in range(record.read_rules(game, whole.rules).seats):
        yield Sat(seat, f"seat {seat}", whole.names[seat] if seat < len(whole.names) else "")
    first, *moves = _moves(game, whole)
    yield Started(first[1])
    for mover, acts, end in moves:
        assert mover is not None
        yield Played(mover, acts, end)


def _moves(game: AnyGame, whole: Record) -> list[tuple[Seat | None, tuple[str, ...], End | None]]:
    """Each move with the deals that follow it, behind the deals at the start."""
    moves: list[tuple[Seat | None, list[str]]] = [(None, [])]
    end = None
    for step in record.replay(game, whole):
        if step.seat is None:
            moves[-1][1].append(step.text)
        else:
            moves.append((step.seat, [step.text]))
        turn = game.turn(step.after)
        if isinstance(turn, Over):
            end = End(whole.seed.hex(), whole.seal.hex(), "over", turn.scores, turn.places)
    last = len(moves) - 1
    return [(seat, tuple(acts), end if at == last else None) for at, (seat, acts) in enumerate(moves)]


def game_named(name: str) -> AnyGame | None:
    """The game whose name and edition a short form begins with."""
    return next((game for game in GAMES.values() if f"{game.NAME}{game.EDITION}" == name), None)
