"""A game played in this process: the table deals, and keeps the record."""

from collections.abc import Sequence
from typing import Any, Generic, TypeAlias

import msgspec

from tessella.core.dice import Contribution, Dice, commitment, fresh_seed
from tessella.core.game import C, Chance, Choose, D, E, Game, M, Over, P_co, S, Seat, Turn, V
from tessella.core.record import Record, Step, mover, read_act, write, write_act, write_rules


class LocalTable(Generic[C, S, M, D, E, V, P_co]):
    """A game in progress, for a program or a person at the Python prompt: the table deals, and you move.

    >>> from tessella.games import azul
    >>> table = LocalTable(azul, azul.Config(seats=2), seed=bytes(32))
    >>> events = table.play(table.moves[0])
    >>> table.record().acts[1]
    '1b1'
    """

    def __init__(
        self,
        game: Game[C, S, M, D, E, V, P_co],
        config: C,
        *,
        seed: bytes | None = None,
        id: str = "table",
        names: Sequence[str] = (),
        contributions: Sequence[Contribution] = (),
    ) -> None:
        self.game = game
        self.steps: list[Step[S, M, D, E]] = []
        self.state = game.setup(config)
        seed = fresh_seed() if seed is None else seed
        self._start = Record(
            rules=write_rules(game, config),
            id=id,
            names=tuple(names),
            commitment=commitment(id, seed),
            contributions=tuple(contributions),
        )
        write(msgspec.structs.replace(self._start, seed=seed))  # raise now, not when the game is saved
        self._seed = seed
        self._dice = Dice(seed, id, self._start.rules, contributions)
        self._deal()

    @property
    def turn(self) -> Turn:
        """Whose turn it is; never chance, because the table has already dealt."""
        return self.game.turn(self.state)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that may move now; none when the game is over."""
        turn = self.turn
        return turn.seats if isinstance(turn, Choose) else ()

    @property
    def moves(self) -> list[M]:
        """Every legal move of every seat that may move now."""
        return [move for seat in self.seats for move in self.game.legal_moves(self.state, seat)]

    def play(self, move: M | str) -> list[E]:
        """Make a move, given as a value or in notation, and deal whatever follows; return all events."""
        act = read_act(self.game, self.state, move) if isinstance(move, str) else move
        done = len(self.steps)
        self._apply(act)
        self._deal()
        return [event for step in self.steps[done:] for event in step.events]

    def record(self) -> Record:
        """Return the record of the game so far; with seed, result and seal once it is over."""
        acts = tuple(step.text for step in self.steps)
        turn = self.turn
        if not isinstance(turn, Over):
            return msgspec.structs.replace(self._start, acts=acts)
        end = {"scores": turn.scores, "places": turn.places, "seed": self._seed, "seal": self._dice.seal(acts)}
        return msgspec.structs.replace(self._start, acts=acts, **end)

    def _deal(self) -> None:
        while isinstance(self.turn, Chance):
            deals = sum(step.seat is None for step in self.steps)
            self._apply(self.game.deal(self.state, self._dice.stream(deals)))

    def _apply(self, act: M | D) -> None:
        after, events = self.game.apply(self.state, act)
        text = write_act(self.game, self.state, act)
        self.steps.append(Step(len(self.steps), text, mover(act), act, self.state, after, events))
        self.state = after


AnyTable: TypeAlias = LocalTable[Any, Any, Any, Any, Any, Any, Any]
"""A table of a game picked by name at run time."""
