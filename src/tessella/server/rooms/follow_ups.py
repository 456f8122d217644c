"""What follows an act automatically: a game starts, is aborted, gets a rematch, or loses a move.

The worker that stores the act carries it out. If that worker dies in between, the housekeeping of any worker with a
viewer at the table does, or the worker that receives the same act again. Several may try at once: the first wins.
"""

import logging

from tessella.server.rooms.host import Host
from tessella.server.rooms.lifecycle import play_again, take_back
from tessella.server.rooms.room import Room
from tessella.table.log import Ended, Started
from tessella.table.requests import FollowUp, follow_up_due
from tessella.table.table import Refused, Secret, Table

log = logging.getLogger(__name__)


def due(room: Room) -> FollowUp | None:
    """Return the follow-up that is due at this table, or None."""
    return follow_up_due(room.table, room.history[-1].entry if room.history else None)


async def follow_up(host: Host, room: Room) -> None:
    """Carry out what is due at a table, unless another worker has done so."""
    what = due(room)
    if what is None:
        return
    try:
        await _carry_out(host, room, what)
    except Refused as exc:
        if due(room) == what:
            log.warning("follow-up postponed", extra={"game": room.table.id, "rule": exc.rule})


async def _carry_out(host: Host, room: Room, what: FollowUp) -> None:
    match what:
        case "start":
            await host.append(room, f"start-{room.table.number}", _start)
        case "abort":
            await host.append(room, f"abort-{room.table.number}", _abort)
        case "rematch":
            await play_again(host, room)
        case "takeback":
            await follow_up(host, await take_back(host, room))


def _start(table: Table, secret: Secret) -> Started:
    if not table.ready():
        raise Refused("ready", "the game has already started, or a player has left")
    return table.start(secret)


def _abort(table: Table, secret: Secret) -> Ended:
    return table.abort(secret)


class LateFollowUps:
    """Carries out follow-ups that are still due at a second look: the worker that stored the act has probably died."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._seen: dict[str, int] = {}

    async def look(self) -> None:
        """Carry out what was already due at the last look, in rooms that have viewers here."""
        rooms = [room for room in self._host.rooms.values() if room.viewers and due(room)]
        late = [room for room in rooms if self._seen.get(room.table.id) == room.table.number]
        self._seen = {room.table.id: room.table.number for room in rooms}
        for room in late:
            await follow_up(self._host, room)
