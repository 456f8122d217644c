"""Games that begin in the middle of another one: to play on from a position, or to take back a move.

Such a game begins with acts of the other one. Its later deals come from its own dice, so whoever takes back a move does
not know what comes next.
"""

from collections.abc import Collection, Iterator

from tessella.core import record
from tessella.core.game import AnyGame, BadNotation, Over, Seat
from tessella.core.record import Record
from tessella.table.log import Branched
from tessella.table.table import Refused, Table


def branch_of(game: AnyGame, whole: Record, acts: int) -> Branched:
    """Return the beginning of a game that goes on after these acts of a record; raise `BadNotation` if it is over."""
    if not 0 < acts <= len(whole.acts):
        raise BadNotation(f"the record has {len(whole.acts)} acts: expected a number from 1 to {len(whole.acts)}")
    begun = Record(whole.rules, whole.acts[:acts])
    last = list(record.replay(game, begun))[-1]
    if isinstance(game.turn(last.after), Over):
        raise BadNotation("the game is over there: choose an earlier move to play on from")
    return Branched(whole.id or "-", begun.acts)


def before_last_move(table: Table, seats: Collection[Seat]) -> Branched:
    """Return the beginning of a game without the last move of these seats; raise `Refused` if they made none."""
    moves = [number for number, mover in _movers(table) if mover in seats]
    if not moves:
        raise Refused("takeback", "there is no move of yours to take back")
    return Branched(table.id, tuple(table.acts[: moves[-1]]))


def _movers(table: Table) -> Iterator[tuple[int, Seat | None]]:
    """Yield the number of every act so far, and the seat that made it."""
    for step in record.replay(table.game, Record(table.terms.rules, tuple(table.acts))):
        yield step.number, step.seat
