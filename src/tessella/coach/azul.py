"""The coach's analyser for Azul.

If the rest of the round can be searched to its end, that is the evaluation. If not, strong bots play on a number of
times, with varying budgets, until it can; the mean outcome is the evaluation and its spread the noise. A single search
cut off halfway would be less accurate, because the static evaluation would decide it.

Effort goes where it changes what the coach says: playouts stop once their mean is precise, playouts of deals that did
not come are cheap, since the deals differ by more than the play, and a round searched to its end is not searched again.

With two players on the coloured wall, a round that may be the last is first given to the exact solver: what it proves
is certain, whatever the heuristic says of the boards.
"""

from math import hypot, log
from typing import Literal, cast

from tessella.bots.interface import Budget
from tessella.coach.analysis import DealEvaluation, Evaluation, Expectation, mean, win_shares
from tessella.coach.solution import RoundSolver, Solution, is_solvable, may_be_last
from tessella.core.game import Move, Rng, Seat
from tessella.fast.azul import Azul, from_state
from tessella.fast.azul.alphabeta import AlphaBeta
from tessella.fast.azul.mcts import MaxnTree
from tessella.fast.clock import thread_time
from tessella.fast.phases import DEALING, DRAFTING, OVER, TILING
from tessella.games import azul
from tessella.games.azul import Deal, State
from tessella.games.azul.pieces import EMPTY, MARKER, SIZE

NODES = 90_000
"""Default number of positions to search per evaluation: about a tenth of a second."""
PLAYOUT_NODES = {2: (400, 2_000), 3: (3, 240), 4: (3, 160)}
"""Range of positions searched per move in a playout, by number of seats. With three and four seats some searches are
tiny: identical players would reach the same end every time, which would look more certain than it is."""
MIN_PLAYOUTS, MAX_PLAYOUTS = 4, 64
PRECISION, BATCH = 0.02, 8
"""Playouts of a position stop once the standard error is this small; looked at after each batch."""
BEST_DIVISOR = {2: 2, 3: 6, 4: 6}
"""The search for the best move gets this fraction of the positions, by number of seats."""
SAMPLES = 64
"""How many other deals are sampled."""
SAMPLE_NODES = {2: (100, 500), 3: (3, 240), 4: (3, 160)}
"""Range of positions searched per move in the playout of a sampled deal, by number of seats."""
LIGHT_NODES = 64
"""A budget of at most this many positions per evaluation makes the coach play light: shorter and fewer playouts."""
LIGHT_PLAYOUT_NODES, LIGHT_PLAYOUTS, LIGHT_SAMPLES = (3, 20), 2, 8
SOLVER_ENTRIES, SOLVER_FACTOR = 1 << 17, 4
"""Transposition entries of the exact solver, and the positions that it may search as a multiple of an evaluation's."""
PROVED_SHARES = {"win": 1.0, "draw": 0.5, "loss": 0.0}
WIN = 1_000_000
"""The value of a certain win in `fast.azul.alphabeta`, to which the lead is added in hundredths of a point."""
SLOPES = (0.173, 0.173, 0.139, 0.111, 0.086)
"""Log-odds of winning per point of lead, by the number of rounds certain to come; the same as in
`fast.azul.evaluation`, which cannot export them from its C arrays."""
DOUBT_PER_TILE = 0.005
"""With three and four seats, probability spread evenly over the seats when a playout reaches the end of the game, per
tile left when it began: nearer ends are more certain. Fitted to the last rounds of 100 games."""
POWERS = (1.0, 1.0, 0.75, 0.9, 1.55)
"""With three and four seats, exponent of the odds of the handcrafted evaluation, by the number of rounds certain to
come. Fitted to the results of 700 games between equals."""


class Analyser:
    """Analyses Azul for two to four players, on both walls."""

    method: Literal["search"] = "search"

    def __init__(self, seats: int, budget: Budget) -> None:
        self.budget = budget
        self.nodes = budget.nodes or NODES
        light = self.nodes <= LIGHT_NODES
        self._playout_nodes = LIGHT_PLAYOUT_NODES if light else PLAYOUT_NODES[seats]
        self._sample_nodes = LIGHT_PLAYOUT_NODES if light else SAMPLE_NODES[seats]
        self._best_nodes = self.nodes if light else max(1, self.nodes // BEST_DIVISOR[seats])
        self._min_playouts, self._samples = (LIGHT_PLAYOUTS, LIGHT_SAMPLES) if light else (MIN_PLAYOUTS, SAMPLES)
        self._search = AlphaBeta()
        self._searcher = self._search if seats == 2 else MaxnTree()
        self._solved: tuple[int, Evaluation] | None = None
        self._solver: RoundSolver | None = None

    def round_of(self, state: State) -> int:
        """Return the round on the table; a deal opens the next."""
        return state.round + (from_state(state).phase == DEALING)

    def best(self, state: State, seat: Seat, rng: Rng) -> Move:  # noqa: ARG002  the search is deterministic
        """Return the move that the search prefers; remember its value if the round was searched to its end."""
        proved = self._prove(state)
        if proved is not None and proved.best is not None:
            return azul.read_move(state, seat, proved.best)
        table = from_state(state)
        number = self._searcher.think(table, seat, self._best_nodes, self.budget.seconds or 0.0)
        move = table.to_move(number)
        if table.seats == 2 and table.phase == DRAFTING and not self._search.stopped:
            solved = self._solution(table)
            table.apply(number)
            self._solved = table.key(), solved
        return move

    def evaluate(self, state: State, move: Move, rng: Rng) -> Evaluation:
        """Return the evaluation after a move."""
        table = from_state(state)
        table.apply(table.from_move(cast("azul.Move", move)))
        return self._evaluate(table, rng)

    def same(self, state: State, move: Move, other: Move) -> bool:
        """Return whether two moves lead to the same table: equal factories make equal moves."""
        tables = from_state(state), from_state(state)
        for table, one in zip(tables, (move, other), strict=True):
            table.apply(table.from_move(cast("azul.Move", one)))
        return tables[0].key() == tables[1].key()

    def line(self, state: State, move: Move, rng: Rng) -> tuple[str, ...]:  # noqa: ARG002
        """Return the rest of the round as strong bots would play it; of tiling only the first choice."""
        table = from_state(state)
        line: list[str] = []
        number = table.from_move(cast("azul.Move", move))
        while True:
            line.append(table.write_move(number))
            table.apply(number)
            if table.phase != DRAFTING:
                return tuple(line)
            number = self._searcher.think(table, table.seat(), self._playout_nodes[1])

    def deal(self, state: State, deal: Deal, expected: Expectation | None, rng: Rng) -> DealEvaluation:  # noqa: ARG002
        """Evaluate the actual deal, and one playout of each of many that might have come from the same bag."""
        table = from_state(state)
        table.deal_these(deal)
        after = self._evaluate(table, rng)
        others = [self._play_out(self._redealt(state, rng), self._sample_nodes, rng) for _ in range(self._samples)]
        before = mean(others)
        luck = tuple(now - usual for now, usual in zip(after.probabilities, before.probabilities, strict=True))
        return DealEvaluation(after, before.probabilities, luck, self._samples, hypot(after.noise, before.noise))

    def _redealt(self, state: State, rng: Rng) -> Azul:
        table = from_state(state)
        table.deal_these(azul.deal(state, rng))
        return table

    # Evaluation

    def _evaluate(self, table: Azul, rng: Rng) -> Evaluation:
        proved = self._prove(table.to_state())
        if proved is not None:
            return _proved_evaluation(proved)
        if self._solved is not None and self._solved[0] == table.key():
            return self._solved[1]
        known = self.evaluate_exactly(table, max(1, self.nodes // 4))
        if known is not None:
            return known
        spent, until = 0, thread_time() + (self.budget.seconds or 3600.0)
        found: list[Evaluation] = []
        few, many = self._min_playouts, MAX_PLAYOUTS
        while len(found) < few or (spent < self.nodes and len(found) < many and thread_time() < until):
            found.append(self._play_out(table, self._playout_nodes, rng))
            spent += self._spent
            if len(found) % BATCH == 0 and mean(found).noise <= PRECISION:
                break
        return mean(found)

    def _prove(self, state: State) -> Solution | None:
        """Return the exact solution of a round that may be the last, if it is found within the budget."""
        if not is_solvable(state) or not may_be_last(state):
            return None
        if self._solver is None:
            self._solver = RoundSolver(SOLVER_ENTRIES)
        found = self._solver.solve(state, self.budget.seconds or 0.0, SOLVER_FACTOR * self.nodes)
        return found if found.proved else None

    def _play_out(self, table: Azul, node_range: tuple[int, int], rng: Rng) -> Evaluation:
        """Let strong bots play on until the rest of the round can be evaluated exactly."""
        doubt = 0.0 if table.seats == 2 else DOUBT_PER_TILE * _tiles_left(table)
        table, self._spent = table.copy(), 0
        least, most = node_range
        while True:
            nodes = least + rng.randrange(most - least)
            known = self.evaluate_exactly(table, nodes)
            if known is not None:
                return _flattened(known, doubt) if table.phase == OVER else known
            table.apply(self._search.best if table.seats == 2 else self._searcher.think(table, table.seat(), nodes))
            self._spent += self._searcher.nodes

    def evaluate_exactly(self, table: Azul, nodes: int) -> Evaluation | None:
        """Return the evaluation if the round can be searched to its end within `nodes` positions (0: any number)."""
        if table.phase == OVER:
            scores = table.scores()
            leads = tuple(_ahead(scores, seat) for seat in range(table.seats))
            return Evaluation(win_shares(table.places()), leads, proved=True)
        if table.phase != DRAFTING:
            return self._between_rounds(table)
        if table.seats > 2:
            return None
        self._search.think(table, table.seat(), nodes)
        if self._search.stopped:
            return None
        return self._solution(table)

    def _solution(self, table: Azul) -> Evaluation:
        """Return the evaluation that the search of a whole round, just made, has found."""
        value = self._search.value if table.seat() == 0 else WIN - self._search.value
        lead = _lead(value, _rounds_after(table))
        return Evaluation((_probability(value), 1 - _probability(value)), (lead, -lead))

    def _between_rounds(self, table: Azul) -> Evaluation:
        """Return the static evaluation of the boards; on grey walls with the best columns for untiled lines."""
        values = [self._value(table, seat) for seat in range(table.seats)]
        rounds = _rounds_after(table)
        powers = [_probability(value) ** (POWERS[rounds] if table.seats > 2 else 1.0) for value in values]
        total = sum(powers) or 1.0
        return Evaluation(tuple(power / total for power in powers), tuple(_lead(value, rounds) for value in values))

    def _value(self, table: Azul, seat: Seat) -> int:
        if table.phase == TILING:
            self._search.think(table, seat)
            return self._search.value
        return self._search.value_of(table, seat)


# Values, probabilities and leads


def _probability(value: int) -> float:
    return min(1.0, max(0.0, value / WIN))


def _lead(value: int, rounds: int) -> float:
    """Return the lead in points that a value stands for; the value of a decided game contains its lead.

    >>> _lead(WIN + 300, 1), _lead(-1200, 1), _lead(WIN // 2, 3)
    (3.0, -12.0, 0.0)
    """
    if not 0 < value < WIN:
        return (value - WIN * (value > 0)) / 100
    return log(value / (WIN - value)) / SLOPES[rounds]


def _proved_evaluation(found: Solution) -> Evaluation:
    """Return the evaluation of a solved position."""
    share = PROVED_SHARES[found.result]
    value = found.high if found.result == "loss" else found.low
    assert value is not None
    lead = int(value / 2)
    turn = 1 if found.seat == 0 else -1
    return Evaluation((share, 1 - share)[::turn], (float(lead), float(-lead))[::turn], proved=True)


def _flattened(known: Evaluation, doubt: float) -> Evaluation:
    """Return the evaluation with part of the probability spread evenly over the seats.

    >>> _flattened(Evaluation((1.0, 0.0, 0.0, 0.0), (3.0, -3.0, -9.0, -9.0)), 0.1).probabilities
    (0.925, 0.025, 0.025, 0.025)
    """
    even = doubt / len(known.probabilities)
    flat = tuple((1 - doubt) * probability + even for probability in known.probabilities)
    return Evaluation(flat, known.leads, known.noise)


def _tiles_left(table: Azul) -> int:
    """Return how many tiles are left to take this round."""
    state = table.to_state()
    return sum(map(len, (*state.factories, state.centre.replace(MARKER, ""))))


def _rounds_after(table: Azul) -> int:
    """Return the minimum number of rounds after the current one: the game ends with a complete row."""
    walls = [row for board in table.to_state().boards for row in board.wall]
    return max(0, min(SIZE - 1, min(row.count(EMPTY) for row in walls) - (table.phase == DRAFTING)))


def _ahead(scores: tuple[int, ...], seat: Seat) -> float:
    return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)
