"""Players who break the rules of the arena, each in its own way, and some who keep them."""

import contextlib
import time
from collections.abc import Callable

from tessella.bots import bot
from tessella.core.game import AnyGame, View


def cheat(game: AnyGame) -> Callable[..., object]:
    """Moves for somebody else."""
    honest = bot(game, "greedy")

    def choose(view, budget, rng):
        move = honest(view, budget, rng)
        return type(move)(**{name: getattr(move, name) for name in move.__struct_fields__} | {"seat": 1 - move.seat})

    return choose


def crash(game: AnyGame) -> Callable[..., object]:
    def choose(view, budget, rng):
        raise ZeroDivisionError("three moves are too many,\nor too few")

    return choose


def nothing(game: AnyGame) -> Callable[..., object]:
    return lambda view, budget, rng: None


def slow(game: AnyGame) -> Callable[..., object]:
    """Burns more CPU time than it has."""
    honest = bot(game, "random")

    def choose(view, budget, rng):
        began = time.thread_time()
        while time.thread_time() - began < 0.03:
            pass
        return honest(view, budget, rng)

    return choose


def by_seconds(game: AnyGame) -> Callable[..., object]:
    """Uses all the CPU time that it has, and no more."""
    honest = bot(game, "random")

    def choose(view, budget, rng):
        began = time.thread_time()
        while time.thread_time() - began < budget.seconds:
            pass
        return honest(view, budget, rng)

    return choose


def deaf(game: AnyGame) -> Callable[..., object]:
    """Never comes back, and does not hear the first call."""

    def choose(view, budget, rng):
        try:
            while True:
                pass
        except BaseException:  # noqa: BLE001
            while True:
                pass

    return choose


def endless(game: AnyGame) -> Callable[..., object]:
    """Never comes back, whatever happens to it."""

    def choose(view, budget, rng):
        while True:
            with contextlib.suppress(Exception):
                sum(range(1000))

    return choose


def sleepy(game: AnyGame) -> Callable[..., object]:
    """Waits but does not work: thread CPU time is what counts."""
    honest = bot(game, "random")

    def choose(view, budget, rng):
        time.sleep(0.005)
        return honest(view, budget, rng)

    return choose


def by_nodes(game: AnyGame) -> Callable[..., object]:
    """Greedy as long as its nodes allow, else random."""
    wise, foolish = bot(game, "greedy"), bot(game, "random")

    def choose(view, budget, rng):
        assert isinstance(view, View)
        assert budget.seconds is None
        return (wise if rng.randrange(100) < budget.nodes else foolish)(view, budget, rng)

    return choose
