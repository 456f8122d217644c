"""The event log of a table: one numbered entry for everything that happens at it.

Entries are appended by compare-and-swap and never changed. Everything else (seats, clocks, the game itself) is computed
from them, so any worker can serve any table. Clients never receive entries, only views of them (`table.views`).
"""

from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from tessella.core.game import Seat


class Live(Struct, frozen=True, tag="live"):
    """A game in one sitting: `bank` seconds for the whole game and `increment` more after each move."""

    bank: float = 600
    increment: float = 10


class Days(Struct, frozen=True, tag="days"):
    """A correspondence game: `days` for each move."""

    days: float = 3


Pace: TypeAlias = Live | Days | None


class Branched(Struct, frozen=True):
    """The first acts of a table, which come from another game."""

    game: str
    """The id of that game; `-` if it has none."""
    acts: tuple[str, ...]


class Opened(Struct, frozen=True, tag="opened"):
    """The table was opened with these rules and this pace; its dice are already fixed."""

    rules: str
    commitment: str
    pace: Pace = None
    rated: bool = False
    before: str = ""
    """The game that this one is a rematch of."""
    dice: str = ""
    """The duplicate match whose dice are used here; empty if the table has its own."""
    branch: Branched | None = None


class Sat(Struct, frozen=True, tag="sat"):
    """A person or a bot sat down."""

    seat: Seat
    player: str
    """The id of the person or bot."""
    name: str
    level: str = ""
    """The level of a bot; empty for a person."""


class Left(Struct, frozen=True, tag="left"):
    """A seat became free again before the game started."""

    seat: Seat


class Pledged(Struct, frozen=True, tag="pledged"):
    """A player committed to a number for the dice."""

    seat: Seat
    pledge: str


class Revealed(Struct, frozen=True, tag="revealed"):
    """A player revealed the number they had committed to."""

    seat: Seat
    number: str


class End(Struct, frozen=True):
    """How the game ended; the seed is public from here on."""

    seed: str
    seal: str
    reason: Literal["over", "resigned", "aborted", "taken back"]
    """`taken back`: the game goes on at another table, from before a move. Its seed stays hidden."""
    scores: tuple[int, ...] = ()
    places: tuple[int, ...] = ()


class Started(Struct, frozen=True, tag="started"):
    """The game started, with its first deals."""

    acts: tuple[str, ...]


class Played(Struct, frozen=True, tag="played"):
    """A move, with the deals that follow it immediately."""

    seat: Seat
    acts: tuple[str, ...]
    end: End | None = None


class TookOver(Struct, frozen=True, tag="took over"):
    """A bot took over a seat whose player left, resigned or ran out of time."""

    seat: Seat
    level: str
    reason: Literal["left", "time", "resigned"]


class Returned(Struct, frozen=True, tag="returned"):
    """The player took the seat back from the bot."""

    seat: Seat


class Asked(Struct, frozen=True, tag="asked"):
    """A player asked for something that needs everybody's consent; asking for what others asked for is consent."""

    seat: Seat
    what: Literal["pause", "resume", "abort", "rematch", "takeback"]


class Declined(Struct, frozen=True, tag="declined"):
    """A player declined; the request is withdrawn."""

    seat: Seat


class Ended(Struct, frozen=True, tag="ended"):
    """The game ended early."""

    end: End


class Followed(Struct, frozen=True, tag="followed"):
    """The players started a rematch at another table, or go on there after a move was taken back."""

    game: str


class Shown(Struct, frozen=True, tag="shown"):
    """All tables of the match are over, so the dice they share are public."""


Entry: TypeAlias = (
    Opened
    | Sat
    | Left
    | Pledged
    | Revealed
    | Started
    | Played
    | TookOver
    | Returned
    | Asked
    | Declined
    | Ended
    | Followed
    | Shown
)

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)


def write_entry(entry: Entry) -> str:
    """Return an entry as it is stored."""
    return _encoder.encode(entry).decode()


def read_entry(text: str) -> Entry:
    """Return the entry that was stored as this text."""
    return _decoder.decode(text)
