"""The coach's judgement of Azul.

Where the rest of the round can be read to its end, that is the value. Where it cannot, strong players play on from
there a number of times, never quite with the same patience, until it can; the mean of what comes out is the value, and
how much it varies is the noise. A single search that stops halfway misjudges more: what looks good at once decides it.
"""

from math import log
from time import thread_time
from typing import Literal, cast

from tessella.bots.budget import Budget
from tessella.coach.judge import Dealt, Judged, mean, shares_of
from tessella.core.game import Move, Rng, Seat
from tessella.fast.azul import Azul, from_state
from tessella.fast.azul_search import Search
from tessella.fast.azul_tree import Tree
from tessella.fast.phases import DEALING, DRAFTING, OVER, TILING
from tessella.games import azul
from tessella.games.azul import Deal, State
from tessella.games.azul.pieces import EMPTY, MARKER, SIZE

NODES = 120_000
"""How many positions are read to judge one, unless told otherwise: about a tenth of a second."""
PATIENCE = {2: (500, 2_500), 3: (3, 240), 4: (3, 160)}
"""Between how many positions a player reads for a move when play goes on from a position. Of three and four some are
hasty: players who are all alike find the same end every time, which then looks surer than it is."""
LEAST_LOOKS, MOST_LOOKS = 4, 64
SAMPLES = 64
"""How many other deals are tried."""
WIN = 1_000_000
"""The value of a certain win in `fast.azul_search`, to which the lead is added in hundredths of a point."""
SLOPES = (0.173, 0.173, 0.139, 0.111, 0.086)
"""How much a point of lead says about who wins, for each number of rounds that are sure to come."""
DOUBT = 0.005
"""Of three and four players, how much of the win is shared out evenly where a look sees the end of the game, for each
tile that lay there when it began: it sees better what is near. Fitted to the last rounds of 100 games."""
POWERS = (1.0, 1.0, 0.75, 0.9, 1.55)
"""Of three and four players, how much surer the value made by hand should be (its odds to this power), for each number
of rounds that are sure to come: fitted to how 700 games between equals ended."""


class Judge:
    """Azul for two to four players, on both walls."""

    method: Literal["search"] = "search"

    def __init__(self, seats: int, budget: Budget) -> None:
        self.budget = budget
        self.nodes = budget.nodes or NODES
        self._search = Search()
        self._reader = self._search if seats == 2 else Tree()

    def round_of(self, state: State) -> int:
        """The round that is counted on the table; a deal opens the next."""
        return state.round + (from_state(state).phase == DEALING)

    def best(self, state: State, seat: Seat, rng: Rng) -> Move:  # noqa: ARG002  reads, and does not guess
        """What the player of the highest level would do."""
        table = from_state(state)
        return table.to_move(self._reader.think(table, seat, self.nodes, self.budget.seconds or 0.0))

    def weigh(self, state: State, move: Move, rng: Rng) -> Judged:
        """How the table stands after a move."""
        table = from_state(state)
        table.apply(table.from_move(cast("azul.Move", move)))
        return self._judge(table, rng)

    def same(self, state: State, move: Move, other: Move) -> bool:
        """Equal factories make equal moves."""
        tables = from_state(state), from_state(state)
        for table, one in zip(tables, (move, other), strict=True):
            table.apply(table.from_move(cast("azul.Move", one)))
        return tables[0].key() == tables[1].key()

    def line(self, state: State, move: Move, rng: Rng) -> tuple[str, ...]:  # noqa: ARG002
        """The rest of the round, as strong players would play it; of tiling only the first choice."""
        table = from_state(state)
        line: list[str] = []
        number = table.from_move(cast("azul.Move", move))
        while True:
            line.append(table.write_move(number))
            table.apply(number)
            if table.phase != DRAFTING:
                return tuple(line)
            number = self._reader.think(table, table.seat(), PATIENCE[table.seats][1])

    def deal(self, state: State, deal: Deal, rng: Rng) -> Dealt:
        """Judge the refill that came, and look once at each of many that might have come from the same bag."""
        table = from_state(state)
        table.deal_these(deal)
        after = self._judge(table, rng)
        others = [self._look(self._dealt_anew(state, rng), rng) for _ in range(SAMPLES)]
        before = mean(others)
        luck = tuple(now - usual for now, usual in zip(after.shares, before.shares, strict=True))
        return Dealt(after, before.shares, luck, SAMPLES, (after.noise**2 + before.noise**2) ** 0.5)

    def _dealt_anew(self, state: State, rng: Rng) -> Azul:
        table = from_state(state)
        table.deal_these(azul.deal(state, rng))
        return table

    # How a table stands

    def _judge(self, table: Azul, rng: Rng) -> Judged:
        known = self.settled(table, max(1, self.nodes // 4))
        if known is not None:
            return known
        spent, until = 0, thread_time() + (self.budget.seconds or 3600.0)
        looks: list[Judged] = []
        while len(looks) < LEAST_LOOKS or (spent < self.nodes and len(looks) < MOST_LOOKS and thread_time() < until):
            looks.append(self._look(table, rng))
            spent += self._spent
        return mean(looks)

    def _look(self, table: Azul, rng: Rng) -> Judged:
        """Let strong players play on until the rest of the round is known."""
        doubt = 0.0 if table.seats == 2 else DOUBT * _tiles_left(table)
        table, self._spent = table.copy(), 0
        least, most = PATIENCE[table.seats]
        while True:
            patience = least + rng.randrange(most - least)
            known = self.settled(table, patience)
            if known is not None:
                return _doubted(known, doubt) if table.phase == OVER else known
            table.apply(self._search.best if table.seats == 2 else self._reader.think(table, table.seat(), patience))
            self._spent += self._reader.nodes

    def settled(self, table: Azul, nodes: int) -> Judged | None:
        """How a table stands, if reading the round to its end takes no more than so many positions (0: any number)."""
        if table.phase == OVER:
            scores = table.scores()
            return Judged(shares_of(table.places()), tuple(_ahead(scores, seat) for seat in range(table.seats)))
        if table.phase != DRAFTING:
            return self._between_rounds(table)
        if table.seats > 2:
            return None
        self._search.think(table, table.seat(), nodes)
        if self._search.stopped:
            return None
        value = self._search.value if table.seat() == 0 else WIN - self._search.value
        lead = _lead(value, _rounds_after(table))
        return Judged((_share(value), 1 - _share(value)), (lead, -lead))

    def _between_rounds(self, table: Azul) -> Judged:
        """What the boards promise; on grey walls with the best columns for what is not yet tiled."""
        values = [self._value(table, seat) for seat in range(table.seats)]
        rounds = _rounds_after(table)
        powers = [_share(value) ** (POWERS[rounds] if table.seats > 2 else 1.0) for value in values]
        total = sum(powers) or 1.0
        return Judged(tuple(power / total for power in powers), tuple(_lead(value, rounds) for value in values))

    def _value(self, table: Azul, seat: Seat) -> int:
        if table.phase == TILING:
            self._search.think(table, seat)
            return self._search.value
        return self._search.worth(table, seat)


# Values, shares and leads


def _share(value: int) -> float:
    return min(1.0, max(0.0, value / WIN))


def _lead(value: int, rounds: int) -> float:
    """The lead in points that a value stands for; a game that is decided is worth its lead.

    >>> _lead(WIN + 300, 1), _lead(-1200, 1), _lead(WIN // 2, 3)
    (3.0, -12.0, 0.0)
    """
    if not 0 < value < WIN:
        return (value - WIN * (value > 0)) / 100
    return log(value / (WIN - value)) / SLOPES[rounds]


def _doubted(known: Judged, doubt: float) -> Judged:
    """The same, less sure.

    >>> _doubted(Judged((1.0, 0.0, 0.0, 0.0), (3.0, -3.0, -9.0, -9.0)), 0.1).shares
    (0.925, 0.025, 0.025, 0.025)
    """
    even = doubt / len(known.shares)
    return Judged(tuple((1 - doubt) * share + even for share in known.shares), known.leads, known.noise)


def _tiles_left(table: Azul) -> int:
    """How many tiles are still to be taken this round."""
    state = table.to_state()
    return sum(map(len, (*state.factories, state.centre.replace(MARKER, ""))))


def _rounds_after(table: Azul) -> int:
    """How many rounds are sure to come after the one that is played: the game ends with a complete row."""
    walls = [row for board in table.to_state().boards for row in board.wall]
    return max(0, min(SIZE - 1, min(row.count(EMPTY) for row in walls) - (table.phase == DRAFTING)))


def _ahead(scores: tuple[int, ...], seat: Seat) -> float:
    return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)
