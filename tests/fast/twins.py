"""The compiled games, the same files as plain Python, and how both are held to the readable games."""

import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any
from unittest.mock import patch

from tessella import fast
from tessella.core import record
from tessella.core.game import AnyGame, Chance, Choose, Config, Deal, Over
from tessella.fast import azul as compiled_azul
from tessella.fast import blockers as compiled_blockers
from tessella.fast import duel as compiled_duel
from tessella.fast.phases import DEALING, OVER
from tessella.games import azul, blockers, duel
from tests.games.azul import positions as azul_positions
from tests.games.blockers import positions as blockers_positions

Twin = Any
"""A table of `tessella.fast`, compiled or plain: the plain one is loaded without a type."""


FOLDER = Path(fast.__file__).parent
MODULES = [
    "batch",
    "tree",
    *(f"azul.{name}" for name in ("state", "rules", "observations", "net", "evaluation", "alphabeta", "lookahead")),
    *(f"azul.{name}" for name in ("mcts", "selfplay", "solver")),
    *(f"blockers.{name}" for name in ("state", "rules", "observations", "policy", "evaluation")),
    *(f"blockers.{name}" for name in ("selfplay", "ismcts")),
    *(f"duel.{name}" for name in ("state", "rules", "observations")),
    *(f"duel.{name}" for name in ("policy", "evaluation", "mcts")),
]
"""Every compiled module of `tessella.fast`, after the modules it imports."""


INLINE = {"bits", "moves"}
"""Modules whose `.pxd` has inline functions only, as in setup.py."""


def typed_files() -> list[Path]:
    """Return the `.pxd` of every compiled module."""
    return sorted(path for path in FOLDER.glob("**/*.pxd") if path.stem not in INLINE)


def module_name(path: Path) -> str:
    """Return the name of a module inside `tessella.fast`, as in `MODULES`."""
    return ".".join(path.relative_to(FOLDER).with_suffix("").parts)


def load_plain() -> dict[str, ModuleType]:
    """Return every compiled module as plain Python; each imports the plain ones, and `sys.modules` stays as it is."""
    modules = {}
    with patch.dict(sys.modules):
        for name in MODULES:
            path = FOLDER.joinpath(*name.split(".")).with_suffix(".py")
            spec = importlib.util.spec_from_file_location(f"plain_{name.replace('.', '_')}", path)
            assert spec is not None
            assert spec.loader is not None
            modules[name] = sys.modules[f"tessella.fast.{name}"] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(modules[name])
    return modules


PLAIN: dict[str, Any] = load_plain()
TWINS: dict[str, list[Any]] = {
    "azul": [compiled_azul, PLAIN["azul.rules"]],
    "blockers": [compiled_blockers, PLAIN["blockers.rules"]],
    "duel": [compiled_duel, PLAIN["duel.rules"]],
}
DUEL = [
    duel.Config(),
    duel.Config(faces=("colour_rows", "outer", "corners", "jokers")),
    duel.Config(faces=("colour_rows", "columns", "empty_specials"), special_counts_as_colour=False),
    duel.Config(faces=("colour_rows", "outer", "diagonals"), special_counts_as_colour="alone", free_draws="always"),
]
"""Every face of the scoring tiles, and every reading of DU51 and DU22."""
CASES: list[tuple[AnyGame, Config]] = [
    *((azul, config) for config in azul_positions.CONFIGS),
    *((blockers, config) for config in blockers_positions.CONFIGS),
    *((duel, config) for config in DUEL),
]


def go_on(table: Twin) -> None:
    """One act at random, by the table's own dice."""
    table.deal() if table.phase == DEALING else table.apply(table.choose())


def play_alike(game: AnyGame, config: Config, rng: Random) -> None:
    """One random game at three tables: after every act the positions are equal, and what may come next."""
    play_on(game, game.setup(config), rng)


def play_on(game: AnyGame, state: Any, rng: Random, acts: Sequence[str] = ()) -> None:
    """Play from a position at three tables: first these acts, as a record writes them, then at random to the end."""
    twins = [module.from_state(state) for module in TWINS[game.NAME]]
    require_alike(game, state, twins)
    for text in acts:
        state = apply_alike(game, state, twins, record.read_act(game, state, text))
    while not isinstance(turn := game.turn(state), Over):
        if isinstance(turn, Chance):
            act = game.deal(state, rng)
        else:
            act = rng.choice([move for seat in turn.seats for move in game.legal_moves(state, seat)])
        state = apply_alike(game, state, twins, act)
    require_same_end(game, state, twins)


def apply_alike(game: AnyGame, state: Any, twins: list[Twin], act: Any) -> Any:
    """Make an act at three tables that list the same moves; return the position after it, the same at each."""
    if isinstance(act, Deal):
        for twin in twins:
            twin.deal_these(act)
    else:
        turn = game.turn(state)
        assert isinstance(turn, Choose)
        numbers = [twins[0].from_move(move) for seat in turn.seats for move in game.legal_moves(state, seat)]
        assert turn.seats[0] == twins[0].seat()
        assert all(twin.moves() == numbers for twin in twins), game.write_state(state)
        for twin in twins:
            twin.apply(twin.from_move(act))
    state, _ = game.apply(state, act)
    require_alike(game, state, twins)
    return state


def require_same_end(game: AnyGame, state: Any, twins: list[Twin]) -> None:
    """The game is over at each table, with the same scores and places."""
    turn = game.turn(state)
    assert isinstance(turn, Over)
    for twin in twins:
        assert twin.phase == OVER
        assert not twin.moves()
        assert (twin.scores(), twin.places()) == (turn.scores, turn.places)
    assert ranks(twins[-1]) == turn.places


def ranks(plain: Twin) -> tuple[int, ...]:
    """Return the places as a batch ranks the seats: by a function that only plain Python can call."""
    seats = range(plain.seats)
    return tuple(1 + sum(plain._is_better(other, seat) for other in seats) for seat in seats)


def require_alike(game: AnyGame, state: Any, twins: list[Twin]) -> None:
    """The same position, read back from each twin, and the same key however the twin came to it."""
    for twin in twins:
        assert twin.to_state() == state, game.write_state(state)
    keys = {twin.key() for twin in twins} | {module.from_state(state).key() for module in TWINS[game.NAME]}
    assert len(keys) == 1


def lines_of_play(twin: Twin, depth: int) -> int:
    """Perft by the twin."""
    if depth == 0:
        return 1
    moves = twin.moves()
    if depth == 1:
        return len(moves)
    count = 0
    for move in moves:
        after = twin.copy()
        after.apply(move)
        count += lines_of_play(after, depth - 1)
    return count
