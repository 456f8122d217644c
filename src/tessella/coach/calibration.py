"""Whether the coach's chances come true: of the seats that are given 30 %, about 30 % should win.

Computer players play games to their end; in each, some positions are judged as a review would, and what was said is
held against who won. What is said supposes good players, so good players play.
"""

from collections.abc import Iterator, Sequence
from random import Random
from statistics import fmean

from msgspec import Struct

from tessella.bots import Budget, bot
from tessella.coach.judge import shares_of
from tessella.coach.review import JUDGES
from tessella.core.game import AnyGame, Config
from tessella.core.record import Table, replay

BINS = 10


class Claim(Struct, frozen=True):
    """What one seat was said to have of the win in some round, and what it had in the end."""

    round: int
    said: float
    won: float


class Bin(Struct, frozen=True):
    """Of the claims that are about alike: what was said and what was won on average, and how many they are."""

    said: float
    won: float
    claims: int


class Calibration(Struct, frozen=True):
    """How far to trust what is said.

    `brier` is the mean squared error, `ignorant` that of who gives everybody the same. `off` (the expected calibration
    error) is by how much said and won differ in a bin, over all bins; `rounds` is the same for each round alone.
    """

    claims: int
    brier: float
    ignorant: float
    off: float
    bins: tuple[Bin, ...]
    rounds: dict[int, float]


def claims(game: AnyGame, config: Config, level: str, budget: Budget, positions: int, seed: int) -> list[Claim]:
    """Let players of a level play a game, and judge so many of its positions."""
    rng = Random(seed)  # noqa: S311  not for secrets: the same seed makes the same game
    table, player = Table(game, config, seed=rng.randbytes(32)), bot(game, level)
    while table.seats:
        seat = table.seats[0]
        table.play(player(game.view(table.state, seat), Budget(), rng))
    won = shares_of(table.record().places)
    judge = JUDGES[game.NAME](config.seats, budget)
    moves = [step for step in replay(game, table.record()) if step.seat is not None]
    found: list[Claim] = []
    for step in rng.sample(moves, min(positions, len(moves))):
        said = judge.weigh(step.before, step.act, rng).shares
        found += [Claim(judge.round_of(step.before), *each) for each in zip(said, won, strict=True)]
    return found


def calibrated(found: Sequence[Claim], seats: int) -> Calibration:
    """How well the claims came true."""
    rounds = sorted({claim.round for claim in found})
    return Calibration(
        claims=len(found),
        brier=fmean((claim.said - claim.won) ** 2 for claim in found),
        ignorant=fmean((1 / seats - claim.won) ** 2 for claim in found),
        off=off(found),
        bins=tuple(bins(found)),
        rounds={number: off([claim for claim in found if claim.round == number]) for number in rounds},
    )


def bins(found: Sequence[Claim]) -> Iterator[Bin]:
    """The claims sorted by what was said, a tenth of the win at a time.

    >>> [bin.claims for bin in bins([Claim(1, 0.01, 0.0), Claim(1, 0.99, 1.0), Claim(1, 1.0, 1.0)])]
    [1, 2]
    """
    for place in range(BINS):
        inside = [claim for claim in found if min(BINS - 1, int(claim.said * BINS)) == place]
        if inside:
            yield Bin(fmean(claim.said for claim in inside), fmean(claim.won for claim in inside), len(inside))


def off(found: Sequence[Claim]) -> float:
    """By how much said and won differ in a bin, on average.

    >>> off([Claim(1, 0.25, 0.0), Claim(1, 0.25, 1.0), Claim(1, 0.75, 1.0), Claim(1, 0.75, 0.5)])
    0.125
    """
    return sum(each.claims * abs(each.said - each.won) for each in bins(found)) / len(found)
