"""Puzzles of Blockers! for two: the hidden racks are imagined thousands of times, and every game is played to its end.

The first look plays the imagined games on with the learned rollout policy, the second with one that only counts points,
and with other random numbers.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import cast

from tessella.bots import Budget, bot
from tessella.bots.blockers.weights import COUNTING, Weights, learned
from tessella.coach.puzzles.follow import by_bot, follow
from tessella.coach.puzzles.prover import Account, Look, Looked, mean_account
from tessella.coach.puzzles.puzzle import ProvedResult
from tessella.coach.puzzles.race import Evaluate, Heat, Outcome, race
from tessella.core.game import AnyGame, Config, Move, Rng, Seat
from tessella.fast.blockers import Blockers, from_state
from tessella.fast.blockers.ismcts import InformationSetTree
from tessella.games import blockers
from tessella.games.blockers.pieces import COLOURS
from tessella.games.blockers.scoring import tally
from tessella.games.blockers.state import State, is_over, plays_left

LEVEL_7_GAMES = 250
"""How many games level 7 imagines per move."""
HEATS = (Heat(60, 0.15, 0.0), Heat(300, 0.05), Heat(1_000, 0.02), Heat(10 * LEVEL_7_GAMES, 0.0))
"""At least two moves are in the last one, so that a proof has 20 times the search of level 7 or more."""
QUICK_GAMES, QUICK_MARGINS = 150, 1.5
"""A quick look must find at least 1.5 times the margin: most of what it sees less clearly would not pass the proof."""
EFFORTS = (20, 80, 320, 1_280)
"""Imagined games within which puzzles of difficulty 1 to 4 are solved; the others have difficulty 5."""
TRIES, ENOUGH = 3, 2
"""A search solves a puzzle if it finds the move in two of three tries."""
FIRST_PLAYS, LAST_PLAYS, CHAPTER_PLAYS = 20, 3, 3
"""Turns left in positions that may be puzzles, and turns per chapter."""
ACCOUNT_GAMES = 14
SEEDS = 2**32
NEVER = 2**62
GAME = 200
"""More moves than a game has."""


class BlockersProver:
    """Proves puzzles of Blockers! for two."""

    game: AnyGame = blockers
    themes: Sequence[str] = ("join", "captures", "block", "bait")
    other_themes: Sequence[str] = ("tie",)

    def other_theme(self, move: Move) -> str:  # noqa: ARG002
        """Return the theme of moves that decide a tie."""
        return "tie"

    def configs(self) -> Sequence[Config]:
        """Return the rules for two."""
        return [blockers.Config(2)]

    def chapter(self, state: State) -> int | None:
        """Return which part of the endgame it is."""
        left = plays_left(state)
        return (FIRST_PLAYS - left) // CHAPTER_PLAYS if LAST_PLAYS <= left <= FIRST_PLAYS else None

    def is_promising(self, state: State, tempting: Move, margin: float, rng: Rng) -> bool:
        """Return whether a quick search prefers another move, and quick evaluations of both kinds do so too."""
        table = _imagined(state, tempting.seat, rng)
        best, other = _choose(table, QUICK_GAMES, rng), table.from_move(cast("blockers.Move", tempting))
        if best == other:
            return False
        ahead = [
            evaluate(best, QUICK_GAMES).probability - evaluate(other, QUICK_GAMES).probability
            for evaluate in (
                _evaluate(table, tempting.seat, learned(2), rng),
                _evaluate(table, tempting.seat, COUNTING, rng),
            )
        ]
        return min(ahead) >= QUICK_MARGINS * margin

    def look(self, which: Look, state: State, seat: Seat, margin: float, rng: Rng) -> Looked | None:
        """Evaluate every move with imagined games; no two moves are equivalent."""
        table = _imagined(state, seat, rng)
        weights = learned(2) if which == "first" else COUNTING
        finish = race(table.moves(), _evaluate(table, seat, weights, rng), HEATS, margin)
        return None if finish is None else Looked(_written(table, finish.outcomes), finish.games)

    def proved_result(self, state: State, seat: Seat, looked: Looked) -> ProvedResult:  # noqa: ARG002
        """Return nothing: hidden tiles and chance are left."""
        return ""

    def difficulty(self, state: State, seat: Seat, best: Sequence[str], rng: Rng) -> int:
        """Return 1 plus the number of efforts that fail; if one fails, all smaller ones count as failing."""
        table = _imagined(state, seat, rng)
        found = [[table.write_move(_choose(table, effort, rng)) in best for _ in range(TRIES)] for effort in EFFORTS]
        return 1 + max((place + 1 for place, right in enumerate(found) if sum(right) < ENOUGH), default=0)

    def account(self, state: State, move: Move, rng: Rng) -> Account:
        """Return the mean final groups and captures by theme, over games that bots play on from imagined positions."""
        seeds = [rng.randrange(SEEDS) for _ in range(ACCOUNT_GAMES)]
        return mean_account([_account(_played_out(state, move, Random(seed)), move.seat) for seed in seeds])  # noqa: S311

    def line(self, state: State, move: Move, most: int, rng: Rng) -> tuple[str, ...]:
        """Return the move and how strong bots play on."""
        choose = by_bot(blockers, bot(blockers, "6"), Budget(), rng)
        return tuple(follow(blockers, state, move, choose, rng, most, is_over).acts)


def _imagined(state: State, seat: Seat, rng: Rng) -> Blockers:
    return from_state(blockers.imagine(blockers.view(state, seat), rng))


def _choose(table: Blockers, games: int, rng: Rng) -> int:
    return InformationSetTree(table, learned(2), rng.randrange(SEEDS), games + 1).choose(games, NEVER)


def _evaluate(table: Blockers, seat: Seat, weights: Weights, rng: Rng) -> Evaluate:
    def evaluate(move: int, games: int) -> Outcome:
        tree = InformationSetTree(table, weights, rng.randrange(SEEDS), games + 1)
        return Outcome(*tree.evaluate(seat, move, games)[seat])

    return evaluate


def _written(table: Blockers, outcomes: Mapping[int, Outcome]) -> Mapping[str, Outcome]:
    return {table.write_move(move): outcomes[move] for move in table.moves()}


def _played_out(state: State, move: Move, rng: Rng) -> State:
    imagined = blockers.imagine(blockers.view(state, move.seat), rng)
    choose = by_bot(blockers, bot(blockers, "4"), Budget(), rng)
    ended: State = follow(blockers, imagined, move, choose, rng, GAME, is_over).state
    return ended


def _account(state: State, seat: Seat) -> Account:
    """Return the final groups and captures of both seats; the opponent's count for the seat."""
    (groups, captures), (theirs, caught) = (_parts(state, each) for each in (seat, 1 - seat))
    return {"join": -groups, "captures": -captures, "block": theirs, "bait": caught}


def _parts(state: State, seat: Seat) -> tuple[float, float]:
    """BL33: return the groups of a seat, and its captures that count."""
    final = tally(state, seat)
    captures = final.captured[COLOURS.index(final.counted)] if final.counted else 0
    return float(len(final.groups)), float(captures)
