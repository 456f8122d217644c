"""The games as OpenSpiel knows them: `pyspiel.load_game("python_tessella_azul(players=3)")` after importing this.

A chance node lists `deals` outcomes of equal probability, each a seed of the deal, since no game's deals could be
listed one by one. So a history replays to the same state, and states can be cloned, serialized and searched.
Needs `pip install open_spiel` and `pip install 'tessella[research]'`.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import numpy
import pyspiel

from tessella.core.game import AnyGame, Seat
from tessella.fast.phases import DEALING, OVER
from tessella.games import GAMES
from tessella.research import fields
from tessella.research.batch import read_config, rewards
from tessella.research.encodings import ENCODINGS, Table

DEALS = 4_096
"""How many outcomes a chance node has, unless the parameter `deals` says otherwise."""
PLAYERS: Mapping[str, tuple[int, int, int]] = {"azul": (2, 2, 4), "blockers": (4, 2, 5), "duel": (2, 2, 2)}
"""Players of each game: by default, at least, at most."""
HIDDEN = frozenset({"blockers", "duel"})
"""Games in which a seat does not see everything."""


def short_name(game: str) -> str:
    """Return the name of a game in OpenSpiel."""
    return f"python_tessella_{game}"


def _type_of(name: str) -> pyspiel.GameType:
    players, fewest, most = PLAYERS[name]
    kinds = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=short_name(name),
        long_name=f"Tessella {name.title()}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.IMPERFECT_INFORMATION if name in HIDDEN else kinds.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"players": players, "options": "", "deals": DEALS},
    )


class TessellaGame(pyspiel.Game):
    """A game of ours with its config: `players`, and `options` such as `wall:grey`, with spaces between them."""

    def __init__(self, name: str, params: Mapping[str, Any] | None = None) -> None:
        given = dict(params or {})
        self.tessella: AnyGame = GAMES[name]
        players = int(given.get("players", PLAYERS[name][0]))
        seats = f"seats={players}" if name != "duel" else ""
        self.config = read_config(self.tessella, f"{seats} {given.get('options', '').replace(':', '=')}")
        self.encoding = ENCODINGS[name]
        self.deals = int(given.get("deals", DEALS))
        information = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.table(self.config, 0).width,
            max_chance_outcomes=self.deals,
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.tessella.longest(self.config),
        )
        super().__init__(_type_of(name), information, given)

    def new_initial_state(self) -> "TessellaState":
        """Return the table before the first deal."""
        return TessellaState(self)

    def make_py_observer(self, _kind: Any = None, params: Any = None) -> "Observer":  # noqa: ANN401
        """Return an observer of what a seat may know."""
        if params:
            raise ValueError(f"observers have no parameters, got {params}")
        return Observer(self)


class TessellaState(pyspiel.State):
    """A position; deals are chance nodes."""

    def __init__(self, game: TessellaGame) -> None:
        super().__init__(game)
        self._table: Table = game.encoding.table(game.config, 0)
        self._dealt = 0

    def current_player(self) -> int:
        """Return the seat to move, or the number that stands for chance or the end."""
        if self._table.phase == OVER:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self._table.phase == DEALING else self._table.seat()

    def _legal_actions(self, player: Seat) -> list[int]:
        own = [move for move in self._table.moves() if self._table.to_move(move).seat == player]
        return sorted(own)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the seeds of the deal, equally probable."""
        deals = self.get_game().deals
        return [(seed, 1 / deals) for seed in range(deals)]

    def _apply_action(self, action: int) -> None:
        if self._table.phase != DEALING:
            self._table.apply(action)
            return
        self._dealt += 1
        self._table.reseed(Random(f"{self._dealt} {action}").getrandbits(64))  # noqa: S311
        while self._table.phase == DEALING:
            self._table.deal()

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player == pyspiel.PlayerId.CHANCE else self._table.write_move(action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._table.phase == OVER

    def returns(self) -> list[float]:
        """Return the reward of each seat: at the end 1 for the winner, −1 split by the others."""
        if not self.is_terminal():
            return [0.0] * self.num_players()
        gained: list[float] = rewards(numpy.array([self._table.places()], numpy.uint8))[0].tolist()
        return gained

    def view(self, player: Seat) -> Any:  # noqa: ANN401
        """Return what a seat may know, as the readable game shows it."""
        return self.get_game().tessella.view(self._table.to_state(), player)

    def resample_from_infostate(self, player: Seat, sampler: Callable[[], float]) -> "TessellaState":
        """Return a state that the seat cannot distinguish from this one, for searches such as ISMCTS."""
        game, other = self.get_game(), self.clone()
        state = game.tessella.imagine(self.view(player), Random(sampler()))  # noqa: S311
        other._table = game.encoding.from_state(state)
        resampled: TessellaState = other
        return resampled

    def __str__(self) -> str:
        text: str = self.get_game().tessella.write_state(self._table.to_state())
        return text


class Observer:
    """Writes observations as OpenSpiel expects them: the numbers of our encoding, as floats, by field."""

    def __init__(self, game: TessellaGame) -> None:
        self._encoding = game.encoding
        shown = game.encoding.fields(game.config)
        self.tensor = numpy.zeros(fields.size(shown), numpy.float32)
        self.dict = {
            field.name: self.tensor[place].reshape([length for _, length in field.axes])
            for field, place in fields.places(shown)
        }

    def set_from(self, state: TessellaState, player: Seat) -> None:
        """Write the observation of a seat."""
        self.tensor[:] = self._encoding.observe(state.view(player))

    def string_from(self, state: TessellaState, player: Seat) -> str:
        """Return the observation of a seat as text."""
        return repr(state.view(player))


def _maker(name: str) -> type[TessellaGame]:
    class Registered(TessellaGame):
        """A game as OpenSpiel creates it: from its parameters alone."""

        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(name, params)

    return Registered


def register(names: Sequence[str] = tuple(PLAYERS)) -> None:
    """Register the games with OpenSpiel; those that it already knows are left alone."""
    known = set(pyspiel.registered_names())
    for name in names:
        if short_name(name) not in known:
            pyspiel.register_game(_type_of(name), _maker(name))


register()
