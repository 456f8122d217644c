"""The report on a contest, as text and as JSON, and whether it passed its gate."""

import json
import math
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from statistics import fmean

from msgspec import Struct

from tessella.arena.contest import Contest, read_player
from tessella.arena.play import Result
from tessella.arena.run import Group, pair_score
from tessella.arena.strength import (
    Interval,
    Sprt,
    elo,
    lead,
    mean_of_groups,
    orders,
    percentile,
    share_of_groups,
)
from tessella.core.game import Seat

ANCHOR = "greedy"
MAX_TIME_RATIO = 1.05
"""Passing limit for the 99.9th percentile of thinking time, relative to the budget."""
STEP_SHARE, STEP_FACTOR = 0.6, 1.3
"""What a level must win against the level below: this share with two seats, else this factor times par."""


class Times(Struct, frozen=True):
    """Percentiles of thinking time, in milliseconds of thread CPU time; `ratio` is p99.9 relative to the budget."""

    p50: float
    p99: float
    p999: float
    ratio: float | None = None


class Standing(Struct, frozen=True):
    """The result of one player, per seat that it had."""

    player: str
    share: Interval
    margin: Interval | None
    score: float | None
    times: Times
    forfeits: int
    elo: Interval
    skill: tuple[float, float] | None = None


class Report(Struct, frozen=True):
    """The result of a contest. The first player is the one being measured."""

    contest: Contest
    games: int
    deals: int
    standings: tuple[Standing, ...]
    first: Interval
    moves: tuple[float, int, int]
    why: tuple[str, ...]
    gate: float | None = None
    sprt: Sprt | None = None
    ratio: float = 0.0
    stolen: float = 0.0
    """Seconds of thinking that were the host's; no bot is charged for them."""

    @property
    def par(self) -> float:
        """The win share of each player if all were equal."""
        return 1 / len(self.contest.players)

    @property
    def passed(self) -> bool:
        """Whether the gate was reached, the test did not reject, and all players kept to their time."""
        late = any((standing.times.ratio or 0) > MAX_TIME_RATIO for standing in self.standings)
        enough = self.gate is None or self.standings[0].share.value >= self.gate
        return enough and not late and (self.sprt is None or self.ratio >= self.sprt.bound)

    def json(self) -> str:
        """Return everything as one line of JSON."""
        return json.dumps(self.numbers())

    def numbers(self) -> dict[str, object]:
        """Return everything as plain values for JSON."""
        ours = self.standings[0]
        values: dict[str, object] = {
            "rules": self.contest.rules,
            "seed": self.contest.seed,
            "players": list(self.contest.players),
            "games": self.games,
            "deals": self.deals,
            "par": round(self.par, 4),
            "win_share": _figure(ours.share.value),
            "low": _figure(ours.share.low),
            "high": _figure(ours.share.high),
            "margin": ours.margin and _figure(ours.margin.value),
            "margin_low": ours.margin and _figure(ours.margin.low),
            "margin_high": ours.margin and _figure(ours.margin.high),
            "first_player": _span(self.first),
            "moves": dict(zip(("mean", "least", "most"), self.moves, strict=True)),
            "forfeits": sum(standing.forfeits for standing in self.standings),
            "stolen_seconds": round(self.stolen, 3),
            "standings": {standing.player: _values(standing) for standing in self.standings},
        }
        if len(self.contest.players) == 2:
            shares = (ours.share.value, ours.share.low, ours.share.high)
            values["elo_lead"] = [_figure(lead(share)) for share in shares]
        if self.sprt:
            bounds = {"elo0": self.sprt.elo0, "elo1": self.sprt.elo1, "bound": _figure(self.sprt.bound)}
            values["sprt"] = {**bounds, "ratio": _figure(self.ratio), "verdict": self._verdict()}
        return {**values, "gate": self.gate, "passed": self.passed}

    def __str__(self) -> str:
        head = f"{self.contest.rules}: {self.games} games on {self.deals} deals, seed {self.contest.seed}"
        lines = [head, "", *_table(self.standings), ""]
        mean, least, most = self.moves
        lines += [f"the first to move wins {percent(self.first)}; games have {mean:.0f} moves, from {least} to {most}"]
        if self.sprt:
            test = f"sequential test of {self.sprt.elo0:g} against {self.sprt.elo1:g} Elo: {self.ratio:+.2f}"
            lines += [f"{test} of ±{self.sprt.bound:.2f}; {self._verdict() or 'not decided'}"]
        if self.gate is not None:
            share = percent(self.standings[0].share)
            lines += [f"{self.contest.players[0]} wins {share}; the gate is {100 * self.gate:.1f} %"]
        if self.stolen:
            lines += [f"the host of this machine took {self.stolen:.2f} s from the bots; they are not charged"]
        return "\n".join([*lines, *(f"forfeit: {why}" for why in self.why)])

    def _verdict(self) -> str | None:
        assert self.sprt
        return None if abs(self.ratio) < self.sprt.bound else "elo1" if self.ratio > 0 else "elo0"


def report(contest: Contest, groups: Sequence[Group], gate: float | None = None, sprt: Sprt | None = None) -> Report:
    """Return the report on the results of a contest."""
    results = list(chain.from_iterable(groups))
    first, names, seats = contest.players[0], list(dict.fromkeys(contest.players)), len(contest.players)
    rated = elo_of(results, names)
    skills = _skills(results) if seats > 2 else {}
    lengths = [result.moves for result in results]
    pairs = [pair_score(group, first) for group in groups]
    return Report(
        contest,
        games=len(results),
        deals=len(groups),
        standings=tuple(_standing(name, groups, rated[name], skills.get(name)) for name in names),
        first=share_of_groups([[result.share(result.first) for result in group] for group in groups]),
        moves=(round(fmean(lengths), 1), min(lengths), max(lengths)),
        why=tuple(sorted({_why(result) for result in results if result.forfeit is not None}))[:5],
        gate=gate,
        sprt=sprt,
        ratio=round(sprt.ratio(pairs), 3) if sprt else 0.0,
        stolen=sum(result.stolen for result in results) / 1e6,
    )


def elo_of(results: Iterable[Result], names: Sequence[str]) -> dict[str, Interval]:
    """Return all players on one Elo scale, with greedy (or else the last player) at 1000."""
    anchors = [name for name in names if read_player(name).name == ANCHOR]
    return elo((orders(result.fixture.players, result.places) for result in results), [*anchors, names[-1]][0])


def step_gate(seats: int) -> float:
    """Return the win share that a level needs against the level below.

    >>> [round(step_gate(seats), 3) for seats in (2, 3, 4, 5)]
    [0.6, 0.433, 0.325, 0.26]
    """
    return STEP_SHARE if seats == 2 else STEP_FACTOR / seats


# One player


def _standing(name: str, groups: Sequence[Group], rated: Interval, skill: tuple[float, float] | None) -> Standing:
    margins = _of_groups(groups, name, _margin)
    scores = _of_groups(groups, name, lambda result, seat: result.scores[seat])
    forfeits = [result.forfeit in _seats(result, name) for group in groups for result in group]
    return Standing(
        name,
        share=share_of_groups(shares_of(name, groups)),
        margin=mean_of_groups(margins) if margins else None,
        score=round(fmean(scores), 1) if scores else None,
        times=_times(name, groups),
        forfeits=sum(forfeits),
        elo=rated,
        skill=skill,
    )


def shares_of(name: str, groups: Sequence[Group]) -> list[list[float]]:
    """Return a player's mean win share per seat, for each game of each deal."""
    return [[fmean(map(result.share, _seats(result, name))) for result in group] for group in groups]


def _seats(result: Result, name: str) -> list[Seat]:
    return [seat for seat, player in enumerate(result.fixture.players) if player == name]


def _of_groups(groups: Sequence[Group], name: str, value: Callable[[Result, Seat], float]) -> list[float]:
    """Return the mean of a value over the completed games of each deal."""
    found = [[value(game, seat) for game in group if game.scores for seat in _seats(game, name)] for group in groups]
    return [fmean(values) for values in found if values]


def _margin(result: Result, seat: Seat) -> float:
    """Return how far a seat is ahead of the best other player; in Blockers! fewer points are better."""
    players, last = result.fixture.players, result.places.index(max(result.places))
    sign = 1 if result.scores[result.places.index(1)] >= result.scores[last] else -1
    others = [sign * score for score, player in zip(result.scores, players, strict=True) if player != players[seat]]
    return sign * result.scores[seat] - max(others)


def _times(name: str, groups: Sequence[Group]) -> Times:
    """Return the thinking times of a player."""
    games = list(chain.from_iterable(groups))
    took = [time / 1000 for result in games for seat in _seats(result, name) for time in result.times[seat]]
    if not took:
        return Times(0, 0, 0)
    p50, p99, p999 = (round(percentile(took, percent), 3) for percent in (50, 99, 99.9))
    seconds = read_player(name).budget.seconds
    return Times(p50, p99, p999, seconds and round(p999 / 1000 / seconds, 3))


def _skills(results: Iterable[Result]) -> dict[str, tuple[float, float]]:
    """Return OpenSkill ratings after all games, as the server keeps them; for equals at one table, the mean."""
    try:
        from openskill.models import PlackettLuce  # noqa: PLC0415  an optional dependency
    except ModuleNotFoundError:
        return {}
    model = PlackettLuce()
    known: dict[str, tuple[float, float]] = {}
    for result in results:
        players = result.fixture.players
        teams = [[model.rating(*known.get(player, (model.mu, model.sigma)))] for player in players]
        rated = model.rate(teams, ranks=[float(place) for place in result.places])
        for name in {*players}:
            mine = [rated[seat][0] for seat in _seats(result, name)]
            known[name] = fmean(rating.mu for rating in mine), fmean(rating.sigma for rating in mine)
    return {name: (round(mu, 2), round(sigma, 2)) for name, (mu, sigma) in known.items()}


# Text


def _why(result: Result) -> str:
    assert result.forfeit is not None
    return f"{result.fixture.players[result.forfeit]}: {result.why}"


def _table(standings: Sequence[Standing]) -> list[str]:
    wide = max(12, *(len(standing.player) for standing in standings))
    head = f"{'':{wide}}  {'win share':22}{'margin':24}{'score':>6}  {'Elo':18}{'ms per move: p50, p99, p99.9'}"
    return [head, *(f"{standing.player:{wide}}  {_cells(standing)}" for standing in standings)]


def _cells(standing: Standing) -> str:
    times = standing.times
    margin = standing.margin
    ahead = f"{margin.value:+.1f} [{margin.low:+.1f}, {margin.high:+.1f}]" if margin else "–"
    score = "–" if standing.score is None else f"{standing.score:.1f}"
    points = f"{standing.elo.value:.0f} [{standing.elo.low:.0f}–{standing.elo.high:.0f}]"
    took = f"{times.p50:.2f}  {times.p99:.2f}  {times.p999:.2f}"
    took += f"  ({times.ratio:.2f} of its time)" if times.ratio else ""
    took += f"  skill {standing.skill[0]:.1f} ± {standing.skill[1]:.1f}" if standing.skill else ""
    took += f"  {standing.forfeits} forfeits" if standing.forfeits else ""
    return f"{percent(standing.share):22}{ahead:24}{score:>6}  {points:18}{took}"


def percent(share: Interval) -> str:
    """Return a win share as text.

    >>> percent(Interval(0.75, 0.63, 0.84))
    '75.0 % [63.0–84.0]'
    """
    return f"{100 * share.value:.1f} % [{100 * share.low:.1f}–{100 * share.high:.1f}]"


def _values(standing: Standing) -> dict[str, object]:
    times = standing.times
    return {
        "win_share": _span(standing.share),
        "margin": standing.margin and _span(standing.margin),
        "score": standing.score,
        "elo": _span(standing.elo),
        "openskill": standing.skill,
        "forfeits": standing.forfeits,
        "ms": {"p50": times.p50, "p99": times.p99, "p99.9": times.p999, "of_budget": times.ratio},
    }


def _span(interval: Interval) -> list[float | None]:
    return [_figure(interval.value), _figure(interval.low), _figure(interval.high)]


def _figure(value: float) -> float | None:
    """Return a rounded number; None for infinity, which JSON does not have."""
    return round(value, 4) if math.isfinite(value) else None
