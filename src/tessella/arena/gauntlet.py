"""Gauntlet: one player against rivals of different kinds, judged by its worst result.

Bots trained by self-play may have blind spots in games they never see, so games that are long are counted separately.
"""

from collections.abc import Mapping, Sequence
from itertools import chain

from msgspec import Struct

from tessella.arena.play import Result
from tessella.arena.report import Report

RIVALS: Mapping[str, Sequence[str]] = {
    "azul": ("random", "greedy", "2", "tessella.bots.azul.levels:search"),
    "duel": ("random", "greedy", "2", "tessella.bots.duel.levels:by_hand"),
}
"""For two players: random, two without lookahead, and the search without a net."""

LONG_ROUNDS = {"azul": 6}
"""Games with more rounds than this are long; games of other titles always have as many rounds."""


class Meeting(Struct, frozen=True):
    """The result of a player against one rival, in all games and in long ones."""

    rival: str
    report: Report
    long_games: int
    long_won: float

    def __str__(self) -> str:
        share = self.report.standings[0].share
        won = f"{100 * share.value:5.1f} % [{100 * share.low:.1f}–{100 * share.high:.1f}] of {self.report.games}"
        if self.long_games:
            won += f"; long games: {100 * self.long_won / self.long_games:.1f} % of {self.long_games}"
        return f"{self.rival.rpartition(':')[2]:12} {won}"

    def numbers(self) -> dict[str, object]:
        """Return everything as plain values for JSON."""
        return {**self.report.numbers(), "long_games": self.long_games, "long_won": self.long_won}


def meeting_of(rival: str, report: Report, groups: Sequence[Sequence[Result]]) -> Meeting:
    """Return the result of the games against a rival."""
    player = report.contest.players[0]
    most = LONG_ROUNDS.get(report.contest.rules.partition("/")[0])
    long = [result for result in chain.from_iterable(groups) if most is not None and result.deals > most]
    won = sum(result.share(result.fixture.players.index(player)) for result in long)
    return Meeting(rival, report, len(long), won)


def hardest(meetings: Sequence[Meeting]) -> Meeting:
    """Return the meeting with the lowest win share."""
    return min(meetings, key=lambda meeting: meeting.report.standings[0].share.value)
