"""What each viewer may see of a table. Nothing else of a table is ever sent to clients."""

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from msgspec.structs import replace

from tessella.core import wire
from tessella.core.board import board_of, choices_of
from tessella.core.game import AnyGame, BadNotation, IllegalMove, Seat
from tessella.protocol.messages import BranchView, EndView, EntryView, PreviewReply, SeatView, TableView
from tessella.table.log import Asked, Declined, End, Entry, Left, Played, Pledged, Returned, Revealed, Sat, TookOver
from tessella.table.table import AnyState, AppliedEntry, Table

_NAMES: Mapping[type[Entry], str] = {kind: str(kind.__struct_config__.tag) for kind in get_args(Entry)}
NOBODY: Mapping[Seat, int] = {}
_SEATED = (Sat, Left, Pledged, Revealed, Played, TookOver, Returned, Asked, Declined)


def spectator_view(
    table: Table, now: float, present: frozenset[Seat], spectators: int, away: Mapping[Seat, int] = NOBODY
) -> TableView:
    """Return the table as a spectator sees it now; `away` says for how many seconds players have been away."""
    end, asked = table.end, table.asked
    view = table.game.view(table.state, None)
    return TableView(
        id=table.id,
        title=table.game.NAME,
        rules=table.terms.rules,
        number=table.number,
        status=table.status,
        seat=None,
        movers=table.movers,
        seats=tuple([_seat(table, other, now, present, away) for other in range(len(table.seats))]),
        spectators=spectators,
        commitment=table.terms.commitment,
        rated=table.terms.rated,
        asked=asked[0] if asked else "",
        agreed=tuple(sorted(asked[1])) if asked else (),
        next_game=table.next_game,
        view=wire.embed(view),
        moves=(),
        end=_end(table, end) if end else None,
        branch=BranchView(branch.game, len(branch.acts)) if (branch := table.terms.branch) else None,
        daily=table.daily,
        board=board_of(table.game, view),
    )


def seat_view(table: Table, seat: Seat | None, public: TableView) -> TableView:
    """Return the spectators' view with what only this seat may know; for a spectator (None), the view itself."""
    if seat is None:
        return public
    game, view = table.game, table.game.view(table.state, seat)
    moves = game.legal_moves(table.state, seat) if seat in table.movers else ()
    return replace(
        public,
        seat=seat,
        view=wire.embed(view),
        moves=tuple([game.write_move(table.state, move) for move in moves]),
        board=board_of(game, view),
        choices=choices_of(game, view, moves),
    )


def _end(table: Table, end: End) -> EndView:
    """Return how the game ended; the seed of a match stays hidden while any of its tables is in progress."""
    reason = end.reason if table.started else "closed"
    return EndView(reason, end.scores, end.places, end.seed if table.shown else "", end.seal)


def _seat(table: Table, seat: Seat, now: float, present: frozenset[Seat], away: Mapping[Seat, int]) -> SeatView:
    occupant = table.seats[seat]
    left = table.clock.seconds_left(seat, now, table.outages)
    return SeatView(
        name=occupant.name,
        level=occupant.level,
        is_bot=occupant.is_bot,
        left=occupant.left,
        resigned=occupant.resigned,
        present=seat in present or occupant.is_bot,
        pledged=bool(occupant.pledge),
        revealed=bool(occupant.number),
        seconds=None if left is None else round(left, 1),
        away=away.get(seat),
    )


def kind_of(entry: Entry) -> str:
    """Return the name of an entry's kind, as clients read it."""
    return _NAMES[type(entry)]


def entry_view(table: Table, applied: AppliedEntry, seat: Seat | None) -> EntryView:
    """Return an entry as the seat, or a spectator, saw it."""
    entry, witness = applied.entry, table.game.witness
    witnessed = [witness(event, seat) for event in applied.events]
    readable = table.is_public
    return EntryView(
        number=applied.number,
        kind=kind_of(entry),
        seat=entry.seat if isinstance(entry, _SEATED) else None,
        acts=tuple([text if readable or owner in (None, seat) else None for owner, text in applied.acts]),
        events=tuple([wire.embed(event) for event in witnessed if event is not None]),
    )


def entry_views(table: Table, seat: Seat | None, entries: Iterable[AppliedEntry]) -> tuple[EntryView, ...]:
    """Return several entries as the seat, or a spectator, saw them."""
    return tuple([entry_view(table, applied, seat) for applied in entries])


def preview_move(game: AnyGame, state: AnyState, seat: Seat, text: str) -> PreviewReply:
    """Return what a move of this seat would do, or why it is not allowed."""
    try:
        move = game.read_move(state, seat, text)
        game.apply(state, move)
        return PreviewReply(text, wire.embed(game.preview(state, move)))
    except IllegalMove as exc:
        return PreviewReply(text, None, exc.rule, exc.why, exc.reason, exc.blanks)
    except BadNotation as exc:
        return PreviewReply(text, None, "notation", str(exc))


def has_secrets(game: AnyGame, state: AnyState, seats: int) -> bool:
    """Return whether any two seats see different tables."""
    views = [_apart_from_seat(game.view(state, seat)) for seat in range(seats)]
    return any(view != views[0] for view in views)


def _apart_from_seat(view: Any) -> list[object]:  # noqa: ANN401
    return [getattr(view, field) for field in view.__struct_fields__ if field != "seat"]
