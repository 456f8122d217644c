"""Every game that can be played: those of the house, and those that other packages install.

A package offers a game by an entry point of the group `tessella.games`; its value is the module of the game. Entry
points are loaded when more than the games of the house is asked for. One that cannot be loaded is left out and kept in
`broken` with the reason, so it takes no other game down.
"""

import re
from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from tessella.core.game import AnyGame, Config, Game, View

GROUP = "tessella.games"
NAMES = re.compile("[a-z][a-z0-9]{1,19}")
NEEDED = sorted({name for name in vars(Game) if not name.startswith("_")} | {"View", "Witnessed"})
"""What the module of an installed game must have: the protocol, and the types of its views and public events."""


class Registry(Mapping[str, AnyGame]):
    """The games by name, those of the house first."""

    def __init__(self, *house: AnyGame) -> None:
        self._house: dict[str, AnyGame] = {game.NAME: game for game in house}
        self._installed: dict[str, AnyGame] | None = None
        self._broken: dict[str, str] = {}

    def __getitem__(self, name: str) -> AnyGame:
        return self._house[name] if name in self._house else self.installed[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._house
        yield from self.installed

    def __len__(self) -> int:
        return len(self._house) + len(self.installed)

    @property
    def installed(self) -> Mapping[str, AnyGame]:
        """The games of other packages, by name."""
        if self._installed is None:
            self._installed = {}
            for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
                self._add(self._installed, point)
        return self._installed

    @property
    def broken(self) -> Mapping[str, str]:
        """The entry points that offer no playable game, each with the reason."""
        assert self.installed is not None
        return self._broken

    def _add(self, found: dict[str, AnyGame], point: EntryPoint) -> None:
        try:
            game = point.load()
            self._require(game, point.name)
        except Exception as exc:  # noqa: BLE001  whatever another package does, the other games stay
            package = f" (package {point.dist.name})" if point.dist else ""
            self._broken[point.name] = f"{type(exc).__name__}: {exc}{package}"
        else:
            found.setdefault(point.name, game)

    def _require(self, game: Any, name: str) -> None:  # noqa: ANN401  it is not known to be a game yet
        if missing := [each for each in NEEDED if not hasattr(game, each)]:
            raise TypeError(f"{game.__name__} is not a game: it has no {', '.join(missing)}")
        if name != game.NAME or not NAMES.fullmatch(name) or name in self._house:
            raise ValueError(f"{name!r} is not a free name that is NAME of the game and matches {NAMES.pattern}")
        if not issubclass(game.Config, Config) or not issubclass(game.View, View):
            raise TypeError("Config and View must be those of tessella.core.game, with fields of their own")


def seat_numbers(game: AnyGame) -> tuple[int, ...]:
    """Return how many can play: every number of seats that the options of the game accept."""
    return tuple(seats for seats in range(2, 9) if _is_accepted(game, seats))


def _is_accepted(game: AnyGame, seats: int) -> bool:
    try:
        game.Config(seats=seats)
    except ValueError:
        return False
    return True
