"""A table of any game for data sets: actions are places in the list of legal moves, and views are JSON.

Games that have an encoding are played on compiled tables instead; see `indexed`.
"""

from random import Random
from typing import Any

import numpy

from tessella.core import wire
from tessella.core.game import AnyGame, Chance, Choose, Move, Over, Seat
from tessella.research.batch import rewards


class ReadableTable:
    """A table played by the readable rules; deals happen automatically."""

    def __init__(self, game: AnyGame, config: Any, seed: int = 0) -> None:  # noqa: ANN401
        self.game, self.config = game, config
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Start a new game."""
        self._rng = Random(seed)  # noqa: S311
        self.state: Any = self.game.setup(self.config)
        self._deal()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return isinstance(self.game.turn(self.state), Over)

    @property
    def seat(self) -> Seat:
        """The seat to move."""
        turn = self.game.turn(self.state)
        assert isinstance(turn, Choose)
        return turn.seats[0]

    def observe(self) -> dict[str, object]:
        """Return what the seat to move sees, and its legal moves in notation."""
        moves = [self.game.write_move(self.state, move) for move in self._moves()]
        return {"view": wire.encode(self.game.view(self.state, self.seat)).decode(), "moves": moves}

    def from_move(self, move: Move) -> int:
        """Return the place of a move in the list of legal moves."""
        return self._moves().index(move)

    def write_move(self, action: int) -> str:
        """Return an action in notation."""
        return self.game.write_move(self.state, self._moves()[action])

    def act(self, action: int) -> None:
        """Make a move."""
        self.state, _ = self.game.apply(self.state, self._moves()[action])
        self._deal()

    def scores(self) -> tuple[int, ...]:
        """Return the scores at the end of the game."""
        return self._result().scores

    def rewards(self) -> list[float]:
        """Return the reward of each seat at the end of the game."""
        gained: list[float] = rewards(numpy.array([self._result().places], numpy.uint8))[0].tolist()
        return gained

    def _result(self) -> Over:
        turn = self.game.turn(self.state)
        assert isinstance(turn, Over)
        return turn

    def _moves(self) -> list[Move]:
        return list(self.game.legal_moves(self.state, self.seat))

    def _deal(self) -> None:
        while isinstance(self.game.turn(self.state), Chance):
            self.state, _ = self.game.apply(self.state, self.game.deal(self.state, self._rng))
