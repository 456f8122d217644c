"""The coach's judgement of Azul Duel, always from what one seat may know: the plates in the stack are imagined.

A move is worth what comes of the many ways in which the round may go on after it, as the strongest player tries them:
chips and plates come differently each time, and a net says what boards are worth at the end of the round. A position is
worth what its best move is. Two looks at the same move differ by more than chance on the way explains, because each
follows its own first finds; that is the noise.
"""

from math import hypot
from typing import Literal, cast

from tessella.bots.budget import Budget
from tessella.bots.duel_net import learned
from tessella.coach.judge import Dealt, Judged, mean, shares_of
from tessella.core.game import Chance, Choose, Move, Over, Rng, Seat
from tessella.fast.duel import Duel, from_state
from tessella.fast.duel_search import Search
from tessella.games import duel
from tessella.games.duel import Deal, State

TRIES = 1_000
"""In how many ways a round is played on to judge a move, unless told otherwise. With less than some hundred the answers
of the other player are not found, and every move looks better than it is."""
A_SECOND = 20_000
"""About how many are tried in a second, with everything around them."""
NOISE = 0.013
"""How far a look errs (its standard deviation, measured over positions of three games; more tries do not lessen it)."""
LEAST = 8
SAMPLES = 16
"""How many other deals are looked at."""
LOOKS, PART = 2, 2
"""How often the deal that came is looked at; each look at a deal has a part of the tries."""
LONGEST_LINE = 4
"""So many moves are foreseen at most."""
SEEDS = 2**32
NEVER = 2**62


class Judge:
    """Azul Duel."""

    method: Literal["search"] = "search"

    def __init__(self, seats: int, budget: Budget) -> None:  # noqa: ARG002  there are always two
        tries = budget.nodes or (int(A_SECOND * budget.seconds) if budget.seconds else TRIES)
        self.nodes = max(LEAST, tries)

    def round_of(self, state: State) -> int:
        """The round; what is laid out before the first belongs to it."""
        return max(1, state.round + (state.phase == "prepare"))

    def best(self, state: State, seat: Seat, rng: Rng) -> Move:
        """What the player of the highest level would do."""
        table = _imagined(state, seat, rng)
        return table.to_move(_best(table, seat, self.nodes, rng))

    def weigh(self, state: State, move: Move, rng: Rng) -> Judged:
        """How the table stands after a move, as far as its maker may know, or how it ended."""
        after, _ = duel.apply(state, cast("duel.Move", move))
        turn = duel.turn(after)
        if isinstance(turn, Over):
            lead = float(turn.scores[0] - turn.scores[1])
            return Judged(shares_of(turn.places), (lead, -lead))
        table = _imagined(state, move.seat, rng)
        number = table.from_move(cast("duel.Move", move))
        return _look(table, move.seat, number, self.nodes, rng)

    def same(self, state: State, move: Move, other: Move) -> bool:  # noqa: ARG002
        """Moves are written so that no two come to the same."""
        return move == other

    def line(self, state: State, move: Move, rng: Rng) -> tuple[str, ...]:
        """How strong players would go on, until chance speaks."""
        line: list[str] = []
        while True:
            line.append(duel.write_move(state, cast("duel.Move", move)))
            state, _ = duel.apply(state, cast("duel.Move", move))
            turn = duel.turn(state)
            if not isinstance(turn, Choose) or len(line) == LONGEST_LINE:
                return tuple(line)
            table = _imagined(state, turn.seats[0], rng)
            move = table.to_move(_best(table, turn.seats[0], self.nodes // PART, rng))

    def deal(self, state: State, deal: Deal, rng: Rng) -> Dealt:
        """Look at the deal that came, and at others that might have come, all alike."""
        after = mean([self._dealt(state, deal, rng) for _ in range(LOOKS)])
        before = mean([self._dealt(state, duel.deal(state, rng), rng) for _ in range(SAMPLES)])
        luck = tuple(now - usual for now, usual in zip(after.shares, before.shares, strict=True))
        return Dealt(after, before.shares, luck, SAMPLES, hypot(after.noise, before.noise))

    def _dealt(self, state: State, deal: Deal, rng: Rng) -> Judged:
        """What the best move is worth after a deal, and after those that follow it."""
        state, _ = duel.apply(state, deal)
        while isinstance(turn := duel.turn(state), Chance):
            state, _ = duel.apply(state, duel.deal(state, rng))
        assert isinstance(turn, Choose)
        seat = turn.seats[0]
        table = _imagined(state, seat, rng)
        tries = self.nodes // PART
        return _look(table, seat, _best(table, seat, tries, rng), tries, rng)


def _imagined(state: State, seat: Seat, rng: Rng) -> Duel:
    return from_state(duel.imagine(duel.view(state, seat), rng))


def _best(table: Duel, seat: Seat, tries: int, rng: Rng) -> int:
    return Search(table, seat, rng.randrange(SEEDS), tries + 1, learned()).choose(tries, NEVER)


def _look(table: Duel, seat: Seat, move: int, tries: int, rng: Rng) -> Judged:
    share, lead = Search(table, seat, rng.randrange(SEEDS), tries + 1, learned()).weigh(move, tries)
    shares, leads = (share, 1 - share), (lead, -lead)
    return Judged(shares, leads, NOISE) if seat == 0 else Judged(shares[::-1], leads[::-1], NOISE)
