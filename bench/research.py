"""Environment steps per second: batches compared with the bare compiled games, and single tables with other libraries.

Ours and the other alternate in short slices of CPU time, and the median of the ratios is judged. Games of other
libraries are measured where they are installed (`pip install 'tessella[compare]'`), each by its own Python interface.
"""

import json
import time
from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from itertools import count
from random import Random
from statistics import median
from typing import Any, TypeAlias

import numpy
from msgspec import Struct

from bench.gates import GateResults
from tessella.fast import azul, blockers, duel
from tessella.progress import progress
from tessella.research import BatchEnv
from tessella.research.indexed import IndexedTable

GATES = {"azul_batch_vs_bare": 0.6, "azul_batch_vs_open_spiel": 10.0, "azul_batch_vs_pettingzoo": 100.0}
"""Minimum ratios; a ratio without a gate is only shown."""
SLICES = 9
MIN_SLICE_SECONDS = 0.005
"""Ratios of shorter slices are not judged: a slice should be several steps of a batch long."""
TABLES = 1_024

Work: TypeAlias = Callable[[], int]
"""A unit of work that is repeated; returns how many steps it made."""


class Report(Struct, frozen=True):
    """Steps per second of everything, and the ratios that matter."""

    steps: Mapping[str, float]
    ratios: Mapping[str, float]
    slice_seconds: float

    @property
    def gates(self) -> GateResults:
        """Return which gates were missed, and which were not judged: no time, or no other library."""
        if self.slice_seconds < MIN_SLICE_SECONDS:
            ours, least = 1000 * self.slice_seconds, 1000 * MIN_SLICE_SECONDS
            reason = f"each was measured {ours:.1f} ms at a time (at least {least:.0f} ms are judged)"
            return GateResults(not_judged=dict.fromkeys(GATES, reason))
        missed = [name for name, gate in GATES.items() if self.ratios.get(name, gate) < gate]
        absent = {name: "what it is compared with is not installed" for name in GATES if name not in self.ratios}
        return GateResults(tuple(missed), absent)

    def __str__(self) -> str:
        gates = self.gates
        lines = [f"{name:<28}{rate:>14,.0f} steps a second" for name, rate in self.steps.items()]
        for name, ratio in self.ratios.items():
            gate = f"≥ {GATES[name]:g}" if name in GATES else ""
            lines.append(f"{name:<28}{ratio:>14.2f}   {gate}{gates.mark(name)}")
        return "\n".join([*lines, *gates.explain()])

    def json(self) -> str:
        """Return the report as one line of JSON."""
        steps = {name: round(rate) for name, rate in self.steps.items()}
        ratios = {name: round(ratio, 3) for name, ratio in self.ratios.items()}
        return json.dumps({"ratios": ratios, "steps_per_s": steps, **self.gates.json_fields()})


def run(seconds: float) -> Report:
    """Measure everything, in about this many seconds."""
    works = _works()
    budget = seconds / (SLICES * len(works))
    slices: dict[str, list[float]] = {name: [] for name in works}
    for _ in progress(range(SLICES), "environments"):
        for name, work in works.items():
            slices[name].append(_rate(work, budget))
    return Report({name: median(rates) for name, rates in slices.items()}, _ratios(slices), budget)


def _rate(work: Work, seconds: float) -> float:
    steps = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        steps += work()
    return steps / spent


def _ratios(slices: Mapping[str, list[float]]) -> dict[str, float]:
    """Return the ratios of ours to the other, slice by slice."""
    pairs = {f"{game}_batch_vs_bare": (f"{game} batch", f"{game} bare batch") for game in ("azul", "blockers", "duel")}
    for kind in ("batch", "single"):
        pairs[f"azul_{kind}_vs_open_spiel"] = (f"azul {kind}", "open_spiel backgammon")
        pairs[f"azul_{kind}_vs_pettingzoo"] = (f"azul {kind}", "pettingzoo connect four")
    pairs["azul_batch_vs_pgx"] = ("azul batch", "pgx backgammon")
    return {
        name: median(mine / other for mine, other in zip(slices[ours], slices[others], strict=True))
        for name, (ours, others) in pairs.items()
        if others in slices
    }


# What is measured


def _works() -> dict[str, Work]:
    works: dict[str, Work] = {}
    for name, twin in (("azul", azul), ("blockers", blockers), ("duel", duel)):
        works[f"{name} batch"] = _stepper(BatchEnv(name, TABLES, seed=1))
        works[f"{name} bare batch"] = _stepper(twin.Batch(TABLES, seed=1))
        works[f"{name} single"] = _single(name)
    for other, (package, make) in OTHERS.items():
        if find_spec(package):
            works[other] = make()
    return works


def _stepper(batch: "BatchEnv | azul.Batch | blockers.Batch | duel.Batch") -> Work:
    def step() -> int:
        batch.step(batch.random)
        return TABLES

    return step


def _single(name: str) -> Work:
    """One table through the common face of the adapters: what is seen, what is allowed, a move."""
    table = IndexedTable(name)
    rng = Random(1)  # noqa: S311

    def step() -> int:
        if table.over:
            table.reset(rng.getrandbits(32))
        seat = table.seat
        table.observe(seat)
        table.act(int(rng.choice(table.mask(seat).nonzero()[0])))
        return 1

    return step


# Others


def _open_spiel() -> Work:
    import pyspiel  # noqa: PLC0415

    game = pyspiel.load_game("backgammon")
    rng = Random(1)  # noqa: S311
    state = game.new_initial_state()

    def step() -> int:
        nonlocal state
        if state.is_terminal():
            state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        if not state.is_terminal():
            state.observation_tensor()
            numpy.asarray(state.legal_actions_mask())
            state.apply_action(rng.choice(state.legal_actions()))
        return 1

    return step


def _connect_four() -> Work:
    from pettingzoo.classic import connect_four_v3  # noqa: PLC0415

    env = connect_four_v3.env()
    env.reset(seed=1)
    rng = Random(1)  # noqa: S311

    def step() -> int:
        seen, _, ended, cut, _ = env.last()
        if ended or cut:
            env.reset()
        else:
            env.step(int(rng.choice(seen["action_mask"].nonzero()[0])))
        return 1

    return step


def _pgx(name: str) -> Work:
    """Return work that steps a batch as large as ours, with random moves drawn on the same device."""
    import jax  # noqa: PLC0415
    import pgx  # noqa: PLC0415
    from pgx.experimental.wrappers import auto_reset  # noqa: PLC0415

    env = pgx.make(name)
    move = jax.vmap(auto_reset(env.step, env.init))

    def choose_and_move(tables: Any, key: Any) -> Any:  # noqa: ANN401
        mine, theirs = jax.random.split(key)
        wanted = jax.random.uniform(mine, tables.legal_action_mask.shape) * tables.legal_action_mask
        return move(tables, wanted.argmax(axis=1), jax.random.split(theirs, TABLES))

    compiled = jax.jit(choose_and_move)
    keys = map(jax.random.PRNGKey, count())
    tables = compiled(jax.vmap(env.init)(jax.random.split(next(keys), TABLES)), next(keys))

    def step() -> int:
        nonlocal tables
        tables = jax.block_until_ready(compiled(tables, next(keys)))
        return TABLES

    return step


OTHERS: Mapping[str, tuple[str, Callable[[], Work]]] = {
    "open_spiel backgammon": ("pyspiel", _open_spiel),
    "pettingzoo connect four": ("pygame", _connect_four),
    "pgx connect four": ("pgx", partial(_pgx, "connect_four")),
    "pgx backgammon": ("pgx", partial(_pgx, "backgammon")),
}
"""Games of other libraries, with the package that each needs."""
