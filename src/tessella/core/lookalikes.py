"""States that a viewer cannot distinguish from the true one, made from acts alone.

`imagine` builds such states from a view, so a view that shows too much is compared with itself. A lookalike is built
without any view: whenever chance deals something that only another seat may read, a lookalike of the same game gets
another deal, and from then on both play the same open acts. As long as that is possible, the viewer must see the same
in both.
"""

from collections.abc import Iterator, Sequence
from typing import Generic, cast

from tessella.core.game import C, Chance, D, E, Game, IllegalMove, M, Over, P_co, Rng, S, Seat, V

MOST_LOOKALIKES = 6
"""How many lookalikes are kept per viewer."""


class Lookalikes(Generic[C, S, M, D, E, V, P_co]):
    """The lookalikes of one game, for each viewer; None is a spectator."""

    def __init__(self, game: Game[C, S, M, D, E, V, P_co], viewers: Sequence[Seat | None], rng: Rng) -> None:
        self._game = game
        self._rng = rng
        self._of: dict[Seat | None, list[S]] = {viewer: [] for viewer in viewers}

    def of(self, viewer: Seat | None) -> Sequence[S]:
        """Return the lookalikes of the present state for this viewer."""
        return self._of[viewer]

    def follow(self, state: S, act: M | D, after: S) -> Iterator[tuple[Seat | None, S, M | D]]:
        """Advance all lookalikes by an act; yield viewer, lookalike and its act wherever the viewer must see the same.

        A lookalike in which the act is impossible, or no longer different, is dropped.
        """
        if isinstance(self._game.turn(after), Over):
            return
        for viewer in self._of:
            advanced: list[S] = []
            for other in self._candidates(viewer, state, act):
                twin = self._counterpart(viewer, state, act, other)
                try:
                    next_state, _ = self._game.apply(other, twin)
                except IllegalMove:
                    continue
                if next_state != after:
                    yield viewer, other, twin
                    advanced.append(next_state)
            self._of[viewer] = advanced

    def _candidates(self, viewer: Seat | None, state: S, act: M | D) -> list[S]:
        """Return what can be advanced: the present lookalikes and, at a hidden deal, the true state for some more."""
        present = self._of[viewer]
        forks = self._is_hidden(viewer, act) and self._is_chance(state)
        return [*present, *[state] * (MOST_LOOKALIKES - len(present))] if forks else present

    def _counterpart(self, viewer: Seat | None, state: S, act: M | D, other: S) -> M | D:
        """Return the act of a lookalike: an open act itself, a new deal, or the hidden move at the same place."""
        if not self._is_hidden(viewer, act):
            return act
        if self._is_chance(state):
            return self._game.deal(other, self._rng)
        move = cast("M", act)
        moves, others = self._game.legal_moves(state, move.seat), self._game.legal_moves(other, move.seat)
        return others[list(moves).index(move)] if len(moves) == len(others) else act

    def _is_hidden(self, viewer: Seat | None, act: M | D) -> bool:
        return self._game.owner(act) not in (None, viewer)

    def _is_chance(self, state: S) -> bool:
        return isinstance(self._game.turn(state), Chance)
