"""A PettingZoo environment (AEC) for every game. Needs `pip install 'tessella[research]'`."""

from typing import Any, ClassVar

import numpy
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from tessella.core.game import AnyGame, Seat
from tessella.research import fields, render
from tessella.research.indexed import IndexedTable
from tessella.research.seeds import Seeds


class TableEnv(AECEnv[str, Any, int]):
    """A table of one game. Observations are dictionaries of `observation` and `action_mask`.

    An illegal action raises `ValueError`; PettingZoo's `TerminateIllegalWrapper` makes it lose the game instead.

    >>> env = TableEnv("azul")
    >>> env.reset(seed=1)
    >>> env.agent_selection in env.agents
    True
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": [*render.MODES],
        "render_fps": render.FRAMES_PER_SECOND,
        "name": "tessella_v1",
        "is_parallelizable": False,
    }

    def __init__(self, game: str | AnyGame, config: Any = None, render_mode: str | None = None) -> None:  # noqa: ANN401
        super().__init__()
        render.check_mode(render_mode)
        self._table = IndexedTable(game, config)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self._table.config.seats)]
        most = numpy.array(fields.most(self._table.fields), numpy.uint8)
        width = self._table.table.width
        seen = spaces.Dict(
            {
                "observation": spaces.Box(numpy.zeros_like(most), most, dtype=numpy.uint8),
                "action_mask": spaces.Box(0, 1, (width,), numpy.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: spaces.Discrete(width) for agent in self.possible_agents}
        self._seeds = Seeds()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the action space of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Start a new game; without a seed, one that no other run plays."""
        self._table.reset(self._seeds.next(seed))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._table.seat]
        self._show()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return an agent's observation and action mask."""
        seat = self.possible_agents.index(agent)
        return {"observation": self._table.observe(seat), "action_mask": self._table.mask(seat)}

    def step(self, action: int | None) -> None:
        """Make the move of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self._table.act(int(action))
        if self._table.over:
            self.rewards = dict(zip(self.agents, self._table.rewards(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self._table.seat]
        self._accumulate_rewards()
        self._show()

    def render(self) -> Any:  # noqa: ANN401
        """Return the table as the agent whose turn it is sees it: text in mode `ansi`, pixels in mode `rgb_array`."""
        return render.render(self._table, self._viewer, self.render_mode)

    def _show(self) -> None:
        render.show(self._table, self._viewer, self.render_mode)

    @property
    def _viewer(self) -> Seat:
        return self.possible_agents.index(self.agent_selection)

    def close(self) -> None:
        """Do nothing: there are no resources to release."""


def parallel_env(
    game: str | AnyGame,
    config: Any = None,  # noqa: ANN401
    render_mode: str | None = None,
) -> ParallelEnv[str, Any, Any]:
    """Return a table in PettingZoo's parallel form: each step takes the action of the agent whose turn it is.

    The masks of all other agents are zeros, and their actions are ignored.
    """
    return turn_based_aec_to_parallel(TableEnv(game, config, render_mode))
