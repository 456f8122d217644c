"""The learned weights of the move policy of Azul, and their file: a readable table in groups."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import TypeAlias

import msgspec

from tessella.bots import netfile
from tessella.fast.azul import policy as places

FILE = "azul-policy.json"
Policy: TypeAlias = tuple[int, ...]
GROUPS = {
    "line": places.LINE,
    "floor": places.FLOOR,
    "full": places.FULL,
    "part": places.PART,
    "round": places.ROUND,
    "penalty": places.PENALTY,
    "marker": places.MARKER,
    "elsewhere": places.ELSEWHERE,
    "early": places.EARLY,
    "never": places.NEVER,
}
"""First index of each group of weights (`tessella.fast.azul.policy`)."""
_SPANS = dict(zip(GROUPS, pairwise([*GROUPS.values(), places.WEIGHTS]), strict=True))


def write(policy: Sequence[int]) -> bytes:
    """Return the content of a file with these weights."""
    table = {group: list(policy[start:end]) for group, (start, end) in _SPANS.items()}
    return msgspec.json.format(msgspec.json.encode(table), indent=1) + b"\n"


def read(file: bytes) -> Policy:
    """Return the weights in a file; raise `BrokenNet` if it does not hold all of them."""
    try:
        table = msgspec.json.decode(file, type=dict[str, list[int]])
    except msgspec.DecodeError as exc:
        raise netfile.BrokenNet(f"not weights: {exc}") from None
    lengths = {group: len(weights) for group, weights in table.items()}
    if lengths != {group: end - start for group, (start, end) in _SPANS.items()}:
        raise netfile.BrokenNet(f"a policy of Azul has {places.WEIGHTS} weights in the groups {', '.join(GROUPS)}")
    return tuple(weight for group in GROUPS for weight in table[group])


@cache
def learned() -> Policy:
    """Return the weights that the levels play with: from the folder TESSELLA_NETS, or those in the package."""
    file = netfile.find(FILE)
    assert file is not None
    return read(file)
