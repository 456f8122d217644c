"""Gymnasium environments: one seat against bots, and self-play at many tables at once.

Importing this module registers `tessella/Azul-v0`, `tessella/AzulDuel-v0` and `tessella/Blockers-v0`.
Needs `pip install 'tessella[research]'`.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, Literal, SupportsInt, TypeAlias, cast, get_args

import gymnasium
import numpy
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray

from tessella.bots import Budget, bot
from tessella.core.game import AnyGame
from tessella.research import fields, render
from tessella.research.batch import BatchEnv
from tessella.research.indexed import IndexedTable
from tessella.research.seeds import Seeds

Seen = NDArray[numpy.uint8]
OnIllegal: TypeAlias = Literal["lose", "raise", "replace"]
"""What an illegal action does: lose the game, raise `ValueError`, or stand for a random legal action."""

IDS: Mapping[str, str] = {
    "tessella/Azul-v0": "azul",
    "tessella/AzulDuel-v0": "duel",
    "tessella/Blockers-v0": "blockers",
}
"""The registered environments, and the game of each."""


def _observations(shown: tuple[fields.Field, ...]) -> spaces.Space[Seen]:
    most = numpy.array(fields.most(shown), numpy.uint8)
    return cast("spaces.Space[Seen]", spaces.Box(numpy.zeros_like(most), most, dtype=numpy.uint8))


class SoloEnv(gymnasium.Env[Seen, SupportsInt]):
    """One seat against bots on all the others; the reward comes at the end.

    `info["action_mask"]` marks the legal actions. An action that is not legal loses the game and sets
    `info["illegal_action"]`; `on_illegal="raise"` raises `ValueError` and changes nothing, `on_illegal="replace"` makes
    a random legal move instead. `config` may be text, such as "seats=3 wall=grey".

    >>> env = gymnasium.make("tessella/Azul-v0", opponent="greedy")
    >>> seen, info = env.reset(seed=1)
    >>> env.observation_space.contains(seen), info["action_mask"].any().item()
    (True, True)
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  as Gymnasium declares it
        "render_modes": [*render.MODES],
        "render_fps": render.FRAMES_PER_SECOND,
    }

    def __init__(
        self,
        game: str | AnyGame,
        config: Any = None,  # noqa: ANN401
        *,
        opponent: str = "greedy",
        budget: Budget | None = None,
        render_mode: str | None = None,
        on_illegal: OnIllegal = "lose",
    ) -> None:
        render.check_mode(render_mode)
        if on_illegal not in get_args(OnIllegal):
            raise ValueError(f"on_illegal cannot be {on_illegal!r}; choose from {', '.join(get_args(OnIllegal))}")
        self._table = IndexedTable(game, config)
        bot(self._table.game, opponent)  # raises KeyError now, not at the first reset
        self._opponent = opponent
        self._budget = budget or Budget()
        self._on_illegal = on_illegal
        self._lost = False
        self._seeds = Seeds()
        self.render_mode = render_mode
        self.seat = 0
        self.observation_space = _observations(self._table.fields)
        self.action_space = spaces.Discrete(self._table.table.width)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Start a new game on a random seat; without a seed, one that no other run plays."""
        super().reset(seed=seed, options=options)
        self._rng = Random(self._seeds.next(seed))  # noqa: S311
        self.seat = self._rng.randrange(self._table.config.seats)
        self._lost = False
        self._table.reset(self._rng.getrandbits(64))
        self._let_others_move()
        return self._shown({})

    def step(self, action: SupportsInt) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Make a move, and let the bots move until it is this seat's turn again."""
        legal = self._table.is_legal(int(action))
        number = int(action) if legal else self._replacement(int(action))
        if number is None:
            self._lost = True
        else:
            self._table.act(number)
            self._let_others_move()
        seen, info = self._shown({} if legal else {"illegal_action": True})
        return seen, self._reward(), self._lost or self._table.over, False, info

    def _replacement(self, number: int) -> int | None:
        """Return what to play for an illegal action; None loses the game."""
        if self._on_illegal == "raise":
            raise ValueError(f"action {number} is not legal; info['action_mask'] marks the legal ones")
        if self._on_illegal == "lose":
            return None
        return int(self._rng.choice(self._table.mask(self.seat).nonzero()[0].tolist()))

    def _reward(self) -> float:
        if self._lost:
            return -1.0 / int(self._table.config.seats - 1)
        return self._table.rewards()[self.seat] if self._table.over else 0.0

    def render(self) -> Any:  # noqa: ANN401
        """Return the table as this seat sees it: text in mode `ansi`, pixels in mode `rgb_array`."""
        return render.render(self._table, self.seat, self.render_mode)

    def action_masks(self) -> NDArray[numpy.bool_]:
        """Return the action mask, under the name that MaskablePPO expects."""
        return self._mask().astype(numpy.bool_)

    def _mask(self) -> NDArray[numpy.int8]:
        mask = self._table.mask(self.seat)
        return numpy.zeros_like(mask) if self._lost else mask

    def _shown(self, told: dict[str, Any]) -> tuple[Seen, dict[str, Any]]:
        render.show(self._table, self.seat, self.render_mode)
        return self._table.observe(self.seat), {"action_mask": self._mask(), **told}

    def _let_others_move(self) -> None:
        choose = bot(self._table.game, self._opponent)
        while not self._table.over and self._table.seat != self.seat:
            table = self._table.table
            view = self._table.game.view(table.to_state(), table.seat())
            self._table.act(table.from_move(choose(view, self._budget, self._rng)))


class SelfPlayEnv(VectorEnv[Seen, NDArray[Any], NDArray[Any]]):
    """Many tables at once, with one learner on every seat.

    Observation and action belong to the seat that is to move; the reward is that of the seat that
    has just moved. `info` holds the action masks, the seats to move, and the rewards of all seats.
    A finished game restarts in the same step; `info["final_obs"]` then holds how it ended, as the seat that has just
    moved sees it, and `info["final_info"]` the scores, places and rewards, where `info["_final_obs"]` is true.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012  as Gymnasium declares it

    def __init__(self, game: str | AnyGame, num_envs: int, config: Any = None) -> None:  # noqa: ANN401
        self._env = BatchEnv(game, num_envs, config)
        self.num_envs = num_envs
        self.single_observation_space = _observations(self._env.fields)
        self.single_action_space = spaces.Discrete(self._env.masks.shape[1])
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)
        self._seeds = Seeds()

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[Seen, dict[str, Any]]:
        """Restart all tables; a seed, or a list of them, serves all together."""
        self._env.reset(self._seeds.next(seed))
        return self._env.observations.copy(), self._info()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Seen, NDArray[Any], NDArray[numpy.bool_], NDArray[numpy.bool_], dict[str, Any]]:
        """Make a move at each table."""
        movers = self._env.seats.copy()
        self._env.step(actions)
        gained = self._env.rewards[numpy.arange(self.num_envs), movers].astype(numpy.float64)
        over = self._env.over.astype(numpy.bool_)
        info = self._info() | (self._final(over) if over.any() else {})
        return self._env.observations.copy(), gained, over, numpy.zeros_like(over), info

    def _info(self) -> dict[str, Any]:
        env = self._env
        return {"action_mask": env.masks.copy(), "seats": env.seats.copy(), "rewards": env.rewards.copy()}

    def _final(self, over: NDArray[numpy.bool_]) -> dict[str, Any]:
        env = self._env
        seen = numpy.full(self.num_envs, None, object)
        for place in over.nonzero()[0]:
            seen[place] = env.final_observations[place].copy()
        told = {"scores": env.scores.copy(), "places": env.places.copy(), "rewards": env.rewards.copy()}
        masks = {f"_{name}": over.copy() for name in told}
        return {"final_obs": seen, "_final_obs": over.copy(), "final_info": told | masks, "_final_info": over.copy()}


def register() -> None:
    """Register the environments for `gymnasium.make`."""
    for name, game in IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=f"{__name__}:SoloEnv", kwargs={"game": game})


register()
