"""What the coach found in a game, as it is kept, shown and sent.

Everything is measured in win probability: the chance to win, from 0 to 1, that a seat has if everybody plays well from
there on; with three players and more its share in the win. What a seat got in the end falls into

    result − start = luck − own losses + others' losses + rest

where luck is what the deals brought, a loss is what a move threw away, and the rest is what the search misjudged.
Acts are numbered as in the record, from 0. The report names nobody: it belongs to the game, and names may be withdrawn.
"""

from typing import Literal, TypeAlias

from tessella.core.game import Public, Seat

Label: TypeAlias = Literal["", "inaccuracy", "mistake", "blunder"]
Shares: TypeAlias = tuple[float, ...]
"""What each seat has of the win; together 1."""


class Decision(Public, frozen=True):
    """A move, and what it cost whoever made it.

    `line` is how play should have gone on, beginning with `best`; `best` is `played` where nothing better was found.
    `value` is the mover's chance with the best move, `loss` what the played one threw away of it, and `points` the same
    in points of the game, about. `shift` is what that did to every seat; the mover's own is −loss. `noise` is how
    far the search may have misjudged the loss. Nobody is blamed for a forced move: `choices` is 1.
    """

    number: int
    round: int
    seat: Seat
    choices: int
    played: str
    best: str
    line: tuple[str, ...]
    value: float
    loss: float
    points: float
    noise: float
    label: Label
    shift: Shares


class Luck(Public, frozen=True):
    """A deal, and how far it helped each seat, compared with the mean over so many other deals that might have come.

    `noise` is how uncertain that mean is.
    """

    number: int
    round: int
    luck: Shares
    samples: int
    noise: float


class Split(Public, frozen=True):
    """How a seat came from its chance at the start to its share in the win."""

    seat: Seat
    start: float
    result: float
    luck: float
    own_losses: float
    others_losses: float
    rest: float


class Tally(Public, frozen=True):
    """How a seat played: its decisions (forced moves are none), what they cost on average, and the marked ones."""

    seat: Seat
    decisions: int
    mean_loss: float
    inaccuracies: int
    mistakes: int
    blunders: int


class Report(Public, frozen=True):
    """A whole game as the coach sees it.

    `start` is what each seat had before the first deal, `values` what it had after each act. `turning` are the acts
    that moved the chances most, in order. `method` says how positions were judged: by reading on (`search`) or, in
    reports from before Azul Duel was searched, by what looks good (`first sight`). A game that was given up is judged
    as it stood: `over` is false.
    """

    title: str
    rules: str
    seats: int
    method: Literal["search", "first sight"]
    nodes: int
    noise: float
    over: bool
    scores: tuple[int, ...]
    places: tuple[int, ...]
    start: Shares
    values: tuple[Shares, ...]
    decisions: tuple[Decision, ...]
    deals: tuple[Luck, ...]
    turning: tuple[int, ...]
    splits: tuple[Split, ...]
    tallies: tuple[Tally, ...]
