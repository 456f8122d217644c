"""Durably stored moves per second, by our store and by pgbench."""

import asyncio
import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from bench.server.figures import Figure, Pair
from bench.server.paths import GAMES, open_tables
from tessella.server.store import Store, Write
from tessella.server.store.postgres import APPEND

CLIENTS = (8, 16, 32)
"""Clients of pgbench: the best of these is the yardstick."""

BODY = '{"type": "played", "seat": 1, "acts": ["3r4"], "end": null}'
"""With spaces, because pgbench takes a word after a colon for one of its variables."""


class Durability:
    """Durably stored moves per second, by our store and by pgbench, each with the same statement."""

    def __init__(self, budget: float, store: Store, pgbench: "Pgbench") -> None:
        self._budget = budget
        self._store = store
        self._pgbench = pgbench
        self._pair = Pair()
        self._numbers = [0] * GAMES

    @classmethod
    async def prepare(cls, budget: float, store: Store, url: str) -> "Durability":
        """Create the tables, and find the number of clients with which pgbench is fastest."""
        numbers = range(max(GAMES, *CLIENTS))
        await open_tables(store, [f"{kind}-{number}" for kind in ("durable", "pgbench") for number in numbers])
        return cls(budget, store, await asyncio.to_thread(Pgbench, url, budget))

    async def measure(self, number: int) -> None:  # noqa: ARG002
        """Store as many moves as the time allows."""
        began, before = time.monotonic(), sum(self._numbers)
        await asyncio.gather(*(self._fill(game, began + self._budget) for game in range(GAMES)))
        ours = (sum(self._numbers) - before) / (time.monotonic() - began)
        self._pair.add(ours, await asyncio.to_thread(self._pgbench.measure))

    async def _fill(self, game: int, until: float) -> None:
        while time.monotonic() < until:
            self._numbers[game] += 1
            stored = await self._store.append(_a_write(f"durable-{game}", self._numbers[game]))
            assert stored is not None

    def figures(self) -> Sequence[Figure]:
        """Return the one figure."""
        words = f"{{:,.0f}} moves a second, {GAMES} waiting; {{:,.0f}} by pgbench, {self._pgbench.clients} clients"
        return (self._pair.figure("durable_vs_pgbench", words),)


def _a_write(game: str, number: int) -> Write:
    return Write(game, number, f"key-{number}", BODY, time.time() + 600, "playing", "1", 600.0)


class Pgbench:
    """PostgreSQL's own yardstick, with our statement for one move."""

    def __init__(self, url: str, budget: float) -> None:
        self._url = url
        self._program = _find_pgbench()
        self._number = 0
        rates = {clients: self._rate(clients, 20) for clients in CLIENTS}
        self.clients = max(rates, key=lambda clients: rates[clients])
        self._transactions = max(5, int(budget * rates[self.clients] / self.clients))

    def measure(self) -> float:
        """Return moves per second."""
        return self._rate(self.clients, self._transactions)

    def _rate(self, clients: int, transactions: int) -> float:
        options = f"--no-vacuum --protocol=prepared --file=- --jobs=2 --client={clients} --transactions={transactions}"
        done = subprocess.run(  # noqa: S603
            [self._program, *options.split(), f"--define=n={self._number}", self._url],
            input=_SCRIPT,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise ChildProcessError(done.stderr)
        self._number += transactions
        found = re.search(r"tps = ([0-9.]+)", done.stdout)
        assert found is not None
        return float(found[1])


def _find_pgbench() -> str:
    """Return the path of pgbench; Debian keeps it beside the server's own programs."""
    beside = map(str, Path("/usr/lib/postgresql").glob("*/bin/pgbench"))
    found = shutil.which("pgbench") or max(beside, default=None)
    if found is None:
        raise FileNotFoundError("pgbench is not installed; it comes with PostgreSQL's server or contrib package")
    return found


def _pgbench_script() -> str:
    """Return our statement with one move of the client's own game as its values."""
    values = (
        "'pgbench-' || :client_id",
        ":n",
        "'key-' || :n::int",
        f"'{BODY}'",
        "extract(epoch FROM now()) + 600",
        "'playing'",
        "'1'",
        "600",
        "NULL",
        "0",
        "''",
    )
    statement = APPEND.strip()
    for number, value in enumerate(values, 1):
        statement = statement.replace(f"${number}::", f"ARRAY[{value}]::")
    assert "$" not in statement, "a parameter of the statement has no value"
    return f"\\set n :n + 1\n{statement};\n"


_SCRIPT = _pgbench_script()
