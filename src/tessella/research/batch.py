"""Many tables at once over NumPy arrays, for learners that need millions of moves."""

from typing import Any

import numpy
from numpy.typing import NDArray

from tessella.core.game import AnyGame
from tessella.games import GAMES
from tessella.research.encodings import ENCODINGS, Table


class BatchEnv:
    """A batch of tables of one game. Each step moves the seat to move at every table; a finished game restarts.

    Each step overwrites the same arrays; copy what you want to keep.

    >>> env = BatchEnv("azul", tables=64)
    >>> env.observations.shape, env.masks.shape
    ((64, 151), (64, 180))
    >>> env.step(env.random)
    >>> bool(env.masks[numpy.arange(64), env.random].all())
    True
    """

    def __init__(self, game: str | AnyGame, tables: int, config: Any = None, seed: int = 0) -> None:  # noqa: ANN401
        self.game: AnyGame = GAMES[game] if isinstance(game, str) else game
        self.encoding = ENCODINGS[self.game.NAME]
        self.config = config or self.game.Config()
        self.fields = self.encoding.fields(self.config)
        self.tables = tables
        self.reset(seed)

    def reset(self, seed: int = 0) -> None:
        """Restart all tables."""
        self._batch, self._observer = self.encoding.batch(self.tables, self.config, seed)
        self.rewards = numpy.zeros((self.tables, self.config.seats), numpy.float32)
        """The reward of each seat for the last step: at the end of a game 1 for the winner, −1 split by the others."""

    @property
    def observations(self) -> NDArray[numpy.uint8]:
        """The observation of the seat to move at each table; `fields` describes it."""
        return self._observer.observations

    @property
    def masks(self) -> NDArray[numpy.uint8]:
        """The action mask of the seat to move at each table."""
        return self._batch.masks

    @property
    def seats(self) -> NDArray[numpy.uint8]:
        """The seat to move at each table."""
        return self._batch.seats

    @property
    def over(self) -> NDArray[numpy.uint8]:
        """Whether the last step ended a game; the observation is then the start of the next one."""
        return self._batch.over

    @property
    def scores(self) -> NDArray[numpy.int32]:
        """The scores of the last finished game at each table."""
        return self._batch.scores

    @property
    def places(self) -> NDArray[numpy.uint8]:
        """The places in the last finished game at each table, 1 for the best."""
        return self._batch.places

    @property
    def random(self) -> NDArray[numpy.uint16]:
        """A random legal action for each table."""
        return self._batch.random

    def step(self, actions: NDArray[numpy.uint16]) -> None:
        """Make a move at each table; raise `ValueError`, without moving anywhere, if one is illegal."""
        self._observer.step(actions)
        self._reward()

    def at(self, place: int) -> Table:
        """Return a copy of one table."""
        return self._batch.at(place)

    def _reward(self) -> None:
        self.rewards.fill(0)
        ended = self.over.nonzero()[0]
        if len(ended):
            self.rewards[ended] = rewards(self.places[ended])


def rewards(places: NDArray[numpy.uint8]) -> NDArray[numpy.float32]:
    """Return rewards for places, one row per game: 1 for the winner, −1 split by the others; ties share.

    >>> rewards(numpy.array([[1, 2], [1, 1], [3, 1]])).tolist()
    [[1.0, -1.0], [0.0, 0.0], [-1.0, 1.0]]
    >>> rewards(numpy.array([[1, 2, 3], [1, 1, 3]])).tolist()
    [[1.0, -0.5, -0.5], [0.25, 0.25, -0.5]]
    """
    seats = places.shape[1]
    first = (places == 1).astype(numpy.float32)
    share = first / first.sum(axis=1, keepdims=True)
    found: NDArray[numpy.float32] = (seats * share - 1) / (seats - 1)
    return found
