"""Positions from games with one move that is clearly the best, proved by reading the rest of the round to its end.

Azul for two: in a round nothing is hidden and nothing left to chance. A position is a puzzle if every other move throws
away a good part of the chance to win, and if what looks best at once is one of those others. How difficult it is, is
how far one must read to find the move and not lose it again.

Puzzles are kept in files of JSON lines: the first line says how they were made, every other one is a puzzle.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from hashlib import sha256
from importlib.resources import files
from random import Random
from typing import cast

import msgspec
from msgspec import Struct

from tessella.bots import Budget, bot, greedy
from tessella.coach.azul import Judge
from tessella.coach.judge import Judged
from tessella.core import record
from tessella.core.game import BadNotation, Seat
from tessella.core.record import Record, Table, replay
from tessella.fast.azul import Azul, from_state
from tessella.fast.azul_search import Search
from tessella.fast.phases import DRAFTING
from tessella.games import azul

MARGIN = 0.06
"""What every other move throws away at least, unless told otherwise."""
LEAST_CHOICES = 8
"""Where there are fewer moves there is little to find."""
LOST = 0.1
"""Who has less than this is not asked to find anything."""
READABLE = 300_000
"""A round that cannot be read to its end within so many positions proves nothing."""
EFFORTS = (30, 100, 400, 2_000)
"""Within how many positions a puzzle of difficulty 1 to 4 is solved; what takes more has difficulty 5."""
GREY, HASTY = 5, 0.2
"""Every fifth game that we play for puzzles is on the grey wall; every fifth move is what looks best at once."""
SHIPPED = "puzzles.jsonl"


class Header(Struct, frozen=True):
    """How a file of puzzles was made. Without a seed they are from games that somebody brought."""

    about: str
    records: int
    margin: float
    seed: int | None = None


class Puzzle(Struct, frozen=True):
    """Find the best move for a seat. `losses` says of every legal move what it throws away; of the best, nothing.

    `margin` is what the second-best move throws away, in win probability; `points` is the same in points, about.
    `difficulty` is from 1 to 5. `source` is the game that it was found in, and `number` the act that was played there.
    """

    id: str
    title: str
    rules: str
    position: str
    seat: Seat
    round: int
    best: str
    line: tuple[str, ...]
    value: float
    margin: float
    points: float
    difficulty: int
    losses: Mapping[str, float]
    source: str
    number: int


# Files of puzzles


def write(header: Header, puzzles: Iterable[Puzzle]) -> str:
    """Write a file of puzzles."""
    return "".join(f"{msgspec.json.encode(thing).decode()}\n" for thing in (header, *puzzles))


def read(text: str) -> tuple[Header, list[Puzzle]]:
    """Read what `write` wrote."""
    try:
        first, *others = text.splitlines()
        return msgspec.json.decode(first, type=Header), [msgspec.json.decode(line, type=Puzzle) for line in others]
    except (ValueError, msgspec.DecodeError) as wrong:
        raise BadNotation(f"this is no file of puzzles: {wrong}") from None


@cache
def shipped() -> Mapping[str, Puzzle]:
    """The puzzles that come with Tessella, by their ids."""
    _, puzzles = read(files("tessella.coach").joinpath(SHIPPED).read_text("utf-8"))
    return {puzzle.id: puzzle for puzzle in puzzles}


def daily(day: date, puzzles: Sequence[Puzzle]) -> Puzzle:
    """The puzzle of a day: each comes once before any comes again."""
    return puzzles[day.toordinal() % len(puzzles)]


# Finding them


def may_hold(found: Record) -> bool:
    """Whether puzzles can be found in a game: in Azul for two."""
    return found.game == azul.NAME and record.read_rules(azul, found.rules).seats == 2


def mine(found: Record, margin: float = MARGIN) -> Iterator[Puzzle]:
    """The puzzles in a game: of each round only the most difficult, as others would be much like it."""
    rounds: dict[int, list[Puzzle]] = {}
    judge = Judge(2, Budget())
    for step in replay(azul, found):
        puzzle = _puzzle(judge, found, step.before, step.number, margin)
        if puzzle is not None:
            rounds.setdefault(puzzle.round, []).append(puzzle)
    for puzzles in rounds.values():
        yield max(puzzles, key=lambda puzzle: (puzzle.difficulty, puzzle.margin))


def _puzzle(judge: Judge, found: Record, state: azul.State, number: int, margin: float) -> Puzzle | None:
    """The puzzle in a position, if it is one."""
    table, seat = from_state(state), state.current
    if table.phase != DRAFTING or len(table.moves()) < LEAST_CHOICES:
        return None
    now = judge.settled(table, READABLE)
    if now is None or now.shares[seat] < LOST:
        return None
    tempting = judge.settled(_after(table, _at_sight(table, state)), 0)
    if tempting is None or now.shares[seat] - tempting.shares[seat] < margin:
        return None
    outcomes = {move: _outcome(judge, table, move) for move in table.moves()}
    best, second = _two_best(table, outcomes, seat)
    lost = outcomes[best].shares[seat] - outcomes[second].shares[seat]
    if lost < margin:
        return None
    position = azul.write_state(state)
    return Puzzle(
        id=f"azul-{sha256(position.encode()).hexdigest()[:8]}",
        title="azul",
        rules=found.rules,
        position=position,
        seat=seat,
        round=state.round,
        best=table.write_move(best),
        line=judge.line(state, table.to_move(best), Random(0)),  # noqa: S311
        value=round(outcomes[best].shares[seat], 4),
        margin=round(lost, 4),
        points=round(outcomes[best].leads[seat] - outcomes[second].leads[seat], 1),
        difficulty=_difficulty(table, outcomes, seat),
        losses=_losses(table, outcomes, seat),
        source=found.id,
        number=number,
    )


def _after(table: Azul, move: int) -> Azul:
    after = table.copy()
    after.apply(move)
    return after


def _outcome(judge: Judge, table: Azul, move: int) -> Judged:
    outcome = judge.settled(_after(table, move), 0)
    assert outcome is not None
    return outcome


def _at_sight(table: Azul, state: azul.State) -> int:
    """What looks best at once."""
    chosen = greedy.choose(azul, azul.view(state, state.current), Random(0))  # noqa: S311
    return table.from_move(cast("azul.Move", chosen))


def _two_best(table: Azul, outcomes: Mapping[int, Judged], seat: Seat) -> tuple[int, int]:
    """The best move, and the best of those that come to something else."""
    different = {_after(table, move).key(): move for move in outcomes}
    best, second, *_ = sorted(different.values(), key=lambda move: -outcomes[move].shares[seat])
    return best, second


def _losses(table: Azul, outcomes: Mapping[int, Judged], seat: Seat) -> dict[str, float]:
    most = max(outcome.shares[seat] for outcome in outcomes.values())
    return {table.write_move(move): round(most - outcome.shares[seat], 4) for move, outcome in outcomes.items()}


def _difficulty(table: Azul, outcomes: Mapping[int, Judged], seat: Seat) -> int:
    """How many efforts do not suffice, and one more: with the last that fails, all smaller ones count as failing."""
    most = max(outcome.shares[seat] for outcome in outcomes.values())
    search = Search()
    found = [outcomes[search.think(table, seat, effort)].shares[seat] == most for effort in EFFORTS]
    return 1 + max((place + 1 for place, right in enumerate(found) if not right), default=0)


# Games to find them in


def play_games(number: int, seed: int) -> Iterator[Record]:
    """So many games for two: good players who now and then take what looks best, a few of them on the grey wall."""
    rng = Random(seed)  # noqa: S311  not for secrets: the same seed makes the same games
    for place in range(number):
        config = azul.Config(2, "grey" if place % GREY == 0 else "coloured")
        table = Table(azul, config, seed=rng.randbytes(32), id=f"seed-{seed}-{place}")
        while table.seats:
            seat = table.seats[0]
            player = bot(azul, "3" if rng.random() < HASTY else "6")
            table.play(cast("azul.Move", player(azul.view(table.state, seat), Budget(), rng)))
        yield table.record()
