"""What is written in the log of a table: one numbered entry for everything that happens at it.

A table is its log. Entries are appended by compare-and-swap, never changed, and everything else (seats, clocks, the
game itself) is computed from them; so any worker can serve any table. Entries never leave the server as they are.
"""

from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from tessella.core.game import Seat


class Live(Struct, frozen=True, tag="live"):
    """A game in one sitting: so many seconds in the bank, and some more after each move."""

    bank: float = 600
    increment: float = 10


class Days(Struct, frozen=True, tag="days"):
    """A game over days: so many days for each move."""

    days: float = 3


Pace: TypeAlias = Live | Days | None


class Opened(Struct, frozen=True, tag="opened"):
    """The table is set: by these rules, at this pace, with dice that are already fixed."""

    rules: str
    commitment: str
    pace: Pace = None
    rated: bool = False
    before: str = ""
    """The game of which this is the rematch."""
    dice: str = ""
    """The match whose dice are thrown here; empty: the table's own."""


class Sat(Struct, frozen=True, tag="sat"):
    """Somebody sits down: a person, or a bot of some level."""

    seat: Seat
    who: str
    name: str
    level: str = ""
    """The level of a bot; empty for a person."""


class Left(Struct, frozen=True, tag="left"):
    """A seat is free again, before the game."""

    seat: Seat


class Pledged(Struct, frozen=True, tag="pledged"):
    """A player promised a number for the dice."""

    seat: Seat
    pledge: str


class Revealed(Struct, frozen=True, tag="revealed"):
    """A player showed the promised number."""

    seat: Seat
    number: str


class End(Struct, frozen=True):
    """How the game ended; the seed is public from now on."""

    seed: str
    seal: str
    reason: Literal["over", "resigned", "aborted"]
    scores: tuple[int, ...] = ()
    places: tuple[int, ...] = ()


class Started(Struct, frozen=True, tag="started"):
    """The game begins with its first deals."""

    acts: tuple[str, ...]


class Played(Struct, frozen=True, tag="played"):
    """A move, with the deals that follow it at once."""

    seat: Seat
    acts: tuple[str, ...]
    end: End | None = None


class TookOver(Struct, frozen=True, tag="took over"):
    """A bot plays on for somebody who left, resigned or ran out of time."""

    seat: Seat
    level: str
    reason: Literal["left", "time", "resigned"]


class Returned(Struct, frozen=True, tag="returned"):
    """The person is back, and the bot gets up."""

    seat: Seat


class Asked(Struct, frozen=True, tag="asked"):
    """A player asks for something that all must agree to; asking also when others asked is agreeing."""

    seat: Seat
    what: Literal["pause", "resume", "abort", "rematch"]


class Declined(Struct, frozen=True, tag="declined"):
    """A player does not agree; the question is gone."""

    seat: Seat


class Ended(Struct, frozen=True, tag="ended"):
    """The game ends before its time."""

    end: End


class Followed(Struct, frozen=True, tag="followed"):
    """The players play again, at another table."""

    game: str


class Shown(Struct, frozen=True, tag="shown"):
    """All tables of the match are over: the dice that they share may be seen."""


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


def write(entry: Entry) -> str:
    """An entry as it is stored."""
    return _encoder.encode(entry).decode()


def read(text: str) -> Entry:
    """A stored entry."""
    return _decoder.decode(text)
