"""Many tables at once over NumPy arrays, for learners that want millions of moves."""

from typing import Any

import numpy
from numpy.typing import NDArray

from tessella.core.game import AnyGame
from tessella.games import GAMES
from tessella.research.sights import SIGHTS, Table


class BatchEnv:
    """So many tables of one game. At each the seat whose turn it is moves, and a table that is over starts anew.

    The arrays are the same ones all along, written anew by each step; copy what you want to keep.

    >>> env = BatchEnv("azul", tables=64)
    >>> env.observations.shape, env.masks.shape
    ((64, 151), (64, 180))
    >>> env.step(env.random)
    >>> bool(env.masks[numpy.arange(64), env.random].all())
    True
    """

    def __init__(self, game: str | AnyGame, tables: int, config: Any = None, seed: int = 0) -> None:  # noqa: ANN401
        self.game: AnyGame = GAMES[game] if isinstance(game, str) else game
        self.sight = SIGHTS[self.game.NAME]
        self.config = config or self.game.Config()
        self.fields = self.sight.fields(self.config)
        self.tables = tables
        self.reset(seed)

    def reset(self, seed: int = 0) -> None:
        """Lay all tables anew."""
        self._batch, self._eyes = self.sight.batch(self.tables, self.config, seed)
        self.rewards = numpy.zeros((self.tables, self.config.seats), numpy.float32)
        """What each seat has gained by the last step: at the end 1 for the winner and together −1 for the others."""

    @property
    def observations(self) -> NDArray[numpy.uint8]:
        """What the seat to move at each table may know; `fields` says what the numbers mean."""
        return self._eyes.observations

    @property
    def masks(self) -> NDArray[numpy.uint8]:
        """Which actions the seat to move may choose."""
        return self._batch.masks

    @property
    def seats(self) -> NDArray[numpy.uint8]:
        """Who is to move."""
        return self._batch.seats

    @property
    def over(self) -> NDArray[numpy.uint8]:
        """Whether the last step ended a game; what is seen then is the start of the next one."""
        return self._batch.over

    @property
    def scores(self) -> NDArray[numpy.int32]:
        """The points of the last game that ended at each table."""
        return self._batch.scores

    @property
    def places(self) -> NDArray[numpy.uint8]:
        """The places in the last game that ended at each table, 1 for the best."""
        return self._batch.places

    @property
    def random(self) -> NDArray[numpy.uint16]:
        """An allowed action for each table, taken at random."""
        return self._batch.random

    def step(self, actions: NDArray[numpy.uint16]) -> None:
        """Make a move at each table. If one is not allowed, nothing is moved anywhere."""
        self._eyes.step(actions)
        self._reward()

    def at(self, place: int) -> Table:
        """A copy of one table, to look at and to play on."""
        return self._batch.at(place)

    def _reward(self) -> None:
        self.rewards.fill(0)
        ended = self.over.nonzero()[0]
        if len(ended):
            self.rewards[ended] = rewards(self.places[ended])


def rewards(places: NDArray[numpy.uint8]) -> NDArray[numpy.float32]:
    """What places are worth, a row for each game: 1 for the winner, together −1 for the others; a tie is shared.

    >>> rewards(numpy.array([[1, 2], [1, 1], [3, 1]])).tolist()
    [[1.0, -1.0], [0.0, 0.0], [-1.0, 1.0]]
    >>> rewards(numpy.array([[1, 2, 3], [1, 1, 3]])).tolist()
    [[1.0, -0.5, -0.5], [0.25, 0.25, -0.5]]
    """
    seats = places.shape[1]
    first = (places == 1).astype(numpy.float32)
    share = first / first.sum(axis=1, keepdims=True)
    worth: NDArray[numpy.float32] = (seats * share - 1) / (seats - 1)
    return worth
