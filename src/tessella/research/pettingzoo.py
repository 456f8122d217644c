"""A PettingZoo environment (AEC) for every game. Needs `pip install 'tessella[research]'`."""

from typing import Any, ClassVar

import numpy
from gymnasium import spaces
from pettingzoo import AECEnv

from tessella.core.game import AnyGame
from tessella.research import fields
from tessella.research.indexed import IndexedTable


class TableEnv(AECEnv[str, Any, int]):
    """A table of one game. Observations are dictionaries of `observation` and `action_mask`.

    >>> env = TableEnv("azul")
    >>> env.reset(seed=1)
    >>> env.agent_selection in env.agents
    True
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "name": "tessella_v1", "is_parallelizable": False}

    def __init__(self, game: str | AnyGame, config: Any = None, render_mode: str | None = None) -> None:  # noqa: ANN401
        super().__init__()
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
        self._seed = 0

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the action space of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Start a new game; without a seed, a different one from the last."""
        self._seed = self._seed + 1 if seed is None else seed
        self._table.reset(self._seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._table.seat]

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

    def render(self) -> str | None:
        """Return the position in one line of text, in render mode `ansi`."""
        return self._table.game.write_state(self._table.table.to_state()) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: there are no resources to release."""
