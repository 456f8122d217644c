"""One table with integer actions and array observations, shared by the adapters for other libraries."""

from typing import Any

import numpy
from numpy.typing import NDArray

from tessella.core.game import AnyGame, Seat
from tessella.fast.phases import DEALING, OVER
from tessella.games import GAMES
from tessella.research.batch import read_config, rewards
from tessella.research.encodings import ENCODINGS, Encoding


class IndexedTable:
    """A table whose actions are indices and whose observations are arrays; deals happen automatically."""

    def __init__(self, game: str | AnyGame, config: Any = None, seed: int = 0) -> None:  # noqa: ANN401
        self._name = game if isinstance(game, str) else game.NAME
        self.config = read_config(self.game, config)
        self.fields = self.encoding.fields(self.config)
        self._batch, self._observer = self.encoding.batch(1, self.config, 0)
        self.reset(seed)

    @property
    def game(self) -> AnyGame:
        """The readable game; looked up by name, since a module cannot be pickled."""
        return GAMES[self._name]

    @property
    def encoding(self) -> Encoding:
        """The encoding of the game."""
        return ENCODINGS[self._name]

    def reset(self, seed: int) -> None:
        """Start a new game."""
        self.table = self.encoding.table(self.config, seed)
        self._deal()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.table.phase == OVER

    @property
    def seat(self) -> Seat:
        """The seat to move."""
        return self.table.seat()

    def observe(self, seat: Seat) -> NDArray[numpy.uint8]:
        """Return a seat's observation: from the compiled observer if it is to move, else from its view."""
        if not self._is_turn_of(seat):
            return self.encoding.observe(self.game.view(self.table.to_state(), seat))
        self._observer.observe(self.table)
        seen: NDArray[numpy.uint8] = self._observer.observations[0].copy()
        return seen

    def mask(self, seat: Seat) -> NDArray[numpy.int8]:
        """Return a seat's action mask: all zeros unless it is to move."""
        if not self._is_turn_of(seat):
            return numpy.zeros(self.table.width, numpy.int8)
        self._observer.observe(self.table)
        allowed: NDArray[numpy.int8] = self._batch.masks[0].astype(numpy.int8)
        return allowed

    def is_legal(self, action: int) -> bool:
        """Return whether the seat to move may make this move."""
        return 0 <= action < self.table.width and bool(self.mask(self.seat)[action]) if not self.over else False

    def _is_turn_of(self, seat: Seat) -> bool:
        return not self.over and seat == self.seat

    def act(self, action: int) -> None:
        """Make a move; raise `ValueError` if it is illegal."""
        self.table.apply(action)
        self._deal()

    def rewards(self) -> list[float]:
        """Return the reward of each seat at the end of the game."""
        gained: list[float] = rewards(numpy.array([self.table.places()], numpy.uint8))[0].tolist()
        return gained

    def _deal(self) -> None:
        while self.table.phase == DEALING:
            self.table.deal()
