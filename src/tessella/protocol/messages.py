"""The messages between clients and the server, by direction. All of them are JSON; `type` names the message.

Only the server numbers entries. A client gives each request a key of its own, so that a request that is sent twice
counts once.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from tessella.core.board import Board, Choice
from tessella.core.game import Public, Seat

Key: TypeAlias = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[\w-]+$")]
Digits: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Text: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]


# From a client


class Hello(Struct, frozen=True, tag="hello", forbid_unknown_fields=True):
    """Request the table and the entries after `have`, the number of the last entry received; -1 if there is none."""

    have: int = -1


class Play(Struct, frozen=True, tag="play", forbid_unknown_fields=True):
    """Make a move; it is stale unless the table is still at this number."""

    key: Key
    number: int
    move: Text


class Preview(Struct, frozen=True, tag="preview", forbid_unknown_fields=True):
    """Request a preview of a move, without making it."""

    move: Text


class Pledge(Struct, frozen=True, tag="pledge", forbid_unknown_fields=True):
    """Commit to a number for the dice, by its digest."""

    key: Key
    pledge: Digits


class Reveal(Struct, frozen=True, tag="reveal", forbid_unknown_fields=True):
    """Reveal the number for the dice."""

    key: Key
    number: Digits


class Command(Struct, frozen=True, tag="command", forbid_unknown_fields=True):
    """Request an action that takes no arguments."""

    key: Key
    action: Literal[
        "start",
        "leave",
        "resign",
        "return",
        "pause",
        "resume",
        "abort",
        "rematch",
        "takeback",
        "decline",
        "substitute",
    ]
    """`substitute` lets a bot play for a player who is to move and has been away for a minute, until they are back."""


Phrase: TypeAlias = Literal[
    "hello",
    "good-luck",
    "nice-move",
    "one-moment",
    "thanks",
    "sorry",
    "oops",
    "well-played",
    "good-game",
    "bye",
]
"""What players can say to each other; clients have the words in each language."""


class Say(Struct, frozen=True, tag="say", forbid_unknown_fields=True):
    """Say something to everyone at the table; it is not stored. Spectators cannot."""

    phrase: Phrase


class Ping(Struct, frozen=True, tag="ping", forbid_unknown_fields=True):
    """Request a pong with the same number, to check the connection."""

    n: int = 0


FromClient: TypeAlias = Hello | Play | Preview | Pledge | Reveal | Command | Say | Ping

decoder: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient)


# From the server


class SeatView(Public, frozen=True):
    """A seat and its player; `name` is empty if it is free. `level` is that of the bot that plays the seat now."""

    name: str
    level: str
    is_bot: bool
    left: bool
    resigned: bool
    present: bool
    pledged: bool
    revealed: bool
    seconds: float | None
    away: int | None = None
    """For how many seconds the player has not been connected, at most an hour; null for bots and where days are given
    for a move."""


class EndView(Public, frozen=True):
    """How the game ended, and the seed of its dice, which is now public."""

    reason: str
    """`over`, `resigned`, `aborted`, `taken back` (it goes on as the next game), or `closed` before its start."""
    scores: tuple[int, ...]
    places: tuple[int, ...]
    seed: str
    seal: str


class BranchView(Public, frozen=True):
    """The game that the first acts of this one come from, and how many they are."""

    game: str
    acts: int


class TableView(Public, frozen=True):
    """A table as one viewer sees it."""

    id: str
    title: str
    rules: str
    number: int
    status: str
    seat: Seat | None
    movers: tuple[Seat, ...]
    seats: tuple[SeatView, ...]
    spectators: int
    commitment: str
    rated: bool
    asked: str
    agreed: tuple[Seat, ...]
    next_game: str
    view: msgspec.Raw
    moves: tuple[str, ...]
    end: EndView | None
    branch: BranchView | None = None
    daily: str = ""
    """The date of the daily deal that is played here, if it is one."""
    board: Board | None = None
    """The view as the game describes it, for clients that have no board of their own for the game."""
    choices: tuple[Choice, ...] = ()
    """How each of `moves` is made on that board."""


class EntryView(Public, frozen=True):
    """An entry of the log as one viewer sees it; an act that is hidden from the viewer is null."""

    number: int
    kind: str
    seat: Seat | None
    acts: tuple[str | None, ...]
    events: tuple[msgspec.Raw, ...]


class Update(Public, frozen=True, tag="update"):
    """The new entries, which a client may ignore, and the table after them."""

    entries: tuple[EntryView, ...]
    table: TableView


class Ack(Public, frozen=True, tag="ack"):
    """The request with this key is stored, as the entry of this number."""

    key: str
    number: int


class ErrorReply(Public, frozen=True, tag="error"):
    """The request with this key failed. `rule` is a rule of the game or a one-word code; `message` is for people."""

    key: str
    rule: str
    message: str


class PreviewReply(Public, frozen=True, tag="preview"):
    """The effects of a move; without a preview the move is not allowed, and `rule` and `message` say why.

    `reason` is the message with its `{blanks}` open, for clients that translate it.
    """

    move: str
    preview: msgspec.Raw | None
    rule: str = ""
    message: str = ""
    reason: str = ""
    blanks: Mapping[str, str | int] = {}


class Presence(Public, frozen=True, tag="presence"):
    """The seats whose players are connected, the number of spectators, and `away` of each seat."""

    present: tuple[Seat, ...]
    spectators: int
    away: tuple[int | None, ...] = ()


class Said(Public, frozen=True, tag="said"):
    """A player said something; sent to everyone who is connected at that moment."""

    seat: Seat
    phrase: Phrase


class Pong(Public, frozen=True, tag="pong"):
    """The answer to a ping; also sent every second, with 0, while a request waits for the store."""

    n: int


FromServer: TypeAlias = Update | Ack | ErrorReply | PreviewReply | Presence | Said | Pong


# Over HTTP


class ErrorBody(Public, frozen=True):
    """The body of an answer with an error status. `rule` is a code for programs; `message` is for people."""

    rule: str
    message: str


class EntriesView(Public, frozen=True):
    """Past entries, in order; `next` is the number of the first entry that did not fit, if any."""

    entries: tuple[EntryView, ...]
    next: int | None


class RecordView(Public, frozen=True):
    """A finished game as text."""

    record: str
