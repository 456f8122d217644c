"""Find puzzles in games: positions in which one move is clearly the best, and is not the one that looks best at once.

A position goes through a quick look, a proof, and a second look by another method; what they disagree on is dropped.
What is left is proved once more with other random numbers: near the margin, luck can make a puzzle of what is none.
The same games and the same numbers give the same puzzles.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any

from tessella.bots import Budget, bot
from tessella.coach.puzzles.azul import AzulProver
from tessella.coach.puzzles.blockers import BlockersProver
from tessella.coach.puzzles.duel import DuelProver
from tessella.coach.puzzles.prover import AnyState, Looked, Prover
from tessella.coach.puzzles.puzzle import Puzzle, Reason
from tessella.coach.review import ANALYSERS
from tessella.core.game import Move, Seat
from tessella.core.local import LocalTable
from tessella.core.record import Record, Step, read_rules, replay
from tessella.games import GAMES

MARGIN = 0.06
"""Default for the win probability that every other move must lose."""
LEAST_CHOICES, MOST_CHOICES = 4, 60
"""Positions with fewer legal moves are too easy; more than this are too many to compare."""
LOST = 0.1
"""Positions with a lower win probability are considered lost."""
LEVEL, TRIES = "3", 8
"""The level whose move is tempting; it must fail in at least half of its tries."""
LINE_MOVES: Mapping[str, int] = {"azul": 100, "blockers": 3, "duel": 6}
REPLY_MOVES: Mapping[str, int] = {"azul": 4, "blockers": 2, "duel": 3}
"""The longest solution, and the longest answer to a wrong move, in moves."""
CLEAR_GAIN: Mapping[str, float] = {"azul": 0.5, "blockers": 0.3, "duel": 0.5}
"""From this gain on, in points, a theme is the reason for a move."""
SEEDS = 2**32
STRONG: Mapping[str, str] = {"azul": "5", "blockers": "4", "duel": "5"}
WEAK, WEAK_RATE = "3", 0.15
"""The levels that play games to find puzzles, and how often the weaker one makes the move."""
CLOSE: Mapping[str, int] = {"azul": 100, "blockers": 1, "duel": 8}
"""The largest difference of the final scores of a close game; in Azul every game has puzzles."""


@cache
def provers() -> Mapping[str, Prover]:
    """Return the prover of each game."""
    found: Sequence[Prover] = (AzulProver(), DuelProver(), BlockersProver())
    return {prover.game.NAME: prover for prover in found}


def themes_of(title: str) -> Sequence[str]:
    """Return the themes that the puzzles of a game may have."""
    return (*provers()[title].themes, *provers()[title].other_themes)


def may_hold(found: Record) -> bool:
    """Return whether a game may contain puzzles: games for two."""
    return found.game in provers() and read_rules(GAMES[found.game], found.rules).seats == 2


def is_close(found: Record) -> bool:
    """Return whether a finished game was close: in one that is decided early hardly any move changes the result."""
    return abs(found.scores[0] - found.scores[1]) <= CLOSE[found.game]


def mine(found: Record, margin: float = MARGIN) -> Iterator[Puzzle]:
    """Yield the puzzles in a game: at most one from each part of it, because others would resemble it."""
    prover = provers()[found.game]
    chapters: dict[int, list[Step[Any, Any, Any, Any]]] = {}
    for step in replay(prover.game, found):
        chapter = prover.chapter(step.before) if step.seat is not None else None
        if chapter is not None:
            chapters.setdefault(chapter, []).append(step)
    for steps in chapters.values():
        Random(found.id).shuffle(steps)  # noqa: S311  not for secrets: the same game gives the same puzzles
        yield from (each for each in _first(prover, found, steps, margin) if is_confirmed(each, margin))


def _first(prover: Prover, found: Record, steps: Sequence[Step[Any, Any, Any, Any]], margin: float) -> Iterator[Puzzle]:
    for step in steps:
        puzzle = _puzzle(prover, found, step, margin)
        if puzzle is not None:
            yield puzzle
            return


def _puzzle(prover: Prover, found: Record, step: Step[Any, Any, Any, Any], margin: float) -> Puzzle | None:
    """Return the puzzle in a position, if it is one."""
    game, state, seat = prover.game, step.before, step.act.seat
    if not LEAST_CHOICES <= len(game.legal_moves(state, seat)) <= MOST_CHOICES:
        return None
    rng = Random(f"{found.id} {step.number}")  # noqa: S311
    if not prover.is_promising(state, tempting_moves(prover, state, seat, 1)[0], margin, rng):
        return None
    looked = prove(prover, state, seat, margin, rng)
    if looked is None or looked.outcomes[looked.best].probability < LOST:
        return None
    wrong = [move for move in tempting_moves(prover, state, seat) if looked.losses[game.write_move(state, move)]]
    if 2 * len(wrong) < TRIES:
        return None
    return _describe(prover, found, step, looked, wrong[0], rng)


def tempting_moves(prover: Prover, state: AnyState, seat: Seat, tries: int = TRIES) -> Sequence[Move]:
    """Return the moves of level 3 in several tries."""
    player, view = bot(prover.game, LEVEL), prover.game.view(state, seat)
    return [player(view, Budget(), Random(number)) for number in range(tries)]  # noqa: S311


def prove(prover: Prover, state: AnyState, seat: Seat, margin: float, rng: Random) -> Looked | None:
    """Return the first look, if the second one agrees on the best move and on the margin."""
    first = prover.look("first", state, seat, margin, rng)
    if first is None:
        return None
    second = prover.look("second", state, seat, margin, rng)
    return first if second is not None and not first.losses[second.best] else None


def is_confirmed(puzzle: Puzzle, margin: float = MARGIN) -> bool:
    """Return whether a proof with other random numbers finds the same best move by the same margin."""
    prover = provers()[puzzle.title]
    state = prover.game.read_state(puzzle.position)
    again = prove(prover, state, puzzle.seat, margin, Random(puzzle.id))  # noqa: S311
    return again is not None and not again.losses[puzzle.best] and not puzzle.losses[again.best]


def explain(prover: Prover, state: AnyState, best: Move, tempting: Move, rng: Random) -> Reason:
    """Return in which respect the best move gains most over the tempting one, once both are played on.

    Both are played on with the same random numbers, so that luck weighs less in the comparison.
    """
    seed = rng.randrange(SEEDS)
    after, otherwise = (prover.account(state, move, Random(seed)) for move in (best, tempting))  # noqa: S311
    theme = max(prover.themes, key=lambda theme: after[theme] - otherwise[theme])
    if after[theme] - otherwise[theme] < CLEAR_GAIN[prover.game.NAME]:
        return Reason(prover.other_theme(best), 0, 0)
    return Reason(theme, round(abs(after[theme]), 1), round(abs(otherwise[theme]), 1))


def _describe(
    prover: Prover, found: Record, step: Step[Any, Any, Any, Any], looked: Looked, tempting: Move, rng: Random
) -> Puzzle:
    game, state, seat = prover.game, step.before, step.act.seat
    position, title = game.write_state(state), found.game
    right = [move for move, loss in looked.losses.items() if not loss]
    moves = {text: game.read_move(state, seat, text) for text in looked.outcomes}
    best, second = looked.outcomes[looked.best], looked.second
    return Puzzle(
        id=f"{title}-{sha256(position.encode()).hexdigest()[:8]}",
        title=title,
        rules=found.rules,
        position=position,
        seat=seat,
        round=ANALYSERS[title](2, Budget()).round_of(state),
        best=looked.best,
        tempting=game.write_move(state, tempting),
        reason=explain(prover, state, moves[looked.best], tempting, rng),
        proof=looked.proof,
        line=prover.line(state, moves[looked.best], LINE_MOVES[title], rng),
        value=round(best.probability, 4),
        margin=round(best.probability - second.probability, 4),
        points=round(best.lead - second.lead, 1),
        difficulty=prover.difficulty(state, seat, right, rng),
        losses=looked.losses,
        replies={
            text: prover.line(state, move, REPLY_MOVES[title], rng)[1:]
            for text, move in moves.items()
            if text not in right
        },
        source=found.id,
        number=step.number,
        proved=prover.proved_result(state, seat, looked),
    )


def play_games(title: str, numbers: Iterable[int], seed: int) -> Iterator[Record]:
    """Yield games between strong bots that sometimes play greedily; each is the same for its number and the seed."""
    game, configs = GAMES[title], provers()[title].configs()
    strong, weak = bot(game, STRONG[title]), bot(game, WEAK)
    for number in numbers:
        rng = Random(f"{seed} {number}")  # noqa: S311  not for secrets: the same seed makes the same games
        table: LocalTable[Any, Any, Any, Any, Any, Any, Any] = LocalTable(
            game, configs[number % len(configs)], seed=rng.randbytes(32), id=f"seed-{seed}-{number}"
        )
        while table.seats:
            seat = table.seats[0]
            player = weak if rng.random() < WEAK_RATE else strong
            table.play(player(game.view(table.state, seat), Budget(), rng))
        yield table.record()
