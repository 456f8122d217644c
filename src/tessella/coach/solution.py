"""Exact solutions of the end of Azul for two players on the coloured wall.

A round is certain to be the last once a complete line lies beside a wall row that lacks only this tile; before that,
players may let the game go on. So each seat has a value that it can force by ending the game with this round, whatever
the opponent does, and the result is proved if one of these values is a win, or if the end is certain. What is not
proved depends on rounds to come.
"""

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from tessella.coach.certificate import Certificate, Claim
from tessella.core.game import BadNotation, Seat
from tessella.fast.azul import Azul, from_state
from tessella.fast.azul.alphabeta import AlphaBeta
from tessella.fast.azul.constants import NOT_FORCED
from tessella.fast.azul.solver import DEFAULT_ENTRIES, Solver
from tessella.fast.clock import thread_time
from tessella.fast.phases import DEALING, OVER
from tessella.games import azul
from tessella.games.azul.pieces import EMPTY
from tessella.games.azul.state import State, drafting

Result: TypeAlias = Literal["win", "draw", "loss", "open", "unknown"]
"""For the seat to move: proved, or open because it depends on later rounds, or unknown because the time was up."""

SMALL_ENTRIES = 1 << 14
"""Transposition entries for short endings, of which many are solved."""
PLAYER_NODES = 400
"""Positions searched per move by the bots that play games for their last rounds."""
GAME_SEEDS = 1_000_003
"""Seeds of games are this far apart, so that no two series share a game."""


class Solution(Struct, frozen=True):
    """What is proved about a position, for the seat to move.

    `low` is the largest value that the seat can force by ending the game, `high` the smallest to which the opponent can
    hold it by ending the game; None if there is none. A value is twice the lead in points; with equal points, 1 or -1
    for more or fewer complete rows. `ending` says that the game certainly ends with this round: then both are equal.
    `exact` says that no limit was reached: otherwise a seat may be able to force more.
    """

    position: str
    seat: Seat
    result: Result
    exact: bool
    ending: bool
    low: int | None
    high: int | None
    best: str | None
    line: tuple[str, ...]
    positions: int
    seconds: float

    @property
    def proved(self) -> bool:
        """Whether the result is proved."""
        return self.result in ("win", "draw", "loss")


def is_solvable(state: State) -> bool:
    """Return whether the solver is made for this position."""
    return state.config == azul.Config(2, "coloured") and drafting(state)


def may_be_last(state: State) -> bool:
    """Return whether some wall row lacks one tile only."""
    return any(row.count(EMPTY) == 1 for board in state.boards for row in board.wall)


def write(solutions: Iterable[Solution]) -> str:
    """Return the content of a file of solutions, as JSON lines."""
    return "".join(f"{msgspec.json.encode(each).decode()}\n" for each in solutions)


def read(text: str) -> list[Solution]:
    """Parse what `write` wrote; raise `BadNotation` if it is not a file of solutions."""
    try:
        return [msgspec.json.decode(line, type=Solution) for line in text.splitlines()]
    except msgspec.DecodeError as exc:
        raise BadNotation(f"not a file of solutions: {exc}") from None


def last_round(number: int, seed: int) -> list[State]:
    """Play a game between bots, and return every decision of its last round; the same for its number and the seed."""
    search, table = AlphaBeta(), Azul(2, seed=seed * GAME_SEEDS + number)
    decisions: list[State] = []
    while table.phase != OVER:
        if table.phase == DEALING:
            table.deal()
            decisions = []
        decisions.append(table.to_state())
        table.apply(search.think(table, table.seat(), PLAYER_NODES))
    return decisions


class Forced(Struct, frozen=True):
    """What one search found: the bounds of the value that a seat can force, and a line that reaches it."""

    low: int
    high: int
    line: tuple[str, ...]

    @property
    def value(self) -> int | None:
        """The value that the seat is known to force, if it can force an end."""
        return self.low if self.low > NOT_FORCED else None

    @property
    def exact(self) -> bool:
        """Whether the seat can force no more."""
        return self.low == self.high


class RoundSolver:
    """Solves positions, one after the other, with one transposition table."""

    def __init__(self, entries: int = DEFAULT_ENTRIES) -> None:
        self._solver = Solver(entries)

    def solve(self, state: State, seconds: float = 0.0, nodes: int = 0) -> Solution:
        """Return what can be proved within the limits of each of two searches; 0 is no limit.

        The second search, for the opponent, is not needed if the end is certain.
        """
        if not is_solvable(state):
            raise BadNotation("only drafting with two players on the coloured wall can be solved")
        began = thread_time()
        mine = self._force(state, state.current, seconds, nodes)
        ending, positions = self._solver.is_ending(), self._solver.nodes
        theirs = Forced(-mine.high, -mine.low, mine.line)
        if not ending:
            theirs = self._force(state, 1 - state.current, seconds, nodes)
            positions += self._solver.nodes
        result = _result(mine, theirs)
        line = {"win": mine.line, "draw": mine.line, "loss": theirs.line}.get(result, ())
        return Solution(
            position=azul.write_state(state),
            seat=state.current,
            result=result,
            exact=mine.exact and theirs.exact,
            ending=ending,
            low=mine.value,
            high=None if theirs.value is None else -theirs.value,
            best=line[0] if line else None,
            line=line,
            positions=positions,
            seconds=round(thread_time() - began, 3),
        )

    def _force(self, state: State, seat: Seat, seconds: float, nodes: int) -> Forced:
        table = from_state(state)
        self._solver.solve(table, seat, nodes, seconds)
        low, high = self._solver.low, self._solver.high
        line: list[str] = []
        if low > NOT_FORCED:
            for number in self._solver.line(table):
                line.append(table.write_move(number))
                table.apply(number)
        return Forced(low, high, tuple(line))

    def certify(self, state: State, seat: Seat, claim: Claim, bound: int) -> Certificate:
        """Return a certificate for a claim that is true, by solving every position that the strategy reaches."""
        player = seat if claim == "at least" else 1 - seat
        moves: dict[str, str] = {}
        done: set[str] = set()
        waiting = [state]
        while waiting:
            now = waiting.pop()
            key = azul.write_state(now)
            if key in done:
                continue
            done.add(key)
            if now.current == player:
                moves[key] = self._move(now, seat)
            waiting += _followers(now, moves.get(key))
        return Certificate(azul.write_state(state), seat, claim, bound, moves)

    def _move(self, state: State, seat: Seat) -> str:
        table = from_state(state)
        self._solver.solve(table, seat)
        return table.write_move(self._solver.best_move(table))


def _followers(state: State, only: str | None) -> Iterator[State]:
    """Yield the positions of the round after one move, or after each."""
    replies = azul.legal_moves(state, state.current)
    for move in replies if only is None else [azul.read_move(state, state.current, only)]:
        after, _ = azul.apply(state, move)
        if drafting(after):
            yield after


def _result(mine: Forced, theirs: Forced) -> Result:
    """Return the result for the seat to move, from what each seat can force."""
    if mine.low > 0:
        return "win"
    if theirs.low > 0:
        return "loss"
    if mine.low == theirs.low == 0:
        return "draw"
    return "open" if mine.exact and theirs.exact else "unknown"
