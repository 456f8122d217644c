"""A benchmark that anybody can repeat: a player against fixed rivals on duplicate deals, as one rating.

The rivals are levels that search a fixed number of positions, so they play the same moves on every machine; their
ratings and a fingerprint of their play are part of the suite. The player's rating is the likeliest one given its
results, with an interval from resampled deals. The coach reviews some of the games, and says what the player's moves
cost on average.
"""

import math
import platform
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from random import Random
from statistics import fmean

from msgspec import Struct

from tessella import __version__
from tessella.arena.contest import Contest, Fixture
from tessella.arena.play import Result, play
from tessella.arena.results import ResultFile
from tessella.arena.run import Group, run
from tessella.arena.strength import ELO, Interval, Z, elo, expected, mean_of_groups, orders, percentile, share_of_groups
from tessella.arena.workers import Map
from tessella.bots import Budget
from tessella.bots.rivals import Rival, rivals_of
from tessella.coach.review import ANALYSERS, evaluate_act
from tessella.core.record import Record, replay, write_rules
from tessella.games import GAMES

SUITE = "tessella-benchmark/1"
"""Results are comparable within one version of the suite."""

RIVALS = ("1", "2", "3", "4", "5", "6")
"""Levels of every title that search a number of positions rather than for some time."""

DEALS = 20
"""Deals per rival; each is played twice, with the seats swapped."""

REVIEWS = 12
"""Games in which the coach reviews the player's moves: the first ones against each rival in turn."""

RESAMPLES = 1_000
FINGERPRINT_SEED = 20_260_101
LOWEST_ELO, HIGHEST_ELO, ELO_PRECISION = -2_000.0, 6_000.0, 0.01


class Meeting(Struct, frozen=True):
    """The results against one rival."""

    rival: str
    rival_elo: float
    games: int
    share: Interval


class Benchmark(Struct, frozen=True):
    """The result of a player: one row of the leaderboard, and what is needed to repeat it."""

    suite: str
    title: str
    rules: str
    player: str
    seed: int
    games: int
    elo: Interval
    meetings: tuple[Meeting, ...]
    mean_loss: Interval | None
    """What a move costs on average, in win probability, by the coach; None if no game was reviewed."""
    reviewed: int
    moves: int
    illegal: int
    """Games lost by an illegal move."""
    forfeits: int
    """Games lost by an illegal move, an exception, or too much time."""
    move_milliseconds: float
    """Half of the moves took at most this much CPU time."""
    tessella: str
    python: str
    rivals: dict[str, str]
    """The fingerprint of each rival, as it played here."""


# The suite


def rules_of(title: str) -> str:
    """Return the rules of the suite: the usual ones, for two players."""
    game = GAMES[title]
    return write_rules(game, game.Config(seats=2))


def fingerprint(title: str, player: str) -> str:
    """Return a digest of a player's moves in two games against itself: equal if it plays as it did before."""
    played = [play(Fixture(rules_of(title), FINGERPRINT_SEED, deal, (player, player))) for deal in range(2)]
    return sha256(repr([result.acts for result in played]).encode()).hexdigest()[:16]


def play_rivals(title: str, games: int, spread: Map) -> Iterator[Result]:
    """Yield the games in which the rivals, and `greedy`, play each other: each against the three above it."""
    names = ("greedy", *RIVALS)
    pairs = [(one, other) for number, one in enumerate(names) for other in names[number + 1 : number + 4]]
    for pair in pairs:
        for group in run(Contest(rules_of(title), 1, pair, games), ResultFile(), spread):
            yield from group


def rate_rivals(title: str, results: Iterable[Result]) -> list[Rival]:
    """Return the rivals with their ratings by these games; `greedy` has 1000."""
    rated = elo((orders(result.fixture.players, result.places) for result in results), "greedy")
    return [Rival(name, rated[name].value, fingerprint(title, name)) for name in RIVALS]


# Running it


def contests(title: str, player: str, seed: int, deals: int) -> list[Contest]:
    """Return the contests of the suite for a player."""
    return [
        Contest(rules_of(title), seed, (player, rival.player), 2 * deals)
        for rival in rivals_of(title)
        if rival.player != player
    ]


def play_suite(title: str, player: str, seed: int, deals: int, spread: Map) -> Iterator[tuple[str, Group]]:
    """Yield the games on each deal with the name of the rival."""
    for contest in contests(title, player, seed, deals):
        for group in run(contest, ResultFile(), spread):
            yield contest.players[1], group


def summarise(
    title: str, player: str, seed: int, played: Sequence[tuple[str, Group]], losses: Sequence[float]
) -> Benchmark:
    """Return the result of all games; `losses` are the mean loss in each reviewed game."""
    strength = {rival.player: rival.elo for rival in rivals_of(title)}
    by_rival = {rival: [group for other, group in played if other == rival] for rival, _ in played}
    results = [result for _, group in played for result in group]
    own = [result.fixture.players.index(player) for result in results]
    lost = [result.why for result, seat in zip(results, own, strict=True) if result.forfeit == seat]
    times = [time / 1e3 for result, seat in zip(results, own, strict=True) for time in result.times[seat]]
    scored = [Score(strength[rival], _shares(group, player)) for rival, group in played]
    return Benchmark(
        suite=SUITE,
        title=title,
        rules=rules_of(title),
        player=player,
        seed=seed,
        games=len(results),
        elo=rating(scored, Random(seed)),  # noqa: S311
        meetings=tuple(
            Meeting(
                rival,
                strength[rival],
                sum(map(len, groups)),
                share_of_groups([_shares(group, player) for group in groups]),
            )
            for rival, groups in by_rival.items()
        ),
        mean_loss=_mean(losses) if len(losses) > 1 else None,
        reviewed=len(losses),
        moves=len(times),
        illegal=sum(why.startswith("illegal move") for why in lost),
        forfeits=len(lost),
        move_milliseconds=round(percentile(times, 50), 3) if times else 0.0,
        tessella=__version__,
        python=platform.python_version(),
        rivals={rival: fingerprint(title, rival) for rival in by_rival},
    )


def _shares(group: Group, player: str) -> tuple[float, ...]:
    return tuple([result.share(result.fixture.players.index(player)) for result in group])


def _mean(losses: Sequence[float]) -> Interval:
    """Return the mean of win probabilities, to four digits."""
    found = mean_of_groups([1e4 * loss for loss in losses])
    return Interval(*(round(value / 1e4, 4) for value in (found.value, found.low, found.high)))


# The rating


class Score(Struct, frozen=True):
    """What a player reached on one deal against a rival of known strength."""

    strength: float
    shares: tuple[float, ...]


def rating(scored: Sequence[Score], rng: Random) -> Interval:
    """Return the likeliest Elo of a player.

    The interval is the wider of two: from resampled deals, because the games on one deal are not independent, and from
    the curvature of the likelihood, because a player who wins every game gives no variance to resample.

    >>> even = [Score(1000.0, (1.0, 0.0)), Score(1000.0, (1.0, 0.5)), Score(1000.0, (0.0, 0.5))]
    >>> rating(even * 20, Random(1)).value
    1000.0
    """
    value = _likeliest(scored)
    samples = [_likeliest(rng.choices(scored, k=len(scored))) for _ in range(RESAMPLES)]
    reach = Z * _standard_error(scored, value)
    low, high = percentile(samples, 2.5), percentile(samples, 97.5)
    return Interval(round(value, 1), round(min(low, value - reach), 1), round(max(high, value + reach), 1))


def _likeliest(scored: Sequence[Score]) -> float:
    """Return the rating whose expected score is the one reached, found by bisection.

    One drawn game against each rival is added, so that a player who wins or loses everything has a finite rating.
    """
    games = _games(scored)
    reached = 0.5 * len(games) + sum(sum(score.shares) for score in scored)
    low, high = LOWEST_ELO, HIGHEST_ELO
    while high - low > ELO_PRECISION:
        middle = (low + high) / 2
        hoped = sum(number * expected(middle - strength) for strength, number in games.items())
        low, high = (middle, high) if hoped < reached else (low, middle)
    return (low + high) / 2


def _standard_error(scored: Sequence[Score], value: float) -> float:
    hoped = ((number, expected(value - strength)) for strength, number in _games(scored).items())
    return ELO / math.sqrt(sum(number * share * (1 - share) for number, share in hoped))


def _games(scored: Sequence[Score]) -> dict[float, int]:
    """Return the number of games against rivals of each strength, with the one that is added."""
    games = dict.fromkeys([score.strength for score in scored], 1)
    for score in scored:
        games[score.strength] += len(score.shares)
    return games


# The coach


def games_to_review(played: Sequence[tuple[str, Group]], number: int) -> list[Result]:
    """Return the first games against each rival in turn."""
    seen: Counter[str] = Counter()
    order: list[tuple[int, Result]] = []
    for rival, group in played:
        order.append((seen[rival], group[seen[rival] % len(group)]))
        seen[rival] += 1
    return [result for _, result in sorted(order, key=_turn) if result.forfeit is None][:number]


def _turn(each: tuple[int, Result]) -> int:
    return each[0]


def mean_loss(title: str, player: str, result: Result) -> float:
    """Return what the moves of a player cost on average in a game, in win probability, by the coach."""
    game, fixture = GAMES[title], result.fixture
    seat, analyser = fixture.players.index(player), ANALYSERS[title](2, Budget())
    moves = [step for step in replay(game, Record(fixture.rules, result.acts)) if step.seat == seat]
    decisions = [evaluate_act(game, analyser, step, None)[0].decision for step in moves]
    return fmean(decision.loss for decision in decisions if decision is not None and decision.choices > 1)
