"""Play the missing games of a contest, deal by deal, in tasks of a sensible size."""

import math
import time
from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec import Struct

from tessella.arena.contest import Contest, Fixture
from tessella.arena.play import Result, play
from tessella.arena.results import ResultFile
from tessella.arena.strength import Sprt
from tessella.arena.workers import Map

TASK_SECONDS = 1.5
"""Target duration of a task, so that the cost of sending it is negligible."""

Group = Sequence[Result]
"""The games on one deal."""


def run(contest: Contest, file: ResultFile, spread: Map, sprt: Sprt | None = None) -> Iterator[Group]:
    """Yield the results of each deal, in order, until all games are played or the test has decided."""
    groups = list(contest.groups())
    missing = [[fixture for fixture in group if fixture not in file] for group in groups]
    played = _played([group for group in missing if group], spread)
    pairs: list[float] = []
    for group in groups:
        while any(fixture not in file for fixture in group):
            file.add(next(played))
        results = [file[fixture] for fixture in group]
        yield results
        pairs.append(pair_score(results, contest.players[0]))
        if sprt and sprt.verdict(pairs):
            return


def pair_score(pair: Group, player: str) -> float:
    """Return a player's win share in a pair of games."""
    return sum(result.share(result.fixture.players.index(player)) for result in pair) / len(pair)


class Played(Struct, frozen=True):
    """The results of a task; `pace` is the duration of its last game, in seconds."""

    results: list[Result]
    pace: float


def play_all(fixtures: Sequence[Fixture]) -> Played:
    """Play the games of one task."""
    results: list[Result] = []
    began = time.monotonic()
    for fixture in fixtures:
        began = time.monotonic()
        results.append(play(fixture))
    return Played(results, time.monotonic() - began)


def _played(groups: Sequence[Sequence[Fixture]], spread: Map) -> Iterator[list[Result]]:
    """Play the first deal to measure the duration of a game, then the others in batches of the right size."""
    for first in spread(play_all, groups[:1]):
        yield first.results
        size = max(1, math.ceil(TASK_SECONDS / max(first.pace, 1e-6) / len(groups[0])))
        batches = [list(chain.from_iterable(groups[start : start + size])) for start in range(1, len(groups), size)]
        yield from (played.results for played in spread(play_all, batches))
