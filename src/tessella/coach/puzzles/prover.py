"""What finding puzzles needs from each game: where to look, two independent proofs, and what a move leads to."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, Literal, Protocol, TypeAlias

from msgspec import Struct

from tessella.coach.puzzles.puzzle import Proof, ProvedResult
from tessella.coach.puzzles.race import Outcome
from tessella.core.game import AnyGame, Config, Move, Rng, Seat

AnyState: TypeAlias = Any
"""A state of the game that the prover is for."""
Look: TypeAlias = Literal["first", "second"]
"""The second look uses another evaluation and other random numbers."""
Account: TypeAlias = Mapping[str, float]
"""By theme, what a seat gains in points once a move is played on; losses and what the opponent gains are negative."""


def mean_account(accounts: Sequence[Account]) -> Account:
    """Return the mean of several accounts.

    >>> mean_account([{"floor": -3}, {"floor": -4}])
    {'floor': -3.5}
    """
    return {theme: fmean(each[theme] for each in accounts) for theme in accounts[0]}


class Looked(Struct, frozen=True):
    """What every legal move leads to, by its notation, and how that was proved.

    Equivalent moves have equal outcomes.
    """

    outcomes: Mapping[str, Outcome]
    proof: Proof

    @property
    def best(self) -> str:
        """The best move."""
        return max(self.outcomes, key=lambda move: self.outcomes[move].probability)

    @property
    def losses(self) -> Mapping[str, float]:
        """The win probability that each move loses."""
        most = self.outcomes[self.best].probability
        return {move: round(most - outcome.probability, 4) for move, outcome in self.outcomes.items()}

    @property
    def second(self) -> Outcome:
        """The outcome of the best move that is not equivalent to the best one."""
        most = self.outcomes[self.best]
        return max((each for each in self.outcomes.values() if each != most), key=lambda each: each.probability)


class Prover(Protocol):
    """Proves puzzles of one game for two players."""

    @property
    def game(self) -> AnyGame:
        """The rules."""
        ...

    @property
    def themes(self) -> Sequence[str]:
        """The themes that an account has."""
        ...

    @property
    def other_themes(self) -> Sequence[str]:
        """The themes of moves whose gain is not in the account."""
        ...

    def other_theme(self, best: Move, /) -> str:
        """Return the theme of a best move whose gain is not in the account."""
        ...

    def configs(self) -> Sequence[Config]:
        """Return the rules of the games that are played to find puzzles; they take turns."""
        ...

    def chapter(self, state: AnyState, /) -> int | None:
        """Return the part of the game: puzzles of one part resemble each other. None: look for no puzzles here."""
        ...

    def is_promising(self, state: AnyState, tempting: Move, margin: float, rng: Rng, /) -> bool:
        """Return whether a quick look finds a move that is clearly better than the tempting one."""
        ...

    def look(self, which: Look, state: AnyState, seat: Seat, margin: float, rng: Rng, /) -> Looked | None:
        """Return what each move leads to, or None if no move is the best by the margin or it would take too long."""
        ...

    def proved_result(self, state: AnyState, seat: Seat, looked: Looked, /) -> ProvedResult:
        """Return the result that the best move keeps, if the game was solved and every other move leads to less."""
        ...

    def difficulty(self, state: AnyState, seat: Seat, best: Sequence[str], rng: Rng, /) -> int:
        """Return 1 to 5, by how large a search must be to find one of the best moves."""
        ...

    def account(self, state: AnyState, move: Move, rng: Rng, /) -> Account:
        """Return what the mover gains by theme, once the round or the game is played out after the move."""
        ...

    def line(self, state: AnyState, move: Move, most: int, rng: Rng, /) -> tuple[str, ...]:
        """Return the move and how strong players go on, up to `most` moves; deals among them are drawn."""
        ...
