"""Leaks that were planted: each changes one text of the sources so that a secret gets out.

`load` returns a game with one of them. The laws alone must catch those in `games/`; `CORE` are caught by the tests
that are named there.
"""

import importlib
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from unittest.mock import patch

import tessella

ROOT = Path(tessella.__file__).parent


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
        "the size of a rack tells whether the wild is on it",
        "games/blockers/view.py",
        "held=len(stock.rack)",
        'held=len(stock.rack) + ("w" in stock.rack)',
    ),
    Leak(
        "the size of a supply tells whether the wild is in it",
        "games/blockers/view.py",
        "supply=len(stock.supply)",
        'supply=len(stock.supply) - ("w" in stock.supply)',
    ),
    Leak(
        "spectators see drawn tiles",
        "games/blockers/view.py",
        "event.drawn if event.drawn.seat == seat else",
        "event.drawn if seat is None or event.drawn.seat == seat else",
    ),
    Leak(
        "the first seat sees what the others draw",
        "games/blockers/view.py",
        "event.drawn if event.drawn.seat == seat else",
        "event.drawn if seat == 0 or event.drawn.seat == seat else",
    ),
    Leak(
        "everybody may read the draws of the record",
        "games/blockers/view.py",
        "return act.owner if isinstance(act, DrawTiles) else None",
        "return None",
    ),
    Leak(
        "everybody may read single draws of the record",
        "games/blockers/view.py",
        "if isinstance(act, DrawTiles) else None",
        "if isinstance(act, DrawTiles) and len(act.tiles) > 1 else None",
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
        "the rack is looked at before it is asked whose turn it is",
        "games/blockers/rules.py",
        '    if move.seat not in now.seats:\n        raise IllegalMove("BL03"',
        '    if move.face not in _stock(state, move.colour).rack:\n        raise IllegalMove("BL10", "no such tile")\n'
        '    if move.seat not in now.seats:\n        raise IllegalMove("BL03"',
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
        "spectators see every plate that was looked at",
        "games/duel/view.py",
        "if seat in back.known:",
        "if seat in back.known or (seat is None and back.known):",
    ),
    Leak(
        "who has lost track of a plate is shown to those who never saw it",
        "games/duel/view.py",
        "return SeenBack(back.kind, back.known, ())",
        "return SeenBack(back.kind, back.known, back.lost)",
    ),
    Leak(
        "plates that the other player has lost track of are named",
        "games/duel/view.py",
        "if seat in back.lost)",
        "if back.lost)",
    ),
    Leak(
        "spectators are told the plates that somebody has lost track of",
        "games/duel/view.py",
        "if seat in back.lost)",
        "if seat in back.lost or (seat is None and back.lost))",
    ),
    Leak(
        "spectators see the plates that a player looks at",
        "games/duel/view.py",
        "plates if seat == owner else tuple(map(kind_of, plates))",
        "plates if seat in (owner, None) else tuple(map(kind_of, plates))",
    ),
    Leak(
        "everybody sees the plate that is put back",
        "games/duel/view.py",
        "plate if seat == owner else kind_of(plate)",
        "plate",
    ),
    Leak(
        "everybody may read in the record which plate was put back",
        "games/duel/view.py",
        "case Return(seat=seat) | Look(owner=seat):",
        "case Look(owner=seat):",
    ),
    Leak(
        "everybody may read in the record which plates were looked at",
        "games/duel/view.py",
        "case Return(seat=seat) | Look(owner=seat):",
        "case Return(seat=seat):",
    ),
    Leak(
        "drawn plates lie in the order of their faces",
        "games/duel/drafting.py",
        "hand.sort(key=lambda back: (back.kind, back.face))",
        "hand.sort(key=lambda back: back.face)",
    ),
    Leak(
        "the kinds of drawn plates are told in the order of their faces",
        "games/duel/drafting.py",
        "yield PlatesLookedAt(seat, tuple(back.face for back in hand))",
        "yield PlatesLookedAt(seat, tuple(sorted(back.face for back in hand)))",
    ),
    Leak(
        "the other player can follow a plate through the hand",
        "games/duel/drafting.py",
        "alone=kinds.count(back.kind) == 1",
        "alone=True",
    ),
    Leak(
        "a drawn plate that somebody knows is named",
        "games/duel/drafting.py",
        "yield PlateDrawn(move.seat, top.kind,",
        "yield PlateDrawn(move.seat, top.face,",
    ),
    Leak(
        "a preview depends on the plates in the stack",
        "games/duel/preview.py",
        "        score=score,\n",
        '        score=score + sum("k" in back.face for back in state.stack),\n',
    ),
]

LEAKS = [*BLOCKERS, *DUEL]


class _Planted(MetaPathFinder):
    """Find the module of one file with another source."""

    def __init__(self, leak: Leak) -> None:
        self._name = "tessella." + leak.file.removesuffix(".py").replace("/", ".")
        source = (ROOT / leak.file).read_text()
        assert source.count(leak.old) == 1, f"{leak.file} has no such text, or several times: {leak.old}"
        self._source = source.replace(leak.old, leak.new)

    def find_spec(self, fullname: str, path: object, target: ModuleType | None = None) -> ModuleSpec | None:
        return spec_from_loader(fullname, self._loader(fullname)) if fullname == self._name else None

    def _loader(self, fullname: str) -> Loader:
        source = self._source

        class Changed(SourceFileLoader):
            def get_code(self, fullname: str) -> Any:
                return compile(source, self.get_filename(fullname), "exec")

        return Changed(fullname, str(ROOT / fullname.removeprefix("tessella.").replace(".", "/")) + ".py")


def load(leak: Leak) -> Any:
    """Return the game with a planted leak; `sys.modules` stays as it is."""
    package = ".".join(["tessella", *leak.file.split("/")[:2]])
    with patch.dict(sys.modules), patch.object(sys, "meta_path", [_Planted(leak), *sys.meta_path]):
        for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
            del sys.modules[name]
        return importlib.import_module(package)
