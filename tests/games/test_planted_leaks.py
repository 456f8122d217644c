"""Leaks planted in the sources of games: the laws alone catch each of them.

Each changes one text so that a secret gets out; there is one for each way to leak.
"""

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_loader
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest

import tessella
from tessella.core.game import Rng
from tessella.core.laws import BrokenLaw, any_kind, check_laws, law_4_nothing_leaks, law_5_events
from tessella.games import blockers, duel
from tessella.games.blockers.events import Secret
from tests.games.playing import changed, random_acts

ROOT = Path(tessella.__file__).parent
MOST_GAMES = 60
"""How many random games the laws get to find a leak; most are found in the first."""


class Leak(NamedTuple):
    """A change of one source file; `old` occurs once in it."""

    name: str
    file: str
    old: str
    new: str


BLOCKERS = [
    Leak(
        "everybody sees every rack",
        "games/blockers/view.py",
        "rack=stock.rack if visible else None",
        "rack=stock.rack",
    ),
    Leak(
        "unseen tiles are listed rack first",
        "games/blockers/view.py",
        "in_order(stock.rack + stock.supply)",
        "stock.rack + stock.supply",
    ),
    Leak(
        "spectators see drawn tiles",
        "games/blockers/view.py",
        "event.drawn if event.drawn.seat == seat else",
        "event.drawn if seat is None or event.drawn.seat == seat else",
    ),
    Leak(
        "everybody may read the draws of the record",
        "games/blockers/view.py",
        "return act.owner if isinstance(act, DrawTiles) else None",
        "return None",
    ),
    Leak(
        "the rule of a draw tells whether the wild was drawn",
        "games/blockers/rules.py",
        'rule="BL16" if stock.rack else "BL03"',
        'rule="BL03" if "w" in act.tiles else "BL16"',
    ),
    Leak(
        "a refusal names the rack of another player",
        "games/blockers/rules.py",
        '"you may only play tiles of your own colour")',
        'f"you may only play tiles of your own colour, not {_stock(state, move.colour).rack}")',
    ),
    Leak(
        "a preview depends on the racks of the others",
        "games/blockers/preview.py",
        "points=before.score - after.score",
        'points=before.score - after.score + sum("w" in stock.rack for stock in state.stocks)',
    ),
]

DUEL = [
    Leak(
        "a plate that anybody knows is shown to all", "games/duel/view.py", "if seat in back.known:", "if back.known:"
    ),
    Leak(
        "plates that the other player has lost track of are named",
        "games/duel/view.py",
        "if seat in back.lost)",
        "if back.lost)",
    ),
    Leak(
        "everybody may read in the record which plate was put back",
        "games/duel/view.py",
        "case Return(seat=seat) | Look(owner=seat):",
        "case Look(owner=seat):",
    ),
    Leak(
        "drawn plates lie in the order of their faces",
        "games/duel/drafting.py",
        "hand.sort(key=lambda back: (back.kind, back.face))",
        "hand.sort(key=lambda back: back.face)",
    ),
    Leak(
        "the other player can follow a plate through the hand",
        "games/duel/drafting.py",
        "alone=kinds.count(back.kind) == 1",
        "alone=True",
    ),
]


class Planted(MetaPathFinder):
    """Find the module of one file with another source."""

    def __init__(self, leak: Leak) -> None:
        self._name = "tessella." + leak.file.removesuffix(".py").replace("/", ".")
        source = (ROOT / leak.file).read_text()
        assert source.count(leak.old) == 1, f"{leak.file} has no such text, or several times: {leak.old}"

        class Changed(SourceFileLoader):
            def get_code(self, fullname: str) -> Any:
                return compile(source.replace(leak.old, leak.new), self.get_filename(fullname), "exec")

        self._loader = Changed(self._name, str(ROOT / leak.file))

    def find_spec(self, fullname: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:
        return spec_from_loader(fullname, self._loader) if fullname == self._name else None


def load(leak: Leak) -> Any:
    """Return the game with a planted leak; `sys.modules` stays as it is."""
    package = ".".join(["tessella", *leak.file.split("/")[:2]])
    with patch.dict(sys.modules), patch.object(sys, "meta_path", [Planted(leak), *sys.meta_path]):
        for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
            del sys.modules[name]
        return importlib.import_module(package)


def check(game: Any, seed: int) -> None:
    """Check the laws in one game; in every other one of Azul Duel, players draw as many plates as they can."""
    config = game.Config(2 + seed % 2) if game.NAME == "blockers" else game.Config(free_draws="always")
    check_laws(game, config, Random(seed), every=2, choose=draw_on if seed % 2 and game.NAME == "duel" else any_kind)


def draw_on(moves: Sequence[Any], rng: Rng) -> Any:
    """Return a draw, if there is one, four times of five: then plates are known, returned and drawn again."""
    draws = [move for move in moves if type(move).__name__ == "Draw"]
    return draws[0] if draws and rng.randrange(5) else any_kind(moves, rng)


@pytest.mark.heavy
@pytest.mark.parametrize("leak", [*BLOCKERS, *DUEL], ids=lambda leak: leak.name)
def test_a_planted_leak_breaks_a_law(leak):
    game = load(leak)
    with pytest.raises(BrokenLaw) as caught:
        for seed in range(MOST_GAMES):
            check(game, seed)
    assert caught.value.law in (4, 5, 8, 9)


@pytest.mark.heavy
@pytest.mark.no_cover
@pytest.mark.parametrize("leaks", [BLOCKERS, DUEL], ids=["blockers", "duel"])
def test_a_game_that_is_loaded_without_a_leak_breaks_no_law(leaks):
    """The control: the loader itself changes nothing."""
    game = load(leaks[0]._replace(new=leaks[0].old))
    assert game not in (blockers, duel)
    check(game, 0)


# Leaks that only an imagined state shows


def holds_the_wild(state: Any, owner: int) -> bool:
    return any("w" in stock.rack for stock in state.stocks[owner:])


def moves_by_a_rack(state: Any, seat: int) -> Any:
    moves = blockers.legal_moves(state, seat)
    return moves[:: -1 if holds_the_wild(state, seat + 1) else 1]


def counting_a_rack(state: Any) -> Any:
    return {**blockers.inventory(state), "w": holds_the_wild(state, 1)}


def as_the_owner_sees_it(event: Any, seat: int | None) -> Any:
    return blockers.witness(event, event.drawn.seat if isinstance(event, Secret) else seat)


@pytest.mark.parametrize(
    ("law", "faults", "why"),
    [
        (law_4_nothing_leaks, {"legal_moves": moves_by_a_rack}, "the list of legal moves tells seat"),
        (law_4_nothing_leaks, {"inventory": counting_a_rack}, "imagines a different turn or inventory"),
        (law_5_events, {"witness": as_the_owner_sees_it}, "the events of a deal show seat"),
    ],
)
def test_a_law_catches_what_only_an_imagined_state_shows(law, faults, why):
    game, rng = changed(blockers, **faults), Random(1)
    with pytest.raises(BrokenLaw, match=why):
        for state, *_ in random_acts(blockers, blockers.setup(blockers.Config(3)), rng):
            law(game, state, rng)
