"""Puzzles: positions from games with one clearly best move, proved by searching the rest of the round to its end.

Only Azul for two: within a round nothing is hidden or random. A position is a puzzle if every other move loses a good
part of the win probability, and if the greedy move is one of those others. Its difficulty is how many positions a
search needs to find the move and to keep it.

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
from tessella.coach.analysis import Evaluation
from tessella.coach.azul import Analyser
from tessella.core import record
from tessella.core.game import BadNotation, Seat
from tessella.core.local import LocalTable
from tessella.core.record import Record, replay
from tessella.fast.azul import Azul, from_state
from tessella.fast.azul.alphabeta import AlphaBeta
from tessella.fast.phases import DRAFTING
from tessella.games import azul

MARGIN = 0.06
"""Default for the win probability that every other move must lose."""
LEAST_CHOICES = 8
"""Positions with fewer legal moves are too easy."""
LOST = 0.1
"""Positions with a lower win probability are considered lost."""
READABLE = 300_000
"""Most positions to search when proving a puzzle; longer rounds are skipped."""
EFFORTS = (30, 100, 400, 2_000)
"""Positions within which puzzles of difficulty 1 to 4 are solved; the others have difficulty 5."""
GREY_EVERY, GREEDY_RATE = 5, 0.2
"""Of the games played for puzzles, every fifth is on the grey wall, and every fifth move is greedy."""
SHIPPED = "puzzles.jsonl"


class Header(Struct, frozen=True):
    """How a file of puzzles was made; without a seed, from given games."""

    about: str
    records: int
    margin: float
    seed: int | None = None


class Puzzle(Struct, frozen=True):
    """Find the best move for a seat. `losses` is the win probability that each legal move loses; 0 for the best.

    `margin` is what the second-best move loses, in win probability; `points` is about the same in points.
    `difficulty` is from 1 to 5. `source` is the game in which it was found, and `number` the act played there.
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
    """Return the content of a file of puzzles."""
    return "".join(f"{msgspec.json.encode(thing).decode()}\n" for thing in (header, *puzzles))


def read(text: str) -> tuple[Header, list[Puzzle]]:
    """Parse what `write` wrote; raise `BadNotation` if it is not a file of puzzles."""
    try:
        first, *others = text.splitlines()
        return msgspec.json.decode(first, type=Header), [msgspec.json.decode(line, type=Puzzle) for line in others]
    except (ValueError, msgspec.DecodeError) as exc:
        raise BadNotation(f"not a file of puzzles: {exc}") from None


@cache
def shipped() -> Mapping[str, Puzzle]:
    """Return the puzzles in the package, by id."""
    _, puzzles = read(files("tessella.coach").joinpath(SHIPPED).read_text("utf-8"))
    return {puzzle.id: puzzle for puzzle in puzzles}


def daily(day: date, puzzles: Sequence[Puzzle]) -> Puzzle:
    """Return the puzzle of a day; each comes once before any is repeated."""
    return puzzles[day.toordinal() % len(puzzles)]


# Finding them


def may_hold(found: Record) -> bool:
    """Return whether a game may contain puzzles: only Azul for two."""
    return found.game == azul.NAME and record.read_rules(azul, found.rules).seats == 2


def mine(found: Record, margin: float = MARGIN) -> Iterator[Puzzle]:
    """Yield the puzzles in a game: the most difficult of each round, because others would resemble it."""
    rounds: dict[int, list[Puzzle]] = {}
    analyser = Analyser(2, Budget())
    for step in replay(azul, found):
        puzzle = _puzzle(analyser, found, step.before, step.number, margin)
        if puzzle is not None:
            rounds.setdefault(puzzle.round, []).append(puzzle)
    for puzzles in rounds.values():
        yield max(puzzles, key=lambda puzzle: (puzzle.difficulty, puzzle.margin))


def _puzzle(analyser: Analyser, found: Record, state: azul.State, number: int, margin: float) -> Puzzle | None:
    """Return the puzzle in a position, if it is one."""
    table, seat = from_state(state), state.current
    if table.phase != DRAFTING or len(table.moves()) < LEAST_CHOICES:
        return None
    now = analyser.evaluate_exactly(table, READABLE)
    if now is None or now.probabilities[seat] < LOST:
        return None
    tempting = analyser.evaluate_exactly(_after(table, _greedy_move(table, state)), 0)
    if tempting is None or now.probabilities[seat] - tempting.probabilities[seat] < margin:
        return None
    outcomes = {move: _outcome(analyser, table, move) for move in table.moves()}
    best, second = _two_best(table, outcomes, seat)
    lost = outcomes[best].probabilities[seat] - outcomes[second].probabilities[seat]
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
        line=analyser.line(state, table.to_move(best), Random(0)),  # noqa: S311
        value=round(outcomes[best].probabilities[seat], 4),
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


def _outcome(analyser: Analyser, table: Azul, move: int) -> Evaluation:
    outcome = analyser.evaluate_exactly(_after(table, move), 0)
    assert outcome is not None
    return outcome


def _greedy_move(table: Azul, state: azul.State) -> int:
    """Return the move of the greedy bot."""
    chosen = greedy.choose(azul, azul.view(state, state.current), Random(0))  # noqa: S311
    return table.from_move(cast("azul.Move", chosen))


def _two_best(table: Azul, outcomes: Mapping[int, Evaluation], seat: Seat) -> tuple[int, int]:
    """Return the best move, and the best that leads to a different table."""
    different = {_after(table, move).key(): move for move in outcomes}
    best, second, *_ = sorted(different.values(), key=lambda move: -outcomes[move].probabilities[seat])
    return best, second


def _losses(table: Azul, outcomes: Mapping[int, Evaluation], seat: Seat) -> dict[str, float]:
    most = max(outcome.probabilities[seat] for outcome in outcomes.values())
    return {table.write_move(move): round(most - outcome.probabilities[seat], 4) for move, outcome in outcomes.items()}


def _difficulty(table: Azul, outcomes: Mapping[int, Evaluation], seat: Seat) -> int:
    """Return 1 plus the number of efforts that fail; if one fails, all smaller ones count as failing."""
    most = max(outcome.probabilities[seat] for outcome in outcomes.values())
    search = AlphaBeta()
    found = [outcomes[search.think(table, seat, effort)].probabilities[seat] == most for effort in EFFORTS]
    return 1 + max((place + 1 for place, right in enumerate(found) if not right), default=0)


# Games to find them in


def play_games(number: int, seed: int) -> Iterator[Record]:
    """Yield games between strong bots that sometimes play greedily, a few of them on the grey wall."""
    rng = Random(seed)  # noqa: S311  not for secrets: the same seed makes the same games
    for place in range(number):
        config = azul.Config(2, "grey" if place % GREY_EVERY == 0 else "coloured")
        table = LocalTable(azul, config, seed=rng.randbytes(32), id=f"seed-{seed}-{place}")
        while table.seats:
            seat = table.seats[0]
            player = bot(azul, "3" if rng.random() < GREEDY_RATE else "6")
            table.play(cast("azul.Move", player(azul.view(table.state, seat), Budget(), rng)))
        yield table.record()
