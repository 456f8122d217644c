"""Gymnasium environments: one seat against bots, and self-play at many tables at once.

Needs `pip install 'tessella[research]'`.
"""

from random import Random
from typing import Any, SupportsInt, cast

import gymnasium
import numpy
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray

from tessella.bots import Budget, bot
from tessella.core.game import AnyGame
from tessella.research import fields
from tessella.research.batch import BatchEnv
from tessella.research.indexed import IndexedTable

Seen = NDArray[numpy.uint8]


def _observations(shown: tuple[fields.Field, ...]) -> spaces.Space[Seen]:
    most = numpy.array(fields.most(shown), numpy.uint8)
    return cast("spaces.Space[Seen]", spaces.Box(numpy.zeros_like(most), most, dtype=numpy.uint8))


class SoloEnv(gymnasium.Env[Seen, SupportsInt]):
    """One seat against bots on all the others; the reward comes at the end.

    `info["action_mask"]` marks the legal actions.

    >>> env = SoloEnv("azul", opponent="greedy")
    >>> seen, info = env.reset(seed=1)
    >>> env.observation_space.contains(seen), info["action_mask"].any().item()
    (True, True)
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012  as Gymnasium declares it

    def __init__(
        self,
        game: str | AnyGame,
        config: Any = None,  # noqa: ANN401
        *,
        opponent: str = "greedy",
        budget: Budget | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._table = IndexedTable(game, config)
        self._opponent = bot(self._table.game, opponent)
        self._budget = budget or Budget()
        self.render_mode = render_mode
        self.seat = 0
        self.observation_space = _observations(self._table.fields)
        self.action_space = spaces.Discrete(self._table.table.width)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Start a new game on a random seat."""
        super().reset(seed=seed, options=options)
        self._rng = Random(int(self.np_random.integers(2**32)))  # noqa: S311
        self.seat = self._rng.randrange(self._table.config.seats)
        self._table.reset(self._rng.getrandbits(64))
        self._let_others_move()
        return self._seen()

    def step(self, action: SupportsInt) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Make a move, and let the bots move until it is this seat's turn again."""
        self._table.act(int(action))
        self._let_others_move()
        reward = self._table.rewards()[self.seat] if self._table.over else 0.0
        seen, info = self._seen()
        return seen, reward, self._table.over, False, info

    def render(self) -> Any:  # noqa: ANN401
        """Return the position in one line of text, in render mode `ansi`."""
        return self._table.game.write_state(self._table.table.to_state()) if self.render_mode == "ansi" else None

    def action_masks(self) -> NDArray[numpy.bool_]:
        """Return the action mask, under the name that MaskablePPO expects."""
        return self._table.mask(self.seat).astype(numpy.bool_)

    def _seen(self) -> tuple[Seen, dict[str, Any]]:
        return self._table.observe(self.seat), {"action_mask": self._table.mask(self.seat)}

    def _let_others_move(self) -> None:
        while not self._table.over and self._table.seat != self.seat:
            table = self._table.table
            view = self._table.game.view(table.to_state(), table.seat())
            self._table.act(table.from_move(self._opponent(view, self._budget, self._rng)))


class SelfPlayEnv(VectorEnv[Seen, NDArray[Any], NDArray[Any]]):
    """Many tables at once, with one learner on every seat.

    Observation and action belong to the seat that is to move; the reward is that of the seat that
    has just moved. `info` holds the action masks, the seats to move, and the rewards of all seats.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012  as Gymnasium declares it

    def __init__(self, game: str | AnyGame, num_envs: int, config: Any = None) -> None:  # noqa: ANN401
        self._env = BatchEnv(game, num_envs, config)
        self.num_envs = num_envs
        self.single_observation_space = _observations(self._env.fields)
        self.single_action_space = spaces.Discrete(self._env.masks.shape[1])
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[Seen, dict[str, Any]]:
        """Restart all tables; one seed serves all of them."""
        first = seed[0] if isinstance(seed, list) else seed
        self._env.reset(int(self.np_random.integers(2**32)) if first is None else first)
        return self._env.observations.copy(), self._info()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Seen, NDArray[Any], NDArray[numpy.bool_], NDArray[numpy.bool_], dict[str, Any]]:
        """Make a move at each table."""
        movers = self._env.seats.copy()
        self._env.step(actions.astype(numpy.uint16))
        gained = self._env.rewards[numpy.arange(self.num_envs), movers].astype(numpy.float64)
        over = self._env.over.astype(numpy.bool_)
        return self._env.observations.copy(), gained, over, numpy.zeros_like(over), self._info()

    def _info(self) -> dict[str, Any]:
        env = self._env
        return {"action_mask": env.masks.copy(), "seats": env.seats.copy(), "rewards": env.rewards.copy()}
