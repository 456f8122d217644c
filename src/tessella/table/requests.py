"""What a player's request does to a table: the entry to append, and what follows it by itself."""

from collections.abc import Callable
from typing import Literal, TypeAlias

from tessella.core.game import Seat
from tessella.protocol.messages import Command, Play, Pledge, Reveal
from tessella.table.branch import before_last_move
from tessella.table.log import Asked, Entry
from tessella.table.table import Refused, Secret, Table

Request: TypeAlias = Play | Pledge | Reveal | Command
"""The messages that change a table."""

Decision: TypeAlias = Callable[[Table, Secret], Entry]
"""Returns the entry to append to the log of a table, or raises `Refused`."""

FollowUp: TypeAlias = Literal["start", "abort", "rematch", "takeback"]


def decision(seat: Seat | None, request: Request) -> Decision:
    """Return what decides about a request of this seat; refuse those of spectators."""
    if seat is None:
        raise Refused("seat", "you have no seat at this table")
    return lambda table, secret: _decide(table, secret, seat, request)


def _decide(table: Table, secret: Secret, seat: Seat, request: Request) -> Entry:
    match request:
        case Play(number=number, move=move):
            if number != table.number:
                raise Refused("stale", f"the table has moved on: it is at number {table.number}, not {number}")
            return table.play(seat, move, secret)
        case Pledge(pledge=promised):
            return table.pledge(seat, promised)
        case Reveal(number=number):
            return table.reveal(seat, number)
        case Command(action=action):
            return _decide_command(table, secret, seat, action)


def _decide_command(table: Table, secret: Secret, seat: Seat, action: str) -> Entry:
    match action:
        case "start":
            return table.start(secret)
        case "leave":
            return table.leave(seat)
        case "resign":
            return table.resign(seat, secret)
        case "return":
            return table.come_back(seat)
        case "pause" | "resume" | "abort" | "rematch" | "takeback":
            if action == "takeback" and not (table.asked and table.asked[0] == action):
                before_last_move(table, [seat])  # refuse to ask for nothing
            return table.ask(seat, action)
        case _:  # only the server knows who is away; at one device nobody is
            return table.substitute(()) if action == "substitute" else table.decline(seat)


def follow_up_due(table: Table, latest: Entry | None) -> FollowUp | None:
    """Return what is due at a table whose log ends with this entry, or None.

    Consent to an abort, or to taking back a move, counts only if it is the latest entry: after a move it has lapsed,
    and consent that became complete only because a player left was not given by them.
    """
    if table.ready() and table.people:
        return "start"
    if table.end and table.end.reason == "taken back":
        return None if table.next_game else "takeback"
    if table.asked is None:
        return None
    if table.status == "over":
        return "rematch" if table.agreed("rematch") and not table.next_game else None
    if isinstance(latest, Asked):
        return "abort" if table.agreed("abort") else "takeback" if table.agreed("takeback") else None
    return None
