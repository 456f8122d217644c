"""One person at one table, without a socket: as careful as our own client.

What is not confirmed is said again with the same key; who comes back says what was seen last; an older table than the
one that was seen is not looked at.
"""

from collections.abc import Callable
from random import Random
from typing import TypeAlias

import msgspec

from tessella.core.game import Seat
from tessella.server.messages import (
    Ack,
    Foreseen,
    FromClient,
    FromServer,
    Hello,
    Play,
    Pong,
    Present,
    Refusal,
    Step,
    TableSeen,
    Wish,
)

Wished: TypeAlias = Play | Wish

decoder: msgspec.json.Decoder[FromServer] = msgspec.json.Decoder(FromServer)


class Player:
    """Plays any move when it may, and takes its seat back from a bot; a spectator only looks."""

    def __init__(self, name: str, rng: Random) -> None:
        self.name = name
        self.table: TableSeen | None = None
        self.pending: Wished | None = None
        self.acks: dict[str, int] = {}
        self.refusals: dict[str, str] = {}
        self.wishes: dict[str, Wished] = {}
        """What was wished under each key."""
        self.comes_back: Callable[[], bool] = lambda: True
        """Whether to take one's seat back from a bot, asked whenever something happens."""
        self._rng = rng
        self._tried = -1

    @property
    def is_done(self) -> bool:
        """Whether the game is over, as far as the player has seen."""
        return self.table is not None and self.table.status == "over"

    def arrive(self) -> list[FromClient]:
        """What is said first on a new connection."""
        have = -1 if self.table is None else self.table.number - 1
        return [Hello(have), *([self.pending] if self.pending else [])]

    def hear(self, message: FromServer) -> list[FromClient]:
        """What is said to a message."""
        match message:
            case Step(table=table):
                return self._see(table)
            case Ack(key=key, number=number):
                self.acks[key] = number
                self._settle(key)
                return self._go_on()
            case Refusal(key=key, rule=rule):
                return self._hear_no(key, rule)
            case Foreseen() | Present() | Pong():
                return []

    def wish(self, wished: Wished) -> Wished:
        """Wish something; until it is answered, it will be wished again on every new connection."""
        self.pending = wished
        self.wishes[wished.key] = wished
        return wished

    def fresh_key(self) -> str:
        """A key that nobody else uses."""
        return f"{self.name}-{len(self.wishes):05}"

    def is_play(self, key: str) -> bool:
        """Whether a move was wished under this key. What is refused can never be stored: its number is taken."""
        return isinstance(self.wishes.get(key), Play)

    def _hear_no(self, key: str, rule: str) -> list[FromClient]:
        if rule == "busy" and self.pending is not None:
            return [self.pending]
        self.refusals[key] = rule
        self._settle(key)
        return [Hello(-1)]

    def _settle(self, key: str) -> None:
        if self.pending is not None and self.pending.key == key:
            self.pending = None

    def _see(self, table: TableSeen) -> list[FromClient]:
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
        return [self.wish(Play(self.fresh_key(), table.number, self._rng.choice(table.moves)))]

    def _return(self, table: TableSeen) -> list[FromClient]:
        assert table.seat is not None
        if table.status != "playing" or table.chairs[table.seat].resigned or not self.comes_back():
            return []
        return [self.wish(Wish(self.fresh_key(), "return"))]

    @staticmethod
    def _is_away(table: TableSeen, seat: Seat) -> bool:
        """Whether a bot plays for the seat now."""
        return bool(table.chairs[seat].level)
