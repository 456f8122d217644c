"""A player against rivals of every kind: it is as good as it is against the one it finds hardest.

Players who learned from their own games may be blind for games that they never see. So the share is also counted for
long games alone.
"""

from collections.abc import Mapping, Sequence
from itertools import chain

from msgspec import Struct

from tessella.arena.play import Result
from tessella.arena.report import Report

RIVALS: Mapping[str, Sequence[str]] = {
    "azul": (
        "random",
        "greedy",
        "2",
        "tessella.bots.azul_rivals:flat",
        "tessella.bots.azul_rivals:dragging",
        "tessella.bots.azul_levels:search",
        "tessella.bots.azul_rivals:old_net",
    ),
}
"""Of two players: who knows nothing, who takes what looks best, sharply and not, two that play at random to the end,
the value made by hand, and the net before this one; all with the same time."""
LONG = 6
"""Games with more rounds are long."""


class Meeting(Struct, frozen=True):
    """How a player did against one rival, in all games and in the long ones."""

    rival: str
    report: Report
    long_games: int
    long_won: float

    def __str__(self) -> str:
        share = self.report.standings[0].share
        told = f"{100 * share.value:5.1f} % [{100 * share.low:.1f}–{100 * share.high:.1f}] of {self.report.games}"
        long = f"{100 * self.long_won / self.long_games:.1f} % of {self.long_games}" if self.long_games else "none"
        return f"{self.rival.rpartition(':')[2]:12} {told}; past round {LONG}: {long}"

    def numbers(self) -> dict[str, object]:
        """Everything as plain values."""
        return {**self.report.numbers(), "long_games": self.long_games, "long_won": self.long_won}


def met(rival: str, report: Report, groups: Sequence[Sequence[Result]]) -> Meeting:
    """What the games against a rival showed."""
    player = report.contest.players[0]
    long = [result for result in chain.from_iterable(groups) if result.deals > LONG]
    won = sum(result.share(result.fixture.players.index(player)) for result in long)
    return Meeting(rival, report, len(long), won)


def hardest(meetings: Sequence[Meeting]) -> Meeting:
    """The rival against whom the player wins least."""
    return min(meetings, key=lambda meeting: meeting.report.standings[0].share.value)
