"""A table as each viewer may see it: the only way in which a table leaves the server."""

from collections.abc import Iterable, Mapping
from typing import get_args

from msgspec.structs import replace

from tessella.core import wire
from tessella.core.game import AnyGame, BadNotation, IllegalMove, Seat
from tessella.server.entries import (
    Asked,
    Declined,
    End,
    Entry,
    Left,
    Played,
    Pledged,
    Returned,
    Revealed,
    Sat,
    TookOver,
)
from tessella.server.messages import ChairSeen, EndSeen, Film, Foreseen, TableSeen
from tessella.server.table import AnyState, Happening, Table

_NAMES: Mapping[type[Entry], str] = {kind: str(kind.__struct_config__.tag) for kind in get_args(Entry)}
_SEATED = (Sat, Left, Pledged, Revealed, Played, TookOver, Returned, Asked, Declined)


def from_outside(table: Table, now: float, present: frozenset[Seat], spectators: int) -> TableSeen:
    """The table as a spectator sees it now."""
    end, asked = table.end, table.asked
    return TableSeen(
        id=table.id,
        title=table.game.NAME,
        rules=table.terms.rules,
        number=table.number,
        status=table.status,
        seat=None,
        movers=table.movers,
        chairs=tuple([_chair(table, other, now, present) for other in range(len(table.chairs))]),
        spectators=spectators,
        commitment=table.terms.commitment,
        rated=table.terms.rated,
        asked=asked[0] if asked else "",
        agreed=tuple(sorted(asked[1])) if asked else (),
        next_game=table.next_game,
        view=wire.embed(table.game.view(table.state, None)),
        moves=(),
        end=_end(table, end) if end else None,
    )


def from_seat(table: Table, seat: Seat | None, outside: TableSeen) -> TableSeen:
    """The same from a seat: what only that seat may know takes the place of what a spectator sees."""
    if seat is None:
        return outside
    view = wire.embed(table.game.view(table.state, seat))
    return replace(outside, seat=seat, view=view, moves=_moves(table, seat))


def _end(table: Table, end: End) -> EndSeen:
    """How the game ended; the seed of a match stays hidden while somebody still plays with it."""
    return EndSeen(end.reason, end.scores, end.places, end.seed if table.shown else "", end.seal)


def _chair(table: Table, seat: Seat, now: float, present: frozenset[Seat]) -> ChairSeen:
    chair = table.chairs[seat]
    left = table.clock.left(seat, now, table.outages)
    return ChairSeen(
        name=chair.name,
        level=chair.level,
        is_bot=chair.is_bot,
        left=chair.left,
        resigned=chair.resigned,
        present=seat in present or chair.is_bot,
        pledged=bool(chair.pledge),
        revealed=bool(chair.number),
        seconds=None if left is None else round(left, 1),
    )


def _moves(table: Table, seat: Seat) -> tuple[str, ...]:
    if seat not in table.movers:
        return ()
    game, state = table.game, table.state
    return tuple([game.write_move(state, move) for move in game.legal_moves(state, seat)])


def film(table: Table, happening: Happening, seat: Seat | None) -> Film:
    """What an entry showed the seat, or a spectator."""
    entry, witness = happening.entry, table.game.witness
    witnessed = [witness(event, seat) for event in happening.events]
    readable = table.status == "over"
    return Film(
        number=happening.number,
        what=_NAMES[type(entry)],
        seat=entry.seat if isinstance(entry, _SEATED) else None,
        acts=tuple([text if readable or owner in (None, seat) else None for owner, text in happening.acts]),
        events=tuple([wire.embed(event) for event in witnessed if event is not None]),
    )


def foresee(game: AnyGame, state: AnyState, seat: Seat, text: str) -> Foreseen:
    """What a move of this seat would do, or why it is not allowed."""
    try:
        move = game.read_move(state, seat, text)
        game.apply(state, move)
        return Foreseen(text, wire.embed(game.preview(state, move)))
    except IllegalMove as wrong:
        return Foreseen(text, None, wrong.rule, wrong.why)
    except BadNotation as wrong:
        return Foreseen(text, None, "notation", str(wrong))


def notice(table: Table, seat: Seat | None, happenings: Iterable[Happening]) -> tuple[Film, ...]:
    """The film of several entries."""
    return tuple([film(table, happening, seat) for happening in happenings])
