"""The values of an event: its plan, its entrants, its rounds and their outcomes.

Points are counted in halves, as whole numbers: one point for each player you leave behind at a table, half a point for
each you tie with.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Literal, TypeAlias

from msgspec import Struct

Format: TypeAlias = Literal["round-robin", "swiss", "knockout"]

Id: TypeAlias = str
"""The id of an entrant; empty for a bot that fills a seat and competes for nothing."""

FILLER: Id = ""


class Plan(Struct, frozen=True):
    """How an event is played.

    `rounds` is the number of rounds where it is free to choose. `fill` says what happens to entrants who are left over
    when the field does not divide into tables: a `bye`, or a table filled up with a `bot`. `duplicate`: all tables of a
    round have the same deals.
    """

    format: Format
    seats: int = 2
    rounds: int = 5
    fill: Literal["bot", "bye"] = "bye"
    duplicate: bool = False


class Entrant(Struct, frozen=True):
    """A player who takes part from `first` until before `last`; None: until the end."""

    id: Id
    first: int = 1
    last: int | None = None

    def plays(self, number: int) -> bool:
        """Return whether the entrant takes part in a round."""
        return self.first <= number and (self.last is None or number < self.last)


class Outcome(Struct, frozen=True):
    """The places at a table by seat, and the scores if the game has any; no places if the game had no result."""

    places: tuple[int, ...] = ()
    scores: tuple[int, ...] | None = None


class Round(Struct, frozen=True):
    """The players at each table, by seat, and those with a bye."""

    tables: tuple[tuple[Id, ...], ...]
    byes: tuple[Id, ...] = ()


class RoundPlayed(Struct, frozen=True):
    """A round with the outcomes of its tables; None while a game is running."""

    round: Round
    outcomes: tuple[Outcome | None, ...]

    @property
    def is_over(self) -> bool:
        """Whether all its games are over."""
        return None not in self.outcomes


def points_of(outcome: Outcome, seats: int) -> tuple[int, ...]:
    """Return the half points of each seat; a game without a result is a tie of all.

    >>> points_of(Outcome((2, 1, 2, 4)), 4)
    (3, 6, 3, 0)
    >>> points_of(Outcome(), 2)
    (1, 1)
    """
    ranks = outcome.places or (1,) * seats
    return tuple(2 * sum(rank < other for other in ranks) + ranks.count(rank) - 1 for rank in ranks)


def bye_points(seats: int) -> int:
    """Return the half points of a bye: a win among two, the mean of a table among more.

    >>> bye_points(2), bye_points(4)
    (2, 3)
    """
    return 2 if seats == 2 else seats - 1


def winners(players: Sequence[Id], outcome: Outcome, count: int = 1) -> tuple[Id, ...]:
    """Return the best `count` players of a table; of those who tie the one in the last seat comes first.

    >>> winners(("a", "b"), Outcome((1, 1)))
    ('b',)
    """
    ranks = outcome.places or (1,) * len(players)
    order = sorted(range(len(players)), key=lambda seat: (ranks[seat], -seat))
    return tuple(players[seat] for seat in order if players[seat])[:count]


def lot(seed: str, *what: object) -> bytes:
    """Return a sort key that draws lots, the same everywhere."""
    return sha256("\x1f".join([seed, *map(str, what)]).encode()).digest()
