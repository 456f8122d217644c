"""Mutants of the fair dice and of their verification."""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# A patched attribute may have any type.

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from proofs.mutants.mutant import Mutant, patch


def _modulo_bias() -> None:
    from tessella.core.dice import Stream

    patch(Stream, "randrange", lambda _: lambda stream, stop: next(stream._words) % stop)


def _one_stream() -> None:
    from tessella.core.dice import Dice

    patch(Dice, "stream", lambda stream: lambda dice, _deal: stream(dice, 0))


def _low_entropy_seed() -> None:
    from tessella.core import dice

    patch(dice, "fresh_seed", lambda seed: lambda: seed()[:2] * 16)


def _unverified(field: str) -> Callable[[], None]:
    def plant() -> None:
        from tessella.core import dice, record

        def trusting(verify: Any) -> Any:
            def new(game: Any, whole: Any) -> Any:
                made = {"commitment": dice.commitment(whole.id, whole.seed), "seal": b""}
                return verify(game, replace(whole, **{field: made[field]}))

            return new

        patch(record, "verify", trusting)

    return plant


MUTANTS: Mapping[str, Mutant] = {
    "modulo-bias": Mutant("draws that would favour some numbers are rejected", "shuffle", 500, _modulo_bias),
    "one-stream": Mutant("every deal has its own random stream", "shuffle", 500, _one_stream),
    "low-entropy-seed": Mutant("a seed cannot be found by brute force", "shuffle", 200, _low_entropy_seed),
    "no-commitment": Mutant("the revealed seed must match its commitment", "shuffle", 200, _unverified("commitment")),
    "no-seal": Mutant("the seal must belong to the acts", "shuffle", 200, _unverified("seal")),
}
