"""Puzzles of Azul Duel: the round is played to its end thousands of times, with different chips and plates.

The first look evaluates the boards at the end of the round with the learned net, the second by hand and with other
random numbers. In the last round both count the final points.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, cast

from tessella.bots import Budget, bot
from tessella.bots.duel.net import Net, learned
from tessella.coach.puzzles.follow import by_bot, follow
from tessella.coach.puzzles.prover import Account, Look, Looked, mean_account
from tessella.coach.puzzles.puzzle import ProvedResult
from tessella.coach.puzzles.race import Evaluate, Heat, Outcome, race
from tessella.core.game import AnyGame, Config, Move, Rng, Seat
from tessella.fast.duel import Duel, from_state
from tessella.fast.duel.mcts import OpenLoopTree
from tessella.games import duel
from tessella.games.duel.events import BrokenScored, FaceScored, SpecialPlaced, TilePlaced
from tessella.games.duel.pieces import Face
from tessella.games.duel.state import Pay, PlacePlate, State, TakeChip

LEVEL_7_ROLLOUTS = 600
"""How many rollouts level 7 makes per move."""
HEATS = (Heat(100, 0.12, 0.0), Heat(400, 0.04), Heat(1_500, 0.015), Heat(10 * LEVEL_7_ROLLOUTS, 0.0))
"""At least two moves are in the last one, so that a proof has 20 times the search of level 7 or more."""
QUICK_ROLLOUTS, QUICK_MARGINS = 150, 1.5
"""A quick look must find at least 1.5 times the margin: most of what it sees less clearly would not pass the proof."""
EFFORTS = (30, 120, 480, 1_920)
"""Rollouts within which puzzles of difficulty 1 to 4 are solved; the others have difficulty 5."""
TRIES, ENOUGH = 3, 2
"""A search solves a puzzle if it finds the move in two of three tries."""
FIRST_ROUND = 3
"""In the first rounds hardly any move is much better than another."""
ACCOUNT_GAMES = 10
FACES: Sequence[Sequence[Face]] = (
    ("rows", "columns", "diagonals"),
    ("colour_rows", "columns", "corners"),
    ("rows", "outer", "jokers"),
)
"""The scoring faces of the games that are played to find puzzles."""
SEEDS = 2**32
NEVER = 2**62
ROUND = 200
"""More moves than a round has."""


class DuelProver:
    """Proves puzzles of Azul Duel."""

    game: AnyGame = duel
    themes: Sequence[str] = ("dome", "special", "faces", "broken", "block", "spill")
    other_themes: Sequence[str] = ("plate", "chip", "build")

    def other_theme(self, move: Move) -> str:
        """Return what kind of move it is: a plate, a chip, or tiles for later rounds."""
        match move:
            case PlacePlate():
                return "plate"
            case TakeChip() | Pay():
                return "chip"
            case _:
                return "build"

    def configs(self) -> Sequence[Config]:
        """Return three sets of scoring faces."""
        return [duel.Config(faces=tuple(faces)) for faces in FACES]

    def chapter(self, state: State) -> int | None:
        """Return the round and whether players acquire or tile."""
        if state.round < FIRST_ROUND or state.phase not in ("act", "stack", "tile"):
            return None
        return 2 * state.round + (state.phase == "tile")

    def is_promising(self, state: State, tempting: Move, margin: float, rng: Rng) -> bool:
        """Return whether a quick search prefers another move, and quick evaluations of both kinds do so too."""
        table = _imagined(state, tempting.seat, rng)
        best, other = _choose(table, tempting.seat, QUICK_ROLLOUTS, rng), table.from_move(cast("duel.Move", tempting))
        if best == other:
            return False
        ahead = [
            evaluate(best, QUICK_ROLLOUTS).probability - evaluate(other, QUICK_ROLLOUTS).probability
            for evaluate in (
                _evaluate(table, tempting.seat, learned(), rng),
                _evaluate(table, tempting.seat, None, rng),
            )
        ]
        return min(ahead) >= QUICK_MARGINS * margin

    def look(self, which: Look, state: State, seat: Seat, margin: float, rng: Rng) -> Looked | None:
        """Evaluate every move with rollouts; moves that lead to the same table have the same outcome."""
        table = _imagined(state, seat, rng)
        same = _equivalents(table, seat)
        net = learned() if which == "first" else None
        if len(set(same.values())) == 1:
            return None
        finish = race(dict.fromkeys(same.values()), _evaluate(table, seat, net, rng), HEATS, margin)
        if finish is None:
            return None
        outcomes = finish.outcomes
        return Looked({table.write_move(move): outcomes[like] for move, like in same.items()}, finish.games)

    def proved_result(self, state: State, seat: Seat, looked: Looked) -> ProvedResult:  # noqa: ARG002
        """Return nothing: hidden tiles and chance are left."""
        return ""

    def difficulty(self, state: State, seat: Seat, best: Sequence[str], rng: Rng) -> int:
        """Return 1 plus the number of efforts that fail; if one fails, all smaller ones count as failing."""
        table = _imagined(state, seat, rng)
        found = [
            [table.write_move(_choose(table, seat, effort, rng)) in best for _ in range(TRIES)] for effort in EFFORTS
        ]
        return 1 + max((place + 1 for place, right in enumerate(found) if sum(right) < ENOUGH), default=0)

    def account(self, state: State, move: Move, rng: Rng) -> Account:
        """Return the mean points of the round by theme, over rounds that bots play on from imagined positions."""
        seeds = [rng.randrange(SEEDS) for _ in range(ACCOUNT_GAMES)]
        return mean_account([_account(_played_out(state, move, Random(seed)), move.seat) for seed in seeds])  # noqa: S311

    def line(self, state: State, move: Move, most: int, rng: Rng) -> tuple[str, ...]:
        """Return the move and how strong bots play on."""
        choose = by_bot(duel, bot(duel, "6"), Budget(), rng)
        return tuple(follow(duel, state, move, choose, rng, most, _is_end).acts)


def _is_end(state: State) -> bool:
    """Return whether the round is over."""
    return state.phase in ("prepare", "over")


def _imagined(state: State, seat: Seat, rng: Rng) -> Duel:
    return from_state(duel.imagine(duel.view(state, seat), rng))


def _choose(table: Duel, seat: Seat, rollouts: int, rng: Rng) -> int:
    return OpenLoopTree(table, seat, rng.randrange(SEEDS), rollouts + 1, learned()).choose(rollouts, NEVER)


def _evaluate(table: Duel, seat: Seat, net: Net | None, rng: Rng) -> Evaluate:
    def evaluate(move: int, rollouts: int) -> Outcome:
        return Outcome(*OpenLoopTree(table, seat, rng.randrange(SEEDS), rollouts + 1, net).evaluate(move, rollouts))

    return evaluate


def _equivalents(table: Duel, seat: Seat) -> Mapping[int, int]:
    """Return, for each move of the seat, the first one that leads to the same table."""
    firsts: dict[int, int] = {}
    same: dict[int, int] = {}
    for move in table.moves():
        if table.to_move(move).seat == seat:
            after = table.copy()
            after.apply(move)
            same[move] = firsts.setdefault(after.key(), move)
    return same


def _played_out(state: State, move: Move, rng: Rng) -> Sequence[Any]:
    imagined = duel.imagine(duel.view(state, move.seat), rng)
    choose = by_bot(duel, bot(duel, "5"), Budget(), rng)
    return follow(duel, imagined, move, choose, rng, ROUND, _is_end).events


def _account(events: Sequence[Any], seat: Seat) -> Account:
    """Return what a seat gained in a round by theme; what the opponent gained is taken off."""
    gained = dict.fromkeys(DuelProver.themes, 0.0)
    for event in events:
        own = getattr(event, "seat", None) == seat
        match event:
            case TilePlaced():
                gained["dome" if own else "block"] += event.points if own else -event.points
            case SpecialPlaced():
                gained["special" if own else "block"] += event.points if own else -event.points
            case FaceScored():
                gained["faces" if own else "block"] += event.points if own else -event.points
            case BrokenScored():
                gained["broken" if own else "spill"] += event.points if own else -event.points
            case _:
                pass
    return gained
