"""Observations of a batch are the same bytes compiled and plain."""

from importlib import import_module

import pytest

from .twins import PLAIN, TWINS


@pytest.mark.parametrize("name", TWINS)
def test_observers_write_the_same_bytes_compiled_and_plain(name):
    makers = [import_module(f"tessella.fast.{name}.observations"), PLAIN[f"{name}.observations"]]
    batches = [twin.Batch(2, seed=4) for twin in TWINS[name]]
    compiled, slow = (maker.Observer(batch) for maker, batch in zip(makers, batches, strict=True))
    ended = 0
    for _ in range(250):
        assert (compiled.observations == slow.observations).all()
        moves = batches[0].random.copy()
        compiled.step(moves)
        slow.step(moves)
        ended += batches[0].over.sum()
    assert ended
