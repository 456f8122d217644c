"""Real programs that fail, are replaced and are loaded: the promises are kept."""

import asyncio
import sys
import time

import pytest

from proofs import PROOFS, proving
from proofs.cluster.processes import Program, a_folder
from proofs.cluster.topology import set_clock, wrong_clock
from tests.proofs.small import ask, kept
from tests.tiers import nightly_cases

SMALL = [("faults", 12), ("deploy", 3), ("load", 2), ("capacity", 1), ("sockets", 2)]
"""Sizes at which nothing may be lost."""


@pytest.mark.parametrize(("name", "size"), [SMALL[0], *nightly_cases(*SMALL[1:], ("faults", 30))])
def test_nothing_is_lost_in_a_small_run(name, size):
    """Thirty games see six faults."""
    assert kept(name, size)


@pytest.mark.slow
@pytest.mark.parametrize("name", dict(SMALL))
def test_the_promise_is_kept(name):
    report = proving(name)(ask(PROOFS[name].usual))
    assert report.passed is not False, str(report)


def test_clocks_of_real_programs_can_be_set_wrong():
    async def main():
        async with a_folder() as folder:
            program = Program(folder / "log", CLOCK)
            program.environment |= wrong_clock(folder, 1)
            set_clock(program, -9_999.0)
            program.start()
            await program.ended()
            return float((folder / "log").read_text())

    assert asyncio.run(main()) == pytest.approx(time.time() - 9_999, abs=999)


CLOCK = [sys.executable, "-c", "import time; print(time.time())"]
