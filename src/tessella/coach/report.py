"""The coach's report on a game, as it is stored, shown and sent.

Everything is measured in win probability: from 0 to 1, the probability that a seat wins if everybody plays well from
there on; a shared win counts in part. The result of a seat breaks down into

    result − start = luck − own losses + others' losses + rest

where luck is the effect of deals, a loss is what a move gave away, and the rest is the error of the search.
Acts are numbered as in the record, from 0. The report contains no names, because players may withdraw them.
"""

from typing import Literal, TypeAlias

from tessella.core.game import Public, Seat

Label: TypeAlias = Literal["", "inaccuracy", "mistake", "blunder"]
Probabilities: TypeAlias = tuple[float, ...]
"""The win probability of each seat; they add up to 1."""


class Decision(Public, frozen=True):
    """A move, and what it cost the mover.

    `line` is the principal variation that starts with `best`; `best` is `played` where nothing better was found.
    `value` is the mover's win probability with the best move, `loss` what the played one lost of it, and `points` about
    the same in points of the game. `shift` is its effect on every seat; the mover's own is −loss. `noise` is the
    standard error of the loss. A forced move has 1 as `choices` and no loss. `proved` says that the results of the best
    and of the played move are certain: the game was searched to its end.
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
    shift: Probabilities
    proved: bool = False


class Luck(Public, frozen=True):
    """A deal, and how much it helped each seat, compared with the mean over `samples` other possible deals.

    `noise` is the standard error of that difference.
    """

    number: int
    round: int
    luck: Probabilities
    samples: int
    noise: float


class Split(Public, frozen=True):
    """The path of a seat from its win probability at the start to its result."""

    seat: Seat
    start: float
    result: float
    luck: float
    own_losses: float
    others_losses: float
    rest: float


class Tally(Public, frozen=True):
    """How a seat played: its decisions (without forced moves), their mean loss, and how many were marked."""

    seat: Seat
    decisions: int
    mean_loss: float
    inaccuracies: int
    mistakes: int
    blunders: int


class Report(Public, frozen=True):
    """The coach's report on a whole game.

    `start` are the win probabilities before the first deal, `values` those after each act. `turning` are the acts
    that changed them most, in order. `method` says how positions were evaluated: by search or, in
    reports from before Azul Duel was searched, by a heuristic (`first sight`). An abandoned game is evaluated
    as it stood, and `over` is false.
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
    start: Probabilities
    values: tuple[Probabilities, ...]
    decisions: tuple[Decision, ...]
    deals: tuple[Luck, ...]
    turning: tuple[int, ...]
    splits: tuple[Split, ...]
    tallies: tuple[Tally, ...]


class ReviewView(Public, frozen=True):
    """The progress of a review, `done` of `total` acts, and the report when it is complete.

    `id` is the id of the game, or `record_id` of an uploaded record.
    """

    id: str
    status: Literal["waiting", "working", "done", "failed"]
    done: int
    total: int
    report: Report | None = None
