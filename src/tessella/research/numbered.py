"""One table that is played by numbers: what the adapters for other libraries have in common."""

from typing import Any

import numpy
from numpy.typing import NDArray

from tessella.core.game import AnyGame, Seat
from tessella.fast.phases import DEALING, OVER
from tessella.games import GAMES
from tessella.research.batch import rewards
from tessella.research.sights import SIGHTS


class NumberedTable:
    """A table whose moves are numbers and whose views are rows of numbers; chance decides by itself."""

    def __init__(self, game: str | AnyGame, config: Any = None, seed: int = 0) -> None:  # noqa: ANN401
        self.game: AnyGame = GAMES[game] if isinstance(game, str) else game
        self.config = config or self.game.Config()
        self.sight = SIGHTS[self.game.NAME]
        self.fields = self.sight.fields(self.config)
        self._row, self._eyes = self.sight.batch(1, self.config, 0)
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Lay the table anew."""
        self.table = self.sight.table(self.config, seed)
        self._let_chance_decide()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.table.phase == OVER

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        return self.table.seat()

    def observe(self, seat: Seat) -> NDArray[numpy.uint8]:
        """What a seat may know: by compiled eyes if it is its turn, else from its view."""
        if not self._is_turn_of(seat):
            return self.sight.observe(self.game.view(self.table.to_state(), seat))
        self._eyes.look(self.table)
        seen: NDArray[numpy.uint8] = self._eyes.observations[0].copy()
        return seen

    def mask(self, seat: Seat) -> NDArray[numpy.int8]:
        """What a seat may do: nothing, unless it is its turn."""
        if not self._is_turn_of(seat):
            return numpy.zeros(self.table.width, numpy.int8)
        self._eyes.look(self.table)
        allowed: NDArray[numpy.int8] = self._row.masks[0].astype(numpy.int8)
        return allowed

    def _is_turn_of(self, seat: Seat) -> bool:
        return not self.over and seat == self.seat

    def act(self, action: int) -> None:
        """Make a move; what is not allowed is refused."""
        self.table.apply(action)
        self._let_chance_decide()

    def rewards(self) -> list[float]:
        """What each seat has gained when the game is over."""
        gained: list[float] = rewards(numpy.array([self.table.places()], numpy.uint8))[0].tolist()
        return gained

    def _let_chance_decide(self) -> None:
        while self.table.phase == DEALING:
            self.table.deal()
