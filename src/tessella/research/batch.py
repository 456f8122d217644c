"""Many tables at once over NumPy arrays, for learners that need millions of moves."""

from collections.abc import Sequence
from typing import Any

import numpy
from numpy.typing import NDArray

from tessella.core.game import AnyGame
from tessella.core.record import read_options
from tessella.games import GAMES
from tessella.research.encodings import ENCODINGS, Encoding, Table
from tessella.research.seeds import Seeds

NO_ACTION = numpy.iinfo(numpy.uint16).max
"""Stands for every number that is no action: larger than any that is."""


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

    def __init__(
        self,
        game: str | AnyGame,
        tables: int,
        config: Any = None,  # noqa: ANN401
        seed: int | None = None,
    ) -> None:
        self._name = game if isinstance(game, str) else game.NAME
        self._seeds = Seeds()
        self.config = read_config(self.game, config)
        self.fields = self.encoding.fields(self.config)
        self.tables = tables
        self.reset(seed)

    @property
    def game(self) -> AnyGame:
        """The readable game; looked up by name, since a module cannot be pickled."""
        return GAMES[self._name]

    @property
    def encoding(self) -> Encoding:
        """The encoding of the game."""
        return ENCODINGS[self._name]

    def reset(self, seed: int | None = None) -> None:
        """Restart all tables; without a seed, with games that no other run plays."""
        self._batch, self._observer = self.encoding.batch(self.tables, self.config, self._seeds.next(seed))

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
    def final_observations(self) -> NDArray[numpy.uint8]:
        """Where the last step ended a game, how it ended, as the seat that made the last move sees it."""
        return self._observer.final

    @property
    def scores(self) -> NDArray[numpy.int32]:
        """The scores of the last finished game at each table."""
        return self._batch.scores

    @property
    def places(self) -> NDArray[numpy.uint8]:
        """The places in the last finished game at each table, 1 for the best."""
        return self._batch.places

    @property
    def rewards(self) -> NDArray[numpy.float32]:
        """The reward of each seat for the last step: at the end of a game 1 for the winner, −1 split by the others."""
        return self._batch.rewards

    @property
    def random(self) -> NDArray[numpy.uint16]:
        """A random legal action for each table."""
        return self._batch.random

    def step(self, actions: NDArray[Any]) -> None:
        """Make a move at each table; raise `ValueError`, without moving anywhere, if one is illegal.

        Actions may be integers of any type; those that are not contiguous `uint16` are copied.
        """
        self._observer.step(_as_uint16(actions))

    def save(self) -> NDArray[numpy.uint8]:
        """Return all positions as an array, a row per table: index it to pick, order or repeat tables, then `load` it.

        Rows fit batches of the same game and config in the same version; write states to keep positions for longer.
        """
        return self._batch.save()

    def load(self, rows: NDArray[numpy.uint8]) -> None:
        """Replace every table by a saved one; chance differs from table to table from here on.

        >>> env = BatchEnv("azul", tables=8, seed=1)
        >>> search = BatchEnv("azul", tables=100)
        >>> search.load(env.save()[[3] * 100])
        >>> bool((search.observations == env.observations[3]).all())
        True
        """
        self._batch.load(rows)
        self._observer.encode()

    def load_states(self, states: Sequence[Any]) -> None:
        """Replace every table by a state of the readable game, and deal where a deal is due."""
        if len(states) != self.tables:
            raise ValueError(f"expected a state for each of {self.tables} tables, got {len(states)}")
        for place, state in enumerate(states):
            self._batch.put(place, self.encoding.from_state(state))
        self._observer.encode()

    def at(self, place: int) -> Table:
        """Return a copy of one table."""
        return self._batch.at(place)


def read_config(game: AnyGame, config: Any) -> Any:  # noqa: ANN401
    """Return a config: as given, the default for None, or read from text.

    >>> read_config(GAMES["azul"], "seats=3 wall=grey")
    Config(seats=3, wall='grey')
    """
    if isinstance(config, str):
        return read_options(game, config.split())
    return config or game.Config()


def _as_uint16(actions: NDArray[Any]) -> NDArray[numpy.uint16]:
    if actions.dtype == numpy.uint16:
        return numpy.ascontiguousarray(actions)
    if actions.dtype.kind not in "iu":
        raise TypeError(f"actions must be integers, not {actions.dtype}")
    beyond = (actions < 0) | (actions > NO_ACTION)
    return numpy.where(beyond, NO_ACTION, actions).astype(numpy.uint16)


def rewards(places: NDArray[numpy.uint8]) -> NDArray[numpy.float64]:
    """Return rewards for places, one row per game: 1 for the winner, −1 split by the others; ties share.

    >>> rewards(numpy.array([[1, 2], [1, 1], [3, 1]])).tolist()
    [[1.0, -1.0], [0.0, 0.0], [-1.0, 1.0]]
    >>> rewards(numpy.array([[1, 2, 3], [1, 1, 3]])).tolist()
    [[1.0, -0.5, -0.5], [0.25, 0.25, -0.5]]
    """
    seats = places.shape[1]
    first = (places == 1).astype(numpy.float64)
    share = first / first.sum(axis=1, keepdims=True)
    found: NDArray[numpy.float64] = (seats * share - 1) / (seats - 1)
    return found
