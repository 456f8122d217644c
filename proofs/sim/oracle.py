"""The oracle: the log of a game, replayed beside the server. Everything that a client receives is compared with it."""

from collections.abc import Sequence

from msgspec import Struct

from proofs.client_model import Player
from tessella.core import wire
from tessella.core.game import Seat
from tessella.protocol.messages import TableView
from tessella.server.rooms.commands import stored_key
from tessella.server.store import Logged
from tessella.table.clock import Outage
from tessella.table.log import Entry, Opened, Played, TookOver, read_entry
from tessella.table.table import AnyState, Table


class Broken(AssertionError):
    """A promise was broken; the sentence says which."""


class Moment(Struct, frozen=True):
    """A game after some entry."""

    state: AnyState
    status: str
    movers: tuple[Seat, ...]


class Oracle:
    """One game, folded from its log as far as it has been read. Clocks are judged if all outages are known."""

    def __init__(self, game: str, outages: Sequence[Outage] | None = None) -> None:
        self.game = game
        self.table: Table | None = None
        self.keys: dict[str, int] = {}
        self.moments: list[Moment] = []
        self.actors: list[Seat | None] = []
        """The seat that made each entry, or that it is about."""
        self.bot_moves = 0
        self._outages = outages
        self._views: dict[tuple[int, Seat | None], bytes] = {}

    def read(self, log: Sequence[Logged]) -> None:
        """Read further entries; they must follow each other without a gap, each under its own key."""
        for row in log:
            if row.number != len(self.moments):
                raise Broken(f"{self.game}: entry {row.number} follows {len(self.moments) - 1}")
            if row.key in self.keys:
                raise Broken(f"{self.game}: {row.key} is stored twice")
            self.keys[row.key] = row.number
            self._check_bot(row)
            self._fold(row)

    def _fold(self, row: Logged) -> None:
        entry = read_entry(row.body)
        if self.table is None:
            assert isinstance(entry, Opened)
            self.table = Table(self.game, entry, row.at, self._outages or ())
        else:
            self._check_time(self.table, entry, row.at)
            self.table.fold(entry, row.at)
        self.moments.append(Moment(self.table.state, self.table.status, self.table.movers))
        self.actors.append(getattr(entry, "seat", None))

    def _check_bot(self, row: Logged) -> None:
        """Check that a bot moves only for itself, or for a player who is away."""
        entry = read_entry(row.body)
        if isinstance(entry, Played) and row.key.startswith("bot-") and self.table is not None:
            if not self.table.seats[entry.seat].level:
                raise Broken(f"{self.game}: at {row.number} a bot moved for somebody who was there")
            self.bot_moves += 1

    def _check_time(self, table: Table, entry: Entry, at: float) -> None:
        """Check that a move was in time and that a flag was due, by the clock of the store."""
        if self._outages is None or not isinstance(entry, Played | TookOver):
            return
        left = table.clock.seconds_left(entry.seat, at, table.outages)
        if left is None:
            return
        if isinstance(entry, TookOver) and entry.reason == "time" and left > 0.01:
            raise Broken(f"{self.game}: seat {entry.seat} was flagged with {left:.2f} s left")
        if isinstance(entry, Played) and left < -0.01 and not table.seats[entry.seat].level:
            raise Broken(f"{self.game}: seat {entry.seat} moved {-left:.2f} s after its time")

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.moments) and self.moments[-1].status == "over"

    # What clients were told

    def check_seen(self, seen: TableView) -> None:
        """Check that a table that a client saw is stored, and is what the log says about that moment."""
        if seen.number > len(self.moments):
            raise Broken(f"{self.game}: somebody saw entry {seen.number - 1}, and it is not stored")
        moment = self.moments[seen.number - 1]
        if (seen.status, seen.movers) != (moment.status, moment.movers):
            raise Broken(f"{self.game}: {seen.status} {seen.movers} was seen at {seen.number}, not {moment}")
        if bytes(seen.view) != self._view(seen.number, seen.seat):
            raise Broken(f"{self.game}: seat {seen.seat} saw another table at {seen.number} than the log tells")

    def _view(self, number: int, seat: Seat | None) -> bytes:
        if (number, seat) not in self._views:
            assert self.table is not None
            view = self.table.game.view(self.moments[number - 1].state, seat)
            self._views[number, seat] = wire.encode(view)
        return self._views[number, seat]

    def check_ack(self, player: Player, key: str, number: int) -> None:
        """Check that a confirmed entry is stored, once, under that number, and is an act of that player."""
        stored = self._number_of(player, key)
        if stored != number:
            raise Broken(f"{self.game}: {key} was confirmed as {number}, and is stored as {stored}")
        if self.actors[number] not in (None, player.seat):
            raise Broken(f"{self.game}: {key} of {player.name} was confirmed as {number}, which another player did")

    def _number_of(self, player: Player, key: str) -> int | None:
        """Return the number of the entry of a player's request, or None."""
        assert self.table is not None
        assert player.seat is not None
        return self.keys.get(stored_key(self.table.seats[player.seat].player, key))

    def check_player(self, player: Player) -> None:
        """Check all answers that a player got: what was confirmed is stored, what was rejected is not."""
        for key, number in player.acks.items():
            self.check_ack(player, key, number)
        for key, rule in player.errors.items():
            stored = self._number_of(player, key) if player.is_play(key) else None
            if stored is not None:
                raise Broken(f"{self.game}: {key} was refused ({rule}), and is stored as {stored}")
        if player.table is None or player.table.number != len(self.moments):
            raise Broken(f"{self.game}: {player.name} has not seen the end")
        self.check_seen(player.table)
