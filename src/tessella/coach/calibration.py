"""Calibration of the coach's win probabilities: of the seats that are given 30 %, about 30 % should win.

Bots play games to their end; in each, some positions are evaluated as a review would, and the predictions are compared
with the results. The predictions assume good play, so the bots should be strong.
"""

from collections.abc import Iterator, Sequence
from random import Random
from statistics import fmean

from msgspec import Struct

from tessella.bots import Budget, bot
from tessella.coach.analysis import win_shares
from tessella.coach.review import analyser_for, evaluate_act
from tessella.core.game import AnyGame, Config
from tessella.core.local import LocalTable
from tessella.core.record import replay

BINS = 10


class Prediction(Struct, frozen=True):
    """The win probability predicted for one seat in some round, and its share of the win in the end."""

    round: int
    predicted: float
    won: float


class Bin(Struct, frozen=True):
    """Predictions of about the same size: the mean predicted (`said`), the mean won, and their number."""

    said: float
    won: float
    claims: int


class Calibration(Struct, frozen=True):
    """How reliable the predictions are.

    `claims` is the number of predictions, `brier` their mean squared error, `ignorant` that of equal probabilities for
    all seats. `off` is the expected calibration error: the mean difference of predicted and won over the bins; `rounds`
    is the same for each round alone.
    """

    claims: int
    brier: float
    ignorant: float
    off: float
    bins: tuple[Bin, ...]
    rounds: dict[int, float]


def predictions(
    game: AnyGame, config: Config, level: str, budget: Budget, positions: int, seed: int
) -> list[Prediction]:
    """Play a game between bots of a level and return predictions for this many of its positions."""
    rng = Random(seed)  # noqa: S311  not for secrets: the same seed makes the same game
    table, player = LocalTable(game, config, seed=rng.randbytes(32)), bot(game, level)
    while table.seats:
        seat = table.seats[0]
        table.play(player(game.view(table.state, seat), Budget(), rng))
    won = win_shares(table.record().places)
    analyser = analyser_for(game, config.seats, budget)
    moves = [step for step in replay(game, table.record()) if step.seat is not None]
    found: list[Prediction] = []
    for step in rng.sample(moves, min(positions, len(moves))):
        predicted = evaluate_act(game, analyser, step, None)[0].after
        found += [Prediction(analyser.round_of(step.before), *each) for each in zip(predicted, won, strict=True)]
    return found


def calibrate(found: Sequence[Prediction], seats: int) -> Calibration:
    """Return how well the predictions match the results."""
    rounds = sorted({each.round for each in found})
    return Calibration(
        claims=len(found),
        brier=fmean((each.predicted - each.won) ** 2 for each in found),
        ignorant=fmean((1 / seats - each.won) ** 2 for each in found),
        off=calibration_error(found),
        bins=tuple(bins(found)),
        rounds={number: calibration_error([each for each in found if each.round == number]) for number in rounds},
    )


def bins(found: Sequence[Prediction]) -> Iterator[Bin]:
    """Yield the non-empty bins of the predictions, each a tenth wide.

    >>> [bin.claims for bin in bins([Prediction(1, 0.01, 0.0), Prediction(1, 0.99, 1.0), Prediction(1, 1.0, 1.0)])]
    [1, 2]
    """
    for number in range(BINS):
        inside = [each for each in found if min(BINS - 1, int(each.predicted * BINS)) == number]
        if inside:
            yield Bin(fmean(each.predicted for each in inside), fmean(each.won for each in inside), len(inside))


def calibration_error(found: Sequence[Prediction]) -> float:
    """Return the expected calibration error: the mean difference of predicted and won over the bins.

    >>> found = [Prediction(1, 0.25, 0.0), Prediction(1, 0.25, 1.0), Prediction(1, 0.75, 1.0), Prediction(1, 0.75, 0.5)]
    >>> calibration_error(found)
    0.125
    """
    return sum(each.claims * abs(each.said - each.won) for each in bins(found)) / len(found)
