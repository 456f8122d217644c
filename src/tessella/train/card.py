"""The model card of a net: what it is for, how it was trained, and how well it predicts."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeAlias, TypeVar

from msgspec import Struct

T = TypeVar("T")
Progress: TypeAlias = Callable[[Iterable[T], int, str], Iterator[T]]
"""Shows the progress of an iteration, like `tessella.progress.progress_of`."""


class Plan(Protocol):
    """What to train, and for how long."""

    @property
    def rules(self) -> str:
        """The rules line of the game, as in a record."""
        ...

    @property
    def says(self) -> str:
        """What the net predicts."""
        ...

    @property
    def seed(self) -> int:
        """The seed of games and weights."""
        ...

    @property
    def games(self) -> int:
        """The number of games in all generations together."""
        ...

    @property
    def generations(self) -> int:
        """The number of generations; each plays with the net of the one before."""
        ...

    @property
    def nodes(self) -> int:
        """Positions searched, or rollouts, per move."""
        ...

    @property
    def epochs(self) -> int:
        """The number of passes over the data."""
        ...


class Generation(Struct, frozen=True):
    """The losses after one generation, on training and held-out data."""

    positions: int
    entropy: tuple[float, ...]
    """Cross-entropy of the win on held-out data: before training, then after each epoch."""
    learned_entropy: float
    error: float | None = None
    """The mean error of a seat's margin over the mean of the table; None if the net predicts no points."""


class Bin(Struct, frozen=True):
    """Positions with about the same prediction: mean predicted, mean won, and their number."""

    predicted: float
    won: float
    positions: int


class Trained(Struct, frozen=True):
    """A net, and how it was trained."""

    plan: Plan
    file: bytes
    data: str
    """The SHA-256 of all training data."""
    generations: tuple[Generation, ...]
    calibration: tuple[Bin, ...]

    @property
    def passed(self) -> bool:
        """Whether every generation reduced the loss."""
        return all(generation.entropy[-1] < generation.entropy[0] for generation in self.generations)


def card(trained: Trained, command: str, gauntlet: Sequence[str] = ()) -> str:
    """Return the model card as Markdown."""
    return "\n".join([*_head(trained, command), *_losses(trained), *_calibration(trained), *gauntlet]) + "\n"


def numbers(trained: Trained) -> dict[str, object]:
    """Return the numbers of the card as plain values for JSON."""
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
        "calibration": [[place.predicted, place.won, place.positions] for place in trained.calibration],
        "passed": trained.passed,
    }


def _head(trained: Trained, command: str) -> Iterator[str]:
    plan = trained.plan
    yield f"# A net for `{plan.rules}`"
    yield ""
    yield plan.says
    yield ""
    generations = f"{plan.generations} generation{'' if plan.generations == 1 else 's'}"
    yield f"Made by `{command}`:"
    yield f"{plan.games:,} games of self-play in {generations}, {plan.nodes} positions or rollouts per move;"
    yield f"{trained.generations[-1].positions:,} positions as data, in {plan.epochs} epochs."
    yield ""
    yield f"- data, SHA-256: `{trained.data}`"
    yield f"- net, SHA-256: `{hashlib.sha256(trained.file).hexdigest()}`, {len(trained.file)} bytes"
    yield ""


def _losses(trained: Trained) -> Iterator[str]:
    yield "## Losses"
    yield ""
    yield "Cross-entropy of the win on held-out games, before and after training; then on the training games. The"
    yield "error is that of a seat's margin over the mean of the table."
    yield ""
    yield "| generation | positions | before | after | training | error in points |"
    yield "|---|---|---|---|---|---|"
    for number, step in enumerate(trained.generations, 1):
        losses = f"{step.entropy[0]:.4f} | {step.entropy[-1]:.4f} | {step.learned_entropy:.4f}"
        error = "–" if step.error is None else f"{step.error:.2f}"
        yield f"| {number} | {step.positions} | {losses} | {error} |"
    yield ""


def _calibration(trained: Trained) -> Iterator[str]:
    yield "## Calibration"
    yield ""
    yield "Predicted win probability, and how often such seats won, on held-out games."
    yield ""
    yield "| predicted | won | positions |"
    yield "|---|---|---|"
    for place in trained.calibration:
        yield f"| {100 * place.predicted:.1f} % | {100 * place.won:.1f} % | {place.positions} |"
    yield ""
