"""What learners see of a batch: the same, byte by byte, compiled and plain."""

from importlib import import_module

import pytest

from .twins import TWINS, plain

BUILT_ON = {
    "azul": ["tables", "azul_table", "azul"],
    "blockers": ["tables", "blockers_table", "blockers"],
    "duel": ["tables", "duel_table", "duel_chance", "duel_tiling", "duel_rules", "duel"],
}


@pytest.mark.parametrize("name", BUILT_ON)
def test_eyes_see_the_same_compiled_and_plain(name):
    makers = [import_module(f"tessella.fast.{name}_eyes"), plain(*BUILT_ON[name], f"{name}_eyes")]
    batches = [twin.Batch(2, seed=4) for twin in TWINS[name]]
    compiled, slow = (maker.Eyes(batch) for maker, batch in zip(makers, batches, strict=True))
    ended = 0
    for _ in range(250):
        assert (compiled.observations == slow.observations).all()
        moves = batches[0].random.copy()
        compiled.step(moves)
        slow.step(moves)
        ended += batches[0].over.sum()
    assert ended
