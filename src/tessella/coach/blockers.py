"""The coach's judgement of Blockers!, always from what one seat may know: its own racks, never those of others.

A position is worth what thousands of games bring that are imagined from it, each with other tiles on the hidden racks.
A draw is judged by who drew: what the rack is worth with that tile, against the mean over tiles still in the supply.
"""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean
from typing import Literal, cast

from tessella.bots.blockers_levels import search
from tessella.bots.blockers_weights import learned
from tessella.bots.budget import Budget
from tessella.coach.judge import Dealt, Judged, error
from tessella.core.game import Chance, Move, Rng, Seat
from tessella.fast.blockers import from_state
from tessella.fast.blockers_search import Search
from tessella.games import blockers
from tessella.games.blockers import Deal, DrawStart, State
from tessella.games.blockers.state import plays

GAMES = 1_000
"""How many games are imagined to judge a position, unless told otherwise."""
A_SECOND = 10_000
"""About how many games are imagined in a second."""
SAMPLES = 6
"""How many other draws are tried, each with a part of the games."""
PART = 4


class Judge:
    """Blockers! for two to five players."""

    method: Literal["search"] = "search"

    def __init__(self, seats: int, budget: Budget) -> None:
        self.seats = seats
        self.nodes = budget.nodes or (max(100, int(A_SECOND * budget.seconds)) if budget.seconds else GAMES)

    def round_of(self, state: State) -> int:
        """The lap: everybody plays once in each."""
        return plays(state) // self.seats + 1

    def best(self, state: State, seat: Seat, rng: Rng) -> Move:
        """What the player of the highest level would do."""
        return search(blockers)(blockers.view(state, seat), Budget(nodes=self.nodes), rng)

    def weigh(self, state: State, move: Move, rng: Rng) -> Judged:
        """How the table stands after a move, as far as its maker may know."""
        imagined = from_state(blockers.imagine(blockers.view(state, move.seat), rng))
        number = imagined.from_move(cast("blockers.Move", move))
        thinker = Search(imagined, learned(self.seats), rng.randrange(2**32), self.nodes + 1)
        return _judged(thinker.weigh(move.seat, number, self.nodes), self.nodes)

    def same(self, state: State, move: Move, other: Move) -> bool:  # noqa: ARG002
        """Every tile and every cell is another."""
        return move == other

    def line(self, state: State, move: Move, rng: Rng) -> tuple[str, ...]:  # noqa: ARG002
        """Only the move: what others will do depends on tiles that nobody else knows."""
        return (blockers.write_move(state, cast("blockers.Move", move)),)

    def deal(self, state: State, deal: Deal, rng: Rng) -> Dealt:
        """Judge a draw by who drew; the draw of the start player is taken as it comes."""
        if isinstance(deal, DrawStart):
            even = (1 / self.seats,) * self.seats
            return Dealt(Judged(even, (0.0,) * self.seats), even, (0.0,) * self.seats, 0, 0.0)
        after = self._drawn(state, deal, self.nodes, rng)
        others = [
            self._drawn(state, blockers.deal(state, rng), max(1, self.nodes // PART), rng) for _ in range(SAMPLES)
        ]
        before = tuple(map(fmean, zip(*(other.shares for other in others), strict=True)))
        luck = tuple(now - usual for now, usual in zip(after.shares, before, strict=True))
        noise = error([other.shares[deal.owner] for other in others])
        return Dealt(after, before, luck, SAMPLES, sqrt(noise**2 + after.noise**2))

    def _drawn(self, state: State, deal: Deal, games: int, rng: Rng) -> Judged:
        """How the table stands after a draw, as far as its owner may know; what others have to draw is imagined."""
        assert not isinstance(deal, DrawStart)
        state, _ = blockers.apply(state, deal)
        while isinstance(blockers.turn(state), Chance):
            state, _ = blockers.apply(state, blockers.deal(state, rng))
        thinker = Search(from_state(state), learned(self.seats), rng.randrange(2**32), games + 1)
        return _judged(thinker.weigh(deal.owner, -1, games), games)


def _judged(won: Sequence[tuple[float, float]], games: int) -> Judged:
    shares = tuple(share for share, _ in won)
    noise = max(sqrt(share * (1 - share) / games) for share in shares)
    return Judged(shares, tuple(lead for _, lead in won), noise)
