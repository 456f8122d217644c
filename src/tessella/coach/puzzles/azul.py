"""Puzzles of Azul: the rest of the round is searched to its end after every move.

Within a round nothing is hidden or random. Boards between two rounds are evaluated, by hand in the first look and by
the learned net in the second.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, cast

from tessella.bots.azul.net import net_for
from tessella.bots.interface import Budget
from tessella.coach.azul import Analyser
from tessella.coach.puzzles.follow import Followed, follow
from tessella.coach.puzzles.prover import Account, Look, Looked
from tessella.coach.puzzles.puzzle import ProvedResult
from tessella.coach.puzzles.race import Outcome
from tessella.coach.solution import Result, RoundSolver, is_solvable, may_be_last
from tessella.core.game import AnyGame, Chance, Config, Move, Over, Rng, Seat
from tessella.fast.azul import Azul, from_state
from tessella.fast.azul.alphabeta import AlphaBeta
from tessella.fast.phases import DRAFTING, OVER, TILING
from tessella.games import azul
from tessella.games.azul.events import BonusScored, FloorScored, StartDecided, TilePlaced
from tessella.games.azul.state import State

Proved: TypeAlias = Literal["win", "draw", "loss"]

SEARCHABLE = 120_000
"""Most positions to search when proving a puzzle; longer rounds are skipped."""
EFFORTS = (30, 100, 400, 2_000)
"""Positions within which puzzles of difficulty 1 to 4 are solved; the others have difficulty 5."""
LINE_NODES = 2_500
"""Positions searched per move of a line."""
SOLVER_NODES = 5_000_000
"""Most positions of the exact solver after each move, for each player; hardly any last round takes more."""
RANK: Mapping[Proved, int] = {"loss": 0, "draw": 1, "win": 2}
OPPOSITE: Mapping[Result, Proved] = {"win": "loss", "draw": "draw", "loss": "win"}
"""What a proved result of one player is for the other."""
WIN = 1_000_000
"""The value of a certain win in `fast.azul.alphabeta`."""
ROUND = 100
"""More moves than a round has."""
START_POINTS = 1
"""What starting the next round counts in the account."""


class AzulProver:
    """Proves puzzles of Azul for two on the coloured wall, for which there is a net."""

    game: AnyGame = azul
    themes: Sequence[str] = ("wall", "floor", "bonus", "block", "spill", "start")
    other_themes: Sequence[str] = ("build",)

    def __init__(self) -> None:
        self._analyser = Analyser(2, Budget())
        self._search = AlphaBeta()
        self._solver: RoundSolver | None = None

    def other_theme(self, move: Move) -> str:  # noqa: ARG002  they are all takes
        """Return the theme of tiles for later rounds."""
        return "build"

    def configs(self) -> Sequence[Config]:
        """Return the coloured wall."""
        return [azul.Config(2, "coloured")]

    def chapter(self, state: State) -> int | None:
        """Return the round, while players draft."""
        return state.round if from_state(state).phase == DRAFTING else None

    def is_promising(self, state: State, tempting: Move, margin: float, rng: Rng) -> bool:  # noqa: ARG002
        """Return whether the round can be searched to its end, and the tempting move loses the margin."""
        table, seat = from_state(state), tempting.seat
        now = self._analyser.evaluate_exactly(table, SEARCHABLE)
        if now is None:
            return False
        after = self._analyser.evaluate_exactly(_after(table, table.from_move(cast("azul.Move", tempting))), 0)
        assert after is not None
        return now.probabilities[seat] - after.probabilities[seat] >= margin

    def look(self, which: Look, state: State, seat: Seat, margin: float, rng: Rng) -> Looked | None:  # noqa: ARG002
        """Search every line to the end of the round; the second look evaluates boards with the net."""
        table = from_state(state)
        outcomes = self._by_hand(table, seat) if which == "first" else _by_net(table, seat, state.config.wall)
        if outcomes is None:
            return None
        looked = Looked(outcomes, "exact")
        equal = {
            _after(table, move).key()
            for move in table.moves()
            if outcomes[table.write_move(move)] == outcomes[looked.best]
        }
        ahead = outcomes[looked.best].probability - looked.second.probability
        return looked if len(equal) == 1 and ahead >= margin else None

    def proved_result(self, state: State, seat: Seat, looked: Looked) -> ProvedResult:
        """Solve the position after every move, if the round may be the last."""
        if not may_be_last(state):
            return ""
        best = self._proved_after(state, seat, looked.best)
        if best is None or best == "loss":
            return ""
        for move in (move for move, loss in looked.losses.items() if loss):
            other = self._proved_after(state, seat, move)
            if other is None or RANK[other] >= RANK[best]:
                return ""
        return best

    def difficulty(self, state: State, seat: Seat, best: Sequence[str], rng: Rng) -> int:  # noqa: ARG002
        """Return 1 plus the number of efforts that fail; if one fails, all smaller ones count as failing."""
        table = from_state(state)
        right = [table.write_move(self._search.think(table, seat, effort)) in best for effort in EFFORTS]
        return 1 + max((place + 1 for place, found in enumerate(right) if not found), default=0)

    def account(self, state: State, move: Move, rng: Rng) -> Account:
        """Return the points of the round by theme, if both play it out exactly."""
        return _account(self._follow(state, move, ROUND, SEARCHABLE, rng).events, move.seat)

    def line(self, state: State, move: Move, most: int, rng: Rng) -> tuple[str, ...]:
        """Return the move and how the round goes on."""
        return tuple(self._follow(state, move, most, LINE_NODES, rng).acts)

    def _proved_after(self, state: State, seat: Seat, text: str) -> Proved | None:
        """Return the result for a seat that is proved after its move; None if there is none."""
        after, _ = azul.apply(state, azul.read_move(state, seat, text))
        turn = azul.turn(after)
        if isinstance(turn, Over):
            mine, theirs = turn.places[seat], turn.places[1 - seat]
            return "win" if mine < theirs else "draw" if mine == theirs else "loss"
        if not is_solvable(after):
            return None
        self._solver = self._solver or RoundSolver()
        return OPPOSITE.get(self._solver.solve(after, nodes=SOLVER_NODES).result)

    def _follow(self, state: State, move: Move, most: int, nodes: int, rng: Rng) -> Followed:
        def choose(now: State, seat: Seat) -> Move:
            table = from_state(now)
            return table.to_move(self._search.think(table, seat, nodes))

        return follow(azul, state, move, choose, rng, most, lambda now: isinstance(azul.turn(now), Chance))

    def _by_hand(self, table: Azul, seat: Seat) -> Mapping[str, Outcome] | None:
        found: dict[str, Outcome] = {}
        for move in table.moves():
            evaluation = self._analyser.evaluate_exactly(_after(table, move), 0)
            assert evaluation is not None
            found[table.write_move(move)] = Outcome(evaluation.probabilities[seat], evaluation.leads[seat])
        return found


def _after(table: Azul, move: int) -> Azul:
    after = table.copy()
    after.apply(move)
    return after


def _by_net(table: Azul, seat: Seat, wall: str) -> Mapping[str, Outcome] | None:
    """Return what each move leads to, with boards evaluated by the net; None if there is no net for the wall."""
    net = net_for(2, wall)
    if net is None:
        return None
    search = AlphaBeta(net)
    return {table.write_move(move): _evaluated(search, _after(table, move), seat) for move in table.moves()}


def _evaluated(search: AlphaBeta, table: Azul, seat: Seat) -> Outcome:
    """Search the rest of the round; the lead is not looked at."""
    if table.phase == OVER:
        first, second = table.places()
        return Outcome(0.5 if first == second else float((first < second) == (seat == 0)), 0.0)
    if table.phase in (DRAFTING, TILING):
        mover = table.seat()
        search.think(table, mover)
        value = search.value
    else:
        mover, value = seat, search.value_of(table, seat)
    probability = min(1.0, max(0.0, value / WIN))
    return Outcome(probability if mover == seat else 1 - probability, 0.0)


def _account(events: Sequence[Any], seat: Seat) -> Account:
    """Return what a seat gained in a round by theme."""
    gained = dict.fromkeys(AzulProver.themes, 0.0)
    for event in events:
        match event:
            case TilePlaced():
                _add(gained, ("wall", "block"), event.seat == seat, event.points)
            case FloorScored():
                _add(gained, ("floor", "spill"), event.seat == seat, event.points)
            case BonusScored():
                _add(gained, ("bonus", "block"), event.seat == seat, event.points)
            case StartDecided():
                gained["start"] = START_POINTS * (1 if event.seat == seat else -1)
            case _:
                pass
    return gained


def _add(gained: dict[str, float], themes: tuple[str, str], is_own: bool, points: float) -> None:  # noqa: FBT001
    """Add points of the seat to the first theme, or take points of the opponent off the second."""
    gained[themes[0] if is_own else themes[1]] += points if is_own else -points
