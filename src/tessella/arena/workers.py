"""Execution of tasks in this process, in several, or on a Ray cluster, behind one `map`.

A `map` takes a function and items and yields the results in order, while it works a little ahead. Abandoning the
iterator stops the work.
"""

import contextlib
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
R = TypeVar("R")
H = TypeVar("H")

TASKS_PER_WORKER = 2
"""Tasks in flight per worker, so that none is ever idle."""


class Map(Protocol):
    """Applies a function to many items, somewhere."""

    def __call__(self, function: Callable[[T], R], things: Iterable[T], /) -> Iterator[R]:
        """Yield the results, in the order of the items."""
        ...


@contextlib.contextmanager
def workers(jobs: int = 1, ray: str | None = None) -> Generator[Map]:
    """Provide the map to use: on a Ray cluster if an address is given, else in `jobs` processes."""
    opened = _on_ray(ray) if ray else _in_processes(jobs) if jobs > 1 else contextlib.nullcontext(map)
    with opened as chosen:
        yield chosen


@contextlib.contextmanager
def _in_processes(jobs: int) -> Generator[Map]:
    """Provide a map over spawned processes: unlike forked ones, they behave the same on every system."""
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_leave_interrupts_to_the_parent)

    def pool_map(function: Callable[[T], R], things: Iterable[T], /) -> Iterator[R]:
        return _in_order(lambda thing: pool.submit(function, thing), Future[R].result, things, jobs * TASKS_PER_WORKER)

    try:
        yield pool_map
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def _on_ray(address: str) -> Generator[Map]:
    """Provide a map over Ray tasks of one core each; the cluster needs Tessella, and your bots if you use any."""
    ray: Any = import_module("ray")
    ray.init(address=address, log_to_driver=False)

    def ray_map(function: Callable[[T], R], things: Iterable[T], /) -> Iterator[R]:
        task = ray.remote(num_cpus=1)(function)
        window = TASKS_PER_WORKER * max(1, int(ray.cluster_resources().get("CPU", 1)))
        return _in_order(task.remote, ray.get, things, window)

    try:
        yield ray_map
    finally:
        ray.shutdown()


def _in_order(submit: Callable[[T], H], answer: Callable[[H], R], things: Iterable[T], window: int) -> Iterator[R]:
    """Keep a window of tasks in flight, and yield their results in order."""
    waiting: deque[H] = deque()
    for thing in things:
        waiting.append(submit(thing))
        if len(waiting) >= window:
            yield answer(waiting.popleft())
    while waiting:
        yield answer(waiting.popleft())
