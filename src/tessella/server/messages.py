"""What travels between a client and the server, by direction. All of it is JSON; `type` names the message.

A client numbers nothing: it says which entry it has seen (`number`) and gives each wish a key of its own, so that a
wish that is sent twice counts once.
"""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from tessella.core.game import Public, Seat

Key: TypeAlias = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[\w-]+$")]
Digits: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Text: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]


# From a client


class Hello(Struct, frozen=True, tag="hello", forbid_unknown_fields=True):
    """I am here, and this is the last entry that I have seen (−1: none)."""

    have: int = -1


class Play(Struct, frozen=True, tag="play", forbid_unknown_fields=True):
    """My move, when the table is at this number."""

    key: Key
    number: int
    move: Text


class Foresee(Struct, frozen=True, tag="foresee", forbid_unknown_fields=True):
    """What would this move do?"""

    move: Text


class Pledge(Struct, frozen=True, tag="pledge", forbid_unknown_fields=True):
    """The digest of my number for the dice."""

    key: Key
    pledge: Digits


class Reveal(Struct, frozen=True, tag="reveal", forbid_unknown_fields=True):
    """My number for the dice."""

    key: Key
    number: Digits


class Wish(Struct, frozen=True, tag="wish", forbid_unknown_fields=True):
    """Anything that needs no more words."""

    key: Key
    what: Literal["start", "leave", "resign", "return", "pause", "resume", "abort", "rematch", "decline"]


class Ping(Struct, frozen=True, tag="ping", forbid_unknown_fields=True):
    """Are you there?"""

    n: int = 0


FromClient: TypeAlias = Hello | Play | Foresee | Pledge | Reveal | Wish | Ping

decoder: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient)


# From the server


class ChairSeen(Public, frozen=True):
    """Who sits there. `level` is the bot that plays for the seat now."""

    name: str
    level: str
    is_bot: bool
    left: bool
    resigned: bool
    present: bool
    pledged: bool
    revealed: bool
    seconds: float | None


class EndSeen(Public, frozen=True):
    """How the game ended, and the seed, which is public now."""

    reason: str
    scores: tuple[int, ...]
    places: tuple[int, ...]
    seed: str
    seal: str


class TableSeen(Public, frozen=True):
    """A table as one viewer sees it."""

    id: str
    title: str
    rules: str
    number: int
    status: str
    seat: Seat | None
    movers: tuple[Seat, ...]
    chairs: tuple[ChairSeen, ...]
    spectators: int
    commitment: str
    rated: bool
    asked: str
    agreed: tuple[Seat, ...]
    next_game: str
    view: msgspec.Raw
    moves: tuple[str, ...]
    end: EndSeen | None


class Film(Public, frozen=True):
    """What one entry showed this viewer. An act that the viewer may not read is null."""

    number: int
    what: str
    seat: Seat | None
    acts: tuple[str | None, ...]
    events: tuple[msgspec.Raw, ...]


class Step(Public, frozen=True, tag="step"):
    """What happened since, and the table as it is now. A client may drop the film."""

    film: tuple[Film, ...]
    table: TableSeen


class Ack(Public, frozen=True, tag="ack"):
    """The wish with this key is stored for good, as this entry."""

    key: str
    number: int


class Refusal(Public, frozen=True, tag="refusal"):
    """The wish is not granted: by this rule, for this reason."""

    key: str
    rule: str
    why: str


class Foreseen(Public, frozen=True, tag="foreseen"):
    """What a move would do."""

    move: str
    preview: msgspec.Raw | None
    rule: str = ""
    why: str = ""


class Present(Public, frozen=True, tag="present"):
    """Who is there now."""

    seats: tuple[Seat, ...]
    spectators: int


class Pong(Public, frozen=True, tag="pong"):
    """I am here: the answer to a ping, or, with 0, a sign every second while your wish waits for the store."""

    n: int


FromServer: TypeAlias = Step | Ack | Refusal | Foreseen | Present | Pong
