"""Mutants of tournaments. They are planted in the workers, where the events run: see `proofs.tournament_worker`."""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# A patched attribute may have any type.

import os
from collections.abc import Callable, Mapping
from typing import Any

from proofs.mutants.mutant import Mutant, patch

PLANTED = "PROOF_PLANTED"
"""The variable that names the mutant to plant in the workers."""


def _counted_twice() -> None:
    from tessella.events.standings import Tally

    def twice(init: Any) -> Any:
        def new(tally: Any, plan: Any, rounds: Any) -> None:
            init(tally, plan, [*rounds, *rounds[-1:]])

        return new

    patch(Tally, "__init__", twice)


def _lost_round() -> None:
    """Look at an event only when the end of a game is announced, which a killed worker never does."""
    from tessella.server.services.events import rounds

    def never_again(tend: Any) -> Any:
        async def new(host: Any, whole: Any, now: float) -> float | None:
            await tend(host, whole, now)
            return None

        return new

    patch(rounds, "_tend", never_again)


def _wrong_tie_break() -> None:
    from tessella.events.standings import Tally

    patch(Tally, "_points", lambda _: lambda tally, each, _met: tally.halves[each])


PLANTS: Mapping[str, Callable[[], None]] = {
    "result-counted-twice": _counted_twice,
    "lost-round": _lost_round,
    "wrong-tie-break": _wrong_tie_break,
}


def _in_workers(name: str) -> Callable[[], None]:
    return lambda: os.environ.update({PLANTED: name})


MUTANTS: Mapping[str, Mutant] = {
    "result-counted-twice": Mutant(
        "every result of an event counts once", "tournaments", 4, _in_workers("result-counted-twice")
    ),
    "lost-round": Mutant(
        "a round goes on although a worker died before it said so", "tournaments", 4, _in_workers("lost-round")
    ),
    "wrong-tie-break": Mutant(
        "tie-breaks are those that are explained", "tournaments", 4, _in_workers("wrong-tie-break")
    ),
}
