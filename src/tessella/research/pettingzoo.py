"""Tables as PettingZoo knows them: agents who take turns (AEC). Needs `pip install 'tessella[research]'`."""

from typing import Any, ClassVar

import numpy
from gymnasium import spaces
from pettingzoo import AECEnv

from tessella.core.game import AnyGame
from tessella.research import fields
from tessella.research.numbered import NumberedTable


class TableEnv(AECEnv[str, Any, int]):
    """A table of one game. What is observed is a dictionary: the numbers that the seat sees, and an action mask.

    >>> env = TableEnv("azul")
    >>> env.reset(seed=1)
    >>> env.agent_selection in env.agents
    True
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "name": "tessella_v1", "is_parallelizable": False}

    def __init__(self, game: str | AnyGame, config: Any = None, render_mode: str | None = None) -> None:  # noqa: ANN401
        super().__init__()
        self._table = NumberedTable(game, config)
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
        """What an agent may see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent may do, at some time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Lay the table anew; without a seed, another game than the last."""
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
        """What an agent sees, and what it may do now."""
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
        """The table in one line of text."""
        return self._table.game.write_state(self._table.table.to_state()) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to let go."""
