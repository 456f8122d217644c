"""One person at one table, without a socket: as careful as our own client.

Unconfirmed requests are sent again with the same key; a client that reconnects says what it saw last; a table older
than the one that was seen is ignored.
"""

from collections.abc import Callable
from random import Random
from typing import TypeAlias

import msgspec

from tessella.core.game import Seat
from tessella.protocol.messages import (
    Ack,
    Command,
    ErrorReply,
    FromClient,
    FromServer,
    Hello,
    Play,
    Pong,
    Presence,
    PreviewReply,
    Said,
    TableView,
    Update,
)

Request: TypeAlias = Play | Command

decoder: msgspec.json.Decoder[FromServer] = msgspec.json.Decoder(FromServer)


class Player:
    """A client that plays any move when it may, and takes its seat back from a bot; a spectator only watches."""

    def __init__(self, name: str, rng: Random, window: int = 0) -> None:
        self.name = name
        self.window = window
        """The number of this window among those that its player has open."""
        self.table: TableView | None = None
        self.pending: Request | None = None
        self.acks: dict[str, int] = {}
        self.errors: dict[str, str] = {}
        self.requests: dict[str, Request] = {}
        """The request under each key."""
        self.comes_back: Callable[[], bool] = lambda: True
        """Whether to take the seat back from a bot; called on every message."""
        self._rng = rng
        self._tried = -1

    @property
    def seat(self) -> Seat | None:
        """The seat of the client, as far as it has seen."""
        return None if self.table is None else self.table.seat

    @property
    def is_done(self) -> bool:
        """Whether the game is over, as far as the client has seen."""
        return self.table is not None and self.table.status == "over"

    def arrive(self) -> list[FromClient]:
        """Return the first messages on a new connection."""
        have = -1 if self.table is None else self.table.number - 1
        return [Hello(have), *([self.pending] if self.pending else [])]

    def hear(self, message: FromServer) -> list[FromClient]:
        """Return the answers to a message."""
        match message:
            case Update(table=table):
                return self._see(table)
            case Ack(key=key, number=number):
                self.acks[key] = number
                self._resolve(key)
                return self._go_on()
            case ErrorReply(key=key, rule=rule):
                return self._hear_no(key, rule)
            case PreviewReply() | Presence() | Said() | Pong():
                return []

    def request(self, request: Request) -> Request:
        """Add a request; until it is answered, it is sent again on every new connection."""
        self.pending = request
        self.requests[request.key] = request
        return request

    def fresh_key(self) -> str:
        """Return a key that this player has not used. The other players use the same keys."""
        return f"window-{self.window}-{len(self.requests):05}"

    def is_play(self, key: str) -> bool:
        """Whether the request under this key is a move. A rejected move can never be stored: its number is taken."""
        return isinstance(self.requests.get(key), Play)

    def _hear_no(self, key: str, rule: str) -> list[FromClient]:
        if rule == "busy" and self.pending is not None:
            return [self.pending]
        self.errors[key] = rule
        self._resolve(key)
        return [Hello(-1)]

    def _resolve(self, key: str) -> None:
        if self.pending is not None and self.pending.key == key:
            self.pending = None

    def _see(self, table: TableView) -> list[FromClient]:
        if self.table is not None and table.number < self.table.number:
            return []
        self.table = table
        return self._go_on()

    def _go_on(self) -> list[FromClient]:
        table = self.table
        if table is None or table.seat is None or self.pending is not None or table.number <= self._tried:
            return []
        if self._is_away(table, table.seat):
            return self._return(table)
        if not table.moves:
            return []
        self._tried = table.number
        return [self.request(Play(self.fresh_key(), table.number, self._rng.choice(table.moves)))]

    def _return(self, table: TableView) -> list[FromClient]:
        assert table.seat is not None
        if table.status != "playing" or table.seats[table.seat].resigned or not self.comes_back():
            return []
        return [self.request(Command(self.fresh_key(), "return"))]

    @staticmethod
    def _is_away(table: TableView, seat: Seat) -> bool:
        """Whether a bot plays for the seat now."""
        return bool(table.seats[seat].level)
