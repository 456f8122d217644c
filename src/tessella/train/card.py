"""The model card: what a net is for, how it came to be, and what it can do."""

import hashlib
from collections.abc import Iterator, Sequence

from tessella.train.azul import Trained


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
    yield "It says how likely each seat wins, and by how many points, when a round has been tiled and the next"
    yield "is not yet dealt. The search of the computer players asks it there (`tessella.fast.azul_net`)."
    yield ""
    yield f"Made by `{command}`: {plan.games} games of the players with themselves in {plan.generations} generations,"
    yield f"{plan.nodes} positions read a move; {trained.generations[-1].positions} boundaries between rounds to learn"
    yield f"from, gone through {plan.epochs} times."
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
        yield f"| {number} | {step.positions} | {losses} | {step.error:.2f} |"
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
