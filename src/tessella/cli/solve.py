"""The command `tessella solve`."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from tessella.cli.options import add_json, positive
from tessella.coach import solution
from tessella.coach.certificate import check
from tessella.coach.solution import RoundSolver, Solution, is_solvable, last_round
from tessella.core.game import BadNotation
from tessella.core.record import replay
from tessella.games import azul
from tessella.games.azul.state import State
from tessella.progress import progress
from tessella.terminal.console import read_game

RESULTS = {
    "win": "a proved win for seat {seat}",
    "draw": "a proved draw",
    "loss": "a proved loss for seat {seat}",
    "open": "open: it depends on later rounds",
    "unknown": "unknown: the limit was reached",
}


def add_solve(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tessella solve`."""
    parser.add_argument("position", nargs="?", help="a position, a record, or a game in its one-line form")
    parser.add_argument("--act", type=int, metavar="N", help="the position before this act (the last round begins)")
    parser.add_argument("--games", type=positive, metavar="N", help="solve the last rounds of N games between bots")
    parser.add_argument("--seed", type=int, default=1, help="random seed of those games (1)")
    parser.add_argument("--left", type=positive, metavar="N", help="of a last round, begin when N tiles are left")
    parser.add_argument("--seconds", type=float, default=0.0, metavar="S", help="CPU time for each seat (no limit)")
    parser.add_argument("--nodes", type=positive, default=0, metavar="N", help="positions for each seat (no limit)")
    parser.add_argument("--certify", type=Path, metavar="FILE", help="write a certificate of the value, and check it")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the proved positions, as JSON lines")
    add_json(parser)
    parser.set_defaults(run=_solve)


def _solve(options: argparse.Namespace) -> int:
    if (options.position is None) == (options.games is None):
        raise BadNotation("give either a position or a game, or --games N to play some first")
    solver = RoundSolver()
    states = list(_states(options))
    found: list[Solution] = []
    for state in progress(states, "positions"):
        found.append(solver.solve(state, options.seconds, options.nodes))
        print("\n".join(_describe(found[-1])))
        if options.json:
            print(msgspec.json.encode(found[-1]).decode(), flush=True)
    if options.certify:
        _certify(solver, states[0], found[0], options.certify)
    if options.out:
        proved = [each for each in found if each.proved]
        options.out.write_text(solution.write(proved), "utf-8")
        print(f"{len(proved)} proved positions of {len(found)} are in {options.out}")
    return 0


def _states(options: argparse.Namespace) -> Iterator[State]:
    """Yield the positions to solve."""
    if options.games:
        for number in range(options.games):
            yield _late(last_round(number, options.seed), options.left)
    elif " " in options.position:
        yield azul.read_state(options.position)
    else:
        yield _of_game(options)


def _of_game(options: argparse.Namespace) -> State:
    game, record = read_game(options.position)
    if game.NAME != azul.NAME:
        raise BadNotation(f"only Azul can be solved, and this is a game of {game.NAME}")
    before: list[State] = [step.before for step in replay(azul, record)]
    act: int | None = options.act
    if act is not None:
        if not 0 <= act < len(before):
            raise BadNotation(f"there is no act {act}; the game has acts 0 to {len(before) - 1}")
        return before[act]
    decisions = [state for state in before if is_solvable(state) and state.round == before[-1].round]
    if not decisions:
        raise BadNotation("only drafting with two players on the coloured wall can be solved")
    return _late(decisions, options.left)


def _late(decisions: Sequence[State], left: int | None) -> State:
    """Return the first decision of a round with at most this many tiles left."""
    late = [state for state in decisions if left is None or _tiles(state) <= left]
    return late[0] if late else decisions[-1]


def _tiles(state: State) -> int:
    return sum(map(len, (*state.factories, state.centre)))


def _certify(solver: RoundSolver, state: State, found: Solution, file: Path) -> None:
    """Write a certificate that the seat to move can force its value, and check it by the readable rules."""
    if found.low is None:
        raise BadNotation("nothing to certify: the seat to move cannot force the end of the game")
    certificate = solver.certify(state, state.current, "at least", found.low)
    file.write_bytes(msgspec.json.encode(certificate) + b"\n")
    print(f"certificate with {len(certificate.moves)} moves in {file}; {check(certificate)} positions checked")


def _describe(found: Solution) -> Iterator[str]:
    yield found.position
    yield "  " + RESULTS[found.result].format(seat=found.seat)
    yield f"  it can force {_value(found.low)}, and its opponent can hold it to {_value(found.high)}"
    if found.line:
        yield "  " + " ".join(found.line)
    yield f"  {found.positions:,} positions, {found.seconds:.2f} s of CPU time"


def _value(value: int | None) -> str:
    """Return a value in words.

    >>> _value(14), _value(-1), _value(None)
    ('+7 points', 'equal points with fewer complete rows', 'nothing in this round')
    """
    if value is None:
        return "nothing in this round"
    if value in (-1, 0, 1):
        return "equal points" + {-1: " with fewer complete rows", 0: "", 1: " with more complete rows"}[value]
    return f"{value // 2:+} points"
