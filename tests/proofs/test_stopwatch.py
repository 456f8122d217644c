"""Times that depend on what is hidden are told from noise, and noise is not taken for a leak."""

from random import Random

import pytest

from proofs.stopwatch import GATE, MOST_TIMED, Channel, Stopwatch


def times(rng: Random, slower: float) -> list[float]:
    """Two tables of one world, on a machine that is busy now and then."""
    return [1e-3 + slower + rng.expovariate(1 / 20e-6) for _ in range(2)]


@pytest.mark.parametrize(("slower", "passes"), [(0.0, True), (100e-6, False)])
def test_a_world_that_is_slower_is_found_out(slower, passes):
    rng, watch = Random(4), Stopwatch(1)
    watch.channels["view"] = Channel()
    for _ in range(MOST_TIMED):
        watch.channels["view"].note(times(rng, 0.0), times(rng, rng.choice([slower, -slower])))
    tells = watch.figures()[0]
    assert tells.passed is passes
    assert tells.at_least == GATE


def test_luck_is_right_in_one_case_of_three():
    rng, channel = Random(9), Channel()
    for _ in range(3_000):
        channel.note(times(rng, 0.0), times(rng, 0.0))
    assert 0.30 < channel.told / channel.timed < 0.37
