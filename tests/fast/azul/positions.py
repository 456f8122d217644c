"""Positions for the searches of Azul, and exhaustive search by the readable rules."""

from random import Random

from tessella.core.game import collect
from tessella.fast.azul import Azul, from_state
from tessella.fast.azul.features import WEIGHTS
from tessella.fast.azul.policy import WEIGHTS as POLICY_WEIGHTS
from tessella.fast.phases import DEALING, DRAFTING, OVER
from tessella.games import azul
from tessella.games.azul.rules import draft
from tessella.games.azul.state import drafting

SCALE = 256


def any_weights(seed):
    rng = Random(seed)
    return [rng.randint(-40, 40) for _ in range(WEIGHTS)]


def any_policy(seed):
    rng = Random(seed)
    return [rng.randint(-200, 200) for _ in range(POLICY_WEIGHTS)]


def dealt(config, seed):
    """A table at the beginning of a round, after some rounds at random."""
    fast = Azul(config.seats, config.wall == "grey", seed)
    fast.deal()
    for _ in range(seed % 60):
        if fast.phase == OVER:
            fast.reset()
        if fast.phase == DEALING:
            fast.deal()
        fast.apply(fast.choose())
    while fast.phase != DRAFTING:
        if fast.phase == OVER:
            fast.reset()
        if fast.phase == DEALING:
            fast.deal()
        else:
            fast.apply(fast.choose())
    return fast


def drafted(state, move):
    """The table after a take, before anything is tiled."""
    after, _ = collect(draft(state, move))
    return after


def nearly_over(config, seed):
    """A round in which at most three heaps of one colour can still be taken."""
    state = dealt(config, seed).to_state()
    rng = Random(seed)
    while sum(len({*tiles} - {"m"}) for tiles in (*state.factories, state.centre)) > 3:
        state = drafted(state, rng.choice(azul.legal_moves(state, state.current)))
    return state if drafting(state) else nearly_over(config, seed + 1000)


def exhaustive(search, state, seat):
    """The value by exhaustive search with the readable rules: the seat maximises, all others minimise."""
    if not drafting(state):
        return search.value_of(from_state(state), seat)
    values = [exhaustive(search, drafted(state, move), seat) for move in azul.legal_moves(state, state.current)]
    return max(values) if state.current == seat else min(values)
