"""Play what is missing of a contest, deal by deal, in tasks that are worth sending somewhere."""

import math
import time
from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec import Struct

from tessella.arena.contest import Contest, Fixture
from tessella.arena.play import Result, play
from tessella.arena.results import Book
from tessella.arena.strength import Sprt
from tessella.arena.workers import Map

TASK_SECONDS = 1.5
"""How long a task should take, so that sending it costs next to nothing."""

Group = Sequence[Result]
"""The games on one deal."""


def run(contest: Contest, book: Book, spread: Map, sprt: Sprt | None = None) -> Iterator[Group]:
    """The results of each deal, in order, until all are in or the test has decided."""
    groups = list(contest.groups())
    missing = [[fixture for fixture in group if fixture not in book] for group in groups]
    played = _played([group for group in missing if group], spread)
    pairs: list[float] = []
    for group in groups:
        while any(fixture not in book for fixture in group):
            book.add(next(played))
        results = [book[fixture] for fixture in group]
        yield results
        pairs.append(pair_score(results, contest.players[0]))
        if sprt and sprt.verdict(pairs):
            return


def pair_score(pair: Group, player: str) -> float:
    """The share of a pair of games that a player won."""
    return sum(result.share(result.fixture.players.index(player)) for result in pair) / len(pair)


class Played(Struct, frozen=True):
    """What a task brings back; the pace is the seconds that its last game took."""

    results: list[Result]
    pace: float


def play_all(fixtures: Sequence[Fixture]) -> Played:
    """One task: some games, one after another."""
    results: list[Result] = []
    began = time.monotonic()
    for fixture in fixtures:
        began = time.monotonic()
        results.append(play(fixture))
    return Played(results, time.monotonic() - began)


def _played(groups: Sequence[Sequence[Fixture]], spread: Map) -> Iterator[list[Result]]:
    """Play the first deal to learn how long a game takes, then the others in batches of the right size."""
    for first in spread(play_all, groups[:1]):
        yield first.results
        size = max(1, math.ceil(TASK_SECONDS / max(first.pace, 1e-6) / len(groups[0])))
        batches = [list(chain.from_iterable(groups[start : start + size])) for start in range(1, len(groups), size)]
        yield from (played.results for played in spread(play_all, batches))
