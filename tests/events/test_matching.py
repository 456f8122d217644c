"""The best pairing of a round, against all pairings of small fields."""

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.events.matching import max_weight_matching


@st.composite
def graphs(draw: st.DrawFn) -> list[list[int]]:
    size = draw(st.integers(2, 9))
    weights = [[0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i):
            weights[i][j] = weights[j][i] = draw(st.integers(0, 12))
    return weights


@given(graphs())
@settings(max_examples=60, deadline=None)
def test_no_other_matching_is_heavier(weights: list[list[int]]) -> None:
    partners = max_weight_matching(weights)

    assert all(j == -1 or (partners[j] == i and weights[i][j] > 0) for i, j in enumerate(partners))
    assert sum(weights[i][j] for i, j in enumerate(partners) if j > i) == _heaviest(weights)


def _heaviest(weights: list[list[int]]) -> int:
    size = len(weights)

    @cache
    def rest(taken: int) -> int:
        free = [i for i in range(size) if not taken >> i & 1]
        if not free:
            return 0
        i, *others = free
        pairs = (weights[i][j] + rest(taken | 1 << i | 1 << j) for j in others if weights[i][j])
        return max([rest(taken | 1 << i), *pairs])

    return rest(0)
