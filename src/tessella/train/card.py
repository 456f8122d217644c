"""The model card: what a net is for, how it came to be, and what it can do."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeAlias, TypeVar

from msgspec import Struct

T = TypeVar("T")
Shown: TypeAlias = Callable[[Iterable[T], int, str], Iterator[T]]
"""Shows how far something is, like `tessella.terminal.progress.progress_of`."""


class Plan(Protocol):
    """What is to be taught, and how long."""

    @property
    def rules(self) -> str:
        """The game and its options, as a record names them."""
        ...

    @property
    def says(self) -> str:
        """What the net says, and who asks it."""
        ...

    @property
    def seed(self) -> int:
        """Other games, another net."""
        ...

    @property
    def games(self) -> int:
        """Of all generations together."""
        ...

    @property
    def generations(self) -> int:
        """Each plays with the net of the one before."""
        ...

    @property
    def nodes(self) -> int:
        """What is read or tried for a move."""
        ...

    @property
    def epochs(self) -> int:
        """How often everything is learned."""
        ...


class Generation(Struct, frozen=True):
    """What one generation of games has taught: losses on what was learned from, and on what was held back."""

    positions: int
    entropy: tuple[float, ...]
    """Cross-entropy of the win in what was held back: before learning, then each time after going through all."""
    learned_entropy: float
    error: float | None = None
    """The mean error of a seat's points, against the mean of the table; None where the net says no points."""


class Bin(Struct, frozen=True):
    """Of the positions where the net gives a seat about this share, how many there are and what the seats won."""

    said: float
    won: float
    positions: int


class Trained(Struct, frozen=True):
    """A net, and how it came to be."""

    plan: Plan
    file: bytes
    data: str
    """The SHA-256 of everything that was learned from."""
    generations: tuple[Generation, ...]
    calibration: tuple[Bin, ...]

    @property
    def passed(self) -> bool:
        """Whether something was learned."""
        return all(generation.entropy[-1] < generation.entropy[0] for generation in self.generations)


def card(trained: Trained, command: str, gauntlet: Sequence[str] = ()) -> str:
    """All of it as Markdown."""
    return "\n".join([*_head(trained, command), *_losses(trained), *_calibration(trained), *gauntlet]) + "\n"


def numbers(trained: Trained) -> dict[str, object]:
    """The same as plain values."""
    last = trained.generations[-1]
    return {
        "rules": trained.plan.rules,
        "seed": trained.plan.seed,
        "games": trained.plan.games,
        "positions": last.positions,
        "data_sha256": trained.data,
        "net_sha256": hashlib.sha256(trained.file).hexdigest(),
        "net_bytes": len(trained.file),
        "entropy": [list(generation.entropy) for generation in trained.generations],
        "points_error": last.error,
        "calibration": [[place.said, place.won, place.positions] for place in trained.calibration],
        "passed": trained.passed,
    }


def _head(trained: Trained, command: str) -> Iterator[str]:
    plan = trained.plan
    yield f"# A net for `{plan.rules}`"
    yield ""
    yield plan.says
    yield ""
    yield f"Made by `{command}`: {plan.games} games of the players with themselves in {plan.generations} generations,"
    yield f"{plan.nodes} positions read, or rounds tried, for a move; {trained.generations[-1].positions} boundaries"
    yield f"between rounds to learn from, gone through {plan.epochs} times."
    yield ""
    yield f"- data, SHA-256: `{trained.data}`"
    yield f"- net, SHA-256: `{hashlib.sha256(trained.file).hexdigest()}`, {len(trained.file)} bytes"
    yield ""


def _losses(trained: Trained) -> Iterator[str]:
    yield "## Losses"
    yield ""
    yield "Cross-entropy of the win on games that were held back, before and after learning; then on the games that"
    yield "were learned from. The error is that of a seat's points against the mean of the table."
    yield ""
    yield "| generation | positions | before | after | learned from | error in points |"
    yield "|---|---|---|---|---|---|"
    for number, step in enumerate(trained.generations, 1):
        losses = f"{step.entropy[0]:.4f} | {step.entropy[-1]:.4f} | {step.learned_entropy:.4f}"
        error = "–" if step.error is None else f"{step.error:.2f}"
        yield f"| {number} | {step.positions} | {losses} | {error} |"
    yield ""


def _calibration(trained: Trained) -> Iterator[str]:
    yield "## Calibration"
    yield ""
    yield "What the net said a seat would win, and what such seats were taught to have won, on games held back."
    yield ""
    yield "| said | won | positions |"
    yield "|---|---|---|"
    for place in trained.calibration:
        yield f"| {100 * place.said:.1f} % | {100 * place.won:.1f} % | {place.positions} |"
    yield ""
