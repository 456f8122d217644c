"""The solver of Azul's last round is exact, and fast enough to be used.

The first decision of the last rounds of games between bots is solved: what each seat can force by ending the game with
this round. Every value is confirmed by a plain search in C that shares no line with Tessella (`bench/yardsticks`): the
seat can force the value, and no more. The last decisions of each round get certificates, which the checker verifies by
the readable rules. Where level 8 searches a round to its end, its move must keep a proved result.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from statistics import median
from typing import cast

from bench.yardsticks import ForceSearch, force_search
from proofs import Ask, Figure, Report
from tessella.bots import Budget, bot
from tessella.bots.azul.net import net_for
from tessella.coach.certificate import Claim, Refuted, check, final_value
from tessella.coach.solution import SMALL_ENTRIES, Result, RoundSolver, Solution, last_round
from tessella.fast.azul import from_state
from tessella.fast.azul.alphabeta import AlphaBeta
from tessella.fast.azul.constants import NOT_FORCED
from tessella.games import azul
from tessella.games.azul.pieces import COLOURS, EMPTY, MARKER
from tessella.games.azul.state import Board, State, drafting
from tessella.progress import progress

MOST_SECONDS = 60.0
"""CPU time in which a round must be solved."""
MOST_POSITIONS = 2_000_000_000
"""Positions that the plain search may visit to confirm a bound."""
CERTIFIED_HEAPS = 5
"""Heaps of one colour that are left at most when a certificate is made."""
MASTER, MASTER_SECONDS = "8", 1.0
IN_CENTRE = 2
"""The marker in the centre, for the plain search."""
WORSE: Mapping[Result, Sequence[Result]] = {"win": ("draw", "loss", "open"), "draw": ("loss", "open")}
"""What a move must not make of a proved result."""
TURNED: Mapping[Result, Result] = {"win": "loss", "loss": "win"}
"""A result as the opponent sees it."""


def prove(ask: Ask) -> Report:
    """Solve, confirm and certify `ask.size` last rounds, and let level 8 play in them."""
    rounds = [last_round(number, ask.seed) for number in range(ask.size)]
    solver, small, oracle = RoundSolver(), RoundSolver(SMALL_ENTRIES), force_search()
    found: list[Solution] = []
    failures: list[str] = []
    unconfirmed = certified = decisions = 0
    for decisions_of_round in progress(rounds, "last rounds"):
        solution = solver.solve(decisions_of_round[0], MOST_SECONDS)
        found.append(solution)
        answers = list(_confirm(oracle, decisions_of_round[0], solution))
        unconfirmed += answers.count(None)
        if False in answers:
            failures.append(f"the plain search refutes a value of {solution.position}")
        certified += _certify(small, decisions_of_round, failures)
        decisions += _watch_master(solver, decisions_of_round, failures)
    return Report(_figures(found, unconfirmed, certified, decisions), tuple(failures))


def _figures(found: Sequence[Solution], unconfirmed: int, certified: int, decisions: int) -> tuple[Figure, ...]:
    seconds, positions = [each.seconds for each in found], [each.positions for each in found]
    results = [each.result for each in found]
    return (
        Figure("rounds", len(found), at_least=1),
        *(Figure(name, results.count(name), note="for the seat to move") for name in ("win", "draw", "loss")),
        Figure("open", results.count("open"), note="depend on later rounds"),
        Figure(
            "unsolved",
            sum(not each.exact for each in found),
            at_most=0,
            note=f"within {MOST_SECONDS:.0f} s for each seat",
        ),
        Figure("seconds", median(seconds), note="of CPU time, median"),
        Figure("slowest", max(seconds), at_most=MOST_SECONDS, note="s of CPU time"),
        Figure("positions", median(positions), note="median"),
        Figure("most_positions", max(positions)),
        Figure("unconfirmed", unconfirmed, at_most=0, note="bounds that the plain search did not reach"),
        Figure("certified", certified, note="positions in checked certificates"),
        Figure("level_8_decisions", decisions, note="in which level 8 searched to the end; an error is a failure"),
    )


# The plain search


def _confirm(oracle: ForceSearch, state: State, solution: Solution) -> Iterator[bool | None]:
    """Yield for each bound of each seat whether the plain search agrees; None if it does not know."""
    numbers, seat = list(_numbers(state)), solution.seat
    low = NOT_FORCED if solution.low is None else solution.low
    high = NOT_FORCED if solution.high is None else -solution.high
    if not solution.exact:
        return
    for claimant, value in ((seat, low), (1 - seat, high)):
        if value > NOT_FORCED:
            yield oracle.can_force(numbers, claimant, value, MOST_POSITIONS)[0]
        more, _ = oracle.can_force(numbers, claimant, value + 1, MOST_POSITIONS)
        yield None if more is None else not more


def _numbers(state: State) -> Iterator[int]:
    """Yield a position as `azul_search.c` reads it."""
    for tiles in (*state.factories, state.centre):
        yield from (tiles.count(colour) for colour in COLOURS)
    holders = [seat for seat, board in enumerate(state.boards) if MARKER in board.floor]
    yield holders[0] if holders else IN_CENTRE
    yield state.current
    yield state.round
    for board in state.boards:
        yield from _board_numbers(board)


def _board_numbers(board: Board) -> Iterator[int]:
    for row in board.wall:
        yield sum(1 << column for column, space in enumerate(row) if space != EMPTY)
    yield from (COLOURS.index(tiles[0]) if tiles else 0 for tiles in board.lines)
    yield from map(len, board.lines)
    yield len(board.floor)
    yield board.score


# Certificates


def _certify(solver: RoundSolver, decisions: Sequence[State], failures: list[str]) -> int:
    """Prove the value of the first short ending of a round by two certificates; return the positions checked."""
    state = next(state for state in decisions if _heaps(state) <= CERTIFIED_HEAPS)
    low = solver.solve(state).low
    seat, checked = state.current, 0
    claims: list[tuple[Claim, int]] = [("less than", (NOT_FORCED if low is None else low) + 1)]
    if low is not None:
        claims.append(("at least", low))
    for claim, bound in claims:
        try:
            checked += check(solver.certify(state, seat, claim, bound))
        except Refuted as exc:
            failures.append(f"a certificate for {azul.write_state(state)} fails: {exc}")
    return checked


def _heaps(state: State) -> int:
    return sum(len({*tiles} - {MARKER}) for tiles in (*state.factories, state.centre))


# Level 8


def _watch_master(solver: RoundSolver, decisions: Sequence[State], failures: list[str]) -> int:
    """Return in how many decisions level 8 searched to the end; a move that spoils a proved result is a failure."""
    search, master, ended = AlphaBeta(net_for(2, "coloured")), bot(azul, MASTER), 0
    for state in decisions:
        search.think(from_state(state), state.current, 0, MASTER_SECONDS)
        if search.stopped:
            continue
        ended += 1
        before = solver.solve(state).result
        if before not in WORSE:
            continue
        move = cast("azul.Move", master(azul.view(state, state.current), Budget(), Random(0)))
        if _result_after(solver, state, move) in WORSE[before]:
            played = f"{azul.write_move(state, move)} in {azul.write_state(state)}"
            failures.append(f"level 8 plays {played}: no longer a {before}")
    return ended


def _result_after(solver: RoundSolver, state: State, move: azul.Move) -> Result:
    """Return the result for the mover after a move."""
    after, _ = azul.apply(state, move)
    if drafting(after):
        result = solver.solve(after).result
        return TURNED.get(result, result)
    value = final_value(after, state.current)
    return "open" if value is None else "win" if value > 0 else "loss" if value < 0 else "draw"
